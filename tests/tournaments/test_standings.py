"""Standings: computed at a version, late, twice, out of order, and told to who follows."""

from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.db.models import F
from django.test import Client, override_settings
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from courtpiece.accounts.permissions import ANONYMOUS, SERVER
from scoring import operations as scoring
from scoring.domain.results import Ranking, Scheme, TiebreakCode
from scoring.models import Collection
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import (
    ASIF,
    CHAND,
    ERUM,
    GITA,
    a_match,
    a_scheduled_tournament,
    penalise,
    upload,
    whole_page,
)
from tests.tournaments.drawn import failing
from tournaments import queries
from tournaments.models import Match, RoundStandings, Standings, Tournament
from tournaments.operations import closing, matches, standings
from tournaments.queries import LoadedState, load_state

pytestmark = pytest.mark.django_db

LATER = AT + timedelta(minutes=5)
ROUND_ONE = (
    a_match(["EW 7-5", "NS 7-0 court"], ns=ASIF, ew=GITA, round="1", table="1"),
    a_match(["NS 13-0 bavney"], ns=CHAND, ew=ERUM, round="1", table="2"),
)


def a_tournament(**new: Any) -> Tournament:
    return a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk, **new)


def compute(tournament: Tournament) -> bool:
    return standings.compute_standings(collection_id=tournament.collection_id, now=AT)


def answer_of(tournament: Tournament) -> queries.StandingsAnswer:
    return queries.standings_page(tournament.slug, actor=ANONYMOUS).standings.answer


def advance(tournament: Tournament) -> None:
    scoring.advance_collection(collection_id=tournament.collection_id)


def test_the_answer_has_the_keys_of_the_documents_in_their_order() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    compute(tournament)

    answer = answer_of(tournament)

    row = answer["rows"][0]
    players = row["partnership"]["players"]
    assert {**answer, "rows": []} == {
        "format": 1,
        "tournament": {
            "slug": "rang",
            "name": "Tuesday Rang",
            "rules": "court-piece",
            "rules_version": 1,
        },
        "version": 3,
        "current": True,
        "status": "provisional",
        "after_round": 1,
        "computed_at": "2026-11-29T18:00:00Z",
        "timezone": "Asia/Karachi",
        "ranking": "match-points",
        "tiebreaks": ["courts-difference", "courts-for", "head-to-head", "deals-won"],
        "lot_seed": None,
        "matches": {"scheduled": 6, "finished": 2, "open": 4, "void": 0},
        "rows": [],
    }
    assert list(answer) == [
        "format", "tournament", "version", "current", "status", "after_round", "computed_at", "timezone",
        "ranking", "tiebreaks", "lot_seed", "matches", "rows",
    ]  # fmt: skip
    assert list(row) == [
        "position", "rank", "tied", "entry", "state", "partnership", "played", "won", "drawn", "lost", "byes",
        "match_points", "courts_for", "courts_against", "bavneys", "goon_courts", "revokes", "deals_won",
        "deals_lost", "penalty", "tiebreaks", "decided_by",
    ]  # fmt: skip
    assert row == {
        "position": 1,
        "rank": 1,
        "tied": False,
        "entry": 2,
        "state": "active",
        "partnership": {"id": row["partnership"]["id"], "name": CHAND, "players": players},
        "played": 1,
        "won": 1,
        "drawn": 0,
        "lost": 0,
        "byes": 0,
        "match_points": 2,
        "courts_for": 52,
        "courts_against": 0,
        "bavneys": 1,
        "goon_courts": 0,
        "revokes": 0,
        "deals_won": 1,
        "deals_lost": 0,
        "penalty": 0,
        "tiebreaks": [
            {"code": "courts-difference", "value": "52"},
            {"code": "courts-for", "value": "52"},
            {"code": "head-to-head", "value": None},
            {"code": "deals-won", "value": "1"},
        ],
        "decided_by": "courts-difference",
    }
    assert [player["name"] for player in players] == ["Chand Rao", "Dev Patel"]


