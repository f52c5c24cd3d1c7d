"""Whether what an archive names is in it, and what can be there once only is there once."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import partial
from uuid import UUID

from courtpiece.engine import Rules
from courtpiece.errors import CourtPieceError
from scoring.domain.archived import ArchivedPartnership
from scoring.domain.differences import Difference
from scoring.domain.results import ByeKind
from scoring.domain.typed_json import JsonValue, canonical, to_json
from tournaments.domain.archive_contents import Contents
from tournaments.domain.archived import ArchivedMatch, ArchivedSubstitution
from tournaments.domain.draw_json import AlternativeJson, bye_why_from_json, why_from_json
from tournaments.domain.plans import plan_from_json
from tournaments.domain.scheme_json import as_mapping, points_from_json


def twice(where: str, what: str, value: object) -> Difference:
    """Return that something is there more than once that can be there once only."""
    return Difference(where=where, what=what, stored=str(value), derived="once only")


def missing(where: str, what: str, value: object) -> Difference:
    """Return that something is named and not there."""
    return Difference(where=where, what=what, stored=str(value), derived="not in the archive")


def once(where: str, what: str, values: Iterable[Hashable]) -> Iterator[Difference]:
    """Yield what is there more than once."""
    for value, times in Counter(values).items():
        if times > 1:
            yield twice(where, what, value)


def in_order(where: str, numbers: Iterable[int]) -> Iterator[Difference]:
    """Yield numbers that do not go up."""
    kept = list(numbers)
    if kept != sorted(set(kept)):
        yield Difference(where=where, what="order", stored=str(kept), derived=str(sorted(set(kept))))


def counting_from_one(where: str, numbers: Iterable[int]) -> Iterator[Difference]:
    """Yield numbers that are not 1, 2, 3 and so on."""
    kept = list(numbers)
    if kept != list(range(1, len(kept) + 1)):
        yield Difference(where=where, what="numbers", stored=str(kept), derived="1, 2, 3 …")


def _check_people(contents: Contents) -> Iterator[Difference]:
    places = {player.id: place for place, player in enumerate(contents.players)}
    yield from once("players", "id", [player.id for player in contents.players])
    yield from once("players", "name", [player.name for player in contents.players])
    yield from once("partnerships", "id", [pair.id for pair in contents.partnerships])
    yield from once("partnerships", "players", [frozenset(pair.players) for pair in contents.partnerships])
    for pair in contents.partnerships:
        yield from _check_pair(pair, places)
    pairs = {pair.id for pair in contents.partnerships}
    for uid, sheet in contents.sheets.items():
        where = f"scoresheet {uid}"
        yield from (missing(where, "partnership", one) for one in (sheet.ns, sheet.ew) if one not in pairs)
        yield from (missing(where, "player", one) for one in sheet.seats if one not in places)


def _check_pair(pair: ArchivedPartnership, places: Mapping[UUID, int]) -> Iterator[Difference]:
    where = f"partnership {pair.id}"
    unknown = [one for one in pair.players if one not in places]
    for one in unknown:
        yield missing(where, "player", one)
    # Either may stand first: a pair is told in the order in which it was first named.
    if pair.players[0] == pair.players[1]:
        yield Difference(where=where, what="players", stored="the same one twice", derived="two players")


def _check_entries(contents: Contents) -> Iterator[Difference]:
    pairs = {pair.id for pair in contents.partnerships}
    yield from in_order("entries", [entry.number for entry in contents.entries])
    yield from once("entries", "partnership", [entry.partnership for entry in contents.entries])
    for entry in contents.entries:
        where = f"entry {entry.number}"
        if entry.partnership not in pairs:
            yield missing(where, "partnership", entry.partnership)
        if entry.penalty and not entry.penalty_reason:
            yield missing(where, "penalty_reason", "")


def _check_tournament(contents: Contents) -> Iterator[Difference]:
    tournament = contents.tournament
    yield from tried(
        "tournament, plan",
        tournament.plan,
        lambda: plan_from_json({**tournament.plan, "format": tournament.format.value}),
    )
    schemes = [("tournament", tournament.points, tournament.tiebreaks)]
    schemes += [
        (f"tournament, past_rules {past.version}", past.points, past.tiebreaks)
        for past in tournament.past_rules
    ]
    for where, points, codes in schemes:
        stored: JsonValue = to_json(points)
        yield from tried(f"{where}, points", stored, partial(points_from_json, as_mapping(points)))
        yield from once(f"{where}, tiebreaks", "code", codes)
    rules = [("tournament", tournament.rules)]
    rules += [(f"tournament, past_rules {past.version}", past.rules) for past in tournament.past_rules]
    for where, text in rules:
        yield from tried(f"{where}, rules", text, partial(Rules.parse, text))
    yield from counting_from_one("tournament, past_rules", [past.version for past in tournament.past_rules])
    if tournament.rules_version != len(tournament.past_rules) + 1:
        yield Difference(
            where="tournament",
            what="rules_version",
            stored=str(tournament.rules_version),
            derived=str(len(tournament.past_rules) + 1),
        )


def tried(where: str, stored: JsonValue, read: Callable[[], object]) -> Iterator[Difference]:
    """Yield what is said against something that cannot be read."""
    try:
        read()
    except (CourtPieceError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        yield Difference(where=where, what="value", stored=canonical(stored), derived=str(error))


def _check_rounds(contents: Contents) -> Iterator[Difference]:
    yield from once("sessions", "id", [one.id for one in contents.sessions])
    yield from in_order("sessions", [one.number for one in contents.sessions])
    yield from once("rounds", "id", [one.id for one in contents.rounds])
    yield from in_order("rounds", [one.number for one in contents.rounds])
    yield from once("rounds", "label", [one.label for one in contents.rounds if one.label])
    yield from once("matches", "id", [match.id for _one, match in contents.matches])
    yield from once("matches", "scoresheet", [match.scoresheet for _one, match in contents.matches])
    sessions = {one.number for one in contents.sessions}
    entries = {entry.number for entry in contents.entries}
    players = {player.id for player in contents.players}
    for one in contents.rounds:
        where = f"round {one.number}"
        if one.session not in sessions:
            yield missing(where, "session", one.session)
        yield from once(where, "table", [match.table for match in one.matches])
        yield from once(where, "ns", [match.ns for match in one.matches])
        yield from once(where, "ew", [match.ew for match in one.matches])
        yield from in_order(f"{where}, byes", [bye.entry for bye in one.byes])
        for bye in one.byes:
            place = f"{where}, bye of entry {bye.entry}"
            if bye.entry not in entries:
                yield missing(place, "entry", bye.entry)
            yield from tried(
                f"{place}, drawn",
                to_json(bye.drawn),
                partial(bye_why_from_json, bye.drawn, entry=bye.entry, kind=ByeKind(bye.kind)),
            )
            yield from _check_alternatives(f"{place}, drawn", bye.drawn.get("alternatives", []), entries)
        for match in one.matches:
            yield from _check_match(f"{where}, table {match.table}", match, contents, entries, players)


def _check_match(
    where: str, match: ArchivedMatch, contents: Contents, entries: set[int], players: set[UUID]
) -> Iterator[Difference]:
    both = (match.ns, match.ew)
    yield from (missing(where, "entry", number) for number in both if number not in entries)
    yield from once(where, "entry", both)
    if match.scoresheet not in contents.sheets:
        yield missing(where, "scoresheet", match.scoresheet)
    yield from _check_drawn(f"{where}, drawn", match, entries)
    yield from _check_substitutions(f"{where}, substitutions", match.substitutions, players)


def _check_drawn(where: str, match: ArchivedMatch, entries: Collection[int]) -> Iterator[Difference]:
    drawn = match.drawn
    if drawn is None:
        return
    yield from tried(where, to_json(drawn), partial(why_from_json, drawn, first=match.ns, second=match.ew))
    if drawn.get("first", match.ns) not in (match.ns, match.ew):
        yield missing(where, "first", drawn.get("first"))
    yield from _check_alternatives(where, drawn.get("alternatives", []), entries)


def _check_alternatives(
    where: str, alternatives: Iterable[AlternativeJson], entries: Collection[int]
) -> Iterator[Difference]:
    yield from (
        missing(where, "alternative", one["entry"]) for one in alternatives if one["entry"] not in entries
    )


def _check_substitutions(
    where: str, substitutions: Iterable[ArchivedSubstitution], players: Collection[UUID]
) -> Iterator[Difference]:
    rows = list(substitutions)
    yield from once(where, "absent", [one.absent for one in rows])
    for one in rows:
        people = (one.absent, one.substitute)
        yield from (missing(where, "player", player) for player in people if player not in players)
        yield from once(where, "player", people)


def check_references(contents: Contents) -> Iterator[Difference]:
    """Yield what is named and not there, and what is there more than once."""
    for check in (_check_people, _check_entries, _check_tournament, _check_rounds):
        yield from check(contents)
