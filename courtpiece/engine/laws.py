"""The numbers of the laws, and how they are cited: ``8.3``, ``laws 8.3, 8.5``, or a whole one, ``10``."""

import re
from types import MappingProxyType
from typing import Final

from courtpiece.errors import CourtPieceError

LAWS: Final = MappingProxyType(
    {
        1: 2,
        2: 1,
        3: 3,
        4: 8,
        5: 3,
        6: 9,
        7: 8,
        8: 7,
        9: 6,
        10: 5,
        11: 4,
        12: 4,
        13: 3,
        14: 0,
        15: 3,
        16: 2,
        17: 5,
    }
)
"""How many paragraphs each law has, by its number, as ``docs/laws.md`` tells them."""

_WORD: Final = re.compile(r"\s*(?:laws?|§)(?=[\s\d])", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[,،;]|\band\b")
_NUMBER: Final = re.compile(r"(\d{1,4})(?:\.(\d{1,4}))?\.?")


class UnknownLawError(CourtPieceError):
    """There is no law of that number. ``found`` is what stands in its place."""

    def __init__(self, found: str) -> None:
        super().__init__(f"there is no law {found!r}")
        self.found = found


def cited_laws(text: str) -> tuple[str, ...]:
    """Return the laws that the text cites, each once, as they are numbered; none where it is empty.

    >>> cited_laws("laws 8.3, 10.")
    ('8.3', '10')

    :raises UnknownLawError: if a part of it is the number of no law.
    """
    if not text.strip():
        return ()
    return tuple(dict.fromkeys(_cited(part) for part in _BETWEEN.split(_WORD.sub("", text, count=1))))


def _cited(part: str) -> str:
    number = _NUMBER.fullmatch(_WORD.sub("", part).strip())
    if number is None:
        raise UnknownLawError(part.strip())
    law, paragraph = int(number[1]), number[2]
    if law not in LAWS or (paragraph is not None and not 1 <= int(paragraph) <= LAWS[law]):
        raise UnknownLawError(part.strip())
    return f"{law}" if paragraph is None else f"{law}.{int(paragraph)}"
