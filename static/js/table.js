// The page of a table: what stands there, and deals entered by three taps, with a network or without.
//
// What a deal counts for, who deals next and how a deal can end is said by laws.js; what is kept and sent, by table-store.js.
// The words come with the page, in <template id="words">.
import * as laws from "./laws.js";
import * as store from "./table-store.js";

const EVERY = 15_000;
const part = (name, root = document) => root.querySelector(`[data-${name}]`);
const words = Object.fromEntries(
  [...document.querySelector("#words").content.querySelectorAll("[data-word]")].map((one) => [one.dataset.word, one.textContent]),
);

// -- words and elements --------------------------------------------------------------------------------------------------

const make = (tag, facts = {}, ...children) => {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(facts)) {
    if (name === "onclick") one.addEventListener("click", value);
    else if (value !== false && value !== null) one.setAttribute(name, value === true ? "" : value);
  }
  one.append(...children.flat());
  return one;
};
const bdi = (text) => make("bdi", /^[\d–]+$/.test(text) ? { dir: "ltr" } : {}, String(text));
/** The nodes of a sentence; what is filled in is isolated, so that it stands right in any direction of writing. */
const fill = (name, values = {}) =>
  words[name].split(/(\{[a-z]+\})/).map((piece) => (/^\{[a-z]+\}$/.test(piece) ? (values[piece.slice(1, -1)] ?? piece) : piece))
    .map((piece, place) => (place % 2 ? (piece instanceof Node ? piece : bdi(String(piece))) : piece));
const seatWord = (seat) => words[`seat-${seat}`];
const teamWord = (team) => words[`team-${team}`];
const badge = (code) => make("span", { class: `seat seat--${code.length === 2 ? code : laws.teamOf(code)}`, "aria-hidden": "true" }, code);
const namesOf = (match, team) => fill("and", { first: match.seats[team[0]].name, second: match.seats[team[1]].name });
const scoreOf = ({ winner, tricks }) => `${tricks[winner]}–${tricks[winner === "NS" ? "EW" : "NS"]}`;

/** A deal in a few words: "East–West 7–2 Court". */
const briefly = (found) => {
  if (found.winner === null) return [words["award-void"]];
  const award = found.award === "win" ? [] : [" ", words[`award-${found.award}`]];
  return [bdi(teamWord(found.winner)), " ", bdi(scoreOf(found)), ...award];
};
const foundIn = (pcn) => {
  try {
    return laws.judge(laws.readPcn(pcn)).found;
  } catch {
    return null;
  }
};
const brieflyOf = (pcn) => {
  const found = foundIn(pcn);
  return make("bdi", {}, ...(found ? briefly(found) : [pcn]));
};

// -- what stands at the table ------------------------------------------------------------------------------------------

let link = null;
let deals = [];
let net = "ok";
let chosen = null; // the match that somebody chose to see
const matches = () => link?.table?.matches ?? [];
const shownMatch = () =>
  matches().find(({ id }) => id === chosen) ?? matches().find(({ state }) => state === "open") ?? matches().at(-1) ?? null;

/**
 * The deals of a match by number, as far as they are known here: `{ number, found, counts, state, revision, mine, issues }`.
 * The server's stand, but for one that this phone enters again; `issues` are this phone's deals that were not taken.
 */
const rowsOf = (match) => {
  const rows = new Map();
  for (const deal of match.deals) {
    const isDirectors = deal.ruled || ["void", "ruling"].includes(deal.kind);
    const state = isDirectors ? "decided" : deal.kind === "record" ? "recorded" : "corrected";
    const { number, revision, counts, dealer, winner, award, tricks, courts } = deal;
    const found = { dealer, winner, award, tricks, courts };
    rows.set(number, { number, found, counts, state, revision, mine: null, issues: [] });
  }
  for (const deal of deals.filter((one) => one.scoresheet === match.scoresheet)) {
    const there = rows.get(deal.number);
    const row = there ?? { number: deal.number, found: null, counts: false, state: null, revision: null, mine: null, issues: [] };
    const isNewer = !there || there.found === null || (deal.base_revision ?? 0) === there.revision || there.mine;
    if (deal.state === "conflict" || deal.state === "rejected") row.issues.push(deal);
    else if (deal.state === "made" && isNewer) Object.assign(row, standing(deal), { state: deal.tries ? "sent" : "made" });
    else if (deal.state === "made") row.issues.push(deal);
    else if (deal.state === "recorded" && (row.revision ?? 0) < deal.revision) Object.assign(row, standing(deal), { state: "recorded" });
    else if (deal.state === "recorded" && row.revision === deal.revision && row.state === "corrected") row.state = "recorded"; // by this phone
    else continue;
    rows.set(deal.number, row);
  }
  return [...rows.values()].sort((one, other) => one.number - other.number);
};
const standing = (deal) => ({ found: foundIn(deal.pcn), counts: true, mine: deal, revision: deal.revision });

