// Before a game is played: the games of this phone, a new one, and one that is opened from a file.
import * as laws from "../laws.js";
import { rowsOf, standOf } from "../table/standing.js";
import { badge, bdi, fill, make, part, say, seatWord, words } from "../table/words.js";
import { matchOf, openFile } from "./files.js";
import * as store from "./store.js";

const NAMED = ["N", "S", "E", "W"];

// -- names and other facts -----------------------------------------------------------------------------------------------

const cleaned = (text) => text.normalize("NFC").replace(/\s+/g, " ").trim();

/** The names of a form by seat. */
export const namesIn = (form) => Object.fromEntries(NAMED.map((seat) => [seat, cleaned(part(`name="${seat}"`, form).value)]));
/** What is wrong with names, as a sentence; null where nothing is. */
export const whyNotNames = (names) => {
  const empty = NAMED.find((seat) => !/[\p{L}\p{N}]/u.test(names[seat]));
  if (empty) return fill("wrong-name", { seat: seatWord(empty) });
  if (Object.values(names).some((name) => name.includes("&"))) return [words["wrong-amp"]];
  const twice = NAMED.find((seat) => NAMED.filter((other) => names[other] === names[seat]).length > 1);
  return twice ? fill("wrong-twice", { name: names[twice] }) : null;
};
/** Event, site and date of a form; a date as a record has it. */
export const factsIn = (form) => {
  const value = (name) => cleaned(part(`fact="${name}"`, form).value);
  return { event: value("event"), site: value("site"), date: value("date").replaceAll("-", ".") };
};

// -- rules -----------------------------------------------------------------------------------------------------------------

const keyOf = (option) => (option === "trump" ? "trumpMethods" : option.replace(/-(.)/g, (_hyphen, letter) => letter.toUpperCase()));
const fieldsOf = (box) => [...new Set([...box.querySelectorAll("[name^='rule-']")].map(({ name }) => name))];
const inputs = (box, name) => [...box.querySelectorAll(`[name="${name}"]`)];
const chosenName = (box) => box.querySelector("[name='rules_name']:checked")?.value ?? "court-piece";

const valueOf = (box, field) => {
  const all = inputs(box, field);
  if (all[0].type === "checkbox") return all.filter((one) => one.checked).map((one) => one.value).join(",");
  return all[0].value.trim();
};
/** Show the options as the rules have them. */
const showRules = (box, text) => {
  const rules = laws.rulesOf(text);
  for (const field of fieldsOf(box)) {
    const value = rules[keyOf(field.slice("rule-".length))];
    const all = inputs(box, field);
    if (all[0].type === "checkbox") for (const one of all) one.checked = value.includes(one.value);
    else all[0].value = value || "";
  }
};
/** The rules of the form, as the server writes them; throws what laws.js throws. */
const rulesIn = (box) => {
  const given = fieldsOf(box).map((field) => [field.slice("rule-".length), valueOf(box, field)]);
  const text = [chosenName(box), ...given.filter(([, value]) => value).map(([option, value]) => `${option}=${value}`)].join(" ");
  return laws.rulesText(laws.rulesOf(text));
};

/** The rules in words: the name translated, the options as they are written. */
export const rulesLabel = (text) => {
  const [name, ...options] = text.split(" ");
  return [words[`rules-${name}`] ?? name, ...options.flatMap((one) => [" · ", make("bdi", { dir: "ltr" }, one)])];
};

// -- a new game ------------------------------------------------------------------------------------------------------------

