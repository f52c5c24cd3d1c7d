// The laws of Court Piece for a page that has no network: whose turn, which cards and why not, who won, what it scored.
//
// The server's engine is the truth and judges every record again; tests/browser/test_laws.py holds this file to it. It is
// one file without imports, so that a service worker can keep it under whatever name the static files give it. Everything
// is a value that JSON can keep: a card is "HT", a seat "N", a team "NS"; a deal is what was told of it, in order, and
// everything else is worked out from that. Numbers in comments and in `law` are those of docs/laws.md.
//
//   let deal = newDeal({ rules: "court-piece", dealer: "E", hands: "N:… W:… S:… E:…", trump: "S" });
//   if (!whyNot(deal, "H5")) deal = play(deal, "H5");
//   const { winner, award, courts } = found(deal);

// -- the table and the pack (laws 1 and 2) ----------------------------------------------------------------------------

/** The seats to the right from South, as everything goes (law 1.2). */
export const SEATS = Object.freeze(["S", "E", "N", "W"]);
export const TEAMS = Object.freeze(["NS", "EW"]);
const SUITS = "SHDC";
const RANKS = "AKQJT98765432";
/** All cards, spades first and from high to low. */
export const PACK = Object.freeze([...SUITS].flatMap((suit) => [...RANKS].map((rank) => suit + rank)));
const CARDS = new Set(PACK);
const ALL_TRICKS = 13;
const WINNING_TRICKS = 7;

const seatAfter = (seat, places) => SEATS[(SEATS.indexOf(seat) + places) % 4];
/** The seat that deals and plays next (law 1.2). */
export const rightOf = (seat) => seatAfter(seat, 1);
/** The seat opposite (law 1.1). */
export const partnerOf = (seat) => seatAfter(seat, 2);
/** The seat that makes trump and leads (law 3.2). */
export const callerOf = rightOf;
/** "NS" or "EW" (law 1.1). */
export const teamOf = (seat) => TEAMS[SEATS.indexOf(seat) % 2];
const othersOf = (team) => (team === "NS" ? "EW" : "NS");
export const suitOf = (card) => card[0];
const nil = () => ({ NS: 0, EW: 0 });
const sum = (one, other) => ({ NS: one.NS + other.NS, EW: one.EW + other.EW });
const isNil = (score) => !score.NS && !score.EW;

/** What a door throws that may not be gone through: its `why` is what `whyNot` gives, `{ code, law, … }`. */
const refuse = (why) => {
  throw Object.assign(new Error(`${why.code} (law ${why.law ?? "of the notation"})`), { why });
};
const insist = (why) => why && refuse(why);

// -- named rules and their options (law 14) ---------------------------------------------------------------------------

const OPEN = ["announced", "card", "turned", "named"];
const HIDDEN = ["hidden", "blind"];
const METHODS = [...OPEN, ...HIDDEN, "discard"];
const BASE = {
  court: 1,
  goon: 1,
  bavney: 52,
  revoke: 1,
  streak: 7,
  streakCourt: 1,
  streakAndCourt: "one",
  firstClaim: 0,
  lastClaim: 0,
  gather: "single",
  revealFrom: "card",
  trumpMethods: OPEN,
};
const PILES = { gather: "double", firstClaim: 2, lastClaim: 12 };
const NAMED = new Map(
  [
    ["court-piece", {}],
    ["hidden-trump", { trumpMethods: HIDDEN }],
    ["double-sir", PILES],
    ["double-sir-ace", { ...PILES, gather: "ace" }],
    ["hidden-rung", { ...PILES, firstClaim: 3, lastClaim: 11, trumpMethods: HIDDEN }],
    ["be-ranga", { ...PILES, trumpMethods: ["discard"] }],
  ].map(([name, its]) => [name, { name, ...BASE, ...its }]),
);

const whole = (low, high) => (text) =>
  /^[1-9][0-9]{0,2}$/.test(text) && low <= Number(text) && Number(text) <= high ? Number(text) : null;
const oneOf = (...choices) => (text) => (choices.includes(text) ? text : null);
const methods = (text) => {
  const given = text.split(",");
  const isGood = given.every((one) => METHODS.includes(one)) && new Set(given).size === given.length;
  return isGood ? METHODS.filter((one) => given.includes(one)) : null;
};
/** The options in the order of law 14: how each is written, kept and read. */
const OPTIONS = [
  ["court", "court", whole(1, 999)],
  ["goon", "goon", whole(1, 999)],
  ["bavney", "bavney", whole(1, 999)],
  ["revoke", "revoke", whole(1, 999)],
  ["streak", "streak", whole(2, 99)],
  ["streak-court", "streakCourt", whole(1, 999)],
  ["streak-and-court", "streakAndCourt", oneOf("one", "both")],
  ["first-claim", "firstClaim", whole(1, ALL_TRICKS)],
  ["last-claim", "lastClaim", whole(1, ALL_TRICKS)],
  ["gather", "gather", oneOf("single", "double", "ace")],
  ["reveal-from", "revealFrom", oneOf("card", "trick")],
  ["trump", "trumpMethods", methods],
];

/** What a name brings; where `gather` is changed, with the claims that it brings. */
const ownRules = (name, gather = NAMED.get(name).gather) => {
  const own = NAMED.get(name);
  if (gather === own.gather) return own;
  return gather === "single" ? { ...own, gather, firstClaim: 0, lastClaim: 0 } : { ...own, ...PILES, gather };
};

/**
 * The rules that a text names, such as "double-sir goon=3" (law 14); throws `unknown-rules` with the odd `word`.
 * @returns {{name: string, court: number, goon: number, bavney: number, revoke: number, streak: number,
 *   streakCourt: number, streakAndCourt: "one"|"both", firstClaim: number, lastClaim: number,
 *   gather: "single"|"double"|"ace", revealFrom: "card"|"trick", trumpMethods: string[]}}
 */
