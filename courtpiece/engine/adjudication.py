"""The judgement of a whole record at each of its three levels."""

from __future__ import annotations

from itertools import chain
from typing import Final

from courtpiece.engine.cards import CARDS, SUITS, Suit
from courtpiece.engine.deal import DealFacts, StatedResult, Tricks
from courtpiece.engine.dealing import (
    fault_of_shape,
    faults_of_deal,
    faults_of_telling,
    hands_from_play,
    stops_play,
)
from courtpiece.engine.faults import CLAIM, RECORD, Code, Fault, Where
from courtpiece.engine.finding import NIL, Finding, Level, Outcome, Revoke
from courtpiece.engine.gathering import ALL_TRICKS, WINNING_TRICKS, PileTally, SingleTally, new_tally
from courtpiece.engine.replay import Replay, RevokeSeen
from courtpiece.engine.rules import Gather, Rules, TrumpMethod
from courtpiece.engine.seats import RIGHT_OF, SCORES, SEATS, TEAMS, Award, Seat, Team
from courtpiece.engine.trump import UNKNOWN_DISCARD, Trump

# Bound once: a member of an enum costs four times a name of the module.
_FULL: Final = Level.FULL
_WIN: Final = Award.WIN
_COURT: Final = Award.COURT
_DISCARD: Final = TrumpMethod.DISCARD
# Called with its class first, it makes a named tuple in half the time that calling the class takes.
_finding: Final = Finding.__new__


def adjudicate(facts: DealFacts) -> Finding:
    """Return what the record shows (laws 3 to 10), with every fault in it that does not need the match."""
    if facts.tricks is not None:
        return _adjudicate_play(facts, facts.tricks)
    if facts.winners is not None:
        return _adjudicate_winners(facts, facts.winners)
    return _adjudicate_result(facts)


# -- the cards ------------------------------------------------------------------------------------------


def _adjudicate_play(facts: DealFacts, tricks: Tricks) -> Finding:
    has_cards = bool(tricks)
    faults = faults_of_deal(facts, has_cards=has_cards)
    if facts.hands is None:
        told = faults_of_telling(facts, tricks)
        if faults or told:
            return _not_adjudicated(facts, _FULL, [*faults, *told])
        facts = facts._replace(hands=hands_from_play(facts, tricks))
        faults = faults_of_deal(facts, has_cards=has_cards)
    if facts.hands is None or (faults and stops_play(faults)):
        return _not_adjudicated(facts, _FULL, [*faults, *fault_of_shape(tricks, facts.misnumbered)])
    replay = Replay(facts.rules, RIGHT_OF[facts.dealer], facts.hands, facts.trump or UNKNOWN_DISCARD)
    replay.run(tricks, facts.misnumbered)
    if replay.fault is not None:
        return _not_adjudicated(facts, _FULL, [*faults, *_faults_of_replay(facts, tricks, replay.fault)])
    return _finding_of_play(facts, replay, faults)


def _faults_of_replay(facts: DealFacts, tricks: Tricks, fault: Fault) -> list[Fault]:
    """Return what stopped the replay, and the first odd trick after it: the one does not come of the other."""
    if fault.code is Code.BAD_TRICK:
        return [fault]
    return [fault, *fault_of_shape(tricks, facts.misnumbered)]


def _finding_of_play(facts: DealFacts, replay: Replay, faults: list[Fault]) -> Finding:
    claim_fault = _fault_of_claim(facts, replay) if facts.claim is not None else None
    if claim_fault is not None:
        faults.append(claim_fault)
    elif not replay.over and not replay.tally.may_end and not _states_void(facts):
        faults.append(_undecided(replay.trick))
    if faults:
        return _not_adjudicated(facts, _FULL, faults)
    counted = replay.winners[: replay.counted] if replay.over else replay.winners
    winners = tuple([SEATS[seat] for seat in counted])
    trump = _trump_of_play(facts.trump, replay)
    outcome = outcome_of(facts, replay)
    revokes = tuple([_revoke(seen) for seen in replay.revokes]) if replay.revokes else ()
    found = tuple(_mismatches(facts, replay, outcome, winners, trump))
    return _finding(Finding, _FULL, facts.rules, facts.dealer, trump, outcome, winners, revokes, found)


def outcome_of(facts: DealFacts, replay: Replay) -> Outcome:
    """Return what the deal counts for if it ends where the replay stands; void while nobody has won."""
    return _outcome(facts, replay.tally, revoker=replay.standing[0].seat if replay.standing else -1)


def _trump_of_play(trump: Trump | None, replay: Replay) -> Suit | None:
    if trump is not None and trump.method is not _DISCARD:
        return trump.suit
    return SUITS[replay.trump_at_end] if replay.trump_at_end >= 0 else None


