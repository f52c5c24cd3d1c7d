"""What was said of deals that were entered at tables, in a tournament whose other pair confirms each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse

from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from courtpiece.notation import Difference, first_difference, read
from scoring import queries as scoring
from tournaments.dispute_words import SIDES, difference_text, outcome_text
from tournaments.domain.confirming import Confirmation as State
from tournaments.domain.confirming import Holder, Verdict, confirmation_of
from tournaments.models import Confirmation, EnteredRevision, Match, Tournament
from tournaments.queries.sight import TournamentHeader, header_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What somebody said of a revision."""

    by: Holder | None
    """None: a director."""
    verdict: Verdict
    pcn: str
    """Of a dispute: what they have in its place; empty where they did not say."""
    reason: str
    """A director's."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DealConfirmation:
    """How far the revision that stands of a deal is confirmed."""

    deal_uid: UUID
    scoresheet_id: int
    number: int
    revision: int
    entered_by: Holder | None
    """None: the device did not say who holds it."""
    state: State
    said: tuple[Said, ...]
    """The oldest first."""
    recorded: str = ""
    """Of a disputed one: the record that stands."""

    @property
    def disputed_by(self) -> Said | None:
        """What the last who disputes it said, before all who also say what they have; None where nobody does."""
        disputes = [one for one in self.said if one.verdict is Verdict.DISPUTE]
        return next((one for one in reversed(disputes) if one.pcn), disputes[-1] if disputes else None)

    @property
    def difference(self) -> Difference | None:
        """Where the record and what the other side has part; None where it did not say what it has."""
        disputed = self.disputed_by
        if self.state is not State.DISPUTED or disputed is None or not disputed.pcn:
            return None
        one, other = next(read(self.recorded)).record, next(read(disputed.pcn)).record
        return None if one is None or other is None else first_difference(one, other)


def confirmations_of(
    tournament: Tournament, scoresheet_ids: Iterable[int]
) -> Mapping[UUID, DealConfirmation]:
    """Return how far the deals of the scoresheets are confirmed, by the deals' public ids.

    A deal of which nobody's confirmation is asked is left out. No query where the tournament does not ask; else three,
    one more where a deal is disputed.
    """
    if not tournament.confirmation:
        return {}
    ids = list(scoresheet_ids)
    current = scoring.current_deals(ids)
    entered = [
        row
        for row in EnteredRevision.objects.filter(scoresheet__in=ids)
        if row.deal_uid in current and current[row.deal_uid].revision == row.revision
    ]
    said = _said_of(entered)
    states = {row.deal_uid: confirmation_of(_holder(row.holder), _words(said[row.pk])) for row in entered}
    texts = (
        scoring.current_texts([uid for uid, state in states.items() if state is State.DISPUTED])
        if State.DISPUTED in states.values()
        else {}
    )
    return {
        row.deal_uid: DealConfirmation(
            deal_uid=row.deal_uid,
            scoresheet_id=row.scoresheet_id,
            number=current[row.deal_uid].number,
            revision=row.revision,
            entered_by=_holder(row.holder),
            state=states[row.deal_uid],
            said=tuple(said[row.pk]),
            recorded=texts.get(row.deal_uid, ""),
        )
        for row in entered
    }


def _said_of(entered: Iterable[EnteredRevision]) -> defaultdict[int, list[Said]]:
    found: defaultdict[int, list[Said]] = defaultdict(list)
    rows = Confirmation.objects.filter(entered__in=[row.pk for row in entered]).order_by("pk")
    for row in rows:
        found[row.entered_id].append(
            Said(
                by=_holder(row.holder),
                verdict=Verdict(row.verdict),
                pcn=row.pcn,
                reason=row.reason,
                at=row.made_at,
            )
        )
    return found


def _holder(stored: str) -> Holder | None:
    return Holder(stored) if stored else None


def _words(said: Iterable[Said]) -> list[tuple[Holder | None, Verdict]]:
    return [(one.by, one.verdict) for one in said]


# -- for directors


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A deal on which a table does not agree, in words."""

    deal_uid: UUID
    scoresheet_id: int
    number: int
    revision: int
    by: str
    """Who disputes it."""
    point: str
    """Where the two part, in a sentence; empty where the other side did not say what it has, or nothing differs."""
    recorded: str
    """How the deal ended, as it is recorded."""
    offered: str
    """The same as the other side has it; empty where it did not say."""
    recorded_pcn: str
    offered_pcn: str

    @property
    def address(self) -> str:
        """Where the deal is."""
        return reverse("scoring:deal", args=[self.deal_uid])


def dispute_of(deal: DealConfirmation) -> Dispute:
    """Return the dispute in words."""
    disputed, difference = deal.disputed_by, deal.difference
    offered = "" if disputed is None else disputed.pcn
    holder = None if disputed is None or disputed.by is None else disputed.by
    return Dispute(
        deal_uid=deal.deal_uid,
        scoresheet_id=deal.scoresheet_id,
        number=deal.number,
        revision=deal.revision,
        by=str(SIDES.get(holder.value, "")) if holder is not None else "",
        point="" if difference is None else difference_text(difference),
        recorded=_outcome(deal.recorded),
        offered=_outcome(offered),
        recorded_pcn=deal.recorded,
        offered_pcn=offered,
    )


def _outcome(pcn: str) -> str:
    finding = next(read(pcn)).finding() if pcn else None
    return "" if finding is None or finding.outcome is None else outcome_text(finding.outcome)


def disputes_of(tournament: Tournament, scoresheet_ids: Iterable[int]) -> tuple[Dispute, ...]:
    """Return the deals on which tables do not agree, by number. Four queries at most."""
    found = confirmations_of(tournament, scoresheet_ids).values()
    disputed = [deal for deal in found if deal.state is State.DISPUTED]
    return tuple(map(dispute_of, sorted(disputed, key=lambda deal: (deal.scoresheet_id, deal.number))))


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputePage:
    """A disputed deal, for the director who decides on it."""

    header: TournamentHeader
    table: str
    round_number: int
    dispute: Dispute | None
    """None: it is not disputed any more."""
    number: int


def dispute_page(slug: str, deal_uid: UUID, *, actor: Actor) -> DisputePage:
    """Return a deal with what its table says of it. Nine queries at most.

    :raises NotFound: if the tournament has no such deal.
    :raises Forbidden: if the actor may not rule there.
    """
    match, number = match_of_deal(deal_uid)
    tournament = match.round.tournament
    if tournament.slug != slug:
        raise NotFound
    require(actor, Action.RULE, club_id=tournament.club_id)
    disputes = disputes_of(tournament, [match.scoresheet_id])
    return DisputePage(
        header=header_of(tournament, actor),
        table=match.table,
        round_number=match.round.number,
        dispute=next((one for one in disputes if one.deal_uid == deal_uid), None),
        number=number,
    )


def match_of_deal(deal_uid: UUID) -> tuple[Match, int]:
    """Return the match that a deal is of, and the deal's number. Two queries.

    :raises NotFound: if there is no such deal in a match.
    """
    place = scoring.deal_place(deal_uid)
    rows = Match.objects.select_related("round__tournament")
    match = None if place is None else rows.filter(scoresheet=place.scoresheet_id).first()
    if match is None or place is None:
        raise NotFound
    return match, place.number
