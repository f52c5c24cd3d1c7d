"""What a tournament has come to, as the pure code of draws and rankings takes it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from scoring import queries as scoring
from scoring.domain.results import Bye, ByeKind, MatchResult, Side
from scoring.queries import SheetResult
from tournaments.domain.match_courts import courts_that_count
from tournaments.domain.pairing import ByeGiven, Wish
from tournaments.domain.plans import FormatPlan, plan_from_json
from tournaments.domain.state import Participant, PlayedMatch, PlayedRound, TournamentState
from tournaments.models import (
    ACCEPTED,
    Absence,
    Entry,
    EntryState,
    Forfeit,
    Match,
    MatchState,
    Round,
    Tournament,
    WishKind,
)
from tournaments.models import Bye as ByeRow
from tournaments.models import Wish as WishRow
from tournaments.schemes import scheme_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """An entry with what no pure code asks for."""

    id: int
    number: int
    partnership_id: int
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedState:
    """A tournament's state, and whose rows it was made of."""

    plan: FormatPlan
    state: TournamentState
    version: int
    """The collection's, read before everything else."""
    entered: tuple[Entered, ...]
    """In the order of their numbers."""
    match_states: tuple[str, ...]
    """Of every match."""
    match_round_numbers: tuple[int, ...]
    """Of every match, in the same order."""

    def until(self, last_round: int) -> "LoadedState":
        """Return the same as if no later round had been drawn."""
        wanted = [
            (number, state)
            for number, state in zip(self.match_round_numbers, self.match_states, strict=True)
            if number <= last_round
        ]
        rounds = tuple(one for one in self.state.rounds if one.number <= last_round)
        return replace(
            self,
            state=replace(self.state, rounds=rounds, rows=None),
            match_states=tuple(state for _number, state in wanted),
            match_round_numbers=tuple(number for number, _state in wanted),
        )


def plan_of(tournament: Tournament) -> FormatPlan:
    """Return what the director chose of the format; what is not stored is as usual."""
    return plan_from_json({**tournament.plan, "format": tournament.format})


def load_state(tournament: Tournament) -> LoadedState:
    """Return the tournament's state. Eight queries.

    The version is read first: whoever acts on what follows can see whether something was written meanwhile.
    """
    return _state(tournament, keep=False)


def shown_state(tournament: Tournament) -> LoadedState:
    """Return the tournament's state for a page that only shows it. Nine queries, four where it was shown before.

    What was played is read again once the version is another: every write that touches it moves the version.
    """
    return _state(tournament, keep=True)


def _state(tournament: Tournament, *, keep: bool) -> LoadedState:
    version = scoring.collection_versions([tournament.collection_id])[tournament.collection_id]
    rows = list(Entry.objects.filter(tournament=tournament, state__in=ACCEPTED).order_by("number"))
    numbers = {row.pk: row.number for row in rows}
    ids = (tournament.pk, tournament.collection_id)
    rounds = kept_rounds(version, *ids) if keep else _rounds(*ids, numbers)
    drawn = rounds[-1].number if rounds else 0
    forbidden, forced = _wishes(tournament.pk, numbers, drawn + 1)
    matches = [(one.number, match) for one in rounds for match in one.matches]
    return LoadedState(
        plan=plan_of(tournament),
        state=TournamentState(
            entries=_participants(rows),
            scheme=scheme_of(tournament),
            rounds=rounds,
            forbidden=forbidden,
            forced=forced,
            away=_away(tournament.pk, rows, drawn + 1),
            session=rounds[-1].session if rounds else 1,
        ),
        version=version,
        entered=tuple(
            Entered(id=row.pk, number=row.number, partnership_id=row.partnership_id, state=row.state)
            for row in rows
        ),
        match_states=tuple(_state_of(match) for _number, match in matches),
        match_round_numbers=tuple(number for number, _match in matches),
    )


def _state_of(match: PlayedMatch) -> str:
    if match.void:
        return MatchState.VOID
    return MatchState.OPEN if match.result is None and not match.given_away_by else MatchState.FINISHED


def _participants(rows: Sequence[Entry]) -> tuple[Participant, ...]:
    """Return the entries; who has no seed comes behind all that have one, by number."""
    order = sorted(rows, key=lambda row: (row.seed is None, row.seed or 0, row.number))
    seeds = {row.pk: place for place, row in enumerate(order, start=1)}
    return tuple(
        Participant(
            number=row.number,
            seed=seeds[row.pk],
            active=row.state == EntryState.ACTIVE,
            disqualified=row.state == EntryState.DISQUALIFIED,
            joined_round=row.joined_round,
            group=row.group,
            penalty=row.penalty,
        )
        for row in rows
    )


@lru_cache(maxsize=8)
def kept_rounds(_version: int, tournament_id: int, collection_id: int) -> tuple[PlayedRound, ...]:
    """Return the rounds, those of the last tournaments that were shown from the memory of this process.

    They are some thousand objects for a large event: to unpack them from a cache outside takes 8 ms, to read them 29.
    """
    numbers = dict(Entry.objects.filter(tournament=tournament_id).values_list("pk", "number"))
    return _rounds(tournament_id, collection_id, numbers)


