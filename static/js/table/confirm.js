// Two pairs, each with its phone: what one enters the other agrees with, or disputes. Only where the tournament asks for it.
//
// Which pair holds this phone is asked once for a match and goes with its deals. What is said of a deal is kept on the phone like a deal,
// and sent when there is a network; the server decides whether it counts.
import * as store from "../table-store.js";
import { onDraw, onRow } from "./hooks.js";
import { exchange, refresh } from "./network.js";
import { page, rowsHere } from "./page.js";
import { badge, bdi, briefly, button, fill, make, namesOf, part, say as speak, teamWord, words } from "./words.js";

const HOLDERS = ["NS", "EW", "table"];
let isAsking = false; // somebody wants to say anew who holds this phone
let disputing = null; // the deal of which is asked how it was
let startDispute = () => null;

/** `listener(row, facts)` lets somebody enter how a deal was; what comes of it is for `dispute`. */
export const onDisputing = (listener) => (startDispute = listener);

const asks = () => page.link?.table?.tournament.confirmation ?? false;
const holderWord = (holder) => (holder === "table" ? words["holder-table"] : teamWord(holder));

// -- who holds this phone ----------------------------------------------------------------------------------------------

const hold = async (match, holder) => {
  isAsking = false;
  await store.hold(match.scoresheet, holder);
  await refresh();
  part("holder-is").querySelector("button")?.focus({ preventScroll: true });
};

const holderChoice = (match, holder) => {
  const label = holder === "table"
    ? [make("span", {}, words["holder-table"]), make("small", {}, words["holder-table-means"])]
    : [badge(holder), make("span", {}, teamWord(holder)), make("small", {}, ...namesOf(match, holder))];
  const pressed = String(page.holders[match.scoresheet] === holder);
  return make("button", { type: "button", class: `choose choose--${holder}`, "aria-pressed": pressed, onclick: () => hold(match, holder) }, ...label);
};

onDraw((_page, match) => {
  const isShown = Boolean(match) && asks() && match.state !== "void";
  part("holder").hidden = !isShown;
  if (!isShown) return;
  drawWaiting(match);
  const holder = page.holders[match.scoresheet];
  const isOpen = isAsking || !holder;
  part("holder-asks").hidden = !isOpen;
  part("holder-is").hidden = isOpen;
  part("choices", part("holder-asks")).replaceChildren(...(isOpen ? HOLDERS.map((one) => holderChoice(match, one)) : []));
  if (!isOpen) {
    const change = () => {
      isAsking = true;
      refresh().then(() => part("choices", part("holder-asks")).querySelector("button").focus());
    };
    const link = make("button", { type: "button", class: "link", onclick: change }, words["holder-change"]);
    part("holder-is").replaceChildren(make("span", {}, ...fill("holder-is", { holder: holderWord(holder) })), link);
  }
});

/** Lead to the first deal that waits for whoever holds this phone: the list is below what is entered. */
const drawWaiting = (match) => {
  const row = rowsHere(match).find((one) => isAsked(match, one));
  const box = part("holder-waits");
  if (!row) return speak(box);
  const go = () => {
    const item = document.querySelector(`[data-deals] [data-number="${row.number}"]`);
    item?.scrollIntoView({ block: "center" });
    item?.querySelector(".confirm--ask button")?.focus({ preventScroll: true });
  };
  const facts = { type: "button", class: "holder__waits", onclick: go };
  return speak(box, make("button", facts, ...fill("confirm-waits", { number: row.number }), ": ", ...briefly(row.found), make("span", { class: "holder__to", "aria-hidden": "true" }, "↓")));
};

// -- what is said of a deal --------------------------------------------------------------------------------------------

const say = async (match, deal, verdict, pcn = "") => {
  disputing = null;
  await store.say({ scoresheet: match.scoresheet, deal: deal.id, revision: deal.revision, side: page.holders[match.scoresheet], verdict, pcn });
  await refresh();
  exchange();
};

/** Say that a deal was not so, and how it was; gives the sentence that tells of it. */
export const dispute = async (match, { id, revision, number }, pcn) => {
  await say(match, { id, revision }, "dispute", pcn);
  return fill("confirm-told", { number });
};

