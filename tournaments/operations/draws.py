"""Everything that draws a round, and makes it known."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from scoring.operations import advance_collection
from tournaments import queries, words
from tournaments.domain.draw_json import DrawJson, draw_to_json
from tournaments.domain.drawing import draw_round as draw_next_round
from tournaments.domain.pairing import Draw, PairingError
from tournaments.domain.plans import LeaguePlan
from tournaments.domain.steps import Next, NextStep
from tournaments.errors import (
    CannotDraw,
    ChangedMeanwhile,
    DraftInTheWay,
    NoPairing,
    ResultsChanged,
    TournamentIsFinal,
)
from tournaments.events import Event
from tournaments.models import Draft, Round, Session, Status, Tournament
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once
from tournaments.operations.publishing_rounds import DrawnRound, entered_pairs, make_rounds
from tournaments.operations.running import locked
from tournaments.queries import LoadedState

MOST_SEED: Final = 2**31 - 1
"""A seed is a whole number from 0 to this: short enough to be read out, and kept exactly by every database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A draft as it stands."""

    number: int
    """Of the round."""
    version: int


@transaction.atomic(durable=True)
def draft_round(
    *, actor: Actor, slug: str, act_id: UUID | None, seed: int, at: datetime, session: int | None = None
) -> Drafted:
    """Draw the next round and keep it as the tournament's draft: nobody else sees it yet.

    ``session`` is the number of the one in which it is played, which only a league asks; None: the one that
    goes on, or the next where that has had its rounds.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises DraftInTheWay: if a round is drafted already, by whomever.
    :raises CannotDraw: if something must happen before; the message names the tables.
    :raises NoPairing: if no round can be drawn of those who are there.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)

    def carry_out() -> Answer:
        _check_no_draft(tournament)
        drawn = draw_now(tournament, seed=seed, session=session, at=at)
        draft = Draft(tournament=tournament, version=next_version(tournament))
        keep_draft(draft, drawn, actor=actor, at=at)
        write_down(tournament, actor, Event.ROUND_DRAFTED, at, {"round": drawn.draw.number, "seed": seed})
        return {"number": draft.number, "version": draft.version}

    asked: Mapping[str, object] = {"seed": seed, "session": session}
    return _drafted(
        once(tournament, act_id=act_id, what="draft-round", asked=asked, at=at, carry_out=carry_out)
    )


@transaction.atomic(durable=True)
def redraw_round(
    *, actor: Actor, slug: str, version: int, act_id: UUID | None, seed: int, at: datetime
) -> Drafted:
    """Draw the drafted round anew, from everything that is known now. Changes by hand are lost.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises ChangedMeanwhile: if the draft is not, or no longer, at that version.
    :raises CannotDraw: if something must happen before; the message names the tables.
    :raises NoPairing: if no round can be drawn of those who are there.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)

    def carry_out() -> Answer:
        draft = draft_at(tournament, version)
        drawn = draw_now(tournament, seed=seed, session=queries.session_of(draft), at=at)
        draft.version = next_version(tournament)
        keep_draft(draft, drawn, actor=actor, at=at)
        write_down(tournament, actor, Event.ROUND_DRAFTED, at, {"round": draft.number, "seed": seed})
        return {"number": draft.number, "version": draft.version}

    asked: Mapping[str, object] = {"version": version, "seed": seed}
    return _drafted(
        once(tournament, act_id=act_id, what="redraw-round", asked=asked, at=at, carry_out=carry_out)
    )


@transaction.atomic(durable=True)
def discard_draft(*, actor: Actor, slug: str, version: int, at: datetime, act_id: UUID | None = None) -> None:
    """Throw the draft away: the tournament is as it was before. Where there is none nothing happens.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises ChangedMeanwhile: if the draft is no longer at that version.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry_out() -> Answer:
        if Draft.objects.filter(tournament=tournament).exists():
            draft = draft_at(tournament, version)
            write_down(tournament, actor, Event.DRAFT_DISCARDED, at, {"round": draft.number})
            draft.delete()
        return {}

    asked = {"version": version}
    once(tournament, act_id=act_id, what="discard-draft", asked=asked, at=at, carry_out=carry_out)


