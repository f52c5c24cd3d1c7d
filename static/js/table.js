// The page of a table: what stands there, and deals entered on it, with a network or without.
//
// What a deal counts for, who deals next and how a deal can end is said by laws.js; what is kept and sent, by table-store.js.
// The parts are in table/; another topic adds itself by table/hooks.js.
import * as laws from "./laws.js";
import * as store from "./table-store.js";
import { dispute, onDisputing } from "./table/confirm.js";
import { drawDeals } from "./table/deals-list.js";
import { openEntry } from "./table/entry.js";
import { call } from "./table/hooks.js";
import { drawLast, wireLast } from "./table/last.js";
import { exchange, follow, refresh } from "./table/network.js";
import { wirePaste } from "./table/paste.js";
import { matches, page, rowsHere, shownMatch, unsettled } from "./table/page.js";
import { standOf } from "./table/standing.js";
import { offer, wireTaking } from "./table/taking.js";
import { WAYS } from "./table/ways.js";
import { badge, bdi, fill, make, part, say, seatWord, words } from "./table/words.js";
import { keepPage } from "./worker.js";

const trouble = (name, values) => {
  const box = part("trouble");
  box.hidden = !name;
  const said = name ? make("p", {}, ...fill(name, values)) : make("p");
  if (box.textContent !== said.textContent) box.replaceChildren(said);
};

// -- a deal being entered ----------------------------------------------------------------------------------------------

const keep = async ({ match, number, pcn, again }) => {
  if (again?.dispute) return dispute(match, again.dispute, pcn);
  const { instead = null, base_revision = null } = again ?? {};
  const facts = { link: page.link.uid, scoresheet: match.scoresheet, number, base_revision, pcn };
  const kept = await store.keep({ ...facts, instead }).catch((error) => {
    if (instead) throw error;
    page.full = error?.name ?? String(error);
    page.loose.push(store.looseDeal(facts));
    return page.loose.at(-1);
  });
  if (kept) call("saved", match, kept);
  await refresh();
  exchange();
  const isLoose = page.loose.includes(kept);
  if (isLoose) part("last").open = true;
  return fill(!kept ? "went-out" : isLoose ? "not-kept" : "saved", { number });
};

const entry = openEntry(part("entry"), {
  top: part("turn"),
  ways: WAYS,
  match: shownMatch,
  rows: rowsHere,
  keep,
  fails: (error) => trouble("not-saved", { error: error.message || error.name }),
});

const enterAgain = (row) => {
  const { mine, revision } = row;
  const isHere = ["made", "rejected"].includes(mine?.state);
  entry.again(row, isHere ? { instead: mine.id, base_revision: mine.base_revision } : { base_revision: revision });
};

onDisputing((row, facts) => entry.again(row, facts));

// -- what is shown -------------------------------------------------------------------------------------------------------

const drawSides = (match, stand) => {
  const line = (team) => {
    const names = [...team].map((seat) => make("span", { class: "at__name" }, badge(seat), make("span", { class: "sr" }, seatWord(seat)), " ", bdi(match.seats[seat].name)));
    return make("tr", {}, make("th", { scope: "row" }, ...names), make("td", {}, String(stand.courts[team])), make("td", {}, String(stand.runs[team])));
  };
  part("sides").replaceChildren(...laws.TEAMS.map(line));
};

const roundWord = (match) => {
  const round = match.round.name ? [bdi(match.round.name)] : fill("round", { number: match.round.number });
  return match.name ? [...round, " · ", bdi(match.name)] : round;
};

const drawTurn = (match, rows, { number, dealer }) => {
  const caller = dealer && laws.callerOf(dealer);
  const turn = dealer
    ? fill("turn", { number, dealer: seatWord(dealer), name: match.seats[dealer].name, caller: seatWord(caller), other: match.seats[caller].name })
    : fill("turn-unknown", { number });
  const isFull = match.agreed?.kind === "deals" && rows.length >= match.agreed.amount;
  const agreed = match.agreed?.kind === "deals" ? fill(isFull ? "beyond" : "agreed", { amount: match.agreed.amount }) : [];
  part("turn").replaceChildren(...(isFull ? [make("strong", { class: "at__done" }, ...agreed), ...turn] : agreed.length ? [...turn, " ", ...agreed] : turn));
};

