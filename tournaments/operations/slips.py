"""Everything that takes in the results of a match as they are typed from its slip."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor
from scoring.operations import Origin, record_sheet
from tournaments import queries
from tournaments.domain.keyed_slips import KeyedSlip, StatedTotals
from tournaments.domain.slips import ReadLine, SlipLine, records_of
from tournaments.errors import MatchIsOver, SlipConflict, SlipDisagrees, SlipRefused
from tournaments.models import Match, MatchState, Tournament
from tournaments.operations.matches import (
    change_state,
    check_is_long_enough,
    check_is_undisputed,
    slug_of_match,
)
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked
from tournaments.queries import SlipPage
from tournaments.slip_words import said_differences


@transaction.atomic(durable=True)
def enter_results(
    *,
    actor: Actor,
    uid: UUID,
    lines: Sequence[SlipLine],
    act_id: UUID,
    at: datetime,
    finish: bool = False,
    even_short: bool = True,
) -> int:
    """Record the deals of a slip, all of them or none, perhaps finish the match, and return how many deals there were.

    They become records that tell the result only, and are written like any others. The same act again
    changes nothing.

    :raises NotFound: if there is no such match.
    :raises Forbidden: if the actor may not record deals in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises MatchIsOver: if the match is finished or void.
    :raises SlipRefused: if a line cannot be taken; deals that somebody recorded meanwhile are such lines.
    :raises FewerThanAgreed: if it is to be finished, lacks deals that were agreed, and not ``even_short``.
    :raises DealsDisputed: if it is to be finished, its table does not agree on a deal, and not ``even_short``.
    :raises LevelMatch: if it is to be finished, is level, and its winner goes on (law 13.2).
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug_of_match(uid), actor=actor, action=Action.RECORD_DEAL)
    answer = once(
        tournament,
        act_id=act_id,
        what="results",
        asked={"match": uid, "lines": [asdict(line) for line in lines], "finish": finish},
        at=at,
        carry_out=lambda: _enter(
            actor,
            tournament,
            uid,
            lines=lines,
            finish=finish,
            even_short=even_short,
            operation_id=act_id,
            at=at,
        ),
    )
    return int(str(answer["deals"]))


def _enter(
    actor: Actor,
    tournament: Tournament,
    uid: UUID,
    *,
    lines: Sequence[SlipLine],
    finish: bool,
    even_short: bool,
    operation_id: UUID,
    at: datetime,
) -> Answer:
    page = _open_page(actor, uid)
    read = page.read(lines)
    if any(line.outcome is None for line in read):
        raise SlipRefused(read)
    _record(actor, page, read, operation_id=operation_id, at=at)
    if finish:
        _finish(actor, tournament, uid, even_short=even_short, at=at)
    return {"deals": len(read)}


@transaction.atomic(durable=True)
def key_slip(
    *,
    actor: Actor,
    uid: UUID,
    keys: Mapping[int, str],
    totals: StatedTotals,
    act_id: UUID,
    at: datetime,
    finish: bool = False,
    even_short: bool = True,
) -> int:
    """Record the deals of a slip that was keyed, once its totals agree, and return how many deals were new.

    ``keys`` are the lines by the numbers of their deals. All new deals are written, or none. A deal that is recorded
    already and says the same is left as it is. The same act again changes nothing.

    :raises NotFound: if there is no such match.
    :raises Forbidden: if the actor may not record deals in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises MatchIsOver: if the match is finished or void.
    :raises SlipConflict: if a line says something else than is recorded of its deal.
    :raises SlipDisagrees: if a line cannot be taken, a total is missing, or one is not what the deals come to.
    :raises FewerThanAgreed: if it is to be finished, lacks deals that were agreed, and not ``even_short``.
    :raises LevelMatch: if it is to be finished, is level, and its winner goes on (law 13.2).
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug_of_match(uid), actor=actor, action=Action.RECORD_DEAL)
    typed = {number: text for number, text in sorted(keys.items()) if text.strip()}

    def carry_out() -> Answer:
        page = _open_page(actor, uid)
        slip = page.read_keys(typed)
        _check(slip, totals)
        read = [line.read for line in slip.written]
        _record(actor, page, read, operation_id=act_id, at=at)
        if finish:
            _finish(actor, tournament, uid, even_short=even_short, at=at)
        return {"deals": len(read)}

    asked = {"match": uid, "keys": list(typed.items()), "totals": asdict(totals), "finish": finish}
    answer = once(tournament, act_id=act_id, what="slip", asked=asked, at=at, carry_out=carry_out)
    return int(str(answer["deals"]))


def _check(slip: KeyedSlip, totals: StatedTotals) -> None:
    """Do nothing if every line can be taken and the totals agree.

    :raises SlipConflict: if a line says something else than is recorded.
    :raises SlipDisagrees: if anything else is wrong.
    """
    if slip.has_conflict:
        raise SlipConflict(
            _(
                "A line says something else than is recorded of its deal. Nothing was saved, and what you typed stays."
            )
        )
    if slip.has_fault:
        raise SlipDisagrees(_("Some lines cannot be taken as they stand. Nothing was saved."))
    if None in totals.courts:
        raise SlipDisagrees(_("Type the courts of both sides, as they stand at the foot of the slip."))
    wrong = said_differences(slip, slip.differences(totals))
    if wrong:
        raise SlipDisagrees(" ".join([_("The slip does not add up, so nothing was saved."), *wrong]))


def _open_page(actor: Actor, uid: UUID) -> SlipPage:
    page = queries.slip_page(uid, actor=actor)
    if not page.is_open:
        raise MatchIsOver(
            _("The match at table %(table)s is over. Open it again to add deals.") % {"table": page.table}
        )
    return page


def _record(
    actor: Actor, page: SlipPage, read: Sequence[ReadLine], *, operation_id: UUID, at: datetime
) -> None:
    if read:
        record_sheet(
            actor=actor,
            scoresheet_uid=page.sheet.header.uid,
            text=records_of(page.rules, read),
            operation_id=operation_id,
            at=at,
            origin=Origin.slip(),
        )


def _finish(actor: Actor, tournament: Tournament, uid: UUID, *, even_short: bool, at: datetime) -> None:
    match = Match.objects.select_related("round__session").get(uid=uid)
    if not even_short:
        check_is_undisputed(tournament, match)
        check_is_long_enough(tournament, match, at)
    change_state(actor, tournament, match, MatchState.FINISHED, at)
