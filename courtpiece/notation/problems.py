"""A problem with a record, placed in its text."""

from __future__ import annotations

from typing import NamedTuple

from courtpiece.engine.faults import Code, Kind


class Problem(NamedTuple):
    """Something wrong with a record. ``line`` and ``column`` count from 1, in characters."""

    code: Code
    line: int
    column: int
    message: str

    @property
    def kind(self) -> Kind:
        """How far the problem goes."""
        return self.code.kind

    @property
    def severity(self) -> str:
        """``warning`` where the record counts as it stands, else ``error``."""
        return "warning" if self.code.kind is Kind.WARNING else "error"

    def as_json(self) -> dict[str, str | int]:
        """Return the problem as the checker prints it."""
        return {
            "code": self.code.value,
            "severity": self.severity,
            "line": self.line,
            "column": self.column,
            "message": self.message,
        }