const drawMatch = (match) => {
  const rows = rowsHere(match);
  const stand = standOf(match, rows);
  const isOpen = match.state === "open";
  drawSides(match, stand);
  drawTurn(match, rows, stand);
  part("turn").hidden = !isOpen;
  part("entry").hidden = !isOpen;
  part("closed").hidden = isOpen;
  part("closed").textContent = isOpen ? "" : words[`match-${match.state}`];
  drawDeals(match, rows, enterAgain);
  if (isOpen) entry.draw();
};

const drawRounds = (match) => {
  const open = matches().filter(({ state }) => state === "open");
  const ordered = [...open, ...matches().filter((one) => !open.includes(one))];
  part("rounds").hidden = ordered.length < 2;
  const show = (one) => {
    page.chosen = one.id;
    entry.leave();
    draw();
  };
  const tab = (one) =>
    make("button", { type: "button", class: "at__tab", "aria-pressed": String(one.id === match.id), onclick: () => show(one) }, ...roundWord(one));
  const had = part("rounds").contains(document.activeElement);
  part("rounds").replaceChildren(...ordered.map(tab));
  if (had) part("rounds").querySelector("[aria-pressed=true]").focus({ preventScroll: true });
};

const isExpired = (link) => link?.table?.takes_deals === false && unsettled().length > 0;

const drawNet = () => {
  const waiting = unsettled();
  const count = waiting.length;
  const going = !isExpired(page.link) && waiting.some(({ state }) => state === "made");
  const isBusy = ["busy", "throttled", "refused"].includes(page.net);
  const name = ["offline", "stray"].includes(page.net) ? page.net : isBusy ? "busy" : going ? "sending" : count ? "unsettled" : matches().some((match) => rowsHere(match).length) ? "ok" : "none";
  const line = part("net");
  line.dataset.net = name;
  say(line, ...fill(`net-${name}`, { count }));
};

const drawTrouble = (match) => {
  const { link, net } = page;
  const loose = page.loose.filter(({ state }) => store.UNSETTLED.includes(state));
  if (loose.length) trouble("disk-full", { numbers: loose.map(({ number }) => number).join(", "), error: page.full });
  else if (!link) trouble("no-link");
  else if (link.revoked) trouble("revoked", { count: unsettled().length });
  else if (isExpired(link)) trouble("expired", { count: unsettled().length });
  else if (net === "unknown-link") trouble("unknown-link");
  else if (!link.table && net === "offline") trouble("no-network-yet");
  else if (link.table && !match) trouble("no-match");
  else trouble(null);
};

/** Show what the script shows in place of the bare heading that stands there before. */
const open = () => {
  part("before").hidden = true;
  part("at").hidden = false;
};

const draw = () => {
  open();
  const match = shownMatch();
  const { link, net } = page;
  const table = link?.table;
  if (table) {
    part("title").replaceChildren(...fill("table", { table: table.table }));
    part("where").replaceChildren(bdi(table.tournament.name), ...(match ? [" · ", ...roundWord(match)] : []));
  }
  part("match").hidden = !match;
  part("net").hidden = !link || link.revoked || net === "unknown-link" || (!table && !page.deals.length);
  drawNet();
  drawLast();
  drawTrouble(match);
  if (match) {
    drawRounds(match);
    drawMatch(match);
  }
  call("draw", page, match);
};

// -- the beginning -------------------------------------------------------------------------------------------------------

const begin = async () => {
  try {
    Object.assign(page, { chosen: null, net: "ok" });
    entry.leave();
    const [secret, handed] = location.hash.slice(1).split(".");
    page.link = await store.openLink(secret);
    if (secret && !page.link) {
      draw();
      trouble("unknown-link");
      return;
    }
    await refresh();
    offer(handed);
    await exchange();
  } catch (error) {
    open();
    trouble("no-storage", { error: error.message || error.name });
  }
};

wireLast();
wireTaking();
wirePaste(part("entry"), entry, shownMatch);
follow(draw);
addEventListener("hashchange", begin);
begin();
// By plain http there is no service worker: the page stays usable while it is open, and what it kept is there when it opens again.
keepPage("/table/").catch(() => {});