export const rulesOf = (text) => {
  const unknown = (word) => refuse({ code: "unknown-rules", law: "14", word });
  const [name, ...words] = text.split(" ");
  if (!NAMED.has(name)) unknown(name);
  const chosen = {};
  for (const word of words) {
    const [, option, value] = /^([^=]*)=(.*)$/.exec(word) ?? unknown(word);
    const [, key, read] = OPTIONS.find(([written]) => written === option) ?? unknown(word);
    chosen[key] = key in chosen ? unknown(word) : (read(value) ?? unknown(word));
  }
  const own = ownRules(name, chosen.gather);
  const first = chosen.firstClaim ?? own.firstClaim;
  if (first > (chosen.lastClaim ?? (own.lastClaim || ALL_TRICKS))) unknown(`first-claim=${first}`);
  const claims = own.gather === "single" ? { firstClaim: 0, lastClaim: 0 } : {};
  return frozen({ ...own, ...chosen, ...claims });
};

/** The name and the options that differ from its own, as the server writes them. */
export const rulesText = (rules) => {
  const own = { ...ownRules(rules.name, rules.gather), gather: NAMED.get(rules.name).gather };
  const differing = OPTIONS.filter(([, key]) => String(rules[key]) !== String(own[key]));
  return [rules.name, ...differing.map(([written, key]) => `${written}=${rules[key]}`)].join(" ");
};

const frozen = (value) => {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};

// -- tricks and piles (laws 5 to 7) -----------------------------------------------------------------------------------

/** The place, from 0, of the card that wins: cards of the trump suit are trumps from `trumpFrom` on (laws 5.3, 6.6 to 6.8). */
const winningPlace = (cards, { trump, trumpFrom, faceDownAt }) => {
  const led = suitOf(cards[0]);
  const worth = cards.map((card, place) => {
    const rank = RANKS.length - RANKS.indexOf(card[1]);
    if (place === faceDownAt) return -1;
    if (suitOf(card) === trump && (place >= trumpFrom || trump === led)) return 20 + rank;
    return suitOf(card) === led ? rank : 0;
  });
  return worth.indexOf(Math.max(...worth));
};

/** Who has how many tricks, how many lie in the centre, and whether that decides the deal (laws 7, 9 and 10). */
const newTally = (rules) => ({ rules, number: 0, taken: nil(), decided: false, court: null, pair: null });

const inCentre = ({ rules, number, taken }) => (rules.gather === "single" ? 0 : number - taken.NS - taken.EW);

const gatherPile = (tally, seat) => {
  tally.taken[teamOf(seat)] += inCentre(tally);
  tally.pair = null; // 7.3
  const { NS, EW } = tally.taken;
  tally.decided = (Math.max(NS, EW) >= WINNING_TRICKS && Math.min(NS, EW) > 0) || tally.number === ALL_TRICKS; // 9.3
};

const takeSingle = (tally, team) => {
  const { taken } = tally;
  taken[team] += 1;
  if (tally.court) tally.decided = team !== tally.court || taken[team] === ALL_TRICKS; // 9.4
  else if (taken[team] >= WINNING_TRICKS && taken[othersOf(team)]) tally.decided = true; // 9.2
  else if (taken[team] >= WINNING_TRICKS) tally.court = team; // 10.1
};

/** Count one more trick; `known`: trump was known when the winning card was played (law 7.7). */
const count = (tally, seat, card = "", known = true) => {
  const { gather, firstClaim, lastClaim } = tally.rules;
  tally.number += 1;
  if (gather === "single") {
    takeSingle(tally, teamOf(seat)); // 7.1
    return;
  }
  const ace = gather === "ace" && card[1] === "A";
  const { pair } = tally;
  if (tally.number === ALL_TRICKS) gatherPile(tally, seat); // 7.4
  else if (pair?.seat !== seat) tally.pair = { seat, ace, known };
  else if (ace && pair.ace) tally.pair = null; // 7.6
  else if (pair.known && firstClaim <= tally.number && tally.number <= lastClaim) gatherPile(tally, seat); // 7.2, 7.5
  else tally.pair = { seat, ace, known };
};

const tallyMayEnd = ({ decided, court }) => decided || court !== null;

/** What the deal counts for where the tally stands; void while nobody has won (laws 8.5, 8.7, 9, 10). */
const outcomeOf = ({ rules, dealer }, tally, revoker = null) => {
  const tricks = { ...tally.taken };
  if (revoker && !tally.court) {
    const winner = othersOf(teamOf(revoker));
    return { winner, award: "revoke", tricks, courts: { ...nil(), [winner]: rules.revoke } };
  }
  if (!tallyMayEnd(tally)) return { winner: null, award: "void", tricks, courts: nil() };
  const winner = tally.court ?? (tricks.NS >= WINNING_TRICKS ? "NS" : "EW");
  const award = awardOf(tally, winner, dealer);
  const courts = { ...nil(), [winner]: courtsFor(rules, award) };
  if (revoker) courts[othersOf(teamOf(revoker))] += rules.revoke; // 8.7
  return { winner, award, tricks, courts };
};

const awardOf = ({ rules, court, taken }, winner, dealer) => {
  const all = taken[winner] === ALL_TRICKS;
  if (rules.gather === "single" ? !court : !all) return "win";
  if (rules.gather === "single" && all) return "bavney"; // 10.3
  return winner === teamOf(dealer) ? "goon-court" : "court"; // 10.1, 10.2, 10.4
};

const courtsFor = ({ court, goon, bavney, revoke }, award) => ({ court, "goon-court": goon, bavney, revoke })[award] ?? 0;

// -- a deal as it is told ---------------------------------------------------------------------------------------------

/**
 * How trump was made, from its text in a record: "S", "S card S7", "H named 7 H9", "D hidden D7", "-" (law 4).
 * @returns {{method: string, suit: string|null, card: string|null, number: number|null}}
 */
export const trumpOf = (text) => {
  const unknown = () => refuse({ code: "bad-value", tag: "Trump" });
  if (text === "-") return { method: "discard", suit: null, card: null, number: null };
  const [, suit, method = "announced", number = null, card = null] =
    /^([SHDC])(?: (card|turned|named|hidden|blind|discard))?(?: ([6-9]|1[0-3]))?(?: (\?|[SHDC][AKQJT2-9]))?$/.exec(text) ??
    unknown();
  if ((method === "named") !== (number !== null)) unknown();
  if (["announced", "discard"].includes(method) !== (card === null)) unknown();
  if (card === "?" ? !HIDDEN.includes(method) : card && suitOf(card) !== suit) unknown();
  return { method, suit, card: card === "?" ? null : card, number: number && Number(number) };
};

