// Deals that leave a phone without a network, as a file or as QR codes, and come in on another machine.
//
// A file is PCN, in the export form. Beside what says which match a deal is of, each record has tags of its own, which every
// reader of PCN keeps: the id of its operation, so that it is recorded once whichever way it comes, its scoresheet, the
// revision that it was made on, which phone of which side made it where the other side is to confirm, and which tags were added. Without all of these it is the deal's text again.
import * as laws from "../laws.js";
import { bytesIn } from "../qr.js";

const OPERATION = "PhoneOperation";
const SCORESHEET = "PhoneScoresheet";
const BASE = "PhoneBase";
const REASON = "PhoneReason";
const ADDED = "PhoneAdded";
const DEVICE = "PhoneDevice";
const SIDE = "PhoneSide";
const OWN = [OPERATION, SCORESHEET, BASE, REASON, ADDED, DEVICE, SIDE];
const SIDES = ["NS", "EW", "table"];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A code of this version is still read easily from one phone by another. */
const EASY = 15;

// -- out -----------------------------------------------------------------------------------------------------------------

/** The record of a deal as it is handed on; `match` are tags that say which match it is of. */
export const handedRecord = (deal, match = {}) => {
  const record = laws.readPcn(deal.pcn);
  const added = Object.keys(match).filter((name) => !(name in record.tags));
  const { id, scoresheet, base_revision: base, reason, device, side } = deal;
  const own = { [OPERATION]: id, [SCORESHEET]: scoresheet, ...(base && { [BASE]: String(base) }), ...(reason && { [REASON]: reason.replace(/\s+/g, " ") }) };
  if (device && side) Object.assign(own, { [DEVICE]: device, [SIDE]: side });
  return { ...record, tags: { ...record.tags, ...Object.fromEntries(added.map((name) => [name, match[name]])), ...own, ...(added.length && { [ADDED]: added.join(" ") }) } };
};

/** Deals as a file; `matchOf(deal)` gives the tags that say which match a deal is of. */
export const handedFile = (deals, matchOf = () => ({})) => laws.toPcnFile(deals.map((deal) => handedRecord(deal, matchOf(deal))));

const base64url = (bytes) => btoa([...bytes].map((byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** A text for an address: `z` and what is deflated, or `p` and the plain text where the browser cannot do that. */
export const pack = async (text) => {
  const bytes = new TextEncoder().encode(text);
  if (!globalThis.CompressionStream) return `p${base64url(bytes)}`;
  return `z${base64url(await through(bytes, new CompressionStream("deflate-raw")))}`;
};

/** The text that was packed; null where it was not, or this browser cannot tell. */
export const unpack = async (packed) => {
  try {
    const bytes = bytesOf(packed.slice(1));
    if (packed[0] === "p") return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (packed[0] !== "z") return null;
    return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
};

/**
 * Addresses of the page, which bring deals onto the phone that opens them: `{ deals, address }`. Each has whole deals and stands
 * by itself, as many as go into a code that is easy to read.
 */
export const addressesOf = async (deals, { page, secret }) => {
  const addressOf = async (some) => `${page}#${secret}.${await pack(handedFile(some))}`;
  const made = [];
  for (let left = [...deals]; left.length; left = left.slice(made.at(-1).deals.length)) {
    let some = left.slice(0, 1);
    let address = await addressOf(some);
    while (some.length < left.length) {
      const more = left.slice(0, some.length + 1);
      const longer = await addressOf(more);
      if (longer.length > bytesIn(EASY)) break;
      [some, address] = [more, longer];
    }
    made.push({ deals: some, address });
  }
  return made;
};

// -- in ------------------------------------------------------------------------------------------------------------------

/** A text as it was written, whatever a messenger made of its lines. */
const cleaned = (text) =>
  text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").split("\n").map((line) => line.trim()).filter((line) => !line.startsWith("%")).join("\n")
    .replace(/\n{3,}/g, "\n\n").trim();

const handed = (text) => {
  const { tags, ...record } = laws.readPcn(text);
  if (!(OPERATION in tags)) return { why: "no-operation", number: tags.Deal };
  const id = tags[OPERATION].toLowerCase();
  const scoresheet = (tags[SCORESHEET] ?? "").toLowerCase();
  if (!UUID.test(id) || !UUID.test(scoresheet)) return { why: "unreadable", number: tags.Deal };
  const added = [...OWN, ...(tags[ADDED] ?? "").split(" ")];
  const own = Object.fromEntries(Object.entries(tags).filter(([name]) => !added.includes(name)));
  const deal = {
    id, scoresheet, number: Number(tags.Deal), base_revision: Number(tags[BASE]) || null, reason: tags[REASON] ?? "",
    pcn: laws.toPcn({ ...record, tags: own }),
  };
  const isKnown = UUID.test(tags[DEVICE] ?? "") && SIDES.includes(tags[SIDE]);
  if (isKnown) Object.assign(deal, { device: tags[DEVICE], side: tags[SIDE] });
  return { deal, table: tags.Table ?? null };
};

/** The deals of a text that a phone handed on: `{ deals, faults }`, of which a fault is `{ place, number, why }`, in their order. */
export const readHanded = (text) => {
  const deals = [];
  const faults = [];
  const texts = cleaned(text).split(/\n\n(?=\[)/).filter(Boolean);
  texts.forEach((one, index) => {
    let read;
    try {
      read = handed(`${one}\n`);
    } catch {
      read = { why: "unreadable", number: /^\[Deal "(\d+)"\]$/m.exec(one)?.[1] };
    }
    if (read.deal) deals.push({ ...read.deal, table: read.table });
    else faults.push({ place: index + 1, number: read.number ?? "?", why: read.why });
  });
  return { deals, faults };
};
