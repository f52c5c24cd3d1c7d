"""What can be changed of a deal that is recorded, and what each change makes of it.

Nothing here decides a rule: the library judges the records, and says what a director may decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar, Final, NamedTuple, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import LAWS, Kind, Outcome, Team, UnknownLawError, cited_laws
from courtpiece.engine.decisions import OutcomeObjection, objection_to_outcome, with_court, without_courts
from courtpiece.engine.rules import MOST_COURTS
from courtpiece.notation import Reading, read
from scoring.domain.ledgers import LedgerEntry, revoked_team
from scoring.models import MadeVia, Revision, RevisionKind
from scoring.models import Ruling as RulingRow
from scoring.records import JudgedRecord, RecordProblem, SheetCode, judge, read_kept
from scoring.sheets import HeldDeal, SheetState, fitted, stored_outcome, tags_of_match

REFUSED_ALWAYS: Final = frozenset({Kind.MALFORMED.value, Kind.IMPOSSIBLE.value})
REFUSED_WITHOUT_RULING: Final = REFUSED_ALWAYS | {Kind.DISCREPANCY.value}


# -- what can go wrong


class RecordRefused(Refused):
    """The record cannot be written as it stands. ``problems`` says what is wrong and where."""

    field: ClassVar[str] = "text"

    def __init__(self, problems: Sequence[RecordProblem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


class NothingToChange(Refused):
    """The deal says and counts just that already."""

    def __init__(self) -> None:
        super().__init__(_("Nothing would change: the deal says and counts just that already."))


class ReasonMissing(Refused):
    """A correction, a ruling or voiding a deal needs its reason."""

    field: ClassVar[str] = "reason"

    def __init__(self) -> None:
        super().__init__(_("Say why: everyone who reads the deal can see the reason."))


class NotYoursToReplace(Refused):
    """Only the last deal of a match can be replaced without a director, and only by who entered it."""

    def __init__(self, number: int) -> None:
        super().__init__(
            _(
                "Only the last deal can be entered again, by who entered it and while no director decided on it. "
                "Ask the director to correct deal %(number)d."
            )
            % {"number": number}
        )
        self.number = number


class OutcomeRefused(Refused):
    """No deal counts like what was ruled. ``reason`` is a code."""

    field: ClassVar[str] = "outcome"

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class LawRefused(Refused):
    """What is given as the law cites none that there is, or too many."""

    field: ClassVar[str] = "law"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A director's decision on a deal. Without an ``outcome`` the engine's finding stands."""

    reason: str
    law: str = ""
    """The law it rests on: ``8.4``."""
    outcome: Outcome | None = None


# -- what is to be written


class NewRevision(NamedTuple):
    """What is to be written of one deal."""

    kind: RevisionKind
    judged: JudgedRecord
    outcome: Outcome
    """What counts."""
    reason: str = ""
    ruling: Ruling | None = None

    @property
    def entry(self) -> LedgerEntry:
        """What the deal brings to its match."""
        record = self.judged.record
        return LedgerEntry(
            number=record.deal,
            dealer=record.dealer,
            outcome=self.outcome,
            stated_courts=record.stated_courts,
            revoked=revoked_team(self.judged.finding, self.outcome),
        )


# -- the kinds of change


