// A slip that is read as it is typed: each change asks the server what the engine says, and shows it beside its line.
// Without this the button Check does the same. Typing n or e in "Won by" chooses and goes on to the losers' tricks, v
// chooses; Enter begins the next line.
const form = document.querySelector("[data-results]");
const KEYS = { n: "NS", s: "NS", e: "EW", w: "EW", v: "void" };
let timer = 0;
let turn = 0;

const check = async () => {
  const mine = ++turn;
  const data = new FormData(form);
  data.set("check", "1");
  let page;
  try {
    const answer = await fetch(form.action, { method: "POST", body: data, credentials: "same-origin" });
    if (!answer.ok && answer.status !== 422) return;
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return; // No connection: the buttons still do it.
  }
  if (mine !== turn) return; // Something was typed since.
  const fresh = page.querySelectorAll("[data-line]");
  form.querySelectorAll("[data-line]").forEach((line, place) => {
    if (!fresh[place]) return;
    line.className = fresh[place].className;
    line.querySelector("[data-says]").replaceChildren(...document.importNode(fresh[place].querySelector("[data-says]"), true).childNodes);
  });
};

const soon = () => {
  clearTimeout(timer);
  turn++;
  timer = setTimeout(check, 350);
};

const lineAfter = (line) => line.nextElementSibling?.querySelector('input[type="radio"]');

form?.addEventListener("input", soon);
form?.addEventListener("change", soon);
form?.addEventListener("keydown", (event) => {
  const line = event.target.closest("[data-line]");
  if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && event.target.localName !== "button") {
    event.preventDefault();
    const after = lineAfter(line);
    (after ?? form.querySelector('[name="more"]')).focus();
    return;
  }
  const value = event.target.type === "radio" && KEYS[event.key.toLowerCase()];
  if (!value) return;
  event.preventDefault();
  const radio = line.querySelector(`input[type="radio"][value="${value}"]`);
  radio.checked = true;
  soon();
  radio.focus();
  if (value !== "void") line.querySelector(`[name$="-${form.dataset.results}"]`)?.focus();
});

// What is typed is checked by itself here: to save is the next thing to do, and the first empty line is where to begin.
if (form) {
  form.querySelectorAll('.slip__buttons [name="check"]').forEach((button) => button.classList.add("button--quiet"));
  form.querySelector('.slip__buttons [name="finish"]')?.classList.remove("button--quiet");
  form.querySelector('.slip__buttons [name="save"]')?.classList.add("button--quiet");
  const empty = [...form.querySelectorAll("[data-line]")].find((line) => !line.querySelector('input[type="radio"]:checked'));
  if (!document.querySelector("[data-results-state] .notice, .toasts .notice--warning")) empty?.querySelector('input[type="radio"]')?.focus();
}
