"""Much that is read, all of it as it was at one moment, while others write."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Show everything that is read inside as it was when the first of it was read.

    PostgreSQL shows one moment to a transaction, in which nothing can then be written, and lets others write. On SQLite
    a transaction keeps every writer waiting. Inside the caller's transaction nothing is added to it.
    """
    is_own = not connection.in_atomic_block
    with transaction.atomic():
        if is_own and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
