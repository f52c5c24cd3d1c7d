// The table, the rules, and what tricks, results and matches count for: all that can be said without a card being played.
//
// Numbers in comments, and `law` in what is refused, are those of docs/laws.md. Names exported here but not by ../laws.js
// are for its other parts.

// -- the table and the pack (laws 1 and 2) ----------------------------------------------------------------------------

/** The seats to the right from South, as everything goes (law 1.2). */
export const SEATS = Object.freeze(["S", "E", "N", "W"]);
export const TEAMS = Object.freeze(["NS", "EW"]);
const SUITS = "SHDC";
const RANKS = "AKQJT98765432";
/** All cards, spades first and from high to low. */
export const PACK = Object.freeze([...SUITS].flatMap((suit) => [...RANKS].map((rank) => suit + rank)));
export const CARDS = new Set(PACK);
export const ALL_TRICKS = 13;
const WINNING_TRICKS = 7;

export const seatAfter = (seat, places) => SEATS[(SEATS.indexOf(seat) + places) % 4];
/** The seat that deals and plays next (law 1.2). */
export const rightOf = (seat) => seatAfter(seat, 1);
/** The seat opposite (law 1.1). */
export const partnerOf = (seat) => seatAfter(seat, 2);
/** The seat that makes trump and leads (law 3.2). */
export const callerOf = rightOf;
/** "NS" or "EW" (law 1.1). */
export const teamOf = (seat) => TEAMS[SEATS.indexOf(seat) % 2];
export const othersOf = (team) => (team === "NS" ? "EW" : "NS");
export const suitOf = (card) => card[0];
const nil = () => ({ NS: 0, EW: 0 });
const sum = (one, other) => ({ NS: one.NS + other.NS, EW: one.EW + other.EW });
const isNil = (score) => !score.NS && !score.EW;

/** What a door throws that may not be gone through: its `why` is what `whyNot` gives, `{ code, law, … }`. */
export const refuse = (why) => {
  throw Object.assign(new Error(`${why.code} (law ${why.law ?? "of the notation"})`), { why });
};
export const insist = (why) => why && refuse(why);

// -- named rules and their options (law 14) ---------------------------------------------------------------------------

export const OPEN = ["announced", "card", "turned", "named"];
export const HIDDEN = ["hidden", "blind"];
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

export const frozen = (value) => {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};

// -- a deal as it is told ---------------------------------------------------------------------------------------------

export const NO_TRUMP = Object.freeze({ method: "discard", suit: null, card: null, number: null });

/**
 * How trump was made, from its text in a record: "S", "S card S7", "H named 7 H9", "D hidden D7", "-" (law 4).
 * @returns {{method: string, suit: string|null, card: string|null, number: number|null}}
 */
export const trumpOf = (text) => {
  const unknown = () => refuse({ code: "bad-value", tag: "Trump" });
  if (text === "-") return NO_TRUMP;
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
export const whyNoDeal = ({ rules, dealer, hands, firstFive, trump }, hasCards = true) => {
  const bad = (code, law) => ({ code, law });
  if (!SEATS.includes(dealer)) return { code: "bad-value", tag: "Dealer" };
  if (firstFive && new Set(firstFive.filter((card) => CARDS.has(card))).size !== 5) return bad("bad-hands", "3.3");
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

const understood = (value, read) => (typeof value === "string" ? read(value) : value);
export const factsOf = ({ rules = "court-piece", dealer, hands = null, firstFive = null, trump = null }) => ({
  rules: understood(rules, rulesOf),
  dealer,
  hands: understood(hands, handsOf),
  firstFive: understood(firstFive, (text) => text.split(" ")),
  trump: understood(trump, trumpOf),
});

// -- tricks and piles (laws 5 to 7) -----------------------------------------------------------------------------------

/** The place, from 0, of the card that wins: cards of the trump suit are trumps from `trumpFrom` on (laws 5.3, 6.6 to 6.8). */
export const winningPlace = (cards, { trump, trumpFrom, faceDownAt }) => {
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
export const newTally = (rules) => ({ rules, number: 0, taken: nil(), decided: false, court: null, pair: null });

export const inCentre = ({ rules, number, taken }) => (rules.gather === "single" ? 0 : number - taken.NS - taken.EW);

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
export const count = (tally, seat, card = "", known = true) => {
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

export const tallyMayEnd = ({ decided, court }) => decided || court !== null;

/** What the deal counts for where the tally stands; void while nobody has won (laws 8.5, 8.7, 9, 10). */
export const outcomeOf = ({ rules, dealer }, tally, revoker = null) => {
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

// -- deals of which less is told --------------------------------------------------------------------------------------

/** Whether the winners of the tricks tell who gathered them. */
const winnersDecide = ({ rules, trump }) => {
  if (rules.gather !== "double") return rules.gather === "single";
  return trump ? OPEN.includes(trump.method) : rules.trumpMethods.every((method) => OPEN.includes(method));
};

/** How a deal of which the winners are told stands, and why its record would not do, if so. */
export const judgeTricks = (facts, winners) => {
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
export const agrees = (result, outcome) => {
  if (!result) return true;
  if (result.winner !== outcome.winner) return false;
  if (result.winner === null) return true;
  const isAward = result.award === outcome.award || (result.award === "court" && outcome.award === "goon-court");
  return isAward && result.won === outcome.tricks[result.winner] && result.lost === outcome.tricks[othersOf(result.winner)];
};

export const judgeResult = (facts, result, winners = null) => {
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
 * Why no deal ends so: `{ winner: "NS"|"EW"|null, won, lost, award }`; `facts` has `revoke: { seat, trick }` if there was one.
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
