"""What a director can decide, and what each decision changes.

A decision about a deal goes through scoring, so that the ledger and its runs (law 11.2) are derived again. Each is
made on a revision or a version, and keeps what stood before it, so that it can be taken back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final, Protocol, TypeAlias
from uuid import UUID

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Outcome, Team
from scoring import operations as scoring
from scoring import queries as scoring_queries
from tournaments.errors import CannotTakeBack, ChangedMeanwhile, NothingToRule
from tournaments.models import Entry, EntryState, Forfeit, Match, MatchState, Ruling, RulingKind, Tournament

Stands: TypeAlias = dict[str, str | int | None]
"""What stands of a deal, a match or an entry, in a form that is kept."""
MOST_COURTS: Final = 9999
"""Of a match."""
MOST_PENALTY: Final = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Who decides what in which tournament, when and why."""

    tournament: Tournament
    actor: Actor
    at: datetime
    reason: str
    law: str
    operation_id: UUID
    """Under which scoring writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What was changed: columns of the ruling."""

    kind: RulingKind
    match: Match | None = None
    entry: Entry | None = None
    deal_uid: UUID | None = None
    deal_number: int | None = None
    before: Stands
    after: Stands
    takes_back: Ruling | None = None


# -- about a deal


class DealDecision(Protocol):
    """A decision about a deal, as it stands at a revision."""

    @property
    def kind(self) -> RulingKind:
        """What it is."""

    @property
    def deal(self) -> UUID:
        """Which deal."""

    @property
    def base_revision(self) -> int:
        """The revision that it was made on."""

    def change(self, reason: str, law: str) -> scoring.DealChange:
        """Return the change that scoring makes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardCourt:
    """A team is given a court."""

    kind: ClassVar[RulingKind] = RulingKind.COURT_AWARDED
    deal: UUID
    base_revision: int
    team: Team

    def change(self, reason: str, law: str) -> scoring.DealChange:
        """Return the change that scoring makes."""
        return scoring.CourtAwarded(team=self.team, ruling=scoring.Ruling(reason=reason, law=law))


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelCourt:
    """The deal's courts are taken away."""

    kind: ClassVar[RulingKind] = RulingKind.COURT_CANCELLED
    deal: UUID
    base_revision: int

    def change(self, reason: str, law: str) -> scoring.DealChange:
        """Return the change that scoring makes."""
        return scoring.CourtCancelled(ruling=scoring.Ruling(reason=reason, law=law))


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidDeal:
    """Nobody won the deal (law 9.6)."""

    kind: ClassVar[RulingKind] = RulingKind.DEAL_VOID
    deal: UUID
    base_revision: int

    def change(self, reason: str, law: str) -> scoring.DealChange:
        """Return the change that scoring makes."""
        return scoring.Voiding(reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDeal:
    """Another record stands in the place of the deal's."""

    kind: ClassVar[RulingKind] = RulingKind.DEAL_CORRECTED
    deal: UUID
    base_revision: int
    text: str
    as_ruling: bool = False
    """Whether it stands although it states something else than it shows."""

    def change(self, reason: str, law: str) -> scoring.DealChange:
        """Return the change that scoring makes."""
        ruling = scoring.Ruling(reason=reason, law=law) if self.as_ruling else None
        return scoring.Correction(text=self.text, reason=reason, ruling=ruling)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceFinding:
    """Another outcome than the engine found counts; None: what it found, whatever the record states."""

    kind: ClassVar[RulingKind] = RulingKind.FINDING_REPLACED
    deal: UUID
    base_revision: int
    outcome: Outcome | None

    def change(self, reason: str, law: str) -> scoring.DealChange:
        """Return the change that scoring makes."""
        return scoring.Decision(ruling=scoring.Ruling(reason=reason, law=law, outcome=self.outcome))


@dataclass(frozen=True, slots=True, kw_only=True)
class _RestoreDeal:
    """What stood at an earlier revision is put back."""

    kind: ClassVar[RulingKind] = RulingKind.TAKEN_BACK
    deal: UUID
    base_revision: int
    revision: int

    def change(self, reason: str, law: str) -> scoring.DealChange:
        """Return the change that scoring makes."""
        return scoring.Restored(revision_number=self.revision, reason=reason)


# -- about a match, an entry, a ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustMatch:
    """Other courts than the scoresheet's count; the match is finished with it."""

    match: UUID
    version: int
    courts_ns: int
    courts_ew: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveMatchAway:
    """A side, or both, gave the match away; what its scoresheet has does not count."""

    match: UUID
    version: int
    by: Forfeit


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalise:
    """So many match points, or courts where these rank, are taken from an entry in all; 0: none any more."""

    entry: int
    version: int
    penalty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disqualify:
    """The entry plays no more."""

    entry: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """A ruling is taken back: what stood before it is put back."""

    ruling: int


AboutADeal: TypeAlias = AwardCourt | CancelCourt | VoidDeal | CorrectDeal | ReplaceFinding
Decision: TypeAlias = AboutADeal | AdjustMatch | GiveMatchAway | Penalise | Disqualify | TakeBack


def carry_out(case: Case, decision: Decision) -> Carried:
    """Change what the decision changes, in the caller's transaction with the tournament locked.

    :raises NotFound: if what it is about is not of the tournament.
    :raises RevisionConflict: if another revision of the deal came first.
    :raises ChangedMeanwhile: if the match or the entry was changed meanwhile.
    :raises NothingToRule: if just that stands already.
    :raises CannotTakeBack: if the ruling was taken back before, or what it set was changed since.
    :raises Refused: whatever scoring refuses.
    """
    match decision:
        case AdjustMatch() | GiveMatchAway():
            return _on_match(case, decision)
        case Penalise() | Disqualify():
            return _on_entry(case, decision)
        case TakeBack():
            return _take_back(case, decision)
        case _:
            return _on_deal(case, decision)


def _on_deal(case: Case, decision: DealDecision) -> Carried:
    place = scoring_queries.deal_place(decision.deal)
    of_tournament = Match.objects.filter(round__tournament=case.tournament).select_related("round")
    match = None if place is None else of_tournament.filter(scoresheet=place.scoresheet_id).first()
    if place is None or match is None:
        raise NotFound
    answer = scoring.change_deal(
        actor=case.actor,
        deal_uid=decision.deal,
        base_revision=decision.base_revision,
        change=decision.change(case.reason, case.law),
        operation_id=case.operation_id,
        at=case.at,
    )
    return Carried(
        kind=decision.kind,
        match=match,
        deal_uid=decision.deal,
        deal_number=place.number,
        before={"revision": decision.base_revision},
        after={"revision": answer.revision},
    )


# -- matches


def _on_match(case: Case, decision: AdjustMatch | GiveMatchAway) -> Carried:
    rows = Match.objects.select_related("round").filter(round__tournament=case.tournament)
    row = rows.filter(uid=decision.match).first()
    if row is None:
        raise NotFound
    if row.version != decision.version:
        raise ChangedMeanwhile(
            _("Somebody changed this match in the meantime. It is now %(state)s.")
            % {"state": words_of_match(row)}
        )
    finished = {"state": MatchState.FINISHED.value, "finished_at": _kept_time(row.finished_at or case.at)}
    kind, set_to = _set_on_match(decision)
    return _set_match(row, kind, {**finished, **set_to})


def _set_on_match(decision: AdjustMatch | GiveMatchAway) -> tuple[RulingKind, Stands]:
    if isinstance(decision, GiveMatchAway):
        given: Stands = {"forfeit": Forfeit(decision.by).value, "adjusted_ns": None, "adjusted_ew": None}
        return RulingKind.MATCH_FORFEITED, given
    courts = (decision.courts_ns, decision.courts_ew)
    if not all(0 <= number <= MOST_COURTS for number in courts):
        raise NothingToRule(_("A match has 0 to %(most)d courts for a side.") % {"most": MOST_COURTS})
    return RulingKind.MATCH_ADJUSTED, {"forfeit": "", "adjusted_ns": courts[0], "adjusted_ew": courts[1]}


def _set_match(row: Match, kind: RulingKind, set_to: Stands) -> Carried:
    before = _stands_of_match(row)
    after = {**before, **set_to}
    if after == before:
        raise NothingToRule(_("Just that stands already."))
    for name, value in after.items():
        setattr(row, name, parse_datetime(str(value)) if name == "finished_at" and value else value)
    row.version += 1
    row.save(update_fields=[*after, "version"])
    return Carried(kind=kind, match=row, before=before, after=after)


def _stands_of_match(row: Match) -> Stands:
    return {
        "state": str(row.state),
        "forfeit": row.forfeit,
        "adjusted_ns": row.adjusted_ns,
        "adjusted_ew": row.adjusted_ew,
        "finished_at": None if row.finished_at is None else _kept_time(row.finished_at),
    }


def _kept_time(at: datetime) -> str:
    return at.isoformat()


def words_of_match(row: Match) -> str:
    """Return what stands of a match, for a person whose change came second."""
    state = str(MatchState(row.state).label)
    if row.forfeit:
        return _("%(state)s, given away: %(side)s") % {"state": state, "side": Forfeit(row.forfeit).label}
    if row.adjusted_ns is None:
        return state
    courts = {"state": state, "ns": row.adjusted_ns, "ew": row.adjusted_ew}
    return _("%(state)s, adjusted to %(ns)d – %(ew)d courts") % courts


# -- entries


def _on_entry(case: Case, decision: Penalise | Disqualify) -> Carried:
    row = Entry.objects.filter(tournament=case.tournament, number=decision.entry).first()
    if row is None:
        raise NotFound
    if row.version != decision.version:
        words = {"state": EntryState(row.state).label, "penalty": row.penalty}
        raise ChangedMeanwhile(
            _(
                "Somebody changed this pair in the meantime. It is now %(state)s, with a penalty of %(penalty)d."
            )
            % words
        )
    if isinstance(decision, Disqualify):
        set_to: Stands = {"state": EntryState.DISQUALIFIED.value, "withdrawn_after": _last_round_of(row)}
        return _set_entry(row, RulingKind.DISQUALIFIED, set_to)
    if not 0 <= decision.penalty <= MOST_PENALTY:
        raise NothingToRule(_("A penalty takes away 0 to %(most)d.") % {"most": MOST_PENALTY})
    reason = case.reason if decision.penalty else ""
    return _set_entry(row, RulingKind.PENALTY, {"penalty": decision.penalty, "penalty_reason": reason})


def _last_round_of(row: Entry) -> int:
    """Return the last round that the entry was there for: one in which it has a match that is over, or a bye."""
    over = Match.objects.filter(round__tournament=row.tournament_id).exclude(state=MatchState.OPEN)
    played = [
        number
        for side in ("ns", "ew")
        for number in over.filter(**{side: row}).values_list("round__number", flat=True)
    ]
    last = max(played, default=0)
    byes = row.byes.filter(round__number__lte=last + 1).values_list("round__number", flat=True)
    return max([last, *byes])


def _set_entry(row: Entry, kind: RulingKind, set_to: Stands) -> Carried:
    """Set these columns, and no others: what else becomes of the entry does not stand in the way of taking it back."""
    before: Stands = {name: getattr(row, name) for name in set_to}
    if all(set_to[name] == before[name] for name in set_to if name != "penalty_reason"):
        raise NothingToRule(_("Just that stands already."))
    for name, value in set_to.items():
        setattr(row, name, value)
    row.version += 1
    row.save(update_fields=[*set_to, "version"])
    return Carried(kind=kind, entry=row, before=before, after=dict(set_to))


# -- rulings


def _take_back(case: Case, decision: TakeBack) -> Carried:
    rows = Ruling.objects.select_related("match__round", "entry")
    ruling = rows.filter(tournament=case.tournament, number=decision.ruling).first()
    if ruling is None:
        raise NotFound
    if ruling.kind in {RulingKind.TAKEN_BACK, RulingKind.REOPENED}:
        raise CannotTakeBack(_("This cannot be taken back: make a new ruling."))
    if Ruling.objects.filter(takes_back=ruling).exists():
        raise CannotTakeBack(_("Ruling %(number)d was taken back before.") % {"number": ruling.number})
    return _restored(case, ruling)


def _restored(case: Case, ruling: Ruling) -> Carried:
    before, after = ruling.decided["before"], ruling.decided["after"]
    if ruling.deal_uid is not None:
        return _restore_deal(case, ruling, before, after)
    if ruling.match is not None:
        _require_unchanged(ruling, _stands_of_match(ruling.match), after)
        carried = _set_match(ruling.match, RulingKind.TAKEN_BACK, before)
    elif ruling.entry is not None:
        entry = ruling.entry
        _require_unchanged(ruling, {name: getattr(entry, name) for name in after}, after)
        carried = _set_entry(entry, RulingKind.TAKEN_BACK, before)
    else:
        raise NotFound
    return Carried(
        kind=RulingKind.TAKEN_BACK,
        match=carried.match,
        entry=carried.entry,
        before=carried.before,
        after=carried.after,
        takes_back=ruling,
    )


def _restore_deal(case: Case, ruling: Ruling, before: Mapping[str, int], after: Mapping[str, int]) -> Carried:
    place = scoring_queries.deal_place(UUID(str(ruling.deal_uid)))
    if place is None or ruling.deal_uid is None:
        raise NotFound
    _require_unchanged(ruling, {"revision": _content_of(ruling.deal_uid, place.revision)}, after)
    decision = _RestoreDeal(deal=ruling.deal_uid, base_revision=place.revision, revision=before["revision"])
    carried = _on_deal(case, decision)
    return Carried(
        kind=RulingKind.TAKEN_BACK,
        match=carried.match,
        deal_uid=carried.deal_uid,
        deal_number=carried.deal_number,
        before=carried.before,
        after={**carried.after, "as": before["revision"]},
        takes_back=ruling,
    )


def _content_of(deal: UUID, revision: int) -> int:
    """Return the revision whose content stands: the same, unless it put back an earlier one."""
    restorings = Ruling.objects.filter(deal_uid=deal, kind=RulingKind.TAKEN_BACK)
    restored = {row.decided["after"]["revision"]: row.decided["after"]["as"] for row in restorings}
    while revision in restored:
        revision = restored[revision]
    return revision


def _require_unchanged(ruling: Ruling, stands: Mapping[str, object], after: Mapping[str, object]) -> None:
    if dict(stands) != dict(after):
        raise CannotTakeBack(
            _("What ruling %(number)d set was changed since: take that back first, or make a new ruling.")
            % {"number": ruling.number}
        )
