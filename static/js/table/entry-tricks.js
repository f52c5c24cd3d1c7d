// A deal entered trick by trick: tap who won each. What gathers, what decides and what a court is, is said by laws.js.
import * as laws from "../laws.js";
import { result } from "./entry-result.js";
import { atStage, badge, bdi, button, fill, make, renew, seatWord, teamWord, words } from "./words.js";

const ALL = 13;
const AROUND = ["N", "W", "E", "S"]; // as they stand on the page, row by row

const factsOf = ({ match, dealer, state: { trump = null, revoke } }) => ({ rules: match.rules, dealer, trump, revoke });
/** The tricks that count: up to a revoke (law 8.5). */
const counted = ({ winners, revoke }) => (revoke ? winners.slice(0, revoke.trick - 1) : winners);
/** What the tricks come to so far; null where the winners do not tell who gathered (laws 7.6, 7.7). */
const foundIn = (context) => {
  try {
    return laws.fromTricks({ ...factsOf(context), revoke: null }, counted(context.state));
  } catch (refusal) {
    if (refusal.why?.code !== "undecided") throw refusal;
    return null;
  }
};
/** Seven to nil, and more to play for: laws 9.4 and 10.1. */
const isCourt = (found, { winners }) => /court$/.test(found?.award ?? "") && found.tricks[found.winner] === winners.length && winners.length < ALL;
const standOf = (context) => {
  const { state } = context;
  const found = foundIn(context);
  const court = isCourt(found, state);
  const isOver = Boolean(state.revoke) || state.winners.length === ALL || (found !== null && found.award !== "void" && !court);
  return { found, court, isOver, asks: court && !state.carriesOn && !state.ended };
};

const trickWon = (context, seat) => {
  const { state } = context;
  const winners = [...state.winners, seat];
  const next = { ...context, state: { ...state, winners, ended: false } };
  const { found, court } = standOf(next);
  const won = fill("trick-won", { seat: seatWord(seat), trick: winners.length });
  const before = foundIn(context);
  const team = laws.teamOf(seat);
  const gathered = found && before && laws.rulesOf(context.match.rules).gather !== "single" ? found.tricks[team] - before.tricks[team] : 0;
  const more = [gathered ? [" ", ...fill("gathers", { side: teamWord(team), count: gathered })] : [], court && winners.length === 7 ? [" ", words["court-made"]] : []];
  context.change(next.state, [...won, ...more.flat()]);
};
const undo = (context) => {
  const { state } = context;
  if (state.asking) return context.change({ ...state, asking: null });
  if (state.revoke) return context.change({ ...state, revoke: null }, [words["revoke-undone"]]);
  const number = state.winners.length;
  return context.change({ ...state, winners: state.winners.slice(0, -1), ended: false, carriesOn: number > 7 && state.carriesOn }, fill("trick-undone", { trick: number }));
};

// -- what is shown -------------------------------------------------------------------------------------------------------

const seatButton = (context, seat, isOver) => {
  const { match, state } = context;
  const name = bdi(match.seats[seat].name);
  const count = state.winners.filter((one) => one === seat).length;
  const facts = { type: "button", class: `won won--${laws.teamOf(seat)} won--${seat}`, "data-key": `won-${seat}`, disabled: isOver, onclick: () => trickWon(context, seat) };
  return make("button", facts, badge(seat), make("strong", {}, seatWord(seat)), make("small", {}, name), make("span", { class: "won__count", "aria-hidden": "true" }, count ? String(count) : ""));
};

const counts = (context, { found, isOver, asks }) => {
  const { state, match } = context;
  const rules = laws.rulesOf(match.rules);
  const by = (team) => (found ? found.tricks[team] : state.winners.filter((seat) => laws.teamOf(seat) === team).length);
  const lying = found && rules.gather !== "single" ? state.winners.length - by("NS") - by("EW") : 0;
  const one = (team) => make("p", { class: `count count--${team}` }, make("span", { class: "sr" }, teamWord(team)), make("span", { "aria-hidden": "true" }, team), make("b", {}, String(by(team))));
  return make(
    "div", { class: "counts" },
    isOver || asks || state.ended ? [] : make("p", { class: "counts__trick" }, ...fill("trick", { trick: state.winners.length + 1 })),
    one("NS"), one("EW"),
    rules.gather === "single" ? [] : make("p", { class: "counts__pile" }, ...(found ? fill("in-centre", { count: lying }) : [words["won-not-gathered"]])),
  );
};

const strip = ({ state }) =>
  make(
    "ol", { class: "strip", "aria-label": words["tricks-so-far"] },
    ...state.winners.map((seat) => make("li", { class: `strip__one strip__one--${laws.teamOf(seat)}` }, make("span", { "aria-hidden": "true" }, seat), make("span", { class: "sr" }, seatWord(seat)))),
  );

