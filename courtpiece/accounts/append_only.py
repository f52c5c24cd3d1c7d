"""Rows that are added and read, never changed or removed."""

from typing import Any, NoReturn, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)


class AppendOnlyError(RuntimeError):
    """A row that is never changed was about to be: a fault of the program, not of its user."""


class AppendOnlyQuerySet(models.QuerySet[M]):
    """Rows that are added and read, never changed or removed."""

    def update(self, **values: Any) -> NoReturn:
        """Refuse.

        :raises AppendOnlyError: always.
        """
        raise AppendOnlyError(f"{self.model.__name__} rows are not updated: {', '.join(values)}")

    def delete(self) -> NoReturn:
        """Refuse.

        :raises AppendOnlyError: always.
        """
        raise AppendOnlyError(f"{self.model.__name__} rows are not deleted")
