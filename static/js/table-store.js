// What a phone at a table keeps: its links, what they showed last, and every deal made on it, until and after it is recorded.
//
// A deal is `{ id, link, place, scoresheet, number, base_revision, pcn, reason, made_at, state, tries, revision, current, problems }`.
// `id` is its operation id, `place` its number on this device, and `state` one of:
//   made      not recorded as far as is known: sent again, with the same id, until there is an answer
//   recorded  the server has it, at `revision`
//   conflict  another text is recorded: `current` has it
//   rejected  it cannot be taken as it stands: `problems` say why
//   settled   a person said that what is recorded stands
//   replaced  another of this phone's deals stands in its place
// No deal is ever deleted, whatever becomes of it: one that is missing was cleared away by the browser, and is put back.
//
// What is said of the other pair's deals is `{ id, scoresheet, deal, revision, side, verdict, pcn, state, why }`; `state` is
//   made      not known to the server: sent again, with the same id, until there is an answer
//   said      the server has it
//   refused   it was not taken: `why` says why, in words
//   settled   a person read that
import { answerOf, databaseOf } from "./indexed-db.js";

const NAME = "courtpiece-table";
const MOST_ITEMS = 10; // So few that a busy server answers before the phone gives up, and what is done is known to be done.
const TIMEOUT = 20_000;
export const UNSETTLED = Object.freeze(["made", "conflict", "rejected"]);

/** A UUID; crypto.randomUUID is not there for a page that came by plain http. */
export const newId = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return dashed(bytes);
};

const dashed = (bytes) => {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

/** The id of the link that a secret is of: its first half; null for what is no secret. */
export const linkOf = (secret) => {
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) return null;
  const text = atob(secret.replaceAll("-", "+").replaceAll("_", "/") + "=");
  return dashed([...text.slice(0, 16)].map((letter) => letter.charCodeAt(0)));
};

const { within, tell, onChange } = databaseOf(NAME, (database) => {
  database.createObjectStore("device", { keyPath: "name" });
  database.createObjectStore("links", { keyPath: "uid" });
  database.createObjectStore("deals", { keyPath: "id" }).createIndex("place", "place", { unique: true });
});
export { onChange };

// -- links ---------------------------------------------------------------------------------------------------------------

/**
 * The link of this secret, kept from now on if there is room; without a secret the one that was opened last. Null if there is none.
 * Which was last is counted: a clock can be wrong.
 */
export const openLink = async (secret) => {
  const known = await within(["links"], "readonly", (links) => answerOf(links.getAll()));
  const uid = secret ? linkOf(secret) : null;
  if (secret && !uid) return null;
  const newest = (links) => links.reduce((one, other) => (one && one.opened_at > other.opened_at ? one : other), null);
  // A code that opened nothing, spoilt or not ours, does not stand between a phone and the table that it is at.
  const last = newest(known.filter(({ table }) => table)) ?? newest(known);
  const link = secret ? (known.find((one) => one.uid === uid) ?? { uid, table: null, etag: null, revoked: false }) : last;
  return link && changeLink(link, { secret: secret || link.secret, opened_at: (newest(known)?.opened_at ?? 0) + 1 });
};

/** Change a link; where there is no room for it, for this page alone. */
const changeLink = async (link, facts) => {
  try {
    return await within(["links"], "readwrite", async (links) => {
      const changed = { ...link, ...(await answerOf(links.get(link.uid))), ...facts };
      await answerOf(links.put(changed));
      return changed;
    });
  } catch {
    return { ...link, ...facts };
  }
};

/** Ask the browser not to clear what is kept here; whether it will not. */
export const persist = async () => {
  try {
    return (await navigator.storage?.persist?.()) ?? false;
  } catch {
    return false;
  }
};

// -- who holds this phone, and what was said on it of the other pair's deals ------------------------------------------------

const HOLDERS = "holders";
const SAID = "said";
const noted = async (device, name, empty) => (await answerOf(device.get(name)))?.of ?? empty;
const changeNoted = async (name, empty, change) => {
  await within(["device"], "readwrite", async (device) => {
    const of = change(await noted(device, name, empty));
    await answerOf(device.put({ name, of }));
  });
  tell();
};

/** Who holds this phone, by scoresheet: NS, EW or table; nothing where nobody said so yet. */
export const holders = () => within(["device"], "readonly", (device) => noted(device, HOLDERS, {}));
export const hold = (scoresheet, holder) => changeNoted(HOLDERS, {}, (of) => ({ ...of, [scoresheet]: holder }));

