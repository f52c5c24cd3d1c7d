"""A tournament out into an archive, and in again on a site that has nothing."""

import json
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from courtpiece.accounts.models import AuditEntry, Club, Role
from courtpiece.accounts.permissions import ANONYMOUS, SERVER
from scoring.models import Collection, Deal, Partnership, Player, Revision, Scoresheet
from scoring.operations import ArchivedPersonElsewhere, anonymise_player
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments import drawn
from tests.tournaments.archives import (
    LATER,
    a_cup_with_everything,
    archive_of,
    changed,
    empty_the_site,
    take_in,
)
from tests.tournaments.builders import ASIF, CHAND, a_scheduled_tournament
from tournaments import queries
from tournaments.domain.archive_file import ArchiveFault
from tournaments.domain.archive_schema import archive_schema
from tournaments.domain.archive_verifying import Verified, verify
from tournaments.domain.steps import NextStep
from tournaments.errors import ArchivedHere, ArchiveRefused, ArchiveTooLarge, CardsHeldBack, SlugTaken
from tournaments.models import Match, Round, Status, Tournament
from tournaments.operations.archives import write_archive
from tournaments.operations.closing import close_for_results, make_final, make_official
from tournaments.operations.standings import bring_up_to_date

pytestmark = pytest.mark.django_db

SCHEMA: Final = Path(__file__).parents[2] / "docs" / "archive.schema.json"
MOST_ROUNDS: Final = 5
"""Where the winner stays there are always more."""


def verified(archive: bytes) -> Verified:
    return verify(BytesIO(archive), most_bytes=len(archive))


# -- every format


def play(format: str, pairs: int, **plan: Any) -> tuple[int, int]:  # noqa: A002 - the word of the design
    """Play a tournament of that format, the lower numbers the winners; return how many rounds and matches it had."""
    tournament = drawn.a_tournament(format, pairs, **plan)
    while Round.objects.count() < MOST_ROUNDS:
        _state, ahead = queries.ahead_of(queries.load_state(tournament))
        if ahead.step in {NextStep.DRAW, NextStep.NEXT_SESSION}:
            drawn.a_round()
        matches = list(Match.objects.filter(state="open").select_related("ns", "ew", "scoresheet"))
        if not matches:
            break
        for match in matches:
            drawn.finish(match)
    return Round.objects.count(), Match.objects.count()


@pytest.mark.parametrize(
    ("format", "pairs", "plan", "played"),
    [
        ("single", 2, {}, (1, 1)),
        ("round-robin", 3, {}, (3, 3)),
        ("swiss", 5, {"rounds": 2}, (2, 4)),
        ("knockout", 3, {"third_place": True}, (2, 2)),
        ("groups-knockout", 4, {"groups": 2, "qualifiers": 1}, (2, 3)),
        ("league", 4, {"sessions": 2, "rounds": 1}, (2, 4)),
        ("winner-stays", 3, {}, (5, 5)),
    ],
)
def test_every_format_comes_back_as_it_was(
    format: str,  # noqa: A002 - the word of the design
    pairs: int,
    plan: dict[str, object],
    played: tuple[int, int],
) -> None:
    assert play(format, pairs, **plan) == played
    archive = archive_of("cup")

    empty_the_site()
    take_in(archive)

    assert verified(archive).differences == ()
    assert archive_of("cup") == archive


def test_everything_comes_back_as_it_was() -> None:
    a_cup_with_everything()
    archive = archive_of("cup")

    found = verified(archive)
    empty_the_site()
    taken = take_in(archive)

    assert found.differences == ()
    assert (taken.entries, taken.matches, taken.deals, taken.revisions) == (5, 4, 6, 9)
    assert archive_of("cup") == archive


def test_a_pair_comes_back_in_the_order_in_which_it_was_named() -> None:
    # Players are made in the order of their names, pairs are told as they were first named.
    a_scheduled_tournament("Zahid Zaman & Asif Khan", CHAND, slug="cup", club_id=a_club().pk)
    bring_up_to_date(slug="cup", now=AT)
    archive = archive_of("cup")

    found = verified(archive)
    empty_the_site()
    take_in(archive)

    assert found.differences == ()
    assert [(row.first.name, row.second.name) for row in Partnership.objects.order_by("pk")] == [
        ("Zahid Zaman", "Asif Khan"),
        ("Chand Rao", "Dev Patel"),
    ]
    assert archive_of("cup") == archive


