"""SQLite as the site uses it, but that tests may empty its tables after each of them.

Triggers keep what is append-only and what is final (``courtpiece.accounts.guards``). PostgreSQL's tests truncate,
which row triggers allow; SQLite has only DELETE. So here, and nowhere in the site, they are lifted for it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.backends.sqlite3 import base, operations

from courtpiece.accounts.guards import PREFIX


class DatabaseOperations(operations.DatabaseOperations):
    """SQLite's operations, with a flush that the guards let pass."""

    def execute_sql_flush(self, sql_list: Iterable[str]) -> None:
        with transaction.atomic(using=self.connection.alias), self._guards_lifted():
            super().execute_sql_flush(sql_list)

    @contextmanager
    def _guards_lifted(self) -> Iterator[None]:
        with self.connection.cursor() as cursor:
            cursor.execute(
                f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '{PREFIX}%'"
            )
            found = cursor.fetchall()
            for name, _sql in found:
                cursor.execute(f"DROP TRIGGER {name}")
            yield
            for _name, sql in found:
                cursor.execute(sql)


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite with these operations."""

    ops_class = DatabaseOperations
