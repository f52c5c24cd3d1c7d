"""The room: every table of a round, and what wants a look there."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext

from courtpiece.accounts.permissions import Action, Actor, may
from scoring import queries as scoring
from scoring.queries import SheetActivity, SheetResult
from tournaments.domain.confirming import Confirmation
from tournaments.domain.match_courts import courts_that_count
from tournaments.domain.plans import FormatName, LengthKind
from tournaments.domain.watching import (
    Doubt,
    Watched,
    doubts_of,
    is_time_called,
    missing_numbers,
    must_have_winner,
    should_have_begun,
)
from tournaments.errors import NoSuchRound
from tournaments.models import EntryState, Format, Match, MatchState, Tournament
from tournaments.publishing import timestamp
from tournaments.queries.clocks import RoundTab, ShownClock, clock_of, current_round, round_tabs, timed_round
from tournaments.queries.confirming import DealConfirmation, Dispute, confirmations_of, dispute_of
from tournaments.queries.links import Unsent, unsent_of_tables
from tournaments.queries.parts import table_key
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table of a round."""

    uid: UUID
    """The match's."""
    sheet_uid: UUID
    table: str
    state: str
    version: int
    name: str
    """What the format calls the match, as a key of ``domain.labels``; mostly empty."""
    forfeit: str
    ns: str
    ew: str
    gone: tuple[str, ...]
    """The partnerships that play no more: withdrawn or disqualified."""
    deals: int
    """Deals that are recorded, void ones included."""
    counting: int
    """Deals that count."""
    courts_ns: int
    courts_ew: int
    """Those of a ruling, where one put others in place of the scoresheet's."""
    heard_at: datetime | None
    """When a deal was last written; None: nothing yet."""
    unsent: Unsent | None
    """Deals that devices there have not sent; None: none that is known of."""
    problems: int
    missing: tuple[int, ...]
    unconfirmed: int
    """Deals that wait for the other pair."""
    disputes: tuple[Dispute, ...]
    """Deals that the other pair disputes, by number."""
    doubts: tuple[Doubt, ...]

    @property
    def is_open(self) -> bool:
        """Whether something is still to be played."""
        return self.state == MatchState.OPEN

    @property
    def can_finish(self) -> bool:
        """Whether it is open, has a deal, and is not known to need further ones."""
        return self.is_open and self.deals > 0 and Doubt.LEVEL not in self.doubts

    @property
    def is_ready(self) -> bool:
        """Whether nothing is left but to finish it."""
        if not _STANDS_AGAINST.isdisjoint(self.doubts):
            return False
        return Doubt.COMPLETE in self.doubts or Doubt.TIME_OVER in self.doubts

    @property
    def sides(self) -> tuple[str, str]:
        """Both partnerships' names, North-South first."""
        return self.ns, self.ew

    @property
    def heard_iso(self) -> str:
        """The moment at which a deal was last written, for machines."""
        return "" if self.heard_at is None else timestamp(self.heard_at)

    @property
    def sheet_address(self) -> str:
        """Where its scoresheet is."""
        return reverse("scoring:scoresheet", args=[self.sheet_uid])

    @property
    def notes(self) -> tuple[str, ...]:
        """What wants a look, in words."""
        facts = {
            "gone": ", ".join(self.gone),
            "problems": self.problems,
            "missing": ", ".join(map(str, self.missing)),
            "courts": self.courts_ns,
        }
        said = [str(_NOTES[doubt]) % facts for doubt in self.doubts if doubt in _NOTES]
        if Doubt.UNCONFIRMED in self.doubts:
            said.append(
                ngettext(
                    "%(count)d deal waits for the other pair.",
                    "%(count)d deals wait for the other pair.",
                    self.unconfirmed,
                )
                % {"count": self.unconfirmed}
            )
        return tuple(said)


_STANDS_AGAINST: Final = frozenset({Doubt.UNSENT, Doubt.DISPUTED, Doubt.UNCONFIRMED})
"""With one of these a match that is complete is not yet to be finished without looking."""


