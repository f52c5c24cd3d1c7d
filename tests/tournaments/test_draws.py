"""Rounds that are drawn, changed and published, in every format."""

from uuid import uuid4

import pytest

from courtpiece.accounts.permissions import SERVER
from scoring.operations import find_or_make_partnerships
from tests.accounts.builders import AT, a_club
from tournaments.models import Bye, Draft, Match, Round, RoundClock, Tournament
from tournaments.operations import draws
from tournaments.operations.creating import make_tournament
from tournaments.operations.running import enter_pairs
from tournaments.schemes import NewTournament

pytestmark = pytest.mark.django_db


def a_tournament(format: str, pairs: int, **plan: object) -> Tournament:  # noqa: A002 - the word of the design
    club = a_club()
    tournament = make_tournament(
        actor=SERVER, club_id=club.pk, new=NewTournament(name="Cup", slug="cup", format=format), at=AT
    )
    tournament.plan = plan
    tournament.save()
    names = [(f"Player {number} A", f"Player {number} B") for number in range(1, pairs + 1)]
    found = find_or_make_partnerships(actor=SERVER, club_id=club.pk, names=names, at=AT)
    enter_pairs(tournament, [pair.partnership_id for pair in found.pairs])
    return tournament


def test_a_draft_is_published_whole() -> None:
    a_tournament("swiss", 5, rounds=3)

    draft = draws.draft_round(actor=SERVER, slug="cup", act_id=uuid4(), seed=7, at=AT)
    number = draws.publish_round(
        actor=SERVER, slug="cup", version=draft.version, session=1, act_id=uuid4(), at=AT
    )

    assert (draft.number, draft.version, number) == (1, 1, 1)
    assert Draft.objects.count() == 0
    assert Round.objects.get().seed == 7
    assert RoundClock.objects.get().length == 30 * 60
    assert Match.objects.count() == 2
    assert Bye.objects.get().kind == "pairing"
    assert all(match.first_dealer in "NESW" for match in Match.objects.all())
