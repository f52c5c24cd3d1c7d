"""Everything by which a table confirms what was entered there, or disputes it, and a director settles that.

What is said is kept as it was said, under the id that its device made: like a revision it is its own trace, and a
dispute stands in the club's log besides.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor, Forbidden, TableGrant, require
from courtpiece.accounts.queries import NotFound
from courtpiece.notation import first_difference, read
from scoring import queries as scoring
from scoring.operations import Became, DealAnswer, OperationReused, RevisionConflict
from scoring.queries import CurrentDeal
from tournaments import queries
from tournaments.domain.confirming import AnswerFault, Entered, Holder, Verdict, why_not
from tournaments.domain.confirming import Confirmation as State
from tournaments.errors import (
    LinkExpired,
    LinkRevoked,
    NoSuchDeal,
    NotAsked,
    NotDisputed,
    NothingToConfirm,
    OwnEntry,
    ReasonNeeded,
    SaidOut,
    SameVersion,
    TournamentIsFinal,
)
from tournaments.events import Event
from tournaments.models import Confirmation, EnteredRevision, Match, Status, Tournament
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked
from tournaments.publishing import tell_room
from tournaments.queries import DealConfirmation, LinkState

MOST_SAID: Final = 10
"""By a side of one revision: who changes their mind more often talks to the director."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidOfDeal:
    """What a device says of a deal that the other pair entered."""

    operation_id: UUID
    scoresheet: UUID
    deal: UUID
    revision: int
    """The one that was looked at."""
    device: UUID
    holder: Holder
    pcn: str = ""
    """Of a dispute: what this side has in its place; empty where it does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """What became of it."""

    became: Became
    """``created``, or ``duplicate`` where it was said before."""
    confirmation: DealConfirmation | None
    """How far the deal is confirmed now; None where nobody is asked any more."""


# -- what tables say


@transaction.atomic(durable=True)
def confirm_deal(*, actor: Actor, said: SaidOfDeal, at: datetime) -> Confirmed:
    """Say that a deal was as the other pair entered it. The same operation again gives the same answer.

    :raises Forbidden: if the actor does not come with the link of the deal's table.
    :raises NotFound: if there is no such scoresheet, or no such deal in it.
    :raises LinkRevoked: if the link was revoked.
    :raises LinkExpired: if its time is over.
    :raises TournamentIsFinal: if the standings are final.
    :raises NotAsked: if the tournament does not ask for confirmations.
    :raises RevisionConflict: if another revision stands now.
    :raises NothingToConfirm: if the one that stands was not entered at the table.
    :raises OwnEntry: if the same device entered it, or one of the same pair.
    :raises SaidOut: if that side has said its last word of that revision.
    :raises OperationReused: if the operation's id came before with something else.
    """
    return _say(actor, said, Verdict.AGREE, at)


@transaction.atomic(durable=True)
def dispute_deal(*, actor: Actor, said: SaidOfDeal, at: datetime) -> Confirmed:
    """Say that a deal was not as the other pair entered it, and perhaps how it was.

    :raises RecordRefused: if that version is not one record of this deal that could be written.
    :raises SameVersion: if it says just what is recorded.
    :raises CourtPieceError: whatever ``confirm_deal`` raises.
    """
    return _say(actor, said, Verdict.DISPUTE, at)


def _say(actor: Actor, said: SaidOfDeal, verdict: Verdict, at: datetime) -> Confirmed:
    if actor.table is None:
        raise Forbidden(Action.RECORD_DEAL)
    place = queries.places_of_sheets([said.scoresheet]).get(said.scoresheet)
    if place is None or place.tournament_id is None:
        raise NotFound
    require(actor, Action.RECORD_DEAL, club_id=place.club_id, scoresheet_id=place.scoresheet_id)
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=place.tournament_id)
    state = queries.link_state(actor.table.link_id, hours=tournament.link_hours, now=at)
    if state is LinkState.REVOKED:
        raise LinkRevoked
    known = Confirmation.objects.select_related("entered").filter(operation_id=said.operation_id).first()
    if known is not None:
        _check_same(known, said, verdict, place.scoresheet_id)
        return Confirmed(became=Became.DUPLICATE, confirmation=_stand(tournament, known.entered))
    if state is LinkState.EXPIRED:
        raise LinkExpired
    entered = _entered(tournament, place.scoresheet_id, said)
    if _is_said_out(entered, said.holder):
        raise SaidOut
    pcn = _version(place.scoresheet_id, said) if said.pcn else ""
    _keep(actor.table, entered, said, verdict, pcn, at)
    if verdict is Verdict.DISPUTE:
        _write_down_dispute(tournament, actor, entered, said, at)
    tell_room(tournament_id=tournament.pk)
    return Confirmed(became=Became.CREATED, confirmation=_stand(tournament, entered))


def _check_same(known: Confirmation, said: SaidOfDeal, verdict: Verdict, scoresheet_id: int) -> None:
    of = known.entered
    kept = (of.scoresheet_id, of.deal_uid, of.revision, known.device, known.holder, known.verdict)
    sent = (scoresheet_id, said.deal, said.revision, said.device, said.holder.value, verdict.value)
    if kept != sent or not _is_same_version(known.pcn, said.pcn):
        raise OperationReused(said.operation_id)


def _is_same_version(kept: str, sent: str) -> bool:
    """Return whether what was sent is the deal that was kept, whatever its scoresheet is called by now."""
    if not kept or not sent:
        return kept == sent
    one, other = next(read(kept)).record, next(read(sent)).record
    return one is not None and other is not None and first_difference(one, other) is None


def _is_said_out(entered: EnteredRevision, holder: Holder) -> bool:
    """Return whether one side has said so much of a revision that no more is kept: every look reads all of it."""
    return Confirmation.objects.filter(entered=entered, holder=holder.value).count() >= MOST_SAID


def _entered(tournament: Tournament, scoresheet_id: int, said: SaidOfDeal) -> EnteredRevision:
    """Return by whom the revision was entered of which something is said."""
    if tournament.status == Status.FINAL:
        raise TournamentIsFinal
    if not tournament.confirmation:
        raise NotAsked
    deal = scoring.current_deals([scoresheet_id]).get(said.deal)
    if deal is None:
        raise NoSuchDeal
    if deal.revision != said.revision:
        raise _conflict(deal, said)
    entered = EnteredRevision.objects.filter(deal_uid=said.deal, revision=said.revision).first()
    if entered is None:
        raise NothingToConfirm
    fault = why_not(_by(entered), device=said.device, holder=said.holder)
    if fault is not None:
        raise OwnEntry(str(_FAULTS[fault]))
    return entered


def _by(entered: EnteredRevision) -> Entered:
    return Entered(device=entered.device, holder=Holder(entered.holder) if entered.holder else None)


_FAULTS: Final[dict[AnswerFault, str | Promise]] = {
    AnswerFault.OWN_DEVICE: gettext_lazy(
        "This deal was entered on this phone: the other pair confirms it on its own. To change it, enter it again."
    ),
    AnswerFault.OWN_SIDE: gettext_lazy(
        "Your own pair entered this deal: the other pair confirms it. To change it, enter it again."
    ),
}


def _conflict(deal: CurrentDeal, said: SaidOfDeal) -> RevisionConflict:
    return RevisionConflict(
        deal_uid=deal.uid,
        number=deal.number,
        revision=deal.revision,
        current=scoring.current_texts([deal.uid])[deal.uid],
        offered=said.pcn,
    )


def _version(scoresheet_id: int, said: SaidOfDeal) -> str:
    """Return what the side has in the place of what is recorded, as it is kept."""
    number = scoring.current_deals([scoresheet_id])[said.deal].number
    pcn = scoring.offered_text(scoresheet_id, number, said.pcn)
    if pcn == scoring.current_texts([said.deal])[said.deal]:
        raise SameVersion
    return pcn


def _keep(
    table: TableGrant,
    entered: EnteredRevision,
    said: SaidOfDeal,
    verdict: Verdict,
    pcn: str,
    at: datetime,
) -> None:
    try:
        with transaction.atomic():
            Confirmation(
                operation_id=said.operation_id,
                entered=entered,
                verdict=verdict.value,
                holder=said.holder.value,
                device=said.device,
                link_id=table.link_id,
                pcn=pcn,
                made_at=at,
            ).save(force_insert=True)
    except IntegrityError as error:
        # At this moment the id was used in another tournament, whose row is another's to lock.
        raise OperationReused(said.operation_id) from error


def _write_down_dispute(
    tournament: Tournament, actor: Actor, entered: EnteredRevision, said: SaidOfDeal, at: datetime
) -> None:
    match = Match.objects.select_related("round").get(scoresheet=entered.scoresheet_id)
    number = scoring.current_deals([entered.scoresheet_id])[entered.deal_uid].number
    detail: Detail = {
        "round": match.round.number,
        "table": match.table,
        "deal": number,
        "revision": entered.revision,
        "by": said.holder.value,
    }
    write_down(tournament, actor, Event.DEAL_DISPUTED, at, detail)


def _stand(tournament: Tournament, entered: EnteredRevision) -> DealConfirmation | None:
    return queries.confirmations_of(tournament, [entered.scoresheet_id]).get(entered.deal_uid)


# -- what was entered


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceEntry:
    """A deal that a device sent."""

    scoresheet_id: int
    link_id: int
    device: UUID
    holder: Holder | None
    operation_id: UUID


def note_entered(tournament: Tournament, answer: DealAnswer, entry: DeviceEntry, *, at: datetime) -> None:
    """Keep by which device a revision was entered, where the tournament asks the other pair.

    Runs in the transaction of its writing. Who sends just what the other pair's device entered agrees with it.
    """
    if not tournament.confirmation or answer.deal_uid is None:
        return
    rows = EnteredRevision.objects.filter(deal_uid=answer.deal_uid, revision=answer.revision)
    entered = rows.first()
    if entered is None and answer.became is Became.CREATED:
        EnteredRevision.objects.create(
            scoresheet_id=entry.scoresheet_id,
            deal_uid=answer.deal_uid,
            revision=answer.revision,
            link_id=entry.link_id,
            device=entry.device,
            holder="" if entry.holder is None else entry.holder.value,
            made_at=at,
        )
    elif entered is not None and answer.became is Became.DUPLICATE and entry.holder is not None:
        _agree_by_entering(entered, entry, entry.holder, at)


def _agree_by_entering(entered: EnteredRevision, entry: DeviceEntry, holder: Holder, at: datetime) -> None:
    if why_not(_by(entered), device=entry.device, holder=holder) is not None:
        return
    if Confirmation.objects.filter(operation_id=entry.operation_id).exists() or _is_said_out(entered, holder):
        return
    Confirmation.objects.create(
        operation_id=entry.operation_id,
        entered=entered,
        verdict=Verdict.AGREE.value,
        holder=holder.value,
        device=entry.device,
        link_id=entry.link_id,
        made_at=at,
    )


# -- what directors say


@transaction.atomic(durable=True)
def settle_dispute(
    *,
    actor: Actor,
    deal_uid: UUID,
    revision: int,
    reason: str,
    at: datetime,
    act_id: UUID | None = None,
) -> str:
    """Say that what is recorded of a disputed deal stands, and return its tournament's address.

    :raises NotFound: if there is no such deal in a match.
    :raises Forbidden: if the actor may not rule there.
    :raises TournamentIsFinal: if the standings are final.
    :raises NotDisputed: if it is not disputed at that revision.
    :raises ReasonNeeded: if there is no reason.
    :raises ActReused: if the act's id was used for something else.
    """
    match, number = queries.match_of_deal(deal_uid)
    tournament = locked(match.round.tournament.slug, actor=actor, action=Action.RULE)
    why = clean_text(reason)
    if not why:
        raise ReasonNeeded(_("Say why what is recorded stands."))

    def carry_out() -> Answer:
        found = queries.confirmations_of(tournament, [match.scoresheet_id]).get(deal_uid)
        if found is None or found.state is not State.DISPUTED or found.revision != revision:
            raise NotDisputed
        entered = EnteredRevision.objects.get(deal_uid=deal_uid, revision=revision)
        Confirmation.objects.create(
            entered=entered,
            verdict=Verdict.STANDS.value,
            reason=why,
            made_by_id=actor.user_id,
            made_at=at,
        )
        detail: Detail = {
            "round": match.round.number,
            "table": match.table,
            "deal": number,
            "revision": revision,
            "reason": why,
        }
        write_down(tournament, actor, Event.DISPUTE_SETTLED, at, detail)
        tell_room(tournament_id=tournament.pk)
        return {}

    once(
        tournament,
        act_id=act_id,
        what="settle-dispute",
        asked={"deal": deal_uid, "revision": revision},
        at=at,
        carry_out=carry_out,
    )
    return tournament.slug