@transaction.atomic(durable=True)
def publish_round(
    *,
    actor: Actor,
    slug: str,
    version: int,
    session: int,
    act_id: UUID | None,
    at: datetime,
    confirmed: bool = False,
) -> int:
    """Make the drafted round known, and return its number: all of it, or nothing.

    ``session`` is the number of the one in which it is played; ``confirmed`` says that the draw is to stay as
    it is although results, or who is there, changed since.

    :raises NotFound: if there is no such tournament or session.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises ChangedMeanwhile: if the draft is not, or no longer, at that version.
    :raises ResultsChanged: if something changed since the round was drawn, and it is not confirmed.
    :raises SamePlayerTwice: if a player would sit at a table twice.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)

    def carry_out() -> Answer:
        draft = draft_at(tournament, version)
        loaded = queries.load_state(tournament)
        _check_fresh(draft, loaded, confirmed=confirmed)
        draw = queries.draw_of(draft)
        make_rounds(
            actor=actor,
            tournament=tournament,
            plan=loaded.plan,
            rounds=[
                DrawnRound(
                    draw=draw,
                    session=session_row(tournament, queries.session_of(draft) or session),
                    seed=draft.seed,
                )
            ],
            pairs=entered_pairs(tournament.pk),
            times_ns=queries.times_ns(loaded.state),
            at=at,
        )
        draft.delete()
        write_down(tournament, actor, Event.ROUND_PUBLISHED, at, {"round": draw.number, "seed": draft.seed})
        advance_collection(collection_id=tournament.collection_id)
        return {"number": draw.number}

    asked: Mapping[str, object] = {"version": version, "session": session, "confirmed": confirmed}
    answer = once(tournament, act_id=act_id, what="publish-round", asked=asked, at=at, carry_out=carry_out)
    return int(str(answer["number"]))


@transaction.atomic(durable=True)
def publish_next_round(
    *, actor: Actor, slug: str, act_id: UUID | None, seed: int, at: datetime, session: int | None = None
) -> int:
    """Draw the next round and make it known at once, and return its number: for programs, which look at no draft.

    ``session`` is the number of the one in which it is played; None: in a league the one that goes on, elsewhere that
    of the last round.

    :raises NotFound: if there is no such tournament or session.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises DraftInTheWay: if a round is drafted already, by whomever.
    :raises CannotDraw: if something must happen before; the message names the tables.
    :raises NoPairing: if no round can be drawn of those who are there.
    :raises SamePlayerTwice: if a player would sit at a table twice.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)

    def carry_out() -> Answer:
        _check_no_draft(tournament)
        loaded = queries.load_state(tournament)
        is_league = queries.has_sessions(loaded.plan)
        drawn = draw_now(tournament, seed=seed, session=session if is_league else None, at=at)
        row = session_row(tournament, drawn.session or session or _session_of_last_round(tournament))
        make_rounds(
            actor=actor,
            tournament=tournament,
            plan=loaded.plan,
            rounds=[DrawnRound(draw=drawn.draw, session=row, seed=seed)],
            pairs=entered_pairs(tournament.pk),
            times_ns=queries.times_ns(loaded.state),
            at=at,
        )
        write_down(tournament, actor, Event.ROUND_PUBLISHED, at, {"round": drawn.draw.number, "seed": seed})
        advance_collection(collection_id=tournament.collection_id)
        return {"number": drawn.draw.number}

    asked: Mapping[str, object] = {"seed": seed, "session": session}
    answer = once(tournament, act_id=act_id, what="publish-next", asked=asked, at=at, carry_out=carry_out)
    return int(str(answer["number"]))


def _check_no_draft(tournament: Tournament) -> None:
    there = Draft.objects.filter(tournament=tournament).first()
    if there is not None:
        raise DraftInTheWay(
            _("Round %(number)d is drafted already. Publish it, change it, or throw it away first.")
            % {"number": there.number}
        )


def _session_of_last_round(tournament: Tournament) -> int:
    rounds = Round.objects.filter(tournament=tournament).order_by("-number")
    return rounds.values_list("session__number", flat=True).first() or 1


# -- parts that the other operations of draws use too


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnNow:
    """A draw, and what it was made on."""

    draw: Draw
    seed: int
    version: int
    """The collection's."""
    session: int | None
    """In a league: the number of the one in which it is played."""


