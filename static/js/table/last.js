// The last resort: the deals that no server is known to have, as codes to scan, as text to copy, and as a file.
import { pathOf, qr } from "../qr.js";
import * as store from "../table-store.js";
import { addressesOf, handedFile, handedRecord } from "./handing.js";
import { call } from "./hooks.js";
import { matches, page, unsettled } from "./page.js";
import { fill, make, part, words } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 4; // Modules of white around a code, as the standard asks for.

export const drawLast = () => {
  const waiting = unsettled();
  part("last").hidden = !waiting.length;
  const text = waiting.length ? handedFile(waiting.map(ofWhom), matchTags) : "";
  if (part("last-text").value === text) return;
  part("last-text").value = text;
  drawCodes();
  call("last", part("last"), waiting, text);
};

/** What says which match a deal is of, so that it can be read anywhere. */
const matchTags = (deal) => {
  const match = matches().find(({ scoresheet }) => scoresheet === deal.scoresheet);
  if (!match) return {};
  const { tournament, table } = page.link.table;
  const names = (team) => `${match.seats[team[0]].name} & ${match.seats[team[1]].name}`;
  return { Event: tournament.name, Round: String(match.round.number), Table: table, NS: names("NS"), EW: names("EW") };
};

let me = null;
/** A deal with which phone of which side made it: the one that took it over is not asked for the other side's word. */
const ofWhom = (deal) => ({ ...deal, device: deal.device ?? me, side: deal.side === undefined ? page.holders?.[deal.scoresheet] : deal.side });
export const toldRecord = (deal) => handedRecord(deal, matchTags(deal));

// -- codes ---------------------------------------------------------------------------------------------------------------

let codes = [];
let shown = 0;
let asked = 0;

/** Make the codes anew, if anybody looks: that takes a slow phone a moment. */
const drawCodes = async () => {
  if (!part("last").open) return;
  asked += 1;
  const mine = asked;
  const { link } = page;
  const made = await addressesOf(unsettled().map(ofWhom), {
    page: location.origin + location.pathname, secret: link && !link.revoked ? link.secret : "",
  });
  if (mine !== asked) return;
  codes = made;
  showCode(Math.min(shown, Math.max(codes.length - 1, 0)));
};

const showCode = (place) => {
  shown = place;
  const one = codes[place];
  const box = part("code");
  const code = one && qr(one.address);
  const numbers = one ? one.deals.map(({ number }) => number).join(", ") : "";
  const told = one ? fill(code ? "code" : "code-too-long", { place: place + 1, count: codes.length, numbers }) : [];
  part("code-says").replaceChildren(...told);
  box.replaceChildren(...(code ? [drawing(code.modules, part("code-says").textContent)] : []));
  part("codes").hidden = !one;
  part("code-turn").hidden = codes.length < 2;
};

/** Black on white, by night as well: many cameras read no code that is light on dark. */
const drawing = (modules, label) => {
  const size = modules.length + 2 * MARGIN;
  const svg = document.createElementNS(SVG, "svg");
  const facts = { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" };
  for (const [name, value] of Object.entries(facts)) svg.setAttribute(name, value);
  for (const [d, fill] of [[`M0 0h${size}v${size}h-${size}z`, "#fff"], [pathOf(modules, MARGIN), "#000"]]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("fill", fill);
    svg.append(path);
  }
  return svg;
};

/** Let the buttons do what they say. */
export const wireLast = () => {
  store.device().then((id) => (me = id));
  part("last").addEventListener("toggle", drawCodes);
  part("code-before").addEventListener("click", () => showCode((shown + codes.length - 1) % codes.length));
  part("code-next").addEventListener("click", () => showCode((shown + 1) % codes.length));
  part("copy").addEventListener("click", async () => {
    const text = part("last-text");
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
    } catch {
      document.execCommand("copy"); // By plain http there is no other way.
    }
    part("last-says").textContent = words.copied;
  });
  part("file").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([part("last-text").value], { type: "text/vnd.courtpiece.pcn" }));
    const name = `table-${page.link.table?.table ?? "deals"}.pcn`;
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
};