/** The text of `trumpOf`, as the server writes it. */
export const trumpText = ({ method, suit, card, number }) => {
  if (!suit) return "-";
  if (method === "announced") return suit;
  const words = method === "discard" ? [] : [card ?? "?"];
  return [suit, method, ...(number ? [number] : []), ...words].join(" ");
};

/** The hands of "N:K852.T763.98.J72 W:…", as `{ N: ["SK", …], … }`; throws `bad-value` where it is no such text. */
export const handsOf = (text) => {
  const hands = {};
  for (const word of text.split(" ")) {
    const [, seat, ...suits] =
      /^([NESW]):([AKQJT2-9]*)\.([AKQJT2-9]*)\.([AKQJT2-9]*)\.([AKQJT2-9]*)$/.exec(word) ??
      refuse({ code: "bad-value", tag: "Hands" });
    if (seat in hands) refuse({ code: "bad-value", tag: "Hands" });
    hands[seat] = suits.flatMap((ranks, place) => [...ranks].map((rank) => SUITS[place] + rank));
  }
  if (Object.keys(hands).length !== SEATS.length) refuse({ code: "bad-value", tag: "Hands" });
  return hands;
};

/** The hands in their one form: `first`, then to the right, ranks from high to low. */
export const handsText = (hands, first) => {
  const ranks = (seat, suit) => PACK.filter((card) => suitOf(card) === suit && hands[seat].includes(card)).map((card) => card[1]);
  const written = (seat) => `${seat}:${[...SUITS].map((suit) => ranks(seat, suit).join("")).join(".")}`;
  return [0, 1, 2, 3].map((places) => written(seatAfter(first, places))).join(" ");
};

/** Why no deal can begin so (laws 2, 3.3, 4 and 14), or null. */
const whyNoDeal = ({ rules, dealer, hands, firstFive, trump }, hasCards = true) => {
  const bad = (code, law) => ({ code, law });
  const caller = callerOf(dealer);
  if (hands) {
    const dealt = SEATS.flatMap((seat) => hands[seat] ?? []);
    if (SEATS.some((seat) => hands[seat]?.length !== ALL_TRICKS)) return bad("bad-hands", "3.3");
    if (new Set(dealt.filter((card) => CARDS.has(card))).size !== PACK.length) return bad("bad-hands", "2.1");
    if (firstFive?.some((card) => !hands[caller].includes(card))) return bad("bad-hands", "3.3");
  }
  if (!trump) return hasCards && String(rules.trumpMethods) !== "discard" ? bad("bad-trump", "4") : null;
  if (!rules.trumpMethods.includes(trump.method)) return bad("bad-trump", "14");
  if (!trump.card) return hasCards && HIDDEN.includes(trump.method) ? bad("bad-trump", "6") : null;
  if (hands && !hands[caller].includes(trump.card)) return bad("bad-trump", "4.8");
  const isLater = ["turned", "named"].includes(trump.method);
  return firstFive && firstFive.includes(trump.card) === isLater ? bad("bad-trump", "4.8") : null;
};

const NO_TRUMP = Object.freeze({ method: "discard", suit: null, card: null, number: null });
const understood = (value, read) => (typeof value === "string" ? read(value) : value);
const factsOf = ({ rules = "court-piece", dealer, hands = null, firstFive = null, trump = null }) => ({
  rules: understood(rules, rulesOf),
  dealer,
  hands: understood(hands, handsOf),
  firstFive: understood(firstFive, (text) => text.split(" ")),
  trump: understood(trump, trumpOf),
});

/**
 * A deal before the first lead. Rules, hands, first five and trump may be given as a record writes them.
 * Without hands, what the cards played tell of them is used: who has failed to follow has none of that suit.
 * @returns a frozen deal: `{ rules, dealer, hands, firstFive, trump, told, asked, claim }`. `told` has every card in the
 *   order told, `{ turn, card, reveal, faceDown }`; one of an earlier turn (from 0) stands in place of that turn's card.
 *   JSON keeps a deal whole.
 */
export const newDeal = (facts) => {
  const deal = factsOf(facts);
  insist(whyNoDeal(deal));
  return frozen({ ...deal, trump: deal.trump ?? NO_TRUMP, told: [], asked: false, claim: null });
};

const turnsOf = (told) => {
  const turns = [];
  for (const { turn, card, reveal = false, faceDown = false } of told) {
    if (turn < turns.length) turns[turn].cards.push(card);
    else turns.push({ cards: [card], reveal, faceDown });
  }
  return turns;
};

/** The tricks as they lie on the table, whoever had a right to play what: leader, cards that stand, trump, winner. */
const layOut = ({ rules, dealer, trump: made, told }) => {
  const turns = turnsOf(told);
  const isHidden = HIDDEN.includes(made.method);
  let trump = isHidden || made.method === "discard" ? null : made.suit;
  let leader = callerOf(dealer);
  const tricks = [];
  for (let first = 0; first < turns.length; first += 4) {
    const trick = { number: tricks.length + 1, leader, turns: turns.slice(first, first + 4) };
    const cards = trick.turns.map(({ cards: played }) => played.at(-1));
    const madeAt = trick.turns.findIndex(({ reveal }, place) =>
      isHidden ? reveal : made.method === "discard" && suitOf(cards[place]) !== suitOf(cards[0]),
    );
    const isNow = !trump && madeAt >= 0;
    if (isNow) trump = isHidden ? made.suit : suitOf(cards[madeAt]); // 6.3, 4.7
    const trumpFrom = isNow && !(isHidden && rules.revealFrom === "trick") ? madeAt : 0; // 6.6
    const faceDownAt = trick.turns.findIndex(({ faceDown }) => faceDown);
    const best = winningPlace(cards, { trump, trumpFrom, faceDownAt });
    const knownFrom = trump ? (isNow ? madeAt : 0) : cards.length; // 7.7
    const winner = cards.length === 4 ? seatAfter(leader, best) : null;
    tricks.push({ ...trick, cards, trump, best, winner, isKnown: best >= knownFrom });
    leader = winner;
  }
  return tricks;
};

