"""Draws in the form in which they are kept."""

from fractions import Fraction
from typing import NotRequired, TypedDict

from scoring.domain.results import ByeKind, Exact
from tournaments.domain.pairing import Against, Alternative, ByeGiven, Draw, Note, Pairing


class AlternativeJson(TypedDict):
    """Somebody else, and why not."""

    entry: int
    against: str
    rounds: NotRequired[list[int]]


class WhyJson(TypedDict):
    """Why two entries meet: what stays with a match when its round is published. What is empty is left out."""

    notes: list[str]
    scores: list[int | str]
    alternatives: NotRequired[list[AlternativeJson]]
    reason: NotRequired[str]


class PairingJson(WhyJson):
    """Two entries of a draw."""

    first: int
    second: int
    label: NotRequired[str]
    table: NotRequired[int]
    fixed_seats: NotRequired[bool]
    given_away_by: NotRequired[list[int]]


class ByeWhyJson(TypedDict):
    """Why an entry has no opponent: what stays with its bye. What is empty is left out."""

    alternatives: NotRequired[list[AlternativeJson]]
    reason: NotRequired[str]
    by_seed: NotRequired[bool]


class ByeJson(ByeWhyJson):
    """An entry of a draw without an opponent."""

    entry: int
    kind: str


class DrawJson(TypedDict):
    """A draw."""

    number: int
    label: str
    pairings: list[PairingJson]
    byes: list[ByeJson]
    session: NotRequired[int]
    """In a league, of a draft: the number of the one in which it is played."""


def draw_to_json(draw: Draw) -> DrawJson:
    """Return the draw as it is kept."""
    return DrawJson(
        number=draw.number,
        label=draw.label,
        pairings=[_pairing_to_json(pairing) for pairing in draw.pairings],
        byes=[_bye_to_json(bye) for bye in draw.byes],
    )


def draw_from_json(stored: DrawJson) -> Draw:
    """Return the draw that was kept."""
    return Draw(
        number=stored["number"],
        label=stored["label"],
        pairings=tuple(_pairing_from_json(pairing) for pairing in stored["pairings"]),
        byes=tuple(
            bye_why_from_json(bye, entry=bye["entry"], kind=ByeKind(bye["kind"])) for bye in stored["byes"]
        ),
    )


def why_to_json(pairing: Pairing) -> WhyJson:
    """Return why the two meet."""
    why = WhyJson(
        notes=[note.value for note in pairing.notes], scores=[_exact_to_json(one) for one in pairing.scores]
    )
    if pairing.alternatives:
        why["alternatives"] = [_alternative_to_json(one) for one in pairing.alternatives]
    if pairing.reason:
        why["reason"] = pairing.reason
    return why


def why_from_json(stored: WhyJson, *, first: int, second: int) -> Pairing:
    """Return the two entries with why they meet."""
    one, other = stored["scores"]
    return Pairing(
        first=first,
        second=second,
        notes=tuple(map(Note, stored["notes"])),
        scores=(_exact_from_json(one), _exact_from_json(other)),
        alternatives=_alternatives(stored.get("alternatives", [])),
        reason=stored.get("reason", ""),
    )


def bye_why_to_json(bye: ByeGiven) -> ByeWhyJson:
    """Return why an entry has a bye; nothing where there is nothing to say."""
    why = ByeWhyJson()
    if bye.alternatives:
        why["alternatives"] = [_alternative_to_json(one) for one in bye.alternatives]
    if bye.reason:
        why["reason"] = bye.reason
    if bye.by_seed:
        why["by_seed"] = True
    return why


def bye_why_from_json(stored: ByeWhyJson, *, entry: int, kind: ByeKind) -> ByeGiven:
    """Return the bye with why the entry has it."""
    return ByeGiven(
        entry=entry,
        kind=kind,
        alternatives=_alternatives(stored.get("alternatives", [])),
        reason=stored.get("reason", ""),
        by_seed=stored.get("by_seed", False),
    )


def _pairing_to_json(pairing: Pairing) -> PairingJson:
    why = why_to_json(pairing)
    stored = PairingJson(first=pairing.first, second=pairing.second, notes=why["notes"], scores=why["scores"])
    if "alternatives" in why:
        stored["alternatives"] = why["alternatives"]
    if "reason" in why:
        stored["reason"] = why["reason"]
    if pairing.label:
        stored["label"] = pairing.label
    if pairing.table is not None:
        stored["table"] = pairing.table
    if pairing.fixed_seats:
        stored["fixed_seats"] = True
    if pairing.given_away_by:
        stored["given_away_by"] = list(pairing.given_away_by)
    return stored


def _pairing_from_json(stored: PairingJson) -> Pairing:
    why = why_from_json(stored, first=stored["first"], second=stored["second"])
    return Pairing(
        first=why.first,
        second=why.second,
        notes=why.notes,
        scores=why.scores,
        alternatives=why.alternatives,
        reason=why.reason,
        label=stored.get("label", ""),
        table=stored.get("table"),
        fixed_seats=stored.get("fixed_seats", False),
        given_away_by=tuple(stored.get("given_away_by", [])),
    )


def _bye_to_json(bye: ByeGiven) -> ByeJson:
    return ByeJson(entry=bye.entry, kind=bye.kind.value, **bye_why_to_json(bye))


def _alternative_to_json(one: Alternative) -> AlternativeJson:
    stored = AlternativeJson(entry=one.entry, against=one.against.value)
    if one.rounds:
        stored["rounds"] = list(one.rounds)
    return stored


def _alternatives(stored: list[AlternativeJson]) -> tuple[Alternative, ...]:
    return tuple(
        Alternative(entry=one["entry"], against=Against(one["against"]), rounds=tuple(one.get("rounds", [])))
        for one in stored
    )


def _exact_to_json(number: Exact) -> int | str:
    return number if isinstance(number, int) else str(number)


def _exact_from_json(stored: int | str) -> Exact:
    number = Fraction(stored)
    return int(number) if number.denominator == 1 else number
