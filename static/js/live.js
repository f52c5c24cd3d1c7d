// Follow a tournament: the socket says which version there is, the page fetches what changed and says how old it is.
//
// <section data-live="/ws/…/" data-fragment="/…/fragment" data-version="41">  the part that is replaced
// <header data-live="/ws/…/" data-version="41">  the same on a page that has only parts of the next kind
// <ul data-follow="facts">  a part that is taken from the page itself, asked for again, when the standings are newer
// <div data-live="/ws/…/" data-only="clock"><div data-follow="clock" data-wall>  a page that follows the clock and nothing else
// <header data-live="/ws/…/room/">  the room: its socket says besides that a table said something, and the page follows
// <form data-controls>  what is about the clock: where there is one, the page follows the clock too
// <span class="live" data-live-state data-open="…" data-waiting="…" data-news="…" hidden>   how the connection stands
const part = document.querySelector("[data-live]:not([data-only])") ?? document.querySelector("[data-live]");
const state = document.querySelector("[data-live-state]");
const LONGEST = 30_000;
const LEAST = 1000;
const OLD = 20_000; // What is shown is as old as it is said to be, from here on.
const ASK = 120_000; // So often the site is asked whether it is still there,
const PATIENCE = 10_000; // and so long it has to answer.
let shown = Number(part?.dataset.version ?? 0);
let wanted = shown;
let followed = shown;
let tries = 0;
let socket = null;
let timer = 0;

let heard = Date.now(); // When the site last said how things are: the age of what is shown while nothing comes.
const say = (name) => {
  if (!state) return;
  state.hidden = false;
  state.dataset.state = name;
  const since = name === "waiting" && Date.now() - heard >= OLD ? ` · ${age(heard)}` : "";
  const text = (state.dataset[name] ?? "") + since;
  if (state.textContent !== text) state.textContent = text;
};

// A word at the foot of the page when something new is shown, spoken too.
const toasts = document.createElement("div");
toasts.className = "toasts";
toasts.setAttribute("role", "status");
document.body.append(toasts);
const toast = (text) => {
  if (!text) return;
  const one = document.createElement("p");
  one.className = "toast";
  one.textContent = text;
  toasts.replaceChildren(one);
  setTimeout(() => one.remove(), 5000);
};

const language = document.documentElement.lang || "en";
const ages = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const age = (since) => {
  const seconds = Math.round((since - Date.now()) / 1000);
  if (seconds > -60) return ages.format(Math.min(seconds, 0), "second");
  if (seconds > -3600) return ages.format(Math.round(seconds / 60), "minute");
  if (seconds > -86400) return ages.format(Math.round(seconds / 3600), "hour");
  return ages.format(Math.round(seconds / 86400), "day");
};
export const showAges = () => {
  for (const time of document.querySelectorAll("time[data-age]")) {
    const since = Date.parse(time.dateTime);
    if (Number.isNaN(since)) continue;
    time.title ||= time.textContent;
    time.textContent = age(since);
  }
};

// Something in the room is new that the standings do not show: the page asks for its parts again, once for all that comes meanwhile.
let following = null;
let isNewer = false;
const hearRoom = async () => {
  isNewer = true;
  if (following) return;
  try {
    while (isNewer) {
      isNewer = false;
      following = follow();
      await following;
    }
  } catch {
    setTimeout(hearRoom, 3000);
  } finally {
    following = null;
  }
};

// Once a second at most: in a hall where every table writes there is news all the time, and for everybody who looks.
let fetching = false;
let mayFetchAt = 0;
const itsTurn = async () => {
  const wait = mayFetchAt - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  mayFetchAt = performance.now() + LEAST;
};
const fetchPart = async () => {
  if (fetching) return;
  fetching = true;
  try {
    while (shown < wanted || followed < shown) {
      await itsTurn();
      if (!part.dataset.fragment) shown = wanted;
      if (shown < wanted) {
        const answer = await fetch(part.dataset.fragment, { headers: { "X-Requested-With": "fetch" }, cache: "no-store" });
        if (!answer.ok) throw new Error(answer.statusText);
        replace(await answer.text());
        heard = Date.now();
      }
      const version = shown;
      if (followed < version) await follow();
      followed = version;
    }
    say(socket?.readyState === WebSocket.OPEN ? "open" : "waiting");
  } catch {
    say("waiting");
    setTimeout(fetchPart, 3000);
  } finally {
    fetching = false;
  }
};

