// A deal being entered, in one of several ways: which deal it is, who dealt it, what it comes to, and keeping it.
//
// A way is `{ name, start(), redealt(state), draw(box, context), record(context) }`. Its state is a plain value that JSON keeps:
// `start()` gives one with nothing entered, `redealt(state)` what of it is left when another dealer is named. `draw` shows it in
// its box, `[data-way="<name>"]` of the form; `record` gives the record to save, as laws.js writes it, or null while there is none.
// It may have `tools(context)`, buttons for the foot; `facts(context)` and `taken(facts, context)`, by which another way goes on
// from what is entered; `asks(context)`, another way that has to say the result; `playing(context)`, the text of a deal in play.
// A context is `{ match, rows, number, dealer, state, change(state, event) }`; `match` is as GET /api/v1/table gives one, of a
// tournament or not, `change` takes over a new state and draws it, `event` (nodes) says what happened. No way knows where a deal
// is kept.
import * as laws from "../laws.js";
import { draftOf, dropDraft, keepDraft } from "./drafts.js";
import { call } from "./hooks.js";
import { prefer, preferred } from "./preferences.js";
import { revokesOf, sentencesOf, standOf } from "./standing.js";
import { badge, bdi, fill, make, part, renew, say, seatWord, words } from "./words.js";

const nothing = () => ({ match: null, number: null, dealer: null, asksDealer: false, again: null, way: null, states: {} });

/**
 * Let deals be entered by the form.
 * @param {HTMLFormElement} form as in templates/tournaments/table/entry.html.
 * @param facts `ways`: the ways of entry; `match()`: the match to enter deals of; `rows(match)`: its deals, as rowsOf has them;
 *   `keep({ match, number, pcn, again })`: keeps a deal and gives the sentence that says so; `fails(error)`: it was not kept;
 *   `top`: where reading begins when the next deal is to be entered.
 * @returns `draw()`, `startOver()`; `leave()`: another match is shown, and what is half entered waits; `again(row, facts)`:
 *   enter the deal of a row again, `keep` getting `facts` as `again`; `take(found)`: go on with what was read elsewhere,
 *   `{ way, dealer, state, told }`; and `now()`: the number and the dealer.
 */