/** All that was said on this phone of deals, the oldest first. */
export const allSaid = () => within(["device"], "readonly", (device) => noted(device, SAID, []));
/** Keep what somebody says of a deal; it is on the disk when this returns. */
export const say = (facts) => changeNoted(SAID, [], (all) => [...all, { pcn: "", ...facts, id: newId(), state: "made", why: null }]);
export const noteSaid = (id, facts) => changeNoted(SAID, [], (all) => all.map((one) => (one.id === id ? { ...one, ...facts } : one)));

// -- deals ---------------------------------------------------------------------------------------------------------------

/** All deals of this device, in the order in which they were made. */
export const allDeals = () => within(["deals"], "readonly", (deals) => answerOf(deals.index("place").getAll()));

const deviceOf = async (device) => (await answerOf(device.get("device"))) ?? { name: "device", id: newId(), made: 0 };

const newDeal = (facts, place) => ({
  reason: "", ...facts, id: newId(), place, made_at: new Date().toISOString(), state: "made", tries: 0,
  revision: null, current: null, problems: [],
});

/** A deal for which there is no room: it is nowhere but in what this returns. */
export const looseDeal = (facts) => newDeal(facts, null);

/** Keep deals that are not here any more, or found no room, and the link of the page: as they are, all or none. */
export const putBack = async (lost, link) => {
  await within(["device", "deals", "links"], "readwrite", async (device, deals, links) => {
    if (link && !(await answerOf(links.get(link.uid)))) await answerOf(links.put(link));
    const mine = await deviceOf(device);
    let made = Math.max(mine.made, ...lost.map(({ place }) => place ?? 0));
    for (const deal of lost) {
      if (await answerOf(deals.get(deal.id))) continue; // Another page was quicker.
      const isTaken = deal.place === null || (await answerOf(deals.index("place").get(deal.place)));
      if (isTaken) made += 1;
      await answerOf(deals.add({ ...deal, place: isTaken ? made : deal.place }));
    }
    await answerOf(device.put({ ...mine, made }));
  });
  tell();
};

/**
 * Keep a deal; it is on the disk when this returns.
 * @param facts `{ link, scoresheet, number, base_revision, pcn, reason, instead }`: `instead` is the id of a deal in whose
 *   place it stands. Null is returned where that was sent meanwhile, so that it may be recorded.
 */
export const keep = async ({ instead = null, ...facts }) => {
  const kept = await within(["device", "deals"], "readwrite", async (device, deals) => {
    const old = instead && (await answerOf(deals.get(instead)));
    if (old?.state === "made" && old.tries) return null;
    const mine = await deviceOf(device);
    const deal = newDeal(facts, mine.made + 1);
    await answerOf(device.put({ ...mine, made: deal.place }));
    await answerOf(deals.add(deal));
    if (old && UNSETTLED.includes(old.state)) await answerOf(deals.put({ ...old, state: "replaced" }));
    return deal;
  });
  tell();
  return kept;
};

/**
 * Take over deals that another device made, with the ids that it gave them: `{ id, scoresheet, number, base_revision, pcn, reason }`,
 * and `device` and `side`, which and whose it was, where that is known.
 * What is here already stays as it is. It may be recorded before it is sent from here, so none is known to be unsent.
 * @returns how many are new here.
 */
export const takeIn = async (link, handed) => {
  const count = await within(["device", "deals"], "readwrite", async (device, deals) => {
    const mine = await deviceOf(device);
    let { made } = mine;
    for (const { id, scoresheet, number, base_revision, pcn, reason, device: by = null, side = null } of handed) {
      if (await answerOf(deals.get(id))) continue;
      made += 1;
      const facts = { id, link, scoresheet, number, base_revision, pcn, reason, device: by, side, place: made, made_at: new Date().toISOString() };
      await answerOf(deals.add({ ...facts, state: "made", tries: 1, revision: null, current: null, problems: [] }));
    }
    await answerOf(device.put({ ...mine, made }));
    return made - mine.made;
  });
  tell();
  return count;
};

/** A person says what is to become of a deal that was not taken: `settled` as recorded, or `made` to send it again. */
export const settle = async (id, state) => {
  await within(["deals"], "readwrite", async (deals) => {
    const deal = await answerOf(deals.get(id));
    if (["conflict", "rejected"].includes(deal?.state)) await answerOf(deals.put({ ...deal, state }));
  });
  tell();
};

