"""Ratings of finished matches: late, twice, after corrections and imports, and for nobody else's eyes."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from courtpiece.accounts.permissions import SERVER
from scoring import operations as scoring
from scoring import queries as scoring_queries
from scoring.derived import CurrentRating, RatedCollection, RatedMatch, RatingChange
from scoring.domain.ratings import UNIT
from scoring.models import Deal, Partnership, Player, Scoresheet
from tests.accounts.builders import AT, a_club
from tests.scoring.builders import correct
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments.models import Match, Tournament
from tournaments.operations import auditing, matches, ratings, running

pytestmark = pytest.mark.django_db

WON = ["EW 7-5", "NS 7-0 court"]
LOST = ["EW 7-0 court"]
LEVEL = ["EW 7-5"]


def a_tournament(slug: str = "rang", **new: Any) -> Tournament:
    club = new.pop("club_id", None) or a_club().pk
    return a_scheduled_tournament(club_id=club, slug=slug, **new)


def play(
    results: list[str], *, slug: str = "rang", date: str = "2026.11.29", number: int = 1, **tags: Any
) -> None:
    upload(a_match(results, date=date, round=str(number), table=tags.pop("table", "1"), **tags), slug=slug)


def rate(tournament: Tournament) -> bool:
    return ratings.rate_matches(collection_id=tournament.collection_id)


def values() -> dict[str, int]:
    """Return what each partnership is rated, in whole points."""
    rows = CurrentRating.objects.filter(partnership__isnull=False).select_related(
        "partnership__first", "partnership__second"
    )
    return {
        f"{row.partnership.first.name} & {row.partnership.second.name}": round(row.value / UNIT)
        for row in rows
        if row.partnership is not None
    }


def everything() -> list[tuple[Any, ...]]:
    """Return all that is kept, but for the ids of rows."""
    changes = RatingChange.objects.order_by("match__place", "partnership", "player").values_list(
        "match", "partnership", "player", "number", "before", "spread_before", "expected", "result", "after",
        "spread_after",
    )  # fmt: skip
    now = CurrentRating.objects.order_by("partnership", "player").values_list(
        "partnership", "player", "value", "spread", "matches"
    )
    return [*changes, *now]


def changes_of(number: str, kept: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return what the match of a round changed, of all that is kept."""
    sheet = Scoresheet.objects.get(round=number)
    return [row for row in kept if len(row) == CHANGE and row[0] == sheet.pk]


CHANGE = 10
"""Columns of a change; what stands now has fewer."""


def rate_all_anew() -> list[tuple[Any, ...]]:
    """Forget all ratings, rate every tournament again, and return what is kept."""
    for table in (CurrentRating, RatedMatch, RatedCollection):
        table.objects.all().delete()
    for tournament in Tournament.objects.order_by("-pk"):
        rate(tournament)
    return everything()


def test_a_finished_match_rates_both_pairs_and_all_four_players() -> None:
    tournament = a_tournament()
    play(WON)

    assert rate(tournament)

    assert values() == {ASIF: 1658, CHAND: 1342}
    players = CurrentRating.objects.filter(player__isnull=False).order_by("-value", "pk")
    assert [(row.player.name, round(row.value / UNIT), row.matches) for row in players if row.player] == [
        ("Asif Khan", 1618, 1),
        ("Bilal Shah", 1618, 1),
        ("Chand Rao", 1382, 1),
        ("Dev Patel", 1382, 1),
    ]


def test_a_level_match_between_equals_changes_nothing_but_the_spread() -> None:
    tournament = a_tournament()
    play(LEVEL)

    rate(tournament)

    assert values() == {ASIF: 1500, CHAND: 1500}
    assert {row.spread for row in CurrentRating.objects.filter(partnership__isnull=False)} == {483_954}


def test_rating_again_changes_nothing() -> None:
    tournament = a_tournament()
    play(WON)
    rate(tournament)
    kept = everything()

    again = rate(tournament)
    scoring.advance_collection(collection_id=tournament.collection_id)
    later = rate(tournament)

    assert (again, later, everything()) == (False, False, kept)


def test_a_task_that_comes_late_overwrites_nothing() -> None:
    tournament = a_tournament()
    play(WON)
    rate(tournament)
    kept = everything()

    rated = scoring.rate_collection(collection_id=tournament.collection_id, version=1, finished=[])

    assert (rated, everything()) == (False, kept)


