"""Everything that rules: a decision is carried out, its effect is found, and both are kept as a footnote.

A preview is no second computation of the effect. It carries the ruling out in a savepoint, derives the standings, and
rolls back: what it shows is what saving would do. Nothing of it is seen by others or left behind, and jobs that it
would queue are dropped with it; for that moment it keeps other writers of the tournament waiting.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor
from scoring import queries as scoring
from scoring.operations import checked_law
from scoring.queries import DealLine
from tournaments import queries
from tournaments.domain.dependence import depends_on, paired_otherwise
from tournaments.domain.effects import (
    Counted,
    DealMove,
    Effect,
    MatchMove,
    Pairing,
    rank_moves,
)
from tournaments.domain.match_courts import courts_that_count
from tournaments.domain.standings import RowJson
from tournaments.domain.state import TournamentState
from tournaments.errors import ReasonNeeded
from tournaments.events import Event
from tournaments.models import Draft, Entry, Match, MatchState, Round, Ruling, RulingKind, Tournament
from tournaments.operations.decisions import (
    AdjustMatch,
    AwardCourt,
    CancelCourt,
    Carried,
    Case,
    CorrectDeal,
    Decision,
    GiveMatchAway,
    ReplaceFinding,
    TakeBack,
    VoidDeal,
    carry_out,
)
from tournaments.operations.log import record_change
from tournaments.operations.once import once
from tournaments.operations.running import locked
from tournaments.operations.sittings import seat_next
from tournaments.operations.standings import derive_standings
from tournaments.queries.rulings import effect_from_json

LONGEST_REASON: Final = 2000
NO_REASON_YET: Final = "…"
"""Stands for the reason of a ruling that is only looked at; never saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRuling:
    """A decision with what it rests on."""

    decision: Decision
    reason: str
    law: str = ""
    """``8.4``; empty where no law says it."""


@transaction.atomic(durable=True)
def make_ruling(*, actor: Actor, slug: str, new: NewRuling, at: datetime, act_id: UUID | None = None) -> int:
    """Rule, and return the number of the ruling's footnote. The same act again gives the same number.

    :raises NotFound: if there is no such tournament, or what it is about is not of it.
    :raises Forbidden: if the actor may not rule there.
    :raises TournamentIsFinal: if its standings are final.
    :raises ReasonNeeded: if there is no reason.
    :raises LawRefused: if it cites a law that there is not.
    :raises RevisionConflict: if another revision of the deal came first.
    :raises ChangedMeanwhile: if the match or the entry was changed meanwhile.
    :raises NothingToRule: if just that stands already.
    :raises CannotTakeBack: if the ruling was taken back before, or what it set was changed since.
    :raises ActReused: if the act's id was used for something else.
    :raises Refused: whatever scoring refuses of a change to a deal.
    """
    tournament = locked(slug, actor=actor, action=Action.RULE)

    def carry() -> dict[str, int]:
        number = rule_locked(tournament, actor=actor, new=new, at=at, act_id=act_id).number
        seat_next(actor=actor, tournament=tournament, at=at)
        return {"ruling": number}

    asked = {"decision": repr(new)}
    answer = once(tournament, act_id=act_id, what="ruling", asked=asked, at=at, carry_out=carry)
    return int(str(answer["ruling"]))


@transaction.atomic(durable=True)
def preview_ruling(*, actor: Actor, slug: str, new: NewRuling, at: datetime) -> Effect:
    """Return what the ruling would bring. Nothing is written; it needs no reason yet.

    Raises what :func:`make_ruling` does, but for the reason.
    """
    tournament = locked(slug, actor=actor, action=Action.RULE)
    looked_at = NewRuling(decision=new.decision, law=new.law, reason=clean_text(new.reason) or NO_REASON_YET)
    with transaction.atomic():
        ruling = rule_locked(tournament, actor=actor, new=looked_at, at=at)
        transaction.set_rollback(True)
    return effect_from_json(ruling.effect)


