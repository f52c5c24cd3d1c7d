// A deal with its cards: what was told of it, what follows from that, what may be done next and why not.
//
// A deal is a frozen value that JSON keeps whole; every change returns another, and what is so is worked out from what was
// told, as the engine replays a record. A card is "HT", a seat "N", a team "NS".
import {
  CARDS, HIDDEN, NO_TRUMP, OPEN, PACK, SEATS, callerOf, count, factsOf, frozen, inCentre, insist, newTally, outcomeOf,
  refuse, seatAfter, suitOf, tallyMayEnd, whyNoDeal, winningPlace,
} from "./rules.js";

// -- what was told, laid out and judged ------------------------------------------------------------------------------

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

const openTrump = ({ trump }) => (OPEN.includes(trump.method) ? trump.suit : null);

/** The tricks as they lie on the table, whoever had a right to play what: leader, cards that stand, trump, winner. */
const layOut = (deal) => {
  const { rules, dealer, trump: made, told } = deal;
  const turns = turnsOf(told);
  const isHidden = HIDDEN.includes(made.method);
  let trump = openTrump(deal);
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
  table.trump = last === undefined ? openTrump(deal) : last.trump;
  if (deal.asked) turnUp(deal, table);
  return table;
};

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
  if (!CARDS.has(card)) return { code: "card-not-held", law: "2.1", card };
  if (table.hands[seat].has(card)) return null;
  if (card === table.indicator && seat === callerOf(deal.dealer)) return { code: "bad-reveal", law: "6.2", card };
  return whyRepeated(table, card) ?? { code: "card-not-held", law: "5.1", card };
};

/** The cards of a hand that are no revoke: `must` is the trump suit of a player who has asked for it (laws 5.2, 6.3, 6.4). */
const mayPlay = (hand, { lead, must }) => {
  const suit = must ?? (lead ? suitOf(lead) : null);
  const fitting = [...hand].filter((card) => suitOf(card) === suit);
  return fitting.length ? new Set(fitting) : hand;
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
  turns.map((turn, place) => ({ seat: seatAfter(leader, place), card: turn.cards.at(-1), ...turn }));

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
    return { code: "lies-face-down", law: "6.2" };
  }
  if (!mayHold(deal, table).includes(card)) return { code: "not-held", law: table.played.has(card) ? "2.1" : "5.1", seat };
  const suit = deal.asked ? deal.trump.suit : lead && suitOf(lead);
  if (suit && suitOf(card) !== suit && [...hands[seat]].some((one) => suitOf(one) === suit)) {
    if (!deal.asked) return { code: "must-follow", law: "5.2", suit };
    return { code: "must-trump", law: seat === callerOf(deal.dealer) ? "6.4" : "6.3", suit };
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

export const tell = (deal, ...cards) => {
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