def test_a_pair_is_of_two_players() -> None:
    a_scheduled_tournament(ASIF, CHAND, slug="cup", club_id=a_club().pk)
    bring_up_to_date(slug="cup", now=AT)

    def make_one_of_two(whole: dict[str, Any]) -> None:
        pair = whole["partnerships"][0]
        pair["players"] = [pair["players"][0]] * 2

    found = verified(changed(archive_of("cup"), make_one_of_two))

    assert "the same one twice" in {difference.stored for difference in found.differences}


def test_what_is_final_is_final_again_and_nobody_can_write_to_it() -> None:
    drawn.a_tournament("single", 2)
    drawn.finish_all(drawn.a_round())
    Tournament.objects.update(appeal_minutes=0)
    close_for_results(actor=SERVER, slug="cup", at=AT)
    make_official(actor=SERVER, slug="cup", at=LATER)
    make_final(actor=SERVER, slug="cup", at=LATER)
    archive = archive_of("cup")

    empty_the_site()
    take_in(archive)

    assert Tournament.objects.get().status == Status.FINAL
    assert Tournament.objects.get().collection.is_locked
    assert archive_of("cup") == archive


def pages() -> Iterator[str]:
    """Yield the addresses of what everybody reads of the cup."""
    yield from (f"/tournaments/cup/{part}" for part in ("", "standings/", "standings/?round=1", "rulings/"))
    yield from (f"/tournaments/cup/{part}" for part in ("entries/", "ranks/", "entries/1/"))
    yield from (
        f"/scoresheets/{uid}/" for uid in Scoresheet.objects.order_by("pk").values_list("uid", flat=True)
    )
    yield from (f"/deals/{uid}/" for uid in Deal.objects.order_by("pk").values_list("uid", flat=True))
    yield from (
        f"/api/v1/{part}" for part in ("tournaments/cup", "matches/", "rounds/", "sessions/", "deals/")
    )


def shown() -> dict[str, bytes]:
    bring_up_to_date(slug="cup", now=LATER)
    client = a_browser()
    answers = {address: client.get(address) for address in pages()}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {address: answer.content for address, answer in answers.items()}


def test_the_pages_are_the_same_that_they_were() -> None:
    a_cup_with_everything()
    before = shown()
    archive = archive_of("cup")

    empty_the_site()
    take_in(archive)

    after = shown()
    assert [address for address in before if after.get(address) != before[address]] == []
    assert set(after) == set(before)


def test_the_same_state_gives_the_same_bytes_to_everybody() -> None:
    director = a_cup_with_everything()

    bring_up_to_date(slug="cup", now=AT)
    first = archive_of("cup", actor=ANONYMOUS)
    bring_up_to_date(slug="cup", now=LATER)

    assert archive_of("cup", actor=director) == first


def test_it_has_nothing_that_is_not_for_everybody() -> None:
    director = a_cup_with_everything()
    user = as_actor(a_user("Zia"))
    Tournament.objects.get().entries.filter(number=1).update(note="we share a car", rating=1700)

    text = archive_of("cup", actor=director).decode()

    assert user.user_id != director.user_id
    for secret in ("@example.org", "car", 'rating":1700', "Zia", "link_secret", "fingerprint", "device"):
        assert secret not in text
    assert '"made_by":"Dina"' in text


def test_a_name_that_was_taken_away_is_in_no_archive() -> None:
    play("single", 2)
    gone = Player.objects.order_by("pk")[0]
    anonymise_player(actor=SERVER, player_id=gone.pk, at=AT)
    archive = archive_of("cup")

    empty_the_site()
    take_in(archive)

    assert "Player 1A" not in archive.decode()
    assert Player.objects.get(uid=gone.uid).anonymised_at == LATER
    assert archive_of("cup") == archive


def test_while_cards_are_kept_from_spectators_they_get_no_archive_and_scorers_get_it_whole() -> None:
    director = a_cup_with_everything()
    Tournament.objects.update(live_delay=30)
    Collection.objects.update(cards_delay=timedelta(minutes=30))

    with pytest.raises(CardsHeldBack, match="Ask again after"):
        write_archive(slug="cup", actor=ANONYMOUS, file=BytesIO(), now=AT)

    file = BytesIO()
    write_archive(slug="cup", actor=director, file=file, now=AT)
    assert file.getvalue() == archive_of("cup", actor=ANONYMOUS)