def rule_locked(
    tournament: Tournament, *, actor: Actor, new: NewRuling, at: datetime, act_id: UUID | None = None
) -> Ruling:
    """Carry the decision out and keep it with its effect, in the caller's transaction with the tournament locked."""
    reason = clean_text(new.reason)[:LONGEST_REASON]
    if not reason:
        raise ReasonNeeded(_("Say why: everyone who reads the standings can see the reason."))
    case = Case(
        tournament=tournament,
        actor=actor,
        at=at,
        reason=reason,
        law=checked_law(new.law),
        operation_id=uuid4() if act_id is None else uuid5(act_id, "deal"),
    )
    before = _seen(tournament, _match_of(tournament, new.decision), at)
    carried = carry_out(case, new.decision)
    number = _next_number(tournament)
    record_change(tournament, actor, Event.RULED, at, _audited(carried, number, reason))
    after = _seen(tournament, carried.match, at)
    return Ruling.objects.create(
        tournament=tournament,
        number=number,
        kind=carried.kind,
        match=carried.match,
        entry=carried.entry,
        deal_uid=carried.deal_uid,
        deal_number=carried.deal_number,
        law=case.law,
        reason=reason,
        decided={"before": carried.before, "after": carried.after},
        effect=asdict(_effect(tournament, carried, before, after)),
        takes_back=carried.takes_back,
        made_by_id=actor.user_id,
        made_at=at,
        appeal_until=_appeal_until(tournament, carried.kind, at),
    )


def keep_note(tournament: Tournament, *, actor: Actor, kind: RulingKind, reason: str, at: datetime) -> Ruling:
    """Keep a footnote about the tournament as a whole, in the caller's transaction with the tournament locked."""
    return Ruling.objects.create(
        tournament=tournament,
        number=_next_number(tournament),
        kind=kind,
        reason=reason,
        made_by_id=actor.user_id,
        made_at=at,
    )


def _next_number(tournament: Tournament) -> int:
    last = Ruling.objects.filter(tournament=tournament).order_by("-number").values_list("number", flat=True)
    return (last.first() or 0) + 1


def _appeal_until(tournament: Tournament, kind: RulingKind, at: datetime) -> datetime | None:
    """Return until when it can be appealed; None for what only puts back what stood."""
    if kind is RulingKind.TAKEN_BACK:
        return None
    return at + timedelta(minutes=tournament.appeal_minutes)


def _audited(carried: Carried, number: int, reason: str) -> Detail:
    return {
        "ruling": number,
        "kind": carried.kind.value,
        "entry": carried.entry.number if carried.entry is not None else None,
        "match": str(carried.match.uid) if carried.match is not None else None,
        "deal": str(carried.deal_uid) if carried.deal_uid is not None else None,
        "reason": reason,
    }


# -- what it brings


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a reader sees, before or after."""

    rows: tuple[RowJson, ...]
    lines: Mapping[int, DealLine]
    """Of the match's scoresheet, by number; empty without a match."""
    courts: tuple[int | None, int | None]
    """Of the match; None where it does not count or was not played."""
    state: TournamentState
    """What rounds are drawn from."""


def _match_of(tournament: Tournament, decision: Decision) -> Match | None:
    """Return the match that the decision is about, None where it is about none, or none of the tournament."""
    rows = Match.objects.filter(round__tournament=tournament).select_related("round")
    match decision:
        case AdjustMatch() | GiveMatchAway():
            return rows.filter(uid=decision.match).first()
        case TakeBack():
            return rows.filter(rulings__number=decision.ruling, rulings__tournament=tournament).first()
        case AwardCourt() | CancelCourt() | VoidDeal() | CorrectDeal() | ReplaceFinding():
            place = scoring.deal_place(decision.deal)
            return None if place is None else rows.filter(scoresheet=place.scoresheet_id).first()
        case _:
            return None


def _seen(tournament: Tournament, match: Match | None, at: datetime) -> _Seen:
    computed = derive_standings(collection_id=tournament.collection_id, now=at)
    rows = () if computed is None else tuple(computed.table["rows"])
    state = queries.load_state(tournament).state
    if match is None:
        return _Seen(rows, {}, (None, None), state)
    lines = scoring.ledger_lines(match.scoresheet_id)
    return _Seen(rows, {line.number: line for line in lines}, _courts(match, lines), state)


