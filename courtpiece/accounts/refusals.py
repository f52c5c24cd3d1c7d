"""What an operation says when it does not do what a person asked for."""

import re
from typing import ClassVar

from courtpiece.errors import CourtPieceError


class Refused(CourtPieceError):  # noqa: N818 - see Forbidden
    """Something that was entered cannot be taken. The message is translated and says what to do.

    ``field`` is the input at fault, by the name that the operation gives it; empty where it is none alone.
    """

    field: ClassVar[str] = ""


def code_of(kind: type[CourtPieceError]) -> str:
    """Return the code by which programs know a kind of error: ``revision-conflict``."""
    name = kind.__name__.removesuffix("Error")
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Conflict(Refused):
    """What was entered is right in itself, but something that is already there stands against it."""


class Outdated(Refused):
    """What was to be changed is not any more as it was when the change was made."""


class OperationReused(Conflict):
    """The operation's id came before, with something else."""

    field: ClassVar[str] = "operation_id"
