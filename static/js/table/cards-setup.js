// Before the first lead: what is known of the hands, and how trump was made (law 4).
import * as laws from "../laws.js";
import { HIDDEN, beginPlay, mayLieHidden, methodsOf, settled } from "./cards-deal.js";
import { gridOf, suitMark, suitText, suitWord } from "./cards.js";
import { areFull, handsGrid } from "./hands-grid.js";
import { bdi, button, fill, make, part, seatWord, words } from "./words.js";

const NUMBERS = [6, 7, 8, 9, 10, 11, 12, 13];
const heading = (...nodes) => make("h3", { class: "stage__title" }, ...nodes);
const pressable = (key, isPressed, onclick, ...label) =>
  make("button", { type: "button", class: "choose", "data-key": key, "aria-pressed": isPressed === null ? null : String(isPressed), onclick }, ...label);
/** The way on, for the foot, where it is always in view; the focus goes on with it. */
export const nextButton = (word, onclick) => {
  const go = () => {
    onclick();
    part('way="cards"').querySelector("button")?.focus({ preventScroll: true });
  };
  return make("button", { type: "button", class: "button", "data-key": "next", onclick: go }, words[word]);
};
const named = ({ match }, seat) => ({ seat: seatWord(seat), name: bdi(match.seats[seat].name) });
/** From the caller to the right, as the cards are dealt. */
export const orderFrom = (dealer) => [0, 1, 2, 3].reduce((seats) => [...seats, laws.rightOf(seats.at(-1) ?? dealer)], []);

// -- what is known -------------------------------------------------------------------------------------------------------

const toTrump = (context, state) => {
  const methods = methodsOf(context);
  const next = { ...state, stage: "trump", trump: methods.length === 1 ? { method: methods[0], suit: null, card: null, number: null } : null };
  return String(methods) === "discard" ? beginPlay(context, next) : next;
};
const know = (context, known) => {
  const state = { ...settled(context.state), known, deal: null };
  const hands = state.hands ?? { N: [], E: [], S: [], W: [] };
  if (known === "nothing") context.change(toTrump(context, state));
  else if (known === "five") context.change({ ...state, stage: "five" });
  else context.change({ ...state, stage: "hands", hands, seat: state.seat ?? laws.callerOf(context.dealer) });
};
const knownStage = (context) => {
  const one = (known) => pressable(`known-${known}`, null, () => know(context, known), make("span", {}, words[`known-${known}`]), make("small", {}, words[`means-known-${known}`]));
  return [heading(words["what-is-known"]), make("div", { class: "entry__known" }, ...["nothing", "five", "hands"].map(one))];
};

const fiveStage = (context) => {
  const { state } = context;
  const { five } = state;
  const tap = (card) => {
    const next = five.includes(card) ? five.filter((one) => one !== card) : five.length < 5 ? [...five, card] : five;
    context.change({ ...state, five: next });
  };
  const look = (card) => ({ state: five.includes(card) ? "mine" : five.length === 5 ? "dim" : "", pressed: five.includes(card) });
  return [
    heading(...fill("five-of", { ...named(context, laws.callerOf(context.dealer)), count: five.length })),
    gridOf(null, { tap, look }),
  ];
};

const handsStage = (context) => {
  const { state } = context;
  const { hands, seat } = state;
  return [
    heading(...(areFull(hands) ? [words["hands-full"]] : fill("hands-of", { ...named(context, seat), count: hands[seat].length }))),
    ...handsGrid({ match: context.match, hands, seat, order: orderFrom(context.dealer), change: (facts) => context.change({ ...state, ...facts }) }),
  ];
};

// -- trump ---------------------------------------------------------------------------------------------------------------

