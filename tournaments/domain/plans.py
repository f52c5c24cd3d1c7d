"""What a director chooses of a format, as values that can be stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from courtpiece.errors import CourtPieceError

JsonValue: TypeAlias = "str | int | bool | list[JsonValue] | dict[str, JsonValue] | None"


class FormatName(Enum):
    """How it is decided who plays whom."""

    SINGLE = "single"
    WINNER_STAYS = "winner-stays"
    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    GROUPS_KNOCKOUT = "groups-knockout"
    LEAGUE = "league"


class PlanFault(Enum):
    """What is wrong with a plan. The words for people are made of it outside, with the fields of the error."""

    UNKNOWN_FORMAT = "unknown-format"
    UNKNOWN_OPTION = "unknown-option"
    WRONG_KIND = "wrong-kind"
    """A word where a number is wanted, and the like."""
    OUT_OF_RANGE = "out-of-range"
    NOT_A_CHOICE = "not-a-choice"
    TOO_FEW_ENTRIES = "too-few-entries"
    TOO_MANY_ENTRIES = "too-many-entries"
    TOO_MANY_ROUNDS = "too-many-rounds"
    TOO_MANY_QUALIFIERS = "too-many-qualifiers"
    TOO_FEW_QUALIFIERS = "too-few-qualifiers"
    TOO_FEW_SESSIONS = "too-few-sessions"


class PlanError(CourtPieceError):
    """A plan cannot be followed. ``field`` is the option at fault, ``remedy`` a sentence that says what would do."""

    def __init__(self, message: str, *, field: str, fault: PlanFault, remedy: str) -> None:
        super().__init__(f"{field}: {message} {remedy}")
        self.field = field
        self.fault = fault
        self.remedy = remedy


class LengthKind(Enum):
    """What ends a match (law 13.1)."""

    MINUTES = "minutes"
    DEALS = "deals"
    COURTS = "courts"
    """It goes to this many courts."""


@dataclass(frozen=True, slots=True)
class MatchLength:
    """The agreed length of a match (law 13.1)."""

    kind: LengthKind
    amount: int

    def __post_init__(self) -> None:
        """Refuse other amounts.

        :raises PlanError: if the amount is not one that its kind can have.
        """
        most = MOST_OF_LENGTH[self.kind]
        if not 1 <= self.amount <= most:
            raise _out_of_range("match", 1, most)


MOST_OF_LENGTH: Final = {LengthKind.MINUTES: 600, LengthKind.DEALS: 200, LengthKind.COURTS: 99}
HALF_AN_HOUR: Final = MatchLength(LengthKind.MINUTES, 30)
ONE_COURT: Final = MatchLength(LengthKind.COURTS, 1)


class LevelMatch(Enum):
    """What decides a match that must have a winner and is level (law 13.2 leaves it drawn)."""

    FURTHER_DEALS = "further-deals"
    """Further deals until a court."""


class SessionPairing(Enum):
    """How a session of a league is paired."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"


class SessionPoints(Enum):
    """What a session of a league is worth."""

    MATCH_POINTS = "match-points"
    """What was made in its matches."""
    PLACES = "places"
    """A number for each place."""


class OptionKind(Enum):
    """What the value of an option is, in a plan's JSON."""

    NUMBER = "number"
    YES_NO = "yes-no"
    CHOICE = "choice"
    LENGTH = "length"
    """An object with one key: ``{"minutes": 30}``, ``{"deals": 16}`` or ``{"courts": 1}``."""
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing to choose of a format."""

    name: str
    kind: OptionKind = OptionKind.NUMBER
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    """Of a choice; of a length, its kinds."""
    source: str = ""
    """Where the law or the design speaks of it: ``law 13.1``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What every format has."""

    match: MatchLength = HALF_AN_HOUR
    prizes: int = 3
    """How many places have a prize."""
    cut: int = 0
    """How many places lead on to something else; 0: there is no cut."""

    def __post_init__(self) -> None:
        """Refuse other values.

        :raises PlanError: if an option has a value that it cannot have, or two do not go together.
        """
        for option in OPTIONS[format_of(self)]:
            _check_value(option, getattr(self, option.name))
        for faulty, error in _disagreements(self):
            if faulty:
                raise error

    @property
    def places(self) -> int:
        """How many places matter: those before the cut, or with a prize."""
        return self.cut or self.prizes


@dataclass(frozen=True, slots=True, kw_only=True)
class SinglePlan(Plan):
    """Two entries, one match."""

    prizes: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerStaysPlan(Plan):
    """The losers of a match to a court, or to several, give up their seats to the next in the queue."""

    match: MatchLength = ONE_COURT
    tables: int = 1
    minutes: int = 180
    """How long the evening lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobinPlan(Plan):
    """Everybody meets everybody, once or twice."""

    cycles: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissPlan(Plan):
    """A number of rounds in which equals meet."""

    rounds: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutPlan(Plan):
    """Who loses is out."""

    third_place: bool = False
    level_match: LevelMatch = LevelMatch.FURTHER_DEALS


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupsKnockoutPlan(Plan):
    """A round robin in each group; the best of them play a knockout."""

    groups: int = 2
    cycles: int = 1
    qualifiers: int = 2
    """Of each group."""
    third_place: bool = False
    level_match: LevelMatch = LevelMatch.FURTHER_DEALS


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePlan(Plan):
    """Many sessions, each with rounds of its own; who is not there that day is away."""

    sessions: int = 10
    rounds: int = 3
    """Of a session. A round robin of fewer entries ends before."""
    pairing: SessionPairing = SessionPairing.SWISS
    points: SessionPoints = SessionPoints.MATCH_POINTS
    place_points: tuple[int, ...] = (10, 8, 6, 5, 4, 3, 2, 1)
    """For the first, the second, ... of a session; the others have 0. Those who share places share their points."""
    best_of: int = 0
    """How many sessions count, an entry's best ones; 0: all."""


