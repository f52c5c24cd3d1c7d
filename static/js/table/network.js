// Exchanges with the server: deals are sent, what stands is fetched, one after the other.
import * as store from "../table-store.js";
import { matches, page } from "./page.js";

const EVERY = 15_000;
let draw = () => null;

const isUnsettled = ({ state }) => store.UNSETTLED.includes(state);

/**
 * Read again what this phone keeps, and draw it. What this page knows and its storage does not, it puts there: it found no room
 * before, or somebody cleared the browser's data under the page.
 */
export const refresh = async () => {
  let all = await store.allDeals().catch(() => []);
  const there = new Set(all.map(({ id }) => id));
  const missing = [...new Set([...page.loose, ...page.deals])].filter((one) => isUnsettled(one) && !there.has(one.id));
  page.loose = missing;
  if (missing.length) {
    try {
      await store.putBack(missing, page.link);
      all = await store.allDeals();
      page.loose = [];
    } catch (error) {
      page.full = error?.name ?? String(error);
    }
  }
  const sheets = new Set(matches().map(({ scoresheet }) => scoresheet));
  page.said = await store.allSaid().catch(() => page.said);
  page.holders = await store.holders().catch(() => page.holders);
  const isHere = (one) => one.link === page.link.uid || sheets.has(one.scoresheet);
  page.deals = page.link ? [...all, ...page.loose].filter(isHere) : [];
  draw();
};

let running = null;
let notBefore = 0; // By a clock that nobody sets.
const MOST_WAIT = 300;
/** Send what is not sent and fetch what stands; what is asked for meanwhile is done after it. */
export const exchange = async () => {
  if (!page.link || performance.now() < notBefore) return;
  while (running) await running;
  running = exchangeOnce();
  try {
    await running;
  } finally {
    running = null;
  }
};
const FAILED = ["offline", "busy", "throttled", "refused", "stray"];
const exchangeOnce = async () => {
  const mine = page.link;
  const loose = page.deals.filter((one) => page.loose.includes(one));
  const sent = mine.revoked ? { how: "revoked" } : await store.send(mine, loose);
  if (sent.how === "ok") await store.sendSaid(mine).catch(() => null);
  const seen = FAILED.includes(sent.how) ? { ...sent, link: mine } : await store.look(mine, loose.filter(isUnsettled));
  const wait = Math.min(seen.wait ?? 0, MOST_WAIT);
  if (wait) notBefore = performance.now() + 1000 * wait;
  if (page.link !== mine) return; // Another link was opened meanwhile.
  page.link = seen.link;
  page.net = seen.how;
  await refresh();
};

/** A person says what is to become of a deal that was not taken. */
export const settle = async (deal, state) => {
  await store.settle(deal.id, state);
  await refresh();
  await exchange();
};

/** Exchange now and then, and whenever there is reason to; `drawing` draws the page. */
export const follow = (drawing) => {
  draw = drawing;
  const wake = () => document.visibilityState === "visible" && exchange();
  addEventListener("online", exchange);
  addEventListener("offline", exchange);
  addEventListener("pageshow", (event) => event.persisted && wake());
  document.addEventListener("visibilitychange", wake);
  addEventListener("beforeunload", (event) => page.loose.some(isUnsettled) && event.preventDefault());
  store.onChange(refresh);
  setInterval(wake, EVERY);
};
