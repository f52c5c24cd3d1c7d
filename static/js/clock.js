// A round's clock, right to the second: the server says since when it runs, this counts from there.
//
// <div data-clock="{…}" data-now="/…/clock/now" data-phase="running"> with [data-clock-time], [data-clock-phase], [data-clock-signal]
//
// The device's own clock is never asked what time it is, only performance.now() how much has passed; what the server's
// time is, is measured: at the start, every minute, and whenever this page or its device has slept.
let known = null; // the newest message of the clock
let offset = null; // milliseconds: the server's time less performance.now()
let asking = false;
let asked = -Infinity;
let isNew = true; // Whether the page is shown for the first time: a clock that is put into it later has a later moment.
const MINUTE = 60_000;

const faces = () => document.querySelectorAll("[data-clock]");

const isNewer = (news) =>
  !known || news.round > known.round || (news.round === known.round && news.version >= known.version);

const take = (news) => {
  if (typeof news.left === "number" && isNewer(news)) known = news;
};

// What the page came with: its moment is when its first byte did, until it is measured better.
const takeFromPage = () => {
  for (const face of faces()) {
    if (face.dataset.taken === face.dataset.clock) continue;
    face.dataset.taken = face.dataset.clock;
    const news = JSON.parse(face.dataset.clock);
    take(news);
    const entry = performance.getEntriesByType("navigation")[0];
    offset ??= news.now - (isNew ? (entry?.responseStart ?? performance.now()) : performance.now());
  }
};

const measure = async () => {
  const address = faces()[0]?.dataset.now;
  if (!address || asking) return;
  asking = true;
  asked = performance.now();
  try {
    let best = Infinity;
    for (let time = 0; time < 3 && best > 150; time++) {
      const sent = performance.now();
      const answer = await fetch(address, { cache: "no-store", credentials: "same-origin" });
      const came = performance.now();
      if (!answer.ok) break;
      const news = await answer.json();
      const took = came - sent;
      if (took < best) {
        best = took;
        offset = news.now - (sent + took / 2);
      }
      take(news);
    }
  } catch {
    // No connection: what is known goes on, and the next minute asks again.
  } finally {
    asking = false;
  }
  show();
};

const remaining = () => {
  const gone = known.running_since === null ? 0 : Math.max(performance.now() + offset - known.running_since, 0);
  return Math.max(known.left - gone, 0);
};

const phaseOf = (left) => {
  if (known.state === "ended" || known.state === "not-started") return known.state;
  if (left <= 0) return "over";
  return known.last_deal ? "last-deal" : known.state;
};

const two = (number) => String(number).padStart(2, "0");
const textOf = (left) => {
  const seconds = Math.ceil(left / 1000);
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
};

const put = (element, text) => {
  if (element && element.textContent !== text) element.textContent = text;
};
const word = (element, phase) =>
  element?.dataset[phase.replace(/-(\w)/g, (_all, letter) => letter.toUpperCase())] ?? "";

const show = () => {
  takeFromPage();
  if (!known || offset === null) return;
  const left = remaining();
  const phase = phaseOf(left);
  for (const face of faces()) {
    if (JSON.parse(face.dataset.clock).round !== known.round) continue; // Another round's, which the page shows on purpose.
    put(face.querySelector("[data-clock-time]"), textOf(left));
    if (face.dataset.phase === phase) continue;
    face.dataset.phase = phase;
    const state = face.querySelector("[data-clock-phase]");
    put(state, word(state, phase));
    const signal = face.querySelector("[data-clock-signal]");
    put(signal, word(signal, phase)); // Spoken once, when it changes.
  }
};

// Time that passed for the calendar and not for performance.now(), or the other way round: the device slept, or its
// clock was set. Then it is measured anew.
let wall = Date.now() - performance.now();
const tick = () => {
  const drift = Date.now() - performance.now();
  if (Math.abs(drift - wall) > 1000 || performance.now() - asked > MINUTE) {
    wall = drift;
    measure();
  }
  show();
};

document.addEventListener("courtpiece:clock", (event) => {
  take(event.detail);
  show();
});
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && measure());
addEventListener("online", measure);
addEventListener("pageshow", (event) => event.persisted && measure());
show();
isNew = false;
measure();
setInterval(tick, 200);
