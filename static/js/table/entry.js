// A deal being entered, in one of several ways: which deal it is, who dealt it, what it comes to, and keeping it.
//
// A way is `{ name, start(), redealt(state), draw(box, context), record(context) }`. Its state is a plain value that JSON keeps:
// `start()` gives one with nothing entered, `redealt(state)` what of it is left when another dealer is named. `draw` shows it in
// its box, `[data-way="<name>"]` of the form; `record` gives the record to save, as laws.js writes it, or null while there is none.
// A context is `{ match, rows, number, dealer, state, change(state) }`; `match` is as GET /api/v1/table gives one, of a tournament
// or not, and `change` takes over a new state and draws it. No way knows where a deal is kept.
import * as laws from "../laws.js";
import { sentencesOf, standOf } from "./standing.js";
import { badge, bdi, fill, make, part, say, seatWord } from "./words.js";

const nothing = () => ({ match: null, number: null, dealer: null, asksDealer: false, again: null, states: {} });

/**
 * Let deals be entered by the form.
 * @param {HTMLFormElement} form as in templates/tournaments/table/entry.html.
 * @param facts `ways`: the ways of entry; `match()`: the match to enter deals of; `rows(match)`: its deals, as rowsOf has them;
 *   `keep({ match, number, pcn, again })`: keeps a deal and gives the sentence that says so; `fails(error)`: it was not kept.
 * @returns `draw()`, `startOver()`, and `again(row, facts)`: enter the deal of a row again, `keep` getting `facts` as `again`.
 */
export const openEntry = (form, { ways, match: matchNow, rows: rowsNow, keep, fails }) => {
  let draft = nothing();
  let told = []; // what is said of the deal that was saved last
  let isSaving = false;
  const [way] = ways;

  const now = (match) => {
    if (draft.match && draft.match !== match.id) draft = nothing();
    if (draft.number !== null) return draft;
    const stand = standOf(match, rowsNow(match));
    return { ...draft, number: stand.number, dealer: draft.dealer ?? stand.dealer };
  };
  const contextOf = (match) => {
    const { number, dealer, states } = now(match);
    const state = states[way.name] ?? way.start();
    return { match, rows: rowsNow(match), number, dealer, state, change: (next) => change({ states: { ...draft.states, [way.name]: next } }) };
  };
  const change = (facts) => {
    told = [];
    const match = matchNow();
    draft = { ...now(match), match: match.id, ...facts };
    draw();
    goOn();
  };
  /** Put the focus where the next choice is, or on the button that saves. */
  const goOn = () => {
    const shown = [...form.querySelectorAll("[data-step]")].filter((one) => !one.hidden && !one.closest("[hidden]"));
    const next = shown.find((one) => !one.querySelector("[aria-pressed=true]"));
    const save = part("save", form);
    (next && save.hidden ? next.querySelector("button") : save)?.focus();
    shown.at(-1)?.scrollIntoView({ block: "nearest" });
  };
  const nameDealer = (dealer) => {
    const states = Object.fromEntries(ways.map(({ name, redealt }) => [name, draft.states[name] && redealt(draft.states[name])]).filter(([, state]) => state));
    change({ dealer, asksDealer: false, states });
  };

  /** What the deal comes to, in sentences; and its record, if it can be saved. */
  const comesTo = (context) => {
    const record = context.dealer ? way.record(context) : null;
    if (!record) return { sentences: [], record: null };
    const { found, why } = laws.judge(record);
    if (!found || why) return { sentences: [fill("says-impossible", { law: why?.law ?? "9.1" })], record: null };
    return { sentences: sentencesOf(context.match, context.rows, { ...context, found }), record };
  };

  const drawDealer = (match, { dealer, asksDealer }) => {
    const step = part('step="dealer"', form);
    step.hidden = !asksDealer && Boolean(dealer);
    const label = (seat) => [badge(seat), " ", make("span", {}, seatWord(seat)), " ", make("small", {}, bdi(match.seats[seat].name))];
    const pressed = (seat) => String(dealer === seat);
    const choice = (seat) =>
      make("button", { type: "button", class: `choose choose--${seat}`, "aria-pressed": pressed(seat), onclick: () => nameDealer(seat) }, ...label(seat));
    part("choices", step).replaceChildren(...(step.hidden ? [] : laws.SEATS.map(choice)));
    part("other-dealer", form).hidden = !step.hidden;
  };

  const draw = () => {
    const match = matchNow();
    const shown = now(match);
    const { number, again } = shown;
    part("entry-title", form).replaceChildren(...fill("entry", { number }));
    part("entry-again", form).hidden = !again;
    if (again) part("entry-again", form).replaceChildren(...fill(again.word ?? "again", { number }));
    drawDealer(match, shown);
    const context = contextOf(match);
    const box = part(`way="${way.name}"`, form);
    box.hidden = !shown.dealer;
    if (shown.dealer) way.draw(box, context);
    const { sentences, record } = comesTo(context);
    say(part("says", form), ...(sentences.length ? sentences.flatMap((nodes, place) => (place ? [" ", ...nodes] : nodes)) : told));
    part("save", form).hidden = !record;
    part("undo", form).hidden = draft.number === null && !draft.asksDealer;
  };

  const focusFirst = (options) => form.querySelector('[data-step]:not([hidden]) button')?.focus(options);
  const startOver = () => {
    draft = nothing();
    told = [];
    if (matchNow()) draw();
  };
  const again = ({ number, found }, facts) => {
    draft = { ...nothing(), match: matchNow().id, number, dealer: found.dealer, again: facts };
    draw();
    focusFirst();
  };
  const save = async () => {
    const match = matchNow();
    const { record } = comesTo(contextOf(match));
    if (!record || isSaving) return;
    isSaving = true;
    try {
      told = await keep({ match, number: draft.number, pcn: laws.toPcn(record), again: draft.again });
      draft = nothing();
      draw();
      focusFirst({ preventScroll: true });
    } catch (error) {
      fails(error);
    } finally {
      isSaving = false;
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  form.addEventListener("keydown", (event) => event.repeat && event.key !== "Tab" && event.preventDefault());
  part("undo", form).addEventListener("click", () => {
    startOver();
    focusFirst();
  });
  part("other-dealer", form).addEventListener("click", () => {
    draft = { ...draft, asksDealer: true };
    draw();
    focusFirst();
  });
  return { draw, startOver, again };
};
