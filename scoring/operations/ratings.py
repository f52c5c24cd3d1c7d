"""Everything that rates partnerships and players: derived from the matches, as often as anybody likes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from django.db import transaction
from django.db.models import Q, QuerySet

from courtpiece.accounts.permissions import Visibility
from scoring.bulk import insert_numbers
from scoring.derived import CurrentRating, RatedClub, RatedCollection, RatedMatch, RatingChange
from scoring.domain.ratings import (
    DRAWN,
    LOST,
    WON,
    Change,
    RatedGame,
    Rating,
    day_of,
    place_in_order,
    rate_games,
)
from scoring.models import Collection, Scoresheet
from scoring.queries.merges import Persons, persons_of_club

_BATCH: Final = 500

Subject: TypeAlias = tuple[str, int]
"""``partnership`` or ``player``, and the id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedMatch:
    """A match that is finished and was played, as the app above knows it."""

    scoresheet_id: int
    round_number: int
    began: datetime | None
    """When its round was published; None where that is not known."""
    finished_at: datetime | None
    courts: tuple[int, int] | None = None
    """What a ruling put in place of the scoresheet's courts, North-South first."""


@transaction.atomic(durable=True)
def rate_collection(*, collection_id: int, version: int, finished: Sequence[FinishedMatch]) -> bool:
    """Rate the finished matches of a collection, and again all of the club's that were played after the first change.

    ``version`` is the collection's, read before ``finished`` was. Safe to run twice, late, and out of order: an older
    version never overwrites a newer one, and what comes out is the same as if all had been rated at once. Returns
    whether a rating changed. Eight queries where none does, about as many more and one for each five hundred rows
    where one does; one more where somebody in the club is merged.
    """
    collection = Collection.objects.get(pk=collection_id)
    lock_club(collection.club_id)
    if RatedCollection.objects.filter(pk=collection_id, version__gte=version).exists():
        return False
    known = list(RatedMatch.objects.filter(collection=collection_id).order_by("place"))
    wanted = list(matches_to_rate(collection, finished))
    first = _first_difference(known, wanted)
    if first is not None:
        _rate_from(first, collection, wanted)
    RatedCollection.objects.update_or_create(pk=collection_id, defaults={"version": version})
    return first is not None


def lock_club(club_id: int) -> None:
    """Let nobody else rate the club's matches until the transaction ends. Two queries."""
    RatedClub.objects.get_or_create(pk=club_id)
    RatedClub.objects.select_for_update().get(pk=club_id)


_PLAYERS: Final = ("north_id", "south_id", "east_id", "west_id")
_OF_PAIRS: Final = ("ns_id", "ew_id", "ns__first_id", "ns__second_id", "ew__first_id", "ew__second_id")
_COLUMNS: Final = ("pk", "date", "created_at", "courts_ns", "courts_ew", *_PLAYERS, *_OF_PAIRS)


def matches_to_rate(collection: Collection, finished: Sequence[FinishedMatch]) -> Iterator[RatedMatch]:
    """Yield what is to be rated: public matches with a deal that counts."""
    matches = {match.scoresheet_id: match for match in finished}
    persons = persons_of_club(collection.club_id)
    sheets = Scoresheet.objects.filter(
        collection=collection, visibility=Visibility.PUBLIC, deals_count__gt=0, club=collection.club_id
    )
    for row in sheets.order_by("pk").values(*_COLUMNS):
        if row["pk"] in matches:
            yield _rated_match(collection, row, matches[row["pk"]], persons)


def _rated_match(
    collection: Collection, row: Mapping[str, Any], match: FinishedMatch, persons: Persons
) -> RatedMatch:
    day = day_of(row["date"], match.finished_at or row["created_at"])
    ns, ew = match.courts or (row["courts_ns"], row["courts_ew"])
    return RatedMatch(
        scoresheet_id=row["pk"],
        club_id=collection.club_id,
        collection_id=collection.pk,
        place=place_in_order(
            day=day, began=match.began or row["created_at"], round_number=match.round_number, number=row["pk"]
        ),
        day=day,
        result=DRAWN if ns == ew else WON if ns > ew else LOST,
        pairs=[persons.pair(row["ns_id"]), persons.pair(row["ew_id"])]
        if _are_themselves(row, persons)
        else [],
        players=[persons.player(row[name]) for name in _PLAYERS],
    )


def _are_themselves(row: Mapping[str, Any], persons: Persons) -> bool:
    """Return whether nobody sat in for a player of either partnership."""
    ns, ew, *sides = (
        {persons.player(row[one]), persons.player(row[other])}
        for one, other in (
            ("ns__first_id", "ns__second_id"),
            ("ew__first_id", "ew__second_id"),
            ("north_id", "south_id"),
            ("east_id", "west_id"),
        )
    )
    return [ns, ew] == sides


