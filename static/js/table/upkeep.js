// What keeps the page itself in order: a newer version of it is told of, and whether the browser promises to keep the deals.
import * as store from "../table-store.js";
import { fetchNewer } from "../worker.js";
import { onDraw } from "./hooks.js";
import { unsettled } from "./page.js";
import { part } from "./words.js";

const WORKER = "/table/sw.js";
const EVERY = 5 * 60_000;
let lastAsked = -Infinity;

/** Look whether the server has another version of this page; by plain http there is no service worker that would. */
const lookForNewer = async () => {
  const mine = part("at").dataset.version;
  if (!mine || document.visibilityState !== "visible" || performance.now() - lastAsked < EVERY) return;
  lastAsked = performance.now();
  try {
    const answer = await fetch(WORKER, { cache: "no-store", credentials: "omit" });
    const [, newest] = /^const VERSION = "([0-9a-f]+)";/.exec(answer.ok ? await answer.text() : "") ?? [];
    if (newest) part("newer").hidden = newest === mine;
    if (newest && newest !== mine) await fetchNewer();
  } catch {
    lastAsked = -Infinity; // There is no network: another time.
  }
};

let isKept = true;
const askToKeep = async () => {
  isKept = await store.persist();
  drawKept();
};
const drawKept = () => (part("may-be-cleared").hidden = isKept || !unsettled().length);

part("reload").addEventListener("click", () => location.reload());
addEventListener("online", lookForNewer);
document.addEventListener("visibilitychange", lookForNewer);
navigator.serviceWorker?.addEventListener("controllerchange", () => {
  lastAsked = -Infinity;
  lookForNewer();
});
setInterval(lookForNewer, EVERY);
onDraw(drawKept);
askToKeep();
lookForNewer();
