// The page on which anybody records a game: no tournament, no account and no network are needed.
//
// What is behind the `#` is what is shown: nothing the games of this phone, `new` the form of a new one, an id that game.
// What a game comes to is said by laws.js; what is kept, by record/store.js; what is sent, by record/send.js.
import { persist } from "./table-store.js";
import { drawGames, wireGames, wireNew } from "./record/begin.js";
import { exchange, refresh, showGame, wirePlay } from "./record/play.js";
import * as store from "./record/store.js";
import { fill, make, part } from "./table/words.js";
import { fetchNewer, keepPage } from "./worker.js";

const EVERY = 30_000;

const trouble = (name, error) => {
  const box = part("trouble");
  box.hidden = !name;
  box.replaceChildren(name ? make("p", {}, ...fill(name, { error: error.message || error.name })) : make("p"));
};
const fails = (error) => trouble("game-not-saved", error);

/** Show what the script shows in place of the bare heading that stands there before. */
const open = () => {
  part("before").hidden = true;
  part("at").hidden = false;
};

const show = (name) => {
  for (const view of document.querySelectorAll("[data-view]")) view.hidden = view.dataset.view !== name;
  open();
};

/** Show what the address asks for; `isMove` where somebody went there, so that the heading is read out. */
const route = async (isMove) => {
  try {
    trouble(null);
    const name = decodeURIComponent(location.hash.slice(1));
    const game = name && name !== "new" ? await store.gameOf(name) : null;
    if (!game) await showGame(null);
    if (!game && name !== "new") await drawGames();
    show(game ? "game" : name === "new" ? "new" : "games");
    if (isMove) {
      scrollTo(0, 0);
      const heading = document.querySelector("[data-view]:not([hidden]) h1");
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
    if (game) await showGame(game);
  } catch (error) {
    open();
    trouble("no-games-kept", error);
  }
};

const go = (game) => {
  location.hash = game.id;
};

/** Look whether the server has another version of this page; by plain http there is no service worker that would. */
const lookForNewer = async () => {
  const mine = part("at").dataset.version;
  if (!mine || navigator.onLine === false) return;
  try {
    const answer = await fetch("/record/sw.js", { cache: "no-store", credentials: "omit" });
    const [, newest] = /^const VERSION = "([0-9a-f]+)";/.exec(answer.ok ? await answer.text() : "") ?? [];
    if (newest) part("newer").hidden = newest === mine;
    if (newest && newest !== mine) await fetchNewer();
  } catch {
    // There is no network: another time.
  }
};

wireNew(part('view="new"'), { started: go, fails });
wireGames({ opened: go, fails });
wirePlay(trouble);
const wake = () => document.visibilityState === "visible" && exchange();
addEventListener("hashchange", () => route(true));
addEventListener("online", exchange);
addEventListener("offline", exchange);
addEventListener("pageshow", (event) => event.persisted && wake());
document.addEventListener("visibilitychange", wake);
part("reload").addEventListener("click", () => location.reload());
navigator.serviceWorker?.addEventListener("controllerchange", lookForNewer);
setInterval(lookForNewer, 5 * 60_000);
store.onChange(() => (location.hash.length > 1 ? refresh() : drawGames()));
setInterval(wake, EVERY);
persist();
route(false);
lookForNewer();
// By plain http there is no service worker: the page stays usable while it is open, and what it kept is there when it opens again.
keepPage("/record/").catch(() => {});
