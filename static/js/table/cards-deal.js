// A deal told card by card, as a plain value that a draft keeps; all rules are those of laws.js.
//
// The state: `stage` is known, five, hands, trump, play, turned (which card lay face down?) or rest (who held what was not
// played?); `deal` is laws.js's from `play` on. While nobody at the table has seen the indicator `secret` is true, and a card that
// nobody has played stands in for it: before it is turned up nothing hangs on which it is (law 6.1).
import * as laws from "../laws.js";

export const HIDDEN = ["hidden", "blind"];
export const begin = () => ({
  stage: "known", known: null, five: [], hands: null, seat: null, trump: null, deal: null, secret: false, level: null,
  faceDown: false, takingBack: null, claiming: null, carriesOn: false, ended: false, refused: null, extra: null,
});
/** What was asked and answered in passing, over. */
export const settled = (state) => ({ ...state, faceDown: false, takingBack: null, claiming: null, refused: null });

export const methodsOf = ({ match }) => laws.rulesOf(match.rules).trumpMethods;
const without = (cards, others) => cards.filter((card) => !others.includes(card));
export const playedIn = (deal) => deal.told.map(({ card }) => card);
/** The cards that the indicator may be, as far as is known. */
export const mayLieHidden = ({ deal, known, five, hands, match, dealer }) => {
  const from = known === "five" ? five : known === "hands" ? hands[laws.callerOf(dealer ?? deal.dealer)] : laws.PACK;
  return deal ? without(from, playedIn(deal)) : from;
};

/** The deal before the first lead; throws what laws.js says against it. */
const dealt = ({ match, dealer }, { known, five, hands, trump }) =>
  laws.newDeal({ rules: match.rules, dealer, hands: known === "hands" ? hands : null, firstFive: known === "five" ? five : null, trump });

/** The state when trump is made: play begins. `trump.card` is null for an indicator that nobody has seen. */
export const beginPlay = (context, state) => {
  const { trump } = state;
  const secret = HIDDEN.includes(trump.method) && !trump.card;
  const standsIn = secret ? mayLieHidden({ ...state, dealer: context.dealer }).at(-1) : null;
  const deal = dealt(context, { ...state, trump: secret ? { ...trump, suit: standsIn[0], card: standsIn } : trump });
  return { ...settled(state), stage: "play", deal, secret };
};

/** The same deal with another card as its indicator. */
const withIndicator = (deal, card) => {
  const record = laws.recordOf(deal);
  const Trump = laws.trumpText({ ...deal.trump, suit: laws.suitOf(card), card });
  return laws.dealOf({ ...record, tags: { ...record.tags, Trump } });
};
/** The state now that the indicator is known. */
export const nameIndicator = (state, card) => ({ ...state, deal: withIndicator(state.deal, card), secret: false });

/** The deal in which this card can be played: an indicator that nobody has seen is not it. */
const dealFor = (state, card) => {
  const { deal, secret } = state;
  if (!secret || deal.trump.card !== card) return deal;
  const other = without(mayLieHidden(state), [card]).at(-1);
  return other ? withIndicator(deal, other) : deal;
};
export const isLastOfCaller = ({ deal }) =>
  laws.turn(deal) === laws.callerOf(deal.dealer) && [...laws.tricks(deal).flatMap(({ plays }) => plays), ...laws.trickSoFar(deal)].filter(({ seat }) => seat === laws.turn(deal)).length === 12;

/** Why the card may not be played now, or null; how it is played: face down, or as the indicator that it is. */
export const whyNot = (state, card) => {
  const deal = dealFor(state, card);
  return laws.whyNot(deal, card, howOf(state, card));
};
const howOf = ({ deal, secret, faceDown }, card) => {
  const isIndicator = !secret && laws.indicator(deal) === card && laws.turn(deal) === laws.callerOf(deal.dealer);
  return { faceDown, reveal: isIndicator && !laws.whyNotReveal(deal) };
};
/** The state after the card; `anyway`: it was played though no law allows it. Throws what nobody could have done. */
export const playCard = (state, card, { anyway = false } = {}) => {
  const known = state.secret && isLastOfCaller(state) ? nameIndicator(state, card) : state; // 6.5
  const deal = dealFor(known, card);
  const how = howOf(known, card);
  return { ...settled(known), ended: false, deal: anyway ? laws.playAnyway(deal, card, how) : laws.play(deal, card, how) };
};
export const mayFaceDown = ({ deal, faceDown }) =>
  deal.trump.method === "hidden" && (faceDown || laws.PACK.some((card) => !laws.whyNot(deal, card, { faceDown: true })));

// -- the end -------------------------------------------------------------------------------------------------------------

/** Whether it is still to be told who held the cards not played, or which card lay face down. */
export const lacks = ({ deal, secret, level }) => {
  if (secret && level !== "tricks") return "indicator";
  return laws.handsAreTold(deal) || level === "tricks" ? null : "hands";
};
export const isCourt = ({ deal }) => !deal.claim && laws.mayCarryOn(deal);
/** Whether the deal can end as it stands. */
export const isAtEnd = ({ deal, ended, carriesOn }) => Boolean(deal.claim) || laws.isDecided(deal) || (laws.mayCarryOn(deal) && (ended || carriesOn));

/** Each seat's cards as far as they are known: played, or known to be held. */
export const knownHands = ({ deal }) => {
  const plays = [...laws.tricks(deal).flatMap((trick) => trick.plays), ...laws.trickSoFar(deal)];
  const lying = laws.indicator(deal);
  const of = (seat) => new Set([...plays.filter((one) => one.seat === seat).map(({ card }) => card), ...laws.hand(deal, seat), ...(lying && seat === laws.callerOf(deal.dealer) ? [lying] : [])]);
  return Object.fromEntries(laws.SEATS.map((seat) => [seat, [...of(seat)]]));
};
/** The state with all four hands told; throws what laws.js says against them. */
export const withHands = (state, hands) => {
  const record = laws.recordOf(state.deal);
  const Hands = laws.handsText(hands, laws.callerOf(state.deal.dealer));
  const deal = laws.dealOf({ ...record, tags: { ...record.tags, Hands } });
  return { ...settled(state), stage: "play", deal };
};

/** The record of the deal as it stands, with its cards, or where that was chosen with who won each trick. */
export const recordIn = ({ number, state }) => {
  const { deal, level, extra } = state;
  const tags = { ...extra?.tags, Deal: String(number) };
  if (level !== "tricks") return { ...laws.recordOf(deal, tags), comments: extra?.comments ?? [] };
  const found = laws.found(deal);
  const { Rules, Dealer, Trump, FirstFive } = laws.recordOf(deal).tags;
  const revoke = found.revokes.find(({ corrected }) => !corrected);
  Object.assign(tags, { Rules, Dealer, Tricks: [...found.trickWinners].join(" "), Result: laws.resultText(found) });
  if (!state.secret) tags.Trump = Trump;
  if (FirstFive) tags.FirstFive = FirstFive;
  if (revoke) tags.Revoke = `${revoke.seat} ${revoke.trick}`;
  return { tags, tricks: null, claim: null, comments: [] };
};