def test_before_anything_was_computed_there_is_an_empty_answer_that_is_not_current() -> None:
    tournament = a_tournament()
    Standings.objects.all().delete()

    answer = answer_of(tournament)

    assert (answer["version"], answer["current"], answer["rows"], answer["computed_at"]) == (
        0,
        False,
        [],
        None,
    )


def test_standings_are_computed_when_an_upload_is_committed(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        tournament = a_tournament()
        upload(*ROUND_ONE)

    answer = answer_of(tournament)
    assert [(row["rank"], row["entry"]) for row in answer["rows"]] == [(1, 2), (2, 1), (3, 4), (4, 3)]
    assert answer["current"]


def test_computing_twice_changes_nothing() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)

    assert compute(tournament)
    before = Standings.objects.values().get()

    assert not standings.compute_standings(collection_id=tournament.collection_id, now=LATER)
    assert Standings.objects.values().get() == before


def test_a_late_computation_does_not_overwrite_a_newer_one() -> None:
    tournament = a_tournament()
    compute(tournament)
    newest = Standings.objects.get()
    Standings.objects.update(version=newest.version + 10)

    assert not compute(tournament)

    assert Standings.objects.get().version == newest.version + 10


@pytest.mark.django_db(transaction=True)
def test_what_is_written_while_they_are_read_is_not_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = a_tournament()
    write_something(tournament)
    before = versions_of(tournament)
    read: list[int] = []

    def load_while_somebody_writes(row: Tournament) -> LoadedState:
        loaded = load_state(row)
        read.append(loaded.version)
        if len(read) == 1:
            in_another_thread(lambda: write_something(tournament))
        return loaded

    monkeypatch.setattr(standings, "load_state", load_while_somebody_writes)

    assert compute(tournament)
    assert read == ([before] if connection.vendor == "postgresql" else [before, before + 1])
    assert Standings.objects.get().version == read[-1]


def write_something(tournament: Tournament) -> None:
    Collection.objects.filter(pk=tournament.collection_id).update(version=F("version") + 1)


def versions_of(tournament: Tournament) -> int:
    return queries.load_state(tournament).version


def in_another_thread(call: Callable[[], None]) -> None:
    def run() -> None:
        call()
        connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join()


def test_a_hint_that_came_before_newer_standings_computes_nothing() -> None:
    tournament = a_tournament()
    compute(tournament)
    newest = Standings.objects.get().version
    advance(tournament)

    assert not standings.compute_standings(
        collection_id=tournament.collection_id, now=LATER, wanted=newest - 1
    )
    assert standings.compute_standings(collection_id=tournament.collection_id, now=LATER, wanted=newest + 1)


def test_a_collection_of_no_tournament_has_no_standings() -> None:
    collection_id = scoring.create_collection(actor=SERVER, club_id=a_club().pk)

    assert not standings.compute_standings(collection_id=collection_id, now=AT)


def test_the_sweep_queues_what_is_behind_and_nothing_else(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    tournament = a_tournament()
    assert not answer_of(tournament)["current"]

    with django_capture_on_commit_callbacks(execute=True):
        assert standings.sweep_standings() == 1

    assert answer_of(tournament)["current"]
    assert standings.sweep_standings() == 0


def test_only_finished_matches_count() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE, finish=False)
    compute(tournament)
    assert answer_of(tournament)["matches"] == {"scheduled": 6, "finished": 0, "open": 6, "void": 0}
    assert {row["played"] for row in answer_of(tournament)["rows"]} == {0}

    first = whole_page("rang").shown[0].matches[0]
    matches.set_match_state(actor=SERVER, uid=first.uid, state="finished", at=AT)
    compute(tournament)

    assert {row["entry"]: row["played"] for row in answer_of(tournament)["rows"]} == {1: 1, 2: 0, 3: 0, 4: 1}


