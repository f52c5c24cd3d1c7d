"""Two directors at once: one draft, one round."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.refusals import Refused
from scoring.models import Scoresheet
from tests.accounts.builders import AT
from tests.tournaments.drawn import SLUG, a_round, a_tournament, draft, finish
from tests.tournaments.test_races import at_once
from tournaments.errors import ChangedMeanwhile, DraftInTheWay
from tournaments.models import Draft, Match, Round
from tournaments.operations import draws, matches, schedules

pytestmark = pytest.mark.django_db(transaction=True)


def tried(act: Callable[[], object]) -> Callable[[], str]:
    """Return what it does, and what of it was refused."""

    def try_it() -> str:
        try:
            act()
        except Refused as refused:
            return type(refused).__name__
        return "done"

    return try_it


def drafting(act: UUID) -> Callable[[], str]:
    return tried(lambda: draws.draft_round(actor=SERVER, slug=SLUG, act_id=act, seed=7, at=AT))


def publishing(act: UUID) -> Callable[[], str]:
    return tried(
        lambda: draws.publish_round(actor=SERVER, slug=SLUG, version=1, session=1, act_id=act, at=AT)
    )


def test_of_two_who_draft_at_once_the_second_is_told_of_the_first() -> None:
    a_tournament("swiss", 8, rounds=3)

    done = at_once(drafting(uuid4()), drafting(uuid4()))

    assert sorted(done) == [DraftInTheWay.__name__, "done"]
    assert Draft.objects.get().version == 1


def test_a_draft_sent_twice_at_once_is_drawn_once() -> None:
    a_tournament("swiss", 8, rounds=3)
    act = uuid4()

    done = at_once(drafting(act), drafting(act))

    assert done == ["done", "done"]
    assert Draft.objects.get().version == 1


def test_of_two_who_publish_at_once_one_does() -> None:
    a_tournament("swiss", 8, rounds=3)
    draft()

    done = at_once(publishing(uuid4()), publishing(uuid4()))

    assert sorted(done) == [ChangedMeanwhile.__name__, "done"]
    assert (Round.objects.count(), Match.objects.count(), Scoresheet.objects.count()) == (1, 4, 4)


def test_a_publication_sent_twice_at_once_is_one() -> None:
    a_tournament("swiss", 8, rounds=3)
    draft()
    act = uuid4()

    done = at_once(publishing(act), publishing(act), publishing(act))

    assert done == ["done", "done", "done"]
    assert (Round.objects.count(), Match.objects.count(), Scoresheet.objects.count()) == (1, 4, 4)


def test_a_match_finished_by_two_at_once_seats_the_next_once() -> None:
    a_tournament("winner-stays", 4)
    match = Match.objects.select_related("ns", "ew", "scoresheet").get(round=a_round())
    finish(match)
    Round.objects.filter(number=2).first()
    following = Match.objects.select_related("ns", "ew", "scoresheet").get(round__number=2)

    def finishing() -> None:
        matches.set_match_state(actor=SERVER, uid=following.uid, state="finished", at=AT)

    at_once(finishing, finishing)

    assert Round.objects.count() == 3
    assert Match.objects.count() == 3


def test_a_round_is_not_taken_back_while_a_deal_is_recorded_in_it() -> None:
    a_tournament("swiss", 4, rounds=3)
    match = Match.objects.select_related("ns", "ew", "scoresheet").filter(round=a_round()).first()
    assert match is not None

    def take_back() -> None:
        schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, act_id=uuid4(), at=AT)

    def record() -> None:
        try:
            finish(match)
        except LookupError:
            return

    done = at_once(tried(take_back), tried(record))

    assert (done[0] == "done") == (Round.objects.count() == 0)
    assert (done[0] == "done") == (Scoresheet.objects.count() == 0)