FormatPlan: TypeAlias = (
    SinglePlan | WinnerStaysPlan | RoundRobinPlan | SwissPlan | KnockoutPlan | GroupsKnockoutPlan | LeaguePlan
)

PLANS: Final[Mapping[FormatName, type[FormatPlan]]] = {
    FormatName.SINGLE: SinglePlan,
    FormatName.WINNER_STAYS: WinnerStaysPlan,
    FormatName.ROUND_ROBIN: RoundRobinPlan,
    FormatName.SWISS: SwissPlan,
    FormatName.KNOCKOUT: KnockoutPlan,
    FormatName.GROUPS_KNOCKOUT: GroupsKnockoutPlan,
    FormatName.LEAGUE: LeaguePlan,
}
_FORMATS: Final = {plan: name for name, plan in PLANS.items()}

_ANY_LENGTH: Final = tuple(kind.value for kind in LengthKind)
_MATCH: Final = Option(name="match", kind=OptionKind.LENGTH, choices=_ANY_LENGTH, source="law 13.1")
_PRIZES: Final = Option(name="prizes", most=500)
_CUT: Final = Option(name="cut", most=500)
_COMMON: Final = (_MATCH, _PRIZES, _CUT)
_CYCLES: Final = Option(name="cycles", least=1, most=2, source="design 8")
_ROUNDS: Final = Option(name="rounds", least=1, most=99, source="design 8")
_THIRD_PLACE: Final = Option(name="third_place", kind=OptionKind.YES_NO, source="design 8")
_LEVEL_MATCH: Final = Option(
    name="level_match",
    kind=OptionKind.CHOICE,
    choices=tuple(rule.value for rule in LevelMatch),
    source="law 13.2",
)

OPTIONS: Final[Mapping[FormatName, tuple[Option, ...]]] = {
    FormatName.SINGLE: _COMMON,
    FormatName.WINNER_STAYS: (
        Option(name="match", kind=OptionKind.LENGTH, choices=("courts",), source="law 13.1"),
        Option(name="tables", least=1, most=100),
        Option(name="minutes", least=1, most=1440, source="law 13.3"),
        _PRIZES,
        _CUT,
    ),
    FormatName.ROUND_ROBIN: (_CYCLES, *_COMMON),
    FormatName.SWISS: (_ROUNDS, *_COMMON),
    FormatName.KNOCKOUT: (_THIRD_PLACE, _LEVEL_MATCH, *_COMMON),
    FormatName.GROUPS_KNOCKOUT: (
        Option(name="groups", least=1, most=64),
        _CYCLES,
        Option(name="qualifiers", least=1, most=32),
        _THIRD_PLACE,
        _LEVEL_MATCH,
        *_COMMON,
    ),
    FormatName.LEAGUE: (
        Option(name="sessions", least=1, most=200),
        _ROUNDS,
        Option(
            name="pairing", kind=OptionKind.CHOICE, choices=tuple(pairing.value for pairing in SessionPairing)
        ),
        Option(
            name="points", kind=OptionKind.CHOICE, choices=tuple(points.value for points in SessionPoints)
        ),
        Option(name="place_points", kind=OptionKind.NUMBERS, most=9999),
        Option(name="best_of", most=200),
        *_COMMON,
    ),
}
"""What there is to choose of each format, in the order in which it is asked."""


def format_of(plan: Plan) -> FormatName:
    """Return the name of the plan's format."""
    return next(name for kind, name in _FORMATS.items() if isinstance(plan, kind))


def plan_to_json(plan: FormatPlan) -> dict[str, JsonValue]:
    """Return the plan as it is stored: ``format``, and every option."""
    name = format_of(plan)
    values = {option.name: _value_to_json(getattr(plan, option.name)) for option in OPTIONS[name]}
    return {"format": name.value, **values}