const noteTries = (ids) =>
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
const noteRefusal = (ids) =>
  within(["deals"], "readwrite", async (deals) => {
    for (const id of ids) {
      const deal = await answerOf(deals.get(id));
      await answerOf(deals.put({ ...deal, tries: Math.max(deal.tries - 1, 0) }));
    }
  });

const noteOutcomes = (outcomes) =>
  within(["deals"], "readwrite", async (deals) => {
    for (const one of outcomes) {
      const deal = await answerOf(deals.get(one.operation_id));
      if (!deal || deal.state === "recorded") continue;
      await answerOf(deals.put({ ...deal, ...becameOf(one) }));
    }
  });

const becameOf = ({ outcome, revision, current, problems }) => {
  const taken = outcome === "created" || outcome === "duplicate";
  return { state: taken ? "recorded" : outcome === "conflict" ? "conflict" : "rejected", revision, current, problems };
};

// -- the network ---------------------------------------------------------------------------------------------------------

/**
 * What an exchange with the server came to: ok, same, offline, busy, throttled, refused (what was sent as a whole; `why` says it),
 * revoked, expired, unknown-link, or stray: something else answered, as a Wi-Fi does that asks to sign in. `wait` are seconds.
 */
const came = (how, facts = {}) => ({ how, ...facts });
const REFUSED = [400, 413, 415, 422];

const exchange = async (link, address, options = {}) => {
  if (navigator.onLine === false) return came("offline");
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang || "en", Authorization: `Table ${link.secret}`, ...options.headers };
  let answer;
  try {
    const signal = AbortSignal.timeout?.(TIMEOUT);
    answer = await fetch(address, { ...options, headers, credentials: "omit", cache: "no-store", signal });
  } catch {
    return came("offline");
  }
  if (answer.status === 304) return came("same");
  const wait = Number(answer.headers.get("Retry-After")) || 0;
  if (answer.status === 429 || answer.status >= 500) return came(answer.status === 429 ? "throttled" : "busy", { wait });
  const body = await answer.json().catch(() => null);
  if (body === null || typeof body !== "object") return came("stray");
  if (answer.ok) return came("ok", { body, etag: answer.headers.get("ETag") });
  if ([...REFUSED, ...(options.refusals ?? [])].includes(answer.status)) {
    return came("refused", { why: body.detail ?? body.title ?? String(answer.status), type: body.type });
  }
  if (answer.status !== 401) return came("busy");
  const isRevoked = body.type === "urn:courtpiece:link-revoked";
  if (isRevoked) await changeLink(link, { revoked: true });
  return came(isRevoked ? "revoked" : "unknown-link");
};

let withoutRoom = null;
/** Who this device is: its id, made once. */
export const device = async () => {
  try {
    return await within(["device"], "readwrite", async (store) => {
      const mine = await deviceOf(store);
      await answerOf(store.put(mine));
      return mine.id;
    });
  } catch {
    return (withoutRoom ??= newId());
  }
};

/** Fetch the table, and keep it for when there is no network; `loose` are unsent deals that found no room. */
export const look = async (link, loose = []) => {
  const unsent = (await unsettledAt(link)).length + loose.length;
  const query = new URLSearchParams({ device: await device(), unsent });
  const fresh = await exchange(link, `/api/v1/table?${query}`, link.etag ? { headers: { "If-None-Match": link.etag } } : {});
  if (fresh.how === "same") return came("ok", { link: link.revoked ? await changeLink(link, { revoked: false }) : link });
  if (fresh.how === "ok" && !Array.isArray(fresh.body.matches)) return came("stray", { link });
  if (fresh.how !== "ok") return { ...fresh, link: { ...link, revoked: link.revoked || fresh.how === "revoked" } };
  return came("ok", { link: await changeLink(link, { table: fresh.body, etag: fresh.etag, revoked: false }) });
};

/** The deals of a link's table that no server is known to have, by whichever link they were made. */
export const unsettledAt = async (link) => {
  const sheets = new Set((link.table?.matches ?? []).map(({ scoresheet }) => scoresheet));
  const all = await allDeals();
  return all.filter((one) => UNSETTLED.includes(one.state) && (one.link === link.uid || sheets.has(one.scoresheet)));
};

/** Send what is not sent, in order, and last what found no room. A page of the same device that does so already is left to it. */
export const send = (link, loose = []) =>
  navigator.locks
    ? navigator.locks.request(NAME, { ifAvailable: true }, (lock) => (lock ? sendAll(link, loose) : came("ok")))
    : sendAll(link, loose);

