"""Whether the rulings of an archive are about what is in it, and what stands is what they set."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Final, cast
from uuid import UUID

from courtpiece.engine import Award, Team
from scoring.domain.differences import Difference
from scoring.domain.typed_json import JsonObject, JsonValue, ValueFault, canonical, from_json, to_json
from tournaments.domain.archive_contents import Contents
from tournaments.domain.archive_references import counting_from_one, in_order, missing, once, tried
from tournaments.domain.archived import ArchivedRuling, EntryStands, MatchStands, PenaltyStands


def check_rulings(contents: Contents) -> Iterator[Difference]:
    """Yield what the rulings name and is not there, and what stands and is not what the last of them set."""
    yield from once("rulings", "id", [ruling.id for ruling in contents.rulings])
    yield from in_order("rulings", [ruling.number for ruling in contents.rulings])
    backs = [ruling.takes_back for ruling in contents.rulings if ruling.takes_back is not None]
    yield from once("rulings", "takes_back", backs)
    entries = {entry.number for entry in contents.entries}
    matches = {match.id: match.scoresheet for _one, match in contents.matches}
    before: set[int] = set()
    for ruling in contents.rulings:
        where = f"ruling {ruling.number}"
        yield from _check_ruling(where, ruling, contents, matches)
        named = [ruling.entry, *(step.entry for step in ruling.appeal), *_entries_of_effect(ruling)]
        yield from (missing(where, "entry", one) for one in named if one is not None and one not in entries)
        if ruling.takes_back is not None and ruling.takes_back not in before:
            yield missing(where, "takes_back", ruling.takes_back)
        before.add(ruling.number)
    yield from _check_what_stands(contents)


def _check_ruling(
    where: str, ruling: ArchivedRuling, contents: Contents, matches: Mapping[UUID, UUID]
) -> Iterator[Difference]:
    if ruling.match is not None and ruling.match not in matches:
        yield missing(where, "match", ruling.match)
    if ruling.deal is not None:
        sheet = matches.get(ruling.match) if ruling.match is not None else None
        found = contents.deals.get(ruling.deal.id)
        if found is None or found[:2] != (sheet, ruling.deal.number):
            yield missing(where, "deal", ruling.deal.id)
        else:
            yield from _check_revisions(where, ruling.decided, found[2])
    yield from counting_from_one(f"{where}, appeal", [step.number for step in ruling.appeal])
    yield from tried(f"{where}, decided", ruling.decided, partial(_read_decided, ruling))
    yield from tried(f"{where}, effect", to_json(ruling.effect), partial(_read_effect, ruling))


def _check_revisions(where: str, decided: JsonObject, count: int) -> Iterator[Difference]:
    """Yield where a ruling did not make the next revision of its deal, or one that the deal has not."""
    before, after = decided.get("before"), decided.get("after")
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return
    made_on, made, back = before.get("revision"), after.get("revision"), after.get("as", 1)
    if not (isinstance(made_on, int) and isinstance(made, int) and isinstance(back, int)):
        return
    if not (made_on + 1 == made <= count and back < made):
        yield Difference(
            where=where,
            what="revision",
            stored=canonical(decided),
            derived=f"one of {count}, made on the one before it",
        )


def _read_effect(ruling: ArchivedRuling) -> None:
    """Read what the effect says in words of its own.

    :raises ValueError: if there is no such word.
    """
    for move in ruling.effect.deals:
        for counted in (move.before, move.after):
            Award(counted.award)
            if counted.winner not in ("", *Team.__members__):
                raise ValueError(counted.winner)


NO_PENALTY: Final[JsonObject] = {"penalty": 0, "penalty_reason": ""}


def _check_what_stands(contents: Contents) -> Iterator[Difference]:
    """Yield penalties and adjusted courts that are not those of the last ruling about them: nothing else sets them."""
    penalties: dict[int, JsonObject] = {}
    adjusted: dict[UUID, tuple[JsonValue, JsonValue]] = {}
    for ruling in contents.rulings:
        before, after = ruling.decided.get("before"), ruling.decided.get("after")
        if not (isinstance(before, dict) and isinstance(after, dict)):
            continue
        if ruling.entry is not None and "penalty" in after:
            stood = penalties.get(ruling.entry, NO_PENALTY)
            yield from _unequal(f"ruling {ruling.number}, before", "penalty", before, stood)
            penalties[ruling.entry] = after
        if ruling.match is not None and "adjusted_ns" in after:
            adjusted[ruling.match] = (after["adjusted_ns"], after.get("adjusted_ew"))
    for entry in contents.entries:
        stands: JsonObject = {"penalty": entry.penalty, "penalty_reason": entry.penalty_reason}
        ruled = penalties.get(entry.number, NO_PENALTY)
        yield from _unequal(f"entry {entry.number}", "penalty", stands, ruled)
    for one, match in contents.matches:
        courts = (None, None) if match.adjusted is None else (match.adjusted.NS, match.adjusted.EW)
        where = f"round {one.number}, table {match.table}"
        yield from _unequal(where, "adjusted", [*courts], [*adjusted.get(match.id, (None, None))])


def _unequal(where: str, what: str, stored: JsonValue, derived: JsonValue) -> Iterator[Difference]:
    if stored != derived:
        yield Difference(where=where, what=what, stored=canonical(stored), derived=canonical(derived))


def _entries_of_effect(ruling: ArchivedRuling) -> Iterator[int]:
    """Yield the entries without whom a page cannot name the pairs of matches."""
    for one in (*ruling.effect.later, *ruling.effect.unplayed):
        yield one.ns
        yield one.ew


def _read_decided(ruling: ArchivedRuling) -> None:
    """Read what a ruling set and what stood before: only that can be put back when it is taken back.

    :raises ValueFault: if it is something else.
    """
    about_nothing = ruling.deal is None and ruling.match is None and ruling.entry is None
    if about_nothing:
        if ruling.decided:
            raise ValueFault("{}", found=canonical(ruling.decided))
        return
    if ruling.decided.keys() != {"before", "after"}:
        raise ValueFault("before and after", found=canonical(ruling.decided))
    for name in ("before", "after"):
        _read_stands(ruling, ruling.decided[name], is_after=name == "after")


def _read_stands(ruling: ArchivedRuling, value: JsonValue, *, is_after: bool) -> None:
    if ruling.deal is not None:
        _read_revision(value, may_restore=is_after and ruling.kind == "taken-back")
    elif ruling.match is not None:
        stands = from_json(MatchStands, value)
        if stands.finished_at is not None:
            datetime.fromisoformat(stands.finished_at)
    elif isinstance(value, dict) and "penalty" in value:
        from_json(PenaltyStands, value)
    else:
        from_json(EntryStands, value)


def _read_revision(value: JsonValue, *, may_restore: bool) -> None:
    named = {"revision", "as"} if may_restore else {"revision"}
    is_right = isinstance(value, dict) and value.keys() == named
    if not is_right or not all(type(one) is int and one > 0 for one in cast(JsonObject, value).values()):
        raise ValueFault(" and ".join(sorted(named)), found=canonical(value))
