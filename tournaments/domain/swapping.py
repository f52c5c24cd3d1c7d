"""Changes to a draw by hand, and what is remarkable about a draw."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from courtpiece.errors import CourtPieceError
from scoring.domain.results import ByeKind, Exact
from tournaments.domain.labels import LabelKind, read_label
from tournaments.domain.pairing import ByeGiven, Contestant, Draw, Field, Float, Note, Pairing
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.domain.seats import Seating
from tournaments.domain.sessions import session_alone
from tournaments.domain.state import TournamentState
from tournaments.domain.swiss import contestants


class Swap(Enum):
    """What can change places."""

    ENTRIES = "entries"
    """Two entries; of two that meet, North-South and East-West."""
    TABLES = "tables"
    """The matches of two entries change tables."""


class SwapFault(Enum):
    """Why two entries cannot change places."""

    SAME = "same"
    """They are one, or in one match that would change tables with itself."""
    NOT_THERE = "not-there"
    """One of them has no place in the round: it is away, or out."""
    BOTH_BYES = "both-byes"
    NO_TABLE = "no-table"
    """One of them has a bye, or a match that is given away, and so no table."""
    SCHEDULED = "scheduled"
    """The format says who meets whom; only seats and tables can change."""


class SwapError(CourtPieceError):
    """Two entries cannot change places. ``entries`` are those it is about."""

    def __init__(self, fault: SwapFault, *, entries: tuple[int, ...]) -> None:
        super().__init__(f"no swap: {fault.value}")
        self.fault = fault
        self.entries = entries


class RemarkKind(Enum):
    """What can be said of a draw that a director will want to know."""

    FORBIDDEN = "forbidden"
    """Two meet whom the director wanted apart."""
    FORCED_APART = "forced-apart"
    """Two do not meet whom the director wanted together."""
    REMATCH = "rematch"
    SECOND_BYE = "second-bye"
    """An entry that had one has the bye."""
    DIFFERENCE = "difference"
    """Two of different scores meet."""
    FLOATED_AGAIN = "floated-again"
    """An entry floats the same way as in the round before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing that is remarkable about a draw."""

    kind: RemarkKind
    entries: tuple[int, ...]
    """In ascending order."""
    amount: Exact = 0
    """Of a difference of scores."""
    rounds: tuple[int, ...] = ()
    """When they met, or when it had a bye."""


def may_swap_entries(plan: FormatPlan, draw: Draw) -> bool:
    """Return whether the draw decided who meets whom, so that it can be changed: not a schedule or a queue."""
    match plan:
        case SinglePlan() | RoundRobinPlan() | WinnerStaysPlan():
            return False
        case LeaguePlan():
            return plan.pairing is SessionPairing.SWISS
        case GroupsKnockoutPlan():
            labels = [read_label(pairing.label) for pairing in draw.pairings]
            return not any(label is not None and label.kind is LabelKind.GROUP for label in labels)
        case _:
            return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A draw that is to be changed."""

    draw: Draw
    drawn: Draw
    """The same before any change by hand: a match that comes to be as it was has its old reasons again."""
    seats: tuple[Seating, ...]
    """Where everybody sits, in the draw's order."""
    field: Field
    """What the entries come with."""
    free: bool
    """Whether who meets whom may be changed: see :func:`may_swap_entries`."""


def swap(drafted: Drafted, first: int, second: int, *, what: Swap, reason: str) -> Draw:
    """Return the draw in which the two have changed places; what is changed has the director's ``reason``.

    :raises SwapError: if they cannot.
    """
    draw = drafted.draw
    if first == second:
        raise SwapError(SwapFault.SAME, entries=(first,))
    places = _places(draw)
    missing = tuple(sorted({first, second} - places.keys()))
    if missing:
        raise SwapError(SwapFault.NOT_THERE, entries=missing)
    one, other = places[first], places[second]
    if what is Swap.TABLES:
        return _swap_tables(draw, one, other, entries=(first, second))
    if one is not None and one == other:
        return _swap_sides(draw, drafted.seats[one], one, reason)
    if not drafted.free:
        raise SwapError(SwapFault.SCHEDULED, entries=(first, second))
    if one is None and other is None:
        raise SwapError(SwapFault.BOTH_BYES, entries=(first, second))
    return _swap_entries(drafted, {first: second, second: first}, reason)


