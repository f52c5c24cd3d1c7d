// The deals of a match in a list: what each came to, what became of it, and what there is to settle.
import * as store from "../table-store.js";
import { call } from "./hooks.js";
import { exchange, refresh, settle } from "./network.js";
import { page } from "./page.js";
import { briefly, brieflyOf, bdi, button, exchangeNodes, fill, make, part, seatWord, words } from "./words.js";

/** Draw them, the newest first; `enterAgain(row)` is called where somebody wants to enter the last one again. */
export const drawDeals = (match, rows, enterAgain) => {
  const before = placesIn(part("deals"));
  part("no-deals").hidden = rows.length > 0;
  exchangeNodes(part("deals"), [...rows].reverse().map((row, place) => rowItem(match, row, place === 0, enterAgain)));
  const after = placesIn(part("deals"));
  if ([...before].some(([number, place]) => after.get(number) !== place)) movedAt = performance.now();
};

// What comes from another phone moves the list: a finger that was on its way to one deal must not answer for another.
const A_TAP = 700;
let movedAt = -Infinity;
const placesIn = (list) => {
  const { top } = list.getBoundingClientRect();
  return new Map([...list.children].map((item) => [item.dataset.number, Math.round(item.getBoundingClientRect().top - top)]));
};
const isAimedBefore = ({ detail, timeStamp }) => detail > 0 && timeStamp - movedAt < A_TAP; // by keyboard, `detail` is 0
part("deals").addEventListener("click", (happened) => {
  if (happened.target.closest(".confirm") && isAimedBefore(happened)) happened.stopPropagation();
}, { capture: true });

const rowItem = (match, row, isLast, enterAgain) => {
  const item = make("li", { "data-number": row.number });
  const head = make("div", { class: "at__deal" }, make("strong", {}, ...fill("deal", { number: row.number })));
  if (row.found) head.append(make("span", { class: "at__what" }, ...briefly(row.found)), make("span", { class: "muted" }, ...fill("dealt", { seat: seatWord(row.found.dealer) })));
  if (row.state) head.append(make("span", { class: `at__state at__state--${row.state}` }, ...fill(row.says, { revision: row.revision ?? "" })));
  const mayAgain = isLast && match.state === "open" && ["made", "recorded"].includes(row.state) && !row.issues.length;
  if (mayAgain) head.append(button("enter-again", () => enterAgain(row)));
  item.append(head, ...row.issues.map((deal) => issueOf(match, deal, enterAgain)), ...call("row", match, row));
  return item;
};

const issueOf = (match, deal, enterAgain) => {
  const mine = make("p", {}, ...fill("mine", { text: brieflyOf(deal.pcn) }));
  if (deal.state === "made") return make("div", { class: "at__issue" }, mine, make("p", {}, words[deal.tries ? "state-sent" : "state-made"]));
  return deal.state === "conflict" ? conflictOf(match, deal, mine) : rejectedOf(match, deal, mine, enterAgain);
};

const says = ({ state }) => make("p", {}, make("strong", {}, words[`state-${state}`]));

const conflictOf = (match, deal, mine) => {
  const { pcn, revision } = deal.current;
  const send = async () => {
    await store.keep({
      link: page.link.uid, scoresheet: deal.scoresheet, number: deal.number, base_revision: revision, pcn: deal.pcn, instead: deal.id,
    });
    await refresh();
    await exchange();
  };
  return make(
    "div", { class: "at__issue" }, says(deal), make("p", {}, ...fill("stands", { text: brieflyOf(pcn), revision })), mine,
    make("p", { class: "muted" }, words["settle-how"]),
    make("p", { class: "entry__buttons" }, button("settle-theirs", () => settle(deal, "settled")), match.state === "open" ? button("settle-mine", send) : []),
  );
};

const rejectedOf = (match, deal, mine, enterAgain) => {
  const whys = deal.problems.map(({ message }) => make("li", {}, bdi(message)));
  const { number } = deal;
  const dealer = /^\[Dealer "([NESW])"\]$/m.exec(deal.pcn)?.[1];
  const again = match.state === "open" && dealer ? button("enter-again", () => enterAgain({ number, found: { dealer }, mine: deal, revision: null })) : [];
  return make(
    "div", { class: "at__issue" }, says(deal), mine, make("ul", {}, whys),
    make("p", { class: "entry__buttons" }, button("try-again", () => settle(deal, "made")), again, button("not-this", () => settle(deal, "settled"))),
  );
};
