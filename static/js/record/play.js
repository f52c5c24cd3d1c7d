// A game while it is played: its score, its deals, and where it is kept.
import * as laws from "../laws.js";
import { UNSETTLED, newId } from "../table-store.js";
import { openEntry } from "../table/entry.js";
import { wirePaste } from "../table/paste.js";
import { rowsOf, standOf } from "../table/standing.js";
import { WAYS } from "../table/ways.js";
import { badge, bdi, briefly, brieflyOf, button, exchangeNodes, fill, make, part, say, seatWord, words } from "../table/words.js";
import { factsIn, namesIn, rulesLabel, whyNotNames } from "./begin.js";
import { fileOf, matchOf, saveFile } from "./files.js";
import { send } from "./send.js";
import * as store from "./store.js";

const page = { game: null, deals: [], net: "ok" };
let fails = () => null;

const match = () => (page.game ? matchOf(page.game) : null);
const unsettled = () => page.deals.filter(({ state }) => UNSETTLED.includes(state));

// -- deals -----------------------------------------------------------------------------------------------------------------

const keep = async ({ match: { id }, number, pcn, again }) => {
  const kept = await store.keepDeal({ scoresheet: id, number, pcn, ...again });
  await refresh();
  exchange();
  return fill(kept ? "saved" : "went-out", { number });
};

const entry = openEntry(part("entry"), {
  top: part("turn"),
  ways: WAYS,
  match,
  rows: (shown) => rowsOf(shown, page.deals),
  keep,
  fails: (error) => fails("game-not-saved", error),
});
wirePaste(part("entry"), entry, match);

const enterAgain = (row) => {
  const { mine, revision } = row;
  const isHere = ["made", "rejected"].includes(mine?.state);
  entry.again(row, isHere ? { instead: mine.id, base_revision: mine.base_revision } : { base_revision: revision });
  part("entry").scrollIntoView({ block: "start" });
};
const takeBack = async ({ mine, number }) => {
  const done = await store.settleDeal(mine.id, "replaced");
  entry.startOver();
  await refresh();
  say(part("says"), ...fill(done ? "taken-back" : "went-out", { number }));
};
const settle = async (deal, state) => {
  await store.settleDeal(deal.id, state);
  await refresh();
  await exchange();
};

const issueOf = (deal) => {
  const mine = make("p", {}, ...fill("mine", { text: brieflyOf(deal.pcn) }));
  const said = make("p", {}, make("strong", {}, words[`state-${deal.state}`] ?? words["state-made"]));
  if (deal.state === "conflict") {
    const { pcn, revision } = deal.current;
    const again = () => keep({ match: match(), number: deal.number, pcn: deal.pcn, again: { base_revision: revision, instead: deal.id } });
    const buttons = [button("settle-theirs", () => settle(deal, "settled")), button("settle-mine", again)];
    return make("div", { class: "at__issue" }, said, make("p", {}, ...fill("stands", { text: brieflyOf(pcn), revision })), mine, make("p", { class: "entry__buttons" }, ...buttons));
  }
  const whys = deal.problems.map(({ message }) => make("li", {}, bdi(message)));
  const buttons = deal.state === "rejected" ? [button("try-again", () => settle(deal, "made")), button("not-this", () => settle(deal, "settled"))] : [];
  return make("div", { class: "at__issue" }, said, mine, make("ul", {}, ...whys), make("p", { class: "entry__buttons" }, ...buttons));
};

const rowItem = (row, isLast) => {
  const head = make("div", { class: "at__deal" }, make("strong", {}, ...fill("deal", { number: row.number })));
  if (row.found) head.append(make("span", { class: "at__what" }, ...briefly(row.found)), make("span", { class: "muted" }, ...fill("dealt", { seat: seatWord(row.found.dealer) })));
  if (row.state && page.game.kept) head.append(make("span", { class: `at__state at__state--${row.state}` }, ...fill(`state-${row.state}`, { revision: row.revision ?? "" })));
  const again = () => make("button", { type: "button", class: isLast ? "button button--quiet" : "link", onclick: () => enterAgain(row) }, words["enter-again"]);
  if (row.found && !row.issues.length) head.append(again());
  if (isLast && row.mine?.state === "made" && !row.mine.tries && row.mine.base_revision === null) head.append(button("take-back", () => takeBack(row)));
  return make("li", { "data-number": row.number }, head, ...row.issues.map(issueOf));
};

