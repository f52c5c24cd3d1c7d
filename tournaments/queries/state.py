"""What a tournament has come to, as the pure code of draws and rankings takes it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.db.models import BigIntegerField

from courtpiece.accounts.prepared import Prepared
from scoring import queries as scoring
from scoring.domain.results import Bye, ByeKind
from tournaments.domain.assembling import (
    EntryFacts,
    MatchFacts,
    Progress,
    participants,
    played_matches,
    played_rounds,
    progress_of,
)
from tournaments.domain.pairing import ByeGiven, Wish
from tournaments.domain.plans import FormatPlan, plan_from_json
from tournaments.domain.state import PlayedRound, TournamentState
from tournaments.models import (
    ACCEPTED,
    Absence,
    Entry,
    EntryState,
    Match,
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
class LoadedState(Progress):
    """A tournament's state, and whose rows it was made of."""

    version: int
    """The collection's, read before everything else."""
    entered: tuple[Entered, ...]
    """In the order of their numbers."""


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
    rows = _ENTRIES.models(tournament.pk)
    numbers = {row.pk: row.number for row in rows}
    ids = (tournament.pk, tournament.collection_id)
    rounds = kept_rounds(version, *ids) if keep else _rounds(*ids, numbers)
    drawn = rounds[-1].number if rounds else 0
    forbidden, forced = _wishes(tournament.pk, numbers, drawn + 1)
    progress = progress_of(
        plan_of(tournament),
        TournamentState(
            entries=participants([_entry_facts(row) for row in rows]),
            scheme=scheme_of(tournament),
            rounds=rounds,
            forbidden=forbidden,
            forced=forced,
            away=_away(tournament.pk, rows, drawn + 1),
            session=rounds[-1].session if rounds else 1,
        ),
    )
    return LoadedState(
        plan=progress.plan,
        state=progress.state,
        match_states=progress.match_states,
        match_round_numbers=progress.match_round_numbers,
        version=version,
        entered=tuple(
            Entered(id=row.pk, number=row.number, partnership_id=row.partnership_id, state=row.state)
            for row in rows
        ),
    )


_ID: Final = BigIntegerField()
_ENTRIES: Final = Prepared(
    lambda pk: Entry.objects.filter(tournament=pk, state__in=ACCEPTED).order_by("number"), _ID
)


def _entry_facts(row: Entry) -> EntryFacts:
    return EntryFacts(
        number=row.number,
        seed=row.seed,
        state=row.state,
        joined_round=row.joined_round,
        group=row.group,
        penalty=row.penalty,
    )


@lru_cache(maxsize=8)
def kept_rounds(_version: int, tournament_id: int, collection_id: int) -> tuple[PlayedRound, ...]:
    """Return the rounds, those of the last tournaments that were shown from the memory of this process.

    They are some thousand objects for a large event: to unpack them from a cache outside takes 8 ms, to read them 29.
    """
    numbers = dict(Entry.objects.filter(tournament=tournament_id).values_list("pk", "number"))
    return _rounds(tournament_id, collection_id, numbers)


def _rounds(tournament_id: int, collection_id: int, numbers: Mapping[int, int]) -> tuple[PlayedRound, ...]:
    rounds = _ROUNDS.rows(tournament_id)
    results = {one.scoresheet_id: one for one in scoring.match_results(collection_id)}
    matches = played_matches(_matches(tournament_id, numbers), results)
    return played_rounds(rounds, matches, _byes(tournament_id, numbers))


_ROUNDS: Final = Prepared(
    lambda pk: (
        Round.objects.filter(tournament=pk).order_by("number").values_list("number", "session__number")
    ),
    _ID,
)
_MATCH_COLUMNS: Final = (
    "scoresheet_id",
    "ns_id",
    "ew_id",
    "round__number",
    "table",
    "state",
    "name",
    "forfeit",
    "adjusted_ns",
    "adjusted_ew",
    "finished_at",
)


def _matches(tournament_id: int, numbers: Mapping[int, int]) -> dict[int, MatchFacts]:
    """Return the matches by their scoresheets, in the order in which they were made.

    Of columns: a thousand model instances would take three times as long.
    """
    return {
        sheet_id: MatchFacts(round_number, table, numbers[ns_id], numbers[ew_id], *others)
        for sheet_id, ns_id, ew_id, round_number, table, *others in _MATCHES.rows(tournament_id)
    }


_MATCHES: Final = Prepared(
    lambda pk: Match.objects.filter(round__tournament=pk).order_by("pk").values_list(*_MATCH_COLUMNS), _ID
)


def _byes(tournament_id: int, numbers: Mapping[int, int]) -> defaultdict[int, list[Bye]]:
    byes: defaultdict[int, list[Bye]] = defaultdict(list)
    for number, entry_id, kind in _BYES.rows(tournament_id):
        byes[number].append(Bye(round=number, entry=numbers[entry_id], kind=ByeKind(kind)))
    return byes


_BYES: Final = Prepared(
    lambda pk: (
        ByeRow.objects.filter(round__tournament=pk)
        .order_by("entry__number")
        .values_list("round__number", "entry_id", "kind")
    ),
    _ID,
)


def _wishes(
    tournament_id: int, numbers: Mapping[int, int], round_number: int
) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
    """Return whom a director wants apart, and together, in the round."""
    rows = [
        row
        for row in _WISHES.models(tournament_id)
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


_WISHES: Final = Prepared(lambda pk: WishRow.objects.filter(tournament=pk).order_by("pk"), _ID)


def _away(tournament_id: int, rows: Sequence[Entry], round_number: int) -> tuple[ByeGiven, ...]:
    """Return who is known not to play in the round: said so before, or not there yet."""
    said = {pk: ByeKind(kind) for pk, kind in _ABSENCES.rows(tournament_id, round_number)}
    kinds = {row.pk: ByeKind.LATE if row.joined_round > round_number else said.get(row.pk) for row in rows}
    return tuple(
        ByeGiven(entry=row.number, kind=kind)
        for row in rows
        if row.state == EntryState.ACTIVE and (kind := kinds[row.pk]) is not None
    )


_ABSENCES: Final = Prepared(
    lambda pk, number: Absence.objects.filter(entry__tournament=pk, round_number=number).values_list(
        "entry_id", "kind"
    ),
    _ID,
    _ID,
)
