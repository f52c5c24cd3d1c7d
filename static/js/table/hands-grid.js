// Cards given to seats: tap a card and it is the chosen seat's; thirteen each, and the last hand fills by itself.
import * as laws from "../laws.js";
import { gridOf } from "./cards.js";
import { badge, bdi, make, seatWord, words } from "./words.js";

const HAND = 13;
const isFull = (cards) => cards.length === HAND;

/** The hands with the card given to the seat, or taken from whom has it; the last hand filled; and the seat that is next. */
export const giveCard = ({ hands, seat, fixed = [] }, card, order) => {
  if (fixed.includes(card)) return { hands, seat };
  const had = laws.SEATS.find((one) => hands[one].includes(card));
  if (had) return { hands: { ...hands, [had]: hands[had].filter((one) => one !== card) }, seat: had };
  if (isFull(hands[seat])) return { hands, seat };
  return filled({ ...hands, [seat]: [...hands[seat], card] }, seat, order);
};
export const filled = (hands, seat, order) => {
  const open = order.filter((one) => !isFull(hands[one]));
  if (open.length === 1) {
    const given = laws.SEATS.flatMap((one) => hands[one]);
    const rest = laws.PACK.filter((card) => !given.includes(card));
    return { hands: { ...hands, [open[0]]: [...hands[open[0]], ...rest] }, seat: open[0] };
  }
  return { hands, seat: open.includes(seat) ? seat : (open[0] ?? seat) };
};
export const areFull = (hands) => laws.SEATS.every((seat) => isFull(hands[seat]));

/** The seats with their counts, and the pack; `facts`: `{ match, hands, seat, fixed, change({ hands, seat }) }`. */
export const handsGrid = ({ match, hands, seat, fixed = [], order, change }) => {
  const tab = (one) =>
    make(
      "button", { type: "button", class: "choose seat-tab", "data-key": `seat-${one}`, "aria-pressed": String(one === seat), onclick: () => change({ hands, seat: one }) },
      badge(one), make("span", { class: "sr" }, seatWord(one)), make("small", {}, bdi(match.seats[one].name)), make("span", { class: "seat-tab__count", dir: "ltr" }, `${hands[one].length}/${HAND}`),
    );
  const look = (card) => {
    const whose = laws.SEATS.find((one) => hands[one].includes(card));
    if (!whose) return { pressed: false };
    return { state: whose === seat ? "mine" : "gone", says: seatWord(whose), pressed: whose === seat };
  };
  return [
    make("div", { class: "seat-tabs", role: "group", "aria-label": words["whose-cards"] }, ...order.map(tab)),
    gridOf(null, { tap: (card) => change(giveCard({ hands, seat, fixed }, card, order)), look }),
  ];
};