/** Let the form make games; `started(game)` is called with each. */
export const wireNew = (form, { started, fails }) => {
  const box = part("rules", form);
  let first = null;
  let drawn = false;

  const drawFirst = () => {
    const names = namesIn(form);
    const label = (seat) => [badge(seat), " ", make("span", {}, seatWord(seat)), " ", make("small", {}, bdi(names[seat]))];
    const choose = (seat) => () => {
      [first, drawn] = [seat, false];
      say(part("drawn", form));
      say(part("wrong", form));
      drawFirst();
      part(`seat="${seat}"`, form).focus();
    };
    part("first", form).replaceChildren(...laws.SEATS.map((seat) =>
      make("button", { type: "button", class: `choose choose--${seat}`, "data-seat": seat, "aria-pressed": String(first === seat), onclick: choose(seat) }, ...label(seat))));
  };

  box.addEventListener("change", ({ target }) => {
    part("rules-wrong", box).hidden = true;
    if (target.name === "rules_name") showRules(box, target.value);
    if (target.name !== "rule-gather") return;
    const { firstClaim, lastClaim } = laws.rulesOf(`${chosenName(box)} gather=${target.value}`);
    inputs(box, "rule-first-claim")[0].value = firstClaim || "";
    inputs(box, "rule-last-claim")[0].value = lastClaim || "";
  });
  form.addEventListener("input", ({ target }) => {
    say(part("wrong", form));
    if (target.dataset.name) drawFirst();
  });
  part("draw", form).addEventListener("click", () => {
    first = laws.SEATS[crypto.getRandomValues(new Uint8Array(1))[0] % laws.SEATS.length];
    drawn = true;
    say(part("wrong", form));
    drawFirst();
    say(part("drawn", form), ...fill("drawn", { seat: seatWord(first), name: namesIn(form)[first] || "…" }));
  });
  const wrong = (nodes, where) => {
    say(part("wrong", form), ...nodes);
    where?.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    say(part("wrong", form));
    const seats = namesIn(form);
    const why = whyNotNames(seats);
    if (why) return wrong(why, NAMED.map((seat) => part(`name="${seat}"`, form)).find(({ value }) => !value.trim()));
    let rules;
    try {
      rules = rulesIn(box);
    } catch (refusal) {
      box.querySelector("details").open = true;
      const said = fill("wrong-rules", { word: refusal.why?.word ?? "" });
      part("rules-wrong", box).replaceChildren(...said);
      part("rules-wrong", box).hidden = false;
      return wrong(said.map((node) => node.cloneNode?.(true) ?? node));
    }
    if (!first) return wrong([words["wrong-dealer"]], part("draw", form));
    try {
      const game = await store.keepGame({ rules, seats, ...factsIn(form), first_dealer: first, drawn });
      reset();
      started(game);
    } catch (error) {
      fails(error);
    }
  });
  const reset = () => {
    form.reset();
    [first, drawn] = [null, false];
    say(part("drawn", form));
    say(part("wrong", form));
    showRules(box, chosenName(box));
    const today = new Date();
    part('fact="date"', form).value = new Date(today - today.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    drawFirst();
  };
  reset();
};

// -- the games of this phone ---------------------------------------------------------------------------------------------

let withAway = false;

/** Draw the list of the games. */
export const drawGames = async () => {
  const games = await store.allGames();
  const away = games.filter((game) => game.away);
  const shown = withAway ? games : games.filter((game) => !game.away);
  const items = [];
  for (const game of shown) items.push(gameItem(game, await store.dealsOf(game.id)));
  part("here").hidden = !games.length;
  part("games").replaceChildren(...items);
  const toggle = part("show-away");
  toggle.hidden = !away.length;
  toggle.replaceChildren(...(withAway ? [words["away-hide"]] : fill("away-show", { count: away.length })));
};

const gameItem = (game, deals) => {
  const match = matchOf(game);
  const rows = rowsOf(match, deals);
  const { courts } = standOf(match, rows);
  const { N, S, E, W } = game.seats;
  const pairs = fill("against", { ns: make("bdi", {}, ...fill("and", { first: N, second: S })), ew: make("bdi", {}, ...fill("and", { first: E, second: W })) });
  const marks = [rulesLabel(game.rules), fill("so-many-deals", { count: rows.length }), game.date ? [make("bdi", { dir: "ltr" }, game.date)] : null, [words[game.kept ? "on-site" : "here-only"]], game.away ? [words["is-away"]] : null];
  return make("li", {},
    make("a", { href: `#${game.id}`, class: "rec__game" }, make("span", {}, ...pairs), make("span", { class: "rec__score" }, bdi(`${courts.NS}–${courts.EW}`))),
    make("ul", { class: "facts" }, ...marks.filter(Boolean).map((nodes) => make("li", {}, ...nodes))));
};

/** Let the list and the file do what they say; `opened(game)` is called with a game that was opened. */
export const wireGames = ({ opened, fails }) => {
  part("show-away").addEventListener("click", () => {
    withAway = !withAway;
    drawGames();
  });
  const open = async (text) => {
    try {
      const game = await openFile(text);
      say(part("open-says"), words.opened);
      opened(game);
    } catch (error) {
      if (error.word) say(part("open-says"), words[`open-${error.word}`]);
      else fails(error);
    }
  };
  part("open-file").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (file) await open(await file.text());
    target.value = "";
  });
  part("open").addEventListener("click", () => open(part("open-text").value));
};