def test_a_correction_rates_again_from_there_on() -> None:
    tournament = a_tournament()
    play(WON, number=1)
    play(WON, number=2, ew=ERUM)
    play(WON, number=3, ew=GITA)
    rate(tournament)
    first = everything()
    sheet = Scoresheet.objects.get(round="2")
    deal = Deal.objects.get(scoresheet=sheet, number=2)

    correct(sheet, 2, f'[Deal "2"]\n[Dealer "{deal.dealer}"]\n[Result "EW 7-0 court"]\n')
    assert rate(tournament)

    assert changes_of("1", everything()) == changes_of("1", first)
    assert everything() == rate_all_anew() != first


def test_a_late_import_of_an_earlier_evening_comes_before_what_is_rated() -> None:
    later = a_tournament("later")
    play(WON, slug="later", date="2026.11.29")
    rate(later)
    earlier = a_tournament("earlier", club_id=later.club_id)
    play(LOST, slug="earlier", date="2026.11.22")

    assert rate(earlier)

    order = RatingChange.objects.filter(partnership__isnull=False, number=1).values_list(
        "match__day", flat=True
    )
    assert {str(day) for day in order} == {"2026-11-22"}
    assert everything() == rate_all_anew()


def test_a_match_that_is_opened_again_is_not_rated() -> None:
    tournament = a_tournament()
    play(WON)
    rate(tournament)
    match = Match.objects.get(round__number=1, state="finished")

    matches.set_match_state(actor=SERVER, uid=match.uid, state="open", at=AT)
    assert rate(tournament)

    assert (values(), RatingChange.objects.count(), RatedMatch.objects.count()) == ({}, 0, 0)


def test_a_tournament_that_is_hidden_is_not_rated_and_shown_again_it_is() -> None:
    tournament = a_tournament()
    play(WON)
    rate(tournament)
    kept = everything()

    running.change_tournament(actor=SERVER, slug="rang", name="Rang", visibility="private", at=AT)
    rate(tournament)
    hidden = everything()
    running.change_tournament(actor=SERVER, slug="rang", name="Rang", visibility="public", at=AT)
    rate(tournament)

    assert (hidden, everything()) == ([], kept)


def test_open_and_void_matches_and_those_without_a_deal_that_counts_are_not_rated() -> None:
    tournament = a_tournament()
    upload(a_match(WON, round="1", table="1"), finish=False)
    upload(a_match(WON, round="1", table="2", ns=ERUM, ew=GITA))
    match = Match.objects.get(table="2", round__number=1)
    matches.set_match_state(actor=SERVER, uid=match.uid, state="void", at=AT)

    rate(tournament)

    assert everything() == []


def test_who_sat_in_is_rated_as_a_player_and_the_partnership_is_not() -> None:
    tournament = a_tournament()
    play(WON)
    sheet = Scoresheet.objects.get(deals_count__gt=0)
    guest = scoring.find_or_make_player(actor=SERVER, club_id=tournament.club_id, name="Zia Zircon", at=AT)
    assert sheet.north_id is not None
    scoring.seat_substitute(
        actor=SERVER, scoresheet_id=sheet.pk, absent_id=sheet.north_id, substitute_id=guest, played_all=True
    )

    rate(tournament)

    assert values() == {}
    assert CurrentRating.objects.get(player=guest).matches == 1
    assert not CurrentRating.objects.filter(player=sheet.north_id).exists()


ASIF_AGAIN = "Asif Kahn & Bilal Shah"


def two_who_are_one() -> tuple[Tournament, Tournament]:
    """Return two tournaments in which Asif played under two names, both rated."""
    one = a_tournament("one")
    play(WON, slug="one", date="2026.11.22")
    other = a_tournament("other", club_id=one.club_id)
    play(LOST, slug="other", date="2026.11.29", ns=ASIF_AGAIN, ew=ERUM)
    rate(one)
    rate(other)
    return one, other


def merge() -> UUID:
    kept, duplicate = (Player.objects.get(name=name) for name in ("Asif Khan", "Asif Kahn"))
    return scoring.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)