def remarks(draw: Draw, field: Field) -> tuple[Remark, ...]:
    """Return what is remarkable about the draw: the worst first, then by entries."""
    known = {one.number: one for one in field.contestants}
    found = [
        *_remarks_on_wishes(draw, field),
        *(remark for pairing in draw.pairings for remark in _remarks_on_pairing(pairing, known)),
        *(remark for bye in draw.byes for remark in _remarks_on_bye(bye, known)),
    ]
    order = list(RemarkKind)
    return tuple(sorted(found, key=lambda one: (order.index(one.kind), one.entries)))


def field_of(plan: FormatPlan, state: TournamentState) -> Field:
    """Return who can be in the next round, with what they come with. In a league the session counts alone.

    Ties within a score are left to the seeds: what is remarkable about a draw does not depend on them.
    """
    if isinstance(plan, LeaguePlan):
        state = session_alone(state)
    number = state.last_number + 1
    scheme = replace(state.scheme, tiebreaks=())
    rows = place_entries(SwissPlan(), replace(state, scheme=scheme))
    seeds = {
        entry.number: entry.seed
        for entry in state.entries
        if entry.number not in state.absent and entry.joined_round <= number
    }
    return Field(
        number=number,
        contestants=contestants(rows, seeds=seeds, number=number, scheme=scheme),
        forbidden=state.forbidden,
        forced=state.forced,
        away=state.away,
    )


# -- the steps


def _places(draw: Draw) -> dict[int, int | None]:
    """Return where each entry is that can be moved: the place of its match, None for the bye of the draw."""
    places: dict[int, int | None] = {bye.entry: None for bye in draw.byes if bye.kind is ByeKind.PAIRING}
    for place, pairing in enumerate(draw.pairings):
        places |= {pairing.first: place, pairing.second: place}
    return places


def _swap_tables(draw: Draw, one: int | None, other: int | None, *, entries: tuple[int, int]) -> Draw:
    if one is None or other is None:
        raise SwapError(SwapFault.NO_TABLE, entries=entries)
    if one == other:
        raise SwapError(SwapFault.SAME, entries=entries)
    pairings = list(draw.pairings)
    at_one, at_other = pairings[one], pairings[other]
    if at_one.given_away_by or at_other.given_away_by:
        raise SwapError(SwapFault.NO_TABLE, entries=entries)
    pairings[one] = replace(at_other, table=at_one.table)
    pairings[other] = replace(at_one, table=at_other.table)
    return replace(draw, pairings=tuple(pairings))


def _swap_sides(draw: Draw, seated: Seating, place: int, reason: str) -> Draw:
    """Return the draw with the two of a match in each other's seats; the first of them sits North-South then."""
    pairing = draw.pairings[place]
    is_first = pairing.first == seated.ew
    turned = replace(
        pairing,
        first=seated.ew,
        second=seated.ns,
        scores=pairing.scores if is_first else pairing.scores[::-1],
        alternatives=pairing.alternatives if is_first else (),
        reason=pairing.reason or reason,
        fixed_seats=True,
    )
    return _with_pairing(draw, place, turned)


def _swap_entries(drafted: Drafted, to: Mapping[int, int], reason: str) -> Draw:
    draw, drawn = drafted.draw, drafted.drawn
    known = {one.number: one for one in drafted.field.contestants}
    pairings = tuple(
        pairing
        if not {pairing.first, pairing.second} & to.keys()
        else _as_drawn(drawn, _paired(pairing, to, known, reason))
        for pairing in draw.pairings
    )
    byes = tuple(_bye_as_drawn(drawn, _given(bye, to, reason)) for bye in draw.byes)
    return replace(draw, pairings=pairings, byes=byes)


def _paired(pairing: Pairing, to: Mapping[int, int], known: Mapping[int, Contestant], reason: str) -> Pairing:
    first, second = to.get(pairing.first, pairing.first), to.get(pairing.second, pairing.second)
    is_ranked = first in known and second in known
    if is_ranked and _standing(known[first]) > _standing(known[second]):
        first, second = second, first
    is_bracket = Note.SCHEDULED in pairing.notes
    scores = (known[first].score, known[second].score) if is_ranked and not is_bracket else (0, 0)
    return replace(
        pairing,
        first=first,
        second=second,
        notes=_notes(known[first], known[second], is_bracket=is_bracket) if is_ranked else (Note.FORCED,),
        scores=scores,
        alternatives=(),
        reason=reason,
        fixed_seats=False,
        given_away_by=tuple(to.get(entry, entry) for entry in pairing.given_away_by if entry not in to),
    )


