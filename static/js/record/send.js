// A game goes to its site: first the game, then its deals, all with ids that were made on the phone, so that a lost answer or
// a second sending doubles nothing. Nothing is sent of a game that nobody asked to keep there.
import { UNSETTLED } from "../table-store.js";
import * as store from "./store.js";

const MOST_ITEMS = 10; // As at a table: so few that a busy server answers in time.
const TIMEOUT = 20_000;
const SHEETS = "/api/v1/scoresheets/";

/** Who is signed in here: `{ name, csrf }`, `name` null for nobody; null without a network. */
export const account = async () => {
  if (navigator.onLine === false) return null;
  try {
    const answer = await fetch("/record/account", { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout?.(TIMEOUT) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
};

const ask = async ({ csrf }, method, address, body) => {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrf };
  const signal = AbortSignal.timeout?.(TIMEOUT);
  try {
    const answer = await fetch(address, { method, headers, body: JSON.stringify(body), credentials: "same-origin", cache: "no-store", signal });
    const isJson = /json/.test(answer.headers.get("Content-Type") ?? "");
    return { status: answer.status, body: isJson ? await answer.json() : null };
  } catch {
    return { status: 0, body: null };
  }
};

const isAway = ({ status }) => status === 0 || status === 429 || status >= 500;
const factsOf = ({ seats, event, site, date }) => ({ seats, event, site, date });
const whyOf = ({ body }) => {
  const errors = body?.errors ? Object.values(body.errors).flatMap((one) => (Array.isArray(one) ? one : Object.values(one).flat())) : [];
  return errors[0] ?? body?.detail ?? "";
};
const note = (game, facts) => store.changeGame(game.id, ({ kept }) => ({ kept: { ...kept, ...facts } }));

/**
 * Send what is not sent of a game that is to be kept on the site, and return how it went: `ok`, `offline`, `busy`, `signed-out`,
 * `taken` (the id is another's), `given` (a club has it) or `refused`, which `trouble` of what is kept explains.
 */
export const send = (id) => {
  const once = () => sendOnce(id);
  return navigator.locks ? navigator.locks.request(`courtpiece-game-${id}`, once) : once();
};

const sendOnce = async (id) => {
  const who = await account();
  if (!who) return "offline";
  if (!who.name) return "signed-out";
  let game = await store.gameOf(id);
  if (!game.kept.made) {
    const answer = await ask(who, "POST", SHEETS, { id, rules: game.rules, ...factsOf(game) });
    if (isAway(answer)) return answer.status ? "busy" : "offline";
    if (answer.status === 409) return "taken";
    if (answer.status !== 201 && answer.status !== 200) return refused(game, answer);
    game = await note(game, { made: true, described: answer.status === 201 && JSON.stringify(factsOf(game)), who: who.name, trouble: "" });
  }
  if (game.kept.described !== JSON.stringify(factsOf(game))) {
    const answer = await ask(who, "PUT", `${SHEETS}${id}/facts`, factsOf(game));
    if (isAway(answer)) return answer.status ? "busy" : "offline";
    if (answer.status === 404) return "given";
    if (answer.status !== 200) return refused(game, answer);
    game = await note(game, { described: JSON.stringify(factsOf(game)), trouble: "" });
  }
  return sendDeals(game, who);
};

const refused = async (game, answer) => {
  await note(game, { trouble: whyOf(answer) });
  return "refused";
};

const sendDeals = async (game, who) => {
  for (;;) {
    const deals = await store.dealsOf(game.id);
    const ids = deals.filter(({ state }) => state === "made").map((deal) => deal.id);
    if (!ids.length) return "ok";
    const sent = await store.noteTries(ids.slice(0, MOST_ITEMS));
    const items = sent.map(({ id, scoresheet, base_revision, pcn, reason }) => ({ operation_id: id, scoresheet, base_revision, pcn, reason }));
    const unsent = deals.filter(({ state }) => UNSETTLED.includes(state)).length;
    const answer = await ask(who, "POST", "/api/v1/sync", { device: game.id, unsent, items });
    if (answer.status === 0) return "offline";
    if (answer.status !== 200) {
      if (answer.status < 500) await store.noteRefusal(sent.map(({ id }) => id));
      return [401, 403].includes(answer.status) ? "signed-out" : "busy";
    }
    await store.noteOutcomes(answer.body.outcomes);
  }
};
