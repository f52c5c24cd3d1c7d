"""The id of an act, used where it was not offered."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.refusals import Refused
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import a_scheduled_tournament
from tests.tournaments.drawn import SLUG, a_tournament
from tests.tournaments.test_races import at_once
from tournaments.errors import ActReused
from tournaments.models import Act, Tournament
from tournaments.operations import creating
from tournaments.operations.once import keep

pytestmark = pytest.mark.django_db(transaction=True)


def publishing(slug: str, act: UUID) -> Callable[[], str]:
    """Return what publishes a tournament, and what of it was refused."""

    def publish() -> str:
        try:
            creating.publish_tournament(actor=SERVER, slug=slug, visibility="unlisted", act_id=act, at=AT)
        except Refused as refused:
            return type(refused).__name__
        return "done"

    return publish


def test_an_id_used_in_two_tournaments_at_once_does_one_thing() -> None:
    a_tournament("swiss", 4, rounds=3)
    a_scheduled_tournament(club_id=a_club("multan").pk)
    act = uuid4()

    done = at_once(publishing(SLUG, act), publishing("rang", act))

    assert sorted(done) == [ActReused.__name__, "done"]
    assert Tournament.objects.filter(visibility="unlisted").count() == 1


def test_an_id_that_was_kept_meanwhile_is_refused() -> None:
    a_tournament("swiss", 4, rounds=3)
    act = Act(
        id=uuid4(), tournament=Tournament.objects.get(), what="x", fingerprint="x", answer={}, made_at=AT
    )
    keep(act)

    with pytest.raises(ActReused):
        keep(act)