def plan_from_json(stored: Mapping[str, object]) -> FormatPlan:
    """Return the plan that was stored; an option that is not there has its usual value.

    :raises PlanError: if there is no such format or option, or an option has a value that it cannot have.
    """
    try:
        name = FormatName(stored.get("format"))
    except ValueError as error:
        raise _not_a_choice("format", PlanFault.UNKNOWN_FORMAT, [one.value for one in FormatName]) from error
    options = {option.name: option for option in OPTIONS[name]}
    unknown = sorted(set(stored) - set(options) - {"format"})
    if unknown:
        raise _not_a_choice(unknown[0], PlanFault.UNKNOWN_OPTION, list(options))
    values = {
        name: _value_from_json(option, stored[name]) for name, option in options.items() if name in stored
    }
    return PLANS[name](**values)  # type: ignore[arg-type] # each was read by its option's kind


def _value_to_json(value: object) -> JsonValue:
    if isinstance(value, MatchLength):
        return {value.kind.value: value.amount}
    if isinstance(value, LevelMatch | SessionPairing | SessionPoints):
        return str(value.value)
    if isinstance(value, tuple):
        return [int(one) for one in value]
    assert isinstance(value, int)
    return value


def _value_from_json(option: Option, value: object) -> object:
    match option.kind:
        case OptionKind.NUMBER:
            return _number(option.name, value)
        case OptionKind.YES_NO:
            return _yes_or_no(option.name, value)
        case OptionKind.CHOICE:
            return _choice(option, value)
        case OptionKind.NUMBERS:
            return _numbers(option.name, value)
        case OptionKind.LENGTH:
            return _length(option, value)


def _number(name: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _wrong_kind(name, "Give a whole number.")


def _yes_or_no(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _wrong_kind(name, "Give true or false.")


_CHOICES: Final[Mapping[str, type[LevelMatch | SessionPairing | SessionPoints]]] = {
    "level_match": LevelMatch,
    "pairing": SessionPairing,
    "points": SessionPoints,
}


def _choice(option: Option, value: object) -> LevelMatch | SessionPairing | SessionPoints:
    if value not in option.choices:
        raise _not_a_choice(option.name, PlanFault.NOT_A_CHOICE, list(option.choices))
    return _CHOICES[option.name](value)


def _numbers(name: str, value: object) -> tuple[int, ...]:
    if isinstance(value, list | tuple):
        return tuple(_number(name, one) for one in value)
    raise _wrong_kind(name, "Give a list of whole numbers.")


def _length(option: Option, value: object) -> MatchLength:
    if not isinstance(value, Mapping) or len(value) != 1:
        raise _wrong_kind(option.name, "Give one of minutes, deals and courts, with its number.")
    ((kind, amount),) = value.items()
    if kind not in option.choices:
        raise _not_a_choice(option.name, PlanFault.NOT_A_CHOICE, list(option.choices))
    return MatchLength(LengthKind(kind), _number(option.name, amount))


def _check_value(option: Option, value: object) -> None:
    if option.kind is OptionKind.NUMBER:
        numbers = [value]
    elif option.kind is OptionKind.NUMBERS:
        assert isinstance(value, tuple)
        numbers = list(value)
    else:
        numbers = []
    if any(not option.least <= _number(option.name, number) <= option.most for number in numbers):
        raise _out_of_range(option.name, option.least, option.most)
    if isinstance(value, MatchLength) and value.kind.value not in option.choices:
        raise _not_a_choice(option.name, PlanFault.NOT_A_CHOICE, list(option.choices))


def _disagreements(plan: Plan) -> list[tuple[bool, PlanError]]:
    """Return what two options can be to one another, and whether they are."""
    if isinstance(plan, GroupsKnockoutPlan):
        error = PlanError(
            "One entry alone plays no knockout.",
            field="qualifiers",
            fault=PlanFault.TOO_FEW_QUALIFIERS,
            remedy="Choose two or more, or more groups.",
        )
        return [(plan.groups * plan.qualifiers < 2, error)]
    if isinstance(plan, LeaguePlan):
        error = PlanError(
            "More sessions would count than there are.",
            field="best_of",
            fault=PlanFault.TOO_FEW_SESSIONS,
            remedy=f"Choose {plan.sessions} or fewer.",
        )
        return [(plan.best_of > plan.sessions, error)]
    return []


def _out_of_range(field: str, least: int, most: int) -> PlanError:
    return PlanError(
        "That is too small or too large.",
        field=field,
        fault=PlanFault.OUT_OF_RANGE,
        remedy=f"Choose {least} to {most}.",
    )


def _wrong_kind(field: str, remedy: str) -> PlanError:
    return PlanError("That is something else.", field=field, fault=PlanFault.WRONG_KIND, remedy=remedy)


def _not_a_choice(field: str, fault: PlanFault, choices: list[str]) -> PlanError:
    return PlanError(
        "There is none of that name.",
        field=field,
        fault=fault,
        remedy=f"Choose one of: {', '.join(choices)}.",
    )
