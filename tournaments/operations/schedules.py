"""Everything that publishes rounds which no result changes, and takes back one in which nothing was played."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Actor
from scoring.operations import SheetInUse, advance_collection, remove_unused_scoresheets
from tournaments import queries
from tournaments.domain.drawing import schedule_left
from tournaments.domain.pairing import PairingError
from tournaments.errors import CannotDraw, ChangedMeanwhile, DraftInTheWay, NoPairing, NoSuchRound, RoundInUse
from tournaments.events import Event, Happening
from tournaments.models import Bye, Draft, Match, Round, RoundClock, Session, Tournament
from tournaments.operations.draws import open_tournament, session_row
from tournaments.operations.happenings import tell_rounds
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once
from tournaments.operations.publishing_rounds import DrawnRound, EnteredPair, entered_pairs, make_rounds


@transaction.atomic(durable=True)
def publish_schedule(
    *, actor: Actor, slug: str, session: int, act_id: UUID | None, seed: int, at: datetime
) -> int:
    """Publish at once every round that is left of a schedule, and return how many: a round robin's, or the groups'.

    Whoever is away gives its matches of the first of them away only, whoever is gone those of all.

    :raises NotFound: if there is no such tournament or session.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises DraftInTheWay: if a round is drafted.
    :raises CannotDraw: if the format has no such rounds, or none is left.
    :raises NoPairing: if there are too few entries.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)

    def carry_out() -> Answer:
        if Draft.objects.filter(tournament=tournament).exists():
            raise DraftInTheWay(_("A round is drafted. Publish it or throw it away first."))
        row = session_row(tournament, session)
        made = make_schedule(
            actor=actor,
            tournament=tournament,
            session=row,
            pairs=entered_pairs(tournament.pk),
            seed=seed,
            at=at,
        )
        write_down(
            tournament,
            actor,
            Event.SCHEDULE_PUBLISHED,
            at,
            {"first": made[0].number, "rounds": len(made), "seed": seed},
        )
        return {"rounds": len(made)}

    asked: Mapping[str, object] = {"session": session, "seed": seed}
    answer = once(tournament, act_id=act_id, what="publish-schedule", asked=asked, at=at, carry_out=carry_out)
    return int(str(answer["rounds"]))


def make_schedule(
    *,
    actor: Actor,
    tournament: Tournament,
    session: Session,
    pairs: Mapping[int, EnteredPair],
    seed: int | None,
    at: datetime,
) -> tuple[Round, ...]:
    """Make every round that is left of the format's schedule, in the caller's transaction.

    :raises CannotDraw: if there is none.
    :raises NoPairing: if there are too few entries.
    """
    loaded = queries.load_state(tournament)
    try:
        draws = schedule_left(loaded.plan, loaded.state)
    except PairingError as error:
        raise NoPairing(_("There are too few pairs for a round: enter more.")) from error
    if not draws:
        raise CannotDraw(_("This format has no rounds that can be published before others are played."))
    made = make_rounds(
        actor=actor,
        tournament=tournament,
        plan=loaded.plan,
        rounds=[DrawnRound(draw=draw, session=session, seed=seed) for draw in draws],
        pairs=pairs,
        times_ns=queries.times_ns(loaded.state),
        at=at,
    )
    advance_collection(collection_id=tournament.collection_id)
    return made


@transaction.atomic(durable=True)
def take_back_round(
    *,
    actor: Actor,
    slug: str,
    number: int,
    act_id: UUID | None,
    at: datetime,
    round_uid: UUID | None = None,
) -> None:
    """Take back the round that was published last, as if it had not been: it can be drawn anew.

    Only while nothing was recorded in it and its clock was not started. Its matches and their empty scoresheets
    go with it; that it was there stays in the log. ``round_uid`` is the round as it was looked at: one of the same
    number that was published since is another one. None: whichever has that number.

    :raises NotFound: if there is no such tournament.
    :raises NoSuchRound: if it has no such round.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises ChangedMeanwhile: if it was taken back meanwhile, and another one was published.
    :raises RoundInUse: if a later round was published or drafted, the clock was started, or something was recorded.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = open_tournament(slug, actor=actor)

    def carry_out() -> Answer:
        row = Round.objects.filter(tournament=tournament, number=number).first()
        if row is None:
            raise NoSuchRound(number)
        if round_uid not in {None, row.uid}:
            raise ChangedMeanwhile(
                _("Round %(number)d was taken back meanwhile, and published anew. Look at it first.")
                % {"number": number}
            )
        _check_unused(tournament, row)
        _remove(actor, row)
        write_down(tournament, actor, Event.ROUND_TAKEN_BACK, at, {"round": number, "seed": row.seed})
        advance_collection(collection_id=tournament.collection_id)
        tell_rounds(tournament.collection_id, Happening.ROUND_TAKEN_BACK, at, [row])
        return {"number": number}

    asked = {"number": number, "round": round_uid}
    once(tournament, act_id=act_id, what="take-back", asked=asked, at=at, carry_out=carry_out)


def _check_unused(tournament: Tournament, row: Round) -> None:
    if Round.objects.filter(tournament=tournament, number__gt=row.number).exists():
        raise RoundInUse(_("A later round was published. Take that back first."))
    if Draft.objects.filter(tournament=tournament).exists():
        raise RoundInUse(_("The next round is drafted. Throw the draft away first."))
    if RoundClock.objects.filter(round=row, started_at__isnull=False).exists():
        raise RoundInUse(_("The clock of the round was started: it stays."))


def _remove(actor: Actor, row: Round) -> None:
    matches = Match.objects.filter(round=row)
    sheets = list(matches.values_list("scoresheet_id", flat=True))
    try:
        matches.delete()
        Bye.objects.filter(round=row).delete()
        RoundClock.objects.filter(round=row).delete()
        row.delete()
        remove_unused_scoresheets(actor=actor, scoresheet_ids=sheets)
    except (ProtectedError, SheetInUse) as error:
        raise RoundInUse(_("Something was recorded in the round: it stays.")) from error