def _rounds(tournament_id: int, collection_id: int, numbers: Mapping[int, int]) -> tuple[PlayedRound, ...]:
    rows = list(
        Round.objects.filter(tournament=tournament_id)
        .order_by("number")
        .values_list("pk", "number", "session__number")
    )
    results = {one.scoresheet_id: one for one in scoring.match_results(collection_id)}
    matches = _matches(tournament_id, numbers, results)
    byes = _byes(tournament_id, numbers)
    return tuple(
        PlayedRound(number=number, matches=tuple(matches[pk]), byes=tuple(byes[pk]), session=session)
        for pk, number, session in rows
    )


class _MatchRow(NamedTuple):
    """The columns of a match that a state is made of: a thousand model instances would take three times as long."""

    pk: int
    round_id: int
    round__number: int
    table: str
    ns_id: int
    ew_id: int
    scoresheet_id: int
    state: str
    name: str
    forfeit: str
    adjusted_ns: int | None
    adjusted_ew: int | None
    finished_at: datetime | None


def _matches(
    tournament_id: int, numbers: Mapping[int, int], results: Mapping[int, SheetResult]
) -> defaultdict[int, list[PlayedMatch]]:
    every = Match.objects.filter(round__tournament=tournament_id).order_by("pk")
    rows = [_MatchRow(*row) for row in every.values_list(*_MatchRow._fields)]
    ended = _order_of_ends(rows)
    matches: defaultdict[int, list[PlayedMatch]] = defaultdict(list)
    for row in rows:
        matches[row.round_id].append(
            PlayedMatch(
                table=row.table,
                first=numbers[row.ns_id],
                second=numbers[row.ew_id],
                result=_result(row, numbers, results[row.scoresheet_id]),
                void=row.state == MatchState.VOID,
                given_away_by=_given_away_by(row, numbers),
                label=row.name,
                ended=ended.get(row.pk),
            )
        )
    return matches


def _order_of_ends(rows: Iterable[_MatchRow]) -> dict[int, int]:
    """Return the place of each finished match in the order in which they ended, from 1."""
    over = [row for row in rows if row.state == MatchState.FINISHED]
    over.sort(key=lambda row: (row.finished_at is not None, row.finished_at or 0, row.round__number, row.pk))
    return {row.pk: place for place, row in enumerate(over, start=1)}


def _given_away_by(row: _MatchRow, numbers: Mapping[int, int]) -> tuple[int, ...]:
    if row.state != MatchState.FINISHED or not row.forfeit:
        return ()
    sides = {Forfeit.NS: (row.ns_id,), Forfeit.EW: (row.ew_id,), Forfeit.BOTH: (row.ns_id, row.ew_id)}
    return tuple(numbers[pk] for pk in sides[Forfeit(row.forfeit)])


def _result(row: _MatchRow, numbers: Mapping[int, int], sheet: SheetResult) -> MatchResult | None:
    """Return what counts of the match; None where it is not finished, or was given away."""
    if row.state != MatchState.FINISHED or row.forfeit:
        return None
    courts_ns, courts_ew = courts_that_count(
        (sheet.courts_ns, sheet.courts_ew), (row.adjusted_ns, row.adjusted_ew)
    )
    ns = Side(
        entry=numbers[row.ns_id],
        courts=courts_ns,
        deals_won=sheet.deals_ns,
        bavneys=sheet.bavneys_ns,
        goon_courts=sheet.goon_courts_ns,
        revokes=sheet.revokes_ns,
    )
    ew = Side(
        entry=numbers[row.ew_id],
        courts=courts_ew,
        deals_won=sheet.deals_ew,
        bavneys=sheet.bavneys_ew,
        goon_courts=sheet.goon_courts_ew,
        revokes=sheet.revokes_ew,
    )
    table = int(row.table) if row.table.isascii() and row.table.isdecimal() else 0
    return MatchResult(round=row.round__number, sides=(ns, ew), table=table)


def _byes(tournament_id: int, numbers: Mapping[int, int]) -> defaultdict[int, list[Bye]]:
    byes: defaultdict[int, list[Bye]] = defaultdict(list)
    rows = ByeRow.objects.filter(round__tournament=tournament_id).order_by("entry__number")
    for round_id, number, entry_id, kind in rows.values_list("round_id", "round__number", "entry_id", "kind"):
        byes[round_id].append(Bye(round=number, entry=numbers[entry_id], kind=ByeKind(kind)))
    return byes


def _wishes(
    tournament_id: int, numbers: Mapping[int, int], round_number: int
) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
    """Return whom a director wants apart, and together, in the round."""
    rows = [
        row
        for row in WishRow.objects.filter(tournament=tournament_id).order_by("pk")
        if row.round_number in {None, round_number} and {row.first_id, row.second_id} <= numbers.keys()
    ]
    apart, together = (
        tuple(
            Wish(entries=(numbers[row.first_id], numbers[row.second_id]), reason=row.reason)
            for row in rows
            if row.kind == kind
        )
        for kind in (WishKind.APART, WishKind.TOGETHER)
    )
    return apart, together


def _away(tournament_id: int, rows: Sequence[Entry], round_number: int) -> tuple[ByeGiven, ...]:
    """Return who is known not to play in the round: said so before, or not there yet."""
    absences = Absence.objects.filter(entry__tournament=tournament_id, round_number=round_number)
    said = {pk: ByeKind(kind) for pk, kind in absences.values_list("entry_id", "kind")}
    kinds = {row.pk: ByeKind.LATE if row.joined_round > round_number else said.get(row.pk) for row in rows}
    return tuple(
        ByeGiven(entry=row.number, kind=kind)
        for row in rows
        if row.state == EntryState.ACTIVE and (kind := kinds[row.pk]) is not None
    )