/** The hands at the start, as sets: as dealt, or as far as the cards told show them. */
const handsAtStart = ({ dealer, hands, firstFive, trump }, tricks) => {
  if (hands) return Object.fromEntries(SEATS.map((seat) => [seat, new Set(hands[seat])]));
  const shown = Object.fromEntries(SEATS.map((seat) => [seat, new Set()]));
  const plays = tricks.flatMap((trick) => trick.turns.map(({ cards }, place) => [seatAfter(trick.leader, place), cards]));
  for (const [seat, cards] of plays) shown[seat].add(cards.at(-1));
  const stood = new Set(plays.map(([, cards]) => cards.at(-1)));
  const own = [...(firstFive ?? []), ...(trump.card ? [trump.card] : [])];
  for (const [seat, cards] of [...plays, [callerOf(dealer), own]]) {
    for (const card of cards) if (!stood.has(card)) shown[seat].add(card);
  }
  return shown;
};

const tables = new WeakMap();
/** What is so after all that was told: worked out once for each deal. */
const tableOf = (deal) => {
  if (!tables.has(deal)) tables.set(deal, judgePlay(deal));
  return tables.get(deal);
};

const judgePlay = (deal) => {
  const tricks = layOut(deal);
  const table = {
    tricks,
    hands: handsAtStart(deal, tricks),
    played: new Set(),
    indicator: HIDDEN.includes(deal.trump.method) ? deal.trump.card : null,
    tally: newTally(deal.rules),
    over: false, // decided, or ended by a revoke: what follows has no effect (8.4, 9.5)
    winners: [], // of the tricks that counted
    trumpAtEnd: null,
    revokes: [],
    standing: [], // the established revokes of the trick that ended the deal
    later: [], // those that stood after it
    turnKnown: true,
    fault: null, // the first play that nobody could have made
  };
  if (table.indicator) table.hands[callerOf(deal.dealer)].delete(table.indicator); // 6.2
  for (const trick of tricks) {
    judgeTrick(deal, table, trick);
    if (table.fault) break;
  }
  const last = tricks.at(-1);
  const isOpen = last !== undefined && last.winner === null;
  table.open = isOpen ? last : null;
  table.leader = last === undefined ? callerOf(deal.dealer) : isOpen ? last.leader : last.winner;
  table.turn = seatAfter(table.leader, isOpen ? last.cards.length : 0);
  table.lead = isOpen ? last.cards[0] : null;
  table.trump = last === undefined ? layOutTrump(deal) : last.trump;
  if (deal.asked) turnUp(deal, table);
  return table;
};

const layOutTrump = ({ trump }) => (OPEN.includes(trump.method) ? trump.suit : null);

const turnUp = (deal, table) => {
  table.hands[callerOf(deal.dealer)].add(table.indicator);
  table.indicator = null;
  table.trump = deal.trump.suit;
};

const judgeTrick = (deal, table, trick) => {
  const state = { corrections: 0, revokes: [] };
  trick.turns.forEach((turn, place) => {
    if (table.fault) return;
    const why = table.turnKnown ? judgeTurn(deal, table, trick, turn, place, state) : whyRepeated(table, turn.cards.at(-1));
    if (why && table.over && !["card-repeated", "card-not-held"].includes(why.code)) {
      table.turnKnown = false; // whose turn it is can no longer be told, and nothing hangs on it (9.5)
      table.fault = whyRepeated(table, turn.cards.at(-1));
    } else if (why) {
      table.fault = { ...why, trick: trick.number, place };
    }
    if (table.fault) return;
    const card = turn.cards.at(-1);
    table.played.add(card);
    for (const seat of SEATS) table.hands[seat].delete(card);
    if (table.indicator === card) table.indicator = null;
  });
  if (!table.fault && trick.winner) completeTrick(table, trick, state.revokes);
};

const whyRepeated = ({ played }, card) => (played.has(card) ? { code: "card-repeated", law: "2.1", card } : null);

/** Why nobody could have played so, or null; revokes are possible, and are noted (laws 5 to 8). */
const judgeTurn = (deal, table, trick, turn, place, state) => {
  const seat = seatAfter(trick.leader, place);
  const lead = place ? trick.cards[0] : null;
  const spot = { seat, lead };
  if (turn.reveal) {
    const law = lawAgainstReveal(deal, table, spot);
    if (law) return { code: "bad-reveal", law };
    turnUp(deal, table);
  }
  const allowed = mayPlay(table.hands[seat], { lead, must: turn.reveal ? deal.trump.suit : null });
  let allowance = state.corrections;
  for (const [number, card] of turn.cards.entries()) {
    const stands = number === turn.cards.length - 1;
    const broke = !allowed.has(card);
    const why = whyNotHeld(deal, table, seat, card);
    if (why) return why;
    if (broke && !lead) return { code: "bad-reveal", law: "6.4" };
    if (!stands) {
      if (card === turn.cards[number + 1]) return { code: "bad-correction", law: "8.2" };
      if (broke) state.corrections += 1;
      else if (!allowance--) return { code: "bad-correction", law: "8.2" };
    }
    if (broke) state.revokes.push({ seat, trick: trick.number, card, led: suitOf(lead), corrected: !stands });
  }
  return turn.faceDown && !mayFaceDown(deal, table, spot) ? { code: "bad-reveal", law: "6.8" } : null;
};

const whyNotHeld = (deal, table, seat, card) => {
  if (table.hands[seat].has(card)) return null;
  if (card === table.indicator && seat === callerOf(deal.dealer)) return { code: "bad-reveal", law: "6.2", card };
  return whyRepeated(table, card) ?? { code: "card-not-held", law: "5.1", card };
};

/** The cards of a hand that are no revoke: `must` is the trump suit of a player who has asked for it (laws 5.2, 6.3, 6.4). */
const mayPlay = (hand, { lead, must }) => {
  const suit = must ?? (lead ? suitOf(lead) : null);
  const fitting = [...hand].filter((card) => suitOf(card) === suit);
  return fitting.length || (must && !lead) ? new Set(fitting) : hand;
};

const canFollow = (hand, lead) => [...hand].some((card) => suitOf(card) === suitOf(lead));

