"""Everything that makes a tournament, and changes what it was made with until it is played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import Detail, write_entry
from courtpiece.accounts.models import Club
from courtpiece.accounts.names import clean_name, clean_text
from courtpiece.accounts.permissions import Action, Actor, Visibility, require, unnarrowed
from courtpiece.accounts.queries import NotFound
from scoring.operations import (
    Pair,
    PairsFound,
    advance_collection,
    create_collection,
    describe_collection,
    find_or_make_partnerships,
)
from tournaments.domain.entering import MOST_ENTRIES
from tournaments.domain.plans import FormatPlan, LengthKind, MatchLength, format_of, plan_to_json
from tournaments.domain.scheme_json import points_to_json
from tournaments.errors import (
    ActReused,
    BadPairs,
    BadSessions,
    ChangedMeanwhile,
    PlanFrozen,
    SessionInUse,
    SlugTaken,
)
from tournaments.events import Event
from tournaments.models import Act, Draft, Format, Round, Session, Tournament
from tournaments.operations.log import record_change, write_down
from tournaments.operations.once import Answer, fingerprint_of, keep, once
from tournaments.operations.publishing_rounds import EnteredPair
from tournaments.operations.running import (
    clean_slug,
    enter_pairs,
    free_slug,
    locked,
    path_of,
)
from tournaments.operations.schedules import make_schedule
from tournaments.publishing import tell_room
from tournaments.queries import plan_of
from tournaments.schemes import (
    NewSession,
    NewTournament,
    check_ranking,
    check_tiebreaks,
    clean_rules,
    plan_fingerprint,
    scheme_of,
    sessions_fingerprint,
    sessions_of,
)

PAIR_OF_A_SINGLE: Final = 2
MOST_PAIRS: Final = 100
"""In one round robin, whose matches are all made at once: 9,900 of them when everybody meets twice."""
MOST_SESSIONS: Final = 200
_CREATE: Final = "create"
_ALL_AT_ONCE: Final = (Format.SINGLE, Format.ROUND_ROBIN)
"""The formats of which every round is made with the tournament, where its pairs are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A tournament that was made, and whom the club did not know before."""

    id: int
    slug: str
    pairs: PairsFound


@transaction.atomic(durable=True)
def create_tournament(
    *,
    actor: Actor,
    club_id: int,
    new: NewTournament,
    at: datetime,
    pairs: Sequence[tuple[str, str]] = (),
    cycles: int = 1,
    act_id: UUID | None = None,
    seed: int | None = None,
) -> Made:
    """Make a tournament; with its pairs, every round too of a single match and of a round robin.

    The same ``act_id`` again answers with the tournament that it made. ``cycles`` is asked where there is no plan.
    From the ``seed`` the first dealers of these rounds are drawn (law 3.1); None: the tables draw theirs.

    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises ActReused: if the id was used for something else, or with other values.
    :raises BadName: if the name is empty or too long.
    :raises BadSlug: if the address has anything but small letters, digits and single hyphens between them.
    :raises SlugTaken: if another tournament has the address.
    :raises BadRules: if there are no such rules.
    :raises BadScoring: if the ranking or a tie-break does not go with the format.
    :raises BadSessions: if there are more than two hundred.
    :raises BadPairs: if a single match is not between two pairs, a round robin is of one or of more than a hundred, or
        somebody stands there twice.
    :raises NameRefused: if a player's name cannot be one.
    :raises SamePlayerTwice: if the two names of a pair are one.
    """
    require(actor, Action.MANAGE_TOURNAMENT, club_id=club_id)
    fingerprint = _fingerprint_of(new, pairs, cycles)
    made_before = _made_by(act_id, club_id, fingerprint)
    if made_before is not None:
        return made_before
    _check_number(new, pairs)
    tournament = make_tournament(actor=actor, club_id=club_id, new=new, at=at)
    found = find_or_make_partnerships(actor=unnarrowed(actor), club_id=club_id, names=pairs, at=at)
    if pairs:
        _check_pairs(Format(tournament.format), found.pairs)
        _enter(actor, tournament, found.pairs, cycles, seed, at)
    _keep_act(act_id, tournament, fingerprint, at)
    return Made(id=tournament.pk, slug=tournament.slug, pairs=found)


def make_tournament(*, actor: Actor, club_id: int, new: NewTournament, at: datetime) -> Tournament:
    """Make a tournament without entries, in the caller's transaction.

    Raises what :func:`create_tournament` does.
    """
    require(actor, Action.MANAGE_TOURNAMENT, club_id=club_id)
    name = clean_name(new.name)
    slug = clean_slug(new.slug) if new.slug else free_slug(name)
    format_name = Format(format_of(new.plan).value if new.plan else new.format)
    check_ranking(format_name, new.scheme)
    check_tiebreaks(format_name, new.scheme)
    sessions = _checked_sessions(new.sessions)
    collection_id = create_collection(
        actor=actor,
        club_id=club_id,
        visibility=new.visibility,
        name=name,
        path=path_of(slug),
        cards_delay=timedelta(minutes=new.live_delay),
    )
    tournament = Tournament(
        slug=slug,
        club_id=club_id,
        name=name,
        collection_id=collection_id,
        format=format_name,
        plan=plan_to_json(new.plan) if new.plan else {},
        visibility=Visibility(new.visibility),
        rules=clean_rules(new.rules),
        ranking=new.scheme.ranking.value,
        points=dict(points_to_json(new.scheme.points)),
        tiebreaks=[code.value for code in new.scheme.tiebreaks],
        lot_seed=new.scheme.lot_seed,
        players_may_enter=new.players_may_enter,
        appeal_minutes=new.appeal_minutes,
        confirmation=new.confirmation,
        link_hours=new.link_hours,
        live_delay=new.live_delay,
        created_by_id=actor.user_id,
        created_at=at,
    )
    _save_new(tournament)
    _make_sessions(tournament, sessions)
    write_entry(
        actor=actor, what=Event.TOURNAMENT_CREATED, at=at, club_id=club_id, detail={"tournament": slug}
    )
    return tournament


@transaction.atomic(durable=True)
def publish_tournament(
    *, actor: Actor, slug: str, visibility: str, at: datetime, act_id: UUID | None = None
) -> None:
    """Say who sees a tournament.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises ActReused: if the id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT, even_final=True)

    def carry_out() -> Answer:
        if tournament.visibility != visibility:
            tournament.visibility = Visibility(visibility)
            tournament.save(update_fields=["visibility"])
            describe_collection(
                actor=actor,
                collection_id=tournament.collection_id,
                visibility=tournament.visibility,
                name=tournament.name,
                path=path_of(tournament.slug),
            )
            record_change(tournament, actor, Event.TOURNAMENT_PUBLISHED, at, {"visibility": visibility})
        return {}

    once(
        tournament,
        act_id=act_id,
        what="publish",
        asked={"visibility": visibility},
        at=at,
        carry_out=carry_out,
    )


