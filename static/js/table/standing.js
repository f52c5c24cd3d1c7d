// What stands in a match: its deals as the server and this phone know them, its courts, its runs and who deals next.
//
// A match is as GET /api/v1/table gives it, `{ scoresheet, rules, seats, first_dealer, deals, ns, ew, next_dealer, state, agreed }`;
// what this phone keeps is as table-store.js has it.
import * as laws from "../laws.js";
import { cardText, suitText } from "./cards.js";
import { fill, foundIn, scoreOf, seatWord, teamWord } from "./words.js";

/**
 * The deals of a match by number, as far as they are known here: `{ number, found, counts, state, says, revision, mine, issues, deal }`.
 * `says` is the word for its state, `deal` the server's or null. The server's stand, but for one that this phone enters again; `issues` are this phone's deals that were not taken.
 */
export const rowsOf = (match, kept) => {
  const rows = new Map();
  for (const deal of match.deals) {
    const isPlain = deal.kind === "record" && !deal.ruled;
    const state = isPlain ? "recorded" : deal.ruled || deal.made_by === "director" ? "decided" : "corrected";
    const says = state === "corrected" ? `state-corrected-${deal.made_by ?? "server"}` : `state-${state}`;
    const { number, revision, counts, dealer, winner, award, tricks, courts } = deal;
    const found = { dealer, winner, award, tricks, courts };
    rows.set(number, { number, found, counts, state, says, revision, mine: null, issues: [], deal });
  }
  for (const deal of kept.filter((one) => one.scoresheet === match.scoresheet)) {
    const there = rows.get(deal.number);
    const row = there ?? { number: deal.number, found: null, counts: false, state: null, says: null, revision: null, mine: null, issues: [], deal: null };
    const isNewer = !there || there.found === null || (deal.base_revision ?? 0) === there.revision || there.mine;
    if (deal.state === "conflict" || deal.state === "rejected") row.issues.push(deal);
    else if (deal.state === "made" && isNewer) Object.assign(row, standing(deal), as(deal.tries ? "sent" : "made"));
    else if (deal.state === "made") row.issues.push(deal);
    else if (deal.state === "recorded" && (row.revision ?? 0) < deal.revision) Object.assign(row, standing(deal), as("recorded"));
    else if (deal.state === "recorded" && row.revision === deal.revision && row.state === "corrected") Object.assign(row, as("recorded")); // by this phone
    else continue;
    rows.set(deal.number, row);
  }
  return [...rows.values()].sort((one, other) => one.number - other.number);
};
const as = (state) => ({ state, says: `state-${state}` });
const standing = (deal) => ({ found: foundIn(deal.pcn), counts: true, mine: deal, revision: deal.revision });

export const ledgerOf = (match, rows) =>
  laws.ledgerOf(match.rules, match.first_dealer, rows.map(({ found, counts }) => (counts ? found : null)));

/** Where a match stands: by the server while it knows everything, else by the laws with this phone's deals. */
export const standOf = (match, rows) => {
  const last = ledgerOf(match, rows).at(-1);
  const { ns, ew } = match;
  const isServers = rows.every(({ mine }) => !mine) || !last;
  return {
    courts: isServers ? { NS: ns.courts, EW: ew.courts } : last.courts,
    runs: isServers ? { NS: ns.run, EW: ew.run } : last.runs,
    number: (rows.at(-1)?.number ?? 0) + 1,
    dealer: isServers ? match.next_dealer : last.nextDealer,
  };
};

/** What a deal comes to in its match, in sentences (lists of nodes): who wins, courts, the run, who deals next. */
export const sentencesOf = (match, rows, { number, dealer, found }) => {
  const before = rows.filter((row) => row.number < number);
  const line = ledgerOf(match, [...before, { found, counts: true }]).at(-1);
  const sentences = [];
  if (found.winner === null) sentences.push(fill("says-void"));
  else {
    const side = teamWord(found.winner);
    sentences.push(fill("says-win", { side, score: scoreOf(found) }));
    if (found.award === "win") sentences.push(fill("says-no-court"));
    else sentences.push(fill(`says-${found.award}`, { side, courts: found.courts[found.winner] }));
    const other = laws.TEAMS.find((team) => team !== found.winner);
    if (found.courts[other]) sentences.push(fill("says-revoke", { side: teamWord(other), courts: found.courts[other] })); // 8.7
    if (line.runCourts[found.winner]) sentences.push(fill("says-run-court", { side, courts: line.runCourts[found.winner] }));
    else if (line.runs[found.winner] > 1) sentences.push(fill("says-run", { side, run: line.runs[found.winner] }));
  }
  const isSame = line.nextDealer === dealer;
  const next = { side: teamWord(laws.teamOf(line.nextDealer)), seat: seatWord(line.nextDealer) };
  sentences.push(fill(isSame ? "says-same" : "says-other", next));
  return sentences;
};

/** Whether the card was played by whoever had just had trump turned up, and so had to play one (laws 6.3, 6.4). */
const hadItTurned = ({ tricks }, { trick, card }) => tricks?.[trick - 1]?.some(({ cards, reveal }) => reveal && cards.includes(card));
/** The established revokes of a deal, in sentences: whose, in which trick, and with which card where that is known. */
export const revokesOf = ({ revokes, trump }, record) =>
  revokes.filter(({ corrected }) => !corrected).map((revoke) => {
    const { seat, trick, card, led } = revoke;
    if (!card) return fill("says-revoked", { seat: seatWord(seat), trick });
    const isTurned = hadItTurned(record, revoke);
    const name = isTurned ? "says-revoked-trump" : "says-revoked-card";
    return fill(name, { seat: seatWord(seat), trick, card: cardText(card), suit: suitText(isTurned ? trump : led) });
  });
