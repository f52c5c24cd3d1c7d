"""Whose matches are asked for: those of a player or a partnership, as the persons that they are, and against whom."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from courtpiece.accounts.queries import NotFound
from scoring.models import Partnership, Player
from scoring.queries.figures import Whose
from scoring.queries.refs import PairRef, PersonRef, person, persons_ref


@dataclass(frozen=True, slots=True)
class Opponent:
    """Against whom it is asked: a player, or a partnership."""

    ref: PersonRef | PairRef
    whose: Whose
    """All their matches."""


def person_of(uid: UUID) -> Player:
    """Return the player, or the one that they were merged into, with the club. One query.

    :raises NotFound: if there is none.
    """
    player = Player.objects.select_related("club", "merged_into__club").filter(uid=uid).first()
    if player is None:
        raise NotFound
    return player.merged_into or player


def whose_player(player: Player) -> Whose:
    """Return the matches at which the player, or whoever was merged into them, sat with anybody. One query."""
    ids = [player.pk, *Player.objects.filter(merged_into=player.pk).values_list("pk", flat=True)]
    return Whose(
        ns=Q(north__in=ids) | Q(south__in=ids),
        ew=Q(east__in=ids) | Q(west__in=ids),
        in_first_seat=Q(north__in=ids) | Q(east__in=ids),
    )


def whose_pair(pair: Partnership) -> Whose:
    """Return the matches of the two persons. As many queries as :func:`same_persons`."""
    ids = same_persons(pair)
    return Whose(ns=Q(ns__in=ids), ew=Q(ew__in=ids))


def same_persons(pair: Partnership) -> list[int]:
    """Return the ids of the partnerships of the same two persons. One query; two where one of them was merged."""
    roots = {player.merged_into_id or player.pk for player in (pair.first, pair.second)}
    merged = dict(Player.objects.filter(merged_into__in=roots).values_list("pk", "merged_into"))
    if not merged:
        return [pair.pk]
    everyone = {**{pk: pk for pk in roots}, **merged}
    pairs = Partnership.objects.filter(first__in=everyone, second__in=everyone)
    rows = pairs.values_list("pk", "first_id", "second_id")
    return [pk for pk, first, second in rows if {everyone[first], everyone[second]} == roots]


def opponent_of(uid: UUID) -> Opponent:
    """Return the player or the partnership of that id. Two or three queries.

    Who was merged is the player that they turned out to be, also as one of a partnership.

    :raises NotFound: if there is neither.
    """
    rows = Partnership.objects.select_related("first__merged_into", "second__merged_into")
    pair = rows.filter(uid=uid).first()
    if pair is not None:
        return Opponent(persons_ref(pair), whose_pair(pair))
    player = person_of(uid)
    return Opponent(person(player), whose_player(player))
