// A deal entered card by card: legal cards are bright, the others say why not, and what happened all the same is recorded.
import * as laws from "../laws.js";
import {
  begin, isAtEnd, isCourt, knownHands, lacks, mayFaceDown, mayLieHidden, nameIndicator, playCard, playedIn, recordIn, settled, whyNot, withHands,
} from "./cards-deal.js";
import { claimAsks, happened, sideParts, trickParts, whySays } from "./cards-play.js";
import { backOf, isSetup, nextButton, onwardOf, orderFrom, setupParts } from "./cards-setup.js";
import { cardText, gridOf } from "./cards.js";
import { courtAsks } from "./entry-tricks.js";
import { areFull, filled, handsGrid } from "./hands-grid.js";
import { atStage, fill, make, renew, seatWord, words } from "./words.js";

const key = (name, word, onclick, kind = "button--quiet") => make("button", { type: "button", class: `button ${kind}`, "data-key": name, onclick }, words[word]);

/** Change the state by `work`; what laws.js refuses is said, and nothing else changes. */
const attempt = (context, facts, work) => {
  try {
    return work();
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return context.change({ ...context.state, refused: null }, whySays(refusal.why, facts));
  }
};

// -- what can be done ----------------------------------------------------------------------------------------------------

const play = (context, card, anyway = false) => {
  const { state } = context;
  const seat = laws.turn(state.deal);
  const why = anyway ? null : whyNot(state, card);
  if (why) return context.change({ ...state, refused: { card, why } }, whySays(why, { seat, card }));
  return attempt(context, { seat, card }, () => {
    const next = playCard(state, card, { anyway });
    context.change(next, happened(state.deal, next.deal, { seat, card, anyway }));
  });
};
const tapped = (context, card) => {
  const { state } = context;
  const seat = state.takingBack;
  if (!seat) return play(context, card);
  return attempt(context, { seat, card }, () => {
    const deal = laws.takeBack(state.deal, seat, card);
    context.change({ ...settled(state), deal }, fill("took-back", { seat: seatWord(seat), card: cardText(card) }));
  });
};
const mayAnyway = ({ state }) => {
  try {
    return Boolean(state.refused && playCard(state, state.refused.card, { anyway: true }));
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return false;
  }
};
const takeBack = (context, seat) => {
  const { state } = context;
  const next = { ...settled(state), takingBack: state.takingBack === seat ? null : seat };
  context.change(next, next.takingBack ? fill("which-instead", { seat: seatWord(seat) }) : []);
};
const turnUp = (context, state = context.state) => {
  if (state.secret) return context.change({ ...settled(state), stage: "turned" }, [words["which-turned"]]);
  const deal = laws.reveal(state.deal);
  return context.change({ ...settled(state), stage: "play", deal }, fill("turned-up", { card: cardText(deal.trump.card), seat: seatWord(laws.turn(deal)) }));
};
const claimIt = (context) => {
  const { state } = context;
  const { seat, trick } = state.claiming;
  const why = laws.whyNotClaim(state.deal, seat, trick);
  if (why) return context.change({ ...state, claiming: null }, whySays(why, { seat }));
  return context.change({ ...settled(state), deal: laws.claim(state.deal, seat, trick) }, fill("claimed", { seat: seatWord(seat), trick }));
};
const layOut = (context) => {
  const { state } = context;
  const known = knownHands(state);
  const order = orderFrom(context.dealer);
  context.change({ ...settled(state), stage: "rest", ...filled(known, order.find((seat) => known[seat].length < 13) ?? order[0], order) });
};
const tellHands = (context) => attempt(context, {}, () => context.change(withHands(context.state, context.state.hands)));
const undo = (context) => {
  const { state } = context;
  const { deal } = state;
  if (state.takingBack || state.claiming || state.refused || state.faceDown) return context.change(settled(state));
  if (state.stage !== "play") return context.change({ ...settled(state), stage: "play" });
  if (state.level) return context.change({ ...state, level: null });
  if (state.ended) return context.change({ ...state, ended: false });
  if (deal.hands && state.known !== "hands") {
    const { Hands: _hands, ...tags } = laws.recordOf(deal).tags;
    return context.change({ ...state, deal: laws.dealOf({ ...laws.recordOf(deal), tags }) });
  }
  if (!deal.told.length && !deal.asked) return context.change(String(deal.rules.trumpMethods) === "discard" ? begin() : { ...state, stage: "trump", trump: null, deal: null, secret: false });
  const before = laws.undo(deal);
  const carriesOn = state.carriesOn && laws.mayCarryOn(before) && before.told.length > 28; // Else it is asked again.
  const last = deal.told.at(-1);
  return context.change({ ...state, deal: before, carriesOn }, deal.claim || deal.asked ? [words.undone] : fill("undone-card", { card: cardText(last.card) }));
};

// -- what is shown -------------------------------------------------------------------------------------------------------

const grid = (context) => {
  const { state } = context;
  const { deal, takingBack } = state;
  const seat = takingBack ?? laws.turn(deal);
  const played = new Set(playedIn(deal));
  const why = (card) => (takingBack ? laws.whyNotTakeBack(deal, takingBack, card) : whyNot(state, card));
  const look = (card) => {
    if (played.has(card) && !laws.hand(deal, seat).includes(card)) return { state: "gone", says: words["was-played"] };
    return why(card) ? { state: "dim", says: words["not-now"] } : {};
  };
  const lies = !state.secret && laws.indicator(deal);
  const own = deal.hands ? laws.PACK.filter((card) => laws.hand(deal, seat).includes(card) || (card === lies && deal.hands[seat].includes(card))) : null;
  return gridOf(own, { tap: (card) => tapped(context, card), look });
};

