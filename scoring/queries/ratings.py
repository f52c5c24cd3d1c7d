"""What partnerships and players are rated, and how it came to that."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet, Window
from django.db.models.functions import Rank

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.parts import Asked, PartOf, read_part
from courtpiece.accounts.permissions import Actor, Visibility
from scoring.derived import CurrentRating, RatedClub, RatedCollection, RatingChange
from scoring.domain.ratings import DRAWN, ESTABLISHED, LOST, UNIT, WON
from scoring.models import Partnership, Player
from scoring.queries.refs import (
    CollectionRef,
    PageOf,
    PairRef,
    PersonRef,
    collection_of,
    page_of,
    person,
    persons_ref,
    seated_pair,
)
from scoring.queries.whose import same_persons

SHOWN_CHANGES: Final = 40
"""Matches in the chart and in its table; the API has all."""
RESULTS: Final = {WON: "won", DRAWN: "drawn", LOST: "lost"}


class Rated(Enum):
    """Whose ratings are wanted."""

    PARTNERSHIPS = "partnerships"
    PLAYERS = "players"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingNow:
    """What somebody is rated, in whole points."""

    value: int
    spread: int
    """The strength is within so much of the value in two cases of three."""
    matches: int
    is_provisional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingLine:
    """A line of a list of ratings, of a partnership or of a player."""

    pair: PairRef | None = None
    """Whose it is; None where it is a player's."""
    player: PersonRef | None = None
    rating: RatingNow
    rank: int | None = None
    """1 is best, equals share one; None where it is provisional, or where the list does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChangeLine:
    """What one match did to a rating. Ratings are thousandths of a point, as they are kept."""

    number: int
    """The rated matches up to this one."""
    day: date
    scoresheet_uid: UUID
    collection: CollectionRef | None
    round: str
    mine: PairRef
    theirs: PairRef
    before: int
    spread_before: int
    expected: int
    """In thousandths of the match; a draw is half of it."""
    result: str
    """``won``, ``drawn`` or ``lost``."""
    after: int
    spread_after: int

    @property
    def gain(self) -> int:
        """How much the rating rose, in thousandths of a point."""
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingStory:
    """What somebody is rated, and what the last matches did to it, the earliest first."""

    now: RatingNow
    changes: tuple[RatingChangeLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubRatings:
    """The ratings of a club, those that are established and those that are provisional apart."""

    club_name: str
    club_slug: str
    rated: Rated
    established: PageOf[RatingLine]
    provisional: tuple[RatingLine, ...]
    """The first of them, by rating."""
    provisional_count: int


def rated_versions(collection_ids: Iterable[int]) -> dict[int, int]:
    """Return at which version the matches of each collection were rated; what never was is left out. One query."""
    return dict(RatedCollection.objects.filter(pk__in=list(collection_ids)).values_list("pk", "version"))


def rated_clubs() -> list[int]:
    """Return the ids of the clubs whose matches are rated. One query."""
    return list(RatedClub.objects.order_by("pk").values_list("pk", flat=True))


PROVISIONAL_SHOWN: Final = 50


def club_ratings(slug: str, *, rated: Rated, actor: Actor, page: int = 1) -> ClubRatings:
    """Return a page of the ratings of the club's partnerships or players, the best first. Five queries at most.

    Only public matches are rated, so that whoever may see the club may see them.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see it.
    """
    club = accounts.club_by_slug(slug, actor=actor)
    rows = _rows(rated).filter(club=club.id).order_by(*_best_first(rated))
    certain = rows.filter(matches__gte=ESTABLISHED).annotate(rank=Window(Rank(), order_by=F("value").desc()))
    some = list(rows.filter(matches__lt=ESTABLISHED)[:PROVISIONAL_SHOWN])
    return ClubRatings(
        club_name=club.name,
        club_slug=club.slug,
        rated=rated,
        established=page_of(certain, page, _line),
        provisional=tuple(map(_line, some)),
        provisional_count=len(some)
        if len(some) < PROVISIONAL_SHOWN
        else rows.filter(matches__lt=ESTABLISHED).count(),
    )


def _best_first(rated: Rated) -> tuple[str, str]:
    """Return the order of the lists. Rows are made anew whenever somebody is rated, so equals go by whose they are."""
    return "-value", f"{_COLUMN[rated]}_id"


def _rows(rated: Rated) -> QuerySet[CurrentRating]:
    # Who has no public match any more, or was merged, is left out before the sweep rates anew.
    column = _COLUMN[rated]
    shown = RatingChange.objects.filter(
        **{column: OuterRef(column)}, match__scoresheet__visibility=Visibility.PUBLIC
    )
    if rated is Rated.PLAYERS:
        of_players = CurrentRating.objects.filter(Exists(shown), player__isnull=False)
        return of_players.filter(player__merged_into=None).select_related("player")
    rows = CurrentRating.objects.filter(Exists(shown), partnership__isnull=False)
    return rows.select_related("partnership__first__merged_into", "partnership__second__merged_into")


def _line(row: CurrentRating) -> RatingLine:
    pair = row.partnership
    return RatingLine(
        rating=_now(row),
        pair=None if pair is None else persons_ref(pair),
        player=None if row.player is None else person(row.player),
        rank=getattr(row, "rank", None),
    )


def _now(row: CurrentRating) -> RatingNow:
    return RatingNow(
        value=round(row.value / UNIT),
        spread=round(row.spread / UNIT),
        matches=row.matches,
        is_provisional=row.matches < ESTABLISHED,
    )


def rating_list(
    slug: str, *, rated: Rated, actor: Actor, provisional: bool | None, asked: Asked
) -> PartOf[RatingLine]:
    """Return a part of the ratings of the club's partnerships or players, the best first. Two queries.

    With ``provisional`` only those that are, or that are not.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see it.
    :raises BadCursor: if the cursor is none of this list.
    """
    club = accounts.club_by_slug(slug, actor=actor)
    rows = _rows(rated).filter(club=club.id)
    if provisional is not None:
        rows = rows.filter(matches__lt=ESTABLISHED) if provisional else rows.filter(matches__gte=ESTABLISHED)
    return read_part(rows, _best_first(rated), lambda found: [_line(row) for row in found], asked=asked)


# -- one's own


def rating_story(uid: UUID, *, rated: Rated) -> RatingStory | None:
    """Return what somebody is rated and what the last matches did to it; None without a rated match. Five at most.

    Of a player who was merged it is that of the other. For who has decided that whose it is may be seen.
    """
    whose = _rated_as(uid, rated)
    row = _current(whose, rated)
    if row is None:
        return None
    last = list(_changes(whose, rated).order_by("-number")[:SHOWN_CHANGES])
    return RatingStory(now=_now(row), changes=tuple(map(_change_line, reversed(last))))


def rating_changes(
    uid: UUID, *, rated: Rated, asked: Asked
) -> tuple[RatingNow | None, PartOf[RatingChangeLine]]:
    """Return what somebody is rated, and a part of what each match did to it, the latest first. Five queries at most.

    Of a player who was merged it is that of the other. For who has decided that whose it is may be seen.

    :raises BadCursor: if the cursor is none of this list.
    """
    whose = _rated_as(uid, rated)
    row = _current(whose, rated)
    part = read_part(
        _changes(whose, rated), ("-number",), lambda found: [_change_line(one) for one in found], asked=asked
    )
    return (None if row is None else _now(row)), part


def _rated_as(uid: UUID, rated: Rated) -> int:
    """Return the id under which the player or the partnership is rated; 0: there is none. Three queries at most."""
    if rated is Rated.PLAYERS:
        player = Player.objects.filter(uid=uid).first()
        return 0 if player is None else player.merged_into_id or player.pk
    pair = Partnership.objects.select_related("first", "second").filter(uid=uid).first()
    return 0 if pair is None else min(same_persons(pair))


def _current(whose: int, rated: Rated) -> CurrentRating | None:
    return CurrentRating.objects.filter(**{_COLUMN[rated]: whose}).first()


_COLUMN: Final[Mapping[Rated, str]] = {Rated.PARTNERSHIPS: "partnership", Rated.PLAYERS: "player"}
_SEATED: Final = tuple(
    f"match__scoresheet__{name}" for name in ("collection", "ns", "ew", "north", "south", "east", "west")
)


def _changes(whose: int, rated: Rated) -> QuerySet[RatingChange]:
    """Return the changes of one's rating. What has just been hidden is left out before it is rated anew."""
    rows = RatingChange.objects.filter(
        **{_COLUMN[rated]: whose}, match__scoresheet__visibility=Visibility.PUBLIC
    )
    return rows.select_related(*_SEATED)


def _change_line(row: RatingChange) -> RatingChangeLine:
    match, sheet = row.match, row.match.scoresheet
    ns, ew = seated_pair(sheet, "ns"), seated_pair(sheet, "ew")
    is_ns = row.partnership_id in match.pairs[:1] or row.player_id in match.players[:2]
    return RatingChangeLine(
        number=row.number,
        day=match.day,
        scoresheet_uid=sheet.uid,
        collection=collection_of(sheet),
        round=sheet.round,
        mine=ns if is_ns else ew,
        theirs=ew if is_ns else ns,
        before=row.before,
        spread_before=row.spread_before,
        expected=row.expected,
        result=RESULTS[row.result],
        after=row.after,
        spread_after=row.spread_after,
    )
