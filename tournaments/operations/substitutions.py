"""Everything about players who sit in for others in one match."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.operations import LARGEST_ID
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.operations import find_or_make_player, seat_substitute
from tournaments.errors import ChangedMeanwhile, NearNames, ReasonNeeded, SitsElsewhere
from tournaments.events import Event
from tournaments.models import Match, MatchState, Substitution, Tournament
from tournaments.operations.log import record_change
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked

LONGEST_REASON = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """Who is to sit in for whom, and why."""

    absent_id: int
    """The player who sits there now."""
    substitute: str
    """By name: a known player's, or a new one's."""
    reason: str
    is_other: bool = False
    """Whether a new name that is nearly a known one is another person's."""
    played_all: bool = False
    """Whether the substitute played all deals that are recorded."""


@transaction.atomic(durable=True)
def substitute_player(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    match_uid: UUID,
    sitting: Sitting,
    at: datetime,
    version: int | None = None,
    act_id: UUID | None = None,
) -> None:
    """Let somebody sit in for a player of an entry in one match.

    The partnership and what the match counts stay.

    :raises NotFound: if there is no such tournament, or it has no such match of the entry of that number.
    :raises Forbidden: if the actor may not run its tournament.
    :raises TournamentIsFinal: if its standings are final.
    :raises ReasonNeeded: if there is no reason.
    :raises ChangedMeanwhile: if the match was changed since the version.
    :raises NotAtTheTable: if the player does not sit there.
    :raises SitsElsewhere: if the substitute plays at another table of the round, or for somebody at this one.
    :raises NearNames: if the name is nearly a known one, and nobody said that it is another person's.
    :raises NameRefused: if it cannot be a name.
    :raises SheetInUse: if deals are recorded, and nobody said that the substitute played all of them.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    match_of_entry = _match(tournament, entry, match_uid)
    reason = clean_text(sitting.reason)[:LONGEST_REASON]
    if not reason:
        raise ReasonNeeded(_("Say why somebody sits in."))

    def carry_out() -> Answer:
        match = _unchanged(match_of_entry, version)
        player_id = _substitute(tournament, actor, sitting, at)
        _check_free(match, player_id)
        seat_substitute(
            actor=actor,
            scoresheet_id=match.scoresheet_id,
            absent_id=sitting.absent_id,
            substitute_id=player_id,
            played_all=sitting.played_all,
        )
        _write(match, sitting.absent_id, player_id, reason, actor, at)
        _record(tournament, actor, Event.PLAYER_SUBSTITUTED, at, match, (sitting.absent_id, player_id))
        return {}

    asked = {"match": match_uid, "absent": sitting.absent_id, "substitute": sitting.substitute}
    once(tournament, act_id=act_id, what="player-substituted", asked=asked, at=at, carry_out=carry_out)


@transaction.atomic(durable=True)
def take_back_substitute(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    match_uid: UUID,
    absent_id: int,
    at: datetime,
    played_all: bool = False,
    act_id: UUID | None = None,
) -> None:
    """Give the player the seat back in which somebody sat in.

    :raises NotFound: if there is no such tournament, it has no such match of the entry of that number, or nobody sits
        in for that player.
    :raises Forbidden: if the actor may not run its tournament.
    :raises TournamentIsFinal: if its standings are final.
    :raises SheetInUse: if deals are recorded, and nobody said that the player played all of them.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    if absent_id > LARGEST_ID:
        raise NotFound
    match = _match(tournament, entry, match_uid)

    def carry_out() -> Answer:
        _give_back(tournament, actor, match, absent_id, at, played_all=played_all)
        return {}

    asked = {"match": match_uid, "absent": absent_id, "played_all": played_all}
    once(tournament, act_id=act_id, what="substitute-back", asked=asked, at=at, carry_out=carry_out)


def _give_back(
    tournament: Tournament, actor: Actor, match: Match, absent_id: int, at: datetime, *, played_all: bool
) -> None:
    row = Substitution.objects.filter(match=match, absent=absent_id).first()
    if row is None:
        raise NotFound
    seat_substitute(
        actor=actor,
        scoresheet_id=match.scoresheet_id,
        absent_id=row.substitute_id,
        substitute_id=row.absent_id,
        played_all=played_all,
    )
    people = (row.absent_id, row.substitute_id)
    row.delete()
    _touch(match)
    _record(tournament, actor, Event.SUBSTITUTE_TAKEN_BACK, at, match, people)


def _match(tournament: Tournament, entry: int, uid: UUID) -> Match:
    of_entry = Q(ns__number=entry) | Q(ew__number=entry)
    match = (
        Match.objects.filter(of_entry, uid=uid, round__tournament=tournament).select_related("round").first()
    )
    if match is None:
        raise NotFound
    return match


def _substitute(tournament: Tournament, actor: Actor, sitting: Sitting, at: datetime) -> int:
    decided = [sitting.substitute] if sitting.is_other else []
    near = scoring.near_names(tournament.club_id, [sitting.substitute], decided=decided)
    if near:
        raise NearNames(near)
    return find_or_make_player(actor=actor, club_id=tournament.club_id, name=sitting.substitute, at=at)


def _unchanged(match: Match, version: int | None) -> Match:
    if version is not None and match.version != version:
        raise ChangedMeanwhile(_("Somebody changed this match in the meantime. Look at it before you go on."))
    return match


def _check_free(match: Match, player_id: int) -> None:
    """Do nothing if the player sits nowhere in the round, matches apart that do not count."""
    others = Match.objects.filter(round=match.round_id).exclude(state=MatchState.VOID)
    seated = scoring.seated_players(others.values_list("scoresheet_id", flat=True))
    if any(player_id in seats for seats in seated.values()):
        raise SitsElsewhere(_("This player sits at a table of this round already."))


def _write(match: Match, absent_id: int, substitute_id: int, reason: str, actor: Actor, at: datetime) -> None:
    """Keep who sits in for whom. Another substitute after the first still sits in for the pair's player."""
    known = Substitution.objects.filter(match=match, substitute=absent_id).first()
    replaced = known.absent_id if known is not None else absent_id
    _touch(match)
    if known is not None and replaced == substitute_id:
        known.delete()
        return
    Substitution.objects.update_or_create(
        match=match,
        absent_id=replaced,
        defaults={
            "substitute_id": substitute_id,
            "reason": reason,
            "made_by_id": actor.user_id,
            "made_at": at,
        },
    )


def _touch(match: Match) -> None:
    match.version += 1
    match.save(update_fields=["version"])


def _record(
    tournament: Tournament, actor: Actor, event: Event, at: datetime, match: Match, people: tuple[int, int]
) -> None:
    uids = {pk: str(player.uid) for pk, player in scoring.players_by_id(people).items()}
    record_change(
        tournament,
        actor,
        event,
        at,
        {
            "round": match.round.number,
            "table": match.table,
            "absent": uids[people[0]],
            "substitute": uids[people[1]],
        },
    )