const ledgerOf = (match, rows) =>
  laws.ledgerOf(match.rules, match.first_dealer, rows.map(({ found, counts }) => (counts ? found : null)));

/** Where a match stands: by the server while it knows everything, else by the laws with this phone's deals. */
const standOf = (match, rows) => {
  const last = ledgerOf(match, rows).at(-1);
  const { ns, ew } = match;
  const isServers = rows.every(({ mine }) => !mine) || !last;
  return {
    courts: isServers ? { NS: ns.courts, EW: ew.courts } : last.courts,
    runs: isServers ? { NS: ns.run, EW: ew.run } : last.runs,
    number: (rows.at(-1)?.number ?? 0) + 1,
    dealer: isServers ? match.next_dealer : last.nextDealer,
  };
};

// -- a deal being entered ----------------------------------------------------------------------------------------------

const nothing = () => ({ match: null, number: null, dealer: null, winner: null, award: null, lost: null, won: null, again: null, asksDealer: false });
let entry = nothing();
let told = ""; // what is said of the deal that was saved last

const NUMBERS = Array.from({ length: 14 }, (_none, number) => number);
const AWARDS = ["win", "court", "goon-court", "bavney", "revoke"];

/** The scores with which a deal can end so, and is found to be what it is called. */
const endsOf = ({ rules }, { dealer, winner, award }) => {
  const ends = [];
  for (const lost of NUMBERS) {
    for (const won of NUMBERS) {
      const result = { winner, won, lost, award };
      if (laws.whyNotResult({ rules, dealer }, result)) continue;
      if (laws.fromResult({ rules, dealer }, result).award === award) ends.push(result);
    }
  }
  return ends;
};
const different = (values) => [...new Set(values)].sort((one, other) => one - other);

/** What can be chosen now, step by step; a step of one choice is taken by itself. */
const stepsOf = (match, draft) => {
  const steps = { dealer: draft.asksDealer || !draft.dealer ? laws.SEATS : [], winner: [], award: [], lost: [], won: [] };
  if (!draft.dealer) return steps;
  steps.winner = ["NS", "EW", "void"];
  if (!draft.winner || draft.winner === "void") return steps;
  const ends = new Map(AWARDS.map((award) => [award, endsOf(match, { ...draft, award })]));
  steps.award = AWARDS.filter((award) => ends.get(award).length);
  if (!draft.award) return steps;
  const possible = ends.get(draft.award);
  const losts = different(possible.map(({ lost }) => lost));
  if (losts.length === 1) [draft.lost] = losts;
  else steps.lost = losts;
  if (draft.lost === null) return steps;
  const wons = different(possible.filter(({ lost }) => lost === draft.lost).map(({ won }) => won));
  if (wons.length === 1) [draft.won] = wons;
  else steps.won = wons;
  return steps;
};

const recordOf = (match, draft) => {
  const isVoid = draft.winner === "void";
  if (!draft.dealer || !draft.winner || (!isVoid && (draft.award === null || draft.lost === null || draft.won === null))) return null;
  const result = isVoid ? { winner: null, award: "void", won: 0, lost: 0 } : draft;
  const tags = { Deal: String(draft.number), Rules: match.rules, Dealer: draft.dealer, Result: laws.resultText(result) };
  return { tags, tricks: null, claim: null, comments: [] };
};