// Keep open what the reader had opened, and mark the rows that changed.
const replace = (html) => {
  const open = new Set([...part.querySelectorAll("details[open]")].map((one) => one.dataset.entry));
  const before = new Map([...part.querySelectorAll("[data-entry-row]")].map((row) => [row.dataset.entryRow, row.textContent]));
  part.innerHTML = html;
  for (const one of part.querySelectorAll("details")) one.open = one.dataset.entry !== undefined && open.has(one.dataset.entry);
  for (const row of part.querySelectorAll("[data-entry-row]")) {
    const was = before.get(row.dataset.entryRow);
    if (was !== undefined && was !== row.textContent) row.classList.add("is-new");
  }
  const was = shown;
  shown = Number(part.querySelector("[data-version]")?.dataset.version ?? wanted);
  if (shown < wanted) wanted = shown; // What the socket announced is not yet what the site shows: wait for its next word.
  if (shown > was) toast(state?.dataset.news);
  showAges();
};

// The other parts of the page, taken from the page as it is now. What was open stays open, and the focus where it was.
const follow = async () => {
  if (!document.querySelector("[data-follow]")) return;
  const address = new URL(location.href);
  address.hash = "";
  const answer = await fetch(address, { credentials: "same-origin", cache: "no-store" });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const old of document.querySelectorAll("[data-follow]")) {
    const fresh = page.querySelector(`[data-follow="${CSS.escape(old.dataset.follow)}"]`);
    if (fresh) exchange(old, document.importNode(fresh, true));
  }
  showAges();
};

const exchange = (old, fresh) => {
  const typed = old.contains(document.activeElement) ? document.activeElement : null;
  if (typed?.matches("input:not([type=radio], [type=checkbox]), select, textarea")) return; // Somebody types there.
  for (const one of fresh.querySelectorAll("details[id]")) {
    const was = old.querySelector(`#${CSS.escape(one.id)}`);
    if (was) one.open = was.open;
  }
  if (fresh.isEqualNode(old)) return;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(fresh);
  if (!focused) return;
  const name = nameOf(focused);
  [...fresh.querySelectorAll(focused.localName)].find((one) => nameOf(one) === name)?.focus({ preventScroll: true });
};

// What says which of its kind an element is, before and after.
const nameOf = (one) =>
  one.id ||
  one.getAttribute("href") ||
  one.getAttribute("aria-labelledby") ||
  one.closest("form")?.getAttribute("action") ||
  one.closest("details")?.id;

// How the clock runs is for clock.js; where none is shown yet, or where it can be turned, the page follows it.
let clock = "";
const isShown = (round) => {
  const face = document.querySelector("[data-clock]");
  return face && (!face.closest("[data-wall]") || JSON.parse(face.dataset.clock).round === round);
};
const hearClock = (news) => {
  document.dispatchEvent(new CustomEvent("courtpiece:clock", { detail: news }));
  const name = `${news.round}.${news.version}`;
  const here = document.querySelector("[data-controls] [name=version]")?.value;
  const isNew = here === undefined ? !isShown(news.round) : here !== String(news.version);
  if (isNew && name !== clock) follow().catch(() => {});
  clock = name;
};

const connect = () => {
  clearTimeout(timer);
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const address = new URL(part.dataset.live, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    tries = 0;
    say("open");
  });
  socket.addEventListener("message", (event) => {
    const news = JSON.parse(event.data);
    heard = Date.now();
    if (news.type === "clock") {
      hearClock(news);
      return;
    }
    if (news.type === "room") {
      hearRoom();
      return;
    }
    if (part.dataset.only || typeof news.version !== "number") return;
    wanted = Math.max(wanted, news.version);
    fetchPart();
  });
  const own = socket;
  socket.addEventListener("close", () => {
    if (own !== socket) return; // Another has taken its place.
    say("waiting");
    const wait = Math.min(LONGEST, 500 * 2 ** tries++) * (0.5 + Math.random() / 2);
    timer = setTimeout(connect, wait);
  });
};

// A socket can look open and be dead: after a sleep, or behind a router that forgot it. Asked, it answers or is closed.
const ask = () => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  const [asked, one] = [Date.now(), socket];
  one.send("{}");
  setTimeout(() => {
    if (one !== socket || heard >= asked || one.readyState !== WebSocket.OPEN) return;
    socket = null; // Its close may come much later: nobody waits for it.
    one.close();
    say("waiting");
    connect();
  }, PATIENCE);
};

const wake = () => {
  if (document.visibilityState !== "visible") return;
  showAges();
  if (!part) return;
  tries = 0;
  ask();
  connect();
};

showAges();
setInterval(() => {
  showAges();
  if (state?.dataset.state === "waiting") say("waiting");
}, 10_000);
if (part) setInterval(ask, ASK);
document.addEventListener("visibilitychange", wake);
addEventListener("online", wake);
addEventListener("pageshow", (event) => event.persisted && wake());
if (part) connect();
