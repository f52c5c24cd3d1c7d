// The laws of Court Piece for a page that has no network: whose turn, which cards and why not, who won, what it scored.
//
// The server's engine is the truth and judges every record again; tests/browser/test_laws.py holds these modules to it.
// They are values and pure functions with no dependency, for a page under a strict policy and for a service worker.
//
//   let deal = newDeal({ rules: "court-piece", dealer: "E", hands: "N:… W:… S:… E:…", trump: "S" });
//   if (!whyNot(deal, "H5")) deal = play(deal, "H5");
//   const { winner, award, courts } = found(deal);
//
// A door that may not be gone through throws an error whose `why` is what the question before it answers: `{ code, law, … }`.
export {
  PACK, SEATS, TEAMS, callerOf, dealerAfter, fromResult, fromTricks, handsOf, handsText, ledgerOf, partnerOf, rightOf, rulesOf,
  rulesText, suitOf, teamOf, trumpOf, trumpText, whyNotResult, whyNotTricks,
} from "./laws/rules.js";
export {
  claim, found, hand, handsAreTold, indicator, isDecided, legalCards, mayCarryOn, mayEnd, newDeal, pile, play, playAnyway, reveal,
  taken, takeBack, trickSoFar, tricks, trumpNow, turn, undo, whyNot, whyNotClaim, whyNotReveal, whyNotTakeBack, winsSoFar,
} from "./laws/deal.js";
export { dealOf, judge, readPcn, readPcnFile, recordOf, resultText, toPcn, toPcnFile } from "./laws/record.js";
