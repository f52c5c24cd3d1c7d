"""A deal that goes on at a table: whether its text can be so, and what it shows to who looks on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.engine import Award, DealState, Kind, Rules, Seat, Team, result_text, state_so_far
from courtpiece.engine.cards import card_set, suit_ranks
from courtpiece.engine.state import ImpossibleDealError, PlayedCard
from courtpiece.notation import Reading, Record, read
from scoring.changes import RecordRefused
from scoring.records import RecordProblem, SheetCode, kept_text, problems_of_faults, read_kept

MOST_TRICKS: Final = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidCard:
    """A card in the centre."""

    seat: str
    card: str
    """Empty: it lies face down."""
    is_best: bool
    """Whether it wins the trick, or does so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSeat:
    """A seat at the table."""

    seat: str
    team: str
    holding: str
    """What is still held, ``K852.T763.98.J72``; empty where that is not shown or not known."""
    cards_left: int
    is_turn: bool
    is_caller: bool
    is_dealer: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveDeal:
    """A deal as those see it who look on."""

    number: int
    dealer: str
    caller: str
    is_by_card: bool
    """Whether its cards are told; else only who won each trick."""
    trump: str
    """The suit, where everybody at the table knows it."""
    trump_method: str
    is_trump_covered: bool
    """Whether a card lies face down."""
    trick_number: int
    """The one that is played, or comes next; 13 after the last."""
    tricks_done: int
    trick: tuple[LaidCard, ...]
    last_trick: tuple[LaidCard, ...]
    """The one before; empty before there is one."""
    last_winner: str
    """The seat that won it."""
    tricks_ns: int
    tricks_ew: int
    pile: int
    turn: str
    """Empty once it is over, and where only tricks are told."""
    seats: tuple[LiveSeat, ...]
    """North, East, South, West."""
    has_hands: bool
    is_over: bool
    result: str
    """``NS 7-4``; empty before it is over."""
    revoked: str
    """The seat whose revoke ended it; mostly empty."""
    trick_winners: str
    """The seats that won the tricks, where only these are told."""

    @property
    def last_card(self) -> LaidCard | None:
        """The card played last; None before the first."""
        laid = self.trick or self.last_trick
        return laid[-1] if laid else None

    @property
    def lying_number(self) -> int:
        """The number of the trick that lies in the centre."""
        return self.trick_number if self.trick else self.tricks_done

    @property
    def lying(self) -> tuple[LaidCard, ...]:
        """What lies in the centre: the trick that is played, or until the next lead the one that was."""
        return self.trick or self.last_trick


def checked_unfinished(text: str, *, rules: str, number: int) -> str:
    """Return the text of a deal that goes on as it is kept. Nothing is written.

    :raises RecordRefused: if it is not one record of that deal under these rules, or the engine refuses what it tells.
    """
    readings = list(read(text))
    if len(readings) != 1:
        raise RecordRefused([_problem(SheetCode.ONE_RECORD, _("One deal is expected."))])
    reading = readings[0]
    record = reading.record
    if record is None:
        raise RecordRefused(problems_of_faults((), reading))
    if record.rules != Rules.parse(rules):
        message = _("the scoresheet is played under “%(own)s”, the record under “%(other)s”")
        message %= {"own": rules, "other": record.rules}
        raise RecordRefused([_problem(SheetCode.OTHER_RULES, message)])
    if record.deal != number:
        message = _("deal %(number)d is expected") % {"number": number}
        raise RecordRefused([_problem(SheetCode.OTHER_DEAL, message)])
    _check_told(record, reading)
    return kept_text(record, {})


def _problem(code: SheetCode, message: str) -> RecordProblem:
    return RecordProblem(code=code.value, kind=Kind.IMPOSSIBLE.value, message=message)


def _check_told(record: Record, reading: Reading) -> None:
    if record.facts.tricks is None and record.facts.winners is not None:
        return
    try:
        state_so_far(record.facts)
    except ImpossibleDealError as error:
        raise RecordRefused(problems_of_faults(error.faults, reading)) from error


