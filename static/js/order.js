// A list that is put in order by dragging, by keys and by buttons; and rows that are added and dropped. Without this
// file the same buttons ask the server.
const widget = document.querySelector("[data-order-widget]");

const say = (text, parts) => {
  const status = widget.querySelector("[data-order-status]");
  status.textContent = text.replace(/%(\w+)%/g, (_, name) => parts[name]);
};

const items = (list) => [...list.querySelectorAll("[data-code]")];

const announce = (list, item) => {
  const all = items(list);
  say(widget.querySelector("[data-order-status]").dataset.moved, { name: item.dataset.name, place: all.indexOf(item) + 1, count: all.length });
};

const step = (list, item, by) => {
  const all = items(list);
  const place = all.indexOf(item) + by;
  if (place < 0 || place >= all.length) return false;
  if (by < 0) all[place].before(item);
  else all[place].after(item);
  announce(list, item);
  return true;
};

const choice = () => widget.querySelector("[data-order-choice]");

const take = (item) => {
  const option = new Option(item.dataset.name, item.dataset.code);
  option.dataset.misfits = [...item.querySelector("[data-order-misfit]").classList].filter((name) => name.startsWith("misfit--")).map((name) => name.slice(8)).join(" ");
  choice().append(option);
  item.remove();
  return option.text;
};

const drop = (list, item) => {
  const next = item.nextElementSibling ?? item.previousElementSibling;
  const name = take(item);
  say(widget.querySelector("[data-order-status]").dataset.dropped, { name });
  (next?.querySelector("[data-order-grip]") ?? choice()).focus();
};

const put = (list, option) => {
  const copy = widget.querySelector("[data-order-blank]").content.cloneNode(true).querySelector("[data-code]");
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      if (value.includes("__")) element.setAttribute(name, value.replace("__code__", option.value).replace("__name__", option.text));
    }
  }
  copy.querySelector("[data-order-name]").textContent = option.text;
  const misfit = copy.querySelector("[data-order-misfit]");
  for (const format of option.dataset.misfits.split(" ").filter(Boolean)) misfit.classList.add(`misfit--${format}`);
  list.append(copy);
  option.remove();
  ready(list, copy);
  return copy;
};

const add = (list) => {
  const option = choice().selectedOptions[0];
  if (!option) return;
  const copy = put(list, option);
  say(widget.querySelector("[data-order-status]").dataset.added, { name: copy.dataset.name, place: items(list).length });
  copy.querySelector("[data-order-grip]").focus();
};

const drag = (list, item, grip) => {
  grip.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    grip.focus();
    grip.setPointerCapture(event.pointerId);
    item.classList.add("is-held");
    const before = items(list).indexOf(item);
    const follow = ({ clientY }) => {
      const above = item.previousElementSibling?.getBoundingClientRect();
      const below = item.nextElementSibling?.getBoundingClientRect();
      if (above && clientY < above.top + above.height / 2) item.previousElementSibling.before(item);
      else if (below && clientY > below.top + below.height / 2) item.nextElementSibling.after(item);
    };
    const end = () => {
      item.classList.remove("is-held");
      grip.removeEventListener("pointermove", follow);
      if (items(list).indexOf(item) !== before) announce(list, item);
    };
    grip.addEventListener("pointermove", follow);
    grip.addEventListener("lostpointercapture", end, { once: true });
  });
};

const ready = (list, item) => {
  const grip = item.querySelector("[data-order-grip]");
  grip.hidden = false;
  drag(list, item, grip);
  grip.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    if (step(list, item, by)) grip.focus();
  });
  for (const button of item.querySelectorAll("[data-order-step]")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      if (step(list, item, Number(button.dataset.orderStep))) button.focus();
    });
  }
  item.querySelector("[data-order-drop]").addEventListener("click", (event) => {
    event.preventDefault();
    drop(list, item);
  });
};

if (widget) {
  const list = widget.querySelector("[data-order]");
  for (const item of items(list)) ready(list, item);
  widget.querySelector("[data-order-hint]").hidden = false;
  widget.querySelector("[data-order-add]").addEventListener("click", (event) => {
    event.preventDefault();
    add(list);
  });
}

const renumber = (rows) => rows.querySelectorAll("[data-row-place]").forEach((place, index) => { place.textContent = index + 1; });

const numbersOf = (rows) => [...rows.querySelectorAll("input[name=session]")].map((input) => Number(input.value));

const addRow = (rows, number) => {
  const blank = rows.parentElement.querySelector("[data-rows-blank]").innerHTML.replaceAll("__number__", String(number));
  rows.insertAdjacentHTML("beforeend", blank);
  renumber(rows);
  return rows.lastElementChild;
};

for (const rows of document.querySelectorAll("[data-rows]")) {
  const button = rows.parentElement.querySelector("[data-rows-add]");
  rows.addEventListener("click", (event) => {
    const drops = event.target.closest("[data-row-drop]");
    if (!drops || rows.children.length < 2) return;
    event.preventDefault();
    drops.closest("[data-row]").remove();
    renumber(rows);
    button?.focus();
  });
  button?.addEventListener("click", (event) => {
    event.preventDefault();
    addRow(rows, Math.max(-1, ...numbersOf(rows)) + 1).querySelector("input:not([type=hidden])").focus();
  });
}

// Whoever comes back with the browser's button finds the page as it was left: what was moved and added too.
const form = document.querySelector("form[data-kept]");

const restore = (entries) => {
  const all = (name) => entries.filter((entry) => entry[0] === name).map((entry) => entry[1]);
  const list = widget.querySelector("[data-order]");
  for (const item of items(list)) if (!all("tiebreaks").includes(item.dataset.code)) take(item);
  for (const code of all("tiebreaks")) {
    const there = items(list).find((item) => item.dataset.code === code);
    const option = [...choice().options].find((one) => one.value === code);
    if (there) list.append(there);
    else if (option) put(list, option);
  }
  const rows = form.querySelector("[data-rows]");
  const wanted = all("session").map(Number);
  for (const row of [...rows.children]) if (!wanted.includes(Number(row.querySelector("[name=session]").value))) row.remove();
  for (const number of wanted) if (!numbersOf(rows).includes(number)) addRow(rows, number);
  renumber(rows);
  for (const control of form.elements) {
    if (!control.name || ["hidden", "submit", "button"].includes(control.type)) continue;
    const values = all(control.name);
    if (["checkbox", "radio"].includes(control.type)) control.checked = values.includes(control.value);
    else if (values.length) [control.value] = values;
  }
};

if (form) {
  form.addEventListener("submit", () => {
    const entries = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
    history.replaceState({ ...history.state, kept: entries }, "");
  });
  if (history.state?.kept) restore(history.state.kept);
}
