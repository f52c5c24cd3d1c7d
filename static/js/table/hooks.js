// Where other topics of the page of a table add what is theirs. A topic is a script of its own in table.html, before table.js.

const listeners = new Map();
const hook = (name) => {
  listeners.set(name, []);
  return (listener) => listeners.get(name).push(listener);
};

/** Call every listener, and return what they gave; what one gets wrong does not stop a deal from being saved. */
export const call = (name, ...facts) =>
  listeners.get(name).flatMap((listener) => {
    try {
      return listener(...facts) ?? [];
    } catch (error) {
      globalThis.reportError?.(error);
      return [];
    }
  });

/** `listener(page)`: the page was drawn; `page` is that of page.js, `match` the one shown or null: `listener(page, match)`. */
export const onDraw = hook("draw");
/** `listener(match, row)` gives the nodes that follow a deal in the list, where it has any; `row` is one of rowsOf. */
export const onRow = hook("row");
/** `listener(match, deal)`: a deal is saved on this phone; `deal` is as table-store.js keeps it. */
export const onSaved = hook("saved");
/** `listener(match, pcn)`: the deal that is being entered by cards or tricks has changed; null: there is none any more. */
export const onPlaying = hook("playing");
/** `listener(box, waiting, text)`: the deals not recorded are shown as text in `box`; `waiting` are they, as they are kept. */
export const onLast = hook("last");
