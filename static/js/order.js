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

const drop = (list, item) => {
  const option = new Option(item.dataset.name, item.dataset.code);
  option.dataset.misfits = [...item.querySelector("[data-order-misfit]").classList].filter((name) => name.startsWith("misfit--")).map((name) => name.slice(8)).join(" ");
  choice().append(option);
  const next = item.nextElementSibling ?? item.previousElementSibling;
  item.remove();
  say(widget.querySelector("[data-order-status]").dataset.dropped, { name: option.text });
  (next?.querySelector("[data-order-grip]") ?? choice()).focus();
};

const add = (list) => {
  const option = choice().selectedOptions[0];
  if (!option) return;
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

for (const rows of document.querySelectorAll("[data-rows]")) {
  const part = rows.parentElement;
  rows.addEventListener("click", (event) => {
    const button = event.target.closest("[data-row-drop]");
    if (!button || rows.children.length < 2) return;
    event.preventDefault();
    button.closest("[data-row]").remove();
    renumber(rows);
    part.querySelector("[data-rows-add]")?.focus();
  });
  part.querySelector("[data-rows-add]")?.addEventListener("click", (event) => {
    event.preventDefault();
    const numbers = [...rows.querySelectorAll("input[name=session]")].map((input) => Number(input.value));
    const blank = part.querySelector("[data-rows-blank]").innerHTML.replaceAll("__number__", String(Math.max(-1, ...numbers) + 1));
    rows.insertAdjacentHTML("beforeend", blank);
    renumber(rows);
    rows.lastElementChild.querySelector("input:not([type=hidden])").focus();
  });
}