def test_who_is_merged_is_rated_as_one_from_the_first_match_on_and_as_two_again_when_it_is_undone() -> None:
    both = two_who_are_one()
    apart = everything()

    merged = merge()
    behind = ratings.sweep_ratings()
    for tournament in both:
        rate(tournament)
    together = everything()

    player = CurrentRating.objects.get(player__name="Asif Khan")
    pair = CurrentRating.objects.get(partnership__first__name="Asif Khan")
    assert (behind, player.matches, pair.matches) == (2, 2, 2)
    assert not CurrentRating.objects.filter(player__name="Asif Kahn").exists()
    assert together == rate_all_anew()

    scoring.undo_merge(actor=SERVER, request_uid=merged, reason="They are cousins.", at=AT)
    for tournament in reversed(both):
        rate(tournament)

    assert everything() == apart


def test_the_rating_of_a_merged_player_and_of_the_pair_is_that_of_the_one_person(client: Client) -> None:
    both = two_who_are_one()
    merge()
    for tournament in both:
        rate(tournament)

    people = [
        client.get(f"/api/v1/players/{Player.objects.get(name=name).uid}/rating").json()
        for name in ("Asif Khan", "Asif Kahn")
    ]
    pairs = [
        client.get(f"/api/v1/partnerships/{Partnership.objects.get(first__name=name).uid}/rating").json()
        for name in ("Asif Khan", "Asif Kahn")
    ]
    listed = client.get("/api/v1/clubs/lahore/ratings?of=players").json()["results"]

    assert people[0] == people[1]
    assert pairs[0] == pairs[1]
    assert [len(one["results"]) for one in (*people, *pairs)] == [2, 2, 2, 2]
    assert [line["player"]["name"] for line in listed if "Asif" in line["player"]["name"]] == ["Asif Khan"]


def test_a_pair_that_is_rated_under_a_merged_name_is_called_by_the_other(client: Client) -> None:
    tournament = a_tournament()
    play(WON, ns=ASIF_AGAIN)
    rate(tournament)
    kept = scoring.name_player(actor=SERVER, club="lahore", name="Asif Khan", at=AT)
    duplicate = Player.objects.get(name="Asif Kahn").uid
    scoring.merge_players(actor=SERVER, duplicate_uid=duplicate, kept_uid=kept, at=AT)
    rate(tournament)

    (first, _second) = client.get("/api/v1/clubs/lahore/ratings").json()["results"]
    page = client.get(f"/partnerships/{first['partnership']['id']}/").content.decode()

    assert first["partnership"]["name"] == ASIF
    assert "Asif Khan" in page


def test_the_sweep_finds_what_is_behind_and_nothing_else() -> None:
    tournament = a_tournament()
    play(WON)

    before = ratings.sweep_ratings()
    rate(tournament)

    assert (before, ratings.sweep_ratings()) == (1, 0)


