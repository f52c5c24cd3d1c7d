"""The named rules and options of law 14."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import lru_cache
from typing import Final, TypedDict, cast

from courtpiece.errors import CourtPieceError


class RulesError(CourtPieceError):
    """The text names no rules of law 14. ``part`` is the word that is wrong."""

    def __init__(self, message: str, *, part: str) -> None:
        super().__init__(message)
        self.part = part


class TrumpMethod(Enum):
    """How trump is made, in the order of law 4."""

    ANNOUNCED = "announced"
    """Law 4.1."""
    CARD = "card"
    """Law 4.2."""
    TURNED = "turned"
    """Law 4.3."""
    NAMED = "named"
    """Law 4.4."""
    HIDDEN = "hidden"
    """Law 4.5."""
    BLIND = "blind"
    """Law 4.6."""
    DISCARD = "discard"
    """Law 4.7."""

    @property
    def is_open(self) -> bool:
        """Whether everybody knows the trump before the first lead."""
        return self in OPEN_METHODS

    @property
    def is_hidden(self) -> bool:
        """Whether the indicator lies face down (law 6)."""
        return self in HIDDEN_METHODS


OPEN_METHODS: Final = (TrumpMethod.ANNOUNCED, TrumpMethod.CARD, TrumpMethod.TURNED, TrumpMethod.NAMED)
HIDDEN_METHODS: Final = (TrumpMethod.HIDDEN, TrumpMethod.BLIND)


class Gather(Enum):
    """How tricks become a team's (law 7)."""

    SINGLE = "single"
    DOUBLE = "double"
    ACE = "ace"


class RevealFrom(Enum):
    """From when cards of the revealed suit are trumps in the trick of the reveal (law 6.6)."""

    CARD = "card"
    TRICK = "trick"


class StreakAndCourt(Enum):
    """Whether a deal that makes a court can also complete a run (law 11.3)."""

    ONE = "one"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Rules:
    """A named rule with its options (law 14). Equal values mean the same game.

    Courts are counted in courts, ``streak`` in deals, claims in tricks from 1. Claims are 0 under
    ``gather=single``, which has no use for them.
    """

    name: str
    court: int = 1
    goon: int = 1
    bavney: int = 52
    revoke: int = 1
    streak: int = 7
    streak_court: int = 1
    streak_and_court: StreakAndCourt = StreakAndCourt.ONE
    first_claim: int = 0
    last_claim: int = 0
    gather: Gather = Gather.SINGLE
    reveal_from: RevealFrom = RevealFrom.CARD
    trump: tuple[TrumpMethod, ...] = ()

    @staticmethod
    def parse(text: str) -> Rules:
        """Return the rules that ``text`` names: ``double-sir goon=3``. Cheap for a text seen before.

        :raises RulesError: if the name or an option is not one of law 14, an option stands twice, or its
            value is out of range; ``first-claim`` after ``last-claim`` is out of range.
        """
        return _parse(text)

    def __hash__(self) -> int:
        """Return the hash of the name: it is asked for with every deal, and rules of one name are few."""
        return hash(self.name)

    def __str__(self) -> str:
        """Return the name, then the options that differ from its own, in the order of law 14."""
        return _text_of(self)


@lru_cache(maxsize=1024)
def _text_of(rules: Rules) -> str:
    own = replace(_own_values(rules.name, rules.gather), gather=NAMED[rules.name].gather)
    words = [rules.name]
    for field in fields(rules)[1:]:
        value = getattr(rules, field.name)
        if value != getattr(own, field.name):
            words.append(f"{field.name.replace('_', '-')}={_written(value)}")
    return " ".join(words)


def _written(value: int | Enum | tuple[TrumpMethod, ...]) -> str:
    if isinstance(value, tuple):
        return ",".join(method.value for method in value)
    return str(value.value if isinstance(value, Enum) else value)


NAMED: Final[dict[str, Rules]] = {
    rules.name: rules
    for rules in (
        Rules("court-piece", trump=OPEN_METHODS),
        Rules("hidden-trump", trump=HIDDEN_METHODS),
        Rules("double-sir", first_claim=2, last_claim=12, gather=Gather.DOUBLE, trump=OPEN_METHODS),
        Rules("double-sir-ace", first_claim=2, last_claim=12, gather=Gather.ACE, trump=OPEN_METHODS),
        Rules("hidden-rung", first_claim=3, last_claim=11, gather=Gather.DOUBLE, trump=HIDDEN_METHODS),
        Rules("be-ranga", first_claim=2, last_claim=12, gather=Gather.DOUBLE, trump=(TrumpMethod.DISCARD,)),
    )
}
"""The rules that a record can name, by name (law 14)."""