def test_the_published_schema_is_the_one_that_archives_are_by() -> None:
    a_cup_with_everything()
    whole = json.loads(archive_of("cup"))

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))

    assert schema == archive_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(whole, schema)


def test_a_larger_tournament_asks_the_database_as_often() -> None:
    drawn.a_tournament("round-robin", 4)
    drawn.finish_all(drawn.a_round())
    with CaptureQueriesContext(connection) as small:
        archive_of("cup")
    drawn.finish_all(drawn.a_round())
    drawn.finish_all(drawn.a_round())

    with CaptureQueriesContext(connection) as large:
        archive_of("cup")

    assert len(large) == len(small) <= 40


# -- what stands against taking it in


def test_the_same_archive_is_taken_in_once() -> None:
    play("single", 2)
    archive = archive_of("cup")

    with pytest.raises(ArchivedHere, match="on this site already, at /tournaments/cup/"):
        take_in(archive)

    assert Tournament.objects.count() == 1


def test_an_address_that_another_tournament_has_is_refused() -> None:
    play("single", 2)
    archive = archive_of("cup")
    empty_the_site()
    a_scheduled_tournament(ASIF, CHAND, club_id=Club.objects.get().pk, slug="cup")

    with pytest.raises(SlugTaken, match="has the address “cup”"):
        take_in(archive)


def test_parts_that_are_here_under_another_address_are_refused() -> None:
    play("single", 2)
    archive = archive_of("cup")
    Tournament.objects.update(slug="bowl")

    with pytest.raises(ArchivedHere, match="under another address"):
        take_in(archive)


def test_whom_the_club_knows_by_the_id_is_the_same_and_keeps_the_name_that_it_has_here() -> None:
    play("single", 2)
    archive = archive_of("cup")
    known = {row.uid: row.pk for row in Player.objects.all()}
    Tournament.objects.update(slug="bowl")
    other = json.loads(archive)
    empty_the_site()
    uid = other["players"][0]["id"]
    club = Club.objects.get()
    here = Player.objects.create(uid=uid, club=club, name="A. Renamed", search_key="a renamed", created_at=AT)

    take_in(archive)

    assert len(known) == Player.objects.count() == 4
    assert Partnership.objects.filter(first=here).count() == 1
    assert Player.objects.get(uid=uid).name == "A. Renamed"


@pytest.mark.parametrize("elsewhere", [False, True])
def test_somebody_who_cannot_be_told_from_another_is_named_and_nothing_is_written(*, elsewhere: bool) -> None:
    play("single", 2)
    archive = archive_of("cup")
    uid = json.loads(archive)["players"][0]["id"]
    empty_the_site()
    if elsewhere:
        Player.objects.create(uid=uid, club=a_club("far"), name="X", search_key="x", created_at=AT)
    else:
        club = Club.objects.get(slug="lahore")
        Player.objects.create(club=club, name="Player 1A", search_key="player 1a", created_at=AT)

    with pytest.raises(ArchivedPersonElsewhere, match=uid):
        take_in(archive)

    assert (Tournament.objects.count(), Player.objects.count(), Scoresheet.objects.count()) == (0, 1, 0)


def test_it_is_written_down_who_took_it_in() -> None:
    play("single", 2)
    archive = archive_of("cup")
    empty_the_site()
    user = a_user("Dina")
    user.memberships.create(club=Club.objects.get(), role=Role.DIRECTOR, created_at=AT)

    take_in(archive, actor=as_actor(user))

    entry = AuditEntry.objects.get(what="tournament-imported")
    assert (entry.user, entry.detail["tournament"], entry.detail["from"]) == (user, "cup", "lahore")
    assert Revision.objects.exclude(made_by=None).count() == 0


def test_one_that_is_cut_short_is_refused_with_the_line() -> None:
    play("single", 2)
    archive = archive_of("cup")
    lines = archive.splitlines(keepends=True)

    for length in (1, 10, len(lines) - 1):
        with pytest.raises(ArchiveRefused, match=f"Line {length + 1}: the archive ends in the middle"):
            take_in(b"".join(lines[:length]))
    with pytest.raises(ArchiveRefused, match="no archive of a tournament"):
        take_in(b"")


