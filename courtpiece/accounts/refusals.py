"""What an operation says when it does not do what a person asked for."""

from typing import ClassVar

from courtpiece.errors import CourtPieceError


class Refused(CourtPieceError):  # noqa: N818 - see Forbidden
    """Something that was entered cannot be taken. The message is translated and says what to do.

    ``field`` is the input at fault, by the name that the operation gives it; empty where it is none alone.
    """

    field: ClassVar[str] = ""


class Conflict(Refused):
    """What was entered is right in itself, but something that is already there stands against it."""