def _revoke(seen: RevokeSeen) -> Revoke:
    return Revoke(SEATS[seen.seat], seen.trick, CARDS[seen.card], SUITS[seen.led], seen.corrected)


def _fault_of_claim(facts: DealFacts, replay: Replay) -> Fault | None:
    """Return why the claim is refused (law 8.6), or None."""
    claim = facts.claim
    if claim is None:
        return None
    for revoke in chain(replay.standing, replay.revokes_later):
        if revoke.seat == claim.seat and claim.trick in (None, revoke.trick):
            return None
    trick = f" in trick {claim.trick}" if claim.trick else ""
    message = f"{claim.seat.letter} did not revoke{trick} before the deal was decided (law 8.6)"
    return Fault(Code.NO_SUCH_REVOKE, CLAIM, message)


def resolved_claim(facts: DealFacts) -> int | None:
    """Return the trick, from 1, of the revoke that the claim names; None where there is no claim or no such revoke.

    A claim without a trick names the first card of the seat that stood against the laws.
    """
    claim = facts.claim
    if claim is None or claim.trick is not None or facts.tricks is None:
        return claim.trick if claim is not None else None
    if facts.hands is None and not faults_of_telling(facts, facts.tricks):
        facts = facts._replace(hands=hands_from_play(facts, facts.tricks))
    if facts.hands is None or stops_play(faults_of_deal(facts, has_cards=True)):
        return None
    replay = Replay(facts.rules, RIGHT_OF[facts.dealer], facts.hands, facts.trump or UNKNOWN_DISCARD)
    replay.run(facts.tricks or (), facts.misnumbered)
    stood = chain(replay.standing, replay.revokes_later)
    return next((revoke.trick for revoke in stood if revoke.seat == claim.seat), None)


def _mismatches(
    facts: DealFacts, replay: Replay, outcome: Outcome, winners: tuple[Seat, ...], trump: Suit | None
) -> list[Fault]:
    faults = []
    if facts.trump is not None and facts.trump.method is _DISCARD and facts.trump.suit is not trump:
        found = trump.letter if trump is not None else "none"
        faults.append(_mismatch("Trump", f"the trump that the play made is {found} (law 4.7)"))
    if facts.winners is not None and facts.winners != winners:
        shown = " ".join(seat.letter for seat in winners)
        faults.append(_mismatch("Tricks", f"the winners that the play shows are: {shown or 'none'}"))
    first = replay.standing[0] if replay.standing else None
    if facts.revoke is not None and (first is None or (first.seat, first.trick) != facts.revoke):
        shown = f"{SEATS[first.seat].letter} {first.trick}" if first else "none"
        faults.append(_mismatch("Revoke", f"the revoke that the play shows is: {shown} (law 8.4)"))
    faults += _fault_of_result(facts.result, outcome)
    if first is not None and not _names(facts, first):
        faults.append(_uncalled(first))
    return faults


def _names(facts: DealFacts, first: RevokeSeen) -> bool:
    """Return whether the claim is of the first established revoke."""
    return (
        facts.claim is not None
        and facts.claim.seat == first.seat
        and facts.claim.trick in (None, first.trick)
    )


def _uncalled(first: RevokeSeen) -> Fault:
    seat, card = SEATS[first.seat].letter, CARDS[first.card]
    message = f"{seat} revoked with {card} in trick {first.trick} and nobody claimed it; it counts (law 8.4)"
    return Fault(Code.UNCALLED_REVOKE, Where.at_play(first.trick - 1, first.play, first.place), message)


# -- winners of tricks only -------------------------------------------------------------------------------


def _adjudicate_winners(facts: DealFacts, winners: tuple[Seat, ...]) -> Finding:
    faults = faults_of_deal(facts, has_cards=False)
    revoke = facts.revoke
    if revoke is not None and revoke.trick > len(winners) + 1:
        message = f"the tricks given end before trick {revoke.trick} (law 8.6)"
        faults.append(Fault(Code.NO_SUCH_REVOKE, Where.at_tag("Revoke"), message))
    if faults:
        return _not_adjudicated(facts, Level.TRICKS, faults)
    before = winners[: revoke.trick - 1] if revoke is not None else winners
    if not _winners_decide(facts):
        return _by_result(facts, Level.TRICKS, before)
    tally = new_tally(facts.rules)
    counted = tally.take(before, (0,) * len(before), trump_known=True)
    if revoke is not None and tally.decided:  # law 8.7: it has no effect
        faults.append(_mismatch("Revoke", f"the deal was decided before trick {revoke.trick} (law 8.7)"))
        facts, revoke = facts._replace(revoke=None), None
    if revoke is None and not tally.may_end and not _states_void(facts):
        return _not_adjudicated(facts, Level.TRICKS, [_undecided(len(winners))])
    outcome = _outcome(facts, tally, revoker=revoke.seat if revoke is not None else -1)
    faults += _fault_of_result(facts.result, outcome)
    return _stated_finding(facts, Level.TRICKS, outcome, winners[:counted], faults)


