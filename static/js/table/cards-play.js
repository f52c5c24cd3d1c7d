// A deal in play as it is shown: the trick around the table, whose turn it is, the score, and what may be asked.
import * as laws from "../laws.js";
import { trumpLine } from "./cards-setup.js";
import { cardText, cardWord, face, suitText } from "./cards.js";
import { badge, bdi, button, fill, make, seatWord, teamWord, words } from "./words.js";

const AROUND = ["N", "W", "E", "S"];

/** Why not, in words, with the law: `why` is what laws.js refuses with. */
export const whySays = (why, { seat, card }) => {
  const values = { seat: seatWord(why.seat ?? seat), card: card ? cardText(card) : "", law: why.law ?? "", suit: why.suit ? suitText(why.suit) : "", trick: why.trick ?? "" };
  const isPlayed = why.code === "not-held" && why.law === "2.1";
  const name = `why-${isPlayed ? "played" : why.code}`;
  return fill(name in words ? name : "why-other", values);
};

/** What happened between two states of a deal, in sentences. */
export const happened = (before, after, { seat, card, anyway = false }) => {
  const nodes = [...fill("plays", { seat: seatWord(seat), card: cardText(card) })];
  const [were, are] = [laws.tricks(before), laws.tricks(after)];
  if (!laws.trumpNow(before) && laws.trumpNow(after)) nodes.push(" ", ...fill("trump-is", { suit: suitText(laws.trumpNow(after)) }));
  if (are.length > were.length) {
    const { number, winner } = are.at(-1);
    const isCounted = laws.found(after).trickWinners.length > laws.found(before).trickWinners.length; // 8.5
    if (isCounted) nodes.push(" ", ...fill("trick-won", { seat: seatWord(winner), trick: number }));
    const team = laws.teamOf(winner);
    const more = laws.taken(after)[team] - laws.taken(before)[team];
    if (after.rules.gather !== "single" && more) nodes.push(" ", ...fill("gathers", { side: teamWord(team), count: more }));
    if (laws.mayCarryOn(after) && !laws.mayCarryOn(before)) nodes.push(" ", words["court-made"]);
  }
  if (anyway) nodes.push(" ", ...fill("is-revoke", {}));
  return nodes;
};

/** The trick that lies on the table: the one being played, or the last one until the next card is led. */
const lying = (deal) => {
  const open = laws.trickSoFar(deal);
  if (open.length) return { plays: open, best: laws.winsSoFar(deal) };
  const last = laws.tricks(deal).at(-1);
  return { plays: last?.plays ?? [], best: last?.winner ?? null };
};

/** `takeBack(seat)` is called for the card that somebody taps on the table. */
export const trickParts = ({ deal }, { turn, takingBack, takeBack }) => {
  const { plays, best } = lying(deal);
  const one = (seat) => {
    const play = plays.find((each) => each.seat === seat);
    const isTurn = turn === seat && (plays.length < 4 || !play);
    if (!play) return make("div", { class: `spot spot--${seat}${isTurn ? " is-turn" : ""}`, "aria-hidden": "true" }, make("span", { class: "spot__seat" }, seat));
    const name = [seatWord(seat), cardWord(play.card), play.faceDown ? words["face-down"] : "", best === seat ? words["wins-so-far"] : ""].filter(Boolean).join(", ");
    const facts = { type: "button", class: `spot spot--${seat} spot--card${turn === seat ? " is-turn" : ""}`, "data-key": `spot-${seat}`, "aria-label": `${name}. ${words["take-back"]}`, "aria-pressed": String(takingBack === seat) };
    return make("button", { ...facts, onclick: () => takeBack(seat) }, face(play.card, best === seat ? "is-winner" : play.faceDown ? "is-taken-back" : ""), make("span", { class: "spot__seat", "aria-hidden": "true" }, seat));
  };
  return make("div", { class: "felt", role: "group", "aria-label": words["on-the-table"] }, ...AROUND.map(one));
};

export const sideParts = (state, { match, turn, isOver, takingBack }) => {
  const { deal } = state;
  const taken = laws.taken(deal);
  const seat = takingBack ?? turn;
  const leads = !laws.trickSoFar(deal).length;
  const isBack = takingBack && leads; // into the trick that lies there still
  const number = Math.min(laws.tricks(deal).length + (isBack ? 0 : 1), 13);
  const count = (team) => make("p", { class: `count count--${team}` }, make("span", { class: "sr" }, teamWord(team)), make("span", { "aria-hidden": "true" }, team), make("b", {}, String(taken[team])));
  const who = (isOver && !takingBack) || !seat
    ? make("p", { class: "whose" }, make("strong", {}, words["play-over"]))
    : make("p", { class: "whose" }, make("small", {}, ...fill("trick", { trick: number })), make("strong", {}, ...fill(takingBack ? "takes-back" : leads ? "leads" : "to-play", { seat: seatWord(seat) })), make("small", {}, bdi(match.seats[seat].name)));
  return make(
    "div", { class: "side" }, who,
    make("div", { class: "side__counts" }, count("NS"), count("EW"), deal.rules.gather === "single" ? [] : make("p", { class: "counts__pile" }, ...fill("in-centre", { count: laws.pile(deal) }))),
    make("p", { class: "side__trump" }, ...trumpLine(state)),
  );
};

/** Whose revoke is claimed, and in which trick. */
export const claimAsks = ({ deal, claiming }, { match, change, done, back }) => {
  const { seat, trick } = claiming;
  const count = laws.tricks(deal).length;
  const pick = (key, isPressed, facts, ...label) => make("button", { type: "button", class: "choose", "data-key": key, "aria-pressed": String(isPressed), onclick: () => change(facts) }, ...label);
  return make(
    "div", { class: "asks" },
    make("fieldset", {}, make("legend", {}, words["revoke-who"]), make("div", { class: "entry__seats" }, ...AROUND.map((one) => pick(`claim-${one}`, one === seat, { seat: one }, badge(one), make("span", {}, seatWord(one)), make("small", {}, bdi(match.seats[one].name)))))),
    make("fieldset", {}, make("legend", {}, words["revoke-when"]), make("div", { class: "entry__tricks" }, ...Array.from({ length: count }, (_none, place) => pick(`claim-${place + 1}`, place + 1 === trick, { trick: place + 1 }, String(place + 1))))),
    make("p", { class: "asks__buttons" }, button("back", back), seat && trick ? make("button", { type: "button", class: "button", "data-key": "claims", onclick: done }, words["claim-it"]) : []),
  );
};