/** What the deal comes to, in sentences; and whether it can be saved. */
const saysOf = (match, draft) => {
  const record = recordOf(match, draft);
  if (!record) return { sentences: [], canSave: false };
  const { found, why } = laws.judge(record);
  if (!found || why) return { sentences: [fill("says-impossible", { law: why?.law ?? "9.1" })], canSave: false };
  const before = rowsOf(match).filter(({ number }) => number < draft.number);
  const line = ledgerOf(match, [...before, { found, counts: true }]).at(-1);
  const sentences = [];
  if (found.winner === null) sentences.push(fill("says-void"));
  else {
    const side = teamWord(found.winner);
    sentences.push(fill("says-win", { side, score: scoreOf(found) }));
    if (found.award === "win") sentences.push(fill("says-no-court"));
    else sentences.push(fill(`says-${found.award}`, { side, courts: found.courts[found.winner] }));
    if (line.runCourts[found.winner]) sentences.push(fill("says-run-court", { side, courts: line.runCourts[found.winner] }));
    else if (line.runs[found.winner] > 1) sentences.push(fill("says-run", { side, run: line.runs[found.winner] }));
  }
  const isSame = line.nextDealer === draft.dealer;
  const next = { side: teamWord(laws.teamOf(line.nextDealer)), seat: seatWord(line.nextDealer) };
  sentences.push(fill(isSame ? "says-same" : "says-other", next));
  return { sentences, canSave: true, record };
};

const ORDER = ["dealer", "winner", "award", "lost", "won"];
const pick = (step, value) => {
  told = "";
  const match = shownMatch();
  if (entry.number === null) {
    const stand = standOf(match, rowsOf(match));
    Object.assign(entry, { match: match.id, number: stand.number, dealer: entry.dealer ?? stand.dealer });
  }
  entry[step] = value;
  if (step === "dealer") entry.asksDealer = false;
  if (step === "winner" || step === "dealer") Object.assign(entry, { award: null });
  if (step !== "lost" && step !== "won") Object.assign(entry, { lost: null, won: null });
  if (step === "lost") entry.won = null;
  // Of a court at the seventh trick seven to nil is what there mostly is; another score is one tap more.
  if (step === "award" && /court$/.test(value)) Object.assign(entry, usualCourt(match));
  drawEntry(match);
  const next = ORDER.find((one) => !part(`step="${one}"`).hidden && !part(`step="${one}"`).querySelector("[aria-pressed=true]"));
  const save = part("save");
  (next && save.hidden ? part(`step="${next}"`).querySelector("button") : save)?.focus();
  const last = ORDER.findLast?.((one) => !part(`step="${one}"`).hidden);
  if (last) part(`step="${last}"`).scrollIntoView({ block: "nearest" });
};
const usualCourt = (match) => {
  const [first] = endsOf(match, entry);
  return first ? { lost: first.lost, won: first.won } : {};
};

const meaning = (match, award) => words[`means-${laws.rulesOf(match.rules).gather === "single" ? "single" : "pile"}-${award}`] ?? "";
const choice = (step, value, isChosen, ...label) =>
  make("button", { type: "button", class: `choose choose--${value}`, "aria-pressed": String(isChosen), onclick: () => pick(step, value) }, ...label);
const labelOf = (match, step, value) => {
  if (step === "dealer") return [badge(value), " ", make("span", {}, seatWord(value)), " ", make("small", {}, bdi(match.seats[value].name))];
  if (step === "winner" && value === "void") return [words.nobody];
  if (step === "winner") return [badge(value), make("span", {}, teamWord(value)), make("small", {}, ...namesOf(match, value))];
  if (step === "award") return [make("span", {}, words[`award-${value}`]), make("small", {}, meaning(match, value))];
  return [String(value)];
};