@transaction.atomic(durable=True)
def change_plan(*, actor: Actor, slug: str, plan: FormatPlan, made_on: str, at: datetime) -> None:
    """Change the format or what was chosen of it, until the first round is drawn.

    ``made_on`` is the :func:`plan_fingerprint` of the plan that was looked at. The same again changes nothing.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises PlanFrozen: if a round is drafted or published.
    :raises ChangedMeanwhile: if somebody changed the plan since it was looked at.
    :raises BadScoring: if the ranking or a tie-break does not go with the new format.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    present = plan_of(tournament)
    if plan == present and tournament.plan:
        return
    if (
        Round.objects.filter(tournament=tournament).exists()
        or Draft.objects.filter(tournament=tournament).exists()
    ):
        raise PlanFrozen(_("A round is drawn: the format stays as it is. Take back the draft to change it."))
    if made_on != plan_fingerprint(present):
        raise ChangedMeanwhile(
            _("Somebody else changed the format meanwhile. It is shown as it is now: look at it, then save.")
        )
    tournament.format = Format(format_of(plan).value)
    tournament.plan = plan_to_json(plan)
    _check_scheme(tournament)
    tournament.save(update_fields=["format", "plan"])
    record_change(tournament, actor, Event.PLAN_CHANGED, at, {"format": tournament.format})


@transaction.atomic(durable=True)
def change_sessions(
    *, actor: Actor, slug: str, sessions: Sequence[NewSession], made_on: str, at: datetime
) -> None:
    """Change the sessions, add some at the end, or leave out the last ones that have no round.

    ``made_on`` is the :func:`sessions_fingerprint` of those that were looked at. The same again changes nothing.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises BadSessions: if there are more than two hundred.
    :raises ChangedMeanwhile: if somebody changed the sessions since they were looked at.
    :raises SessionInUse: if one would be left out that has rounds.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    wanted = _checked_sessions(sessions)
    rows = list(Session.objects.filter(tournament=tournament).order_by("number"))
    present = sessions_of(rows)
    if wanted == present:
        return
    if made_on != sessions_fingerprint(present):
        raise ChangedMeanwhile(
            _(
                "Somebody else changed the sessions meanwhile. They are shown as they are now: look at them, then save."
            )
        )
    _drop_sessions(rows[len(wanted) :])
    for row, session in zip(rows, wanted, strict=False):
        _fill(row, session)
    Session.objects.bulk_update(rows[: len(wanted)], ["place", "starts_at", "minutes", "deals", "courts"])
    _make_sessions(tournament, wanted[len(rows) :], first=len(rows) + 1)
    record_change(tournament, actor, Event.SESSIONS_CHANGED, at, {"sessions": len(wanted)})


