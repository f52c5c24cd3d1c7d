"""The rulings of a tournament, their appeals, and the footnotes by which everybody finds them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from courtpiece.accounts.permissions import Action, Actor
from scoring import queries as scoring
from scoring.queries import PairRef
from tournaments.domain.effects import Counted, DealMove, Effect, MatchMove, Pairing, RankMove
from tournaments.models import AppealStep, AppealStepKind, Match, Ruling, RulingKind
from tournaments.queries.parts import EntryLine, entries_of
from tournaments.queries.sight import TournamentHeader, tournament_header


def effect_from_json(stored: Mapping[str, Any]) -> Effect:
    """Return the effect that a ruling keeps."""
    match = stored.get("match")
    return Effect(
        deals=tuple(
            DealMove(number=move["number"], before=Counted(**move["before"]), after=Counted(**move["after"]))
            for move in stored.get("deals", ())
        ),
        match=None if match is None else MatchMove(**match),
        ranks=tuple(_rank_move(move) for move in stored.get("ranks", ())),
        later=tuple(Pairing(**one) for one in stored.get("later", ())),
        draft=stored.get("draft"),
        unplayed=tuple(Pairing(**one) for one in stored.get("unplayed", ())),
    )


def _rank_move(move: Mapping[str, Any]) -> RankMove:
    courts = {name: tuple(move[name]) for name in ("before_courts", "after_courts")}
    return RankMove(**{**move, **courts})


# -- what a page shows of them


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRank:
    """A line of the standings that reads otherwise."""

    pair: PairRef
    move: RankMove


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPairing:
    """A match, by where it is played and who plays it."""

    round: int
    table: str
    ns: PairRef
    ew: PairRef


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEffect:
    """What a ruling changes, with the names that people have today."""

    deals: tuple[DealMove, ...]
    match: MatchMove | None
    ranks: tuple[ShownRank, ...]
    later: tuple[ShownPairing, ...]
    draft: int | None
    unplayed: tuple[ShownPairing, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether nothing that anybody reads is otherwise."""
        return not any((self.deals, self.match, self.ranks, self.later, self.draft, self.unplayed))


def shown_effect(effect: Effect, names: Mapping[int, PairRef]) -> ShownEffect:
    """Return the effect with names, which are by the entries' numbers."""
    return ShownEffect(
        deals=effect.deals,
        match=effect.match,
        ranks=tuple(
            ShownRank(pair=names[move.entry], move=move) for move in effect.ranks if move.entry in names
        ),
        later=tuple(_shown_pairing(one, names) for one in effect.later),
        draft=effect.draft,
        unplayed=tuple(_shown_pairing(one, names) for one in effect.unplayed),
    )


_NO_EFFECT: Final = shown_effect(Effect(), {})


def _shown_pairing(one: Pairing, names: Mapping[int, PairRef]) -> ShownPairing:
    return ShownPairing(round=one.round, table=one.table, ns=names[one.ns], ew=names[one.ew])


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledMatch:
    """The match that a ruling is about."""

    uid: UUID
    round: int
    table: str
    ns: EntryLine
    ew: EntryLine
    scoresheet: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealLine:
    """A step of an appeal."""

    kind: str
    kind_label: str
    entry: EntryLine | None
    """Who appealed."""
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingLine:
    """A ruling. Who made it is said by role: everybody reads this."""

    number: int
    kind: str
    kind_label: str
    law: str
    reason: str
    made_at: datetime
    by_server: bool
    """Whether a command of the server made it; else a director did."""
    match: RuledMatch | None
    entry: EntryLine | None
    deal_uid: UUID | None
    deal_number: int | None
    set_to: Mapping[str, Any]
    """What was set, by the names of the columns."""
    effect: ShownEffect
    takes_back: int | None
    taken_back_by: int | None = None
    appeal_until: datetime | None
    appeal: tuple[AppealLine, ...]

    @property
    def appeal_state(self) -> str:
        """How the appeal stands: the kind of its last step; empty without one."""
        return self.appeal[-1].kind if self.appeal else ""

    @property
    def has_open_appeal(self) -> bool:
        """Whether somebody has yet to decide."""
        return self.appeal_state == AppealStepKind.LODGED

    @property
    def can_be_taken_back(self) -> bool:
        """Whether it stands, and is something that can be."""
        standing = self.kind not in {RulingKind.TAKEN_BACK, RulingKind.REOPENED}
        return standing and self.taken_back_by is None

    def can_be_appealed(self, now: datetime) -> bool:
        """Return whether an appeal may still be lodged."""
        in_time = self.appeal_until is not None and now <= self.appeal_until
        return in_time and not self.appeal and self.can_be_taken_back


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedDeal:
    """A deal that was corrected without a ruling in the tournament: by the API, or before it had any."""

    uid: UUID
    number: int
    round: int
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingsPage:
    """Everything that was ruled in a tournament, in the order of the footnotes."""

    header: TournamentHeader
    rulings: tuple[RulingLine, ...]
    entries: tuple[EntryLine, ...]
    corrected: tuple[CorrectedDeal, ...]

    @property
    def open_appeals(self) -> tuple[RulingLine, ...]:
        """The rulings of which an appeal is to be decided."""
        return tuple(line for line in self.rulings if line.has_open_appeal)