/** Post deals; what became of each is in `outcomes`, where all were answered. */
const post = async (link, deals, unsent) => {
  const held = await holders().catch(() => ({}));
  const items = deals.map(({ id, scoresheet, base_revision, pcn, reason, device: by = null, side }) => ({
    operation_id: id, scoresheet, base_revision, pcn, reason, side: side === undefined ? (held[scoresheet] ?? null) : side, device: by,
  }));
  const body = JSON.stringify({ device: await device(), unsent, items });
  const answer = await exchange(link, "/api/v1/sync", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (answer.how !== "ok") return answer;
  const { outcomes } = answer.body;
  const isWhole = Array.isArray(outcomes) && deals.every(({ id }) => outcomes.some((one) => one?.operation_id === id));
  return isWhole ? came("ok", { outcomes }) : came("stray");
};

const isRejectedFor = (...codes) => ({ outcome, problems }) => outcome === "rejected" && problems.some(({ code }) => codes.includes(code));
const isRevoked = isRejectedFor("link-revoked");
/** A deal that is not taken for the link's sake: it goes by the next one, or when this one is extended. */
const isCut = isRejectedFor("link-revoked", "link-expired");
const isOver = (link) => link.table?.takes_deals === false;
const refusedOne = ({ id }, why) => ({ operation_id: id, outcome: "rejected", revision: null, current: null, problems: [{ code: "refused", message: why }] });

const sendAll = async (link, loose) => {
  const last = await sendKept(link, loose.length);
  return last.how === "ok" && loose.length ? sendLoose(link, loose) : last;
};

const sendKept = async (link, others) => {
  let most = MOST_ITEMS;
  for (;;) {
    const unsettled = await unsettledAt(link);
    const made = unsettled.filter(({ state }) => state === "made").slice(0, most);
    if (!made.length) return came("ok");
    if (navigator.onLine === false) return came("offline");
    if (isOver(link)) return came("expired"); // Until a look shows that a director extended it.
    const sent = await noteTries(made.map(({ id }) => id)).catch(() => made);
    if (!sent.length) continue;
    let last = await post(link, sent, unsettled.length + others);
    if (["revoked", "unknown-link", "throttled", "refused"].includes(last.how)) await noteRefusal(sent.map(({ id }) => id)).catch(() => null);
    if (last.how === "refused" && sent.length > 1) {
      most = 1; // One of them is why: the others go by themselves.
      continue;
    }
    if (last.how === "refused") last = came("ok", { outcomes: [refusedOne(sent[0], last.why)] });
    if (last.how !== "ok") return last;
    const cut = last.outcomes.filter(isCut);
    try {
      await noteOutcomes(last.outcomes.filter((one) => !isCut(one)));
      await noteRefusal(cut.map(({ operation_id: id }) => id));
    } catch {
      return came("ok"); // There is no room to put it down: it is asked for again, with the same ids.
    }
    tell();
    if (!cut.length) continue;
    if (!cut.some(isRevoked)) return came("expired");
    await changeLink(link, { revoked: true });
    return came("revoked");
  }
};

/** Send deals that found no room, and put down on themselves what became of them. */
const sendLoose = async (link, loose) => {
  const deals = loose.filter(({ state }) => state === "made");
  if (!deals.length) return came("ok");
  if (isOver(link)) return came("expired");
  const last = await post(link, deals, loose.length);
  for (const one of last.outcomes ?? []) {
    const deal = deals.find(({ id }) => id === one.operation_id);
    if (deal && !isCut(one)) Object.assign(deal, becameOf(one));
  }
  return last.how === "ok" && last.outcomes.some(isRevoked) ? came("revoked") : last;
};

/** Send what was said of deals at the link's table, in order; what cannot be sent now waits. */
export const sendSaid = async (link) => {
  const sheets = new Set((link.table?.matches ?? []).map(({ scoresheet }) => scoresheet));
  const waiting = (await allSaid()).filter(({ state, scoresheet }) => state === "made" && sheets.has(scoresheet));
  for (const { id, scoresheet, deal, revision, side, verdict, pcn } of waiting) {
    const body = JSON.stringify({ operation_id: id, device: await device(), side, scoresheet, deal, revision, verdict, pcn });
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body, refusals: [404, 409] };
    const answer = await exchange(link, "/api/v1/table/confirmations", options);
    if (answer.how === "ok") await noteSaid(id, { state: "said" });
    else if (answer.how !== "refused" || answer.type === "urn:courtpiece:link-expired") return answer;
    else await noteSaid(id, { state: "refused", why: answer.why });
  }
  return came("ok");
};
