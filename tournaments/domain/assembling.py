"""A tournament's state, made of the facts that are kept of it: read from a database, or from an archive.

The one place that says what a match that is kept as finished, void or given away is to draws and rankings.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple, Protocol, Self, TypeVar

from scoring.domain.results import Bye, MatchResult, Side
from tournaments.domain.match_courts import courts_that_count
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import FormatPlan
from tournaments.domain.standings import (
    EntryNames,
    Heading,
    ReasonJson,
    StandingsTable,
    TournamentJson,
    complete_rounds,
    count_matches,
    reasons,
    standings_table,
)
from tournaments.domain.state import Participant, PlayedMatch, PlayedRound, TournamentState

OPEN: Final = "open"
FINISHED: Final = "finished"
VOID: Final = "void"
"""The states of a match, as they are kept."""
ACTIVE: Final = "active"
DISQUALIFIED: Final = "disqualified"
"""Of an entry; any other has left."""
_GIVEN_AWAY_BY: Final = {"NS": (True, False), "EW": (False, True), "both": (True, True)}

Key = TypeVar("Key", bound=Hashable)
P = TypeVar("P", bound="Progress")


class SheetCounts(Protocol):
    """What a scoresheet comes to, by side."""

    @property
    def courts_ns(self) -> int:
        """Courts of North-South; all others alike."""

    @property
    def courts_ew(self) -> int: ...  # noqa: D102 - see above

    @property
    def deals_ns(self) -> int: ...  # noqa: D102 - deals won

    @property
    def deals_ew(self) -> int: ...  # noqa: D102

    @property
    def bavneys_ns(self) -> int: ...  # noqa: D102

    @property
    def bavneys_ew(self) -> int: ...  # noqa: D102

    @property
    def goon_courts_ns(self) -> int: ...  # noqa: D102

    @property
    def goon_courts_ew(self) -> int: ...  # noqa: D102

    @property
    def revokes_ns(self) -> int: ...  # noqa: D102 - the side's own

    @property
    def revokes_ew(self) -> int: ...  # noqa: D102


class EntryFacts(NamedTuple):
    """An entry that plays, or did, as it is kept."""

    number: int
    seed: int | None
    state: str
    joined_round: int
    group: int | None
    penalty: int


class MatchFacts(NamedTuple):
    """A match as it is kept; entries are named by their numbers."""

    round_number: int
    table: str
    ns: int
    ew: int
    state: str
    name: str
    forfeit: str
    """``NS``, ``EW``, ``both``, or empty."""
    adjusted_ns: int | None
    adjusted_ew: int | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A tournament's state with its plan, and what is kept of each match."""

    plan: FormatPlan
    state: TournamentState
    match_states: tuple[str, ...]
    """Of every match."""
    match_round_numbers: tuple[int, ...]
    """Of every match, in the same order."""

    def until(self, last_round: int) -> Self:
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

    @property
    def complete(self) -> int:
        """The last round up to which no match is open, 0 where there is none."""
        open_matches: defaultdict[int, int] = defaultdict(int)
        for number, state in zip(self.match_round_numbers, self.match_states, strict=True):
            open_matches[number] += state == OPEN
        return complete_rounds(open_matches)


def progress_of(plan: FormatPlan, state: TournamentState) -> Progress:
    """Return the state with what is kept of each match."""
    matches = [(one.number, match) for one in state.rounds for match in one.matches]
    return Progress(
        plan=plan,
        state=state,
        match_states=tuple(state_of(match) for _number, match in matches),
        match_round_numbers=tuple(number for number, _match in matches),
    )


def state_of(match: PlayedMatch) -> str:
    """Return the state that is kept of the match."""
    if match.void:
        return VOID
    return OPEN if match.is_open else FINISHED


def participants(entries: Sequence[EntryFacts]) -> tuple[Participant, ...]:
    """Return the entries; who has no seed comes behind all that have one, by number."""
    order = sorted(entries, key=lambda entry: (entry.seed is None, entry.seed or 0, entry.number))
    seeds = {entry.number: place for place, entry in enumerate(order, start=1)}
    return tuple(
        Participant(
            number=entry.number,
            seed=seeds[entry.number],
            active=entry.state == ACTIVE,
            disqualified=entry.state == DISQUALIFIED,
            joined_round=entry.joined_round,
            group=entry.group,
            penalty=entry.penalty,
        )
        for entry in entries
    )


