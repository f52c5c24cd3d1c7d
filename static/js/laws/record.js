// PCN, the portable notation (docs/pcn.md): records of deals, written and read byte for byte as the server writes them.
//
// A record is `{ tags: { Event: "…", … }, tricks, claim, comments }` as the server's JSON has it: `tricks` null or a list of
// lists of `{ cards, reveal, face_down }`, `claim` null or `{ seat, trick }`, `comments` of `{ trick, play, text }`.
import { claim, found, mayEnd, tell, trickSoFar, tricks } from "./deal.js";
import {
  ALL_TRICKS, CARDS, NO_TRUMP, PACK, SEATS, agrees, callerOf, factsOf, handsText, insist, judgeResult, judgeTricks, othersOf,
  refuse, rulesText, trumpText, whyNoDeal,
} from "./rules.js";

// -- the export form ---------------------------------------------------------------------------------------------------

const TAGS =
  "Event Site Date Round Table Deal NS EW Rules Dealer Hands FirstFive Trump Tricks Revoke Result Courts Note".split(" ");
const HEADER = "% PCN 1\n";

/** A result as a record states it: "EW 7-0 court", "void"; of what was found, or of `{ winner, won, lost, award }`. */
export const resultText = ({ winner, award, tricks: score, won, lost }) => {
  if (winner === null) return "void";
  const numbers = score ? `${score[winner]}-${score[othersOf(winner)]}` : `${won}-${lost}`;
  return `${winner} ${numbers}${award === "win" ? "" : ` ${award}`}`;
};

/** The full record of a deal with what else its tags say, `{ Event, Deal, NS, … }`; these stand above what the deal says. */
export const recordOf = (deal, tags = {}) => {
  const { rules, dealer, hands, firstFive, trump, claim: claimed } = deal;
  const finding = found(deal);
  const made = trump.method === "discard" ? { ...NO_TRUMP, suit: finding.trump } : trump;
  const own = { Rules: rulesText(rules), Dealer: dealer, Trump: trumpText(made) };
  if (hands) own.Hands = handsText(hands, callerOf(dealer));
  if (firstFive) own.FirstFive = firstFive.join(" ");
  if (mayEnd(deal)) own.Result = resultText(finding);
  const played = [...tricks(deal).map(({ plays }) => plays), trickSoFar(deal)].filter((plays) => plays.length);
  const written = ({ cards, reveal, faceDown }) => ({ cards, reveal, face_down: faceDown });
  return { tags: { ...own, ...tags }, tricks: played.map((plays) => plays.map(written)), claim: claimed, comments: [] };
};

const tagLine = ([name, value]) => `[${name} "${value.normalize("NFC").replace(/[\\"]/g, "\\$&")}"]`;
const playText = ({ cards, reveal, face_down }) => (reveal ? "^" : face_down ? "_" : "") + cards.join(">");
const endText = (claimed) => (claimed ? `!${claimed.seat}${claimed.trick ?? ""}` : "*");

/** The record in the export form, byte for byte as the server writes it, without the first line of a file. */
export const toPcn = ({ tags, tricks: played = null, claim: claimed = null, comments = [] }) => {
  const place = ([name]) => (TAGS.includes(name) ? TAGS.indexOf(name) : TAGS.length);
  const lines = Object.entries(tags)
    .sort((one, other) => place(one) - place(other))
    .map(tagLine);
  if (played) {
    const said = (trick, at) => comments.filter((one) => one.trick === trick && one.play === at).map(({ text }) => `{${text}}`);
    const start = [...said(0, 0), ...(played.length ? said(1, 0) : [])];
    lines.push("", ...(start.length ? [start.join(" ")] : []));
    played.forEach((plays, index) => {
      const words = plays.flatMap((one, at) => [playText(one), ...said(index + 1, at + 1)]);
      lines.push([`${index + 1}.`, ...(index ? said(index + 1, 0) : []), ...words].join(" "));
    });
    lines.push([endText(claimed), ...said(played.length + 1, 0)].join(" "));
  }
  return `${lines.join("\n")}\n`;
};