/** The law against turning up the indicator now (6.1, 6.3, 6.4), or null. */
const lawAgainstReveal = (deal, table, { seat, lead }) => {
  if (!table.indicator) return "6.1";
  if (!lead) return seat === callerOf(deal.dealer) ? null : "6.4";
  return canFollow(table.hands[seat], lead) ? "6.3" : null;
};

/** Law 6.8. */
const mayFaceDown = (deal, table, { seat, lead }) =>
  deal.trump.method === "hidden" &&
  table.indicator !== null &&
  seat === callerOf(deal.dealer) &&
  lead !== null &&
  !canFollow(table.hands[seat], lead);

const completeTrick = (table, trick, revokes) => {
  const stood = revokes.filter(({ corrected }) => !corrected);
  if (table.over) {
    if (table.standing.length) table.later.push(...stood);
    return;
  }
  table.revokes.push(...revokes);
  table.trumpAtEnd = trick.trump;
  if (stood.length) {
    table.standing = stood; // 8.3 to 8.5: the trick is taken by nobody
    table.over = true;
    return;
  }
  table.winners.push(trick.winner);
  count(table.tally, trick.winner, trick.cards[trick.best], trick.isKnown);
  table.over = table.tally.decided;
};

// -- what is so -------------------------------------------------------------------------------------------------------

const lying = ({ leader, turns }) =>
  turns.map(({ cards, reveal, faceDown }, place) => ({ seat: seatAfter(leader, place), card: cards.at(-1), cards, reveal, faceDown }));

/** The seat to play next; null when all cards are played. */
export const turn = (deal) => (tableOf(deal).played.size === PACK.length ? null : tableOf(deal).turn);
/** The cards of the trick being played, `[{ seat, card, cards, reveal, faceDown }]`: `cards` has those taken back too. */
export const trickSoFar = (deal) => (tableOf(deal).open ? lying(tableOf(deal).open) : []);
/** The complete tricks, `[{ number, leader, plays, winner }]`, those after the deal was over too. */
export const tricks = (deal) =>
  tableOf(deal)
    .tricks.filter(({ winner }) => winner)
    .map((trick) => ({ number: trick.number, leader: trick.leader, plays: lying(trick), winner: trick.winner }));
/** Who wins the trick being played so far; null before a lead. */
export const winsSoFar = (deal) => {
  const { open } = tableOf(deal);
  return open ? seatAfter(open.leader, open.best) : null;
};
/** The tricks that each team has won or gathered, `{ NS, EW }` (law 7.8). */
export const taken = (deal) => ({ ...tableOf(deal).tally.taken });
/** How many tricks lie in the centre (law 7.2); 0 in Single Sir. */
export const pile = (deal) => inCentre(tableOf(deal).tally);
/** The suit that is trump now; null while there is none or it lies face down. */
export const trumpNow = (deal) => tableOf(deal).trump;
/** The card that lies face down (law 6.1), or null. */
export const indicator = (deal) => tableOf(deal).indicator;
/** The cards that a seat still holds, without a hidden indicator; without hands, those it is known to hold. */
export const hand = (deal, seat) => PACK.filter((card) => tableOf(deal).hands[seat].has(card));
/** Whether the deal is decided, or a revoke ended it (laws 8.4, 9.2, 9.3). */
export const isDecided = (deal) => tableOf(deal).over;
/** Whether a team has the first seven and may play for all thirteen (law 9.4). */
export const mayCarryOn = (deal) => !isDecided(deal) && tableOf(deal).tally.court !== null;
/** Whether the record may end here: decided, or seven to nil. */
export const mayEnd = (deal) => isDecided(deal) || tallyMayEnd(tableOf(deal).tally);

/**
 * What the deal counts for if it ends here, as the checker says it: void while nobody has won.
 * @returns {{dealer: string, winner: string|null, award: string, tricks: object, courts: object, trickWinners: string|null,
 *   trump: string|null, revokes: {seat: string, trick: number, card: string|null, led: string|null, corrected: boolean}[]}}
 */
export const found = (deal) => {
  const { standing, tally, winners, trumpAtEnd, revokes } = tableOf(deal);
  const trump = deal.trump.method === "discard" ? trumpAtEnd : deal.trump.suit;
  const outcome = outcomeOf(deal, tally, standing[0]?.seat);
  return { dealer: deal.dealer, ...outcome, trickWinners: winners.join(""), trump, revokes: revokes.map((one) => ({ ...one })) };
};

// -- what may be done, why not, and doing it --------------------------------------------------------------------------

const whyOver = (deal) => {
  const { over, standing } = tableOf(deal);
  if (deal.claim) return { code: "deal-over", law: "8.3" };
  if (!over) return null;
  return { code: "deal-over", law: standing.length ? "8.4" : deal.rules.gather === "single" ? "9.2" : "9.3" };
};

/** The cards that the player to move may hold: the hand, or without hands all that nobody else is known to hold. */
const mayHold = (deal, table) => {
  if (deal.hands) return PACK.filter((card) => table.hands[table.turn].has(card));
  const others = SEATS.filter((seat) => seat !== table.turn);
  return PACK.filter(
    (card) => card !== table.indicator && !table.played.has(card) && !others.some((seat) => table.hands[seat].has(card)),
  );
};

/** Without hands: the trick, from 1, in which a seat showed that it has no card of a suit; null where it did not. */
const showedVoid = (deal, table, seat, suit) => {
  if (deal.hands) return null;
  const shows = ({ leader, cards, turns }) =>
    cards.some((card, place) => {
      if (!place || seatAfter(leader, place) !== seat) return false;
      return [suitOf(cards[0]), turns[place].reveal && deal.trump.suit].includes(suit) && suitOf(card) !== suit;
    });
  return table.tricks.find(shows)?.number ?? null;
};

/** The cards that the player to move may play without revoking, spades first (laws 5, 6); none once the deal is over. */
export const legalCards = (deal) => (whyOver(deal) ? [] : PACK.filter((card) => !whyNotCard(deal, card)));