def open_tournament(slug: str, *, actor: Actor) -> Tournament:
    """Return the tournament's row, locked, for a change of its rounds.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if its standings are final.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    if tournament.status == Status.FINAL:
        raise TournamentIsFinal
    return tournament


def draw_now(tournament: Tournament, *, seed: int, session: int | None, at: datetime) -> DrawnNow:
    """Return the next round, drawn from everything that is known.

    :raises CannotDraw: if something must happen before.
    :raises NoPairing: if there is none.
    """
    loaded = queries.load_state(tournament)
    time_over = queries.is_evening_over(tournament, at)
    state, ahead = queries.ahead_of(loaded, session=session, time_over=time_over)
    names = queries.names_of(loaded)
    check_ready(ahead, names)
    try:
        draw = draw_next_round(loaded.plan, state)
    except PairingError as error:
        raise NoPairing(words.no_draw_text(error, names)) from error
    return DrawnNow(
        draw=draw,
        seed=seed,
        version=loaded.version,
        session=state.session if queries.has_sessions(loaded.plan) else None,
    )


def check_ready(ahead: Next, names: words.Names) -> None:
    """Raise unless a round can be drawn.

    :raises CannotDraw: if something must happen before, or the last round was drawn.
    """
    if ahead.step is NextStep.DRAW:
        return
    blocks = " ".join(words.block_text(block, names) for block in ahead.blocks)
    raise CannotDraw(blocks or _("There is no round left to be drawn."))


def next_version(tournament: Tournament) -> int:
    """Count on, and return the version of what a draft becomes. The tournament's row is locked by the caller.

    It goes on from one draft to the next, so that a page of a draft that was thrown away never fits a later one.
    """
    tournament.draft_version += 1
    tournament.save(update_fields=["draft_version"])
    return tournament.draft_version


def keep_draft(draft: Draft, drawn: DrawnNow, *, actor: Actor, at: datetime) -> None:
    """Save the draw in the draft's row."""
    stored = stored_draw(drawn.draw, session=drawn.session)
    draft.number = drawn.draw.number
    draft.seed = drawn.seed
    draft.drawn_on = drawn.version
    draft.draw = stored
    draft.drawn = stored
    draft.made_by_id = actor.user_id
    draft.made_at = at
    draft.save()


def stored_draw(draw: Draw, *, session: int | None) -> DrawJson:
    """Return the draw as a draft keeps it, with its session in a league."""
    stored = draw_to_json(draw)
    if session is not None:
        stored["session"] = session
    return stored


def draft_at(tournament: Tournament, version: int) -> Draft:
    """Return the tournament's draft.

    :raises ChangedMeanwhile: if there is none, or it is at another version.
    """
    draft = Draft.objects.filter(tournament=tournament).first()
    if draft is None:
        last = Round.objects.filter(tournament=tournament).order_by("-number").first()
        raise ChangedMeanwhile(
            _("There is no draft any more. No round was published.")
            if last is None
            else _("There is no draft any more. The last round published is round %(number)d.")
            % {"number": last.number}
        )
    if draft.version != version:
        raise ChangedMeanwhile(_("The draft was changed meanwhile. This is how it is now: look at it first."))
    return draft


def session_row(tournament: Tournament, number: int) -> Session:
    """Return the session of that number; a league's that is missing is made, so that it goes on.

    :raises NotFound: if there is no such session.
    """
    row = Session.objects.filter(tournament=tournament, number=number).first()
    if row is not None:
        return row
    plan = queries.plan_of(tournament)
    if not isinstance(plan, LeaguePlan) or not 1 <= number <= plan.sessions:
        raise NotFound
    return Session.objects.create(tournament=tournament, number=number)


# -- the steps


def _drafted(answer: Answer) -> Drafted:
    return Drafted(number=int(str(answer["number"])), version=int(str(answer["version"])))


def _check_fresh(draft: Draft, loaded: LoadedState, *, confirmed: bool) -> None:
    if confirmed:
        return
    if draft.drawn_on != loaded.version:
        raise ResultsChanged(
            _(
                "Results or entries changed since the round was drawn. Draw it again, or confirm that it stays."
            )
        )
    gone = queries.gone_of(queries.draw_of(draft), loaded.state)
    if gone:
        raise ResultsChanged(
            _("%(entries)s will not be there. Draw the round again, or confirm that it stays.")
            % {"entries": words.named(gone, queries.names_of(loaded))}
        )