def test_the_sweep_has_finished_matches_rated(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    a_tournament()
    play(WON)

    with django_capture_on_commit_callbacks(execute=True):
        ratings.sweep_ratings()

    assert values() == {ASIF: 1658, CHAND: 1342}


def test_the_story_of_a_rating_says_what_each_match_did() -> None:
    tournament = a_tournament()
    play(WON, number=1)
    play(LOST, number=2, ew=ERUM, ns=ASIF)
    rate(tournament)
    pair = Partnership.objects.get(first__name="Asif Khan")

    story = scoring_queries.rating_story(pair.uid, rated=scoring_queries.Rated.PARTNERSHIPS)

    assert story is not None
    told = [
        (one.number, one.theirs.name, one.result, one.expected, round(one.gain / UNIT))
        for one in story.changes
    ]
    assert told == [(1, CHAND, "won", 500, 158), (2, ERUM, "lost", 550, -165)]
    assert story.changes[1].before == story.changes[0].after
    assert story.now.value == round(story.changes[-1].after / UNIT)


@pytest.mark.parametrize("rounds", [1, 3])
def test_queries_do_not_grow_with_the_matches(
    django_assert_num_queries: DjangoAssertNumQueries, rounds: int
) -> None:
    tournament = a_tournament()
    for number, other in zip(range(rounds), (CHAND, ERUM, GITA), strict=False):
        play(WON, number=number + 1, ew=other)

    with django_assert_num_queries(30):
        rate(tournament)
    with django_assert_num_queries(2):
        rate(tournament)


# -- pages and the API


def a_rated_club(number: int = 1) -> Tournament:
    """Return a tournament of so many rounds, all won by the same pair, and rated."""
    tournament = a_tournament()
    for place in range(number):
        play(WON, number=place + 1, ew=(CHAND, ERUM, GITA)[place % 3])
    rate(tournament)
    return tournament


def test_the_page_of_a_club_has_provisional_ratings_apart(client: Client) -> None:
    a_rated_club(10)

    page = client.get("/clubs/lahore/ratings/").content.decode()

    established, provisional = page.split('id="provisional"')
    assert "Asif Khan" in established
    assert "Gita Garnet" not in established
    assert "Gita Garnet" in provisional
    assert "Asif Khan" not in provisional


def test_pages_of_pairs_and_players_show_what_each_match_did(client: Client) -> None:
    a_rated_club(2)
    pair = Partnership.objects.get(first__name="Asif Khan")

    for address in (f"/partnerships/{pair.uid}/", f"/players/{pair.first.uid}/"):
        page = client.get(address).content.decode()

        assert 'class="rating-chart"' in page
        assert page.count('data-label="Expected"') == 2


def test_who_has_no_rated_match_has_no_rating(client: Client) -> None:
    a_tournament()
    play(WON)
    pair = Partnership.objects.get(first__name="Asif Khan")

    page = client.get(f"/partnerships/{pair.uid}/")
    answer = client.get(f"/api/v1/partnerships/{pair.uid}/rating").json()
    club = client.get("/clubs/lahore/ratings/").content.decode()

    assert 'id="rating"' not in page.content.decode()
    assert answer == {"rating": None, "next": None, "previous": None, "results": []}
    assert "Nobody has ten rated matches yet" in club


def test_head_to_head_has_no_rating_since_that_is_of_all_matches(client: Client) -> None:
    a_rated_club(1)
    pair, other = (
        Partnership.objects.get(first__name="Asif Khan"),
        Partnership.objects.get(first__name="Chand Rao"),
    )
    for address in (f"/partnerships/{pair.uid}/", f"/players/{pair.first.uid}/"):
        pages = [client.get(f"{address}{asked}").content.decode() for asked in ("", f"?against={other.uid}")]

        assert ['id="rating"' in page for page in pages] == [True, False]


def test_the_api_lists_ratings_in_parts_with_an_etag(client: Client) -> None:
    a_rated_club(3)

    first = client.get("/api/v1/clubs/lahore/ratings?of=players&limit=5")
    second = client.get(first.json()["next"])
    again = client.get(
        "/api/v1/clubs/lahore/ratings?of=players&limit=5", headers={"If-None-Match": first["ETag"]}
    )

    lines = first.json()["results"] + second.json()["results"]
    assert len({line["player"]["id"] for line in lines}) == 8
    assert [line["rating"]["value"] for line in lines] == sorted(
        (line["rating"]["value"] for line in lines), reverse=True
    )
    assert again.status_code == HTTPStatus.NOT_MODIFIED


@pytest.mark.parametrize("of", ["players", "partnerships"])
def test_equals_stand_in_one_order_however_often_they_are_rated(client: Client, of: str) -> None:
    tournament = a_tournament()
    for number in (1, 2):
        play(LEVEL, number=number, date=f"2026.11.2{number}")
    rate(tournament)
    address = f"/api/v1/clubs/lahore/ratings?of={of}"
    before = client.get(address).json()

    # The first of them are made anew last.
    first = CurrentRating.objects.order_by("pk").filter(**{f"{of[:-1]}__isnull": False})[0]
    CurrentRating.objects.filter(pk=first.pk).delete()
    first.pk = None
    first.save(force_insert=True)

    assert client.get(address).json() == before
    assert len(before["results"]) > 1


def test_the_api_says_what_each_match_did_the_latest_first(client: Client) -> None:
    a_rated_club(2)
    pair = Partnership.objects.get(first__name="Asif Khan")

    answer = client.get(f"/api/v1/partnerships/{pair.uid}/rating?limit=1").json()

    line = answer["results"][0]
    assert answer["rating"]["matches"] == line["number"] == 2
    assert (line["result"], line["expected"], line["opponents"]["name"]) == ("won", 0.55, ERUM)
    assert client.get(answer["next"]).json()["results"][0]["before"] == 1500.0


@pytest.mark.parametrize(
    "address",
    [
        "/clubs/nowhere/ratings/",
        "/api/v1/clubs/nowhere/ratings",
        "/api/v1/players/00000000-0000-0000-0000-000000000000/rating",
        "/api/v1/partnerships/00000000-0000-0000-0000-000000000000/rating",
    ],
)
def test_what_is_not_there_has_no_ratings(client: Client, address: str) -> None:
    assert client.get(address).status_code == HTTPStatus.NOT_FOUND


def test_a_bad_parameter_of_ratings_is_named(client: Client) -> None:
    a_club()

    answer = client.get("/api/v1/clubs/lahore/ratings?of=cards&provisional=maybe&cursor=x")

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert set(answer.json()["errors"]) == {"of", "provisional"}


def test_what_was_just_hidden_is_left_out_before_it_is_rated_anew(client: Client) -> None:
    a_rated_club(1)
    pair = Partnership.objects.get(first__name="Asif Khan")
    running.change_tournament(actor=SERVER, slug="rang", name="Rang", visibility="private", at=AT)

    story = scoring_queries.rating_story(pair.uid, rated=scoring_queries.Rated.PARTNERSHIPS)

    assert story is not None
    assert story.changes == ()


@pytest.mark.parametrize("number", [1, 3])
def test_queries_of_reading_ratings(django_assert_num_queries: DjangoAssertNumQueries, number: int) -> None:
    a_rated_club(number)
    pair = Partnership.objects.get(first__name="Asif Khan")

    with django_assert_num_queries(3):
        scoring_queries.club_ratings("lahore", rated=scoring_queries.Rated.PARTNERSHIPS, actor=SERVER)
    with django_assert_num_queries(4):
        scoring_queries.rating_story(pair.uid, rated=scoring_queries.Rated.PARTNERSHIPS)


# -- the audit


def audit(tournament: Tournament) -> list[str]:
    """Return what differs."""
    return [found.what for found in auditing.audit_ratings(club_id=tournament.club_id)]


def test_ratings_that_follow_from_the_matches_are_no_difference() -> None:
    both = two_who_are_one()
    merge()
    for tournament in both:
        rate(tournament)

    assert audit(both[0]) == []


@pytest.mark.parametrize(
    ("table", "column", "found"),
    [
        (RatingChange, "after", "change 1 of the rating"),
        (RatingChange, "expected", "change 1 of the rating"),
        (CurrentRating, "value", "rating"),
        (CurrentRating, "matches", "rating"),
    ],
)
def test_a_rating_that_was_tampered_with_is_told(table: Any, column: str, found: str) -> None:
    tournament = a_rated_club()
    row = table.objects.filter(partnership__first__name="Asif Khan").get()
    table.objects.filter(pk=row.pk).update(**{column: 7})

    (difference,) = auditing.audit_ratings(club_id=tournament.club_id)

    assert difference.what == found
    assert f"partnership {row.partnership.uid}" in difference.where
    assert "7" in difference.stored


def test_a_match_that_is_rated_otherwise_than_it_was_played_is_told() -> None:
    tournament = a_rated_club()
    RatedMatch.objects.update(result=0)

    found = audit(tournament)

    # Its four players and two partnerships were rated by another result than the one that is kept.
    assert found == ["rated match", *["change 1 of the rating"] * 6, *["rating"] * 6]


def test_a_rating_of_somebody_who_played_nothing_and_one_that_is_missing_are_told() -> None:
    tournament = a_rated_club()
    gone = CurrentRating.objects.filter(player__name="Asif Khan").get()
    stranger = Player.objects.create(
        club_id=tournament.club_id, name="Hema Heron", search_key="hema heron", created_at=AT
    )
    CurrentRating.objects.filter(pk=gone.pk).update(player=stranger)

    found = auditing.audit_ratings(club_id=tournament.club_id)

    assert sorted((one.stored == "None", one.derived == "None") for one in found) == [
        (False, True),
        (True, False),
    ]


def test_ratings_that_are_behind_are_no_difference() -> None:
    tournament = a_rated_club()
    play(WON, number=2, ew=ERUM)

    assert audit(tournament) == []


def test_the_audit_covers_the_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    a_rated_club()
    CurrentRating.objects.filter(player__name="Asif Khan").update(value=7)

    with pytest.raises(CommandError):
        call_command("audit", "--local")

    assert ": rating: stored (7, " in capsys.readouterr().out
