"""Rows that are copied are the rows that Django would have inserted."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from django.db.models import Model
from django.forms.models import model_to_dict

from scoring import bulk
from scoring.figures import DERIVED_COLUMNS
from scoring.models import Deal, Operation, Player, Revision, SideFigures
from tests.scoring.builders import AT, a_club, a_full_record, a_record, a_sheet, a_sheet_with

pytestmark = pytest.mark.django_db

ODD = "tab\tback\\slash \"quote\" 'and' \n line ٹیب \\N \\."


def test_odd_text_comes_back_as_it_was() -> None:
    club = a_club()

    bulk.insert(Player, [Player(club=club, name=ODD, search_key=ODD, created_at=AT)])

    player = Player.objects.get()
    assert (player.name, player.search_key, player.created_at) == (ODD, ODD, AT)
    assert (player.user_id, player.anonymised_at) == (None, None)


def test_rows_get_their_ids_in_order() -> None:
    club = a_club()
    rows = [Player(club=club, name=f"Player {n}", search_key="", created_at=AT) for n in range(5)]

    bulk.insert(Player, rows)

    assert [Player.objects.get(pk=row.pk).name for row in rows] == [row.name for row in rows]
    assert Player.objects.create(club=club, name="Next", search_key="", created_at=AT).pk > rows[-1].pk


def test_nothing_is_nothing() -> None:
    bulk.insert(Player, [])

    assert not Player.objects.exists()


@pytest.mark.parametrize("count", [1, 20])
def test_rows_given_by_their_columns_get_the_defaults_of_the_others(count: int) -> None:
    club = a_club()
    rows = [(club.pk, f"Player {n}", "", AT) for n in range(count)]

    ids = bulk.insert_values(Player, ("club_id", "name", "search_key", "created_at"), rows)

    players = Player.objects.in_bulk(ids)
    assert [players[pk].name for pk in ids] == [f"Player {n}" for n in range(count)]
    assert {player.anonymised_at for player in players.values()} == {None}
    assert len({player.uid for player in players.values()}) == count


@pytest.mark.parametrize("count", [0, 1, 20])
def test_columns_of_many_rows_are_set_at_once(count: int) -> None:
    club = a_club()
    rows = [Player(club=club, name=f"Player {n}", search_key="", created_at=AT) for n in range(21)]
    bulk.insert(Player, rows)

    bulk.update_many(
        Player, {row.pk: {"name": f"{row.name} too", "anonymised_at": AT} for row in rows[:count]}
    )

    changed = Player.objects.filter(anonymised_at=AT).order_by("pk")
    assert list(changed.values_list("name", flat=True)) == [f"Player {n} too" for n in range(count)]
    assert Player.objects.exclude(name__endswith="too").count() == 21 - count


@pytest.mark.parametrize(
    ("sign", "offered", "stands"),
    [("<", 4, 5), ("<", 5, 5), ("<", 6, 6), ("<=", 4, 5), ("<=", 5, 5), ("<=", 6, 6)],
)
def test_a_row_takes_the_place_of_an_older_one_only(sign: str, offered: int, stands: int) -> None:
    sheet = a_sheet(a_club())
    saved = []
    for deals in (5, offered):
        counted = dict.fromkeys(DERIVED_COLUMNS[2:], deals)
        rows = [SideFigures(scoresheet=sheet, side=side, recorded_at=AT, **counted) for side in ("NS", "EW")]
        saved.append(bulk.upsert(SideFigures, rows, unique=("scoresheet_id", "side"), over=("deals", sign)))

    assert saved[0] == 2
    assert saved[1] == (2 if offered > 5 or (offered == 5 and sign == "<=") else 0)
    assert list(SideFigures.objects.values_list("courts_for", flat=True)) == [stands, stands]


def test_the_columns_that_are_named_are_changed_and_no_others_and_no_other_row() -> None:
    club = a_club()
    bulk.insert(
        Player, [Player(club=club, name=name, search_key="", created_at=AT) for name in ("One", "Two")]
    )
    one = Player.objects.get(name="One")

    bulk.update(Player, one.pk, {"name": ODD, "anonymised_at": AT})

    found = Player.objects.order_by("pk").values_list("name", "search_key", "anonymised_at")
    assert list(found) == [(ODD, "", AT), ("Two", "", None)]


@pytest.mark.postgres
@pytest.mark.parametrize("model", [Operation, Deal, Revision])
def test_a_copied_row_is_an_inserted_row(
    model: type[Operation] | type[Deal] | type[Revision], monkeypatch: pytest.MonkeyPatch
) -> None:
    a_sheet_with(a_club("copied"), [a_full_record(1), a_record(3)])
    monkeypatch.setattr(bulk, "_copy", _insert_by_django)
    a_sheet_with(a_club("inserted"), [a_full_record(1), a_record(3)])

    rows = [_told(row) for row in model.objects.order_by("pk")]

    half = len(rows) // 2
    assert rows[:half] == rows[half:]


def _insert_by_django(model: type[Model], names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    model._default_manager.bulk_create(model(**dict(zip(names, row, strict=True))) for row in rows)


def _told(row: Operation | Deal | Revision) -> dict[str, object]:
    """Return the row without what no two rows share."""
    unlike = {"id", "uid", "scoresheet", "deal", "operation", "answer", "fingerprint"}
    return {name: value for name, value in model_to_dict(row).items() if name not in unlike}
