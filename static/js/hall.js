// The big screen: one part of one panel at a time, turned by itself, held by a key or a click.
//
// <main data-hall data-seconds="12"><div class="big__panels"><section data-panel="standings">…   each is one screen
// [data-hall-controls] with [data-hall-back], [data-hall-pause], [data-hall-on], [data-hall-dots]
// Space: hold or go on. Arrows: turn. F: the whole screen.
import { showAges } from "./live.js";

const hall = document.querySelector("[data-hall]");
const controls = hall.querySelector("[data-hall-controls]");
const pause = controls.querySelector("[data-hall-pause]");
const dots = controls.querySelector("[data-hall-dots]");
const wait = Number(hall.dataset.seconds) * 1000;
const MOST_DOTS = 30;
let place = 0;
let kind = "";
let timer = 0;
let held = false;
let idle = 0;

const parts = () => [...hall.querySelectorAll("[data-panel]")];

// What was replaced while it was shown is found again: by its panel, and how far one was in it.
const show = (wanted) => {
  const all = parts();
  hall.querySelector("[data-none]").hidden = all.length > 0;
  if (!all.length) return;
  place = ((wanted % all.length) + all.length) % all.length;
  kind = all[place].dataset.panel;
  for (const [number, part] of all.entries()) part.hidden = number !== place;
  dots.replaceChildren(
    ...(all.length > MOST_DOTS ? [] : all).map((_part, number) => {
      const dot = document.createElement("i");
      dot.classList.toggle("is-now", number === place);
      return dot;
    }),
  );
};

const turn = (by) => {
  show(place + by);
  later();
};

const later = () => {
  clearTimeout(timer);
  if (!held) timer = setTimeout(() => turn(1), wait);
};

const hold = (value) => {
  held = value;
  pause.setAttribute("aria-pressed", String(held));
  pause.textContent = held ? pause.dataset.go : pause.dataset.pause;
  later();
};

const again = () => {
  const all = parts();
  const first = all.findIndex((part) => part.dataset.panel === kind);
  const last = all.findLastIndex((part) => part.dataset.panel === kind);
  show(first < 0 ? place : Math.min(Math.max(place, first), last));
  showAges();
};

new MutationObserver((changes) => {
  const isNew = changes.some((change) => [...change.addedNodes].some((node) => node.nodeType === 1 && node.matches("[data-follow=hall]")));
  if (isNew) again();
}).observe(hall, { childList: true });

const moved = () => {
  document.body.classList.remove("is-idle");
  clearTimeout(idle);
  idle = setTimeout(() => document.body.classList.add("is-idle"), 5000);
};

controls.hidden = false;
document.body.classList.add("is-turning");
pause.addEventListener("click", () => hold(!held));
controls.querySelector("[data-hall-back]").addEventListener("click", () => turn(-1));
controls.querySelector("[data-hall-on]").addEventListener("click", () => turn(1));
hall.addEventListener("click", (event) => {
  if (!event.target.closest("a, button")) hold(!held);
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const rtl = document.documentElement.dir === "rtl" ? -1 : 1;
  if (event.key === " " && !event.target.closest("a, button")) {
    event.preventDefault();
    hold(!held);
  } else if (event.key === "ArrowRight") turn(rtl);
  else if (event.key === "ArrowLeft") turn(-rtl);
  else if (event.key.toLowerCase() === "f") {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => {});
  }
});
addEventListener("pointermove", moved);
moved();
show(0);
later();
