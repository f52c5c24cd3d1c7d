"""Everything that closes rounds and the tournament, and opens them again.

The standings go one way: provisional; closed for results, with a time for appeals; official, when it is over; final.
What is final the database keeps from every write (``courtpiece.accounts.guards``), and only an owner opens it again.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from scoring.operations import lock_collection, unlock_collection
from tournaments import queries
from tournaments.errors import NotYet, ReasonNeeded
from tournaments.events import Event, Happening
from tournaments.models import (
    Draft,
    Match,
    MatchState,
    Round,
    RoundState,
    Ruling,
    RulingKind,
    Status,
    Tournament,
)
from tournaments.operations.appeals import open_appeals
from tournaments.operations.clocks import end_clocks
from tournaments.operations.happenings import tell
from tournaments.operations.log import record_change
from tournaments.operations.once import Answer, once
from tournaments.operations.rulings import keep_note
from tournaments.operations.running import locked

DONE: Final[Answer] = {}


# -- rounds


@transaction.atomic(durable=True)
def close_round(*, actor: Actor, slug: str, number: int, at: datetime, act_id: UUID | None = None) -> None:
    """Close a round: all its matches are over.

    :raises NotFound: if there is no such tournament or round.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if its standings are final.
    :raises NotYet: if a match of it is open; the tables are named.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry() -> Answer:
        row = _round(tournament, number)
        if row.state == RoundState.CLOSED:
            return DONE
        matches = Match.objects.filter(round=row)
        _require_over(matches)
        _require_undisputed(tournament, matches)
        _close([row], at)
        record_change(tournament, actor, Event.ROUND_CLOSED, at, {"round": number})
        return DONE

    once(tournament, act_id=act_id, what="close-round", asked={"round": number}, at=at, carry_out=carry)


@transaction.atomic(durable=True)
def reopen_round(
    *, actor: Actor, slug: str, number: int, reason: str, at: datetime, act_id: UUID | None = None
) -> None:
    """Open a closed round again.

    :raises NotFound: if there is no such tournament or round.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if its standings are final.
    :raises ReasonNeeded: if there is no reason.
    :raises NotYet: if the tournament is closed for results: that is opened first.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    why = _reason(reason)

    def carry() -> Answer:
        row = _round(tournament, number)
        if row.state != RoundState.CLOSED:
            return DONE
        if tournament.appeals_until is not None:
            raise NotYet(_("The tournament is closed for results. Open it again first."))
        row.state, row.closed_at = RoundState.PUBLISHED, None
        row.save(update_fields=["state", "closed_at"])
        record_change(tournament, actor, Event.ROUND_REOPENED, at, {"round": number, "reason": why})
        return DONE

    asked = {"round": number, "reason": reason}
    once(tournament, act_id=act_id, what="reopen-round", asked=asked, at=at, carry_out=carry)


def _round(tournament: Tournament, number: int) -> Round:
    row = Round.objects.filter(tournament=tournament, number=number).first()
    if row is None:
        raise NotFound
    return row


def _require_over(matches: QuerySet[Match]) -> None:
    open_ones = matches.filter(state=MatchState.OPEN).values_list("round__number", "table")
    places = sorted(open_ones, key=lambda place: (place[0], queries.table_key(place[1])))
    if not places:
        return
    named = ", ".join(
        _("round %(round)d table %(table)s") % {"round": number, "table": table} for number, table in places
    )
    message = ngettext(
        "A match is still open: %(places)s. Finish it, make it void or rule on it first.",
        "Matches are still open: %(places)s. Finish them, make them void or rule on them first.",
        len(places),
    )
    raise NotYet(message % {"places": named})


def _require_undisputed(tournament: Tournament, matches: QuerySet[Match]) -> None:
    if not tournament.confirmation:
        return
    rows = matches.values_list("scoresheet_id", "round__number", "table")
    places = {sheet: (number, table) for sheet, number, table in rows}
    disputes = queries.disputes_of(tournament, places)
    if not disputes:
        return
    named = ", ".join(
        _("round %(round)d table %(table)s deal %(deal)d")
        % {"round": round_number, "table": table, "deal": one.number}
        for one in disputes
        for round_number, table in [places[one.scoresheet_id]]
    )
    message = ngettext(
        "A deal is disputed: %(places)s. Correct it, rule on it, or say in the room that it stands.",
        "Deals are disputed: %(places)s. Correct them, rule on them, or say in the room that they stand.",
        len(disputes),
    )
    raise NotYet(message % {"places": named})


def _close(rounds: Iterable[Round], at: datetime) -> None:
    for row in rounds:
        row.state, row.closed_at = RoundState.CLOSED, at
        row.save(update_fields=["state", "closed_at"])


# -- the tournament


@transaction.atomic(durable=True)
def close_for_results(*, actor: Actor, slug: str, at: datetime, act_id: UUID | None = None) -> datetime:
    """Close the tournament for results, with its rounds and clocks; return until when a result can be disputed.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if its standings are final.
    :raises NotYet: if a match is open, a deal is disputed, or a round is drafted.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry() -> Answer:
        if tournament.appeals_until is not None:
            return {"until": tournament.appeals_until.isoformat()}
        matches = Match.objects.filter(round__tournament=tournament)
        _require_over(matches)
        _require_undisputed(tournament, matches)
        if Draft.objects.filter(tournament=tournament).exists():
            raise NotYet(_("A round is drawn and not published. Publish it, or take the draw back first."))
        _close(Round.objects.filter(tournament=tournament).exclude(state=RoundState.CLOSED), at)
        end_clocks(tournament, actor=actor, at=at)
        until = at + timedelta(minutes=tournament.appeal_minutes)
        _set(tournament, {"appeals_until": until})
        record_change(tournament, actor, Event.CLOSED_FOR_RESULTS, at, {"until": until.isoformat()})
        return {"until": until.isoformat()}

    answer = once(tournament, act_id=act_id, what="close", asked={}, at=at, carry_out=carry)
    return datetime.fromisoformat(str(answer["until"]))