def rulings_page(slug: str, *, actor: Actor, action: Action = Action.VIEW_TOURNAMENT) -> RulingsPage:
    """Return the rulings of a tournament. Nine queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    header = tournament_header(slug, actor=actor, action=action)
    entries = entries_of(header.id)
    rulings = ruling_lines(header.id, entries)
    return RulingsPage(
        header=header,
        rulings=rulings,
        entries=tuple(entries.values()),
        corrected=_corrected(header, {line.deal_uid for line in rulings}),
    )


def ruling_lines(tournament_id: int, entries: Mapping[int, EntryLine]) -> tuple[RulingLine, ...]:
    """Return the rulings by number. Three queries."""
    found = Ruling.objects.filter(tournament=tournament_id).order_by("number")
    rows = list(found.select_related("match__round", "takes_back"))
    back = {row.takes_back_id: row.number for row in rows if row.takes_back_id is not None}
    steps: defaultdict[int, list[AppealLine]] = defaultdict(list)
    for step in AppealStep.objects.filter(ruling__tournament=tournament_id).order_by("number"):
        steps[step.ruling_id].append(_step(step, entries))
    sheets = scoring.scoresheet_uids(row.match.scoresheet_id for row in rows if row.match is not None)
    names = names_of(entries)
    return tuple(
        replace(
            _line(row, entries, sheets, steps[row.pk]),
            taken_back_by=back.get(row.pk),
            effect=shown_effect(effect_from_json(row.effect), names),
        )
        for row in rows
    )


def names_of(entries: Mapping[int, EntryLine]) -> dict[int, PairRef]:
    """Return the pairs by the numbers of their entries."""
    return {entry.number: entry.pair for entry in entries.values()}


def _step(row: AppealStep, entries: Mapping[int, EntryLine]) -> AppealLine:
    return AppealLine(
        kind=row.kind,
        kind_label=row.get_kind_display(),
        entry=entries.get(row.entry_id or 0),
        reason=row.reason,
        at=row.made_at,
    )


def _line(
    row: Ruling, entries: Mapping[int, EntryLine], sheets: Mapping[int, UUID], steps: Iterable[AppealLine]
) -> RulingLine:
    return RulingLine(
        number=row.number,
        kind=row.kind,
        kind_label=row.get_kind_display(),
        law=row.law,
        reason=row.reason,
        made_at=row.made_at,
        by_server=row.made_by_id is None and not row.by_director_elsewhere,
        match=_match(row, entries, sheets),
        entry=entries.get(row.entry_id or 0),
        deal_uid=row.deal_uid,
        deal_number=row.deal_number,
        set_to=row.decided.get("after", {}),
        effect=_NO_EFFECT,
        takes_back=row.takes_back.number if row.takes_back is not None else None,
        appeal_until=row.appeal_until,
        appeal=tuple(steps),
    )


def _match(row: Ruling, entries: Mapping[int, EntryLine], sheets: Mapping[int, UUID]) -> RuledMatch | None:
    match = row.match
    if match is None:
        return None
    return RuledMatch(
        uid=match.uid,
        round=match.round.number,
        table=match.table,
        ns=entries[match.ns_id],
        ew=entries[match.ew_id],
        scoresheet=sheets[match.scoresheet_id],
    )


def _corrected(header: TournamentHeader, known: Iterable[UUID | None]) -> tuple[CorrectedDeal, ...]:
    """Return the deals that have another revision than their first and no ruling here. Two queries."""
    revised = scoring.revised_deals(header.collection_id)
    deals = [deal for deal in revised if deal.uid not in set(known)]
    places = places_of_sheets(header.id)
    return tuple(
        CorrectedDeal(uid=deal.uid, number=deal.number, round=places[pk][0], table=places[pk][1])
        for deal in deals
        if (pk := deal.scoresheet_id) in places
    )


def places_of_sheets(tournament_id: int) -> dict[int, tuple[int, str]]:
    """Return the round and table of each scoresheet, by its id. One query."""
    rows = Match.objects.filter(round__tournament=tournament_id)
    return {
        pk: (number, table) for pk, number, table in rows.values_list("scoresheet", "round__number", "table")
    }
