// Turn a deal's steps without asking the server: every step is in the page, and the links work without this script.
const replay = document.querySelector("[data-replay]");

const plays = [...replay.querySelectorAll("[data-index]")];
const held = [...replay.querySelectorAll("[data-play]")];
const tricks = [...replay.querySelectorAll(".trick[data-first]")];
const ways = [...replay.querySelectorAll("[data-goto]")];
const steps = [...replay.querySelectorAll(".replay__now > [data-at]")];
const start = replay.querySelector("[data-trick-start]");
const last = Number(replay.dataset.last);
let at = Number(replay.dataset.at);

const within = (element) => Number(element.dataset.first) <= at && at <= Number(element.dataset.last ?? element.dataset.goto);

const show = () => {
  replay.dataset.at = at;
  replay.querySelector("[data-at-shown]").textContent = at;
  if (start) start.hidden = at !== 0;
  for (const trick of tricks) {
    trick.hidden = !within(trick);
    trick.classList.toggle("is-whole", Number(trick.dataset.last) === at);
  }
  for (const play of plays) play.hidden = Number(play.dataset.index) > at;
  for (const card of held) {
    card.classList.toggle("is-gone", Number(card.dataset.play) < at);
    card.classList.toggle("is-now", Number(card.dataset.play) === at);
  }
  for (const way of ways) {
    if (within(way)) way.setAttribute("aria-current", "step");
    else way.removeAttribute("aria-current");
  }
  for (const step of steps) step.hidden = Number(step.dataset.at) !== at;
  const address = new URL(location.href);
  address.searchParams.set("at", at);
  address.hash = "";
  history.replaceState(null, "", address);
};

const go = (to) => {
  at = Math.min(Math.max(to, 0), last);
  show();
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

replay.addEventListener("click", (event) => {
  const link = event.target.closest("[data-step], [data-goto]");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  go(link.dataset.step ? moves[link.dataset.step]() : Number(link.dataset.goto));
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, .scroll, pre")) return;
  const unit = event.shiftKey ? " trick" : "";
  const onwards = getComputedStyle(replay).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const backwards = onwards === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
  const move = { [backwards]: `previous${unit}`, [onwards]: `next${unit}`, Home: "first", End: "last" }[event.key];
  if (!move) return;
  event.preventDefault();
  go(moves[move]());
});

replay.querySelector("[data-replay-keys]").hidden = !matchMedia("(any-hover: hover)").matches;
