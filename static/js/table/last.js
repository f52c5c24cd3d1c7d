// The last resort: the deals that no server is known to have, as text to copy or to save as a file.
import * as laws from "../laws.js";
import { call } from "./hooks.js";
import { matches, page, unsettled } from "./page.js";
import { make, part, words } from "./words.js";

export const drawLast = () => {
  const waiting = unsettled();
  part("last").hidden = !waiting.length;
  const text = waiting.length ? laws.toPcnFile(waiting.map(toldRecord)) : "";
  if (part("last-text").value === text) return;
  part("last-text").value = text;
  call("last", part("last"), waiting, text);
};

/** A deal with what says which match it is of, so that it can be read anywhere. */
export const toldRecord = (deal) => {
  const record = laws.readPcn(deal.pcn);
  const match = matches().find(({ scoresheet }) => scoresheet === deal.scoresheet);
  if (!match) return record;
  const { tournament, table } = page.link.table;
  const names = (team) => `${match.seats[team[0]].name} & ${match.seats[team[1]].name}`;
  return { ...record, tags: { ...record.tags, Event: tournament.name, Round: String(match.round.number), Table: table, NS: names("NS"), EW: names("EW") } };
};

/** Let the buttons do what they say. */
export const wireLast = () => {
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
