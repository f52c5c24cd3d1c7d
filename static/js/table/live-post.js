// Show spectators the deal that is being entered: the newest state, one a second at most, and never in anybody's way.
// What is lost is not sent again: the next card brings the whole deal so far. Nothing of the record depends on it.
import { newId } from "../table-store.js";
import { onPlaying } from "./hooks.js";
import { page } from "./page.js";

const EVERY = 1000;
const LATER = 15_000; // After a refusal by number of requests, or a server that is busy.
const device = newId(); // Of this page: its count begins anew with it.
let sequence = 0;
let newest = null;
let shown = ""; // What was sent last, so that nothing is sent twice.
let sending = false;
let notBefore = 0;
let timer = 0;
let last = 0; // The number of the deal that was shown last: that none is entered any more is said of it.

const numberOf = (pcn) => Number(/\[Deal "(\d+)"\]/.exec(pcn ?? "")?.[1]) || null;

const soon = () => {
  clearTimeout(timer);
  if (newest && !sending) timer = setTimeout(send, Math.max(0, notBefore - Date.now()));
};

const send = async () => {
  const state = newest;
  newest = null;
  const { link } = page;
  if (!state || !link || link.revoked || !navigator.onLine) return;
  sending = true;
  notBefore = Date.now() + EVERY;
  try {
    const answer = await fetch("/api/v1/table/live", {
      method: "POST",
      credentials: "omit",
      headers: { "Content-Type": "application/json", Authorization: `Table ${link.secret}` },
      body: JSON.stringify({ device, sequence: ++sequence, ...state }),
    });
    if (answer.status === 429 || answer.status >= 500) notBefore = Date.now() + LATER;
  } catch {
    notBefore = Date.now() + LATER; // No network: whoever enters deals is told so elsewhere.
  } finally {
    sending = false;
    soon();
  }
};

onPlaying((match, pcn) => {
  const state = { scoresheet: match.scoresheet, deal: numberOf(pcn) ?? last, pcn };
  if (!state.deal) return;
  const text = JSON.stringify(state);
  if (text === shown) return;
  shown = text;
  last = state.deal;
  newest = state;
  soon();
});

addEventListener("online", soon);