const whyNotCard = (deal, card) => {
  const table = tableOf(deal);
  const { turn: seat, lead, hands } = table;
  if (card === table.indicator && seat === callerOf(deal.dealer)) {
    return { code: "lies-face-down", law: deal.hands && !hands[seat].size ? "6.5" : "6.2" };
  }
  if (!mayHold(deal, table).includes(card)) return { code: "not-held", law: table.played.has(card) ? "2.1" : "5.1", seat };
  const suit = deal.asked ? deal.trump.suit : lead && suitOf(lead);
  if (suit && suitOf(card) !== suit) {
    if (deal.asked && !lead) return { code: "must-trump", law: "6.4", suit };
    if ([...hands[seat]].some((one) => suitOf(one) === suit)) {
      return deal.asked ? { code: "must-trump", law: seat === callerOf(deal.dealer) ? "6.4" : "6.3", suit } : { code: "must-follow", law: "5.2", suit };
    }
  }
  const shownIn = hands[seat].has(card) ? null : showedVoid(deal, table, seat, suitOf(card));
  return shownIn ? { code: "showed-void", law: "8.1", suit: suitOf(card), trick: shownIn } : null;
};

/**
 * Why the player to move may not play the card now; null where it is allowed.
 * Codes: deal-over, not-held, lies-face-down, must-follow, must-trump (with `suit`), may-not-reveal, may-not-face-down, and,
 * where hands are not known, showed-void: this card makes a revoke of the one that this seat played in `trick`.
 * @returns {{code: string, law: string}|null}
 */
export const whyNot = (deal, card, { reveal: asks = false, faceDown = false } = {}) => {
  if (asks && !deal.asked) {
    const why = whyNotReveal(deal);
    return why ?? whyNot(reveal(deal), card, { faceDown });
  }
  const why = whyOver(deal) ?? whyNotCard(deal, card);
  if (why || !faceDown) return why;
  const table = tableOf(deal);
  return mayFaceDown(deal, table, { seat: table.turn, lead: table.lead }) ? null : { code: "may-not-face-down", law: "6.8" };
};

/** The deal after the player to move has played the card; throws what `whyNot` says. */
export const play = (deal, card, { reveal: asks = false, faceDown = false } = {}) => {
  insist(whyNot(deal, card, { reveal: asks, faceDown }));
  return playAnyway(deal, card, { reveal: asks, faceDown });
};

/**
 * The deal after a turn as it really happened, a revoke included, and after the end too. Throws what nobody could have done:
 * card-repeated, card-not-held, bad-reveal.
 */
export const playAnyway = (deal, card, { reveal: asks = false, faceDown = false } = {}) => {
  if (deal.claim) refuse(whyOver(deal));
  const turns = tableOf(deal).tricks.reduce((before, trick) => before + trick.turns.length, 0);
  if (turns === PACK.length) refuse({ code: "bad-trick", law: "3.3" });
  return tell(deal, { turn: turns, card, reveal: asks || deal.asked, faceDown });
};

const tell = (deal, ...cards) => {
  const after = frozen({ ...deal, asked: false, told: [...deal.told, ...cards] });
  insist(tableOf(after).fault);
  return after;
};

/** Why the indicator may not be turned up now by the player to move (laws 6.1 to 6.5), or null. */
export const whyNotReveal = (deal) => {
  const table = tableOf(deal);
  const law = deal.asked ? "6.1" : lawAgainstReveal(deal, table, { seat: table.turn, lead: table.lead });
  return whyOver(deal) ?? (law ? { code: "may-not-reveal", law } : null);
};

/** The deal with the indicator turned up, the same player still to play. */
export const reveal = (deal) => {
  insist(whyNotReveal(deal));
  return frozen({ ...deal, asked: true });
};

/** Why `seat` may not take back its card of the trick not yet turned over and play this one (law 8.2), or null. */
export const whyNotTakeBack = (deal, seat, card) => {
  try {
    takeBack(deal, seat, card);
    return null;
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return refusal.why;
  }
};

/** The deal after `seat` has taken back its card of the trick not yet turned over and played this one (law 8.2). */
export const takeBack = (deal, seat, card) => {
  const may = (code) => ({ code, law: code === "not-held" ? "5.1" : "8.2", seat });
  if (deal.claim) refuse(whyOver(deal));
  const all = tableOf(deal).tricks;
  const last = all.at(-1);
  const place = last ? last.turns.findIndex((_, at) => seatAfter(last.leader, at) === seat) : -1;
  if (place < 0) refuse(may("may-not-correct"));
  const after = frozen({ ...deal, asked: false, told: [...deal.told, { turn: 4 * (all.length - 1) + place, card }] });
  const { fault } = tableOf(after);
  if (fault) refuse(may(fault.code === "bad-correction" ? "may-not-correct" : "not-held"));
  return after;
};

/** Why no revoke of `seat` in `trick` (null: the first that stood) can be claimed (laws 8.3, 8.6), or null. */
export const whyNotClaim = (deal, seat, trick = null) => {
  if (deal.claim) return whyOver(deal);
  if (revokeClaimed(deal, seat, trick)) return null;
  return { code: handsAreTold(deal) ? "no-such-revoke" : "hands-needed", law: "8.6" };
};

/** The deal with the claim that `seat` revoked in `trick`: it ends the record (law 8.3). */
export const claim = (deal, seat, trick = null) => {
  insist(whyNotClaim(deal, seat, trick));
  return frozen({ ...deal, asked: false, claim: { seat, trick: revokeClaimed(deal, seat, trick).trick } });
};

const revokeClaimed = (deal, seat, trick) => {
  const { standing, later } = tableOf(deal);
  return [...standing, ...later].find((one) => one.seat === seat && (trick === null || one.trick === trick));
};

/** Whether all four hands are known: dealt, or told by fifty-two cards played. */
export const handsAreTold = (deal) => deal.hands !== null || turnsOf(deal.told).length === PACK.length;

/** The deal before what was told last: a claim, an indicator turned up, a card or its correction. */
export const undo = (deal) => {
  if (deal.claim) return frozen({ ...deal, claim: null });
  if (deal.asked) return frozen({ ...deal, asked: false });
  return frozen({ ...deal, told: deal.told.slice(0, -1) });
};

// -- deals of which less is told --------------------------------------------------------------------------------------

