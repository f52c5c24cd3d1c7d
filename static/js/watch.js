// Follow a table: the socket sends what is shown, whole, when its time has come; what was lost is healed by the next.
//
// <div data-watch="/ws/…/tables/6/?language=en" data-version="…">
//   <span class="live" data-watch-state data-open="…" data-waiting="…" hidden>   how the connection stands
//   <div data-watch-board>…</div>                                                what is replaced
//   <p role="status" data-watch-voice></p>                                       the last card, spoken
import { showAges } from "./live.js";

const LONGEST = 30_000;
const ASK = 120_000; // So often the site is asked whether it is still there,
const PATIENCE = 10_000; // and so long it has to answer.
const watch = document.querySelector("[data-watch]");
const board = watch?.querySelector("[data-watch-board]");
const state = watch?.querySelector("[data-watch-state]");
const voice = watch?.querySelector("[data-watch-voice]");
let shown = watch?.dataset.version;
let socket = null;
let tries = 0;
let timer = 0;
let heard = 0;

const say = (name) => {
  state.hidden = false;
  state.dataset.state = name;
  state.textContent = state.dataset[name] ?? "";
};

const laidIn = (part) => new Set([...part.querySelectorAll(".trick__play")].map((one) => one.className + one.innerHTML));

const matchOf = (version) => version.split(".")[0];
const show = ({ html, version }) => {
  if (version === shown) return;
  if (matchOf(version) !== matchOf(shown)) location.reload(); // Another match is played here: the whole page is of it.
  shown = version;
  const before = laidIn(board);
  const told = board.querySelector(".watch__now")?.textContent;
  board.innerHTML = html;
  for (const one of board.querySelectorAll(".trick__play")) {
    if (!before.has(one.className + one.innerHTML)) one.classList.add("is-fresh");
  }
  const now = board.querySelector(".watch__now")?.textContent.replace(/\s+/g, " ").trim();
  if (now && now !== told?.replace(/\s+/g, " ").trim()) voice.textContent = now;
  showAges();
};

const connect = () => {
  clearTimeout(timer);
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const address = new URL(watch.dataset.watch, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  const own = socket;
  socket.addEventListener("open", () => {
    tries = 0;
    say("open");
  });
  socket.addEventListener("message", (event) => {
    const news = JSON.parse(event.data);
    heard = Date.now();
    if (news.type === "table") show(news);
  });
  socket.addEventListener("close", (event) => {
    if (own !== socket) return; // Another has taken its place.
    say("waiting");
    if (event.code === 4404) return; // Nothing is here any more.
    timer = setTimeout(connect, Math.min(LONGEST, 500 * 2 ** tries++) * (0.5 + Math.random() / 2));
  });
};

// A socket can look open and be dead: asked, it answers with all that is shown, or another takes its place.
const ask = () => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  const [asked, one] = [Date.now(), socket];
  one.send("{}");
  setTimeout(() => {
    if (one !== socket || heard >= asked || one.readyState !== WebSocket.OPEN) return;
    socket = null;
    one.close();
    say("waiting");
    connect();
  }, PATIENCE);
};

const wake = () => {
  if (document.visibilityState !== "visible") return;
  tries = 0;
  ask();
  connect();
};

if (watch) {
  connect();
  setInterval(ask, ASK);
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
}
