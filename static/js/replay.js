// Turn a deal's steps without asking the server: every step is in the page as the server made it, and the links work
// without this script. Nothing here knows a law.
const replay = document.querySelector("[data-replay]");
const board = replay.querySelector("[data-board]");

const plays = [...replay.querySelectorAll("[data-index]")];
const held = [...replay.querySelectorAll("[data-play]")];
const tricks = [...replay.querySelectorAll(".trick[data-first]")];
const ways = [...replay.querySelectorAll("[data-goto]")];
const steps = [...replay.querySelectorAll(".replay__now > [data-at]")];
const passing = [...replay.querySelectorAll("[data-from], [data-until]")];
const counts = [...replay.querySelectorAll("[data-count]")];
const taken = [...replay.querySelectorAll("[data-of]")];
const addresses = [...document.querySelectorAll("[data-position]")].map((link) => [link, new URL(link.href, location)]);
const start = replay.querySelector("[data-trick-start]");
const last = Number(replay.dataset.last);
let at = Number(replay.dataset.at);

const within = (element) => Number(element.dataset.first) <= at && at <= Number(element.dataset.last ?? element.dataset.goto);
const lasts = (element) => Number(element.dataset.from ?? 0) <= at && at < Number(element.dataset.until ?? Infinity);

const address = () => {
  const found = new URL(location.href);
  found.searchParams.set("at", at);
  found.hash = "";
  return found;
};

const show = (from) => {
  replay.dataset.at = at;
  replay.querySelector("[data-at-shown]").textContent = at;
  if (start) start.hidden = at !== 0;
  for (const trick of tricks) {
    trick.hidden = !within(trick);
    trick.classList.toggle("is-whole", Number(trick.dataset.last) === at);
  }
  for (const play of plays) {
    play.hidden = Number(play.dataset.index) > at;
    play.classList.toggle("is-coming", at === from + 1 && Number(play.dataset.index) === at);
  }
  for (const card of held) {
    card.classList.toggle("is-gone", Number(card.dataset.play) < at);
    card.classList.toggle("is-now", Number(card.dataset.play) === at);
  }
  for (const one of passing) one.hidden = !lasts(one);
  for (const way of ways) {
    if (within(way)) way.setAttribute("aria-current", "step");
    else way.removeAttribute("aria-current");
  }
  for (const step of steps) step.hidden = Number(step.dataset.at) !== at;
  const now = steps.find((step) => !step.hidden).dataset;
  for (const count of counts) count.textContent = now[count.dataset.count];
  const order = {};
  for (const one of taken) {
    const place = (order[one.dataset.of] = (order[one.dataset.of] ?? 0) + 1);
    one.hidden = place > Number(now[one.dataset.of]);
  }
  for (const [link, url] of addresses) {
    url.searchParams.set("at", at);
    link.href = url;
  }
  history.replaceState(null, "", address());
};

const go = (to) => {
  const from = at;
  at = Math.min(Math.max(to, 0), last);
  show(from);
};

// A trick's length is known from the page: three players would make it three cards.
const ends = [0, ...ways.map((way) => Number(way.dataset.goto))];
const moves = {
  first: () => 0,
  previous: () => at - 1,
  next: () => at + 1,
  last: () => last,
  "previous trick": () => Math.max(0, ...ends.filter((end) => end < at)),
  "next trick": () => Math.min(last, ...ends.filter((end) => end > at)),
};

// -- by itself

const run = replay.querySelector("[data-run]");
const toggle = run.querySelector("[data-run-toggle]");
const speed = run.querySelector("[data-run-speed]");
const CARD = 1100;
const TRICK = 1900;
let waits = 0;

const kept = (value) => {
  try {
    if (value !== undefined) localStorage.setItem("replay-speed", value);
    return localStorage.getItem("replay-speed");
  } catch { return null; } // The choice then lasts as long as the page.
};

const isRunning = () => toggle.getAttribute("aria-pressed") === "true";

const say = (running) => {
  toggle.setAttribute("aria-pressed", String(running));
  run.querySelector("[data-run-start]").hidden = running;
  run.querySelector("[data-run-stop]").hidden = !running;
};

const stop = () => {
  clearTimeout(waits);
  say(false);
};

const wait = () => {
  clearTimeout(waits);
  waits = setTimeout(() => {
    go(at + 1);
    if (at === last) stop();
    else wait();
  }, (ends.includes(at) && at ? TRICK : CARD) / Number(speed.value));
};

const begin = () => {
  if (at === last) go(0);
  say(true);
  wait();
};

const turn = (to) => {
  stop();
  go(to);
};

if (last) {
  run.hidden = false;
  if ([...speed.options].some(({ value }) => value === kept())) speed.value = kept();
  toggle.addEventListener("click", () => (isRunning() ? stop() : begin()));
  speed.addEventListener("change", () => {
    kept(speed.value);
    if (isRunning()) wait();
  });
}

// -- by buttons, keys and fingers

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-step], [data-goto]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  turn(link.dataset.step ? moves[link.dataset.step]() : Number(link.dataset.goto));
  if (!replay.contains(link)) replay.scrollIntoView({ block: "start" });
});

const onwards = () => (getComputedStyle(replay).direction === "rtl" ? -1 : 1);

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, .scroll, pre")) return;
  if (event.key === " " && last && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    if (isRunning()) stop();
    else begin();
    return;
  }
  const unit = event.shiftKey ? " trick" : "";
  const [back, on] = onwards() > 0 ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  const move = { [back]: `previous${unit}`, [on]: `next${unit}`, Home: "first", End: "last" }[event.key];
  if (!move) return;
  event.preventDefault();
  turn(moves[move]());
});

// A finger that goes along a line of the page turns a step, as a page of a book is turned; one that goes up scrolls.
const FAR = 36;
let touch = null;

board.addEventListener("touchstart", (event) => {
  const [{ clientX, clientY }] = event.touches;
  touch = { x: clientX, y: clientY, fingers: Math.max(event.touches.length, touch?.fingers ?? 0) };
}, { passive: true });

board.addEventListener("touchend", (event) => {
  if (!touch || event.touches.length) return;
  const [{ clientX, clientY }] = event.changedTouches;
  const { x, y, fingers } = touch;
  touch = null;
  const across = (x - clientX) * onwards();
  if (Math.abs(across) < FAR || Math.abs(across) < 1.5 * Math.abs(y - clientY)) return;
  turn(moves[`${across > 0 ? "next" : "previous"}${fingers > 1 ? " trick" : ""}`]());
}, { passive: true });

board.addEventListener("touchcancel", () => { touch = null; }, { passive: true });

const copy = document.querySelector("[data-copy-position]");
if (copy && navigator.clipboard) {
  const word = copy.textContent;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(address().href);
    copy.textContent = copy.dataset.copied;
    setTimeout(() => { copy.textContent = word; }, 2000);
  });
}

replay.querySelector("[data-replay-keys]").hidden = !matchMedia("(any-hover: hover)").matches;
replay.querySelector("[data-replay-swipe]").hidden = !matchMedia("(any-pointer: coarse)").matches;
