"""Everything that finishes a match, opens it again or makes it void."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.operations import advance_collection
from tournaments import queries
from tournaments.domain.match_courts import courts_that_count, leader_of
from tournaments.domain.plans import FormatName, LengthKind
from tournaments.domain.watching import must_have_winner
from tournaments.errors import (
    ChangedMeanwhile,
    DealsDisputed,
    FewerThanAgreed,
    LevelMatch,
    MatchGivenAway,
    UnknownState,
)
from tournaments.events import Event
from tournaments.models import Match, MatchState, Tournament
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked
from tournaments.operations.sittings import seat_next


@transaction.atomic(durable=True)
def set_match_state(
    *,
    actor: Actor,
    uid: UUID,
    state: str,
    at: datetime,
    version: int | None = None,
    act_id: UUID | None = None,
    even_short: bool = True,
) -> str:
    """Say that a match is finished, open again, or void, and return its tournament's address.

    Only finished matches count in the standings. A match that is so already stays as it is. ``version`` is the
    match's that this was decided on; None: whatever it is now. With ``even_short`` it is finished with fewer deals
    than were agreed, or with deals that are disputed, too, as the API does; a page asks first.

    :raises NotFound: if there is no such match.
    :raises Forbidden: if the actor may not record deals in the club, or for a void match not run tournaments.
    :raises UnknownState: if there is no such state.
    :raises FewerThanAgreed: if it is to be finished, lacks deals or courts that were agreed, and not ``even_short``.
    :raises DealsDisputed: if it is to be finished, its table does not agree on a deal, and not ``even_short``.
    :raises ChangedMeanwhile: if somebody changed the match to something else since that version.
    :raises LevelMatch: if the match is level and its winner goes on (law 13.2).
    :raises MatchGivenAway: if a ruling gave the match away: it is opened by taking that back.
    :raises TournamentIsFinal: if the standings are final.
    :raises ActReused: if the act's id was used for something else.
    """
    if state not in MatchState.values:
        raise UnknownState(_("There is no such state of a match."))
    slug = slug_of_match(uid)
    action = Action.MANAGE_TOURNAMENT if state == MatchState.VOID else Action.RECORD_DEAL
    tournament = locked(slug, actor=actor, action=action)
    match = Match.objects.select_related("round__session").get(uid=uid)
    if match.state == MatchState.VOID:
        require(actor, Action.MANAGE_TOURNAMENT, club_id=tournament.club_id)
    once(
        tournament,
        act_id=act_id,
        what="match-state",
        asked={"match": uid, "state": state, "version": version},
        at=at,
        carry_out=lambda: _set_state(actor, tournament, match, state, version, at, even_short=even_short),
    )
    return slug


def slug_of_match(uid: UUID) -> str:
    """Return the address of the match's tournament.

    :raises NotFound: if there is no such match.
    """
    slug = Match.objects.filter(uid=uid).values_list("round__tournament__slug", flat=True).first()
    if slug is None:
        raise NotFound
    return slug


def _set_state(
    actor: Actor,
    tournament: Tournament,
    match: Match,
    state: str,
    version: int | None,
    at: datetime,
    *,
    even_short: bool,
) -> Answer:
    if match.state == state:
        return {"version": match.version}
    if version is not None and version != match.version:
        raise ChangedMeanwhile(str(_NOW[MatchState(match.state)]) % {"table": match.table})
    if state == MatchState.FINISHED and not even_short:
        check_is_undisputed(tournament, match)
        check_is_long_enough(tournament, match, at)
    return change_state(actor, tournament, match, state, at)


def check_is_undisputed(tournament: Tournament, match: Match) -> None:
    """Raise where the match's table does not agree on a deal.

    :raises DealsDisputed: if it does not, with the deals' numbers.
    """
    disputes = queries.disputes_of(tournament, [match.scoresheet_id])
    if not disputes:
        return
    message = ngettext(
        "Deal %(numbers)s of table %(table)s is disputed. Is the match over all the same?",
        "Deals %(numbers)s of table %(table)s are disputed. Is the match over all the same?",
        len(disputes),
    )
    numbers = ", ".join(str(one.number) for one in disputes)
    raise DealsDisputed(message % {"numbers": numbers, "table": match.table})


def check_is_long_enough(tournament: Tournament, match: Match, at: datetime) -> None:
    """Raise where the match lacks deals or courts that were agreed, and no clock called time (laws 13.1, 13.3).

    :raises FewerThanAgreed: if it does, with how many it has.
    """
    agreed = queries.agreed_length(match.round.session, tournament)
    if agreed is None or agreed.kind is LengthKind.MINUTES or match.forfeit or match.adjusted_ns is not None:
        return
    (sheet,) = scoring.sheet_results([match.scoresheet_id])
    is_of_deals = agreed.kind is LengthKind.DEALS
    made = sheet.deals if is_of_deals else max(sheet.courts_ns, sheet.courts_ew)
    if made >= agreed.amount or queries.is_time_up(match, tournament, now=at):
        return
    message = (
        _("%(made)d of %(agreed)d agreed deals count at table %(table)s. Is the match over all the same?")
        if is_of_deals
        else _(
            "%(made)d of %(agreed)d agreed courts are made at table %(table)s. Is the match over all the same?"
        )
    )
    raise FewerThanAgreed(message % {"made": made, "agreed": agreed.amount, "table": match.table}, made=made)


def change_state(actor: Actor, tournament: Tournament, match: Match, state: str, at: datetime) -> Answer:
    """Set another state, in the caller's transaction, with the tournament locked.

    :raises LevelMatch: if the match is level and its winner goes on (law 13.2).
    :raises MatchGivenAway: if a ruling gave the match away.
    """
    if match.forfeit:
        raise MatchGivenAway(
            _("The match at table %(table)s was given away by a ruling. Take the ruling back to play it.")
            % {"table": match.table}
        )
    if state == MatchState.FINISHED:
        _check_has_winner(tournament, match)
    match.state = state
    match.finished_at = at if state == MatchState.FINISHED else None
    match.version += 1
    match.save(update_fields=["state", "finished_at", "version"])
    write_down(
        tournament,
        actor,
        Event.MATCH_STATE,
        at,
        {
            "round": match.round.number,
            "table": match.table,
            "state": state,
        },
    )
    if state != MatchState.OPEN:
        seat_next(actor=actor, tournament=tournament, at=at)
    advance_collection(collection_id=tournament.collection_id)
    return {"version": match.version}


def _check_has_winner(tournament: Tournament, match: Match) -> None:
    if not must_have_winner(FormatName(tournament.format), match.round.name):
        return
    (sheet,) = scoring.sheet_results([match.scoresheet_id])
    courts = courts_that_count((sheet.courts_ns, sheet.courts_ew), (match.adjusted_ns, match.adjusted_ew))
    if leader_of(courts) is None:
        raise LevelMatch(
            _(
                "Table %(table)s is level at %(courts)d courts each, and its winner goes on: "
                "play further deals until a court (law 13.2)."
            )
            % {"table": match.table, "courts": courts[0]}
        )


_NOW: Final[Mapping[MatchState, str | Promise]] = {
    MatchState.OPEN: gettext_lazy(
        "Nothing was changed: somebody opened the match at table %(table)s again. Look at it once more."
    ),
    MatchState.FINISHED: gettext_lazy(
        "Nothing was changed: somebody finished the match at table %(table)s before you."
    ),
    MatchState.VOID: gettext_lazy(
        "Nothing was changed: a director made the match at table %(table)s void before you."
    ),
}
