// What the page of a table knows now, for all of its parts.
import * as store from "../table-store.js";
import { rowsOf, standOf } from "./standing.js";

/**
 * `link` as table-store.js keeps it or null; `deals` of this phone at this table; `loose`: deals of this phone that found no room
 * in its storage, and `full` why; `net` how the last exchange went; `said` of the other pair's deals on this phone, and `holders`:
 * which pair holds it, by scoresheet.
 */
export const page = { link: null, deals: [], loose: [], full: null, net: "ok", chosen: null, said: [], holders: {} };

export const matches = () => page.link?.table?.matches ?? [];
/** The match that is shown: the one that somebody chose to see, else the one that is open, else the last. */
export const shownMatch = () =>
  matches().find(({ id }) => id === page.chosen) ?? matches().find(({ state }) => state === "open") ?? matches().at(-1) ?? null;
export const rowsHere = (match) => rowsOf(match, page.deals);
export const standHere = (match) => standOf(match, rowsHere(match));
export const unsettled = () => page.deals.filter(({ state }) => store.UNSETTLED.includes(state));
