// Deals that another phone made, taken in from its code, its file or its text: they go to the server from here as well.
import * as store from "../table-store.js";
import { readHanded, unpack } from "./handing.js";
import { exchange, refresh } from "./network.js";
import { matches, page } from "./page.js";
import { fill, make, part, say } from "./words.js";

/** A deal is of this table, as far as that is known: a phone that has never seen the table keeps what it is given. */
const isHere = ({ scoresheet }) => !page.link?.table || matches().some((match) => match.scoresheet === scoresheet);

const take = async (text) => {
  const { deals, faults } = readHanded(text);
  const others = deals.filter((deal) => !isHere(deal));
  const mine = deals.filter(isHere);
  const made = mine.length ? await store.takeIn(page.link?.uid ?? null, mine) : 0;
  const said = [];
  if (made) said.push(fill("taken", { count: made }));
  if (mine.length > made) said.push(fill("taken-before", { count: mine.length - made }));
  if (others.length) said.push(fill("taken-elsewhere", { count: others.length, tables: [...new Set(others.map(({ table }) => table ?? "?"))].join(", ") }));
  for (const { place, number, why } of faults) said.push(fill(`taken-${why}`, { place, number }));
  if (!said.length) said.push(fill("taken-nothing"));
  if (made && !page.link) said.push(fill("taken-no-link"));
  return { said: said.map((nodes) => make("span", { class: "at__said" }, ...nodes)), isWhole: !others.length && !faults.length && mine.length > 0 };
};

const taking = async (text, box) => {
  try {
    const { said, isWhole } = await take(text);
    say(box, ...said);
    await refresh();
    exchange();
    return isWhole;
  } catch (error) {
    say(box, ...fill("not-taken", { error: error.message || error.name }));
    return false;
  }
};

/** Ask whether the deals of a code that was opened are to be taken in; without a code there is nothing to ask. */
export const offer = async (packed) => {
  const box = part("offer");
  box.hidden = !packed;
  if (!packed) return;
  const text = await unpack(packed);
  const deals = text === null ? [] : readHanded(text).deals;
  const numbers = deals.map(({ number }) => number).join(", ");
  const forget = () => {
    history.replaceState(null, "", location.pathname + location.search + location.hash.split(".")[0]);
    part("offer-buttons").hidden = true;
  };
  part("offer-buttons").hidden = !deals.length;
  say(part("offer-says"), ...(deals.length ? fill("offer", { count: deals.length, numbers }) : fill("offer-unreadable")));
  part("offer-take").onclick = async () => (await taking(text, part("offer-says"))) && forget();
  part("offer-leave").onclick = () => {
    forget();
    box.hidden = true;
  };
};

/** Let deals be read from a file or from text. */
export const wireTaking = () => {
  part("take-file").addEventListener("change", async ({ target }) => {
    const texts = await Promise.all([...target.files].map((file) => file.text()));
    part("take-text").value = texts.join("\n\n");
  });
  part("take").addEventListener("submit", async (event) => {
    event.preventDefault();
    const isWhole = await taking(part("take-text").value, part("take-says"));
    if (!isWhole) return;
    part("take-text").value = "";
    part("take-file").value = "";
  });
};
