"""Everything that changes a drafted round by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Actor
from tournaments import queries, words
from tournaments.domain.pairing import Draw
from tournaments.domain.swapping import Drafted as ToSwap
from tournaments.domain.swapping import RemarkKind, Swap, SwapError, remarks, swap
from tournaments.errors import ChangedMeanwhile, NoSwap, ReasonNeeded, WishInTheWay
from tournaments.events import Event
from tournaments.models import Draft
from tournaments.operations.draws import (
    Drafted,
    draft_at,
    next_version,
    open_tournament,
    stored_draw,
)
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once
from tournaments.queries import LoadedState, SwapView

MOST_REASON: Final = 200
"""Letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapAsked:
    """What is to change places, and why."""

    first: int
    """The number of an entry."""
    second: int
    what: str
    """The value of a ``Swap``."""
    reason: str


@transaction.atomic(durable=True)
def swap_in_draft(
    *, actor: Actor, slug: str, version: int, asked: SwapAsked, act_id: UUID | None, at: datetime
) -> Drafted:
    """Let two entries of the drafted round change places, or the tables of their matches.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises ChangedMeanwhile: if the draft is not, or no longer, at that version.
    :raises ReasonNeeded: if no reason is given.
    :raises NoSwap: if they cannot change places.
    :raises WishInTheWay: if two would meet whom the director wants apart.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)

    def carry_out() -> Answer:
        draft = draft_at(tournament, version)
        loaded = queries.load_state(tournament)
        reason = clean_text(asked.reason)[:MOST_REASON]
        if not reason:
            raise ReasonNeeded(_("Say why the draw is changed: everybody can read it."))
        draft.draw = stored_draw(_swapped(draft, loaded, asked, reason), session=queries.session_of(draft))
        draft.version = next_version(tournament)
        draft.save(update_fields=["draw", "version"])
        write_down(
            tournament,
            actor,
            Event.DRAFT_CHANGED,
            at,
            {
                "round": draft.number,
                "swap": asked.what,
                "first": asked.first,
                "second": asked.second,
                "reason": asked.reason,
            },
        )
        return {"number": draft.number, "version": draft.version}

    question: Mapping[str, object] = {
        "version": version,
        "what": asked.what,
        "first": asked.first,
        "second": asked.second,
        "reason": asked.reason,
    }
    answer = once(tournament, act_id=act_id, what="swap-in-draft", asked=question, at=at, carry_out=carry_out)
    return Drafted(number=int(str(answer["number"])), version=int(str(answer["version"])))


def preview_swap(*, actor: Actor, slug: str, asked: SwapAsked) -> SwapView:
    """Return what a swap in the draft would change; nothing is saved, and no reason is needed.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    :raises ChangedMeanwhile: if there is no draft.
    :raises NoSwap: if they cannot change places.
    :raises WishInTheWay: if two would meet whom the director wants apart.
    """
    draft, loaded = queries.draft_for(slug, actor=actor)
    if draft is None:
        raise ChangedMeanwhile(_("There is no draft any more."))
    return queries.swap_view(draft, _swapped(draft, loaded, asked, clean_text(asked.reason)), loaded)


def _swapped(draft: Draft, loaded: LoadedState, asked: SwapAsked, reason: str) -> Draw:
    drafted = queries.drafted_of(draft, loaded)
    try:
        after = swap(drafted, asked.first, asked.second, what=Swap(asked.what), reason=reason)
    except (SwapError, ValueError) as error:
        raise NoSwap(_why_not(error, loaded)) from error
    _check_wishes(drafted, after, loaded)
    return after


def _why_not(error: Exception, loaded: LoadedState) -> str:
    if isinstance(error, SwapError):
        return words.no_swap_text(error, queries.names_of(loaded))
    return _("That cannot change places.")


def _check_wishes(drafted: ToSwap, after: Draw, loaded: LoadedState) -> None:
    known = remarks(drafted.draw, drafted.field)
    new = [
        remark
        for remark in remarks(after, drafted.field)
        if remark.kind is RemarkKind.FORBIDDEN and remark not in known
    ]
    if new:
        raise WishInTheWay(
            _("%(entries)s are to be kept apart. Lift that wish first.")
            % {"entries": words.named(new[0].entries, queries.names_of(loaded))}
        )