/** Whether the winners of the tricks tell who gathered them. */
const winnersDecide = ({ rules, trump }) => {
  if (rules.gather !== "double") return rules.gather === "single";
  return trump ? OPEN.includes(trump.method) : rules.trumpMethods.every((method) => OPEN.includes(method));
};

/** How a deal of which the winners are told stands, and why its record would not do, if so. */
const judgeTricks = (facts, winners) => {
  const { revoke = null, result = null } = facts;
  const why = whyNoDeal(facts, false) ?? (winners.length > ALL_TRICKS ? { code: "bad-value", tag: "Tricks" } : null);
  if (why) return { found: null, why };
  if (revoke && revoke.trick > winners.length + 1) return { found: null, why: { code: "no-such-revoke", law: "8.6" } };
  const before = revoke ? winners.slice(0, revoke.trick - 1) : winners;
  if (!winnersDecide(facts)) return judgeResult({ ...facts, revoke }, result, before);
  const tally = newTally(facts.rules);
  for (const seat of before) if (!tally.decided) count(tally, seat);
  const isLate = revoke !== null && tally.decided; // 8.7: it has no effect
  const stated = statedFinding(facts, isLate ? null : revoke, winners.slice(0, tally.number));
  const outcome = outcomeOf(facts, tally, isLate ? null : revoke?.seat);
  if (outcome.award === "void" && result?.award !== "void") {
    return { found: { ...stated, ...outcome }, why: { code: "undecided", law: "9.1" } };
  }
  const isOther = isLate || !agrees(result, outcome);
  return { found: { ...stated, ...outcome }, why: isOther ? { code: "result-mismatch", law: isLate ? "8.7" : "9.1" } : null };
};

const statedFinding = ({ dealer, trump }, revoke, winners) => ({
  dealer,
  trickWinners: winners ? winners.join("") : null,
  trump: trump?.suit ?? null,
  revokes: revoke ? [{ ...revoke, card: null, led: null, corrected: false }] : [],
});

/** Whether a stated result is the outcome; `court` may be stated for a goon court. */
const agrees = (result, outcome) => {
  if (!result) return true;
  if (result.winner !== outcome.winner) return false;
  if (result.winner === null) return true;
  const isAward = result.award === outcome.award || (result.award === "court" && outcome.award === "goon-court");
  return isAward && result.won === outcome.tricks[result.winner] && result.lost === outcome.tricks[othersOf(result.winner)];
};

const judgeResult = (facts, result, winners = null) => {
  const why = whyNoDeal(facts, false) ?? (result ? whyNotResult(facts, result) : { code: "undecided", law: "9.1" });
  if (why) return { found: null, why };
  return { found: { ...statedFinding(facts, facts.revoke ?? null, winners), ...statedOutcome(facts, result) }, why: null };
};

const statedOutcome = ({ rules, dealer, revoke = null }, { winner, won, lost, award: said }) => {
  if (winner === null) return { winner, award: "void", tricks: nil(), courts: nil() };
  const award = said === "court" && winner === teamOf(dealer) ? "goon-court" : said; // 10.4
  const courts = { ...nil(), [winner]: courtsFor(rules, award) };
  if (revoke && award !== "revoke") courts[othersOf(teamOf(revoke.seat))] += rules.revoke; // 8.7
  return { winner, award, tricks: { [winner]: won, [othersOf(winner)]: lost }, courts };
};

/** The law by which no deal under the rules ends so; null where one can. */
const lawAgainstResult = ({ rules, dealer, revoke = null }, { winner, won, lost, award }) => {
  const isSingle = rules.gather === "single";
  const isCourt = ["court", "goon-court"].includes(award);
  if (winner === null) return revoke ? "9.6" : null;
  if (won + lost > ALL_TRICKS) return "9.1";
  if (award === "goon-court" && winner !== teamOf(dealer)) return "10.4";
  if (revoke && award !== "revoke" && !(isSingle && isCourt && lost === 0)) return "8.4";
  const law = lawAgainstTricks({ isSingle, isCourt, won, lost, award });
  if (law || !revoke) return law;
  const before = revoke.trick - 1;
  if (won + lost > before || (isSingle && won + lost < before)) return "8.5";
  return award === "revoke" && teamOf(revoke.seat) === winner ? "8.5" : null;
};

const lawAgainstTricks = ({ isSingle, isCourt, won, lost, award }) => {
  if (award === "revoke") return isSingle && Math.max(won, lost) >= WINNING_TRICKS ? "8.7" : null;
  if (!isSingle) {
    if (won < WINNING_TRICKS) return "9.1";
    return award === "bavney" || isCourt !== (won === ALL_TRICKS) ? "10.2" : null;
  }
  if ((award === "bavney") !== (won === ALL_TRICKS)) return "10.3";
  if (award === "bavney") return null;
  if (award === "win") return won === WINNING_TRICKS && lost > 0 ? null : "9.2";
  return won >= WINNING_TRICKS && lost <= 1 ? null : "9.4";
};

/**
 * Why no deal ends so: `{ winner: "NS"|"EW"|null, won, lost, award }`, in `facts` a `revoke: { seat, trick }` where there was one.
 * @returns {{code: "result-mismatch", law: string}|null}
 */
export const whyNotResult = (facts, result) => {
  const law = lawAgainstResult({ ...factsOf(facts), revoke: facts.revoke ?? null }, result);
  return law ? { code: "result-mismatch", law } : null;
};

const lesser = (facts) => ({ ...factsOf(facts), revoke: facts.revoke ?? null, result: facts.result ?? null });
const foundOr = ({ found: finding, why }) => finding ?? refuse(why);

/**
 * What the winners of the tricks show, as `found` says it: `fromTricks({ rules, dealer, trump, revoke, result }, ["N", "W"])`.
 * Void while nobody has won; where the winners do not tell who gathered, `result` decides, and `undecided` is thrown without it.
 */
export const fromTricks = (facts, winners) => foundOr(judgeTricks(lesser(facts), winners));
/** Why a record of these tricks would not do, or null: bad-trump, no-such-revoke, undecided, result-mismatch. */
export const whyNotTricks = (facts, winners) => judgeTricks(lesser(facts), winners).why;
/** What a result counts for, as `found` says it; throws what `whyNotResult` says. `trickWinners` is null. */
export const fromResult = (facts, result) => foundOr(judgeResult(lesser(facts), result));

