"""Everything that takes in what devices at tables recorded, perhaps without a network and perhaps long ago.

Each deal that is sent is a write of its own: one that cannot be taken leaves the others alone, and a batch whose
answer was lost is sent again as it was. What a deal becomes is decided by scoring, as for every other way in; here
are only the table's own matters: whether its link is good, and whether its match still takes deals.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import BigIntegerField, UUIDField
from django.utils.translation import gettext as _

from courtpiece.accounts.hints import hint_after_answer
from courtpiece.accounts.permissions import Action, Actor, Forbidden, TableGrant, require
from courtpiece.accounts.prepared import Prepared
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import code_of
from courtpiece.errors import CourtPieceError
from scoring import queries as scoring
from scoring.operations import Became, DealAnswer, DealConflict, record_deal, replace_deal
from tournaments import queries
from tournaments.domain.confirming import Holder
from tournaments.errors import LinkExpired, LinkRevoked, MatchIsOver
from tournaments.models import DeviceReport, TableLink, Tournament
from tournaments.operations.confirming import DeviceEntry, note_entered
from tournaments.publishing import tell_room
from tournaments.queries import LinkState, SheetPlace, TableState

logger = logging.getLogger(__name__)

MOST_ITEMS: Final = 200
"""Deals in one batch."""
MOST_DEVICES: Final = 40
"""Of a link. A new one more takes the place of the one that was silent longest."""
REPORT_EVERY: Final = timedelta(seconds=15)
"""A device that says the same again is written down this often."""
UNFORESEEN: Final = "unforeseen"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentDeal:
    """A deal as a device sends it."""

    operation_id: UUID
    scoresheet: UUID
    pcn: str
    base_revision: int | None = None
    """The revision that it was made on, where it replaces a deal that is recorded; None for a new deal."""
    reason: str = ""
    file: str = ""
    """The name of the file that it came in, where it was handed on so."""
    side: Holder | None = None
    """Who held the device; None: it did not say."""
    device: UUID | None = None
    """The device that made it, where another one sends it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCount:
    """What a device says of itself."""

    device: UUID
    unsent: int
    """Deals on it of which it does not know that they are recorded, those of this batch among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a deal that was sent."""

    sent: SentDeal
    became: Became
    answer: DealAnswer | None = None
    """Of one that was written, or had been."""
    conflict: DealConflict | None = None
    problems: tuple[dict[str, Any], ...] = ()
    """Of one that was rejected: why; else what is doubtful in it."""

    @property
    def is_taken(self) -> bool:
        """Whether the deal is recorded as it was sent."""
        return self.became in {Became.CREATED, Became.DUPLICATE}


def sync_deals(
    *, actor: Actor, count: DeviceCount | None, deals: Sequence[SentDeal], at: datetime
) -> tuple[Outcome, ...]:
    """Take in a batch, one deal after the other, and say of each what became of it, in the order given.

    Every deal is its own transaction, and none stops the others. The same batch again gives the same answer.

    :raises Forbidden: if the actor's token lacks the scope; of nothing else that is forbidden is more said than
        that there is no such scoresheet.
    """
    places = queries.places_of_sheets(sent.scoresheet for sent in deals)
    outcomes = tuple(_outcome(actor, sent, places.get(sent.scoresheet), count, at) for sent in deals)
    if actor.table is not None and count is not None:
        taken = sum(outcome.is_taken for outcome in outcomes)
        _hint(actor.table, replace(count, unsent=max(count.unsent - taken, 0)), at)
    return outcomes


def look_at_table(*, actor: Actor, count: DeviceCount | None, at: datetime) -> TableState:
    """Return the table of the link that the actor comes with, and keep that the device was heard.

    Three queries at most beside those of ``queries.table_state``.

    :raises Forbidden: if the actor comes without one.
    """
    state = queries.table_state(actor=actor, now=at)
    if actor.table is not None and count is not None:
        _hint(actor.table, count, at)
    return state


# -- one deal


def _outcome(
    actor: Actor, sent: SentDeal, place: SheetPlace | None, by: DeviceCount | None, at: datetime
) -> Outcome:
    write = partial(write_sent_deal, actor=actor, sent=sent, place=place, by=by, at=at)
    try:
        try:
            answer = write()
        except IntegrityError:
            # Another process carried the same operation out in the same moment: now its answer is there.
            answer = write()
    except DealConflict as conflict:
        return Outcome(sent=sent, became=Became.CONFLICT, conflict=conflict)
    except Forbidden as error:
        if error.needs_scope is not None:
            raise
        return _rejected(sent, NotFound())
    except CourtPieceError as error:
        return _rejected(sent, error)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        # One deal that nobody foresaw must not stand in the way of all that come after it.
        logger.exception("A deal that was sent could not be taken: operation %s", sent.operation_id)
        return _rejected(sent, None)
    problems = tuple(problem.as_json() for problem in answer.problems)
    return Outcome(sent=sent, became=answer.became, answer=answer, problems=problems)


def _rejected(sent: SentDeal, error: CourtPieceError | None) -> Outcome:
    found = tuple(problem.as_json() for problem in getattr(error, "problems", ()))
    code = UNFORESEEN if error is None else code_of(type(error))
    message = _("Something went wrong on our side. It was written down.") if error is None else str(error)
    bare = {"code": code, "severity": "error", "message": message}
    return Outcome(sent=sent, became=Became.REJECTED, problems=found or (bare,))


