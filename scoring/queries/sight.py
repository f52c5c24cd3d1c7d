"""Which deals count, and which scoresheets somebody may see."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from courtpiece.accounts.permissions import (
    ANONYMOUS,
    Action,
    Actor,
    Visibility,
    clubs_where,
    may,
    require,
)
from scoring.models import Deal, GameOffer, OfferState, Player, Scoresheet


def counting_deals() -> QuerySet[Deal]:
    """Return the deals that count: for results, standings, pages, exports and statistics alike.

    They are those somebody won, at their current revision. ``domain.ledgers.counts`` decides it when a deal is
    written.
    """
    return Deal.objects.filter(counts=True)


def visible_scoresheets(actor: Actor, action: Action = Action.LIST_TOURNAMENT) -> QuerySet[Scoresheet]:
    """Return the scoresheets that ``actor`` may see: in a list, or with another action, by their address.

    A game that is offered to a club is in no list of the club's until it is taken.
    """
    clubs = clubs_where(actor, action)
    if clubs is None:
        return Scoresheet.objects.all()
    for_all = [value for value in Visibility if may(ANONYMOUS, action, visibility=value)]
    seen = Q(visibility__in=for_all) | Q(club__in=clubs)
    if actor.user_id is not None and may(actor, action, visibility=Visibility.PRIVATE, is_participant=True):
        own = scoresheets_of_user(actor.user_id)
        seen |= Q(pk__in=own.values("pk")) | Q(collection__in=own.values("collection"))
    if may(actor, action, visibility=Visibility.PRIVATE, owner_id=actor.user_id):
        seen |= Q(owner=actor.user_id)
    return Scoresheet.objects.filter(seen)


def scoresheets_of_user(user_id: int) -> QuerySet[Scoresheet]:
    """Return the scoresheets of matches that the user sat at."""
    players = Player.objects.filter(Q(user_id=user_id) | Q(merged_into__user_id=user_id))
    return Scoresheet.objects.filter(seated(players))


def seated(players: QuerySet[Player] | Collection[int]) -> Q:
    """Return the condition that one of the players sat at the match."""
    return Q(north__in=players) | Q(south__in=players) | Q(east__in=players) | Q(west__in=players)


def collections_of_user(user_id: int) -> frozenset[int]:
    """Return the ids of the collections in which the user played. One query."""
    ids = scoresheets_of_user(user_id).exclude(collection=None).values_list("collection_id", flat=True)
    return frozenset(ids.distinct())


def _participates(actor: Actor, sheet: Scoresheet) -> bool:
    """Return whether the actor's user sat at the match or another of its collection. One query at most."""
    if actor.user_id is None or sheet.visibility == Visibility.PUBLIC or sheet.club_id is None:
        return False
    own = scoresheets_of_user(actor.user_id)
    together = Q(pk=sheet.pk)
    if sheet.collection_id is not None:
        together |= Q(collection=sheet.collection_id)
    return own.filter(together).exists()


def require_sight(actor: Actor, sheet: Scoresheet) -> None:
    """Do nothing if the actor may see the scoresheet. One query at most, for a user where it is not public.

    A game that is offered to a club is seen by who may take it.

    :raises Forbidden: if not.
    """
    if sheet.club_id is None and _is_offered_to(actor, sheet):
        return
    require(
        actor,
        Action.VIEW_TOURNAMENT,
        club_id=sheet.club_id,
        visibility=sheet.visibility,
        is_participant=_participates(actor, sheet),
        scoresheet_id=sheet.pk,
        owner_id=sheet.owner_id,
    )


def _is_offered_to(actor: Actor, sheet: Scoresheet) -> bool:
    """Return whether the actor may take the game that is no club's. One query at most."""
    clubs = clubs_where(actor, Action.TAKE_GAME)
    if not clubs or actor.user_id == sheet.owner_id:
        return False
    return GameOffer.objects.filter(scoresheet=sheet.pk, state=OfferState.OPEN, club__in=clubs).exists()