const ask = (deal) => {
  disputing = deal?.id ?? null;
  refresh();
};
const enterVersion = (row) => {
  const { id, revision, number } = row.deal;
  disputing = null;
  startDispute(row, { word: "confirm-again", dispute: { id, revision, number } });
  refresh();
};

const line = (name, kind, values) => make("p", { class: `confirm confirm__state confirm__state--${kind}` }, ...fill(name, values));
const buttons = (...all) => make("p", { class: "entry__buttons" }, ...all);

/** What was said on this phone of the revision that stands, and the server does not know or did not take. */
const keptOf = (deal) => page.said.findLast(({ deal: id, revision }) => id === deal.id && revision === deal.revision);
const isMine = (match, deal) => {
  const mine = page.deals.some((one) => one.number === deal.number && one.scoresheet === match.scoresheet && one.state === "recorded" && one.revision === deal.revision && !one.device);
  return mine || deal.confirmation.entered_by === page.holders[match.scoresheet];
};

/** Whether what the server says of a deal is about the revision that is shown. */
const isTold = ({ deal, state, revision }) => deal?.confirmation && !["made", "sent"].includes(state) && revision === deal.revision;
/** Whether a deal waits for whoever holds this phone. */
const isAsked = (match, row) =>
  isTold(row) && row.deal.confirmation.state === "waiting" && !isMine(match, row.deal) && keptOf(row.deal)?.state !== "made";

onRow((match, row) => {
  const { deal } = row;
  if (!isTold(row)) return null;
  const kept = keptOf(deal);
  if (kept?.state === "made") return line(`confirm-you-${kept.verdict}`, "kept");
  return [refusal(kept), confirmation(match, row)].filter(Boolean);
});

const refusal = (kept) => {
  if (kept?.state !== "refused") return null;
  const read = async () => {
    await store.noteSaid(kept.id, { state: "settled" });
    await refresh();
  };
  return make("div", { class: "at__issue" }, make("p", {}, bdi(kept.why)), buttons(button("confirm-seen", read)));
};

const confirmation = (match, row) => {
  const { deal } = row;
  const { state, entered_by: by, said } = deal.confirmation;
  if (state === "disputed") return disputed(match, row);
  if (state === "agreed") {
    const stands = said.findLast(({ verdict }) => verdict === "stands");
    if (stands) return line("confirm-stands", "agreed", { reason: stands.reason });
    return line(said.length || by !== "table" ? "confirm-agreed" : "confirm-table", "agreed");
  }
  if (isMine(match, deal)) return line("confirm-waiting", "waiting");
  return question(match, row, by === "NS" || by === "EW" ? fill("confirm-theirs", { side: teamWord(by) }) : [words["confirm-somebodys"]]);
};

const question = (match, row, asked) => {
  const { deal } = row;
  const box = make("div", { class: "confirm confirm--ask" }, make("p", {}, ...asked));
  if (!page.holders[match.scoresheet]) box.append(make("p", { class: "muted" }, words["confirm-first"]));
  else if (disputing === deal.id) box.append(...howItWas(match, row));
  else {
    const agree = make("button", { type: "button", class: "button", onclick: () => say(match, deal, "agree") }, words["confirm-agree"]);
    box.append(buttons(agree, button("confirm-dispute", () => ask(deal))));
  }
  return box;
};

const howItWas = (match, row) => {
  const version = match.state === "open" ? [button("confirm-version", () => enterVersion(row))] : [];
  const just = button("confirm-just", () => say(match, row.deal, "dispute"));
  return [make("p", {}, words["confirm-how"]), buttons(...version, just, button("confirm-cancel", () => ask(null)))];
};

const disputed = (match, { deal }) => {
  const { said, difference } = deal.confirmation;
  const by = said.findLast(({ verdict }) => verdict === "dispute")?.by;
  const box = make("div", { class: "confirm confirm--disputed" }, make("p", {}, make("strong", {}, ...fill("confirm-disputed", { side: holderWord(by) }))));
  if (difference) box.append(make("p", {}, bdi(difference.text)));
  if (!isMine(match, deal) && by === page.holders[match.scoresheet]) {
    box.append(buttons(button("confirm-agree-after", () => say(match, deal, "agree"))));
  }
  return box;
};