def _winners_decide(facts: DealFacts) -> bool:
    """Return whether the winners of the tricks tell who gathered them."""
    if facts.rules.gather is Gather.SINGLE:
        return True
    if facts.rules.gather is Gather.ACE:
        return False
    if facts.trump is not None:
        return facts.trump.method.is_open
    return all(method.is_open for method in facts.rules.trump)


# -- the result only --------------------------------------------------------------------------------------


def _adjudicate_result(facts: DealFacts) -> Finding:
    faults = faults_of_deal(facts, has_cards=False)
    if faults:
        return _not_adjudicated(facts, Level.RESULT, faults)
    return _by_result(facts, Level.RESULT, None)


def _by_result(facts: DealFacts, level: Level, winners: tuple[Seat, ...] | None) -> Finding:
    """Return the finding where only the stated result can tell who won."""
    if facts.result is None:
        message = "expected Result: nothing else in the record says who won"
        return _not_adjudicated(facts, level, [Fault(Code.UNDECIDED, RECORD, message)])
    objection = objection_to_result(facts, facts.result)
    if objection:
        return _not_adjudicated(facts, level, [_mismatch("Result", objection)])
    return _stated_finding(facts, level, _stated_outcome(facts, facts.result), winners, [])


def _stated_outcome(facts: DealFacts, result: StatedResult) -> Outcome:
    if result.winner is None:
        return Outcome.void()
    award = result.award
    if award is Award.COURT and result.winner is facts.dealer.team:
        award = Award.GOON_COURT  # law 10.4
    courts = NIL.plus(result.winner, _courts_for(facts.rules, award))
    if facts.revoke is not None and award is not Award.REVOKE:  # law 8.7
        courts = courts.plus(facts.revoke.seat.team.other, facts.rules.revoke)
    return Outcome(result.winner, award, result.tricks, courts)


def objection_to_result(facts: DealFacts, result: StatedResult) -> str:
    """Return why no deal under the rules can end as stated, or an empty text."""
    if result.winner is None:
        return "a deal in which a revoke was established is not void (law 9.6)" if facts.revoke else ""
    won, lost = result.tricks.of(result.winner), result.tricks.of(result.winner.other)
    if won + lost > ALL_TRICKS:
        return f"a deal has thirteen tricks; found {won + lost} (law 9.1)"
    if result.award is Award.GOON_COURT and result.winner is not facts.dealer.team:
        return f"a goon court is the dealer's team's, {facts.dealer.team.name} (law 10.4)"
    if facts.revoke is not None and result.award is not Award.REVOKE and not _carried_on(facts, result):
        return "a deal with an established revoke ends by it (law 8.4)"
    objection = _objection_to_tricks(facts.rules, result.award, won, lost)
    return objection or _objection_to_revoke(facts, result, won + lost)


def _carried_on(facts: DealFacts, result: StatedResult) -> bool:
    return (
        facts.rules.gather is Gather.SINGLE
        and result.winner is not None
        and result.award in (Award.COURT, Award.GOON_COURT)
        and result.tricks.of(result.winner.other) == 0
    )


def _objection_to_tricks(rules: Rules, award: Award, won: int, lost: int) -> str:
    if award is Award.REVOKE:
        # In Double Sir nothing deeper is tested: who gathered what cannot be told from the numbers.
        decided = rules.gather is Gather.SINGLE and max(won, lost) >= WINNING_TRICKS
        return f"{won}-{lost} had decided the deal before the revoke (law 8.7)" if decided else ""
    if rules.gather is not Gather.SINGLE:
        if won < WINNING_TRICKS:
            return f"the winners need seven tricks or more; found {won} (law 9.1)"
        is_court = award in (Award.COURT, Award.GOON_COURT)
        if award is Award.BAVNEY or is_court != (won == ALL_TRICKS):
            return "in Double Sir thirteen gathered are a court and nothing else is one (law 10.2)"
        return ""
    if award is Award.BAVNEY:
        return "" if won == ALL_TRICKS else f"a bavney is 13-0; found {won}-{lost} (law 10.3)"
    if won == ALL_TRICKS:
        return "13-0 is a bavney (law 10.3)"
    if award is _WIN:
        is_win = won == WINNING_TRICKS and lost > 0
        return "" if is_win else f"a win is 7-1 to 7-6, and 7-0 a court; found {won}-{lost} (laws 9.2, 10.1)"
    is_court = won >= WINNING_TRICKS and lost <= 1
    return (
        ""
        if is_court
        else f"a court leaves the losers at most one trick; found {won}-{lost} (laws 9.4, 10.1)"
    )


