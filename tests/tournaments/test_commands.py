"""The commands: what they print, and how they end."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from courtpiece.accounts.permissions import ANONYMOUS
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import (
    ASIF,
    CHAND,
    ERUM,
    GITA,
    a_file,
    a_match,
    a_scheduled_tournament,
    upload,
    whole_page,
)
from tournaments.models import Match, Standings, Status, Tournament
from tournaments.operations import standings

pytestmark = pytest.mark.django_db

GOOD = a_match(["EW 7-5", "NS 7-4"], round="1", table="1")


def called(*arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, **options)
    return out.getvalue()


def a_path(folder: Path, *matches: str, name: str = "evening.pcn") -> Path:
    path = folder / name
    path.write_bytes(a_file(*matches).content)
    return path


def test_import_prints_what_became_of_each_scoresheet(tmp_path: Path) -> None:
    printed = called("import_pcn", a_path(tmp_path, GOOD), club="lahore", tournament="rang", create=True)

    assert printed.splitlines()[:2] == ["club made: lahore", "tournament made: rang"]
    assert printed.splitlines()[-2:] == [
        f"recorded: round 1, table 1, {ASIF} – {CHAND}: 2 deals recorded, 0 were there before",
        "2 deals recorded, 0 were there before, 0 of 1 scoresheets left out",
    ]


def test_import_computes_the_standings_too_for_there_may_be_no_worker(tmp_path: Path) -> None:
    called("import_pcn", a_path(tmp_path, GOOD), club="lahore", tournament="rang", create=True)

    tournament = Tournament.objects.get()
    assert Standings.objects.get().version == tournament.collection.version


def test_import_of_the_same_again_says_so(tmp_path: Path) -> None:
    path = a_path(tmp_path, GOOD)
    called("import_pcn", path, club="lahore", tournament="rang", create=True)

    printed = called("import_pcn", path, club="lahore", tournament="rang")

    assert "duplicate: round 1, table 1" in printed
    assert "0 deals recorded, 2 were there before" in printed


def test_import_with_a_bad_record_prints_its_place_and_fails(tmp_path: Path) -> None:
    bad = a_match(["NS 8-4"], ns=ERUM, ew=GITA, round="1", table="2")
    out = StringIO()

    with pytest.raises(CommandError) as caught:
        call_command(
            "import_pcn",
            a_path(tmp_path, GOOD, bad),
            club="lahore",
            tournament="rang",
            create=True,
            stdout=out,
        )

    assert caught.value.returncode == 1
    assert "  evening.pcn:28:10: record 3: error: result-mismatch:" in out.getvalue()
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("club", "tournament", "words"),
    [
        ("nobody", "rang", "There is no club “nobody”. With --create"),
        ("lahore", "nothing", "There is no tournament “nothing”. With --create"),
    ],
)
def test_import_into_nothing_fails_in_a_sentence(
    tmp_path: Path, club: str, tournament: str, words: str
) -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)

    with pytest.raises(CommandError, match=words):
        called("import_pcn", a_path(tmp_path, GOOD), club=club, tournament=tournament)


def test_import_into_a_final_tournament_fails_in_a_sentence(tmp_path: Path) -> None:
    called("import_pcn", a_path(tmp_path, GOOD), club="lahore", tournament="rang", create=True)
    Tournament.objects.update(status=Status.FINAL)

    with pytest.raises(CommandError, match="are final, so nothing of it is changed any more"):
        called("import_pcn", a_path(tmp_path, GOOD), club="lahore", tournament="rang", create=True)


def test_import_of_a_file_that_is_not_there_fails_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        called("import_pcn", tmp_path / "none.pcn", club="lahore", tournament="rang", create=True)


def test_the_audit_finds_nothing_where_nothing_is_wrong() -> None:
    tournament = a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    upload(GOOD)
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)

    assert called("audit", local=True).startswith("no difference")
    with override_settings(CELERY_BROKER_URL="redis://localhost/", CELERY_TASK_ALWAYS_EAGER=True):
        assert called("audit").startswith("no difference")


def test_the_audit_says_how_far_it_is_beside_what_it_finds() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    upload(GOOD)
    err = StringIO()

    called("audit", local=True, stderr=err)

    assert err.getvalue().startswith("1 of 1 scoresheets, about 2 deals, in 0 s: ")


def test_the_audit_finds_a_changed_total_and_changed_standings() -> None:
    tournament = a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    upload(GOOD)
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)
    stored = Standings.objects.get()
    stored.table["rows"][0]["rank"] = 9
    stored.save()
    sheet = Match.objects.get().scoresheet
    type(sheet).objects.filter(pk=sheet.pk).update(courts_ns=5)
    out = StringIO()

    with pytest.raises(CommandError) as caught:
        call_command("audit", local=True, stdout=out)

    lines = out.getvalue().splitlines()
    assert caught.value.returncode == 1
    assert f"scoresheet {sheet.uid}: courts_ns: stored 5, derived 0" in lines
    assert "standings of rang at version 3, entry 1: rank: stored 9, derived 1" in lines


def test_the_demonstration_is_made_once_and_its_password_shown_once() -> None:
    first = called("demo")
    versions = list(Standings.objects.order_by("pk").values_list("tournament__slug", "version"))

    again = called("demo")

    assert "The password is shown this once." in first
    assert "password" not in again
    assert list(Standings.objects.order_by("pk").values_list("tournament__slug", "version")) == versions
    assert [slug for slug, _version in versions] == [
        "gulmohar-evening",
        "gulmohar-swiss",
        "monsoon-round-robin",
        "verandah-challenge",
    ]


def test_the_demonstration_has_matches_over_going_on_and_to_come_and_every_award() -> None:
    called("demo")

    evening, league, challenge = (
        whole_page(slug, actor=ANONYMOUS)
        for slug in ("gulmohar-evening", "monsoon-round-robin", "verandah-challenge")
    )

    assert evening.front.matches == {"scheduled": 40, "finished": 40, "open": 0, "void": 0}
    assert {line.deal.award for line in evening.awards.lines} == {"bavney", "goon-court", "court", "revoke"}
    assert league.front.matches == {"scheduled": 15, "finished": 7, "open": 8, "void": 0}
    assert [match.result.deals > 0 for match in league.shown[2].matches] == [True, True, False]
    assert (challenge.front.matches["finished"], challenge.standings.answer["status"]) == (1, "final")
    assert all(page.standings.answer["current"] for page in (evening, league, challenge))
