"""The double-dummy analysis of a deal, as who may see its cards reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from types import MappingProxyType
from typing import Final
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import NotFound
from courtpiece.engine.cards import SUIT_LETTERS
from scoring.derived import DealAnalysis
from scoring.domain.analyses import AnalysisJson, NotAnalysable, PlayJson, WhyNot, question_of
from scoring.models import Deal, Revision
from scoring.queries.holding import Reader, held_deals
from scoring.queries.scoresheets import SHEET_TREE
from scoring.queries.sight import require_sight
from scoring.records import read_kept
from scoring.solver import is_installed


class Reason(Enum):
    """Why there is no analysis of a deal."""

    PILES = WhyNot.PILES.value
    HIDDEN_TRUMP = WhyNot.HIDDEN_TRUMP.value
    NO_HANDS = WhyNot.NO_HANDS.value
    NO_TRUMP = WhyNot.NO_TRUMP.value
    IMPOSSIBLE = WhyNot.IMPOSSIBLE.value
    CARDS_HELD = "cards-held"
    NOT_INSTALLED = "not-installed"
    NOT_ASKED = "not-asked"
    FAILED = "failed"


REASONS: Final[Mapping[Reason, Promise]] = MappingProxyType(
    {
        Reason.PILES: _(
            "Under these rules tricks lie in a pile until somebody gathers it: double-dummy analysis does not apply."
        ),
        Reason.HIDDEN_TRUMP: _(
            "Trump was not known to everybody from the first card: double-dummy analysis does not apply."
        ),
        Reason.NO_HANDS: _(
            "The record does not tell all four hands. Correct it with a Hands tag, or with all 52 cards."
        ),
        Reason.NO_TRUMP: _("The record does not tell the trump. Correct it with a Trump tag."),
        Reason.IMPOSSIBLE: _("The record cannot be judged as it stands: correct it first."),
        Reason.CARDS_HELD: _("The cards of this deal are not shown yet."),
        Reason.NOT_INSTALLED: _("Analysis is not available on this site: the solver is not installed here."),
        Reason.NOT_ASKED: _("Nobody has asked for an analysis of this deal yet."),
        Reason.FAILED: _("The solver could not analyse this deal."),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpLine:
    """What one suit as trump would have brought the caller's side, in tricks of thirteen."""

    suit: str
    tricks: int
    is_best: bool
    is_called: bool
    average: str
    """Over the samples, with one decimal; empty without them."""
    is_best_of_five: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAnalysisPart:
    """What is known of the analysis of a deal at its current revision."""

    deal_uid: UUID
    revision_id: int
    may_ask: bool
    is_waiting: bool = False
    reason: Reason | None = None
    """Why there is none; None while it is waited for, and where it is found."""
    found: AnalysisJson | None = None
    found_at: datetime | None = None

    @property
    def why_not(self) -> str:
        """The reason in words, with the remedy; empty where there is none."""
        return "" if self.reason is None else str(REASONS[self.reason])

    @property
    def trumps(self) -> tuple[TrumpLine, ...]:
        """The four suits, as the pack has them."""
        found = self.found
        if found is None:
            return ()
        five = found["five"]
        return tuple(
            TrumpLine(
                suit=suit,
                tricks=found["tricks"][suit],
                is_best=suit in found["best"],
                is_called=suit == found["trump"],
                average="" if five is None else f"{five['sums'][suit] / five['samples']:.1f}",
                is_best_of_five=five is not None and suit in five["best"],
            )
            for suit in SUIT_LETTERS
        )

    @property
    def was_best(self) -> bool:
        """Whether no other suit would have brought more, all cards seen."""
        return self.found is not None and self.found["trump"] in self.found["best"]

    @property
    def was_best_of_five(self) -> bool:
        """Whether no other suit brings more in the samples around the caller's five cards."""
        five = None if self.found is None else self.found["five"]
        return five is not None and self.found is not None and self.found["trump"] in five["best"]

    @property
    def losses(self) -> tuple[PlayJson, ...]:
        """The cards that gave tricks away."""
        return () if self.found is None else tuple(play for play in self.found["plays"] if play["lost"] > 0)


def deal_analysis(uid: UUID, *, actor: Actor, now: datetime) -> DealAnalysisPart:
    """Return what is known of the analysis of the deal. Two queries, one more for a user where it is not public.

    One more where its cards are shown late: while they are kept from the actor, so is what they tell.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not see it.
    """
    tree = [f"scoresheet__{name}" for name in SHEET_TREE]
    deal = Deal.objects.select_related("scoresheet", *tree).filter(uid=uid).first()
    if deal is None:
        raise NotFound
    require_sight(actor, deal.scoresheet)
    current = Revision.objects.select_related("analysis").get(deal=deal, number=deal.revision)
    held = held_deals(Reader(actor, now), [deal])
    if deal.pk in held:
        return DealAnalysisPart(deal_uid=uid, revision_id=current.pk, may_ask=False, reason=Reason.CARDS_HELD)
    return _part(uid, current, actor)


def _part(uid: UUID, current: Revision, actor: Actor) -> DealAnalysisPart:
    kept: DealAnalysis | None = getattr(current, "analysis", None)
    if kept is not None and kept.found_at is not None:
        is_found = bool(kept.found)
        return DealAnalysisPart(
            deal_uid=uid,
            revision_id=current.pk,
            may_ask=False,
            reason=None if is_found else Reason.FAILED,
            found=kept.found if is_found else None,
            found_at=kept.found_at,
        )
    reason = _reason(current)
    if reason is None and kept is not None:
        return DealAnalysisPart(deal_uid=uid, revision_id=current.pk, may_ask=False, is_waiting=True)
    return DealAnalysisPart(
        deal_uid=uid,
        revision_id=current.pk,
        may_ask=reason is None and actor.is_signed_in,
        reason=reason or Reason.NOT_ASKED,
    )


def _reason(revision: Revision) -> Reason | None:
    """Return why the revision cannot be analysed, None if it can."""
    record = read_kept(revision.pcn).record
    if record is None:
        return Reason.IMPOSSIBLE
    try:
        question_of(record, record.finding())
    except NotAnalysable as error:
        return Reason(error.why.value)
    return None if is_installed() else Reason.NOT_INSTALLED