@transaction.atomic(durable=True)
def change_entering(
    *, actor: Actor, slug: str, players_may_enter: bool, appeal_minutes: int, at: datetime
) -> None:
    """Say whether players may enter by themselves, and how long a ruling can be appealed.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    if (tournament.players_may_enter, tournament.appeal_minutes) == (players_may_enter, appeal_minutes):
        return
    tournament.players_may_enter = players_may_enter
    tournament.appeal_minutes = appeal_minutes
    tournament.save(update_fields=["players_may_enter", "appeal_minutes"])
    record_change(tournament, actor, Event.TOURNAMENT_CHANGED, at, {"appeal_minutes": appeal_minutes})


@transaction.atomic(durable=True)
def change_tables(
    *, actor: Actor, slug: str, confirmation: bool, link_hours: int | None, at: datetime
) -> None:
    """Say whether the other pair confirms each deal, and for how long links take deals (None: for ever).

    The links' hours count from the last thing that happened in their session. The same again changes nothing.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    if (tournament.confirmation, tournament.link_hours) == (confirmation, link_hours):
        return
    tournament.confirmation = confirmation
    tournament.link_hours = link_hours
    tournament.save(update_fields=["confirmation", "link_hours"])
    detail: Detail = {"confirmation": confirmation, "link_hours": link_hours}
    write_down(tournament, actor, Event.TABLES_CHANGED, at, detail)
    tell_room(tournament_id=tournament.pk)


# -- the steps


def _fingerprint_of(new: NewTournament, pairs: Sequence[tuple[str, str]], cycles: int) -> str:
    """Return what is another whenever another tournament is asked for. Lots are drawn anew with each request."""
    without_lots = replace(new, scheme=replace(new.scheme, lot_seed=None))
    return fingerprint_of(_CREATE, {"new": without_lots, "pairs": [*map(list, pairs)], "cycles": cycles})


def _made_by(act_id: UUID | None, club_id: int, fingerprint: str) -> Made | None:
    """Return what the act made; of two of the same id the second waits here until the first is done."""
    if act_id is None:
        return None
    if not Club.objects.select_for_update(no_key=True).filter(pk=club_id).exists():
        raise NotFound
    known = Act.objects.filter(pk=act_id).select_related("tournament").first()
    if known is None:
        return None
    if known.fingerprint != fingerprint or known.tournament.club_id != club_id:
        raise ActReused(_("This was sent before for something else. Load the page again."))
    return Made(
        id=known.tournament_id,
        slug=known.tournament.slug,
        pairs=PairsFound(pairs=(), players_made=(), partnerships_made=(), near_duplicates=()),
    )


def _keep_act(act_id: UUID | None, tournament: Tournament, fingerprint: str, at: datetime) -> None:
    if act_id is not None:
        keep(
            Act(
                id=act_id,
                tournament=tournament,
                what=_CREATE,
                fingerprint=fingerprint,
                answer={"slug": tournament.slug},
                made_at=at,
            )
        )


def _save_new(tournament: Tournament) -> None:
    try:
        with transaction.atomic():
            tournament.save()
    except IntegrityError as error:
        raise SlugTaken(_("Another tournament has this address. Choose another.")) from error