NOT_YET: Final = frozenset({"hokm-3", "hokm-2", "twenty-eight", "twenty-nine"})
"""Names of laws 15 to 17, which are not yet rules that a record can name."""


def _own_values(name: str, gather: Gather) -> Rules:
    """Return what the name brings; where ``gather`` is changed, with the claims that it brings (law 14)."""
    own = NAMED[name]
    if gather is own.gather:
        return own
    if gather is Gather.SINGLE:
        return replace(own, gather=gather, first_claim=0, last_claim=0)
    return replace(own, gather=gather, first_claim=2, last_claim=12)


class _Options(TypedDict, total=False):
    court: int
    goon: int
    bavney: int
    revoke: int
    streak: int
    streak_court: int
    streak_and_court: StreakAndCourt
    first_claim: int
    last_claim: int
    gather: Gather
    reveal_from: RevealFrom
    trump: tuple[TrumpMethod, ...]


MOST_COURTS: Final = 999
"""The most that an option of law 14 can make anything count."""
_WHOLE_NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")
_RANGES: Final[dict[str, tuple[int, int]]] = {
    "court": (1, MOST_COURTS),
    "goon": (1, MOST_COURTS),
    "bavney": (1, MOST_COURTS),
    "revoke": (1, MOST_COURTS),
    "streak": (2, 99),
    "streak_court": (1, MOST_COURTS),
    "first_claim": (1, 13),
    "last_claim": (1, 13),
}
_CHOICES: Final[dict[str, type[Enum]]] = {
    "streak_and_court": StreakAndCourt,
    "gather": Gather,
    "reveal_from": RevealFrom,
}
_METHODS: Final = {method.value: method for method in TrumpMethod}
_METHOD_ORDER: Final = {method: place for place, method in enumerate(TrumpMethod)}


@lru_cache(maxsize=1024)
def _parse(text: str) -> Rules:
    name, *words = text.split(" ")
    if name not in NAMED:
        later = ": its law is not yet one that a record can name" if name in NOT_YET else ""
        raise RulesError(f"expected one of {', '.join(NAMED)}; found {name!r}{later} (law 14)", part=name)
    options = _read_options(words)
    own = _own_values(name, options.get("gather", NAMED[name].gather))
    rules = replace(own, **options)
    first = options.get("first_claim", own.first_claim)
    if first > (options.get("last_claim", own.last_claim) or 13):
        raise RulesError("first-claim may not be after last-claim (law 14)", part=f"first-claim={first}")
    return replace(rules, first_claim=0, last_claim=0) if rules.gather is Gather.SINGLE else rules


def _read_options(words: list[str]) -> _Options:
    options: dict[str, int | Enum | tuple[TrumpMethod, ...]] = {}
    for word in words:
        name, equals, value = word.partition("=")
        key = name.replace("-", "_")
        if not equals or "_" in name or not (key in _RANGES or key in _CHOICES or key == "trump"):
            raise RulesError(f"{name!r} is no option (law 14)", part=word)
        if key in options:
            raise RulesError(f"the option {name} stands twice (law 14)", part=word)
        options[key] = _read_value(key, word, value)
    return cast(_Options, options)


def _read_value(key: str, word: str, value: str) -> int | Enum | tuple[TrumpMethod, ...]:
    if key in _RANGES:
        low, high = _RANGES[key]
        if not _WHOLE_NUMBER.fullmatch(value) or not low <= int(value) <= high:
            raise RulesError(f"{word!r}: expected a whole number from {low} to {high} (law 14)", part=word)
        return int(value)
    if key in _CHOICES:
        choices = {member.value: member for member in _CHOICES[key]}
        if value not in choices:
            raise RulesError(f"{word!r}: expected {' or '.join(choices)} (law 14)", part=word)
        return choices[value]
    methods = value.split(",")
    if not set(methods) <= set(_METHODS) or len(set(methods)) < len(methods):
        raise RulesError(f"{word!r}: expected methods of law 4, none twice, parted by commas", part=word)
    return tuple(sorted((_METHODS[method] for method in methods), key=_METHOD_ORDER.__getitem__))
