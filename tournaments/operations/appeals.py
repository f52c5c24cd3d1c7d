"""Everything that becomes of an appeal against a ruling. Its steps are added; the last one says how it stands."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from tournaments import queries
from tournaments.errors import AppealRefused, ReasonNeeded, UnknownState
from tournaments.events import Event
from tournaments.models import AppealStep, AppealStepKind, Entry, Ruling, RulingKind, Tournament
from tournaments.operations.decisions import TakeBack
from tournaments.operations.log import write_down
from tournaments.operations.once import once
from tournaments.operations.rulings import LONGEST_REASON, NewRuling, rule_locked
from tournaments.operations.running import locked


@transaction.atomic(durable=True)
def lodge_appeal(
    *, actor: Actor, slug: str, ruling: int, entry: int, reason: str, at: datetime, act_id: UUID | None = None
) -> int:
    """Write down that an entry appeals against a ruling, and return the number of the step.

    A director hears it and writes it down. One appeal a ruling, whatever becomes of it.

    :raises NotFound: if there is no such tournament, ruling or entry.
    :raises Forbidden: if the actor may not rule there.
    :raises TournamentIsFinal: if its standings are final.
    :raises AppealRefused: if the time is over, it was appealed before, or it stands no more.
    :raises ReasonNeeded: if there is no reason.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.RULE)

    def carry() -> dict[str, int]:
        row = _ruling(tournament, ruling)
        appellant = Entry.objects.filter(tournament=tournament, number=entry).first()
        if appellant is None:
            raise NotFound
        _require_appealable(row, at)
        return {"step": _add(row, actor, AppealStepKind.LODGED, reason, at, entry=appellant).number}

    asked = {"ruling": ruling, "entry": entry, "reason": reason}
    answer = once(tournament, act_id=act_id, what="appeal-lodged", asked=asked, at=at, carry_out=carry)
    return int(str(answer["step"]))


@transaction.atomic(durable=True)
def decide_appeal(
    *,
    actor: Actor,
    slug: str,
    ruling: int,
    outcome: str,
    reason: str,
    at: datetime,
    act_id: UUID | None = None,
) -> int | None:
    """Allow or dismiss the open appeal against a ruling, or write down that it was withdrawn.

    An appeal that is allowed takes the ruling back at once; returned is the number of the footnote that says so, None
    where the ruling stands.

    :raises NotFound: if there is no such tournament or ruling.
    :raises Forbidden: if the actor may not rule there.
    :raises TournamentIsFinal: if its standings are final.
    :raises UnknownState: if ``outcome`` is none of the three.
    :raises AppealRefused: if no appeal against it is open.
    :raises ReasonNeeded: if there is no reason.
    :raises CannotTakeBack: if it is allowed, and what the ruling set was changed since.
    :raises ActReused: if the act's id was used for something else.
    """
    if outcome not in {AppealStepKind.ALLOWED, AppealStepKind.DISMISSED, AppealStepKind.WITHDRAWN}:
        raise UnknownState(_("An appeal is allowed, dismissed or withdrawn."))
    tournament = locked(slug, actor=actor, action=Action.RULE)

    def carry() -> dict[str, int | None]:
        row = _ruling(tournament, ruling)
        last = row.appeal_steps.order_by("-number").first()
        if last is None or last.kind != AppealStepKind.LODGED:
            raise AppealRefused(_("No appeal against this ruling is open."))
        _add(row, actor, AppealStepKind(outcome), reason, at, entry=last.entry)
        if outcome != AppealStepKind.ALLOWED:
            return {"ruling": None}
        new = NewRuling(decision=TakeBack(ruling=ruling), reason=reason, law=row.law)
        return {"ruling": rule_locked(tournament, actor=actor, new=new, at=at, act_id=act_id).number}

    asked = {"ruling": ruling, "outcome": outcome, "reason": reason}
    answer = once(tournament, act_id=act_id, what="appeal-decided", asked=asked, at=at, carry_out=carry)
    number = answer["ruling"]
    return number if isinstance(number, int) else None


def open_appeals(tournament: Tournament) -> tuple[int, ...]:
    """Return the numbers of the rulings with an appeal that is to be decided. One query."""
    last: dict[int, str] = {}
    steps = AppealStep.objects.filter(ruling__tournament=tournament).order_by("ruling__number", "number")
    last.update(steps.values_list("ruling__number", "kind"))
    return tuple(number for number, kind in last.items() if kind == AppealStepKind.LODGED)


def _ruling(tournament: Tournament, number: int) -> Ruling:
    row = Ruling.objects.filter(tournament=tournament, number=number).first()
    if row is None:
        raise NotFound
    return row


def _require_appealable(row: Ruling, at: datetime) -> None:
    if row.kind in {RulingKind.TAKEN_BACK, RulingKind.REOPENED} or row.appeal_until is None:
        raise AppealRefused(_("Against this there is no appeal."))
    if row.appeal_steps.exists():
        raise AppealRefused(_("There was an appeal against this ruling already."))
    if Ruling.objects.filter(takes_back=row).exists():
        raise AppealRefused(_("The ruling was taken back: nothing is left to appeal against."))
    if at > row.appeal_until:
        until = queries.moment_there(row.tournament, row.appeal_until)
        raise AppealRefused(_("The time for an appeal ended at %(time)s.") % {"time": until})


def _add(
    row: Ruling, actor: Actor, kind: AppealStepKind, reason: str, at: datetime, *, entry: Entry | None
) -> AppealStep:
    why = clean_text(reason)[:LONGEST_REASON]
    if not why:
        raise ReasonNeeded(_("Say why: everyone who reads the ruling can see it."))
    last = row.appeal_steps.order_by("-number").values_list("number", flat=True).first() or 0
    write_down(
        row.tournament, actor, Event(f"appeal-{kind.value}"), at, {"ruling": row.number, "reason": why}
    )
    return AppealStep.objects.create(
        ruling=row,
        number=last + 1,
        kind=kind,
        entry=entry,
        reason=why,
        made_by_id=actor.user_id,
        made_at=at,
    )