@transaction.atomic(durable=True)
def make_official(*, actor: Actor, slug: str, at: datetime, act_id: UUID | None = None) -> None:
    """Make the standings official: the time for appeals is over, and each is decided.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if they are final.
    :raises NotYet: if it is not closed for results, its time or a ruling's for appeals runs, or an appeal is open.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry() -> Answer:
        if tournament.status == Status.OFFICIAL:
            return DONE
        if tournament.appeals_until is None:
            raise NotYet(_("Close the tournament for results first: from then on it can be appealed."))
        _require_appeals_over(tournament, at, until=tournament.appeals_until)
        _set(tournament, {"status": Status.OFFICIAL.value})
        record_change(tournament, actor, Event.STANDINGS_STATUS, at, {"status": Status.OFFICIAL.value})
        return DONE

    once(tournament, act_id=act_id, what="make-official", asked={}, at=at, carry_out=carry)


@transaction.atomic(durable=True)
def make_final(*, actor: Actor, slug: str, at: datetime, act_id: UUID | None = None) -> None:
    """Make official standings final: from then on the database takes no write of the tournament.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises NotYet: if they are not official, a ruling's time for appeals runs, or an appeal is open.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT, even_final=True)

    def carry() -> Answer:
        if tournament.status == Status.FINAL:
            return DONE
        if tournament.status != Status.OFFICIAL:
            raise NotYet(_("Make the standings official first."))
        _require_over(Match.objects.filter(round__tournament=tournament))
        _require_appeals_over(tournament, at, until=None)
        _set(tournament, {"status": Status.FINAL.value})
        lock_collection(collection_id=tournament.collection_id)
        record_change(tournament, actor, Event.STANDINGS_STATUS, at, {"status": Status.FINAL.value})
        tell(tournament.collection_id, Happening.TOURNAMENT_FINAL, at, {"status": Status.FINAL.value})
        return DONE

    once(tournament, act_id=act_id, what="make-final", asked={}, at=at, carry_out=carry)


@transaction.atomic(durable=True)
def reopen_tournament(
    *, actor: Actor, slug: str, reason: str, at: datetime, act_id: UUID | None = None
) -> None:
    """Make the standings provisional again, with a reason that everybody can read among the rulings.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club; if they are final, if he does not own it.
    :raises ReasonNeeded: if there is no reason.
    :raises ActReused: if the act's id was used for something else.
    """
    is_final = Tournament.objects.filter(slug=slug, status=Status.FINAL).exists()
    action = Action.REOPEN_TOURNAMENT if is_final else Action.MANAGE_TOURNAMENT
    tournament = locked(slug, actor=actor, action=action, even_final=is_final)
    why = _reason(reason)

    def carry() -> Answer:
        if tournament.status == Status.PROVISIONAL and tournament.appeals_until is None:
            return DONE
        was = tournament.status
        _set(tournament, {"status": Status.PROVISIONAL.value, "appeals_until": None})
        unlock_collection(collection_id=tournament.collection_id)
        if was != Status.PROVISIONAL:
            keep_note(tournament, actor=actor, kind=RulingKind.REOPENED, reason=why, at=at)
        detail: Detail = {"was": was, "reason": why}
        record_change(tournament, actor, Event.TOURNAMENT_REOPENED, at, detail)
        told: dict[str, object] = {"status": Status.PROVISIONAL.value}
        tell(tournament.collection_id, Happening.TOURNAMENT_REOPENED, at, told)
        return DONE

    once(tournament, act_id=act_id, what="reopen", asked={"reason": reason}, at=at, carry_out=carry)


def _set(tournament: Tournament, columns: dict[str, object]) -> None:
    for name, value in columns.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(columns))


def _require_appeals_over(tournament: Tournament, at: datetime, *, until: datetime | None) -> None:
    waiting = open_appeals(tournament)
    if waiting:
        named = ", ".join(map(str, waiting))
        message = ngettext(
            "An appeal is open, against ruling %(numbers)s. Decide it first.",
            "Appeals are open, against rulings %(numbers)s. Decide them first.",
            len(waiting),
        )
        raise NotYet(message % {"numbers": named})
    of_rulings = Ruling.objects.filter(
        tournament=tournament, appeal_until__gt=at, taken_back_by__isnull=True, appeal_steps__isnull=True
    )
    times = [*of_rulings.values_list("appeal_until", flat=True), until]
    last = max((time for time in times if time is not None and time > at), default=None)
    if last is not None:
        time = queries.moment_there(tournament, last)
        raise NotYet(_("It can be appealed until %(time)s. Wait until then.") % {"time": time})


def _reason(text: str) -> str:
    why = clean_text(text)
    if not why:
        raise ReasonNeeded(_("Say why: everyone who reads the standings can see the reason."))
    return why
