"""Rows that are copied are the rows that Django would have inserted."""

import pytest
from django.forms.models import model_to_dict

from scoring import bulk
from scoring.models import Deal, Operation, Player, Revision
from tests.scoring.builders import AT, a_club, a_full_record, a_record, a_sheet_with

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


@pytest.mark.postgres
@pytest.mark.parametrize("model", [Operation, Deal, Revision])
def test_a_copied_row_is_an_inserted_row(
    model: type[Operation] | type[Deal] | type[Revision], monkeypatch: pytest.MonkeyPatch
) -> None:
    a_sheet_with(a_club("copied"), [a_full_record(1), a_record(3)])
    monkeypatch.setattr(bulk, "_copy", lambda model, rows: model.objects.bulk_create(rows))
    a_sheet_with(a_club("inserted"), [a_full_record(1), a_record(3)])

    rows = [_told(row) for row in model.objects.order_by("pk")]

    half = len(rows) // 2
    assert rows[:half] == rows[half:]


def _told(row: Operation | Deal | Revision) -> dict[str, object]:
    """Return the row without what no two rows share."""
    unlike = {"id", "uid", "scoresheet", "deal", "operation", "answer", "fingerprint"}
    return {name: value for name, value in model_to_dict(row).items() if name not in unlike}
