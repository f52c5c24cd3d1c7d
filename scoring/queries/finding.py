"""Players of a club, found by what somebody types of a name."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from uuid import UUID

from django.db.models import Q

from scoring.domain.spellings import begins_so
from scoring.models import Partnership, Player, Scoresheet
from scoring.names import NearDuplicate, near_duplicates, search_key

MOST_FOUND: Final = 8
MOST_PARTNERS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlayer:
    """A player whose name fits, with those of the partners that a search shows."""

    id: int
    uid: UUID
    name: str
    partners: tuple[str, ...]
    """The latest ones first, as many as a search shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOfPair:
    """A player by database id, to be named and compared."""

    id: int
    uid: UUID
    name: str
    user_id: int | None


def find_players(club_id: int, text: str, *, without: Collection[str] = ()) -> tuple[FoundPlayer, ...]:
    """Return the club's players in whose name every word of ``text`` stands, or sounds, in any script. Three queries.

    Names that begin with it come first, then those in which it stands, then those that sound so, by name; ``without``
    are names that are not wanted. An empty text finds nobody. Who was anonymised is not found. Two queries where
    enough are found as they are written.
    """
    words = search_key(text).split()
    if not words:
        return ()
    fits = Q()
    for word in words:
        fits &= Q(search_key__contains=word)
    known = Player.objects.filter(club=club_id, anonymised_at=None, merged_into=None)
    known = known.exclude(name__in=without)
    rows = known.filter(fits)
    key = " ".join(words)
    players = sorted(
        rows.order_by("name")[: 20 * MOST_FOUND],
        key=lambda player: (not player.search_key.startswith(key), player.name),
    )[:MOST_FOUND]
    if len(players) < MOST_FOUND:
        found = {player.pk for player in players}
        others = (player for player in known.order_by("name") if player.pk not in found)
        sounding = (player for player in others if begins_so(player.name, text))
        players += islice(sounding, MOST_FOUND - len(players))
    partners = _partners([player.pk for player in players])
    return tuple(
        FoundPlayer(id=player.pk, uid=player.uid, name=player.name, partners=tuple(partners[player.pk]))
        for player in players
    )


def partners_of(club_id: int, name: str) -> tuple[str, ...]:
    """Return the names of the known partners of the club's player of that name, the latest first. One query."""
    mine = Q(first__name=name) | Q(second__name=name)
    rows = Partnership.objects.filter(mine, club=club_id).select_related("first", "second").order_by("-pk")
    pairs = [(row.first, row.second) for row in rows[:MOST_FOUND]]
    others = [two if one.name == name else one for one, two in pairs]
    return tuple(other.name for other in others if other.anonymised_at is None)


def near_names(
    club_id: int, names: Sequence[str], *, decided: Collection[str] = ()
) -> tuple[NearDuplicate, ...]:
    """Return each of ``names`` that is new to the club with the known names that it nearly is. One query.

    Of two new ones the later is held beside the earlier. The ``decided`` ones are another person's: nothing is asked
    of them.
    """
    rows = Player.objects.filter(club=club_id, anonymised_at=None).order_by("pk")
    known = dict.fromkeys(rows.values_list("name", flat=True))
    new = [name for name in dict.fromkeys(names) if name not in known]
    place = {name: number for number, name in enumerate(new)}
    found = near_duplicates([name for name in new if name not in decided], [*known, *new])
    return tuple(near for near in found if place.get(near.existing, -1) < place[near.name])


def unknown_names(club_id: int, names: Iterable[str]) -> frozenset[str]:
    """Return those of the names that no player of the club has. One query."""
    wanted = frozenset(names)
    known = Player.objects.filter(club=club_id).values_list("name", "hidden_name")
    return wanted.difference(*known)


def likenesses(club_id: int, names: Iterable[str]) -> tuple[NearDuplicate, ...]:
    """Return each of these names, which the club may know, with other known names that it nearly is. One query."""
    rows = Player.objects.filter(club=club_id, anonymised_at=None).order_by("pk")
    return near_duplicates(dict.fromkeys(names), rows.values_list("name", flat=True))


def players_of_pairs(partnership_ids: Iterable[int]) -> dict[int, tuple[PlayerOfPair, PlayerOfPair]]:
    """Return the two players of each partnership, by its id. One query."""
    columns = ("id", "uid", "name", "user_id")
    of_both = (f"{side}__{column}" for side in ("first", "second") for column in columns)
    rows = Partnership.objects.filter(pk__in=set(partnership_ids)).values_list("pk", *of_both)

    def player(*values: Any) -> PlayerOfPair:
        return PlayerOfPair(**dict(zip(columns, values, strict=True)))

    return {pk: (player(*values[:4]), player(*values[4:])) for pk, *values in rows}


def players_by_id(player_ids: Iterable[int]) -> dict[int, PlayerOfPair]:
    """Return the players by id. One query."""
    return {row.pk: _player(row) for row in Player.objects.filter(pk__in=set(player_ids))}


def player_of_user(club_id: int, user_id: int) -> PlayerOfPair | None:
    """Return the club's player whose account it is, None without one. One query."""
    row = Player.objects.filter(club=club_id, user=user_id).first()
    return None if row is None else _player(row)


def seated_players(scoresheet_ids: Iterable[int]) -> dict[int, tuple[int, int, int, int]]:
    """Return who sits North, South, East and West of each scoresheet, by ids. One query."""
    rows = Scoresheet.objects.filter(pk__in=set(scoresheet_ids))
    return {pk: seats for pk, *seats in rows.values_list("pk", "north", "south", "east", "west")}  # type: ignore[misc]


def _player(row: Player) -> PlayerOfPair:
    return PlayerOfPair(id=row.pk, uid=row.uid, name=row.name, user_id=row.user_id)


def _partners(player_ids: Sequence[int]) -> defaultdict[int, list[str]]:
    wanted = set(player_ids)
    found: defaultdict[int, list[str]] = defaultdict(list)
    mine = Q(first__in=wanted) | Q(second__in=wanted)
    for row in Partnership.objects.filter(mine).select_related("first", "second").order_by("-pk"):
        for player, partner in ((row.first, row.second), (row.second, row.first)):
            names = found[player.pk]
            if player.pk in wanted and partner.anonymised_at is None and len(names) < MOST_PARTNERS:
                names.append(partner.name)
    return found
