"""Everything that says whom a director wants together, or apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Actor
from tournaments.errors import BadWish, ReasonNeeded, RoundDrawn
from tournaments.events import Event
from tournaments.models import Entry, EntryState, Tournament, Wish, WishKind
from tournaments.operations.draws import open_tournament
from tournaments.operations.listing import published_rounds
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once

MOST_REASON: Final = 200
"""Letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWish:
    """Two entries that a director wants together or apart, and why."""

    kind: str
    """The value of a ``WishKind``."""
    first: int
    """The number of an entry."""
    second: int
    round_number: int | None
    """None: in every round, which only entries that are to be apart can have."""
    reason: str


@transaction.atomic(durable=True)
def add_wish(*, actor: Actor, slug: str, wish: NewWish, act_id: UUID | None, at: datetime) -> int:
    """Keep a wish, for the draws from now on, and return its id. A draft that is there stays as it is.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises ReasonNeeded: if no reason is given.
    :raises BadWish: if it is not about two entries that play, is for every round and they are to meet, or one
        about these two in such a round is there.
    :raises RoundDrawn: if its round is published.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)
    asked: Mapping[str, object] = {
        "kind": wish.kind,
        "first": wish.first,
        "second": wish.second,
        "round": wish.round_number,
        "reason": wish.reason,
    }

    def carry_out() -> Answer:
        row = _checked(tournament, wish)
        row.made_by_id = actor.user_id
        row.made_at = at
        row.save()
        write_down(
            tournament,
            actor,
            Event.WISH_ADDED,
            at,
            {
                "kind": row.kind,
                "first": wish.first,
                "second": wish.second,
                "round": row.round_number,
                "reason": row.reason,
            },
        )
        return {"wish": row.pk}

    answer = once(tournament, act_id=act_id, what="add-wish", asked=asked, at=at, carry_out=carry_out)
    return int(str(answer["wish"]))


@transaction.atomic(durable=True)
def lift_wish(*, actor: Actor, slug: str, wish_id: int, at: datetime) -> None:
    """Take a wish away. One that is gone already stays gone.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    """
    tournament = open_tournament(slug, actor=actor)
    row = Wish.objects.filter(tournament=tournament, pk=wish_id).select_related("first", "second").first()
    if row is None:
        return
    write_down(
        tournament,
        actor,
        Event.WISH_LIFTED,
        at,
        {
            "kind": row.kind,
            "first": row.first.number,
            "second": row.second.number,
            "round": row.round_number,
            "reason": row.reason,
        },
    )
    row.delete()


def _checked(tournament: Tournament, wish: NewWish) -> Wish:
    reason = clean_text(wish.reason)[:MOST_REASON]
    if not reason:
        raise ReasonNeeded(_("Say why: it is shown with the draw."))
    if wish.kind not in WishKind.values:
        raise BadWish(_("There is no such wish."))
    if wish.first == wish.second:
        raise BadWish(_("Choose two different pairs."))
    if wish.kind == WishKind.TOGETHER and wish.round_number is None:
        raise BadWish(_("Two pairs can be wanted together in one round only."))
    if wish.round_number is not None and wish.round_number <= published_rounds(tournament):
        raise RoundDrawn(_("Round %(number)d is published already.") % {"number": wish.round_number})
    numbers = sorted((wish.first, wish.second))
    entries = list(
        Entry.objects.filter(tournament=tournament, number__in=numbers, state=EntryState.ACTIVE).order_by(
            "number"
        )
    )
    if len(entries) != len(numbers):
        raise BadWish(_("One of the two does not play in this tournament."))
    first, second = entries
    _check_new(tournament, first, second, wish.round_number)
    return Wish(
        tournament=tournament,
        kind=WishKind(wish.kind),
        first=first,
        second=second,
        round_number=wish.round_number,
        reason=reason,
    )


def _check_new(tournament: Tournament, first: Entry, second: Entry, round_number: int | None) -> None:
    same_round = Q() if round_number is None else Q(round_number=round_number) | Q(round_number__isnull=True)
    if Wish.objects.filter(same_round, tournament=tournament, first=first, second=second).exists():
        raise BadWish(_("There is a wish about these two already. Lift it first."))