// -- the match (laws 11 to 13) ----------------------------------------------------------------------------------------

/** Courts scored for a run by a deal, and the runs after it (law 11). */
const runsAfter = (rules, runs, { winner, courts }) => {
  if (winner === null) return [nil(), isNil(courts) ? runs : nil()]; // 9.6, 11.2
  const length = runs[winner] + 1;
  const completes = length >= rules.streak;
  if (!isNil(courts) && !(completes && rules.streakAndCourt === "both")) return [nil(), nil()]; // 11.2, 11.3
  return completes ? [{ ...nil(), [winner]: rules.streakCourt }, nil()] : [nil(), { ...nil(), [winner]: length }];
};

/** Who deals after a deal (law 12); `scored`: the winners scored a court of any kind in it. */
export const dealerAfter = (dealer, winner, scored) => {
  if (winner === null) return dealer; // 9.6
  if (winner === teamOf(dealer)) return rightOf(dealer); // 12.1
  return scored ? partnerOf(dealer) : dealer; // 12.3, 12.2
};

/**
 * The account of a match, a line for each deal: its dealer, what it scored with a run's courts, and after it the courts and
 * bavneys of the match, the deals won running, who deals next, and who leads (laws 11 to 13).
 * @param firstDealer who deals first, where the first deal does not say it.
 * @param deals what was `found` in each; null for one that counts nothing.
 * @returns {{dealer: string, scored: object, runCourts: object, courts: object, bavneys: object, runs: object,
 *   nextDealer: string, leader: string|null}[]}
 */
export const ledgerOf = (rules, firstDealer, deals) => {
  const wanted = understood(rules, rulesOf);
  let [courts, bavneys, runs, nextDealer] = [nil(), nil(), nil(), firstDealer];
  return deals.map((deal) => {
    const dealer = deal?.dealer ?? nextDealer;
    let [scored, runCourts] = [nil(), nil()];
    if (deal) {
      [runCourts, runs] = runsAfter(wanted, runs, deal);
      scored = sum(deal.courts, runCourts);
      courts = sum(courts, scored);
      if (deal.award === "bavney") bavneys = sum(bavneys, { ...nil(), [deal.winner]: 1 });
      nextDealer = dealerAfter(dealer, deal.winner, deal.winner !== null && scored[deal.winner] > 0);
    }
    const leader = courts.NS === courts.EW ? null : courts.NS > courts.EW ? "NS" : "EW"; // 13.2
    return { dealer, scored, runCourts, courts, bavneys, runs, nextDealer, leader };
  });
};

// -- PCN, the portable notation: the export form, and the server's JSON form of a record ------------------------------
//
// A record is `{ tags: { Event: "…", … }, tricks, claim, comments }` as the server's JSON has it: `tricks` null or a list of
// lists of `{ cards, reveal, face_down }`, `claim` null or `{ seat, trick }`, `comments` of `{ trick, play, text }`.

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
  const plays = ({ turns }) => turns.map(({ cards, reveal: asks, faceDown }) => ({ cards, reveal: asks, face_down: faceDown }));
  return { tags: { ...own, ...tags }, tricks: tableOf(deal).tricks.map(plays), claim: claimed, comments: [] };
};

const tagLine = ([name, value]) => `[${name} "${value.normalize("NFC").replace(/[\\"]/g, "\\$&")}"]`;
const playText = ({ cards, reveal: asks, face_down }) => (asks ? "^" : face_down ? "_" : "") + cards.join(">");
const endText = (claimed) => (claimed ? `!${claimed.seat}${claimed.trick ?? ""}` : "*");

/** The record in the export form, byte for byte as the server writes it, with a final newline and without the first line of a file. */
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
    const [, name, value] = /^\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]$/.exec(line) ?? refuse({ code: "bad-syntax", line });
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
  const facts = factsOf({ rules: tags.Rules, dealer: tags.Dealer, hands: tags.Hands, firstFive: tags.FirstFive, trump: tags.Trump });
  if (facts.firstFive && new Set(facts.firstFive).size !== 5) refuse({ code: "bad-value", tag: "FirstFive" });
  const [seat, trick] = wordsOf(tags.Revoke);
  return { ...facts, revoke: seat ? { seat, trick: Number(trick) } : null, result: "Result" in tags ? resultOf(tags.Result) : null };
};

const toldOf = (played) =>
  played.flatMap((plays, trick) =>
    plays.flatMap(({ cards, reveal: asks, face_down }, place) =>
      cards.map((card, number) =>
        number ? { turn: 4 * trick + place, card } : { turn: 4 * trick + place, card, reveal: asks, faceDown: face_down },
      ),
    ),
  );

const hasBadTrick = (played) =>
  played.length > ALL_TRICKS || played.some((plays, index) => plays.length > 4 || (plays.length < 4 && index < played.length - 1));

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
    return "Tricks" in record.tags ? withoutUndecided(judgeTricks(facts, wordsOf(record.tags.Tricks))) : judgeResult(facts, facts.result);
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return { found: null, why: refusal.why };
  }
};

const withoutUndecided = ({ found: finding, why }) => ({ found: why?.code === "undecided" ? null : finding, why });

const judgeFull = (record) => {
  let deal = dealOf(record);
  const { result } = factsOfTags(record.tags);
  if (!handsAreTold(deal)) refuse({ code: "hands-needed", law: "5.2" });
  insist(whyNoDeal({ ...deal, hands: deal.hands ?? handsPlayed(deal) }, record.tricks.length > 0));
  if (record.claim) deal = claim(deal, record.claim.seat, record.claim.trick);
  if (!mayEnd(deal) && result?.award !== "void") refuse({ code: "undecided", law: "9.1" });
  const finding = found(deal);
  return { found: finding, why: agrees(result, finding) ? null : { code: "result-mismatch", law: "9.1" } };
};

const handsPlayed = (deal) => {
  const plays = tricks(deal).flatMap((trick) => trick.plays);
  return Object.fromEntries(SEATS.map((seat) => [seat, plays.filter((one) => one.seat === seat).map(({ card }) => card)]));
};