const drawEntry = (match) => {
  const rows = rowsOf(match);
  const stand = standOf(match, rows);
  const draft = entry.number === null ? { ...entry, number: stand.number, dealer: entry.dealer ?? stand.dealer } : entry;
  const steps = stepsOf(match, draft);
  part("entry-title").replaceChildren(...fill("entry", { number: draft.number }));
  part("entry-again").hidden = !entry.again;
  if (entry.again) part("entry-again").replaceChildren(...fill("again", { number: draft.number }));
  for (const [step, values] of Object.entries(steps)) {
    const field = part(`step="${step}"`);
    field.hidden = !values.length;
    part("choices", field).replaceChildren(
      ...values.map((value) => choice(step, value, draft[step] === value, labelOf(match, step, value))),
    );
  }
  const { sentences, canSave } = saysOf(match, draft);
  const said = sentences.length ? sentences.flatMap((nodes, place) => (place ? [" ", ...nodes] : nodes)) : [told].flat();
  const wrapper = make("span", {}, ...said);
  if (part("says").textContent !== wrapper.textContent) part("says").replaceChildren(wrapper);
  part("save").hidden = !canSave;
  part("undo").hidden = entry.number === null && !entry.asksDealer;
  part("other-dealer").hidden = !draft.dealer || entry.asksDealer;
};

const startOver = () => {
  entry = nothing();
  drawEntry(shownMatch());
};

const enterAgain = (row) => {
  const { mine, number, found, revision } = row;
  const isHere = mine?.state === "made";
  const again = isHere ? { instead: mine.id, base_revision: mine.base_revision } : { instead: null, base_revision: revision };
  entry = { ...nothing(), match: shownMatch().id, number, dealer: found.dealer, again };
  drawEntry(shownMatch());
  part('step="winner"').querySelector("button").focus();
};

let isSaving = false;
const save = async () => {
  const match = shownMatch();
  const { record } = saysOf(match, entry);
  if (!record || isSaving) return;
  isSaving = true;
  const { instead, base_revision } = entry.again ?? { instead: null, base_revision: null };
  try {
    const kept = await store.keep({
      link: link.uid, scoresheet: match.scoresheet, number: entry.number, base_revision, pcn: laws.toPcn(record), instead,
    });
    told = fill(kept ? "saved" : "went-out", { number: entry.number });
    entry = nothing();
    await refresh();
    part('step="winner"').querySelector("button")?.focus({ preventScroll: true });
    isSaving = false;
    await exchange();
  } catch (error) {
    trouble("not-saved", { error: error.message || error.name });
  } finally {
    isSaving = false;
  }
};

// -- what is shown -------------------------------------------------------------------------------------------------------

const trouble = (name, values) => {
  const box = part("trouble");
  box.hidden = !name;
  const said = name ? make("p", {}, ...fill(name, values)) : make("p");
  if (box.textContent !== said.textContent) box.replaceChildren(said);
};

const button = (word, onclick) => make("button", { type: "button", class: "button button--quiet", onclick }, words[word]);

const issueOf = (match, deal) => {
  const mine = make("p", {}, ...fill("mine", { text: brieflyOf(deal.pcn) }));
  if (deal.state === "made") return make("div", { class: "at__issue" }, mine, make("p", {}, words[deal.tries ? "state-sent" : "state-made"]));
  const says = make("p", {}, make("strong", {}, words[`state-${deal.state}`]));
  if (deal.state === "conflict") {
    const { pcn, revision } = deal.current;
    const send = async () => {
      await store.keep({
        link: link.uid, scoresheet: deal.scoresheet, number: deal.number, base_revision: revision, pcn: deal.pcn, instead: deal.id,
      });
      await refresh();
      await exchange();
    };
    return make(
      "div", { class: "at__issue" }, says, make("p", {}, ...fill("stands", { text: brieflyOf(pcn), revision })), mine,
      make("p", { class: "muted" }, words["settle-how"]),
      make("p", { class: "entry__buttons" }, button("settle-theirs", () => settle(deal, "settled")), match.state === "open" ? button("settle-mine", send) : []),
    );
  }
  const whys = deal.problems.map(({ message }) => make("li", {}, bdi(message)));
  return make(
    "div", { class: "at__issue" }, says, mine, make("ul", {}, whys),
    make("p", { class: "entry__buttons" }, button("try-again", () => settle(deal, "made")), button("not-this", () => settle(deal, "settled"))),
  );
};

const settle = async (deal, state) => {
  await store.settle(deal.id, state);
  await refresh();
  await exchange();
};

