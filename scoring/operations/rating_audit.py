"""Whether the ratings that are kept are those that the matches make today. Nothing is changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from scoring.derived import CurrentRating, RatedCollection, RatedMatch, RatingChange
from scoring.domain.differences import Difference
from scoring.domain.ratings import rate_games
from scoring.models import Collection, Partnership, Player, Scoresheet
from scoring.operations.ratings import (
    CHANGE_COLUMNS,
    FinishedMatch,
    Subject,
    change_row,
    facts_of,
    games_of,
    lock_club,
    matches_to_rate,
    subject_of,
)
from scoring.versions import versions_of

Finished: TypeAlias = Callable[[int], Sequence[FinishedMatch]]
"""What returns the finished matches of a collection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A difference by ids: they are put into words only where there is one."""

    sheet: int | None = None
    whose: Subject | None = None
    what: str
    stored: object
    derived: object


@transaction.atomic
def audit_ratings(*, club_id: int, finished: Finished) -> tuple[Difference, ...]:
    """Rate the club's matches anew, from the first, and say where the ratings that are kept differ.

    Nobody rates the club meanwhile. Matches of a collection that is behind are no difference: the sweep rates them.
    Ten queries at most, and five for each collection.
    """
    lock_club(club_id)
    kept = list(RatedMatch.objects.filter(club=club_id).order_by("place"))
    return _in_words([*_of_matches(club_id, kept, finished), *_of_ratings(club_id, kept)])


def _of_matches(club_id: int, kept: Iterable[RatedMatch], finished: Finished) -> Iterator[_Found]:
    """Yield where what is rated is not what was played."""
    stored: dict[int, dict[int, RatedMatch]] = {}
    for match in kept:
        stored.setdefault(match.collection_id, {})[match.scoresheet_id] = match
    versions = dict(RatedCollection.objects.filter(collection__club=club_id).values_list("pk", "version"))
    for collection in Collection.objects.filter(pk__in=versions).order_by("pk"):
        derived = {match.pk: match for match in matches_to_rate(collection, finished(collection.pk))}
        if versions_of([collection.pk])[collection.pk] == versions[collection.pk]:
            yield from _of_collection(stored.get(collection.pk, {}), derived)


def _of_collection(stored: Mapping[int, RatedMatch], derived: Mapping[int, RatedMatch]) -> Iterator[_Found]:
    for sheet in sorted(stored.keys() | derived.keys()):
        old, new = (facts_of(side[sheet]) if sheet in side else None for side in (stored, derived))
        if old != new:
            yield _Found(sheet=sheet, what="rated match", stored=old, derived=new)


def _of_ratings(club_id: int, matches: Sequence[RatedMatch]) -> Iterator[_Found]:
    """Yield where the ratings are not what the matches that are kept make of them."""
    games = [(match, game) for match in matches for game in games_of(match)]
    rated = rate_games((game for _match, game in games), {})
    changes: list[tuple[int | None, ...]] = []
    now: dict[Subject, object] = {}
    for (match, _game), made in zip(games, rated, strict=True):
        changes += [change_row(match, change) for change in made]
        now |= {change.who: tuple(change.after) for change in made}
    rows = RatingChange.objects.filter(match__club=club_id).values_list(*CHANGE_COLUMNS)
    yield from _of_changes(_by_place(rows), _by_place(changes))
    current = {
        subject_of(row.partnership_id, row.player_id): (row.value, row.spread, row.matches)
        for row in CurrentRating.objects.filter(club=club_id)
    }
    for whose in sorted(current.keys() | now.keys()):
        if current.get(whose) != now.get(whose):
            yield _Found(whose=whose, what="rating", stored=current.get(whose), derived=now.get(whose))


_Place: TypeAlias = tuple[int, Subject, int]
"""Of a change: the match, whose it is, and its number."""


def _by_place(rows: Iterable[tuple[int | None, ...]]) -> dict[_Place, list[int | None]]:
    return {
        (match or 0, subject_of(pair_id, player_id), number or 0): values
        for match, pair_id, player_id, number, *values in rows
    }


def _of_changes(
    stored: Mapping[_Place, list[int | None]], derived: Mapping[_Place, list[int | None]]
) -> Iterator[_Found]:
    for place in sorted(stored.keys() | derived.keys()):
        old, new = stored.get(place), derived.get(place)
        if old != new:
            sheet, whose, number = place
            yield _Found(
                sheet=sheet, whose=whose, what=f"change {number} of the rating", stored=old, derived=new
            )


def _in_words(found: Sequence[_Found]) -> tuple[Difference, ...]:
    """Return the differences with the ids that people know. Three queries, none without a difference."""
    if not found:
        return ()
    sheets = dict(
        Scoresheet.objects.filter(pk__in={one.sheet for one in found if one.sheet}).values_list("pk", "uid")
    )
    people: dict[Subject, UUID] = {}
    rows: tuple[tuple[str, QuerySet[Any]], ...] = (
        ("partnership", Partnership.objects.all()),
        ("player", Player.objects.all()),
    )
    for kind, known in rows:
        ids = {one.whose[1] for one in found if one.whose is not None and one.whose[0] == kind}
        people |= {(kind, pk): uid for pk, uid in known.filter(pk__in=ids).values_list("pk", "uid")}
    return tuple(
        Difference(
            where=", ".join(
                [
                    *([f"scoresheet {sheets[one.sheet]}"] if one.sheet else []),
                    *([f"{one.whose[0]} {people[one.whose]}"] if one.whose else []),
                ]
            ),
            what=one.what,
            stored=str(one.stored),
            derived=str(one.derived),
        )
        for one in found
    )