export const openEntry = (form, { ways, match: matchNow, rows: rowsNow, keep, fails, top = form }) => {
  let draft = nothing();
  let told = []; // what is said of the deal that was saved last
  let event = []; // what happened last in the deal
  let isSaving = false;
  let asked = null; // the match whose draft was asked for
  let wasPlaying = false;

  const wayNow = () => ways.find(({ name }) => name === (draft.way ?? preferred("way", null))) ?? ways[0];
  const now = (match) => {
    if (draft.match && draft.match !== match.id) draft = nothing();
    if (draft.number !== null) return draft;
    const stand = standOf(match, rowsNow(match));
    return { ...draft, number: stand.number, dealer: draft.dealer ?? stand.dealer };
  };
  const contextOf = (match, way = wayNow()) => {
    const { number, dealer, states } = now(match);
    const keepState = (next, happened = []) => change({ way: wayNow().name, states: { ...draft.states, [way.name]: next } }, happened);
    return { match, rows: rowsNow(match), number, dealer, state: states[way.name] ?? way.start(), change: keepState };
  };
  const change = (facts, happened = []) => {
    told = [];
    event = happened;
    const match = matchNow();
    draft = { ...now(match), match: match.id, ...facts };
    keepDraft(match.id, draft);
    draw();
    goOn();
  };
  /** Put the focus where the next choice is, or on the button that saves, where choices follow each other step by step. */
  const goOn = () => {
    const shown = [...form.querySelectorAll("[data-step]")].filter((one) => !one.hidden && !one.closest("[hidden]"));
    if (!shown.length) return;
    const next = shown.find((one) => !one.querySelector("[aria-pressed=true]"));
    const save = part("save", form);
    (next && save.hidden ? next.querySelector("button") : save)?.focus();
    shown.at(-1).scrollIntoView({ block: "nearest" });
  };
  const nameDealer = (dealer) => {
    const left = ways.filter(({ name }) => draft.states[name]).map(({ name, redealt }) => [name, redealt(draft.states[name])]);
    change({ dealer, asksDealer: false, states: Object.fromEntries(left) });
  };
  /** Another way of entry: nothing is lost, and it goes on from what is entered where it has nothing of its own. */
  const choose = (way) => {
    prefer("way", way.name);
    const match = matchNow();
    const { number, dealer, states } = now(match);
    const facts = dealer && states[wayNow().name] ? wayNow().facts?.(contextOf(match)) : null;
    const next = facts && way.taken ? way.taken(facts, contextOf(match, way)) : null;
    if (draft.number === null && !next) {
      draft = { ...draft, way: way.name };
      event = [];
      draw();
    } else change({ number, way: way.name, states: next ? { ...states, [way.name]: next } : states });
    part("ways", form).scrollIntoView({ block: way.name === "result" ? "nearest" : "start" });
  };

  /** What the deal comes to, in sentences; and its record, if it can be saved. */
  const comesTo = (match) => {
    const way = wayNow();
    const context = contextOf(match);
    const own = context.dealer ? way.record(context) : null;
    const other = own && way.asks?.(context);
    const stated = other?.record(contextOf(match, other));
    if (!own || (other && !stated)) return { sentences: [], record: null };
    const record = stated ? { ...own, tags: { ...own.tags, Result: stated.tags.Result } } : own;
    const { found, why } = laws.judge(record);
    if (!found || why) return { sentences: [fill("says-impossible", { law: why?.law ?? "9.1" })], record: null };
    const tags = { Result: laws.resultText(found), ...record.tags };
    return { sentences: [...revokesOf(found, record), ...sentencesOf(match, context.rows, { ...context, found })], record: { ...record, tags } };
  };

  const drawDealer = (match, { dealer, asksDealer }) => {
    const step = part('step="dealer"', form);
    step.hidden = !asksDealer && Boolean(dealer);
    const label = (seat) => [badge(seat), " ", make("span", {}, seatWord(seat)), " ", make("small", {}, bdi(match.seats[seat].name))];
    const facts = (seat) => ({ class: `choose choose--${seat}`, "aria-pressed": String(dealer === seat), onclick: () => nameDealer(seat) });
    part("choices", step).replaceChildren(...(step.hidden ? [] : laws.SEATS.map((seat) => make("button", { type: "button", ...facts(seat) }, ...label(seat)))));
    part("other-dealer", form).hidden = !step.hidden;
  };
  const drawWays = (way, hasDealer) => {
    const tab = (one) =>
      make("button", { type: "button", class: "way", "data-key": `way-${one.name}`, "aria-pressed": String(one === way), onclick: () => choose(one) }, words[`way-${one.name}`]);
    part("ways", form).hidden = ways.length < 2 || !hasDealer;
    renew(part("ways", form), ways.map(tab));
  };
  const drawWay = (match) => {
    const way = wayNow();
    const context = contextOf(match);
    const other = context.dealer ? way.asks?.(context) : null;
    for (const one of ways) part(`way="${one.name}"`, form).hidden = !context.dealer || (one !== way && one !== other);
    if (!context.dealer) return;
    way.draw(part(`way="${way.name}"`, form), context);
    if (other) other.draw(part(`way="${other.name}"`, form), contextOf(match, other));
    renew(part("tools", form), way.tools?.(context) ?? []);
  };
  const tellPlay = (match) => {
    const way = wayNow();
    const text = (draft.number !== null && draft.dealer && way.playing?.(contextOf(match))) || null;
    if (text || wasPlaying) call("playing", match, text);
    wasPlaying = Boolean(text);
  };

  const draw = () => {
    const match = matchNow();
    const shown = now(match);
    const { number, again } = shown;
    form.dataset.hand = preferred("hand", "right");
    part("entry-title", form).replaceChildren(...fill("entry", { number }));
    part("entry-again", form).hidden = !again;
    if (again) part("entry-again", form).replaceChildren(...fill(again.word ?? "again", { number }));
    drawDealer(match, shown);
    drawWays(wayNow(), Boolean(shown.dealer));
    drawWay(match);
    const { sentences, record } = comesTo(match);
    say(part("event", form), ...event);
    say(part("says", form), ...(sentences.length ? sentences.flatMap((nodes, place) => (place ? [" ", ...nodes] : nodes)) : told));
    part("save", form).hidden = !record;
    part("undo", form).hidden = draft.number === null && !draft.asksDealer;
    tellPlay(match);
    restore(match);
  };
  /** What was half entered when the page was closed. */
  const restore = async (match) => {
    if (asked === match.id) return;
    asked = match.id;
    const kept = await draftOf(match.id);
    if (!kept || draft.number !== null || matchNow()?.id !== match.id) return;
    try {
      draft = kept;
      event = fill("restored", { number: kept.number });
      draw();
    } catch (error) {
      startOver();
      globalThis.reportError?.(error);
    }
  };

  const focusFirst = (options) => {
    const buttons = [...form.querySelectorAll("[data-step] button, .entry__way button")];
    buttons.find((one) => !one.closest("[hidden]"))?.focus(options);
  };
  const leave = () => {
    draft = nothing();
    told = [];
    event = [];
    asked = null;
  };
  const startOver = () => {
    const match = matchNow();
    if (draft.match) dropDraft(draft.match);
    leave();
    asked = match?.id ?? null;
    if (match) draw();
  };
  const again = ({ number, found }, facts) => {
    draft = { ...nothing(), match: matchNow().id, number, dealer: found.dealer, again: facts };
    event = [];
    draw();
    focusFirst();
  };
  const take = ({ way, dealer, state, told: happened }) =>
    change({ dealer: dealer ?? now(matchNow()).dealer, asksDealer: false, way, states: { ...draft.states, [way]: state } }, happened);
  const save = async () => {
    const match = matchNow();
    const { record } = comesTo(match);
    if (!record || isSaving) return;
    isSaving = true;
    try {
      told = await keep({ match, number: draft.number, pcn: laws.toPcn(record), again: draft.again });
      dropDraft(match.id);
      draft = nothing();
      event = [];
      draw();
      focusFirst({ preventScroll: true });
      top.scrollIntoView({ block: "start" });
    } catch (error) {
      fails(error);
    } finally {
      isSaving = false;
    }
  };

  form.addEventListener("submit", (happened) => {
    happened.preventDefault();
    save();
  });
  form.addEventListener("keydown", (happened) => {
    if (happened.repeat && happened.key !== "Tab" && happened.target.localName === "button") happened.preventDefault();
  });
  part("undo", form).addEventListener("click", () => {
    startOver();
    focusFirst();
  });
  part("other-dealer", form).addEventListener("click", () => {
    draft = { ...draft, asksDealer: true };
    draw();
    focusFirst();
  });
  part("other-hand", form).addEventListener("click", () => {
    prefer("hand", preferred("hand", "right") === "right" ? "left" : "right");
    draw();
  });
  return { draw, leave, startOver, again, take, now: () => now(matchNow()) };
};