const rowItem = (match, row, isLast) => {
  const item = make("li", { "data-number": row.number });
  const head = make("div", { class: "at__deal" }, make("strong", {}, ...fill("deal", { number: row.number })));
  if (row.found) head.append(make("span", { class: "at__what" }, ...briefly(row.found)), make("span", { class: "muted" }, ...fill("dealt", { seat: seatWord(row.found.dealer) })));
  if (row.state) head.append(make("span", { class: `at__state at__state--${row.state}` }, ...fill(`state-${row.state}`, { revision: row.revision ?? "" })));
  const mayAgain = isLast && match.state === "open" && ["made", "recorded"].includes(row.state) && !row.issues.length;
  if (mayAgain) head.append(button("enter-again", () => enterAgain(row)));
  item.append(head, ...row.issues.map((deal) => issueOf(match, deal)));
  return item;
};

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

const drawMatch = (match) => {
  const rows = rowsOf(match);
  const stand = standOf(match, rows);
  const { number, dealer } = stand;
  drawSides(match, stand);
  const isOpen = match.state === "open";
  const caller = dealer && laws.callerOf(dealer);
  const turn = dealer
    ? fill("turn", { number, dealer: seatWord(dealer), name: match.seats[dealer].name, caller: seatWord(caller), other: match.seats[caller].name })
    : fill("turn-unknown", { number });
  const isFull = match.agreed?.kind === "deals" && rows.length >= match.agreed.amount;
  const agreed = match.agreed?.kind === "deals" ? [" ", ...fill(isFull ? "beyond" : "agreed", { amount: match.agreed.amount })] : [];
  part("turn").hidden = !isOpen;
  part("turn").replaceChildren(...turn, ...agreed);
  part("entry").hidden = !isOpen;
  part("closed").hidden = isOpen;
  part("closed").textContent = isOpen ? "" : words[`match-${match.state}`];
  part("no-deals").hidden = rows.length > 0;
  exchangeNodes(part("deals"), [...rows].reverse().map((row, place) => rowItem(match, row, place === 0)));
  if (isOpen) drawEntry(match);
};

/** Put these in the place of what there is; the focus stays where it was. */
const exchangeNodes = (parent, fresh) => {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const at = focused && { number: focused.closest("[data-number]")?.dataset.number, text: focused.textContent };
  parent.replaceChildren(...fresh);
  if (!at) return;
  const again = [...parent.querySelectorAll(`[data-number="${at.number}"] button`)].find((one) => one.textContent === at.text);
  again?.focus({ preventScroll: true });
};

const drawRounds = (match) => {
  const open = matches().filter(({ state }) => state === "open");
  const ordered = [...open, ...matches().filter((one) => !open.includes(one))];
  part("rounds").hidden = ordered.length < 2;
  const tab = (one) =>
    make("button", {
      type: "button", class: "at__tab", "aria-pressed": String(one.id === match.id),
      onclick: () => {
        chosen = one.id;
        entry = nothing();
        told = "";
        draw();
      },
    }, ...roundWord(one));
  const had = part("rounds").contains(document.activeElement);
  part("rounds").replaceChildren(...ordered.map(tab));
  if (had) part("rounds").querySelector("[aria-pressed=true]").focus({ preventScroll: true });
};

const unsettled = () => deals.filter(({ state }) => store.UNSETTLED.includes(state));

const drawNet = () => {
  const waiting = unsettled();
  const count = waiting.length;
  const going = waiting.some(({ state }) => state === "made");
  const isBusy = net === "busy" || net === "throttled";
  const name = net === "offline" ? net : isBusy ? "busy" : going ? "sending" : count ? "unsettled" : "ok";
  const said = make("span", {}, ...fill(`net-${name}`, { count }));
  const line = part("net");
  line.dataset.net = name;
  if (line.textContent !== said.textContent) line.replaceChildren(said);
  part("last").hidden = !count;
  const text = count ? laws.toPcnFile(waiting.map(toldRecord)) : "";
  if (part("last-text").value !== text) part("last-text").value = text;
};