def played_matches(
    matches: Mapping[Key, MatchFacts], counts: Mapping[Key, SheetCounts]
) -> dict[int, list[PlayedMatch]]:
    """Return the matches by the number of their round; both are in the order in which they were made."""
    ended = _order_of_ends(matches)
    played: defaultdict[int, list[PlayedMatch]] = defaultdict(list)
    for key, match in matches.items():
        played[match.round_number].append(
            PlayedMatch(
                table=match.table,
                first=match.ns,
                second=match.ew,
                result=_result(match, counts[key]),
                void=match.state == VOID,
                given_away_by=_given_away_by(match),
                label=match.name,
                ended=ended.get(key),
            )
        )
    return played


def _order_of_ends(matches: Mapping[Key, MatchFacts]) -> dict[Key, int]:
    """Return the place of each finished match in the order in which they ended, from 1."""
    over = [key for key, match in matches.items() if match.state == FINISHED]
    places = {key: place for place, key in enumerate(matches)}

    def end(key: Key) -> tuple[bool, float, int, int]:
        match = matches[key]
        at = match.finished_at
        return at is not None, 0 if at is None else at.timestamp(), match.round_number, places[key]

    return {key: place for place, key in enumerate(sorted(over, key=end), start=1)}


def _given_away_by(match: MatchFacts) -> tuple[int, ...]:
    if match.state != FINISHED or not match.forfeit:
        return ()
    by_ns, by_ew = _GIVEN_AWAY_BY[match.forfeit]
    return (match.ns,) * by_ns + (match.ew,) * by_ew


def _result(match: MatchFacts, counts: SheetCounts) -> MatchResult | None:
    """Return what counts of the match; None where it is not finished, or was given away."""
    if match.state != FINISHED or match.forfeit:
        return None
    courts_ns, courts_ew = courts_that_count(
        (counts.courts_ns, counts.courts_ew), (match.adjusted_ns, match.adjusted_ew)
    )
    ns = Side(
        entry=match.ns,
        courts=courts_ns,
        deals_won=counts.deals_ns,
        bavneys=counts.bavneys_ns,
        goon_courts=counts.goon_courts_ns,
        revokes=counts.revokes_ns,
    )
    ew = Side(
        entry=match.ew,
        courts=courts_ew,
        deals_won=counts.deals_ew,
        bavneys=counts.bavneys_ew,
        goon_courts=counts.goon_courts_ew,
        revokes=counts.revokes_ew,
    )
    table = int(match.table) if match.table.isascii() and match.table.isdecimal() else 0
    return MatchResult(round=match.round_number, sides=(ns, ew), table=table)


def played_rounds(
    rounds: Iterable[tuple[int, int]],
    matches: Mapping[int, Sequence[PlayedMatch]],
    byes: Mapping[int, Sequence[Bye]],
) -> tuple[PlayedRound, ...]:
    """Return the rounds, given by number and session, with their matches and byes, by the number of the round."""
    return tuple(
        PlayedRound(
            number=number,
            matches=tuple(matches.get(number, ())),
            byes=tuple(byes.get(number, ())),
            session=session,
        )
        for number, session in rounds
    )


# -- the standings that follow


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Whose standings they are, and at which version of everything they are made of."""

    tournament: TournamentJson
    status: str
    version: int
    timezone: str
    names: Mapping[int, EntryNames]
    """By entry number."""


def derived(
    progress: Progress, about: About, *, computed_at: str | None
) -> tuple[StandingsTable, list[ReasonJson]]:
    """Return the standings, and the reason for every rank."""
    scheme = progress.state.scheme
    rows = place_entries(progress.plan, progress.state)
    states = progress.match_states
    heading = Heading(
        tournament=about.tournament,
        version=about.version,
        status=about.status,
        after_round=progress.complete,
        computed_at=computed_at,
        timezone=about.timezone,
        matches=count_matches(states.count(FINISHED), states.count(OPEN), states.count(VOID)),
    )
    return standings_table(heading, scheme, rows, about.names), reasons(scheme, rows)