class DealChange(Protocol):
    """A change to one deal that is recorded."""

    @property
    def kind(self) -> RevisionKind:
        """The kind of its revision."""

    @property
    def action(self) -> Action:
        """What whoever makes it must be allowed to do."""

    @property
    def text(self) -> str:
        """The record that is offered; empty where it stays as it is."""

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal."""


def recorded(judged: JudgedRecord, ruling: Ruling | None) -> NewRevision:
    """Return the first revision of a deal.

    :raises OutcomeRefused: if neither ruling nor record say who won.
    """
    return NewRevision(
        kind=RevisionKind.RECORD, judged=judged, outcome=_outcome_under(judged, ruling), ruling=ruling
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Another record in the place of the one that stands."""

    kind: ClassVar[RevisionKind] = RevisionKind.CORRECTION
    text: str
    reason: str
    ruling: Ruling | None = None

    @property
    def action(self) -> Action:
        """Correcting; with a ruling, ruling."""
        return Action.CORRECT_DEAL if self.ruling is None else Action.RULE

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the reason, or the ruling's, is empty.
        :raises RecordRefused: if the text is not one record of this deal that can be written.
        :raises NothingToChange: if the deal says and counts just that.
        :raises OutcomeRefused: if no deal counts as ruled, or neither ruling nor record say who won.
        """
        own = tags_of_match(state.row)
        judged = fitted(judge(one_record(self.text), rules=state.rules, own=own), state.row)
        refused = REFUSED_WITHOUT_RULING if self.ruling is None else REFUSED_ALWAYS
        refusals = [problem for problem in judged.problems if problem.kind in refused]
        if judged.is_readable and judged.record.deal != held.row.number:
            refusals.append(_other_deal(judged, held.row.number))
        if refusals:
            raise RecordRefused(refusals)
        ruling = checked(self.ruling)
        new = NewRevision(
            kind=self.kind,
            judged=judged,
            outcome=_outcome_under(judged, ruling),
            reason=_reason(self.reason),
            ruling=ruling,
        )
        if judged.pcn == held.current.pcn and ruling is None and _counts_as(held, new.outcome):
            raise NothingToChange
        return new


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who enters deals: a user, or a table link, by the name that the history has it under."""

    user_id: int | None
    source: str = ""

    def wrote(self, revision: Revision) -> bool:
        """Return whether the revision is of this author."""
        if self.user_id is not None:
            return revision.made_by_id == self.user_id
        is_of_a_table = revision.made_by_id is None and revision.made_via == MadeVia.TABLE
        return bool(self.source) and is_of_a_table and revision.source == self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """The last deal of a match entered again by who entered it: a slip of the finger, found at the table.

    Whatever came after it was counted on it, and what a director decided is the director's: neither is replaced.
    """

    kind: ClassVar[RevisionKind] = RevisionKind.CORRECTION
    action: ClassVar[Action] = Action.RECORD_DEAL
    text: str
    reason: str = ""
    """Empty: that it was entered again."""
    author: Author | None = field(repr=False)
    """None: somebody who may correct any deal. Who it is does not make it another change."""

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises NotYoursToReplace: if it is not the author's last.
        :raises RecordRefused: if the text is not one record of this deal that can be written.
        :raises NothingToChange: if the deal says and counts just that.
        :raises OutcomeRefused: if the record does not say who won.
        """
        if self.author is not None and not _is_last_of(self.author, state, held):
            raise NotYoursToReplace(held.row.number)
        reason = clean_text(self.reason) or _("Entered again at the table.")
        return Correction(text=self.text, reason=reason).revision(state, held)


def _is_last_of(author: Author, state: SheetState, held: HeldDeal) -> bool:
    is_plain = held.row.kind in {RevisionKind.RECORD, RevisionKind.CORRECTION} and not held.row.is_ruled
    return is_plain and held.row.number == max(state.deals) and author.wrote(held.current)


@dataclass(frozen=True, slots=True, kw_only=True)
class Voiding:
    """A deal made void: nobody won it (law 9.6)."""

    kind: ClassVar[RevisionKind] = RevisionKind.VOID
    action: ClassVar[Action] = Action.CORRECT_DEAL
    text: ClassVar[str] = ""
    reason: str

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the reason is empty.
        :raises NothingToChange: if nobody won it as it is.
        """
        reason = _reason(self.reason)
        if stored_outcome(held.current).winner is None:
            raise NothingToChange
        judged = judge(held.reading, rules=state.rules)
        return NewRevision(kind=self.kind, judged=judged, outcome=Outcome.void(), reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A director's ruling on the record as it stands."""

    kind: ClassVar[RevisionKind] = RevisionKind.RULING
    action: ClassVar[Action] = Action.RULE
    text: ClassVar[str] = ""
    ruling: Ruling

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the ruling has no reason.
        :raises OutcomeRefused: if no deal counts as ruled, or neither ruling nor record say who won.
        """
        ruling = _checked(self.ruling)
        judged = judge(held.reading, rules=state.rules)
        outcome = _outcome_under(judged, ruling)
        return NewRevision(
            kind=self.kind, judged=judged, outcome=outcome, reason=ruling.reason, ruling=ruling
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtAwarded:
    """A director gives a team a court for a deal, in place of one that it has there."""

    kind: ClassVar[RevisionKind] = RevisionKind.RULING
    action: ClassVar[Action] = Action.RULE
    text: ClassVar[str] = ""
    team: Team
    ruling: Ruling
    """Its outcome follows from what stands, and is not asked."""

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the ruling has no reason.
        :raises NothingToChange: if the team has just that court, or nobody won the deal.
        """
        stands = held.entry
        outcome = with_court(stands.outcome, self.team, rules=state.rules, dealer=stands.dealer)
        return _decided(state, held, self.ruling, outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtCancelled:
    """A director takes away the courts that a deal scored; who won it stays."""

    kind: ClassVar[RevisionKind] = RevisionKind.RULING
    action: ClassVar[Action] = Action.RULE
    text: ClassVar[str] = ""
    ruling: Ruling
    """Its outcome follows from what stands, and is not asked."""

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the ruling has no reason.
        :raises NothingToChange: if it scored none.
        """
        return _decided(state, held, self.ruling, without_courts(held.entry.outcome))


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What stood at an earlier revision is put back: a decision is taken back."""

    kind: ClassVar[RevisionKind] = RevisionKind.RULING
    action: ClassVar[Action] = Action.RULE
    text: ClassVar[str] = ""
    revision_number: int
    reason: str

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal: the text, the outcome and the ruling of that revision.

        :raises ReasonMissing: if the reason is empty.
        :raises NothingToChange: if there is no such revision, or it is the one that stands.
        """
        if not 0 < self.revision_number < len(held.revisions):
            raise NothingToChange
        earlier = held.revisions[self.revision_number - 1]
        return NewRevision(
            kind=RevisionKind.VOID if earlier.kind == RevisionKind.VOID else RevisionKind.CORRECTION,
            judged=judge(read_kept(earlier.pcn), rules=state.rules),
            outcome=stored_outcome(earlier),
            reason=_reason(self.reason),
            ruling=_ruling_of(earlier),
        )


def _decided(state: SheetState, held: HeldDeal, ruling: Ruling, outcome: Outcome) -> NewRevision:
    """Return the revision of a ruling that follows from what stands."""
    if outcome == held.entry.outcome:
        raise NothingToChange
    return Decision(ruling=replace(ruling, outcome=outcome)).revision(state, held)


def _ruling_of(revision: Revision) -> Ruling | None:
    row: RulingRow | None = getattr(revision, "ruling", None)
    if row is None:
        return None
    return Ruling(reason=row.reason, law=row.law, outcome=stored_outcome(revision))


def one_record(text: str) -> Reading:
    """Return the reading of a text that is one record.

    :raises RecordRefused: if it has none, or more.
    """
    readings = list(islice(read(text), 2))
    if len(readings) == 1:
        return readings[0]
    if readings:
        raise _other_than_expected(_("expected the record of one deal; found another"), readings[1])
    raise _other_than_expected(_("expected the record of a deal"))


def some_records(text: str | bytes) -> tuple[Reading, ...]:
    """Return the readings of a text that has at least one record.

    :raises RecordRefused: if it has none.
    """
    readings = tuple(read(text))
    if not readings:
        raise _other_than_expected(_("expected the record of a deal"))
    return readings


def _other_than_expected(message: str, odd: Reading | None = None) -> RecordRefused:
    problem = RecordProblem(
        code=SheetCode.ONE_RECORD.value,
        kind=Kind.MALFORMED.value,
        message=message,
        record=odd.number if odd is not None else 0,
        line=odd.line if odd is not None else 1,
        column=1,
    )
    return RecordRefused([problem])


def _other_deal(judged: JudgedRecord, number: int) -> RecordProblem:
    message = _("this corrects deal %(number)d; the record is of deal %(other)d")
    return judged.problem_at(
        "Deal", SheetCode.OTHER_DEAL, message % {"number": number, "other": judged.record.deal}
    )


def _counts_as(held: HeldDeal, outcome: Outcome) -> bool:
    return held.row.kind != RevisionKind.VOID and stored_outcome(held.current) == outcome


def _outcome_under(judged: JudgedRecord, ruling: Ruling | None) -> Outcome:
    """Return what the deal counts for: what was ruled, or what the engine found."""
    if ruling is not None and ruling.outcome is not None:
        return ruling.outcome
    if judged.finding is None or judged.finding.outcome is None:
        raise OutcomeRefused(
            _("The record does not say who won; only a ruling with an outcome can."), reason="missing"
        )
    return judged.finding.outcome


def _reason(text: str) -> str:
    reason = clean_text(text)
    if not reason:
        raise ReasonMissing
    return reason[:LONGEST_REASON]


def checked(ruling: Ruling | None) -> Ruling | None:
    """Return the ruling with its texts cleaned; None for none.

    :raises ReasonMissing: if it has no reason.
    :raises LawRefused: if it cites a law that there is not.
    :raises OutcomeRefused: if no deal counts as it says.
    """
    return None if ruling is None else _checked(ruling)


def _checked(ruling: Ruling) -> Ruling:
    objection = None if ruling.outcome is None else objection_to_outcome(ruling.outcome)
    if objection is not None:
        message = str(_WORDS_OF_OBJECTIONS[objection]) % {"most": MOST_COURTS}
        raise OutcomeRefused(message, reason=objection.value)
    return replace(ruling, reason=_reason(ruling.reason), law=checked_law(ruling.law))


def checked_law(text: str) -> str:
    """Return the laws that a ruling rests on, as they are kept: ``8.3, 8.5``; empty for none.

    :raises LawRefused: if it cites a law that there is not, or more than three.
    """
    try:
        laws = cited_laws(clean_text(text))
    except UnknownLawError as error:
        message = _(
            "Law: “%(found)s” is the number of no law. The laws are 1 to %(last)d (docs/laws.md): write 8.3, "
            "or several with commas, 8.3, 8.5; put words into the reason."
        )
        raise LawRefused(message % {"found": error.found[:40], "last": max(LAWS)}) from error
    if len(laws) > MOST_LAWS:
        message = _("Law: %(most)d laws at most; put the others into the reason.")
        raise LawRefused(message % {"most": MOST_LAWS})
    return ", ".join(laws)


_WORDS_OF_OBJECTIONS: Final = {
    OutcomeObjection.WINNER: gettext_lazy("A deal is void, or somebody won it."),
    OutcomeObjection.VOID: gettext_lazy("A void deal scores nothing."),
    OutcomeObjection.TRICKS: gettext_lazy("A deal has thirteen tricks."),
    OutcomeObjection.WON: gettext_lazy("Whoever wins by tricks has more of them than the other side."),
    OutcomeObjection.COURTS: gettext_lazy("A deal scores 0 to %(most)d courts for a side."),
}
MOST_LAWS: Final = 3
"""That a ruling rests on."""
LONGEST_REASON: Final = 2000
"""In characters."""