def _standing(one: Contestant) -> tuple[Exact, int]:
    return -one.score, one.rank


def _notes(higher: Contestant, lower: Contestant, *, is_bracket: bool) -> tuple[Note, ...]:
    if is_bracket:
        return (Note.SCHEDULED, Note.FORCED)
    notes = [Note.SAME_SCORE if higher.score == lower.score else Note.FLOATED, Note.FORCED]
    if lower.number in higher.opponents:
        notes.append(Note.REMATCH)
    if _floats_again(higher, lower):
        notes.append(Note.FLOATED_AGAIN)
    return tuple(notes)


def _floats_again(higher: Contestant, lower: Contestant) -> tuple[int, ...]:
    """Return which of the two float the same way as in the round before."""
    if higher.score == lower.score:
        return ()
    down = [higher.number] if higher.floats[-1:] == (Float.DOWN,) else []
    up = [lower.number] if lower.floats[-1:] == (Float.UP,) else []
    return (*down, *up)


def _given(bye: ByeGiven, to: Mapping[int, int], reason: str) -> ByeGiven:
    if bye.entry not in to or bye.kind is not ByeKind.PAIRING:
        return bye
    return ByeGiven(entry=to[bye.entry], kind=bye.kind, reason=reason)


def _as_drawn(drawn: Draw, pairing: Pairing) -> Pairing:
    """Return the two as they were drawn, where they were; the table stays what it is."""
    for one in drawn.pairings:
        if {one.first, one.second} == {pairing.first, pairing.second}:
            return replace(one, table=pairing.table, label=pairing.label)
    return pairing


def _bye_as_drawn(drawn: Draw, bye: ByeGiven) -> ByeGiven:
    return next((one for one in drawn.byes if (one.entry, one.kind) == (bye.entry, bye.kind)), bye)


def _with_pairing(draw: Draw, place: int, pairing: Pairing) -> Draw:
    return replace(draw, pairings=(*draw.pairings[:place], pairing, *draw.pairings[place + 1 :]))


# -- what is remarkable


def _remarks_on_wishes(draw: Draw, field: Field) -> list[Remark]:
    pairs = {frozenset((pairing.first, pairing.second)) for pairing in draw.pairings}
    forbidden = {frozenset(wish.entries) for wish in field.forbidden}
    forced = {frozenset(wish.entries) for wish in field.forced}
    return [
        *(Remark(kind=RemarkKind.FORBIDDEN, entries=tuple(sorted(pair))) for pair in forbidden & pairs),
        *(Remark(kind=RemarkKind.FORCED_APART, entries=tuple(sorted(pair))) for pair in forced - pairs),
    ]


def _remarks_on_pairing(pairing: Pairing, known: Mapping[int, Contestant]) -> list[Remark]:
    one, other = known.get(pairing.first), known.get(pairing.second)
    if one is None or other is None:
        return []
    higher, lower = sorted((one, other), key=_standing)
    entries = tuple(sorted((one.number, other.number)))
    found: list[Remark] = []
    if lower.number in higher.opponents:
        met = zip(higher.opponents, higher.rounds, strict=False)
        rounds = tuple(sorted(number for opponent, number in met if opponent == lower.number))
        found.append(Remark(kind=RemarkKind.REMATCH, entries=entries, rounds=rounds))
    if Note.SCHEDULED in pairing.notes or Note.QUEUE in pairing.notes:
        return found
    if higher.score != lower.score:
        found.append(Remark(kind=RemarkKind.DIFFERENCE, entries=entries, amount=higher.score - lower.score))
    found += [
        Remark(kind=RemarkKind.FLOATED_AGAIN, entries=(entry,)) for entry in _floats_again(higher, lower)
    ]
    return found


def _remarks_on_bye(bye: ByeGiven, known: Mapping[int, Contestant]) -> list[Remark]:
    one = known.get(bye.entry)
    if one is None or bye.kind is not ByeKind.PAIRING:
        return []
    had = tuple(
        sorted(number for number, kind in one.byes.items() if kind in (ByeKind.PAIRING, ByeKind.FORFEIT_WIN))
    )
    return [Remark(kind=RemarkKind.SECOND_BYE, entries=(bye.entry,), rounds=had)] if had else []