def live_deal(kept: str, *, open_hands: bool) -> LiveDeal:
    """Return what a text that was checked shows; with ``open_hands`` also what each player holds, where it is told.

    A trump card that lies face down is never shown, and is in no hand; nor is a card played face down.
    """
    record = read_kept(kept).record
    if record is None:
        raise LookupError("a deal that goes on cannot be read")
    facts = record.facts
    if facts.tricks is None and facts.winners is not None:
        return _by_tricks(record, facts.winners)
    state = state_so_far(facts)
    shows_hands = open_hands and facts.hands is not None
    before = state.last_trick
    outcome = state.outcome if state.is_over else None
    standing = [revoke for revoke in state.revokes if not revoke.corrected] if outcome else []
    revoked = standing[-1].seat.letter if outcome and outcome.award is Award.REVOKE and standing else ""
    return LiveDeal(
        number=record.deal,
        dealer=state.dealer.letter,
        caller=state.caller.letter,
        is_by_card=True,
        trump=state.trump.letter if state.trump is not None else "",
        trump_method=facts.trump.method.value if facts.trump is not None else "",
        is_trump_covered=state.indicator is not None,
        trick_number=min(state.trick_number, MOST_TRICKS),
        tricks_done=len(state.table_winners),
        trick=_laid(state.current_trick, _best(state)),
        last_trick=_laid(before, state.table_winners[-1] if before else None),
        last_winner=state.table_winners[-1].letter if before else "",
        tricks_ns=state.tricks.of(Team.NS),
        tricks_ew=state.tricks.of(Team.EW),
        pile=state.pile,
        turn="" if state.is_over else state.turn.letter,
        seats=tuple(_seat(state, seat, shows_hands=shows_hands) for seat in _ROUND),
        has_hands=shows_hands,
        is_over=state.is_over,
        result=result_text(outcome) if outcome is not None else "",
        revoked=revoked,
        trick_winners="",
    )


_ROUND: Final = (Seat.N, Seat.E, Seat.S, Seat.W)


def _best(state: DealState) -> Seat | None:
    """Return who wins the trick being played so far."""
    trick = state.current_trick
    return trick[state.best_place].seat if trick else None


def _laid(played: Sequence[PlayedCard], best: Seat | None) -> tuple[LaidCard, ...]:
    return tuple(
        LaidCard(
            seat=one.seat.letter,
            card="" if one.play.face_down else str(one.card),
            is_best=one.seat is best,
        )
        for one in played
    )


def _seat(state: DealState, seat: Seat, *, shows_hands: bool) -> LiveSeat:
    played = sum(one.seat is seat for one in state.current_trick)
    held = card_set(state.hand(seat)) if shows_hands else 0
    return LiveSeat(
        seat=seat.letter,
        team=seat.team.name,
        holding=".".join(suit_ranks(held, suit) for suit in range(4)) if shows_hands else "",
        cards_left=MOST_TRICKS - len(state.table_winners) - played,
        is_turn=not state.is_over and seat is state.turn,
        is_caller=seat is state.caller,
        is_dealer=seat is state.dealer,
    )


def _by_tricks(record: Record, winners: Sequence[Seat]) -> LiveDeal:
    won = [seat.team for seat in winners]
    return LiveDeal(
        number=record.deal,
        dealer=record.dealer.letter,
        caller=record.dealer.right.letter,
        is_by_card=False,
        trump="",
        trump_method="",
        is_trump_covered=False,
        trick_number=min(len(winners) + 1, MOST_TRICKS),
        tricks_done=len(winners),
        trick=(),
        last_trick=(),
        last_winner=winners[-1].letter if winners else "",
        tricks_ns=won.count(Team.NS),
        tricks_ew=won.count(Team.EW),
        pile=0,
        turn="",
        seats=tuple(
            LiveSeat(
                seat=seat.letter,
                team=seat.team.name,
                holding="",
                cards_left=MOST_TRICKS - len(winners),
                is_turn=False,
                is_caller=seat is record.dealer.right,
                is_dealer=seat is record.dealer,
            )
            for seat in _ROUND
        ),
        has_hands=False,
        is_over=False,
        result="",
        revoked="",
        trick_winners="".join(seat.letter for seat in winners),
    )