def _objection_to_revoke(facts: DealFacts, result: StatedResult, tricks: int) -> str:
    revoke = facts.revoke
    if revoke is None:
        return ""
    before = revoke.trick - 1
    if tricks > before or (facts.rules.gather is Gather.SINGLE and tricks < before):
        return f"the tricks of the result do not agree with a revoke in trick {revoke.trick} (law 8.5)"
    if result.award is Award.REVOKE and revoke.seat.team is result.winner:
        return f"{revoke.seat.letter} revoked, so the other team wins (law 8.5)"
    return ""


# -- shared -------------------------------------------------------------------------------------------------


_WINS: Final = {
    tricks: Outcome(TEAMS[tricks.ew >= WINNING_TRICKS], Award.WIN, tricks, NIL)
    for tricks in chain.from_iterable(SCORES)
    if max(tricks) >= WINNING_TRICKS
}
"""The outcomes of deals without a court, by the tricks: made once, since most deals have one."""


def _outcome(facts: DealFacts, tally: SingleTally | PileTally, *, revoker: int) -> Outcome:
    """Return what the deal counts for, when a revoke or the tricks have ended it; void when neither has.

    :param revoker: the seat of the first established revoke, or -1.
    """
    tricks = SCORES[tally.taken[0]][tally.taken[1]]
    if revoker >= 0 and tally.court_team < 0:
        winner = TEAMS[1 - (revoker & 1)]
        return Outcome(winner, Award.REVOKE, tricks, NIL.plus(winner, facts.rules.revoke))
    if not tally.may_end:
        return Outcome.void(tricks)
    team, award = tally.verdict(facts.dealer & 1)
    winner = TEAMS[team]
    if award is _WIN:
        return _WINS[tricks]
    courts = NIL.plus(winner, _courts_for(facts.rules, award))
    if revoker >= 0:  # law 8.7
        courts = courts.plus(TEAMS[1 - (revoker & 1)], facts.rules.revoke)
    return Outcome(winner, award, tricks, courts)


def _courts_for(rules: Rules, award: Award) -> int:
    if award is _WIN or award is Award.VOID:
        return 0
    if award is Award.COURT:
        return rules.court
    if award is Award.GOON_COURT:
        return rules.goon
    return rules.bavney if award is Award.BAVNEY else rules.revoke


def _states_void(facts: DealFacts) -> bool:
    return facts.result is not None and facts.result.award is Award.VOID


def _undecided(tricks: int) -> Fault:
    after = f"{tricks} trick{'' if tricks == 1 else 's'}"
    message = f"the record ends after {after} with nobody the winner, and is not void (law 9)"
    return Fault(Code.UNDECIDED, RECORD, message)


def _mismatch(tag: str, message: str) -> Fault:
    return Fault(Code.RESULT_MISMATCH, Where.at_tag(tag), message)


def _fault_of_result(result: StatedResult | None, outcome: Outcome) -> list[Fault]:
    if result is None or (
        result.award is outcome.award and result.winner is outcome.winner and result.tricks == outcome.tricks
    ):
        return []
    award = Award.GOON_COURT if _is_goon_as_court(result, outcome) else result.award
    if (result.winner, award) == (outcome.winner, outcome.award) and (
        result.winner is None or result.tricks == outcome.tricks
    ):
        return []
    return [_mismatch("Result", f"the record shows {result_text(outcome)}")]


def _is_goon_as_court(result: StatedResult, outcome: Outcome) -> bool:
    return result.award is _COURT and outcome.award is Award.GOON_COURT


def result_text(outcome: Outcome | StatedResult) -> str:
    """Return the outcome as a ``Result`` states it: ``EW 7-0 court``; ``void``."""
    if outcome.winner is None:
        return "void"
    team: Team = outcome.winner
    text = f"{team.name} {outcome.tricks.of(team)}-{outcome.tricks.of(team.other)}"
    return text if outcome.award is _WIN else f"{text} {outcome.award.value}"


def _stated_finding(
    facts: DealFacts,
    level: Level,
    outcome: Outcome,
    winners: tuple[Seat, ...] | None,
    faults: list[Fault],
) -> Finding:
    revoke = facts.revoke
    revokes = (Revoke(revoke.seat, revoke.trick, None, None, corrected=False),) if revoke else ()
    return Finding(
        level, facts.rules, facts.dealer, _stated_suit(facts), outcome, winners, revokes, tuple(faults)
    )


def _not_adjudicated(facts: DealFacts, level: Level, faults: list[Fault]) -> Finding:
    return Finding(level, facts.rules, facts.dealer, _stated_suit(facts), None, None, (), tuple(faults))


def _stated_suit(facts: DealFacts) -> Suit | None:
    return facts.trump.suit if facts.trump is not None else None