/** A court announces itself and asks whether it goes on. */
export const courtAsks = (context, found) => {
  const answer = (facts, word) => () => context.change({ ...context.state, ...facts }, [words[word]]);
  return make(
    "div", { class: "asks", role: "group", "aria-label": words["carry-on"] },
    make("p", { class: "asks__what" }, make("strong", {}, words["court-made"]), " ", ...fill("court-by", { side: teamWord(found.winner) })),
    make("p", {}, words["carry-on"]),
    make("p", { class: "asks__buttons" },
      make("button", { type: "button", class: "button button--quiet", "data-key": "ends", onclick: answer({ ended: true }, "court-ends") }, words["end-here"]),
      make("button", { type: "button", class: "button", "data-key": "carries", onclick: answer({ carriesOn: true }, "carries-on") }, words["carry-on-yes"]),
    ),
  );
};

/** Whose revoke it was and in which trick. */
const revokeAsks = (context) => {
  const { state, match } = context;
  const { seat, trick } = state.asking;
  const change = (facts) => context.change({ ...state, asking: { ...state.asking, ...facts } });
  const last = Math.min(state.winners.length + 1, ALL);
  const seatChoice = (one) => make("button", { type: "button", class: "choose", "data-key": `revoker-${one}`, "aria-pressed": String(one === seat), onclick: () => change({ seat: one }) }, badge(one), make("span", {}, seatWord(one)), make("small", {}, bdi(match.seats[one].name)));
  const trickChoice = (one) => make("button", { type: "button", class: "choose", "data-key": `revoked-${one}`, "aria-pressed": String(one === trick), onclick: () => change({ trick: one }) }, String(one));
  const done = () => context.change({ ...state, asking: null, revoke: { seat, trick } }, fill("revoke-stated", { seat: seatWord(seat), trick }));
  return make(
    "div", { class: "asks" },
    make("fieldset", {}, make("legend", {}, words["revoke-who"]), make("div", { class: "entry__seats" }, ...AROUND.map(seatChoice))),
    make("fieldset", {}, make("legend", {}, words["revoke-when"]), make("div", { class: "entry__tricks" }, ...Array.from({ length: last }, (_none, place) => trickChoice(place + 1)))),
    make("p", { class: "muted" }, words["revoke-means"]),
    make("p", { class: "asks__buttons" }, button("back", () => context.change({ ...state, asking: null })), seat ? make("button", { type: "button", class: "button", "data-key": "revoke-ends", onclick: done }, words["revoke-ends"]) : []),
  );
};

const parts = (context) => {
  const { state } = context;
  const stand = standOf(context);
  if (state.asking) return revokeAsks(context);
  if (stand.asks) return [strip(context), make("div", { class: "counts counts--alone" }, counts(context, stand)), courtAsks(context, stand.found)];
  const table = make("div", { class: "around" }, ...AROUND.map((seat) => seatButton(context, seat, stand.isOver)), counts(context, stand));
  const over = stand.isOver && stand.found && !state.revoke && stand.found.award !== "void" ? make("p", { class: "decided" }, words.decided) : [];
  return [strip(context), table, over].flat();
};

export const tricks = {
  name: "tricks",
  start: () => ({ winners: [], revoke: null, trump: null, asking: null, carriesOn: false, ended: false }),
  redealt: (state) => ({ ...state, ended: false }),
  facts: (context) => ({ found: context.state.winners.length ? standOf(context).found : null }),
  taken: ({ winners, trump = null }, { state }) => (winners?.length && !state.winners.length ? { ...state, winners, trump, carriesOn: true } : null),
  draw(box, context) {
    renew(box, parts(context));
    atStage(box, context.state.asking ? "revoke" : standOf(context).asks ? "court" : "table");
  },
  tools(context) {
    const { state } = context;
    const isBegun = state.winners.length || state.revoke || state.asking;
    const ask = () => context.change({ ...state, asking: { seat: null, trick: Math.min(state.winners.length + 1, ALL) } });
    const tool = (word, onclick) => make("button", { type: "button", class: "button button--quiet", "data-key": word, onclick }, words[word]);
    return [isBegun ? tool("undo-trick", () => undo(context)) : [], state.revoke || state.asking ? [] : tool("revoke", ask)].flat();
  },
  playing({ match, number, dealer, state: { winners } }) {
    const tags = { Deal: String(number), Rules: match.rules, Dealer: dealer, Tricks: winners.join(" ") };
    return winners.length ? laws.toPcn({ tags }) : null;
  },
  /** Where the winners do not tell who gathered, the result has to be said as well. */
  asks: (context) => (foundIn(context) === null && (context.state.winners.length || context.state.revoke) && !context.state.asking ? result : null),
  record(context) {
    const { match, number, dealer, state } = context;
    const { found, isOver, asks } = standOf(context);
    if (!state.winners.length && !state.revoke) return null;
    if (state.asking || asks || (found !== null && !isOver && !state.ended && !state.carriesOn)) return null;
    if (found !== null && found.award === "void" && !state.revoke) return null;
    const won = counted(state);
    const tags = { Deal: String(number), Rules: match.rules, Dealer: dealer };
    if (state.trump) tags.Trump = laws.trumpText(state.trump);
    tags.Tricks = won.join(" ");
    if (state.revoke) tags.Revoke = `${state.revoke.seat} ${state.revoke.trick}`;
    return { tags, tricks: null, claim: null, comments: [] };
  },
};
