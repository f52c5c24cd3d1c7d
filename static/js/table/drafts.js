// Deals half entered: each change is kept on this phone, so that a browser that closes loses no card.
//
// A database of its own: what is in it is nobody's record, and may be thrown away with a new version of the page.
const NAME = "courtpiece-drafts";
const VERSION = 1; // of what a draft is

const answerOf = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
const open = async () => {
  const request = indexedDB.open(NAME, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore("drafts", { keyPath: "match" }));
  return answerOf(request);
};

let opening = null;
let last = Promise.resolve();
/** One after the other, in the order asked for; a phone that can keep no draft still takes deals. */
const next = (work) => {
  const done = last.then(async () => {
    opening ??= open();
    return work((await opening).transaction("drafts", "readwrite").objectStore("drafts"));
  });
  last = done.catch(() => (opening = null));
  return done.catch(() => null);
};

/** The draft of a match, or null. */
export const draftOf = async (match) => {
  const kept = await next((drafts) => answerOf(drafts.get(match)));
  return kept?.version === VERSION ? kept.draft : null;
};
export const keepDraft = (match, draft) => next((drafts) => answerOf(drafts.put({ match, version: VERSION, draft })));
export const dropDraft = (match) => next((drafts) => answerOf(drafts.delete(match)));