def test_one_of_a_newer_format_is_refused_before_anything_else() -> None:
    a_club()

    with pytest.raises(ArchiveRefused, match="has format 2; this site reads 1"):
        take_in(b'{"format":2,"all":"else is other"}\n')


def test_one_that_is_too_large_is_refused() -> None:
    play("single", 2)
    archive = archive_of("cup")

    with pytest.raises(ArchiveTooLarge, match="larger than is taken here"):
        take_in(archive, most_bytes=len(archive) - 1)


def test_one_that_was_formatted_is_refused() -> None:
    play("single", 2)
    whole = json.loads(archive_of("cup"))

    with pytest.raises(ArchiveRefused, match="no archive of a tournament"):
        take_in(json.dumps(whole, indent=1).encode())


@pytest.mark.parametrize("place", range(0, 100, 7))
def test_no_byte_of_it_can_be_another(place: int) -> None:
    play("single", 2)
    archive = bytearray(archive_of("cup"))

    at = len(archive) * place // 100
    archive[at] = archive[at] ^ 1

    with pytest.raises(ArchiveFault):
        verified(bytes(archive))


# -- every kind of value, changed on purpose and sealed again


WITNESSED_ONLY: Final = frozenset(
    [
        "club.city",
        "club.country",
        "club.name",
        "club.slug",
        "entries[].joined_round",
        "entries[].seed",
        "players[].anonymised",
        "rounds[].clock.added",
        "rounds[].clock.ended_at",
        "rounds[].clock.length",
        "rounds[].clock.ran",
        "rounds[].clock.started_at",
        "rounds[].closed_at",
        "rounds[].id",
        "rounds[].label",
        "rounds[].matches[].drawn.alternatives[].entry",
        "rounds[].matches[].drawn.first",
        "rounds[].matches[].drawn.scores[]",
        "rounds[].matches[].finished_at",
        "rounds[].matches[].first_dealer",
        "rounds[].matches[].name",
        "rounds[].matches[].substitutions[].made_at",
        "rounds[].matches[].substitutions[].reason",
        "rounds[].matches[].table",
        "rounds[].name",
        "rounds[].published_at",
        "rounds[].seed",
        "rulings[].appeal[].entry",
        "rulings[].appeal[].made_at",
        "rulings[].appeal[].reason",
        "rulings[].appeal_until",
        "rulings[].decided.after.withdrawn_after",
        "rulings[].decided.before.withdrawn_after",
        "rulings[].effect.deals[].after.courts_ew",
        "rulings[].effect.deals[].after.courts_ns",
        "rulings[].effect.deals[].after.run_ew",
        "rulings[].effect.deals[].after.run_ns",
        "rulings[].effect.deals[].after.total_ew",
        "rulings[].effect.deals[].after.total_ns",
        "rulings[].effect.deals[].after.tricks_ew",
        "rulings[].effect.deals[].after.tricks_ns",
        "rulings[].effect.deals[].after.winner",
        "rulings[].effect.deals[].before.courts_ew",
        "rulings[].effect.deals[].before.courts_ns",
        "rulings[].effect.deals[].before.run_ew",
        "rulings[].effect.deals[].before.run_ns",
        "rulings[].effect.deals[].before.total_ew",
        "rulings[].effect.deals[].before.total_ns",
        "rulings[].effect.deals[].before.tricks_ew",
        "rulings[].effect.deals[].before.tricks_ns",
        "rulings[].effect.deals[].before.winner",
        "rulings[].effect.deals[].number",
        "rulings[].effect.later[].ew",
        "rulings[].effect.later[].round",
        "rulings[].effect.later[].table",
        "rulings[].effect.match.after_ew",
        "rulings[].effect.match.after_ns",
        "rulings[].effect.match.before_ew",
        "rulings[].effect.match.before_ns",
        "rulings[].effect.ranks[].after_courts[]",
        "rulings[].effect.ranks[].after_penalty",
        "rulings[].effect.ranks[].after_points",
        "rulings[].effect.ranks[].after_rank",
        "rulings[].effect.ranks[].before_courts[]",
        "rulings[].effect.ranks[].before_penalty",
        "rulings[].effect.ranks[].before_points",
        "rulings[].effect.ranks[].before_rank",
        "rulings[].effect.ranks[].entry",
        "rulings[].id",
        "rulings[].law",
        "rulings[].made_at",
        "rulings[].reason",
        "scoresheets[].created_at",
        "scoresheets[].deals[].id",
        "scoresheets[].deals[].problems[].message",
        "scoresheets[].deals[].revisions[].made_at",
        "scoresheets[].deals[].revisions[].made_by",
        "scoresheets[].deals[].revisions[].problems[].code",
        "scoresheets[].deals[].revisions[].problems[].column",
        "scoresheets[].deals[].revisions[].problems[].file",
        "scoresheets[].deals[].revisions[].problems[].line",
        "scoresheets[].deals[].revisions[].problems[].message",
        "scoresheets[].deals[].revisions[].problems[].record",
        "scoresheets[].deals[].revisions[].reason",
        "scoresheets[].deals[].revisions[].ruling.law",
        "scoresheets[].deals[].revisions[].ruling.reason",
        "scoresheets[].deals[].revisions[].source",
        "scoresheets[].event",
        "scoresheets[].round",
        "scoresheets[].site",
        "scoresheets[].source",
        "scoresheets[].table",
        "scoresheets[].version",
        "sessions[].id",
        "sessions[].place",
        "tournament.appeal_minutes",
        "tournament.appeals_until",
        "tournament.confirmation",
        "tournament.created_at",
        "tournament.link_hours",
        "tournament.live_delay",
        "tournament.past_rules[].changed_at",
        "tournament.past_rules[].points.bye",
        "tournament.past_rules[].points.draw",
        "tournament.past_rules[].points.loss",
        "tournament.past_rules[].points.win",
        "tournament.past_rules[].reason",
        "tournament.plan.rounds",
        "tournament.players_may_enter",
        "tournament.seeding.drawn_from",
    ]
)
"""What nothing else in an archive tells: there only the seal speaks against a change."""


