// What a phone keeps of the games that were recorded on it: the games and their deals, in IndexedDB.
//
// A game is `{ id, rules, seats: { N: "…", … }, event, site, date, first_dealer, drawn, made_at, changed_at, away, kept }`. `kept` is null
// while the game is on this phone only, else what its site is known to have: `{ made, described, who, trouble }`.
// A deal is as table-store.js has one, with the game's id as `scoresheet`: `{ id, scoresheet, place, number, base_revision, pcn,
// reason, made_at, state, tries, revision, current, problems }`; one that was taken back has the state `replaced`.
// No game and no deal is ever deleted.
import { answerOf, databaseOf } from "../indexed-db.js";
import { UNSETTLED, newId } from "../table-store.js";

const NAME = "courtpiece-games";

const { within, tell, onChange } = databaseOf(NAME, (database) => {
  database.createObjectStore("games", { keyPath: "id" });
  database.createObjectStore("deals", { keyPath: "id" }).createIndex("game", ["scoresheet", "place"], { unique: true });
});
export { onChange };

const now = () => new Date().toISOString();
const dealsIn = (deals, game) => answerOf(deals.index("game").getAll(IDBKeyRange.bound([game, 0], [game, Infinity])));

// -- games ---------------------------------------------------------------------------------------------------------------

/** All games, the one that was changed last first. */
export const allGames = async () => {
  const games = await within(["games"], "readonly", (store) => answerOf(store.getAll()));
  return games.sort((one, other) => (one.changed_at < other.changed_at ? 1 : -1));
};

export const gameOf = (id) => within(["games"], "readonly", async (store) => (await answerOf(store.get(id))) ?? null);

/** Keep a new game; it is on the disk when this returns. Of one that is here already nothing is changed. */
export const keepGame = async (facts) => {
  const game = { id: newId(), event: "", site: "", date: "", drawn: false, ...facts, made_at: now(), changed_at: now(), away: false, kept: null };
  const kept = await within(["games"], "readwrite", async (store) => {
    const there = await answerOf(store.get(game.id));
    if (!there) await answerOf(store.add(game));
    return there ?? game;
  });
  tell();
  return kept;
};

/** Change a game by what `change(game)` returns, read and written at once. */
export const changeGame = async (id, change) => {
  const changed = await within(["games"], "readwrite", async (store) => {
    const game = await answerOf(store.get(id));
    const next = { ...game, ...change(game), id };
    await answerOf(store.put(next));
    return next;
  });
  tell();
  return changed;
};

// -- deals ---------------------------------------------------------------------------------------------------------------

/** All deals of a game, in the order in which they were made. */
export const dealsOf = (game) => within(["deals"], "readonly", (deals) => dealsIn(deals, game));

/**
 * Keep a deal; it is on the disk when this returns. `instead` is the id of a deal of this phone in whose place it stands;
 * null is returned where that was sent meanwhile, so that it may be recorded.
 */
export const keepDeal = async ({ instead = null, ...facts }) => {
  const kept = await within(["games", "deals"], "readwrite", async (games, deals) => {
    const old = instead && (await answerOf(deals.get(instead)));
    if (old?.state === "made" && old.tries) return null;
    const before = await dealsIn(deals, facts.scoresheet);
    const deal = {
      reason: "", base_revision: null, ...facts, id: newId(), place: (before.at(-1)?.place ?? 0) + 1, made_at: now(), state: "made", tries: 0,
      revision: null, current: null, problems: [],
    };
    await answerOf(deals.add(deal));
    if (old && UNSETTLED.includes(old.state)) await answerOf(deals.put({ ...old, state: "replaced" }));
    const game = await answerOf(games.get(facts.scoresheet));
    await answerOf(games.put({ ...game, changed_at: now() }));
    return deal;
  });
  tell();
  return kept;
};

/** Take a deal back that was never sent, or settle one that was not taken; whether it could be done. */
export const settleDeal = async (id, state) => {
  const done = await within(["deals"], "readwrite", async (deals) => {
    const deal = await answerOf(deals.get(id));
    const mayBack = state === "replaced" && deal?.state === "made" && !deal.tries;
    if (!mayBack && !["conflict", "rejected"].includes(deal?.state)) return false;
    await answerOf(deals.put({ ...deal, state }));
    return true;
  });
  tell();
  return done;
};

/** Note that the deals are about to be sent, and return those that still are to be. */
export const noteTries = (ids) =>
  within(["deals"], "readwrite", async (deals) => {
    const sent = [];
    for (const id of ids) {
      const deal = await answerOf(deals.get(id));
      if (deal?.state !== "made") continue;
      sent.push({ ...deal, tries: deal.tries + 1 });
      await answerOf(deals.put(sent.at(-1)));
    }
    return sent;
  });

/** What was refused as a whole was certainly not taken by this try; an earlier one may have been, and is not forgotten. */
export const noteRefusal = (ids) =>
  within(["deals"], "readwrite", async (deals) => {
    for (const id of ids) {
      const deal = await answerOf(deals.get(id));
      await answerOf(deals.put({ ...deal, tries: Math.max(deal.tries - 1, 0) }));
    }
  });

export const noteOutcomes = async (outcomes) => {
  await within(["deals"], "readwrite", async (deals) => {
    for (const { operation_id: id, outcome, revision, current, problems } of outcomes) {
      const deal = await answerOf(deals.get(id));
      if (!deal || deal.state === "recorded") continue;
      const taken = outcome === "created" || outcome === "duplicate";
      const state = taken ? "recorded" : outcome === "conflict" ? "conflict" : "rejected";
      await answerOf(deals.put({ ...deal, state, revision, current, problems }));
    }
  });
  tell();
};
