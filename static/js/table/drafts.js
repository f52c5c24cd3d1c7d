// Deals half entered: each change is kept on this phone, so that a browser that closes loses no card.
//
// A database of its own: what is in it is nobody's record, and may be thrown away with a new version of the page.
import { answerOf, databaseOf } from "../indexed-db.js";

const NAME = "courtpiece-drafts";
const VERSION = 1; // of what a draft is

const { within } = databaseOf(NAME, (database) => database.createObjectStore("drafts", { keyPath: "match" }));

let last = Promise.resolve();
/** One after the other, in the order asked for; a phone that can keep no draft still takes deals. */
const next = (work) => {
  last = last.then(() => within(["drafts"], "readwrite", work)).catch(() => null);
  return last;
};

/** The draft of a match, or null. */
export const draftOf = async (match) => {
  const kept = await next((drafts) => answerOf(drafts.get(match)));
  return kept?.version === VERSION ? kept.draft : null;
};

let waiting = null; // to be written when what is being written is done: of several changes the last
export const keepDraft = (match, draft) => {
  const value = { match, version: VERSION, draft };
  if (waiting?.value.match === match) waiting.value = value;
  else {
    const mine = { value };
    waiting = mine;
    next((drafts) => {
      if (waiting === mine) waiting = null;
      return answerOf(drafts.put(mine.value));
    });
  }
};
export const dropDraft = (match) => {
  waiting = null;
  return next((drafts) => answerOf(drafts.delete(match)));
};