// -- what is shown -------------------------------------------------------------------------------------------------------

const drawSides = (shown, stand) => {
  const line = (team) => {
    const names = [...team].map((seat) => make("span", { class: "at__name" }, badge(seat), make("span", { class: "sr" }, seatWord(seat)), " ", bdi(shown.seats[seat].name)));
    return make("tr", {}, make("th", { scope: "row" }, ...names), make("td", {}, String(stand.courts[team])), make("td", {}, String(stand.runs[team])));
  };
  part("sides").replaceChildren(...laws.TEAMS.map(line));
};

const drawTurn = (shown, { number, dealer }) => {
  const caller = laws.callerOf(dealer);
  part("turn").replaceChildren(...fill("turn", { number, dealer: seatWord(dealer), name: shown.seats[dealer].name, caller: seatWord(caller), other: shown.seats[caller].name }));
};

const pairWords = ({ seats: { N, S, E, W } }) =>
  fill("against", { ns: make("bdi", {}, ...fill("and", { first: N, second: S })), ew: make("bdi", {}, ...fill("and", { first: E, second: W })) });

const netName = () => {
  const { game, net } = page;
  if (!game.kept) return "here";
  if (net !== "ok") return net;
  const waiting = unsettled();
  return waiting.some(({ state }) => state === "made") || !game.kept.made ? "sending" : waiting.length ? "unsettled" : "ok";
};

const drawNet = () => {
  const name = netName();
  const line = part("net");
  line.dataset.net = { here: "here", ok: "ok", sending: "sending", given: "unsettled", taken: "unsettled", refused: "unsettled" }[name] ?? name;
  say(line, ...fill(`game-${name}`, { count: unsettled().length, why: page.game.kept?.trouble ?? "" }));
  drawKeep(name);
};