def kinds(value: Any, place: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield each kind of plain value with the way to the first of it."""
    seen: set[str] = set()

    def walk(one: Any, name: str, way: list[Any]) -> Iterator[tuple[str, list[Any]]]:
        if isinstance(one, dict):
            for key, part in one.items():
                yield from walk(part, f"{name}.{key}" if name else key, [*way, key])
        elif isinstance(one, list):
            for number, part in enumerate(one):
                yield from walk(part, f"{name}[]", [*way, number])
        elif name not in seen and one is not None:
            seen.add(name)
            yield name, way

    yield from walk(value, place, [])


def other(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    choices = {"NS": "EW", "EW": "NS", "N": "S", "E": "W", "S": "N", "W": "E"}
    if value in choices:
        return choices[value]
    if value.endswith("Z") and value[:4].isdigit():
        return f"1999{value[4:]}"
    if len(value) == 36 and value.count("-") == 4:
        return f"{value[:-1]}{'0' if value[-1] != '0' else '1'}"
    return f"{value}x"


def change_at(whole: dict[str, Any], way: list[Any]) -> None:
    *before, last = way
    place: Any = whole
    for step in before:
        place = place[step]
    place[last] = other(place[last])


def is_noticed(archive: bytes) -> bool:
    try:
        return not verified(archive).agrees
    except ArchiveFault:
        return True


def test_whatever_is_changed_is_noticed_but_what_only_the_archive_knows() -> None:
    a_cup_with_everything()
    archive = archive_of("cup")
    unnoticed = {
        name
        for name, way in kinds(json.loads(archive))
        if name not in {"sha256", "scoresheets[].sha256"}
        and not is_noticed(changed(archive, partial(change_at, way=way)))
    }

    assert sorted(unnoticed ^ WITNESSED_ONLY) == []


def test_what_is_only_told_comes_back_as_it_was_told() -> None:
    a_cup_with_everything()
    archive = archive_of("cup")
    ways = [way for name, way in kinds(json.loads(archive)) if name in WITNESSED_ONLY - OF_THE_CLUB]

    def change(whole: dict[str, Any]) -> None:
        for way in ways:
            change_at(whole, way)

    told = changed(archive, change)
    empty_the_site()
    take_in(told)

    assert archive_of("cup") == told


OF_THE_CLUB: Final = frozenset({"club.slug", "club.name", "club.city", "club.country"})
"""What the site says for itself of the club that it is taken into."""