/** What is still to be told when the deal is over. */
const lacking = (context) => {
  const { state } = context;
  if (lacks(state) === "indicator") {
    const tap = (card) => attempt(context, { card }, () => context.change(nameIndicator(state, card)));
    return [make("p", {}, words["which-turned"]), gridOf(mayLieHidden(state), { tap })];
  }
  return [
    make("p", {}, words["cards-not-told"]),
    make("p", { class: "asks__buttons" }, key("level", "save-tricks", () => context.change({ ...state, level: "tricks" })), key("lay-out", "lay-out", () => layOut(context), "")),
  ];
};
/** Whether the revoke that ended the deal lies on the table still, so that it can be corrected (law 8.2). */
const mayCorrect = ({ deal }) => {
  const last = laws.found(deal).revokes.at(-1);
  return !deal.claim && last && !last.corrected && last.trick === laws.tricks(deal).length && !laws.trickSoFar(deal).length;
};
const below = (context) => {
  const { state } = context;
  if (state.claiming) {
    const change = (facts) => context.change({ ...state, claiming: { ...state.claiming, ...facts } });
    return claimAsks(state, { match: context.match, change, done: () => claimIt(context), back: () => context.change(settled(state)) });
  }
  const court = isCourt(state) && !state.carriesOn;
  if (court && !state.ended) return courtAsks(context, laws.found(state.deal));
  const isOver = isAtEnd(state) && !(isCourt(state) && state.carriesOn);
  if (!isOver || state.takingBack) return grid(context);
  const said = state.level ? "saves-tricks" : mayCorrect(state) ? "may-correct" : "decided";
  return make("div", { class: "asks" }, make("p", { class: "decided" }, words[said]), ...(lacks(state) ? lacking(context) : []));
};

const playStage = (context) => {
  const { state, match } = context;
  const isOver = isAtEnd(state) && !(isCourt(state) && state.carriesOn);
  const facts = { match, turn: isOver ? null : laws.turn(state.deal), isOver, takingBack: state.takingBack, takeBack: (seat) => takeBack(context, seat) };
  return [make("div", { class: "play__head" }, trickParts(state, facts), sideParts(state, facts)), below(context)];
};
const turnedStage = (context) => {
  const tap = (card) => attempt(context, { card }, () => turnUp(context, nameIndicator(context.state, card)));
  return [make("h3", { class: "stage__title" }, words["which-turned"]), gridOf(mayLieHidden(context.state), { tap })];
};
const restStage = (context) => {
  const { state } = context;
  const { hands, seat } = state;
  const fixed = Object.values(knownHands(state)).flat();
  return [
    make("h3", { class: "stage__title" }, ...(areFull(hands) ? [words["hands-full"]] : fill("hands-of", { seat: seatWord(seat), name: context.match.seats[seat].name, count: hands[seat].length }))),
    ...handsGrid({ match: context.match, hands, seat, fixed, order: orderFrom(context.dealer), change: (facts) => context.change({ ...state, ...facts }) }),
  ];
};
const STAGES = { play: playStage, turned: turnedStage, rest: restStage };

export const cards = {
  name: "cards",
  start: begin,
  redealt: begin,
  draw(box, context) {
    renew(box, (isSetup(context.state) ? setupParts(context) : STAGES[context.state.stage](context)).flat());
    atStage(box, context.state.stage);
  },
  tools(context) {
    const { state } = context;
    if (isSetup(state)) return [backOf(context), onwardOf(context)].filter(Boolean);
    const { deal } = state;
    if (state.stage === "rest" && areFull(state.hands)) return [key("undo-card", "back", () => undo(context)), nextButton("hands-done", () => tellHands(context))];
    const anyway = mayAnyway(context) ? key("anyway", "play-anyway", () => play(context, state.refused.card, true), "button--warn") : [];
    if (state.stage !== "play") return key("undo-card", "back", () => undo(context));
    const isOpen = !isAtEnd(state) || (isCourt(state) && state.carriesOn);
    const reveal = isOpen && !laws.whyNotReveal(deal) && !state.takingBack ? key("reveal", "turn-up", () => turnUp(context)) : [];
    const faceDown = isOpen && mayFaceDown(state) && !state.takingBack
      ? make("button", { type: "button", class: "button button--quiet", "data-key": "down", "aria-pressed": String(state.faceDown), onclick: () => context.change({ ...state, faceDown: !state.faceDown }, state.faceDown ? [] : [words["which-down"]]) }, words["face-down"])
      : [];
    const claim = laws.tricks(deal).length && !deal.claim && !state.claiming ? key("claim", "claim", () => context.change({ ...settled(state), claiming: { seat: null, trick: null } })) : [];
    return [anyway, key("undo-card", "undo-trick", () => undo(context)), reveal, faceDown, claim].flat();
  },
  facts({ state }) {
    if (!state.deal) return null;
    const found = laws.found(state.deal);
    const { method } = state.deal.trump;
    const trump = state.secret || method === "discard" ? null : state.deal.trump;
    return { found: isAtEnd(state) ? found : null, winners: [...found.trickWinners], trump };
  },
  record(context) {
    const { state } = context;
    if (state.stage !== "play" || state.takingBack || state.claiming || !isAtEnd(state) || lacks(state)) return null;
    return recordIn(context);
  },
  playing({ number, state }) {
    if (!state.deal) return null;
    const { Result: _result, ...tags } = laws.recordOf(state.deal, { Deal: String(number) }).tags;
    if (state.secret) delete tags.Trump;
    return laws.toPcn({ ...laws.recordOf(state.deal), tags });
  },
};