def facts_of(match: RatedMatch) -> tuple[object, ...]:
    """Return all that a match's ratings are made of."""
    return match.place, match.scoresheet_id, match.result, match.pairs, match.players


def _first_difference(known: Iterable[RatedMatch], wanted: Iterable[RatedMatch]) -> str | None:
    """Return the first place in the order of play at which the two differ; None: they are the same."""
    old, new = {row.place: facts_of(row) for row in known}, {row.place: facts_of(row) for row in wanted}
    return min((place for place in old.keys() | new.keys() if old.get(place) != new.get(place)), default=None)


def _rate_from(first: str, collection: Collection, wanted: Iterable[RatedMatch]) -> None:
    """Rate all matches of the club from that place on, those of the collection as they are ``wanted``."""
    club_id = collection.club_id
    later = RatedMatch.objects.filter(club=club_id, place__gte=first)
    changes = RatingChange.objects.filter(match__club=club_id, match__place__gte=first)
    before = _before(changes)
    own = [match for match in wanted if match.place >= first]
    matches = sorted([*later.exclude(collection=collection), *own], key=lambda match: match.place)
    changes.delete()
    later.filter(collection=collection).delete()
    RatedMatch.objects.bulk_create(own, batch_size=_BATCH)
    games = [(match, game) for match in matches for game in games_of(match)]
    subjects = {subject for _match, game in games for subject in (*game.first, *game.second)}
    known = before | _current(club_id, subjects - before.keys())
    rows: list[tuple[int | None, ...]] = []
    latest = dict(before)
    for (match, _game), made in zip(games, rate_games((game for _match, game in games), known), strict=True):
        rows += [change_row(match, change) for change in made]
        latest |= {change.who: change.after for change in made}
    insert_numbers(RatingChange, CHANGE_COLUMNS, rows)
    _keep_current(club_id, latest)


def games_of(match: RatedMatch) -> Iterator[RatedGame[Subject]]:
    """Yield the match of the partnerships, where both were themselves, and that of the players."""
    if match.pairs:
        ns, ew = match.pairs
        yield RatedGame(first=(("partnership", ns),), second=(("partnership", ew),), result=match.result)
    north, south, east, west = (("player", pk) for pk in match.players)
    yield RatedGame(first=(north, south), second=(east, west), result=match.result)


def _before(changes: QuerySet[RatingChange]) -> dict[Subject, Rating]:
    """Return what everybody was rated before the first of the changes. One query."""
    rows = changes.order_by("-number").values_list(
        "partnership_id", "player_id", "number", "before", "spread_before"
    )
    return {
        subject_of(pair_id, player_id): Rating(before, spread, number - 1)
        for pair_id, player_id, number, before, spread in rows
    }


def subject_of(pair_id: int | None, player_id: int | None) -> Subject:
    """Return whose a row is, by its two columns."""
    return ("player", player_id or 0) if pair_id is None else ("partnership", pair_id)


def _current(club_id: int, subjects: Iterable[Subject]) -> dict[Subject, Rating]:
    """Return what these are rated now; who has no rating is left out. One query."""
    rows = CurrentRating.objects.filter(_of(subjects), club=club_id)
    return {
        subject_of(row.partnership_id, row.player_id): Rating(row.value, row.spread, row.matches)
        for row in rows
    }


def _of(subjects: Iterable[Subject]) -> Q:
    found = list(subjects)
    pairs = [pk for kind, pk in found if kind == "partnership"]
    players = [pk for kind, pk in found if kind == "player"]
    return Q(partnership__in=pairs) | Q(player__in=players)


CHANGE_COLUMNS: Final = (
    "match_id",
    "partnership_id",
    "player_id",
    "number",
    "before",
    "spread_before",
    "expected",
    "result",
    "after",
    "spread_after",
)


def change_row(match: RatedMatch, change: Change[Subject]) -> tuple[int | None, ...]:
    """Return a row of changes, by the columns of ``CHANGE_COLUMNS``."""
    kind, pk = change.who
    before, after = change.before, change.after
    whose = (pk, None) if kind == "partnership" else (None, pk)
    numbers = (change.expected, change.result, after.value, after.spread)
    return (match.pk, *whose, after.matches, before.value, before.spread, *numbers)


def _keep_current(club_id: int, latest: Mapping[Subject, Rating]) -> None:
    """Keep what these are rated now; who has played nothing any more has no rating."""
    CurrentRating.objects.filter(_of(latest), club=club_id).delete()
    CurrentRating.objects.bulk_create(
        [
            CurrentRating(
                club_id=club_id, value=now.value, spread=now.spread, matches=now.matches, **{f"{kind}_id": pk}
            )
            for (kind, pk), now in latest.items()
            if now.matches
        ],
        batch_size=_BATCH,
    )
