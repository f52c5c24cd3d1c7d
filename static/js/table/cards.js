// Cards to look at and to tap. A suit is told by its mark and its name, never by its colour alone.
import * as laws from "../laws.js";
import { make, words } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const drawing = (kind, name, box) => {
  const svg = document.createElementNS(SVG, "svg");
  const facts = { class: kind, viewBox: box, "aria-hidden": "true" };
  for (const [key, value] of Object.entries(facts)) svg.setAttribute(key, value);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${words["cards-file"]}#${name}`);
  svg.append(use);
  return svg;
};

export const rankText = (card) => (card[1] === "T" ? "10" : card[1]);
export const cardWord = (card) => words[`card-${card}`];
export const suitWord = (suit) => words[`suit-${suit}`];
export const suitMark = (suit) => drawing(`suit suit--${suit}`, `suit-${suit}`, "0 0 32 32");
/** The face of a card, silent: its name stands beside it or on its button. */
export const face = (card, state = "") => drawing(`card card--${laws.suitOf(card)} card--small ${state}`, `s${card}`, "0 0 60 84");
export const back = () => drawing("card card--back card--small", "back", "0 0 100 140");
/** A card within a sentence: its mark and rank to see, its name to hear. */
export const cardText = (card) =>
  make("span", { class: `play suit--${laws.suitOf(card)}`, dir: "ltr" }, make("span", { "aria-hidden": "true" }, suitMark(laws.suitOf(card)), rankText(card)), make("span", { class: "sr" }, cardWord(card)));
export const suitText = (suit) => make("span", { class: "trump" }, suitMark(suit), " ", suitWord(suit));

/**
 * Cards as buttons, by suit, the name of each suit before its cards.
 * @param cards those to choose from; the pack if it is null. A hand stands in rows, more than that in its places in the pack.
 * @param facts `tap(card)`; `look(card)` gives `{ state, says, pressed }`: state "" is bright, "dim" or "gone"; `says` follows the name.
 */
export const gridOf = (cards, { tap, look = () => ({}) }) => {
  const isHand = cards !== null && cards.length <= 26;
  const shown = isHand ? cards : laws.PACK;
  const cell = (card) => {
    if (cards && !cards.includes(card)) return make("span", {});
    const { state = "", says = "", pressed = null } = look(card);
    const name = [cardWord(card), says].filter(Boolean).join(", ");
    return make(
      "button",
      { type: "button", class: `tap tap--${laws.suitOf(card)} ${state && `is-${state}`}`, "aria-label": name, "aria-pressed": pressed === null ? null : String(pressed), "data-key": `card-${card}`, "data-card": card, onclick: () => tap(card) },
      make("b", {}, rankText(card)), suitMark(laws.suitOf(card)),
    );
  };
  const suits = [..."SHDC"].map((suit) => [suit, shown.filter((card) => laws.suitOf(card) === suit)]).filter(([, some]) => some.length);
  if (isHand) return make("div", { class: "taps taps--hand", role: "group" }, suits.flatMap(([, some]) => some.map(cell)));
  const group = ([suit, some]) =>
    make("div", { class: "taps", role: "group", "aria-label": suitWord(suit) }, make("span", { class: "taps__suit", "aria-hidden": "true" }, suitMark(suit)), ...some.map(cell));
  return make("div", { class: "pack" }, ...suits.map(group));
};
