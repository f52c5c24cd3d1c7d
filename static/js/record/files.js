// A game as a file in PCN, to be kept anywhere and opened again: here, on another phone, or by the checker.
import * as laws from "../laws.js";
import { newId } from "../table-store.js";
import { rowsOf } from "../table/standing.js";
import * as store from "./store.js";

/** The tag by which a game that is opened again is known for the same. */
const ID = "Game";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the parts of the page that do not know where deals come from take for a match. */
export const matchOf = (game) => ({
  id: game.id,
  scoresheet: game.id,
  rules: game.rules,
  seats: Object.fromEntries(Object.entries(game.seats).map(([seat, name]) => [seat, { name }])),
  first_dealer: game.first_dealer,
  next_dealer: game.first_dealer,
  deals: [],
  ns: { courts: 0, run: 0 },
  ew: { courts: 0, run: 0 },
  state: "open",
  agreed: null,
});

/** The game's deals as a file. */
export const fileOf = (game, deals) => {
  const { event, site, date, seats } = game;
  const known = Object.entries({ Event: event, Site: site, Date: date }).filter(([, value]) => value);
  const names = { NS: `${seats.N} & ${seats.S}`, EW: `${seats.E} & ${seats.W}`, [ID]: game.id };
  const told = rowsOf(matchOf(game), deals).filter(({ mine }) => mine).map(({ mine }) => laws.readPcn(mine.pcn));
  return laws.toPcnFile(told.map((record) => ({ ...record, tags: { ...record.tags, ...Object.fromEntries(known), ...names } })));
};

const OF_THE_GAME = ["Event", "Site", "Date", "NS", "EW", ID];
const namesOf = (text) => {
  const names = (text ?? "").split(" & ");
  return names.length === 2 && names.every((name) => name.trim() && name !== "?") ? names : null;
};

/**
 * Keep the game that a file tells, and return it. One that is here already gets the deals that it lacks.
 * Throws an error whose `word` names what is wrong: `no-pcn`, `no-deal`, `no-names`, `two-games`; `line` says more.
 */
export const openFile = async (text) => {
  const bad = (word) => Object.assign(new Error(word), { word });
  let records;
  try {
    records = laws.readPcnFile(text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"));
  } catch {
    throw bad("no-pcn");
  }
  if (!records.length) throw bad("no-deal");
  const [{ tags }] = records;
  const isOther = (record) => ["NS", "EW", "Rules", ID].some((name) => record.tags[name] !== tags[name]);
  if (records.some(isOther) || new Set(records.map((record) => record.tags.Deal)).size < records.length) throw bad("two-games");
  const [ns, ew] = [namesOf(tags.NS), namesOf(tags.EW)];
  if (!ns || !ew) throw bad("no-names");
  if (records.some((record) => !laws.judge(record).found)) throw bad("no-pcn");
  const sorted = [...records].sort((one, other) => Number(one.tags.Deal) - Number(other.tags.Deal));
  const game = await store.keepGame({
    id: UUID.test(tags[ID] ?? "") ? tags[ID] : newId(),
    rules: laws.rulesText(laws.rulesOf(tags.Rules ?? "court-piece")),
    seats: { N: ns[0], S: ns[1], E: ew[0], W: ew[1] },
    event: tags.Event ?? "",
    site: tags.Site ?? "",
    date: tags.Date ?? "",
    first_dealer: sorted[0].tags.Dealer,
  });
  const there = new Set(rowsOf(matchOf(game), await store.dealsOf(game.id)).filter(({ mine }) => mine).map(({ number }) => number));
  for (const record of sorted) {
    const own = Object.entries(record.tags).filter(([name]) => !OF_THE_GAME.includes(name));
    const number = Number(record.tags.Deal);
    if (!there.has(number)) {
      await store.keepDeal({ scoresheet: game.id, number, pcn: laws.toPcn({ ...record, tags: Object.fromEntries(own) }) });
    }
  }
  return game;
};

/** Let the browser save a text as a file. */
export const saveFile = (text, name) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/vnd.courtpiece.pcn" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