def test_a_void_match_counts_for_nobody() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    first = whole_page("rang").shown[0].matches[0]
    matches.set_match_state(actor=SERVER, uid=first.uid, state="void", at=AT)
    compute(tournament)

    answer = answer_of(tournament)

    assert answer["matches"] == {"scheduled": 6, "finished": 1, "open": 4, "void": 1}
    assert answer["after_round"] == 1


def test_a_bye_counts_from_the_first_finished_match_of_its_round() -> None:
    tournament = a_scheduled_tournament(ASIF, CHAND, ERUM, club_id=a_club().pk)
    compute(tournament)
    assert {row["byes"] for row in answer_of(tournament)["rows"]} == {0}

    upload(a_match(["NS 7-0 court"], ns=CHAND, ew=ERUM, round="1", table="1"))
    compute(tournament)

    points = {
        row["entry"]: (row["byes"], row["won"], row["match_points"]) for row in answer_of(tournament)["rows"]
    }
    assert points == {1: (1, 0, 2), 2: (0, 1, 2), 3: (0, 0, 0)}


def test_a_penalty_is_taken_off_and_shown() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    penalise(2, 1)
    compute(tournament)

    row = next(row for row in answer_of(tournament)["rows"] if row["entry"] == 2)

    assert (row["match_points"], row["penalty"], row["rank"]) == (1, 1, 2)


def test_ranking_by_courts_and_lots_are_in_the_answer() -> None:
    scheme = Scheme(ranking=Ranking.COURTS, tiebreaks=(TiebreakCode.DRAW_OF_LOTS,), lot_seed=7)
    tournament = a_tournament(scheme=scheme)
    compute(tournament)

    answer = answer_of(tournament)

    assert (answer["ranking"], answer["lot_seed"]) == ("courts", 7)
    assert [row["rank"] for row in answer["rows"]] == [1, 2, 3, 4]
    assert {row["decided_by"] for row in answer["rows"]} == {"draw-of-lots"}


def test_a_correction_is_in_the_next_standings() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    deal = whole_page("rang").awards.lines[0].deal

    scoring.void_deal(
        actor=SERVER, deal_uid=deal.uid, base_revision=1, reason="misdeal", operation_id=uuid4(), at=LATER
    )
    compute(tournament)

    row = next(row for row in answer_of(tournament)["rows"] if row["entry"] == 2)
    assert (row["bavneys"], row["courts_for"], row["drawn"]) == (0, 0, 1)


def test_the_reasons_name_opponents_and_say_what_decided() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    compute(tournament)

    first, second, *_rest = queries.standings_page("rang", actor=SERVER).standings.lines

    assert (first.level_with, second.level_with) == ((ASIF,), (CHAND,))
    (deciding,) = [tiebreak for tiebreak in first.tiebreaks if tiebreak.is_deciding]
    assert deciding.code == "courts-difference"
    assert [(line.opponent, line.rounds, line.own, line.other, line.amount) for line in deciding.lines] == [
        (ERUM, "1", "52", "0", "52")
    ]


