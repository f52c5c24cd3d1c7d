"""Two at once: an evening sent twice is written once, and standings are those of the newest version."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TypeVar

import pytest
from django.db import connection

from courtpiece.accounts.permissions import SERVER
from scoring import operations as scoring
from scoring.auditing import audit_scoresheets, scoresheet_ids
from scoring.models import Revision
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments.models import Entry, Match, Standings
from tournaments.operations import matches, standings
from tournaments.reports import EveningReport

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")

EVENING = [
    a_match(["NS 7-4", "EW 7-5"], round="1", table="1"),
    a_match(["NS 7-0 goon-court"], ns=ERUM, ew=GITA, round="1", table="2"),
    a_match(["EW 7-6"], ns=GITA, ew=ASIF, round="2", table="1"),
]


def at_once(*calls: Callable[[], T]) -> list[T]:
    """Return what each call gave, all of them made at the same time, each on a connection of its own."""

    def call(one: Callable[[], T]) -> T:
        try:
            return one()
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        return list(pool.map(call, calls))


def sending() -> EveningReport:
    return upload(*EVENING)


def test_an_evening_sent_four_times_at_once_is_written_once() -> None:
    a_scheduled_tournament(club_id=a_club().pk)

    reports = at_once(sending, sending, sending, sending)

    assert sorted((report.recorded, report.duplicates) for report in reports) == [
        (0, 4),
        (0, 4),
        (0, 4),
        (4, 0),
    ]
    assert (Entry.objects.count(), Match.objects.count(), Revision.objects.count()) == (4, 3, 4)
    assert audit_scoresheets(scoresheet_ids()) == ()


def test_an_upload_that_reseats_and_a_match_that_is_finished_do_not_wait_for_each_other_for_ever() -> None:
    a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)
    turned = a_match(["NS 7-4"], ns=GITA, ew=ASIF, round="1", table="1")
    uids = list(Match.objects.values_list("uid", flat=True))

    def finish() -> None:
        for uid in uids:
            matches.set_match_state(actor=SERVER, uid=uid, state="finished", at=AT)

    at_once(lambda: upload(turned), finish, lambda: upload(turned))

    assert set(Match.objects.values_list("state", flat=True)) == {"finished"}
    assert Revision.objects.count() == 1


def test_standings_computed_many_times_at_once_are_those_of_the_newest_version() -> None:
    tournament = a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)

    def compute(seconds: int) -> Callable[[], bool]:
        def advance_and_compute() -> bool:
            scoring.advance_collection(collection_id=tournament.collection_id)
            now = AT + timedelta(seconds=seconds)
            return standings.compute_standings(collection_id=tournament.collection_id, now=now)

        return advance_and_compute

    at_once(*(compute(seconds) for seconds in range(8)))
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)

    tournament.collection.refresh_from_db()
    assert Standings.objects.get().version == tournament.collection.version == 9