/** A file of records. */
export const toPcnFile = (records) => HEADER + records.map((record) => `\n${toPcn(record)}`).join("");

/** The record of a text in the export form; throws `bad-syntax` for any other form, which the server may still read. */
export const readPcn = (text) => {
  const [, head, , section = null] = /^((?:\[.*\]\n)+)(\n([^]*))?$/.exec(text) ?? refuse({ code: "bad-syntax" });
  const tags = {};
  for (const line of head.trimEnd().split("\n")) {
    const [, name, value] =
      /^\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]$/.exec(line) ?? refuse({ code: "bad-syntax", line });
    if (name in tags) refuse({ code: "duplicate-tag", tag: name });
    tags[name] = value.replace(/\\(["\\])/g, "$1");
  }
  const missing = ["Deal", "Dealer"].find((name) => !(name in tags));
  if (missing) refuse({ code: "missing-tag", tag: missing });
  const record = { tags, tricks: null, claim: null, comments: [] };
  if (section !== null) readSection(section, record);
  return toPcn(record) === text ? record : refuse({ code: "bad-syntax" });
};

/** The records of a file in the export form. */
export const readPcnFile = (text) => {
  if (text === HEADER) return [];
  const start = `${HEADER}\n`;
  if (!text.startsWith(start)) refuse({ code: "bad-syntax" });
  const texts = text.slice(start.length).split(/\n\n(?=\[)/);
  return texts.map((one, index) => readPcn(index < texts.length - 1 ? `${one}\n` : one));
};

const readSection = (text, record) => {
  record.tricks = [];
  let ended = false;
  for (const token of text.match(/\{[^}]*\}|[^\s{]+/g) ?? []) {
    if (token[0] === "{") record.comments.push({ ...placeOfComment(record.tricks, ended), text: token.slice(1, -1) });
    else if (ended) refuse({ code: "bad-syntax", token });
    else if (/^[0-9]+\.$/.test(token)) record.tricks.push([]);
    else if (/^(\*|![NESW]([1-9][0-9]?)?)$/.test(token)) {
      ended = true;
      record.claim = token === "*" ? null : { seat: token[1], trick: Number(token.slice(2)) || null };
    } else (record.tricks.at(-1) ?? refuse({ code: "bad-syntax", token })).push(readPlay(token));
  }
  if (!ended) refuse({ code: "bad-syntax" });
};

const placeOfComment = (played, ended) => {
  if (ended || !played.length) return { trick: ended ? played.length + 1 : 0, play: 0 };
  return { trick: played.length, play: played.at(-1).length };
};

const readPlay = (token) => {
  const sign = /^[\^_]/.exec(token)?.[0] ?? "";
  const cards = token.slice(sign.length).split(">");
  if (!cards.every((card) => CARDS.has(card))) refuse({ code: "bad-syntax", token });
  return { cards, reveal: sign === "^", face_down: sign === "_" };
};

// -- a record judged as the server judges it --------------------------------------------------------------------------

const NAMES = /^(\?|[^&]*[^&\s][^&]* & [^&]*[^&\s][^&]*)$/;
const TAG_FORMS = {
  Deal: /^[1-9][0-9]{0,8}$/,
  NS: NAMES,
  EW: NAMES,
  Dealer: /^[NESW]$/,
  FirstFive: /^[SHDC][AKQJT2-9]( [SHDC][AKQJT2-9]){4}$/,
  Tricks: /^([NESW]( [NESW]){0,12})?$/,
  Revoke: /^[NESW] ([1-9]|1[0-3])$/,
  Result: /^(\?|void|(NS|EW) (0|[1-9][0-9]?)-(0|[1-9][0-9]?)( (court|goon-court|bavney|revoke))?)$/,
  Courts: /^NS (0|[1-9][0-9]{0,8}) EW (0|[1-9][0-9]{0,8})$/,
};

const wordsOf = (text) => (text ? text.split(" ") : []);
const resultOf = (text) => {
  if (text === "?") return null;
  if (text === "void") return { winner: null, won: 0, lost: 0, award: "void" };
  const [winner, numbers, award = "win"] = text.split(" ");
  const [won, lost] = numbers.split("-").map(Number);
  return { winner, won, lost, award };
};

/** What the tags of a record say of its deal; throws `bad-value` or `unknown-rules`. */
const factsOfTags = (tags) => {
  for (const [tag, form] of Object.entries(TAG_FORMS)) {
    if (tag in tags && !form.test(tags[tag])) refuse({ code: "bad-value", tag });
  }
  const { Rules: rules, Dealer: dealer, Hands: hands, FirstFive: firstFive, Trump: trump } = tags;
  const facts = factsOf({ rules, dealer, hands, firstFive, trump });
  if (facts.firstFive && new Set(facts.firstFive).size !== 5) refuse({ code: "bad-value", tag: "FirstFive" });
  const [seat, trick] = wordsOf(tags.Revoke);
  const revoke = seat ? { seat, trick: Number(trick) } : null;
  return { ...facts, revoke, result: "Result" in tags ? resultOf(tags.Result) : null };
};

const toldOf = (played) =>
  played.flatMap((plays, trick) =>
    plays.flatMap(({ cards, reveal, face_down: faceDown }, place) =>
      cards.map((card, number) => ({ turn: 4 * trick + place, card, ...(number ? {} : { reveal, faceDown }) })),
    ),
  );

const hasBadTrick = (played) =>
  played.length > ALL_TRICKS ||
  played.some(({ length }, index) => length > 4 || (length < 4 && index < played.length - 1));

/** The deal that a record's play section tells, to go on with; throws what is impossible about it. A claim is not taken over. */
export const dealOf = ({ tags, tricks: played }) => {
  if (!played) refuse({ code: "hands-needed", law: "5" });
  if (hasBadTrick(played)) refuse({ code: "bad-trick", law: "3.3" });
  const { revoke: _revoke, result: _result, ...facts } = factsOfTags(tags);
  insist(whyNoDeal(facts, played.length > 0));
  return tell({ ...facts, trump: facts.trump ?? NO_TRUMP, told: [], asked: false, claim: null }, ...toldOf(played));
};

/**
 * What the server's checker would find in a record, at whichever of the three levels it is, and the first thing wrong with it.
 * `found` is null where the record cannot be adjudicated. Of what a record states beside its play, `Result` alone is compared.
 * @returns {{found: object|null, why: {code: string, law?: string}|null}}
 */
export const judge = (record) => {
  try {
    if (record.tricks) return judgeFull(record);
    const facts = factsOfTags(record.tags);
    if (!("Tricks" in record.tags)) return judgeResult(facts, facts.result);
    const judged = judgeTricks(facts, wordsOf(record.tags.Tricks));
    return judged.why?.code === "undecided" ? { ...judged, found: null } : judged;
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return { found: null, why: refusal.why };
  }
};

const judgeFull = (record) => {
  const { tags, tricks: played } = record;
  const { result, ...facts } = factsOfTags(tags);
  if (!facts.hands && !hasBadTrick(played) && played.flat().length < PACK.length) {
    refuse(whyNoDeal(facts, played.length > 0) ?? { code: "hands-needed", law: "5.2" });
  }
  let deal = dealOf(record);
  if (!facts.hands) insist(whyNoDeal({ ...facts, hands: handsPlayed(deal) }));
  if (record.claim) deal = claim(deal, record.claim.seat, record.claim.trick);
  if (!mayEnd(deal) && result?.award !== "void") refuse({ code: "undecided", law: "9.1" });
  const finding = found(deal);
  return { found: finding, why: agrees(result, finding) ? null : { code: "result-mismatch", law: "9.1" } };
};

const handsPlayed = (deal) => {
  const plays = tricks(deal).flatMap((trick) => trick.plays);
  return Object.fromEntries(SEATS.map((seat) => [seat, plays.filter((one) => one.seat === seat).map(({ card }) => card)]));
};