@pytest.mark.parametrize("pairs", [(ASIF, CHAND, ERUM), (ASIF, CHAND, ERUM, GITA, "A A & B B", "C C & D D")])
def test_deriving_takes_the_same_queries_whatever_the_size(
    pairs: tuple[str, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = a_scheduled_tournament(*pairs, club_id=a_club().pk)

    with django_assert_num_queries(11):
        standings.derive_standings(collection_id=tournament.collection_id, now=AT)


def test_the_standings_after_each_round_are_kept_and_computed_again_only_where_something_changed() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    compute(tournament)
    kept = {row.round_number: row for row in RoundStandings.objects.all()}
    advance(tournament)

    compute(tournament)

    again = {row.round_number: row for row in RoundStandings.objects.all()}
    assert set(kept) == set(again) == {1}
    assert {row.version for row in again.values()} == {max(row.version for row in kept.values()) + 1}
    assert [row.computed_at for row in again.values()] == [row.computed_at for row in kept.values()]
    assert [row.table for row in again.values()] == [row.table for row in kept.values()]


def test_those_after_a_round_that_is_opened_again_are_not_kept() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    compute(tournament)
    first = whole_page("rang").shown[0].matches[0]

    matches.set_match_state(actor=SERVER, uid=first.uid, state="open", at=AT)
    compute(tournament)

    assert not RoundStandings.objects.exists()


def test_standings_that_fail_in_the_middle_leave_what_was_there_and_come_again() -> None:
    tournament = a_tournament()
    upload(*ROUND_ONE)
    compute(tournament)
    before = kept_of(tournament)
    first = whole_page("rang").shown[0].matches[0]
    matches.set_match_state(actor=SERVER, uid=first.uid, state="void", at=AT)

    with failing("INSERT INTO", "tournaments_roundstandings"), pytest.raises(DatabaseError):
        compute(tournament)

    assert kept_of(tournament) == before
    assert standings.sweep_standings() == 1
    compute(tournament)
    (version, _table), (of_round, _after) = kept_of(tournament)
    assert version == of_round == versions_of(tournament)


def kept_of(tournament: Tournament) -> list[tuple[int, object]]:
    """Return the version and the rows of the standings, and of those after round 1."""
    now, after = Standings.objects.get(pk=tournament.pk), RoundStandings.objects.get(tournament=tournament)
    return [(row.version, row.table["rows"]) for row in (now, after)]


def test_standings_after_a_round_that_goes_on_can_be_asked_for() -> None:
    a_tournament()
    upload(*ROUND_ONE)
    first = whole_page("rang").shown[0].matches[0]
    matches.set_match_state(actor=SERVER, uid=first.uid, state="open", at=AT)

    page = standings.standings_page_after(slug="rang", round_number=1, actor=ANONYMOUS, now=AT)
    answer = standings.standings_after(slug="rang", round_number=1, actor=ANONYMOUS, now=AT)
    shown = Client().get("/tournaments/rang/standings/?round=1")

    assert page.standings.answer == answer
    assert (page.rounds, page.round_number, answer["matches"]["open"]) == ((1,), 1, 1)
    assert shown.status_code == HTTPStatus.OK
    assert [line.row["entry"] for line in page.standings.lines] == [row["entry"] for row in answer["rows"]]


def test_one_worker_computes_for_everybody_until_nothing_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = a_tournament()
    compute_once = standings.compute_standings
    computed: list[int] = []

    def compute_while_others_write(*, collection_id: int, now: datetime) -> bool:
        standings.keep_current(collection_id=collection_id, clock=lambda: LATER)
        if len(computed) < 2:
            advance(tournament)
        computed.append(queries.load_state(tournament).version)
        return compute_once(collection_id=collection_id, now=now)

    monkeypatch.setattr(standings, "compute_standings", compute_while_others_write)

    standings.keep_current(collection_id=tournament.collection_id, clock=lambda: AT)

    assert len(computed) == 1
    assert Standings.objects.get().version == computed[-1]


def test_the_status_is_the_directors() -> None:
    tournament = a_tournament()
    Match.objects.update(state="void")
    closing.close_for_results(actor=SERVER, slug="rang", at=AT)
    closing.make_official(actor=SERVER, slug="rang", at=AT + timedelta(hours=1))
    compute(tournament)

    assert answer_of(tournament)["status"] == "official"


@override_settings(CHANNEL_LAYERS={"default": {"BACKEND": "no.such.layer"}})
def test_sockets_that_cannot_be_told_lose_no_standings(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    tournament = a_tournament()

    with django_capture_on_commit_callbacks() as callbacks:
        assert compute(tournament)

    assert len(callbacks) == 1
    assert Standings.objects.filter(tournament=tournament).exists()