const link = (word, href) => make("a", { class: "button button--quiet", href }, words[word]);
const drawKeep = (name) => {
  const { game } = page;
  const buttons = [];
  if (!game.kept) buttons.push(make("button", { type: "button", class: "button", onclick: keepOnSite }, words["keep-it"]));
  if (name === "signed-out") buttons.push(make("a", { class: "button", href: `/accounts/login/?next=${encodeURIComponent(`/record/#${game.id}`)}` }, words["sign-in"]));
  if (name === "taken") buttons.push(make("button", { type: "button", class: "button", onclick: keepAsOwn }, words["keep-own"]));
  if (game.kept?.made) buttons.push(link("see-it", `/scoresheets/${game.id}/`), ...(name === "given" ? [] : [link("share-it", `/games/${game.id}/`)]));
  const says = game.kept?.made && name !== "taken" ? (name === "given" ? [words["game-given"]] : fill("kept-by", { who: game.kept.who })) : name === "taken" ? [words["game-taken"]] : [words["keep-why"]];
  say(part("keep-says"), ...says);
  const box = part("keep-buttons");
  if (box.textContent !== buttons.map((one) => one.textContent).join("")) box.replaceChildren(...buttons);
};

const drawFacts = () => {
  const form = part("facts-form");
  part("put-away").textContent = words[page.game.away ? "take-out" : "put-away"];
  if (form.contains(document.activeElement)) return;
  for (const [seat, name] of Object.entries(page.game.seats)) part(`name="${seat}"`, form).value = name;
  for (const name of ["event", "site"]) part(`fact="${name}"`, form).value = page.game[name];
  part('fact="date"', form).value = /^\d{4}\.\d\d\.\d\d$/.test(page.game.date) ? page.game.date.replaceAll(".", "-") : "";
};

const draw = () => {
  const { game, deals } = page;
  const shown = match();
  const rows = rowsOf(shown, deals);
  const stand = standOf(shown, rows);
  part("title").replaceChildren(...(game.event ? [bdi(game.event)] : pairWords(game)));
  const marks = [rulesLabel(game.rules), game.date ? [make("bdi", { dir: "ltr" }, game.date)] : null, game.site ? [bdi(game.site)] : null].filter(Boolean);
  part("where").replaceChildren(...marks.flatMap((nodes, place) => (place ? [" · ", ...nodes] : nodes)));
  drawSides(shown, stand);
  drawTurn(shown, stand);
  part("entry").hidden = false;
  entry.draw();
  part("no-deals").hidden = rows.length > 0;
  exchangeNodes(part("deals"), [...rows].reverse().map((row, place) => rowItem(row, place === 0)));
  drawNet();
  drawFacts();
};

// -- kept and sent -------------------------------------------------------------------------------------------------------

/** Read again what this phone keeps of the game that is shown, and draw it. */
export const refresh = async () => {
  if (!page.game) return;
  const { id } = page.game;
  const [game, deals] = await Promise.all([store.gameOf(id), store.dealsOf(id)]);
  if (page.game?.id !== id || !game) return;
  Object.assign(page, { game, deals });
  draw();
};

/** Send what is not sent of the game that is shown, if it is kept on the site. */
export const exchange = async () => {
  const { game } = page;
  if (!game?.kept) return;
  const net = await send(game.id);
  if (page.game?.id !== game.id) return;
  page.net = net;
  await refresh();
};

const keepOnSite = async () => {
  await store.changeGame(page.game.id, ({ kept }) => ({ kept: kept ?? { made: false, described: false, who: "", trouble: "" } }));
  await refresh();
  await exchange();
};

/** On the site the game is another's: go on with a copy, which is one's own. */
const keepAsOwn = async () => {
  const { seats, rules, event, site, date, first_dealer, drawn, id } = page.game;
  const told = rowsOf(match(), page.deals).filter(({ mine }) => mine);
  const own = await store.keepGame({ id: newId(), seats, rules, event, site, date, first_dealer, drawn });
  for (const { mine } of told) await store.keepDeal({ scoresheet: own.id, number: mine.number, pcn: mine.pcn });
  await store.changeGame(own.id, () => ({ kept: { made: false, described: false, who: "", trouble: "" } }));
  await store.changeGame(id, () => ({ away: true }));
  location.hash = own.id;
};

const wireFacts = (form) => {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const seats = namesIn(form);
    const why = whyNotNames(seats);
    say(part("wrong", form), ...(why ?? []));
    if (why) return;
    const facts = factsIn(form);
    try {
      await store.changeGame(page.game.id, () => ({ seats, ...facts }));
      document.activeElement?.blur();
      say(part("wrong", form), words["facts-kept"]);
      await refresh();
      await exchange();
    } catch (error) {
      fails("game-not-saved", error);
    }
  });
  part("put-away", form).addEventListener("click", async () => {
    await store.changeGame(page.game.id, ({ away }) => ({ away: !away }));
    await refresh();
  });
};

/** Let the game's page do what it says; `failing(word, error)` tells what went wrong. */
export const wirePlay = (failing) => {
  fails = failing;
  wireFacts(part("facts-form"));
  wirePaste(part("entry"), entry, match);
  part("save-file").addEventListener("click", () => saveFile(fileOf(page.game, page.deals), `game-${page.game.date || page.game.made_at.slice(0, 10)}.pcn`));
  part("copy-text").addEventListener("click", async () => {
    const text = fileOf(page.game, page.deals);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = make("textarea", { readonly: true, class: "sr" }); // By plain http there is no other way.
      box.value = text;
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
    say(part("file-says"), words.copied);
  });
};

/** Show a game; null: none is shown any more. */
export const showGame = async (game) => {
  const isOther = page.game?.id !== game?.id;
  Object.assign(page, { game, deals: game ? await store.dealsOf(game.id) : [], net: "ok" });
  if (!game) return;
  if (isOther) {
    entry.leave();
    say(part("file-says"));
    say(part("wrong", part("facts-form")));
    part("facts").open = false;
  }
  draw();
  await exchange();
};
