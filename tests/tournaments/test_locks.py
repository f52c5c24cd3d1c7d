"""What the database itself refuses, whoever writes: past every operation, in bulk, in raw SQL."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone

from courtpiece.accounts.guards import PREFIX, Guard
from courtpiece.accounts.models import AuditEntry
from courtpiece.accounts.permissions import SERVER
from scoring.models import Collection, Deal, Operation, Revision, Scoresheet
from scoring.models import Ruling as DealRuling
from tests.accounts.builders import AT, a_club
from tests.scoring.builders import player_at
from tests.tournaments.builders import ASIF, CHAND, a_match, a_scheduled_tournament, upload
from tournaments.models import (
    Absence,
    Act,
    AppealStep,
    Bye,
    Draft,
    Entry,
    Match,
    PastRegulations,
    Round,
    RoundClock,
    Ruling,
    Session,
    Substitution,
    Tournament,
    Wish,
)
from tournaments.operations import appeals, closing, rulings
from tournaments.operations.decisions import CancelCourt, Penalise
from tournaments.operations.rulings import NewRuling

pytestmark = pytest.mark.django_db

THEN = AT + timedelta(hours=1)
GUARDS_SAY = (
    "never changed or removed",
    "it is final",
    "its tournament is final",
    "its collection is locked",
)


def an_evening() -> Tournament:
    """Make a match with a row in every table that is kept."""
    tournament = a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    upload(a_match(["NS 7-0 court", "NS 7-4"], round="1", table="1"))
    deal = Deal.objects.get(number=1)
    rule(CancelCourt(deal=deal.uid, base_revision=1))
    number = rule(Penalise(entry=1, version=0, penalty=1))
    appeals.lodge_appeal(actor=SERVER, slug="rang", ruling=number, entry=1, reason="no", at=AT)
    appeals.decide_appeal(actor=SERVER, slug="rang", ruling=number, outcome="dismissed", reason="no", at=AT)
    PastRegulations.objects.create(
        tournament=tournament,
        version=1,
        rules="court-piece",
        points={},
        reason="once",
        changed_at=AT,
    )
    first, second = Entry.objects.order_by("number")
    row = Round.objects.get()
    Absence.objects.create(entry=first, round_number=7, kind="absent")
    Wish.objects.create(
        tournament=tournament, kind="apart", first=first, second=second, reason="x", made_at=AT
    )
    RoundClock.objects.get_or_create(round=row, defaults={"length": 60})
    sheet = Scoresheet.objects.get()
    Substitution.objects.create(
        match=Match.objects.get(),
        absent=player_at(sheet, "north"),
        substitute=player_at(sheet, "east"),
        reason="ill",
        made_at=AT,
    )
    return tournament


def rule(decision: Any) -> int:
    new = NewRuling(decision=decision, reason="as seen")
    return rulings.make_ruling(actor=SERVER, slug="rang", new=new, at=AT, act_id=uuid4())


def finish() -> None:
    closing.close_for_results(actor=SERVER, slug="rang", at=AT)
    closing.make_official(actor=SERVER, slug="rang", at=THEN)
    closing.make_final(actor=SERVER, slug="rang", at=THEN)


def is_refused(write: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            write()
    except IntegrityError as error:
        return any(words in str(error) for words in GUARDS_SAY)
    return False


def raw(sql: str) -> Callable[[], object]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)

    return run


KEPT = [
    (AuditEntry, "what", "id"),
    (Operation, "fingerprint", "id"),
    (Revision, "reason", "id"),
    (DealRuling, "reason", "revision_id"),
    (Ruling, "reason", "id"),
    (AppealStep, "reason", "id"),
    (Act, "what", "id"),
    (PastRegulations, "reason", "id"),
]


@pytest.mark.parametrize(("model", "column", "key"), KEPT)
def test_what_is_append_only_is_neither_changed_nor_removed_by_raw_sql(
    model: Any, column: str, key: str
) -> None:
    an_evening()
    table = model._meta.db_table
    before = list(model.objects.order_by("pk").values())
    assert before

    assert is_refused(raw(f"UPDATE {table} SET {column} = 'else'"))
    assert is_refused(raw(f"DELETE FROM {table}"))

    assert list(model.objects.order_by("pk").values()) == before


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite replaces rows without deleting them")
@pytest.mark.parametrize(("model", "column", "key"), KEPT)
def test_nor_is_it_replaced(model: Any, column: str, key: str) -> None:
    an_evening()
    table = model._meta.db_table

    assert is_refused(raw(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}"))


def writes() -> dict[str, list[Callable[[], object]]]:
    """Return for each table that is locked with a final tournament an insert, an update and a delete."""
    tournament = Tournament.objects.get()
    first, second = Entry.objects.order_by("number")
    match, row, sheet = Match.objects.get(), Round.objects.get(), Scoresheet.objects.get()
    deal = Deal.objects.get(number=1)
    operation = Operation.objects.order_by("pk")[0]
    revision = Revision.objects.order_by("pk")[0]
    fields = {
        name: getattr(sheet, name) for name in ("club", "ns", "ew", "north", "south", "east", "west", "rules")
    }
    copy: dict[Any, Callable[[], object]] = {
        Scoresheet: lambda: Scoresheet.objects.create(collection=sheet.collection, created_at=AT, **fields),
        Deal: lambda: Deal.objects.bulk_create(
            [
                Deal(
                    scoresheet=sheet,
                    number=9,
                    kind="record",
                    level="result",
                    dealer="N",
                    award="void",
                    counts=False,
                )
            ]
        ),
        Operation: lambda: Operation.objects.create(
            scoresheet=sheet, kind="record", fingerprint="x", answer={}, made_at=AT
        ),
        Revision: lambda: Revision.objects.create(
            deal=deal,
            number=9,
            kind="record",
            operation=operation,
            pcn="",
            finding={},
            award="void",
            made_via="page",
            made_at=AT,
        ),
        DealRuling: lambda: DealRuling.objects.create(revision=revision, reason="x"),
        Session: lambda: Session.objects.create(tournament=tournament, number=9),
        Entry: lambda: Entry.objects.bulk_create(
            [Entry(tournament=tournament, number=9, partnership=first.partnership)], ignore_conflicts=False
        ),
        Absence: lambda: Absence.objects.create(entry=first, round_number=9, kind="absent"),
        Wish: lambda: Wish.objects.create(
            tournament=tournament, kind="apart", first=first, second=second, reason="y", made_at=AT
        ),
        Round: lambda: Round.objects.create(tournament=tournament, session=row.session, number=9),
        Match: lambda: Match.objects.create(round=row, table="9", ns=second, ew=first, scoresheet=sheet),
        Bye: lambda: Bye.objects.create(round=row, entry=first),
        Draft: lambda: Draft.objects.create(
            tournament=tournament, number=9, drawn_on=1, seed=1, draw={}, drawn={}, made_at=AT
        ),
        RoundClock: lambda: RoundClock.objects.create(round=row, length=1),
        Substitution: lambda: Substitution.objects.create(
            match=match,
            absent=player_at(sheet, "south"),
            substitute=player_at(sheet, "east"),
            reason="x",
            made_at=AT,
        ),
        Ruling: lambda: Ruling.objects.create(
            tournament=tournament, number=9, kind="penalty", reason="x", made_at=AT
        ),
        AppealStep: lambda: AppealStep.objects.create(
            ruling=Ruling.objects.get(number=1), number=9, kind="lodged", reason="x", made_at=AT
        ),
        PastRegulations: lambda: PastRegulations.objects.create(
            tournament=tournament, version=9, rules="x", points={}, reason="x", changed_at=AT
        ),
    }
    changed = {
        "tournaments_tournament": "rules = 'double-sir'",
        "scoring_scoresheet": "event = 'else'",
        "scoring_deal": "winner = 'EW'",
        "tournaments_session": "number = number + 5",
        "tournaments_entry": "penalty = 0",
        "tournaments_absence": "round_number = 3",
        "tournaments_wish": "reason = 'else'",
        "tournaments_round": "state = 'published'",
        "tournaments_match": "state = 'open'",
        "tournaments_roundclock": "length = 5",
        "tournaments_substitution": "reason = 'else'",
    }
    found: dict[str, list[Callable[[], object]]] = {
        model._meta.db_table: [insert] for model, insert in copy.items()
    }
    for table, setting in changed.items():
        found.setdefault(table, []).append(raw(f"UPDATE {table} SET {setting}"))
        found[table].append(raw(f"DELETE FROM {table}"))
    return found


def test_what_is_final_refuses_each_kind_of_write_to_each_table() -> None:
    an_evening()
    finish()

    taken = [table for table, some in writes().items() for write in some if not is_refused(write)]

    assert taken == []
    with pytest.raises(IntegrityError, match="its tournament is final"):
        Match.objects.update(state="open")


def test_it_refuses_because_it_is_final_and_for_nothing_else() -> None:
    an_evening()
    finish()
    closing.reopen_tournament(actor=SERVER, slug="rang", reason="a slip was found", at=THEN)

    Scoresheet.objects.update(event="else")
    Deal.objects.update(winner=F("winner"))
    Match.objects.update(state="finished")
    Round.objects.update(state="published")
    Entry.objects.update(penalty=0)
    Session.objects.update(place="hall")
    Tournament.objects.update(tiebreaks=[])
    Absence.objects.all().delete()
    Wish.objects.all().delete()
    RoundClock.objects.all().delete()
    Substitution.objects.all().delete()

    assert Match.objects.get().state == "finished"


def test_another_tournament_is_not_locked_with_it() -> None:
    an_evening()
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club("goa").pk, slug="goa")
    finish()

    Entry.objects.filter(tournament__slug="goa").update(seed=1)
    Scoresheet.objects.filter(club__slug="goa").update(event="else")

    assert Scoresheet.objects.filter(event="else").count() == 1


def test_a_scoresheet_does_not_move_into_what_is_locked_or_out_of_it() -> None:
    an_evening()
    other = a_scheduled_tournament(ASIF, CHAND, club_id=a_club("goa").pk, slug="goa")
    finish()
    own = Tournament.objects.get(slug="rang").collection_id

    assert is_refused(
        lambda: Scoresheet.objects.filter(collection=own).update(collection=other.collection_id)
    )
    assert is_refused(
        lambda: Scoresheet.objects.filter(collection=other.collection_id).update(collection=own)
    )


def test_versions_visibility_and_standings_stay_writable() -> None:
    tournament = an_evening()
    finish()

    Collection.objects.update(version=F("version") + 1)
    Scoresheet.objects.update(visibility="private")
    Tournament.objects.update(name="Else", visibility="private")
    Act.objects.create(tournament=tournament, what="x", fingerprint="x", made_at=timezone.now())

    assert Scoresheet.objects.get().visibility == "private"


def declared() -> list[Guard]:
    from importlib import import_module

    modules = (
        "courtpiece.accounts.migrations.0002_audit_entries_are_kept",
        "scoring.migrations.0006_cards_shown_late",
        "scoring.migrations.0009_events_of_collections",
        "tournaments.migrations.0003_what_is_final_is_kept",
        "tournaments.migrations.0007_confirmations",
    )
    return [guard for name in modules for guard in import_module(name).GUARDS]


def test_every_guard_that_was_declared_is_there_after_all_migrations() -> None:
    here = [guard for guard in declared() if connection.vendor == "sqlite" or not guard.is_for_sqlite]
    names = {trigger for guard in here for trigger in guard.triggers}
    table = (
        "sqlite_master WHERE type = 'trigger' AND name"
        if connection.vendor == "sqlite"
        else "pg_trigger WHERE tgname"
    )
    column = "name" if connection.vendor == "sqlite" else "tgname"

    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table} LIKE '{PREFIX}%'")
        found = {name for (name,) in cursor.fetchall()}

    assert names <= found


def test_a_guard_that_lets_some_columns_be_set_names_all_the_others() -> None:
    (sheets,) = (guard for guard in declared() if guard.name == "scoring_scoresheet_locked")
    columns = {field.column for field in Scoresheet._meta.concrete_fields}

    assert columns - {name.strip('"') for name in sheets.columns} == {"visibility", "cards_delay"}
