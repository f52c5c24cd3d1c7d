// A deal's text as people write it, read as a record: PCN in its import form, one deal. The server reads the record again.
import * as laws from "../laws.js";

const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const TAG = /^\s*\[\s*([A-Za-z][A-Za-z0-9]*)\s+"((?:[^"\\]|\\["\\])*)"\s*\]\s*$/;
const SUIT_MARKS = /[♠♥♦♣]\uFE0E?\uFE0F?/g;

/** What is wrong with a text and where: `place` is `{ line, column }` from 1; `name` and `values` say it. */
const refuse = (name, place, values = {}) => {
  throw Object.assign(new Error(name), { mistake: { name, place, values } });
};
const plain = (text) => text.replace(SUIT_MARKS, ([mark]) => SUITS[mark]).replace(/10/g, "T");
const cardOf = (token) => {
  const text = token.toUpperCase();
  const card = laws.PACK.includes(text) ? text : text.length === 2 ? text[1] + text[0] : text;
  return laws.PACK.includes(card) ? card : null;
};

/** A word of Trump: its suit, its method, the number of a card that was named, which is no rank, or its card. */
const trumpWord = (word, place) => {
  if (/^\d+$/.test(word)) return word;
  const text = plain(word);
  return cardOf(text) ?? (place ? text.toLowerCase() : text.toUpperCase());
};
const CLEAN = {
  Hands(value) {
    const hands = laws.handsOf(plain(value).toUpperCase().replace(/\s+/g, " "));
    return laws.handsText(hands, value.trim()[0].toUpperCase());
  },
  FirstFive: (value) => plain(value).trim().split(/\s+/).map((one) => cardOf(one) ?? one).join(" "),
  Trump: (value) => value.trim().split(/\s+/).map(trumpWord).join(" "),
  Dealer: (value) => value.trim().toUpperCase(),
  Tricks: (value) => value.trim().toUpperCase().replace(/\s+/g, " "),
  Revoke: (value) => value.trim().toUpperCase().replace(/\s+/g, " "),
  Deal: (value) => value.trim(),
  Rules: (value) => value.trim().replace(/\s+/g, " "),
  Result: (value) => value.trim().replace(/\s+/g, " "),
};
const cleaned = (name, value, place) => {
  try {
    return (CLEAN[name] ?? ((text) => text))(value);
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return refuse("paste-bad-value", place, { tag: name });
  }
};

const readTags = (lines, record) => {
  for (const [index, line] of lines.entries()) {
    if (!/\S/.test(line) || /^[%;]/.test(line)) continue;
    if (line.trimStart()[0] !== "[") return index;
    const place = { line: index + 1, column: line.indexOf("[") + 1 };
    const [, name, value] = TAG.exec(line) ?? refuse("paste-bad-tag", place);
    if (name in record.tags) refuse("paste-twice", place, { tag: name });
    record.tags[name] = cleaned(name, value.replace(/\\(["\\])/g, "$1"), { line: index + 1, column: line.indexOf('"') + 2 });
  }
  return lines.length;
};

const playOf = (token, place) => {
  const sign = /^[\^_]/.exec(token)?.[0] ?? "";
  const cards = plain(token.slice(sign.length)).split(">").map((one) => cardOf(one) ?? refuse("paste-bad-card", place, { text: token }));
  return { cards, reveal: sign === "^", face_down: sign === "_" };
};
const addPlay = (record, play) => {
  if (!record.tricks.length || record.tricks.at(-1).length === 4) record.tricks.push([]);
  record.tricks.at(-1).push(play);
};
const addNumber = (record, token, place) => {
  const whole = record.tricks.every(({ length }) => length === 4);
  if (!whole || Number(token.slice(0, -1)) !== record.tricks.length + 1) refuse("paste-bad-trick", place, { trick: Math.max(record.tricks.length, 1) });
};
const addComment = (record, text, ended) => {
  const { tricks } = record;
  const trick = ended ? tricks.length + 1 : tricks.length;
  record.comments.push({ trick, play: ended || !tricks.length ? 0 : tricks.at(-1).length, text: text.slice(1, -1).replace(/\s+/g, " ").trim() });
};

const readPlay = (lines, from, record) => {
  record.tricks = [];
  let ended = false;
  for (let index = from; index < lines.length; index += 1) {
    if (/^[%;]/.test(lines[index])) continue;
    for (const { 0: token, index: column } of lines[index].matchAll(/\{[^}]*\}|[^\s{]+|\{/g)) {
      const place = { line: index + 1, column: column + 1 };
      if (token[0] === "[") refuse("paste-one", place);
      else if (token === "{") refuse("paste-comment", place);
      else if (token[0] === "{") addComment(record, token, ended);
      else if (ended) refuse("paste-after", place, { text: token });
      else if (/^\d+\.$/.test(token)) addNumber(record, token, place);
      else if (token === "*") ended = true;
      else if (/^![NESWnesw]\d*$/.test(token)) {
        ended = true;
        record.claim = { seat: token[1].toUpperCase(), trick: Number(token.slice(2)) || null };
      } else addPlay(record, playOf(token, place));
    }
  }
};

/** The record of one deal; throws an error whose `mistake` says what is wrong and where. */
export const readText = (text) => {
  const lines = text.normalize("NFC").replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const record = { tags: {}, tricks: null, claim: null, comments: [] };
  const body = readTags(lines, record);
  if (body < lines.length) readPlay(lines, body, record);
  if (!Object.keys(record.tags).length && !record.tricks?.length) refuse("paste-nothing", { line: 1, column: 1 });
  return record;
};