_NOTES: Final[Mapping[Doubt, str | Promise]] = {
    Doubt.GONE: gettext_lazy(
        "Withdrawn or disqualified: %(gone)s. Rule who gave the match away, or make it void."
    ),
    Doubt.NOT_STARTED: gettext_lazy("No deal is in, and the clock runs."),
    Doubt.MISSING_DEALS: gettext_lazy("Missing deals: %(missing)s."),
    Doubt.PROBLEMS: gettext_lazy("Deals in doubt: %(problems)d."),
    Doubt.LEVEL: gettext_lazy("Level at %(courts)d: further deals until a court (law 13.2)."),
    Doubt.COMPLETE: gettext_lazy("All is in: finish the match."),
    Doubt.TIME_OVER: gettext_lazy("The clock has ended: finish the match."),
    Doubt.SHORT: gettext_lazy("Finished with fewer deals or courts than were agreed."),
}
"""What is not yet sent is said where one reads when the table was heard; a dispute with both versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomPage:
    """A round's tables."""

    header: TournamentHeader
    rounds: tuple[RoundTab, ...]
    round: RoundTab | None
    """The one that is shown; None before the first."""
    together: tuple[RoundTab, ...]
    """With others, where more are played at the same time; empty where it is shown alone."""
    clock: ShownClock | None
    tables: tuple[TableLine, ...]
    may_rule: bool

    @property
    def shown_iso(self) -> str:
        """When all this was so, for machines; empty before the first round."""
        return "" if self.clock is None else timestamp(self.clock.now)

    @property
    def in_doubt(self) -> tuple[TableLine, ...]:
        """The tables that want a look."""
        return tuple(line for line in self.tables if line.doubts)

    @property
    def finished(self) -> int:
        """How many matches are over."""
        return sum(not line.is_open for line in self.tables)

    @property
    def quiet(self) -> int:
        """How many open matches nothing was heard from."""
        return sum(line.is_open and line.heard_at is None for line in self.tables)

    @property
    def agreed_deals(self) -> int | None:
        """The agreed number of deals; None where it was not deals that were agreed."""
        agreed = self.round.agreed if self.round is not None else None
        return agreed.amount if agreed is not None and agreed.kind is LengthKind.DEALS else None


