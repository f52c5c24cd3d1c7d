"""A folder of files is taken in tournament by tournament, with the rows that every other way in makes."""

from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.forms.models import model_to_dict

from bench.history import DEALS_OF_A_MATCH, History, write_history
from courtpiece.accounts.permissions import SERVER
from courtpiece.notation import read
from scoring import operations
from scoring.auditing import audit_scoresheets, scoresheet_ids
from scoring.models import Deal, Player, Revision, Scoresheet
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_file, a_match, a_scheduled_tournament
from tournaments.errors import NothingUploaded
from tournaments.models import Standings, Tournament
from tournaments.operations.folders import import_folder

pytestmark = pytest.mark.django_db

SMALL = History(deals=400)
GOOD = a_match(["EW 7-5", "NS 7-4"], round="1", table="1")
BAD = a_match(["NS 8-4"], ns=ERUM, ew=GITA, round="1", table="2")


def put(folder: Path, path: str, *matches: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(a_file(*matches).content)


def called(folder: Path, *options: str) -> list[str]:
    out = StringIO()
    call_command("import_folder", str(folder), "--processes", "1", *options, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def history(tmp_path: Path) -> Path:
    write_history(SMALL, tmp_path)
    return tmp_path


def test_a_history_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    files, again = (write_history(SMALL, tmp_path / name) for name in ("one", "two"))

    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in again]
    assert sum(1 for path in files for _reading in read(path.read_bytes())) == SMALL.deals


def test_a_million_deals_are_of_five_thousand_players_in_four_hundred_tournaments() -> None:
    history = History()

    assert history.tournaments * history.deals_of_a_tournament == 1_000_000
    assert (history.tournaments, history.clubs, 2 * history.pairs * history.clubs) == (400, 8, 4_992)


def test_every_tournament_of_a_history_is_recorded_and_has_its_standings(history: Path) -> None:
    taken = list(import_folder(folder=history, at=AT, create=True))

    assert [(one.files.club, one.files.tournament, one.is_clean) for one in taken] == [
        ("club-1", "club-1-open-1", True),
        ("club-2", "club-2-open-1", True),
    ]
    assert Counter(Deal.objects.values_list("scoresheet__collection", flat=True)).total() == SMALL.deals
    assert audit_scoresheets(scoresheet_ids()) == ()
    for tournament in Tournament.objects.select_related("collection"):
        assert Standings.objects.get(tournament=tournament).version == tournament.collection.version


def test_the_same_again_writes_nothing(history: Path) -> None:
    list(import_folder(folder=history, at=AT, create=True))
    before = list(Revision.objects.order_by("pk").values())

    taken = list(import_folder(folder=history, at=AT))

    assert [one.report and one.report.wrote_nothing for one in taken] == [True, True]
    assert list(Revision.objects.order_by("pk").values()) == before


def test_records_taken_in_together_and_one_by_one_make_equal_rows(history: Path) -> None:
    (path,) = history.glob("club-1/*.pcn")
    list(import_folder(folder=history, at=AT, create=True))
    together = list(Scoresheet.objects.filter(club__slug="club-1").order_by("pk")[:2])

    alone = [as_one_by_one(sheet, path) for sheet in together]

    assert [deals_of(sheet) for sheet in alone] == [deals_of(sheet) for sheet in together]
    assert [revisions_of(sheet) for sheet in alone] == [revisions_of(sheet) for sheet in together]
    assert [totals_of(sheet) for sheet in alone] == [totals_of(sheet) for sheet in together]


def as_one_by_one(sheet: Scoresheet, path: Path) -> Scoresheet:
    """Record a scoresheet like that one, deal by deal, from the same file."""
    pairs = [
        operations.Pair(partnership, players)
        for partnership, players in (
            (sheet.ns_id or 0, (sheet.north_id or 0, sheet.south_id or 0)),
            (sheet.ew_id or 0, (sheet.east_id or 0, sheet.west_id or 0)),
        )
    ]
    facts = {name: getattr(sheet, name) for name in ("rules", "event", "site", "date", "round", "table")}
    (pk,) = operations.create_scoresheets(
        actor=SERVER,
        club_id=sheet.club_id or 0,
        sheets=[operations.NewScoresheet(ns=pairs[0], ew=pairs[1], source=path.name, **facts)],
        at=AT,
    )
    for reading in read(path.read_bytes()):
        record = reading.record
        assert record is not None
        if (record.round, record.table) == (sheet.round, sheet.table):
            operations.record_deal(
                actor=SERVER,
                scoresheet_id=pk,
                text=reading.text,
                operation_id=uuid4(),
                at=AT,
                file=path.name,
            )
    return Scoresheet.objects.get(pk=pk)


def deals_of(sheet: Scoresheet) -> list[dict[str, Any]]:
    rows = list(Deal.objects.filter(scoresheet=sheet).order_by("number"))
    assert len(rows) == DEALS_OF_A_MATCH
    return [told(row, "id", "uid", "scoresheet") for row in rows]


def revisions_of(sheet: Scoresheet) -> list[dict[str, Any]]:
    """Return the revisions without what is different in a text of one record: where its problems stand."""
    rows = Revision.objects.filter(deal__scoresheet=sheet).order_by("deal__number")
    return [
        {
            **told(row, "id", "deal", "operation", "problems"),
            "problems": [problem["code"] for problem in row.problems],
        }
        for row in rows
    ]


def totals_of(sheet: Scoresheet) -> dict[str, Any]:
    """Return the scoresheet without its collection, and how many writes there were."""
    return told(sheet, "id", "uid", "collection", "version")


def told(row: Any, *unlike: str) -> dict[str, Any]:
    return {name: value for name, value in model_to_dict(row).items() if name not in unlike}


def test_a_line_for_each_tournament_says_what_became_of_it(tmp_path: Path) -> None:
    put(tmp_path, "lahore/rang.pcn", GOOD)
    put(tmp_path, "lahore/cup/evening.pcn", GOOD)

    lines = called(tmp_path, "--create")

    assert [line.partition(" (")[0] for line in lines[:-1]] == [
        "1 of 2: lahore/cup: 2 deals recorded, 0 were there before",
        "2 of 2: lahore/rang: 2 deals recorded, 0 were there before",
    ]
    assert lines[-1].startswith("4 deals recorded in ")
    assert lines[-1].endswith(" s, 0 of 2 tournaments not taken whole")
    assert Player.objects.count() == 4


def test_a_fault_is_told_by_file_and_line_and_only_its_scoresheet_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "lahore/cup.pcn", BAD, GOOD)
    out = StringIO()

    with pytest.raises(CommandError) as caught:
        call_command("import_folder", str(tmp_path), "--create", "--processes", "1", stdout=out)

    fault = next(line for line in out.getvalue().splitlines() if "cup.pcn:" in line)
    assert caught.value.returncode == 1
    assert fault.split(": ")[:2] == ["    cup.pcn:10:10", "record 1"]
    assert "1 of 1 tournaments not taken whole" in out.getvalue()
    assert Scoresheet.objects.get().deals_count == 2


def test_a_tournament_that_cannot_be_taken_leaves_the_others_alone(tmp_path: Path) -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club("goa").pk, slug="cup")
    put(tmp_path, "delhi/cup.pcn", GOOD)
    put(tmp_path, "goa/rang.pcn", GOOD)

    delhi, goa = import_folder(folder=tmp_path, at=AT, create=True)

    assert (delhi.report, delhi.error) == (None, "Another club has a tournament with this address.")
    assert goa.is_clean
    assert Deal.objects.count() == 2


def test_without_create_a_missing_club_is_told_and_nothing_is_made(tmp_path: Path) -> None:
    put(tmp_path, "goa/cup.pcn", GOOD)

    (goa,) = import_folder(folder=tmp_path, at=AT)

    assert (goa.report, goa.error) == (None, "There is no club “goa”.")
    assert not Tournament.objects.exists()


def test_a_folder_without_such_files_is_told(tmp_path: Path) -> None:
    (tmp_path / "evening.pcn").write_bytes(a_file(GOOD).content)

    with pytest.raises(NothingUploaded):
        list(import_folder(folder=tmp_path, at=AT))
    with pytest.raises(CommandError, match="There is no file CLUB/TOURNAMENT"):
        called(tmp_path)