@transaction.atomic(durable=True)
def write_sent_deal(
    *,
    actor: Actor,
    sent: SentDeal,
    place: SheetPlace | None,
    at: datetime,
    by: DeviceCount | None = None,
) -> DealAnswer:
    """Write one deal that was sent; the answer is ``created`` or ``duplicate``.

    What was carried out before, and what says just what is recorded, is answered whatever has happened since. Where
    the tournament asks the other pair, it is kept that the deal was entered ``by`` this device; if it says just what
    the other pair's device entered, they agree.

    :raises NotFound: if there is no such scoresheet.
    :raises Forbidden: if the actor may not record deals there.
    :raises LinkRevoked: if the actor's link was revoked in the meantime.
    :raises LinkExpired: if something would be written, and the link's time is over.
    :raises MatchIsOver: if something would be written, and the match is finished or void.
    :raises CourtPieceError: whatever ``record_deal`` and ``replace_deal`` raise.
    """
    if place is None:
        raise NotFound
    if place.tournament_id is None or place.match_id is None:
        return _write(actor, sent, place.scoresheet_id, at)
    require(actor, Action.RECORD_DEAL, club_id=place.club_id, scoresheet_id=place.scoresheet_id)
    # Whoever revokes a link or finishes a match holds this row: it happens wholly before or wholly after.
    (tournament,) = _LOCKED.models(place.tournament_id)
    is_in_time, is_open = _takes_deals(actor.table, tournament, place.match_id, at)
    may_write = (is_open and is_in_time) or scoring.is_carried_out(sent.operation_id)
    answer = _write(actor, sent, place.scoresheet_id, at)
    if answer.became is Became.CREATED and not may_write:
        raise LinkExpired if is_open else _over()
    if actor.table is not None and by is not None:
        note_entered(
            tournament,
            answer,
            DeviceEntry(
                scoresheet_id=place.scoresheet_id,
                link_id=actor.table.link_id,
                device=sent.device or by.device,
                holder=sent.side,
                operation_id=sent.operation_id,
            ),
            at=at,
        )
    return answer


_LOCKED: Final = Prepared(
    lambda pk: (
        Tournament.objects.select_for_update(no_key=True).only("confirmation", "link_hours").filter(pk=pk)
    ),
    BigIntegerField(),
)


def _takes_deals(
    table: TableGrant | None, tournament: Tournament, match_id: int, at: datetime
) -> tuple[bool, bool]:
    """Return whether the link takes new deals, where it is by one, and whether the match does.

    :raises LinkRevoked: if the link was revoked.
    """
    if table is None:
        return True, queries.takes_deals(match_id)
    state, is_open = queries.link_and_match(table.link_id, match_id, hours=tournament.link_hours, now=at)
    if state is LinkState.REVOKED:
        raise LinkRevoked
    return state is LinkState.GOOD, is_open


def _over() -> MatchIsOver:
    return MatchIsOver(
        _("The match is over. The director can open it again: then this deal can be sent once more.")
    )


def _write(actor: Actor, sent: SentDeal, scoresheet_id: int, at: datetime) -> DealAnswer:
    if sent.base_revision is None:
        return record_deal(
            actor=actor,
            scoresheet_id=scoresheet_id,
            text=sent.pcn,
            operation_id=sent.operation_id,
            at=at,
            file=sent.file,
            savepoint=False,
        )
    return replace_deal(
        actor=actor,
        scoresheet_id=scoresheet_id,
        base_revision=sent.base_revision,
        text=sent.pcn,
        reason=sent.reason,
        operation_id=sent.operation_id,
        at=at,
    )


# -- what a device says of itself


def _hint(table: TableGrant, count: DeviceCount, at: datetime) -> None:
    def hear() -> None:
        _hear(table, count, at)

    hint_after_answer(hear)


def _hear(table: TableGrant, count: DeviceCount, at: datetime) -> None:
    """Keep what a device said last. It is a hint for the director: of two at once the later one stands."""
    rows = DeviceReport.objects.filter(link=table.link_id)
    known = next(iter(_REPORT.models(table.link_id, count.device)), None)
    if known is not None and known.unsent == count.unsent and at - known.heard_at < REPORT_EVERY:
        return
    if known is None and rows.count() >= MOST_DEVICES:
        oldest = rows.order_by("heard_at", "pk").values("pk")[:1]
        rows.filter(pk__in=list(oldest.values_list("pk", flat=True))).delete()
    DeviceReport.objects.update_or_create(
        link_id=table.link_id,
        device=count.device,
        defaults={"unsent": count.unsent, "heard_at": at},
    )
    if count.unsent or (known is not None and known.unsent):
        (tournament_id,) = TableLink.objects.filter(pk=table.link_id).values_list(
            "session__tournament", flat=True
        )
        tell_room(tournament_id=tournament_id)


_REPORT: Final = Prepared(
    lambda link, device: DeviceReport.objects.filter(link=link, device=device).only("unsent", "heard_at"),
    BigIntegerField(),
    UUIDField(),
)
