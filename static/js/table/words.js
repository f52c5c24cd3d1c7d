// Words and elements of the pages on which deals are entered. The words come with the page, in <template class="words">.
import * as laws from "../laws.js";

const templates = [...document.querySelectorAll("template.words")];
export const words = Object.fromEntries(
  templates.flatMap(({ content }) => [...content.querySelectorAll("[data-word]")].map((one) => [one.dataset.word, one.textContent])),
);

/** The element that `data-<name>` marks: `part("save")`, `part('step="dealer"')`. */
export const part = (name, root = document) => root.querySelector(`[data-${name}]`);

export const make = (tag, facts = {}, ...children) => {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(facts)) {
    if (name === "onclick") one.addEventListener("click", value);
    else if (value !== false && value !== null && value !== undefined) one.setAttribute(name, value === true ? "" : value);
  }
  one.append(...children.flat());
  return one;
};
export const bdi = (text) => make("bdi", /^[\d–]+$/.test(text) ? { dir: "ltr" } : {}, String(text));
/** The nodes of a sentence; what is filled in is isolated, so that it stands right in any direction of writing. */
export const fill = (name, values = {}) =>
  words[name].split(/(\{[a-z]+\})/).map((piece) => (/^\{[a-z]+\}$/.test(piece) ? (values[piece.slice(1, -1)] ?? piece) : piece))
    .map((piece, place) => (place % 2 ? (piece instanceof Node ? piece : bdi(String(piece))) : piece));
/** Let a live region say something; what it says already is not said again. */
export const say = (box, ...nodes) => {
  const said = make("span", {}, ...nodes);
  if (box.textContent !== said.textContent) box.replaceChildren(...(nodes.length ? [said] : []));
};
export const seatWord = (seat) => words[`seat-${seat}`];
export const teamWord = (team) => words[`team-${team}`];
export const badge = (code) =>
  make("span", { class: `seat seat--${code.length === 2 ? code : laws.teamOf(code)}`, "aria-hidden": "true" }, code);
export const button = (word, onclick) => make("button", { type: "button", class: "button button--quiet", onclick }, words[word]);
export const namesOf = (match, team) => fill("and", { first: match.seats[team[0]].name, second: match.seats[team[1]].name });
export const scoreOf = ({ winner, tricks }) => `${tricks[winner]}–${tricks[winner === "NS" ? "EW" : "NS"]}`;

/** A deal in a few words: "East–West 7–2 Court". */
export const briefly = (found) => {
  if (found.winner === null) return [words["award-void"]];
  const award = found.award === "win" ? [] : [" ", words[`award-${found.award}`]];
  return [bdi(teamWord(found.winner)), " ", bdi(scoreOf(found)), ...award];
};
export const foundIn = (pcn) => {
  try {
    return laws.judge(laws.readPcn(pcn)).found;
  } catch {
    return null;
  }
};
export const brieflyOf = (pcn) => {
  const found = foundIn(pcn);
  return make("bdi", {}, ...(found ? briefly(found) : [pcn]));
};

/** Put these in the place of what there is; the focus stays on what has the same `data-key`, or goes to the first button. */
export const renew = (box, ...nodes) => {
  const had = box.contains(document.activeElement) ? (document.activeElement.dataset.key ?? "") : null;
  box.replaceChildren(...nodes.flat());
  if (had === null) return;
  const again = had && [...box.querySelectorAll("[data-key]")].find(({ dataset }) => dataset.key === had);
  (again || box.querySelector("button:not([hidden])"))?.focus({ preventScroll: true });
};

/** Where something else is asked now in a box, begin to read it at its top. */
export const atStage = (box, stage) => {
  const { stage: was } = box.dataset;
  box.dataset.stage = stage;
  if (was && was !== stage) box.scrollIntoView({ block: "start" });
};

/** Put these in the place of what there is; the focus stays where it was. */
export const exchangeNodes = (parent, fresh) => {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const at = focused && { number: focused.closest("[data-number]")?.dataset.number, text: focused.textContent };
  parent.replaceChildren(...fresh);
  if (!at) return;
  const again = [...parent.querySelectorAll(`[data-number="${at.number}"] button`)].find((one) => one.textContent === at.text);
  again?.focus({ preventScroll: true });
};
