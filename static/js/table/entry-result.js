// A deal entered by its result: who won, what it was, the tricks. Only what the laws allow is offered.
import * as laws from "../laws.js";
import { badge, make, namesOf, part, renew, teamWord, words } from "./words.js";

const NUMBERS = Array.from({ length: 14 }, (_none, number) => number);
const AWARDS = ["win", "court", "goon-court", "bavney", "revoke"];
const STEPS = ["winner", "award", "lost", "won"];

/** The scores with which a deal can end so, and is found to be what it is called. */
const endsOf = ({ match: { rules }, dealer }, { winner, award }) => {
  const ends = [];
  for (const lost of NUMBERS) {
    for (const won of NUMBERS) {
      const result = { winner, won, lost, award };
      if (laws.whyNotResult({ rules, dealer }, result)) continue;
      if (laws.fromResult({ rules, dealer }, result).award === award) ends.push(result);
    }
  }
  return ends;
};
const different = (values) => [...new Set(values)].sort((one, other) => one - other);

/** What can be chosen now, step by step, and the state with each step of one choice taken by itself. */
const stepsOf = (context, { ...state }) => {
  const steps = { winner: ["NS", "EW", "void"], award: [], lost: [], won: [] };
  if (!state.winner || state.winner === "void") return { steps, state };
  const ends = new Map(AWARDS.map((award) => [award, endsOf(context, { ...state, award })]));
  steps.award = AWARDS.filter((award) => ends.get(award).length);
  if (!state.award) return { steps, state };
  const possible = ends.get(state.award);
  const losts = different(possible.map(({ lost }) => lost));
  if (losts.length === 1) [state.lost] = losts;
  else steps.lost = losts;
  if (state.lost === null) return { steps, state };
  const wons = different(possible.filter(({ lost }) => lost === state.lost).map(({ won }) => won));
  if (wons.length === 1) [state.won] = wons;
  else steps.won = wons;
  return { steps, state };
};

const pick = (context, step, value) => {
  const state = { ...context.state, [step]: value };
  if (step === "winner") state.award = null;
  if (step !== "lost" && step !== "won") Object.assign(state, { lost: null, won: null });
  if (step === "lost") state.won = null;
  // Of a court at the seventh trick seven to nil is what there mostly is; another score is one tap more.
  if (step === "award" && /court$/.test(value)) Object.assign(state, usualCourt(context, state));
  context.change(stepsOf(context, state).state);
};
const usualCourt = (context, state) => {
  const [first] = endsOf(context, state);
  return first ? { lost: first.lost, won: first.won } : {};
};

const meaning = ({ match }, award) => words[`means-${laws.rulesOf(match.rules).gather === "single" ? "single" : "pile"}-${award}`] ?? "";
const labelOf = (context, step, value) => {
  if (step === "winner" && value === "void") return [words.nobody];
  if (step === "winner") return [badge(value), make("span", {}, teamWord(value)), make("small", {}, ...namesOf(context.match, value))];
  if (step === "award") return [make("span", {}, words[`award-${value}`]), make("small", {}, meaning(context, value))];
  return [String(value)];
};
const choice = (context, step, value) => {
  const facts = { type: "button", class: `choose choose--${value}`, "data-key": `${step}-${value}`, "aria-pressed": String(context.state[step] === value) };
  return make("button", { ...facts, onclick: () => pick(context, step, value) }, ...labelOf(context, step, value));
};

export const result = {
  name: "result",
  start: () => ({ winner: null, award: null, lost: null, won: null }),
  redealt: (state) => ({ ...state, award: null, lost: null, won: null }),
  taken({ found }, { state }) {
    if (state.winner || !found?.winner) return null;
    const { winner, award, tricks } = found;
    return { winner, award, won: tricks[winner], lost: tricks[winner === "NS" ? "EW" : "NS"] };
  },
  draw(box, context) {
    const { steps } = stepsOf(context, context.state);
    for (const step of STEPS) {
      const field = part(`step="${step}"`, box);
      field.hidden = !steps[step].length;
      renew(part("choices", field), ...steps[step].map((value) => choice(context, step, value)));
    }
  },
  tools({ state, change }) {
    const back = state.award ? { ...result.start(), winner: state.winner } : result.start();
    const facts = { type: "button", class: "button button--quiet", "data-key": "undo-result", onclick: () => change(back) };
    return state.winner ? make("button", facts, words["undo-trick"]) : [];
  },
  record({ match, number, dealer, state }) {
    const isVoid = state.winner === "void";
    if (!state.winner || (!isVoid && (state.award === null || state.lost === null || state.won === null))) return null;
    const stated = isVoid ? { winner: null, award: "void", won: 0, lost: 0 } : state;
    const tags = { Deal: String(number), Rules: match.rules, Dealer: dealer, Result: laws.resultText(stated) };
    return { tags, tricks: null, claim: null, comments: [] };
  },
};
