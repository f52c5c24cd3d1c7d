"""Triggers by which the database itself refuses writes, whoever sends them: the site, a shell, raw SQL.

Migrations set them. PostgreSQL leaves emptying whole tables, as its tests do, to the owner; SQLite has no such right,
and there they refuse that too: to empty a site, delete its file.

Deals are written in great number. So PostgreSQL looks at what is inserted there once for each statement, not for each
row, and always by the keys of what stands above: a plan that was made while the tables were empty would read them from
end to end when they are full. What only ``INSERT OR REPLACE`` could do is refused on SQLite alone, which has it.

SQLite rebuilds a table to alter it. That drops the table's own triggers, and stops at those of other tables that
read it. A migration that alters a table which is guarded, or read by a guard, stands between :func:`lifted` and
:func:`guarded`; or it adds its column by :class:`AddFieldUnderGuards`, where an app above may have guards that read
it. A test compares what is declared with what the database has.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState

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
    is_for_sqlite: bool = False
    """Whether no other database has what is refused."""
    is_of_many: bool = False
    """Whether rows of the table are inserted in great number: PostgreSQL then looks at them once a statement."""

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
            is_for_sqlite=True,
        ),
    )


def locked(
    table: str,
    when: str,
    *,
    message: str,
    columns: Iterable[str] = (),
    only: Sequence[str] = (),
    is_of_many: bool = False,
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
        is_of_many=is_of_many,
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


class AddFieldUnderGuards(migrations.AddField):
    """Adds a column to a table that guards ask, of this app or of another.

    For a new column SQLite makes the table anew, and refuses to while a trigger names the one that is gone: all that
    name it are set aside meanwhile, whosever they are.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Add it."""
        with _set_aside(schema_editor, f"{app_label}_{self.model_name_lower}"):
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Take it away."""
        with _set_aside(schema_editor, f"{app_label}_{self.model_name_lower}"):
            super().database_backwards(app_label, schema_editor, from_state, to_state)


@contextmanager
def _set_aside(schema_editor: BaseDatabaseSchemaEditor, table: str) -> Iterator[None]:
    found: list[tuple[str, str]] = []
    if schema_editor.connection.vendor == "sqlite":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            found = [(name, sql) for name, sql in cursor.fetchall() if re.search(rf"\b{table}\b", sql)]
    _run(schema_editor, [f"DROP TRIGGER {name}" for name, _sql in found])
    yield
    _run(schema_editor, [sql for _name, sql in found])


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
    if guard.is_for_sqlite:
        return
    for event, trigger in zip(guard.events, guard.triggers, strict=True):
        if event == "INSERT" and guard.is_of_many:
            yield from _on_insert(guard, trigger)
            continue
        condition = _condition(guard, event) or "TRUE"
        yield _function(guard, trigger, condition, answer=OLD if event == "DELETE" else NEW)
        yield f"CREATE TRIGGER {trigger} {_event(guard, event)} EXECUTE FUNCTION {trigger}()"


_BY_KEYS: Final = "SET enable_seqscan TO off SET enable_hashjoin TO off SET enable_mergejoin TO off"


def _on_insert(guard: Guard, trigger: str) -> Iterator[str]:
    """Yield what looks at all rows of a statement at once, at each of them by itself: CASE keeps them from a join."""
    condition = guard.when.format(row="added") or "TRUE"
    any_row = f"EXISTS (SELECT 1 FROM added WHERE CASE WHEN {condition} THEN TRUE ELSE FALSE END)"  # noqa: S608 - names of a migration
    yield _function(guard, trigger, any_row, answer="NULL", settings=_BY_KEYS)
    yield (
        f"CREATE TRIGGER {trigger} AFTER INSERT ON {guard.table} REFERENCING NEW TABLE AS added "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {trigger}()"
    )


def _function(guard: Guard, trigger: str, condition: str, *, answer: str, settings: str = "") -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql {settings} AS $$ BEGIN "
        f"IF {condition} THEN RAISE EXCEPTION USING MESSAGE = '{guard.message}', "
        f"ERRCODE = 'integrity_constraint_violation'; END IF; RETURN {answer}; END $$"
    )
