"""What makes a round of a draw: its matches, scoresheets, byes and clock, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from courtpiece.accounts.permissions import Actor, unnarrowed
from scoring.operations import NewScoresheet, Pair, create_scoresheets
from tournaments.domain.draw_json import bye_why_to_json, why_to_json
from tournaments.domain.pairing import Draw
from tournaments.domain.plans import FormatPlan, LengthKind, WinnerStaysPlan
from tournaments.domain.seats import Seating, seat_at_numbers
from tournaments.events import Happening
from tournaments.models import (
    Bye,
    ByeKind,
    Entry,
    Forfeit,
    Match,
    MatchState,
    Round,
    RoundClock,
    Session,
    Tournament,
)
from tournaments.operations.happenings import tell_rounds

SECONDS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRound:
    """A round that is to be made."""

    draw: Draw
    session: Session
    seed: int | None
    """From which seats and first dealers are drawn; None: the seats are as the draw has them, nobody is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredPair:
    """An entry with who sits down for it."""

    entry_id: int
    pair: Pair


def entered_pairs(tournament_id: int) -> dict[int, EnteredPair]:
    """Return who sits down for each entry, by its number. One query."""
    rows = Entry.objects.filter(tournament=tournament_id).values_list(
        "number", "pk", "partnership_id", "partnership__first_id", "partnership__second_id"
    )
    return {
        number: EnteredPair(entry_id=pk, pair=Pair(partnership_id, (first, second)))
        for number, pk, partnership_id, first, second in rows
    }


def make_rounds(
    *,
    actor: Actor,
    tournament: Tournament,
    plan: FormatPlan,
    rounds: Sequence[DrawnRound],
    pairs: Mapping[int, EnteredPair],
    at: datetime,
    times_ns: Mapping[int, int] | None = None,
) -> tuple[Round, ...]:
    """Make rounds with everything that belongs to them, tell programs, and return them. Nine queries, however many.

    ``times_ns`` is how often each entry sat North-South before.

    :raises Forbidden: if the actor may not record deals in the club.
    :raises SamePlayerTwice: if a player would sit at a table twice.
    """
    made = Round.objects.bulk_create(
        Round(
            tournament=tournament,
            session=one.session,
            number=one.draw.number,
            name=one.draw.label,
            seed=one.seed,
            published_at=at,
        )
        for one in rounds
    )
    seated = [
        (row, drawn, seating)
        for row, drawn in zip(made, rounds, strict=True)
        for seating in seat_at_numbers(drawn.draw, seed=drawn.seed, times_ns=times_ns)
    ]
    sheets = create_scoresheets(
        actor=unnarrowed(actor),
        club_id=tournament.club_id,
        collection_id=tournament.collection_id,
        sheets=[
            NewScoresheet(
                ns=pairs[seating.ns].pair,
                ew=pairs[seating.ew].pair,
                rules=tournament.rules,
                round=str(row.number),
                table=seating.table,
            )
            for row, _drawn, seating in seated
        ],
        at=at,
    )
    Match.objects.bulk_create(
        _match(row, seating, drawn.seed, pairs, sheet_id, at)
        for (row, drawn, seating), sheet_id in zip(seated, sheets, strict=True)
    )
    _make_byes(made, rounds, pairs)
    _make_clocks(plan, made)
    tell_rounds(tournament.collection_id, Happening.ROUND_PUBLISHED, at, made)
    return tuple(made)


def minutes_of(plan: FormatPlan, session: Session) -> int | None:
    """Return the agreed length of a match in minutes: the session's, else the plan's; None where it is no time."""
    if session.minutes is not None:
        return session.minutes
    if session.deals is not None or session.courts is not None or plan.match.kind is not LengthKind.MINUTES:
        return None
    return plan.match.amount


def _match(
    row: Round,
    seating: Seating,
    seed: int | None,
    pairs: Mapping[int, EnteredPair],
    sheet_id: int,
    at: datetime,
) -> Match:
    """Return the match; one that is given away is over at once."""
    forfeit = _forfeit(seating)
    return Match(
        round=row,
        table=seating.table,
        ns_id=pairs[seating.ns].entry_id,
        ew_id=pairs[seating.ew].entry_id,
        scoresheet_id=sheet_id,
        name=seating.pairing.label,
        first_dealer="" if seed is None else seating.dealer.letter,
        drawn=_why(seating),
        state=MatchState.FINISHED if forfeit else MatchState.OPEN,
        forfeit=forfeit,
        finished_at=at if forfeit else None,
    )


def _why(seating: Seating) -> dict[str, object]:
    """Return why the two meet, with who is the first of them, whom scores and alternatives are about."""
    return {"first": seating.pairing.first, **why_to_json(seating.pairing)}


def _forfeit(seating: Seating) -> str:
    given = set(seating.pairing.given_away_by)
    if not given:
        return ""
    if len(given) > 1:
        return Forfeit.BOTH
    return Forfeit.NS if seating.ns in given else Forfeit.EW


def _make_byes(made: Sequence[Round], rounds: Sequence[DrawnRound], pairs: Mapping[int, EnteredPair]) -> None:
    Bye.objects.bulk_create(
        Bye(
            round=row,
            entry_id=pairs[bye.entry].entry_id,
            kind=ByeKind(bye.kind.value),
            drawn=bye_why_to_json(bye),
        )
        for row, drawn in zip(made, rounds, strict=True)
        for bye in drawn.draw.byes
    )


def _make_clocks(plan: FormatPlan, made: Sequence[Round]) -> None:
    """Give each round its clock; where the winner stays the first one's is that of the whole evening."""
    lengths = [(row, _minutes_of_clock(plan, row)) for row in made]
    RoundClock.objects.bulk_create(
        RoundClock(round=row, length=SECONDS * minutes) for row, minutes in lengths if minutes is not None
    )


def _minutes_of_clock(plan: FormatPlan, row: Round) -> int | None:
    if not isinstance(plan, WinnerStaysPlan):
        return minutes_of(plan, row.session)
    return (row.session.minutes or plan.minutes) if row.number == 1 else None
