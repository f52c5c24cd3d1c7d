// Exchanges with the server: deals are sent, what stands is fetched, one after the other.
import * as store from "../table-store.js";
import { matches, page } from "./page.js";

const EVERY = 15_000;
let draw = () => null;

/** Read again what this phone keeps, and draw it. */
export const refresh = async () => {
  const all = await store.allDeals();
  const sheets = new Set(matches().map(({ scoresheet }) => scoresheet));
  page.deals = page.link ? all.filter((one) => one.link === page.link.uid || sheets.has(one.scoresheet)) : [];
  draw();
};

let running = null;
let notBefore = 0;
/** Send what is not sent and fetch what stands; what is asked for meanwhile is done after it. */
export const exchange = async () => {
  if (!page.link || Date.now() < notBefore) return;
  while (running) await running;
  running = exchangeOnce();
  try {
    await running;
  } finally {
    running = null;
  }
};
const exchangeOnce = async () => {
  const mine = page.link;
  const sent = mine.revoked ? { how: "revoked" } : await store.send(mine);
  if (sent.wait) notBefore = Date.now() + 1000 * sent.wait;
  const seen = ["offline", "busy", "throttled"].includes(sent.how) ? { how: sent.how, link: mine } : await store.look(mine);
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
  store.onChange(refresh);
  setInterval(wake, EVERY);
};