/** A deal with what says which match it is of, so that it can be read anywhere. */
const toldRecord = (deal) => {
  const record = laws.readPcn(deal.pcn);
  const match = matches().find(({ scoresheet }) => scoresheet === deal.scoresheet);
  if (!match) return record;
  const names = (team) => `${match.seats[team[0]].name} & ${match.seats[team[1]].name}`;
  return { ...record, tags: { ...record.tags, Event: link.table.tournament.name, Round: String(match.round.number), Table: link.table.table, NS: names("NS"), EW: names("EW") } };
};

const draw = () => {
  part("at").hidden = false;
  const match = shownMatch();
  const { table } = link ?? {};
  if (table) {
    part("title").replaceChildren(...fill("table", { table: table.table }));
    part("where").replaceChildren(bdi(table.tournament.name), ...(match ? [" · ", ...roundWord(match)] : []));
  }
  part("match").hidden = !match;
  part("net").hidden = !link || link.revoked || net === "unknown-link" || (!table && !deals.length);
  drawNet();
  if (!link) return trouble("no-link");
  if (link.revoked) trouble("revoked", { count: unsettled().length });
  else if (net === "unknown-link") trouble("unknown-link");
  else if (!table && net === "offline") trouble("no-network-yet");
  else if (table && !match) trouble("no-match");
  else trouble(null);
  if (!match) return null;
  if (entry.match && entry.match !== match.id) entry = nothing();
  drawRounds(match);
  return drawMatch(match);
};

const refresh = async () => {
  const all = await store.allDeals();
  const sheets = new Set(matches().map(({ scoresheet }) => scoresheet));
  deals = link ? all.filter((one) => one.link === link.uid || sheets.has(one.scoresheet)) : [];
  draw();
};

// -- the network ---------------------------------------------------------------------------------------------------------

let running = null;
let notBefore = 0;
/** Send what is not sent and fetch what stands; what is asked for meanwhile is done after it. */
const exchange = async () => {
  if (!link || Date.now() < notBefore) return;
  while (running) await running;
  running = exchangeOnce();
  try {
    await running;
  } finally {
    running = null;
  }
};
const exchangeOnce = async () => {
  const mine = link;
  const sent = mine.revoked ? { how: "revoked" } : await store.send(mine);
  if (sent.wait) notBefore = Date.now() + 1000 * sent.wait;
  const seen = ["offline", "busy", "throttled"].includes(sent.how) ? { how: sent.how, link: mine } : await store.look(mine);
  if (link !== mine) return; // Another link was opened meanwhile.
  link = seen.link;
  net = seen.how;
  await refresh();
};

const begin = async () => {
  try {
    entry = nothing();
    [chosen, told, net] = [null, "", "ok"];
    link = await store.openLink(location.hash.slice(1));
    if (location.hash.length > 1 && !link) {
      draw();
      trouble("unknown-link");
      return;
    }
    await refresh();
    store.persist();
    await exchange();
  } catch (error) {
    part("at").hidden = false;
    trouble("no-storage", { error: error.message || error.name });
  }
};

const wake = () => document.visibilityState === "visible" && exchange();
part("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
part("entry").addEventListener("keydown", (event) => event.repeat && event.key !== "Tab" && event.preventDefault());
part("undo").addEventListener("click", () => {
  startOver();
  part('step="winner"').querySelector("button")?.focus();
});
part("other-dealer").addEventListener("click", () => {
  entry.asksDealer = true;
  drawEntry(shownMatch());
  part('step="dealer"').querySelector("button").focus();
});
part("copy").addEventListener("click", async () => {
  const text = part("last-text");
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    document.execCommand("copy"); // By plain http there is no other way.
  }
  part("last-says").textContent = words.copied;
});
part("file").addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob([part("last-text").value], { type: "text/vnd.courtpiece.pcn" }));
  const name = `table-${link.table?.table ?? "deals"}.pcn`;
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
});
addEventListener("hashchange", begin);
addEventListener("online", exchange);
addEventListener("offline", exchange);
addEventListener("pageshow", (event) => event.persisted && wake());
document.addEventListener("visibilitychange", wake);
store.onChange(refresh);
setInterval(wake, EVERY);
begin();
// By plain http there is no service worker: the page stays usable while it is open, and what it kept is there when it opens again.
navigator.serviceWorker?.register("/table/sw.js", { scope: "/table/", updateViaCache: "none" }).catch(() => {});
