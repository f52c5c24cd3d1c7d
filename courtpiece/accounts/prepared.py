"""Queries whose SQL is made once for all the times that they are asked.

Django makes the SQL of a query anew each time, and for what a phone asks after every deal that takes longer than the
database's answer. Here a query is written as everywhere, with the values left open, and its SQL is kept. It is for the
few queries that are asked all evening long; everything else is asked in Django's own way.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import orjson
from django.db import connection
from django.db.models import Expression, Field, JSONField, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.expressions import Col
from django.db.transaction import TransactionManagementError

M = TypeVar("M", bound=Model)

MOST_KEPT: Final = 512
"""Values of a list, above which the SQL is made each time: it has a place for each of them."""


class Slot(Expression):
    """The place of a value in a query, which is given when the query is asked."""

    def __init__(self, place: int, field: Field[Any, Any]) -> None:
        super().__init__(output_field=field)
        self.place = place

    def as_sql(self, compiler: Any, connection: Any, **_context: Any) -> Any:
        """Return a place for the value, and the slot as what stands there until it is given."""
        return "%s", (self,)


class Prepared(Generic[M]):
    """A query with open values.

    ``make`` returns it from a slot for each value, or from a list of slots where the value is a list; ``fields`` say
    what the values are. A list of relations is asked for by ``…__pk__in``: Django makes numbers of what stands after
    ``…__in``.
    """

    def __init__(self, make: Callable[..., QuerySet[M, Any]], *fields: Field[Any, Any]) -> None:
        self._make = make
        self._fields = fields
        self._known: dict[Hashable, _Made] = {}

    def rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """Return what a query of ``values_list`` finds. One query, none for an empty list."""
        found = self._asked(values)
        return [] if found is None else found[1]

    def models(self, *values: Any) -> list[M]:
        """Return the rows that are found, with what ``select_related`` names. One query, none for an empty list."""
        found = self._asked(values)
        if found is None:
            return []
        made, rows = found
        return made.models(rows)

    def _asked(self, values: Sequence[Any]) -> "tuple[_Made, list[tuple[Any, ...]]] | None":
        if any(is_list(value) and not value for value in values):
            return None
        made = self._made(tuple(len(value) if is_list(value) else None for value in values))
        flat = [one for value in values for one in (value if is_list(value) else (value,))]
        return made, made.rows(flat)

    def _made(self, lengths: tuple[int | None, ...]) -> "_Made":
        key = (connection.vendor, lengths)
        made = self._known.get(key)
        if made is None:
            made = _Made(self._query(lengths))
            if max((length or 0 for length in lengths), default=0) <= MOST_KEPT:
                self._known[key] = made
        return made

    def _query(self, lengths: Sequence[int | None]) -> QuerySet[M, Any]:
        places = iter(range(sum(1 if length is None else length for length in lengths)))
        return self._make(
            *(
                Slot(next(places), field)
                if length is None
                else [Slot(next(places), field) for _one in range(length)]
                for field, length in zip(self._fields, lengths, strict=True)
            )
        )


def is_list(value: Any) -> bool:
    """Return whether a value is many."""
    return isinstance(value, list | tuple)


class _Made:
    """The SQL of a query, with how its rows are read."""

    def __init__(self, query: QuerySet[Any, Any]) -> None:
        self._locks = query.query.select_for_update and connection.features.has_select_for_update
        self._compiler: Any = query.query.get_compiler(connection=connection)
        self._sql, self._params = self._compiler.as_sql()
        columns = [column for column, *_rest in self._compiler.select]
        self._converters = {
            place: ([_from_json], column) if _is_json(column) else (converters, column)
            for place, (converters, column) in self._compiler.get_converters(columns).items()
        }

    def rows(self, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        if self._locks and not connection.in_atomic_block:
            raise TransactionManagementError("A lock lasts no longer than the transaction that takes it.")
        params = [
            one.output_field.get_db_prep_value(values[one.place], connection)
            if isinstance(one, Slot)
            else one
            for one in self._params
        ]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, params)
            rows: Any = cursor.fetchall()
        if self._converters:
            rows = map(tuple, self._compiler.apply_converters(rows, self._converters))
        return list(rows)

    def models(self, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
        make = self._maker.made
        return [make(row) for row in rows]

    @cached_property
    def _maker(self) -> "_Maker":
        return _Maker(self._compiler.klass_info, self._compiler.select)


def _is_json(column: Any) -> bool:
    """Return whether it is a whole column of JSON that is read in no way of its own."""
    return isinstance(column, Col) and isinstance(column.target, JSONField) and column.target.decoder is None


def _from_json(value: Any, _column: Any, _connection: Any) -> Any:
    """Return what Django reads of a column of JSON as well, in three times the time."""
    return None if value is None else orjson.loads(value)


class _Maker:
    """Makes a model of the columns of a row, and those that ``select_related`` names beside it.

    What comes is what the model's own ``from_db`` makes, in a third of the time.
    """

    def __init__(self, info: Any, select: Any) -> None:
        columns: list[int] = info["select_fields"]
        self._model: Any = info["model"]
        self._columns = slice(columns[0], columns[-1] + 1)
        self._names = [column.target.attname for column, *_rest in select[self._columns]]
        self._key = columns[0] + self._names.index(self._model._meta.pk.attname)  # noqa: SLF001 - Django's own name
        self._related = [
            (_Maker(related, select), related["local_setter"], related["remote_setter"])
            for related in info.get("related_klass_infos", ())
        ]
        self._alias = connection.alias

    def made(self, row: Sequence[Any]) -> Any:
        """Return the model of the row; None where a relation leads to none."""
        if row[self._key] is None:
            return None
        one = self._model.__new__(self._model)
        one.__dict__.update(zip(self._names, row[self._columns], strict=True))
        one._state = state = ModelState()  # noqa: SLF001 - as every model has it
        state.adding = False
        state.db = self._alias
        for maker, set_here, set_there in self._related:
            related = maker.made(row)
            set_here(one, related)
            if related is not None:
                set_there(related, one)
        return one