def _courts(match: Match, lines: Iterable[DealLine]) -> tuple[int | None, int | None]:
    if match.state == MatchState.VOID or match.forfeit:
        return None, None
    last = max(lines, key=lambda line: line.number, default=None)
    made = (0, 0) if last is None else (last.total_ns, last.total_ew)
    return courts_that_count(made, (match.adjusted_ns, match.adjusted_ew))


def _effect(tournament: Tournament, carried: Carried, before: _Seen, after: _Seen) -> Effect:
    ranks = rank_moves(before.rows, after.rows)
    return Effect(
        deals=_deal_moves(before.lines, after.lines),
        match=None
        if before.courts == after.courts
        else MatchMove(
            before_ns=before.courts[0],
            before_ew=before.courts[1],
            after_ns=after.courts[0],
            after_ew=after.courts[1],
        ),
        ranks=ranks,
        later=_later(tournament, carried, before.state, after.state),
        draft=_draft(tournament, before.state, after.state),
        unplayed=_unplayed(carried.entry)
        if carried.kind is RulingKind.DISQUALIFIED and carried.entry
        else (),
    )


def _deal_moves(before: Mapping[int, DealLine], after: Mapping[int, DealLine]) -> tuple[DealMove, ...]:
    moves = (
        DealMove(number=number, before=_counted(before[number]), after=_counted(line))
        for number, line in after.items()
        if number in before
    )
    return tuple(move for move in moves if move.before != move.after)


def _counted(line: DealLine) -> Counted:
    return Counted(
        winner=line.winner,
        award=line.award,
        tricks_ns=line.tricks_ns,
        tricks_ew=line.tricks_ew,
        courts_ns=line.courts_ns + line.run_courts_ns,
        courts_ew=line.courts_ew + line.run_courts_ew,
        total_ns=line.total_ns,
        total_ew=line.total_ew,
        run_ns=line.run_ns,
        run_ew=line.run_ew,
    )


def _later(
    tournament: Tournament, carried: Carried, before: TournamentState, after: TournamentState
) -> tuple[Pairing, ...]:
    """Return the matches of rounds drawn since that were paired by what was known before.

    Before the first round nothing was known, and what is taken back was known only in rounds published after it.
    """
    first = 1 if carried.match is None else carried.match.round.number
    rounds = Round.objects.filter(tournament=tournament, number__gt=first)
    if carried.takes_back is not None:
        rounds = rounds.filter(published_at__gte=carried.takes_back.made_at)
    found = paired_otherwise(
        queries.plan_of(tournament), before, after, set(rounds.values_list("number", flat=True))
    )
    pairings = [
        Pairing(round=number, table=match.table, ns=match.first, ew=match.second) for number, match in found
    ]
    return tuple(sorted(pairings, key=_by_table))


def _draft(tournament: Tournament, before: TournamentState, after: TournamentState) -> int | None:
    """Return the number of the round whose draft would be drawn otherwise now; None: none would."""
    draft = Draft.objects.filter(tournament=tournament).first()
    if draft is None:
        return None
    session = queries.session_of(draft) or before.session
    was, now = replace(before, session=session), replace(after, session=session)
    moved = depends_on(queries.plan_of(tournament), was, now, draft.number)
    return draft.number if moved or was.absent != now.absent else None


def _unplayed(entry: Entry) -> tuple[Pairing, ...]:
    rows = Match.objects.filter(round__tournament=entry.tournament_id, state=MatchState.OPEN)
    return _pairings(rows.filter(ns=entry) | rows.filter(ew=entry))


def _pairings(matches: QuerySet[Match]) -> tuple[Pairing, ...]:
    found = [
        Pairing(round=one.round.number, table=one.table, ns=one.ns.number, ew=one.ew.number)
        for one in matches.select_related("round", "ns", "ew")
    ]
    return tuple(sorted(found, key=_by_table))


def _by_table(one: Pairing) -> tuple[int, tuple[int, int, str]]:
    return one.round, queries.table_key(one.table)
