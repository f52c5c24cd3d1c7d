"""Triggers by which the database itself refuses writes, whoever sends them: the site, a shell, raw SQL.

Migrations set them. PostgreSQL has them fire for each row, so that emptying whole tables, as its tests do, is
still the owner's right; SQLite has no such right, and there they refuse that too: to empty a site, delete its file.

SQLite rebuilds a table to alter it. That drops the table's own triggers, and stops at those of other tables that
read it. A migration that alters a table which is guarded, or read by a guard, stands between :func:`lifted` and
:func:`guarded`; a test compares what is declared with what the database has.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PREFIX: Final = "guard_"
"""What the names of these triggers begin with."""
OLD: Final = "OLD"
NEW: Final = "NEW"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What is refused in a table.

    ``{row}`` in ``when`` stands for the row as it was or as it would be. ``columns`` are those that an update may
    not set; empty: any.
    """

    name: str
    table: str
    events: tuple[str, ...]
    message: str
    when: str = ""
    """SQL that is true where it is refused; empty: always."""
    columns: tuple[str, ...] = ()

    @property
    def triggers(self) -> tuple[str, ...]:
        """The names of its triggers."""
        return tuple(f"{PREFIX}{self.name}_{event.lower()}" for event in self.events)


def append_only(table: str, *, key: str = "id", unique: Sequence[str] = ()) -> tuple[Guard, ...]:
    """Return what keeps the rows of a table as they were written.

    ``key`` and ``unique`` name the columns by which SQLite's ``INSERT OR REPLACE`` could take a row away without
    an update or a delete.
    """
    same = f"kept.{key} = {{row}}.{key}"
    if unique:
        same += " OR (" + " AND ".join(f"kept.{name} = {{row}}.{name}" for name in unique) + ")"
    message = f"{table}: rows are added, never changed or removed"
    return (
        Guard(name=f"{table}_kept", table=table, events=("UPDATE", "DELETE"), message=message),
        Guard(
            name=f"{table}_new",
            table=table,
            events=("INSERT",),
            message=message,
            when=f"EXISTS (SELECT 1 FROM {table} kept WHERE {same})",  # noqa: S608 - names of a migration
        ),
    )


def locked(
    table: str, when: str, *, message: str, columns: Iterable[str] = (), only: Sequence[str] = ()
) -> Guard:
    """Return what refuses to write rows for which ``when`` is true.

    An update may still set other columns than ``columns``, where these are given; ``only`` are the events.
    """
    return Guard(
        name=f"{table}_locked",
        table=table,
        events=tuple(only) or ("INSERT", "UPDATE", "DELETE"),
        message=f"{table}: {message}",
        when=when,
        columns=tuple(columns),
    )


def guarded(guards: Iterable[Guard]) -> migrations.RunPython:
    """Return the migration's step that sets the guards; set before, they are set anew."""
    kept = tuple(guards)

    def forwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        _run(schema_editor, (*_lifting(schema_editor, kept), *_setting(schema_editor, kept)))

    def backwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        _run(schema_editor, _lifting(schema_editor, kept))

    return migrations.RunPython(forwards, backwards)


def lifted(guards: Iterable[Guard]) -> migrations.RunPython:
    """Return the migration's step that takes the guards away; :func:`guarded` stands after what it is for."""
    kept = tuple(guards)

    def forwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        _run(schema_editor, _lifting(schema_editor, kept))

    def backwards(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        _run(schema_editor, (*_lifting(schema_editor, kept), *_setting(schema_editor, kept)))

    return migrations.RunPython(forwards, backwards)


def _run(schema_editor: BaseDatabaseSchemaEditor, statements: Iterable[str]) -> None:
    for statement in statements:
        schema_editor.execute(statement, params=None)


def _lifting(schema_editor: BaseDatabaseSchemaEditor, guards: Iterable[Guard]) -> Iterator[str]:
    on_table = schema_editor.connection.vendor == "postgresql"
    for guard in guards:
        for trigger in guard.triggers:
            yield f"DROP TRIGGER IF EXISTS {trigger}" + (f" ON {guard.table}" if on_table else "")


def _setting(schema_editor: BaseDatabaseSchemaEditor, guards: Iterable[Guard]) -> Iterator[str]:
    write = _on_postgresql if schema_editor.connection.vendor == "postgresql" else _on_sqlite
    for guard in guards:
        yield from write(guard)


def _event(guard: Guard, event: str) -> str:
    """Return when the trigger fires, as both databases write it."""
    of = f" OF {', '.join(guard.columns)}" if event == "UPDATE" and guard.columns else ""
    return f"BEFORE {event}{of} ON {guard.table} FOR EACH ROW"


def _rows(event: str) -> tuple[str, ...]:
    return {"INSERT": (NEW,), "DELETE": (OLD,)}.get(event, (OLD, NEW))


def _condition(guard: Guard, event: str) -> str:
    return " OR ".join(f"({guard.when.format(row=row)})" for row in _rows(event)) if guard.when else ""


def _on_sqlite(guard: Guard) -> Iterator[str]:
    for event, trigger in zip(guard.events, guard.triggers, strict=True):
        condition = _condition(guard, event)
        when = f" WHEN {condition}" if condition else ""
        yield (
            f"CREATE TRIGGER {trigger} {_event(guard, event)}{when} "
            f"BEGIN SELECT RAISE(ABORT, '{guard.message}'); END"
        )


def _on_postgresql(guard: Guard) -> Iterator[str]:
    for event, trigger in zip(guard.events, guard.triggers, strict=True):
        condition = _condition(guard, event) or "TRUE"
        yield (
            f"CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF {condition} THEN RAISE EXCEPTION USING MESSAGE = '{guard.message}', "
            "ERRCODE = 'integrity_constraint_violation'; END IF; "
            f"RETURN {OLD if event == 'DELETE' else NEW}; END $$"
        )
        yield f"CREATE TRIGGER {trigger} {_event(guard, event)} EXECUTE FUNCTION {trigger}()"
