"""What rounds and matches are called, as keys. The words for people are made of them outside."""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class LabelKind(Enum):
    """What a round or a match can be."""

    FINAL = "final"
    THIRD_PLACE = "third-place"
    SEMI_FINALS = "semi-finals"
    QUARTER_FINALS = "quarter-finals"
    ROUND_OF = "round-of"
    """A knockout's, of this many places: ``round-of-16``."""
    GROUP = "group"
    """A group's, from 1: ``group-1``."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name that a round or a match has in its format."""

    kind: LabelKind
    number: int | None = None
    """The places of a knockout's round, or which group it is."""

    @property
    def key(self) -> str:
        """The text that is stored."""
        return self.kind.value if self.number is None else f"{self.kind.value}-{self.number}"


FINAL: Final = Label(LabelKind.FINAL)
THIRD_PLACE: Final = Label(LabelKind.THIRD_PLACE)
_BY_PLACES: Final = {2: FINAL, 4: Label(LabelKind.SEMI_FINALS), 8: Label(LabelKind.QUARTER_FINALS)}
_NUMBERED: Final = (LabelKind.ROUND_OF, LabelKind.GROUP)


def knockout_label(places: int) -> Label:
    """Return what the round of a knockout with this many places is called."""
    return _BY_PLACES.get(places) or Label(LabelKind.ROUND_OF, places)


def group_label(group: int) -> Label:
    """Return what the matches of a group (from 1) are called."""
    return Label(LabelKind.GROUP, group)


def read_label(key: str) -> Label | None:
    """Return the label of this key; None where it is none, as where a director gave a name."""
    for kind in LabelKind:
        if kind not in _NUMBERED and key == kind.value:
            return Label(kind)
        number = key.removeprefix(f"{kind.value}-")
        if kind in _NUMBERED and number != key and number.isdecimal() and number.isascii():
            return Label(kind, int(number))
    return None