def _check_scheme(tournament: Tournament) -> None:
    scheme = scheme_of(tournament)
    check_ranking(tournament.format, scheme)
    check_tiebreaks(tournament.format, scheme)


def _checked_sessions(sessions: Sequence[NewSession]) -> tuple[NewSession, ...]:
    if len(sessions) > MOST_SESSIONS:
        raise BadSessions(_("A tournament has at most %(most)d sessions.") % {"most": MOST_SESSIONS})
    cleaned = tuple(
        NewSession(place=clean_text(one.place), starts_at=one.starts_at, length=one.length)
        for one in sessions
    )
    return cleaned or (NewSession(),)


def _make_sessions(tournament: Tournament, sessions: Sequence[NewSession], *, first: int = 1) -> None:
    rows = [Session(tournament=tournament, number=first + place) for place in range(len(sessions))]
    for row, session in zip(rows, sessions, strict=True):
        _fill(row, session)
    Session.objects.bulk_create(rows)


def _fill(row: Session, session: NewSession) -> None:
    row.place, row.starts_at = session.place, session.starts_at
    row.minutes = _amount(session.length, LengthKind.MINUTES)
    row.deals = _amount(session.length, LengthKind.DEALS)
    row.courts = _amount(session.length, LengthKind.COURTS)


def _amount(length: MatchLength | None, kind: LengthKind) -> int | None:
    return length.amount if length is not None and length.kind is kind else None


def _drop_sessions(rows: Sequence[Session]) -> None:
    used = Round.objects.filter(session__in=rows).order_by("session__number").first()
    if used is not None:
        raise SessionInUse(
            _("Round %(round)d is played in a session that would be gone.") % {"round": used.number}
        )
    Session.objects.filter(pk__in=[row.pk for row in rows]).delete()


def _check_number(new: NewTournament, pairs: Sequence[tuple[str, str]]) -> None:
    if len(pairs) > MOST_ENTRIES:
        raise BadPairs(_("A tournament has at most %(most)d pairs.") % {"most": MOST_ENTRIES})
    format_name = format_of(new.plan).value if new.plan else new.format
    if len(pairs) > MOST_PAIRS and format_name in _ALL_AT_ONCE:
        raise BadPairs(
            _("A round robin has at most %(most)d pairs; play it in groups.") % {"most": MOST_PAIRS}
        )


def _check_pairs(format: Format, pairs: Sequence[Pair]) -> None:  # noqa: A002 - the word of the design
    if len({pair.partnership_id for pair in pairs}) < len(pairs):
        raise BadPairs(_("A pair stands there twice."))
    players = [player for pair in pairs for player in pair.player_ids]
    if len(set(players)) < len(players):
        raise BadPairs(_("A player stands there in two pairs."))
    if format is Format.SINGLE and len(pairs) != PAIR_OF_A_SINGLE:
        raise BadPairs(_("One match is played by two pairs."))
    if format is Format.ROUND_ROBIN and len(pairs) < PAIR_OF_A_SINGLE:
        raise BadPairs(_("A round robin needs two pairs or more."))


def _enter(
    actor: Actor, tournament: Tournament, pairs: Sequence[Pair], cycles: int, seed: int | None, at: datetime
) -> None:
    if tournament.format in _ALL_AT_ONCE:
        _schedule(actor, tournament, pairs, cycles, seed, at)
        return
    enter_pairs(tournament, [pair.partnership_id for pair in pairs])
    advance_collection(collection_id=tournament.collection_id)


def _schedule(
    actor: Actor, tournament: Tournament, pairs: Sequence[Pair], cycles: int, seed: int | None, at: datetime
) -> None:
    """Make the rounds, the byes, the matches and their scoresheets; who sits North-South is the schedule's."""
    entries = enter_pairs(tournament, [pair.partnership_id for pair in pairs])
    if cycles != 1 and tournament.format == Format.ROUND_ROBIN and "cycles" not in tournament.plan:
        tournament.plan = {**tournament.plan, "cycles": cycles}
        tournament.save(update_fields=["plan"])
    seats = ((entries[pair.partnership_id], pair) for pair in pairs)
    make_schedule(
        actor=actor,
        tournament=tournament,
        session=Session.objects.get(tournament=tournament, number=1),
        pairs={entry.number: EnteredPair(entry_id=entry.pk, pair=pair) for entry, pair in seats},
        seed=seed,
        at=at,
    )
