"""Rows in great number, saved at once; or few, and then with as little ado as can be.

On PostgreSQL many are copied, which takes a third of the time that Django's inserts do. A few are inserted by one
statement, whose text is soon made: a copy of one row is five messages there and back, and on a machine that has much to
do each of them waits for its turn. Elsewhere Django inserts them.
"""

# ruff: noqa: SLF001 - that is how Django names what its documentation describes

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, TypeVar

import orjson
from django.db import connection, models

M = TypeVar("M", bound=models.Model)
Field = models.Field[Any, Any]

FEW: Final = 8
"""Rows up to which one statement inserts them."""


def insert(model: type[M], rows: Sequence[M]) -> None:
    """Save new rows, in the caller's transaction, and give those without one their id."""
    if not rows:
        return
    if connection.vendor != "postgresql":
        model._default_manager.bulk_create(rows)
        return
    if len(rows) <= FEW:
        _insert(model, rows)
    else:
        for row, number in zip(rows, _new_ids(model, len(rows)), strict=True):
            row.pk = number if row.pk is None else row.pk
        names = [field.attname for field in model._meta.concrete_fields]
        columns = itemgetter(*names)
        _copy(model, names, (columns(row.__dict__) for row in rows))
    for row in rows:
        row._state.adding = False
        row._state.db = connection.alias