def room_page(slug: str, *, actor: Actor, now: datetime, round_number: int | None = None) -> RoomPage:
    """Return every table of a round, the one that is played where none is asked for.

    Eleven queries at most, four more where the other pair confirms deals.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not record deals there.
    :raises NoSuchRound: if the tournament has no such round.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.RECORD_DEAL)
    rounds = round_tabs(tournament)
    shown = _asked(rounds, round_number)
    timed = timed_round(tournament, rounds, shown)
    clock = None if timed is None else clock_of(timed, now=now)
    together = () if shown is None or round_number is not None else played_together(tournament, rounds, shown)
    return RoomPage(
        header=header_of(tournament, actor),
        rounds=rounds,
        round=shown,
        together=together,
        clock=clock,
        tables=()
        if shown is None or clock is None
        else tables_of(tournament, shown, clock, together=together),
        may_rule=may(actor, Action.RULE, club_id=tournament.club_id),
    )


def _asked(rounds: tuple[RoundTab, ...], number: int | None) -> RoundTab | None:
    if number is None:
        return current_round(rounds)
    asked = next((one for one in rounds if one.number == number), None)
    if asked is None:
        raise NoSuchRound(number)
    return asked


def played_together(
    tournament: Tournament, rounds: tuple[RoundTab, ...], shown: RoundTab
) -> tuple[RoundTab, ...]:
    """Return every round with an open match where the winner stays: each of its tables is at a round of its own."""
    if tournament.format != Format.WINNER_STAYS:
        return ()
    return tuple(one for one in rounds if one.open) or (shown,)


def tables_of(
    tournament: Tournament, tab: RoundTab, clock: ShownClock, *, together: tuple[RoundTab, ...] = ()
) -> tuple[TableLine, ...]:
    """Return the tables of the round, or of all played ``together`` with their newest match, in their order.

    Six queries, five where no deal is missing, four more at most where the other pair confirms deals.
    """
    round_ids = [one.id for one in together or (tab,)]
    found = Match.objects.filter(round__in=round_ids)
    newest_last = found.order_by("round__number").values_list(*_MatchRow._fields)
    rows = list({row.table: row for row in map(_MatchRow._make, newest_last)}.values())
    sheet_ids = [row.scoresheet for row in rows]
    results = {result.scoresheet_id: result for result in scoring.sheet_results(sheet_ids)}
    active = scoring.sheet_activity(sheet_ids)
    names = scoring.pair_names(pair for row in rows for pair in (row.ns__partnership, row.ew__partnership))
    room = _Room(
        format=FormatName(tournament.format),
        tab=tab,
        clock=clock,
        names=names,
        results=results,
        active=active,
        missing=_missing(active.values()),
        unsent=unsent_of_tables(round_ids),
        confirmations=_by_sheet(confirmations_of(tournament, sheet_ids).values()),
    )
    lines = [room.line(row) for row in rows]
    return tuple(sorted(lines, key=lambda line: table_key(line.table)))


def _by_sheet(found: Iterable[DealConfirmation]) -> Mapping[int, list[DealConfirmation]]:
    sheets: defaultdict[int, list[DealConfirmation]] = defaultdict(list)
    for deal in sorted(found, key=lambda deal: deal.number):
        sheets[deal.scoresheet_id].append(deal)
    return sheets


def _missing(active: Iterable[SheetActivity]) -> Mapping[int, tuple[int, ...]]:
    gaps = [one.scoresheet_id for one in active if one.has_gap]
    if not gaps:
        return {}
    return {pk: missing_numbers(numbers) for pk, numbers in scoring.deal_numbers(gaps).items()}


class _MatchRow(NamedTuple):
    """The columns of a match that a table's line is made of."""

    uid: UUID
    round: int
    table: str
    state: str
    version: int
    name: str
    forfeit: str
    adjusted_ns: int | None
    adjusted_ew: int | None
    scoresheet: int
    ns__partnership: int
    ew__partnership: int
    ns__state: str
    ew__state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """What the lines of a round are made of."""

    format: FormatName
    tab: RoundTab
    clock: ShownClock
    names: Mapping[int, str]
    results: Mapping[int, SheetResult]
    active: Mapping[int, SheetActivity]
    missing: Mapping[int, tuple[int, ...]]
    unsent: Mapping[tuple[int, str], Unsent]
    confirmations: Mapping[int, list[DealConfirmation]]

    def line(self, row: _MatchRow) -> TableLine:
        sheet_id = row.scoresheet
        result = self.results[sheet_id]
        activity = self.active.get(sheet_id)
        courts = courts_that_count((result.courts_ns, result.courts_ew), (row.adjusted_ns, row.adjusted_ew))
        missing = self.missing.get(sheet_id, ())
        sides = ((row.ns__partnership, row.ns__state), (row.ew__partnership, row.ew__state))
        gone = tuple(self.names[pair] for pair, state in sides if state in _GONE)
        unsent = self.unsent.get((row.round, row.table)) if row.state == MatchState.OPEN else None
        deals = self.confirmations.get(sheet_id, ())
        disputes = tuple(dispute_of(deal) for deal in deals if deal.state is Confirmation.DISPUTED)
        unconfirmed = sum(deal.state is Confirmation.WAITING for deal in deals)
        watched = Watched(
            is_open=row.state == MatchState.OPEN,
            is_one_gone=bool(gone),
            is_finished=row.state == MatchState.FINISHED,
            deals=result.deals,
            last_number=activity.last_number if activity else 0,
            missing=missing,
            problems=result.problems,
            unsent=unsent.deals if unsent is not None else 0,
            disputed=len(disputes),
            unconfirmed=unconfirmed,
            courts=courts,
            must_have_winner=must_have_winner(self.format, self.tab.name),
            agreed=self.tab.agreed,
            clock=self.clock.clock.state,
            should_have_begun=should_have_begun(self.clock.clock, self.clock.now),
            time_called=is_time_called(self.clock.clock, self.clock.now),
            is_ruled=bool(row.forfeit) or row.adjusted_ns is not None,
        )
        return TableLine(
            uid=row.uid,
            sheet_uid=result.uid,
            table=row.table,
            state=row.state,
            version=row.version,
            name=row.name,
            forfeit=row.forfeit,
            ns=self.names[row.ns__partnership],
            ew=self.names[row.ew__partnership],
            gone=gone,
            deals=activity.deals if activity else 0,
            counting=result.deals,
            courts_ns=courts[0],
            courts_ew=courts[1],
            heard_at=activity.heard_at if activity else None,
            unsent=unsent,
            problems=result.problems,
            missing=missing,
            unconfirmed=unconfirmed,
            disputes=disputes,
            doubts=doubts_of(watched),
        )


_GONE: Final = frozenset({EntryState.WITHDRAWN, EntryState.DISQUALIFIED})
