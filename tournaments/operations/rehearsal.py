"""A whole Swiss played by the simulator, through the operations that directors and scorers use.

What it makes is a tournament like any other: it shows on the screen how an event of a size goes, and it is what the
benchmarks and the tests of whole tournaments run on. Chance and the clock are arguments.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from courtpiece.accounts.permissions import Actor
from courtpiece.engine import Rules, Seat
from courtpiece.notation import read, write_file
from courtpiece.notation.simulator import Habits, Heading, simulate_match
from scoring.operations import SheetRecords, record_deals
from tournaments import queries
from tournaments.domain.entering import NewPair
from tournaments.domain.plans import LengthKind, MatchLength, SwissPlan
from tournaments.models import Format, Tournament
from tournaments.operations.closing import close_for_results, make_final, make_official
from tournaments.operations.creating import create_tournament
from tournaments.operations.draws import draft_round, publish_round
from tournaments.operations.entries import take_entries
from tournaments.operations.matches import set_match_state
from tournaments.queries import MatchLine
from tournaments.schemes import NewTournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The size of an event."""

    name: str = "Rehearsal"
    slug: str = "rehearsal"
    entries: int = 200
    rounds: int = 9
    deals: int = 20
    """Of each match."""
    rules: str = "court-piece"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """The records of a match, ready to be sent in."""

    uid: UUID
    scoresheet_id: int
    scoresheet_uid: UUID
    table: str
    texts: tuple[str, ...]
    """One for each deal."""


def enter_event(*, actor: Actor, club_id: int, event: Event, at: datetime) -> str:
    """Make the tournament with its entries, and return its address.

    Raises what making a tournament and entering pairs do.
    """
    plan = SwissPlan(rounds=event.rounds, match=MatchLength(LengthKind.DEALS, event.deals))
    made = create_tournament(
        actor=actor,
        club_id=club_id,
        new=NewTournament(
            name=event.name,
            slug=event.slug,
            format=Format.SWISS,
            rules=event.rules,
            plan=plan,
            appeal_minutes=0,
        ),
        at=at,
    )
    pairs = [
        NewPair(row=number, names=(f"North {number:03}", f"South {number:03}"))
        for number in range(1, event.entries + 1)
    ]
    others = {name for pair in pairs for name in pair.names}
    take_entries(actor=actor, slug=made.slug, pairs=pairs, others=others, at=at)
    return made.slug


def draw_next(*, actor: Actor, slug: str, seed: int, at: datetime) -> int:
    """Draw and publish the next round, and return its number. Raises what drawing a round does."""
    drafted = draft_round(actor=actor, slug=slug, act_id=None, seed=seed, at=at)
    return publish_round(
        actor=actor, slug=slug, version=drafted.version, session=1, act_id=None, at=at, confirmed=True
    )


def simulate_round(
    *, slug: str, number: int, event: Event, rng: Random, actor: Actor
) -> tuple[PlayedMatch, ...]:
    """Play the matches of a round without writing anything down, and return their records."""
    tournament = Tournament.objects.get(slug=slug)
    front = queries.tournament_front(slug, actor=actor, round_number=number)
    (played,) = queries.tournament_body(front).shown[:1]
    return tuple(
        _played(match, number, event, Rules.parse(tournament.rules), rng) for match in played.matches
    )


def record_matches(*, actor: Actor, matches: Sequence[PlayedMatch], at: datetime) -> None:
    """Record the deals of the matches and finish these. Raises what recording and finishing do."""
    record_deals(
        actor=actor,
        sheets=[
            SheetRecords(
                scoresheet_id=match.scoresheet_id,
                readings=tuple(reading for text in match.texts for reading in read(text)),
            )
            for match in matches
        ],
        at=at,
    )
    for match in matches:
        set_match_state(actor=actor, uid=match.uid, state="finished", at=at)


def close_event(*, actor: Actor, slug: str, at: datetime) -> None:
    """Close the tournament, and make its standings official and final. Raises what closing does."""
    until = close_for_results(actor=actor, slug=slug, at=at)
    later = max(until, at) + timedelta(seconds=1)
    make_official(actor=actor, slug=slug, at=later)
    make_final(actor=actor, slug=slug, at=later)


def play_event(*, actor: Actor, club_id: int, event: Event, rng: Random, at: datetime) -> Iterator[int]:
    """Play a whole event, from its entries to final standings, and yield the number of each round once it is over."""
    slug = enter_event(actor=actor, club_id=club_id, event=event, at=at)
    for _round in range(event.rounds):
        number = draw_next(actor=actor, slug=slug, seed=rng.getrandbits(32), at=at)
        played = simulate_round(slug=slug, number=number, event=event, rng=rng, actor=actor)
        record_matches(actor=actor, matches=played, at=at)
        yield number
    close_event(actor=actor, slug=slug, at=at)


def _played(match: MatchLine, number: int, event: Event, rules: Rules, rng: Random) -> PlayedMatch:
    records = simulate_match(
        rng=rng,
        rules=rules,
        heading=Heading(
            event=event.name,
            round=str(number),
            table=match.table,
            ns=match.ns.pair.name,
            ew=match.ew.pair.name,
        ),
        deals=event.deals,
        first_dealer=Seat[match.first_dealer] if match.first_dealer else None,
        habits=Habits(),
    )
    return PlayedMatch(
        uid=match.uid,
        scoresheet_id=match.result.scoresheet_id,
        scoresheet_uid=match.result.uid,
        table=match.table,
        texts=tuple("".join(write_file([record])) for record in records),
    )