def insert_numbers(
    model: type[models.Model], names: Sequence[str], rows: Sequence[tuple[int | None, ...]]
) -> None:
    """Save new rows of nothing but numbers, in the caller's transaction, by the columns with these names.

    For very many: no instances are made, which takes more than half of the time, and no ids are given back.
    """
    columns = ", ".join(map(_quoted, names))
    table = _quoted(model._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            places = ", ".join(["%s"] * len(names))
            sql = f"INSERT INTO {table} ({columns}) VALUES ({places})"  # noqa: S608 - names of our own tables
            cursor.executemany(sql, rows)
            return
        with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def insert_values(model: type[M], names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Save new rows by the values of their columns, in the caller's transaction, and return their ids in order.

    The key is not among the columns; what else they leave out has its default. Where many are copied, this takes a
    third of the time that it takes to make models of them first.
    """
    if connection.vendor != "postgresql" or len(rows) <= FEW:
        made = [model(**dict(zip(names, row, strict=True))) for row in rows]
        insert(model, made)
        return [row.pk for row in made]
    key = model._meta.pk
    left_out = [
        field for field in model._meta.concrete_fields if field is not key and field.attname not in names
    ]
    ids = _new_ids(model, len(rows))
    _copy(
        model,
        [key.attname, *names, *(field.attname for field in left_out)],
        (
            (number, *row, *[field.get_default() for field in left_out])
            for number, row in zip(ids, rows, strict=True)
        ),
    )
    return ids


def _insert(model: type[M], rows: Sequence[M]) -> None:
    key = model._meta.pk
    takes_key = isinstance(key, models.AutoField | models.BigAutoField)
    fields = _fields_to_insert(model)
    sql = f"{_insertion(model, fields, len(rows))} RETURNING {_names([key])}"
    values = [value for row in rows for value in _values(row, fields)]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        if takes_key:
            for row, (number,) in zip(rows, cursor.fetchall(), strict=True):
                row.pk = number


def upsert(
    model: type[M], rows: Sequence[M], *, unique: tuple[str, ...], over: tuple[str, str] | None = None
) -> int:
    """Save rows whose ids nobody needs, in the caller's transaction: new ones, and others in place of what stands.

    ``unique`` names the columns by which one stands already. ``over`` is a column with ``<`` or ``<=``: a row stands
    that has not less in it, or more. Returns how many were saved. One statement, whose text is kept; give some hundreds
    of rows at most.
    """
    if not rows:
        return 0
    fields = _fields_to_insert(model)
    with connection.cursor() as cursor:
        cursor.execute(
            _upsert_text(model, len(rows), unique, over),
            [value for row in rows for value in _values(row, fields)],
        )
        return int(cursor.rowcount)


def _fields_to_insert(model: type[models.Model]) -> list[Field]:
    """Return the fields but a key that the database numbers."""
    return [
        field
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField | models.BigAutoField)
    ]


@lru_cache(maxsize=128)
def _upsert_text(
    model: type[models.Model], count: int, unique: tuple[str, ...], over: tuple[str, str] | None
) -> str:
    fields = _fields_to_insert(model)
    columns = [_quoted(str(field.column)) for field in fields if field.column not in unique]
    news = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns)
    keys = ", ".join(map(_quoted, unique))
    text = f"{_insertion(model, fields, count)} ON CONFLICT ({keys}) DO UPDATE SET {news}"
    if over is None:
        return text
    column, sign = over
    return f"{text} WHERE {_quoted(model._meta.db_table)}.{_quoted(column)} {sign} EXCLUDED.{_quoted(column)}"


def _insertion(model: type[models.Model], fields: Sequence[Field], rows: int) -> str:
    places = ", ".join(["(" + ", ".join(["%s"] * len(fields)) + ")"] * rows)
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({_names(fields)}) VALUES {places}"  # noqa: S608 - names of our own tables


def _names(fields: Iterable[Field]) -> str:
    return ", ".join(_quoted(str(field.column)) for field in fields)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _values(row: models.Model, fields: Iterable[Field]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


def update(model: type[M], key: int, columns: Mapping[str, Any]) -> None:
    """Change the row with this key, by the names of its fields. One statement, whose text is soon made."""
    fields: list[Any] = [model._meta.get_field(name) for name in columns]
    values = [
        field.get_db_prep_save(value, connection)
        for field, value in zip(fields, columns.values(), strict=True)
    ]
    places = ", ".join(f"{_quoted(str(field.column))} = %s" for field in fields)
    sql = f"UPDATE {_quoted(model._meta.db_table)} SET {places} WHERE {_names([model._meta.pk])} = %s"  # noqa: S608 - names of our own tables
    with connection.cursor() as cursor:
        cursor.execute(sql, [*values, key])


def update_many(model: type[M], rows: Mapping[int, Mapping[str, Any]]) -> None:
    """Change rows by their keys, the same columns of all. On PostgreSQL many are changed by one statement."""
    if connection.vendor == "postgresql" and len(rows) > 1:
        _update_at_once(model, rows)
        return
    for key, columns in rows.items():
        update(model, key, columns)


def _update_at_once(model: type[M], rows: Mapping[int, Mapping[str, Any]]) -> None:
    key: Any = model._meta.pk
    fields: list[Any] = [key, *(model._meta.get_field(name) for name in next(iter(rows.values())))]
    typed = ", ".join(f"%s::{field.rel_db_type(connection)}" for field in fields)
    plain = ", ".join(["%s"] * len(fields))
    values = [
        field.get_db_prep_save(value, connection)
        for number, columns in rows.items()
        for field, value in zip(fields, (number, *columns.values()), strict=True)
    ]
    table, names = _quoted(model._meta.db_table), [_quoted(str(field.column)) for field in fields]
    setting = ", ".join(f"{name} = new.{name}" for name in names[1:])
    places = ", ".join([f"({typed})", *[f"({plain})"] * (len(rows) - 1)])
    source = f"(VALUES {places}) AS new ({', '.join(names)})"
    sql = f"UPDATE {table} SET {setting} FROM {source} WHERE {table}.{names[0]} = new.{names[0]}"  # noqa: S608 - names of our own tables
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def _copy(model: type[M], names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Copy rows of the columns with these names of fields."""
    fields: list[Field] = [model._meta.get_field(name) for name in names]  # type: ignore[misc]
    writers = [(place, write) for place, field in enumerate(fields) if (write := _writer(field)) is not None]
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(f"COPY {_quoted(model._meta.db_table)} ({_names(fields)}) FROM STDIN") as copy,
    ):
        for row in rows:
            values = list(row)
            for place, write in writers:
                values[place] = write(values[place])
            copy.write_row(values)


def _new_ids(model: type[M], count: int) -> list[int | None]:
    """Take ids for rows from the table's own sequence; None where it has none, and they have theirs."""
    key = model._meta.pk
    if not isinstance(key, models.AutoField | models.BigAutoField):
        return [None] * count
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(%s::regclass) FROM generate_series(1, %s)", [_sequence(model, cursor), count]
        )
        return [number for (number,) in cursor.fetchall()]


def _sequence(model: type[models.Model], cursor: Any) -> str:
    """Return the name of the sequence of the model's ids; asked for once, and not again for each id."""
    name = _SEQUENCES.get(model)
    if name is None:
        key: Any = model._meta.pk
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [_quoted(model._meta.db_table), key.column])
        (name,) = cursor.fetchone()
        _SEQUENCES[model] = name
    return name


_SEQUENCES: Final[dict[type[models.Model], str]] = {}


def _writer(field: Field) -> Callable[[Any], Any] | None:
    """Return what makes of a field's value what is copied; None where it is copied as it is."""
    if isinstance(field, models.JSONField):
        return _json
    return str if isinstance(field, models.UUIDField) else None


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


@contextmanager
def garbage_later() -> Iterator[None]:
    """Have garbage looked for only afterwards: among thousands of records that are all needed there is none.

    It would be looked for again and again while they come in, which takes a fifth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
