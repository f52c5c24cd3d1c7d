// "Read from text": a deal pasted as PCN goes into the way of entry that it fits, with what is found and what is odd about it.
import * as laws from "../laws.js";
import { begin } from "./cards-deal.js";
import { whySays } from "./cards-play.js";
import { readText } from "./read-text.js";
import { bdi, fill, part, say, seatWord, words } from "./words.js";

const rulesIn = (text) => {
  try {
    return laws.rulesText(laws.rulesOf(text));
  } catch {
    return text;
  }
};

/** What the text says otherwise than the table, in sentences; and the record as it is to be saved here. */
const here = (record, match, now) => {
  const { Deal, Dealer, Rules = "court-piece" } = record.tags;
  const odd = [];
  if (Rules && rulesIn(Rules) !== rulesIn(match.rules)) odd.push(fill("paste-rules", { text: Rules, rules: match.rules }));
  if (Dealer && now.dealer && Dealer !== now.dealer) odd.push(fill("paste-dealer", { seat: seatWord(Dealer) ?? Dealer, other: seatWord(now.dealer) }));
  if (Deal && Deal !== String(now.number)) odd.push(fill("paste-number", { text: Deal, number: now.number }));
  return { odd, record: { ...record, tags: { ...record.tags, Deal: String(now.number), Rules: match.rules, Dealer: Dealer ?? now.dealer } } };
};

const asResult = (record) => {
  const { found, why } = laws.judge(record);
  if (!found) return { why };
  if (found.winner === null) return { way: "result", state: { winner: "void", award: null, lost: null, won: null } };
  const { winner, award, tricks } = found;
  return { way: "result", state: { winner, award, won: tricks[winner], lost: tricks[winner === "NS" ? "EW" : "NS"] } };
};
const asTricks = (record) => {
  const { found, why } = laws.judge(record);
  if (!found) return { why };
  const { Tricks, Trump, Revoke } = record.tags;
  const [seat, trick] = Revoke?.split(" ") ?? [];
  const winners = Tricks ? Tricks.split(" ") : [];
  const state = { winners, revoke: seat ? { seat, trick: Number(trick) } : null, trump: Trump ? laws.trumpOf(Trump) : null, asking: null, carriesOn: winners.length > 7, ended: winners.length <= 7 };
  return { way: "tricks", state, why, also: record.tags.Result ? asResult({ ...record, tags: { ...record.tags, Tricks: undefined } }).state : null };
};
const asCards = (record) => {
  let deal = laws.dealOf(record);
  if (record.claim && !laws.whyNotClaim(deal, record.claim.seat, record.claim.trick)) deal = laws.claim(deal, record.claim.seat, record.claim.trick);
  const { Note } = record.tags;
  const extra = { tags: Note ? { Note } : {}, comments: record.comments };
  const known = deal.hands ? "hands" : deal.firstFive ? "five" : "nothing";
  const state = { ...begin(), stage: "play", known, five: deal.firstFive ?? [], hands: deal.hands, trump: deal.trump, deal, extra, ended: laws.mayCarryOn(deal) && laws.tricks(deal).length === 7, carriesOn: laws.tricks(deal).length > 7 };
  const { why } = laws.judge(record);
  return { way: "cards", state, why: ["undecided", "hands-needed"].includes(why?.code) ? null : why };
};

const placed = (record) => {
  try {
    if (record.tricks) return asCards(record);
    return "Tricks" in record.tags ? asTricks(record) : asResult(record);
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return { why: refusal.why };
  }
};

const join = (sentences) => sentences.flatMap((nodes, place) => (place ? [" ", ...nodes] : nodes));
const whyIn = (why) => {
  if (why.tag) return fill("paste-bad-value", { tag: why.tag });
  const at = why.trick && why.place !== undefined ? [...fill("paste-at", { trick: why.trick, count: why.place + 1 }), " "] : [];
  return [...at, ...whySays(why, { seat: why.seat, card: why.card ?? null })];
};

/** Let the text of the panel be read for `entry`, which is openEntry's; `match()` is the match to enter deals of. */
export const wirePaste = (form, entry, match) => {
  const panel = part("paste", form);
  const read = () => {
    const says = part("paste-says", form);
    try {
      const { odd, record } = here(readText(part("paste-text", form).value), match(), entry.now());
      const { way, state, why } = placed(record);
      if (!way) return say(says, ...join([...odd, whyIn(why)]));
      entry.take({ way, dealer: record.tags.Dealer, state, told: join([[words["paste-read"]], ...odd, ...(why ? [whyIn(why)] : [])]) });
      part("paste-text", form).value = "";
      panel.open = false;
      return say(says);
    } catch (error) {
      if (!error.mistake) throw error;
      const { name, place, values } = error.mistake;
      return say(says, ...fill("paste-place", place), " ", ...fill(name, Object.fromEntries(Object.entries(values).map(([word, text]) => [word, bdi(text)]))));
    }
  };
  part("paste-read", form).addEventListener("click", read);
};
