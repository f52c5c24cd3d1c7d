// A slip that is keyed: Enter goes on to the next deal, and what the server reads in the keys is shown beside them.
//
// No key means anything here: every line is read in one place, on the server, and its answer is shown. Without this
// file the button Check does the same.
const form = document.querySelector("[data-slip]");
const said = document.querySelector("[data-said]");
const lines = () => [...form.querySelectorAll("[data-row] input")];
const totals = () => [...form.querySelectorAll(".totals__fields input")];
let timer = 0;
let turn = 0;

const echo = async (announced) => {
  clearTimeout(timer);
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
  if (announced) say(announced, page);
  if (mine !== turn) return; // Something was typed since.
  const fresh = page.querySelectorAll("[data-row]");
  form.querySelectorAll("[data-row]").forEach((row, place) => {
    if (!fresh[place]) return;
    row.className = fresh[place].className;
    row.querySelector("[data-says]").replaceChildren(...document.importNode(fresh[place].querySelector("[data-says]"), true).childNodes);
    const input = row.querySelector("input");
    if (row.classList.contains("has-fault")) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
  });
};

// What became of a line is said once it is left: whoever hears the page types on meanwhile.
const say = (id, page) => {
  const text = page.getElementById(id)?.closest("[data-row]")?.querySelector("[data-says]")?.textContent;
  said.textContent = text ? text.trim().replace(/\s+/g, " ") : "";
};

const soon = () => {
  turn++;
  clearTimeout(timer);
  timer = setTimeout(echo, 300);
};

// A slip may have more deals than its page began with.
const MOST = 60;
const addRow = () => {
  const last = form.querySelector(".rows").lastElementChild;
  const before = last.querySelector("label").htmlFor.split("-")[1];
  const number = Number(before) + 1;
  if (number > MOST) return null;
  const row = last.cloneNode(true);
  row.className = "row";
  row.querySelector("[data-says]").replaceChildren();
  row.querySelector("[data-says]").id = `says-${number}`;
  const input = row.querySelector("input");
  if (!input) return null;
  Object.assign(input, { id: `deal-${number}`, name: `deal-${number}`, value: "" });
  input.setAttribute("aria-describedby", `says-${number}`);
  input.removeAttribute("aria-invalid");
  row.querySelector("label").htmlFor = input.id;
  row.querySelector("label").lastChild.textContent = number;
  last.after(row);
  return input;
};

const onLine = (event, line) => {
  const all = lines();
  const place = all.indexOf(line);
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) {
    event.preventDefault();
    all[place + steps[event.key]]?.focus();
  } else if (event.key === "Enter") {
    event.preventDefault();
    const isAtEnd = all.slice(place).every((one) => !one.value.trim());
    (isAtEnd ? totals()[0] : (all[place + 1] ?? addRow() ?? totals()[0])).focus();
    if (line.value.trim()) echo(line.id);
  }
};

const onTotal = (event, total) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const all = totals();
  const next = all[all.indexOf(total) + 1];
  if (next) next.focus();
  else form.requestSubmit(form.querySelector('[name="save"]'));
};

form?.addEventListener("input", soon);
form?.addEventListener("focusin", (event) => event.target.matches("[data-row] input, .totals__fields input") && event.target.select());
form?.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.matches("[data-row] input")) onLine(event, event.target);
  else if (event.target.matches(".totals__fields input")) onTotal(event, event.target);
});

// The first empty line is where to begin; where something was refused, the first line or total that is at fault.
const begin = () => {
  const wrong = form.querySelector("[data-row].has-fault input");
  const isRefused = document.querySelector("[data-outcome] :is(.notice--error, .notice--warning)");
  const first = lines().find((line) => !line.value);
  (wrong ?? (isRefused ? totals()[0] : first) ?? totals()[0])?.focus();
};
if (form) {
  begin();
  // An address with a # takes the focus away again when all is loaded.
  addEventListener("load", () => setTimeout(() => document.activeElement === document.body && begin()));
}