/** Whether the method is one where a card is laid or turned. */
const hasCard = (method) => !["announced", "discard"].includes(method);
const mayBeTrump = (context, method) => {
  const { state } = context;
  const from = mayLieHidden({ ...state, dealer: context.dealer, deal: null });
  const isLater = ["turned", "named"].includes(method); // 4.8
  if (state.known === "five" && isLater) return laws.PACK.filter((card) => !state.five.includes(card));
  return from === laws.PACK ? null : from;
};
const makeTrump = (context, trump) => {
  const state = { ...context.state, trump };
  const isMade = trump.method === "discard" || (hasCard(trump.method) ? trump.card !== undefined : trump.suit);
  if (!isMade) return context.change(state);
  try {
    return context.change(beginPlay(context, state));
  } catch (refusal) {
    if (!refusal.why) throw refusal;
    return context.change({ ...state, trump: { ...trump, card: undefined, suit: null } }, fill("trump-refused", { law: refusal.why.law }));
  }
};

const trumpStage = (context) => {
  const { trump } = context.state;
  const caller = named(context, laws.callerOf(context.dealer));
  const choose = (method) => makeTrump(context, { method, suit: null, card: undefined, number: null });
  const methods = methodsOf(context);
  const one = (method) => pressable(`method-${method}`, trump?.method === method, () => choose(method), make("span", {}, words[`method-${method}`]), make("small", {}, words[`means-method-${method}`]));
  const several = methods.length > 1 ? make("div", { class: "entry__methods" }, ...methods.map(one)) : make("p", { class: "muted" }, words[`means-method-${methods[0]}`]);
  return [heading(...fill("trump-by", caller)), several, ...(trump ? detailOf(context, trump) : [])];
};
const detailOf = (context, trump) => {
  if (trump.method === "announced") {
    const suit = (one) => pressable(`suit-${one}`, null, () => makeTrump(context, { ...trump, suit: one }), suitMark(one), make("span", {}, suitWord(one)));
    return [make("div", { class: "entry__suits", role: "group", "aria-label": words["which-suit"] }, ...[..."SHDC"].map(suit))];
  }
  if (trump.method === "named" && !trump.number) {
    const number = (one) => pressable(`number-${one}`, null, () => makeTrump(context, { ...trump, number: one }), String(one));
    return [make("p", {}, words["which-number"]), make("div", { class: "entry__tricks", role: "group", "aria-label": words["which-number"] }, ...NUMBERS.map(number))];
  }
  const unseen = HIDDEN.includes(trump.method) && context.state.known !== "hands";
  const tap = (card) => makeTrump(context, { ...trump, suit: laws.suitOf(card), card });
  return [
    unseen ? make("p", { class: "stage__next" }, make("button", { type: "button", class: "button", "data-key": "unseen", onclick: () => makeTrump(context, { ...trump, card: null }) }, words.unseen)) : [],
    make("p", {}, ...fill(unseen ? "or-which-card" : "which-card", { number: trump.number ?? "" })),
    gridOf(mayBeTrump(context, trump.method), { tap }),
  ];
};

const STAGES = { known: knownStage, five: fiveStage, hands: handsStage, trump: trumpStage };
const BEFORE = { five: "known", hands: "known" };
export const isSetup = ({ stage }) => stage in STAGES;
export const setupParts = (context) => STAGES[context.state.stage](context).flat();
/** The way back to the question before; null at the first. */
export const backOf = (context) => {
  const { state } = context;
  const before = state.stage === "trump" ? { nothing: "known", five: "five", hands: "hands" }[state.known] : BEFORE[state.stage];
  return before ? button("back", () => context.change({ ...state, stage: before, trump: null })) : null;
};
/** The way on to trump, once what is known of the hands is told; else null. */
export const onwardOf = (context) => {
  const { state } = context;
  const isTold = (state.stage === "five" && state.five.length === 5) || (state.stage === "hands" && areFull(state.hands));
  return isTold ? nextButton("to-trump", () => context.change(toTrump(context, state))) : null;
};
/** How trump was made, in a few nodes; for an indicator that lies face down, that it does. */
export const trumpLine = ({ deal }) => {
  const now = laws.trumpNow(deal);
  if (now) return fill("trump-is", { suit: suitText(now) });
  return [words[HIDDEN.includes(deal.trump.method) ? "trump-hidden" : "trump-none"]];
};
