"""Tournaments for the tests of draws: made, entered, and played to results that are said beforehand."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django.db import DatabaseError, connection

from courtpiece.accounts.permissions import SERVER
from scoring.operations import find_or_make_partnerships, record_sheet
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import a_match
from tournaments.models import Draft, Match, Round, Tournament
from tournaments.operations import draws, matches
from tournaments.operations.creating import make_tournament
from tournaments.operations.running import enter_pairs
from tournaments.schemes import NewTournament

SLUG = "cup"


def a_tournament(
    format: str,  # noqa: A002 - the word of the design
    pairs: int,
    *,
    first: tuple[str, str] | None = None,
    **plan: Any,
) -> Tournament:
    """Return a tournament of that format, its pairs entered, without rounds; ``first`` are the names of the first."""
    club = a_club()
    new = NewTournament(name="Cup", slug=SLUG, format=format)
    tournament = make_tournament(actor=SERVER, club_id=club.pk, new=new, at=AT)
    tournament.plan = plan
    tournament.save()
    names = [(f"Player {number}A", f"Player {number}B") for number in range(1, pairs + 1)]
    if first is not None:
        names[0] = first
    found = find_or_make_partnerships(actor=SERVER, club_id=club.pk, names=names, at=AT)
    enter_pairs(tournament, [pair.partnership_id for pair in found.pairs])
    return tournament


def draft(seed: int = 7) -> draws.Drafted:
    """Draw the next round."""
    return draws.draft_round(actor=SERVER, slug=SLUG, act_id=uuid4(), seed=seed, at=AT)


def publish(version: int | None = None, session: int = 1) -> int:
    """Publish the draft; None: as it is now."""
    if version is None:
        version = Draft.objects.get(tournament__slug=SLUG).version
    return draws.publish_round(
        actor=SERVER, slug=SLUG, version=version, session=session, act_id=uuid4(), at=AT
    )


def a_round(seed: int = 7) -> Round:
    """Draw and publish the next round, and return it."""
    number = publish(draft(seed).version)
    return Round.objects.get(tournament__slug=SLUG, number=number)


def finish(match: Match, *, courts: int = 1, by_lower: bool = True) -> None:
    """Record a match that the entry of the lower number wins by this many courts (or the other), and finish it.

    No courts: the match is level.
    """
    is_ns = (match.ns.number < match.ew.number) == by_lower
    team = "NS" if is_ns else "EW"
    results = [f"{team} 7-0 court"] * courts or ["NS 7-5"]
    record_sheet(
        actor=SERVER,
        scoresheet_uid=match.scoresheet.uid,
        text=a_match(results, ns="", ew=""),
        operation_id=uuid4(),
        at=AT,
    )
    matches.set_match_state(actor=SERVER, uid=match.uid, state="finished", at=AT)


def finish_all(one: Round) -> None:
    """Finish every match of the round, the lower number the winner."""
    for match in Match.objects.filter(round=one, state="open").select_related("ns", "ew", "scoresheet"):
        finish(match)


def pairs_of(one: Round) -> set[frozenset[int]]:
    """Return who meets whom, by the numbers of the entries."""
    rows = Match.objects.filter(round=one).values_list("ns__number", "ew__number")
    return {frozenset(row) for row in rows}


def byes_of(one: Round) -> Mapping[int, str]:
    """Return who has no opponent, and why."""
    return dict(one.byes.values_list("entry__number", "kind"))


@contextmanager
def failing(verb: str, table: str) -> Iterator[None]:
    """Let every ``INSERT INTO`` or ``UPDATE`` of the table fail, as where the database goes away."""

    def fail(
        execute: Callable[..., object], sql: str, params: object, many: bool, context: Mapping[str, object]
    ) -> object:
        if sql.startswith(f'{verb} "{table}"'):
            raise DatabaseError("gone")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fail):
        yield
