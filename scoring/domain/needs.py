"""What an entry needs of the matches that remain to reach a place, or to keep it.

Every outcome of the remaining matches is looked at. That is feasible because what an outcome decides falls apart:
matches that share no entry, even over others, decide nothing about each other, so that each group of connected matches
is looked at alone and what the groups say is put together by counting. A last round, where nobody plays twice, is
exact for any number of entries.

An outcome is a win, a draw or a loss for each match, and reaches the place, misses it, or leaves it to the tie-breaks,
which hang on courts and cannot be looked at: then it counts as such, and never as reached. Where it is not known yet
who meets whom, or where there are too many outcomes, only what holds whatever comes is said. Matches that will be given
away, and penalties still to come, are not foreseen.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain, product
from typing import Final, TypeAlias

from scoring.domain.limits import Limits, Remaining
from scoring.domain.ranking import Row
from scoring.domain.results import Exact, MatchEnd, Ranking, ResultsError, Scheme, Tally

MOST_OUTCOMES: Final = 3**9
"""How many outcomes of connected matches, or of an entry's own, are looked at."""

Outcomes: TypeAlias = tuple[MatchEnd, ...]
"""How an entry's matches end for it."""


class NeedStatus(Enum):
    """What can be said of an entry and a place."""

    SAFE = "safe"
    """It has the place whatever happens."""
    OUT = "out"
    """It misses the place whatever happens."""
    SAFE_IF = "safe-if"
    """It can reach the place by its own results alone."""
    DEPENDS = "depends"
    """Others or the tie-breaks have a say, whatever it does itself."""
    SHARED = "shared"
    """Nothing is left to play, and it shares a rank for which there is not room enough."""
    UNKNOWN = "unknown"


class Unknown(Enum):
    """Why nothing can be said. The words for people are made of it outside."""

    TOO_MANY_OUTCOMES = "too-many-outcomes"
    PAIRINGS_UNKNOWN = "pairings-unknown"
    """It hangs on who meets whom."""
    NOT_BY_MATCH_POINTS = "not-by-match-points"
    """What ranks is not made of wins and draws alone."""
    PLACES_OF_SESSIONS = "places-of-sessions"
    """A league's points come from places in sessions, which hang on tie-breaks and on who comes."""
    BEST_SESSIONS = "best-sessions"
    """Only the best sessions of a league count, and what one more adds hangs on those before it."""


@dataclass(frozen=True, slots=True)
class OwnResults:
    """What follows if the entry's own remaining matches end in one way."""

    own: Outcomes
    """In the order in which the remaining matches were given; then those not drawn yet."""
    reached: int
    """In how many outcomes of the other matches the place is reached."""
    tied: int
    """In how many the tie-breaks decide."""
    missed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What an entry needs to reach a place."""

    entry: int
    place: int
    status: NeedStatus
    suffices: tuple[Outcomes, ...] = ()
    """With ``SAFE_IF``: the own results that suffice whatever the others do."""
    by_own: tuple[OwnResults, ...] = ()
    """What each way in which its own matches can end leads to; empty where outcomes were not counted."""
    unknown: Unknown | None = None

    @property
    def reached(self) -> int:
        """In how many outcomes of all remaining matches the place is reached."""
        return sum(one.reached for one in self.by_own)

    @property
    def tied(self) -> int:
        """In how many the tie-breaks decide."""
        return sum(one.tied for one in self.by_own)

    @property
    def missed(self) -> int:
        """In how many it is missed."""
        return sum(one.missed for one in self.by_own)


_Ahead: TypeAlias = tuple[int, int]
"""How many others are ahead of the entry, and how many are level with it."""
_Pairs: TypeAlias = tuple[tuple[int, int], ...]
_Finals: TypeAlias = Counter[tuple[Outcomes, tuple[Exact, ...]]]
"""In how many outcomes the entry's own results are these, and the scores of those who play are these."""
_ENDS: Final = tuple(MatchEnd)
_MIRRORED: Final = {MatchEnd.WIN: MatchEnd.LOSS, MatchEnd.DRAW: MatchEnd.DRAW, MatchEnd.LOSS: MatchEnd.WIN}


def what_it_needs(
    entry: int, *, place: int, tallies: Mapping[int, Tally], remaining: Remaining, scheme: Scheme
) -> Need:
    """Return what the entry needs to stand at ``place`` (from 1) or better.

    ``tallies`` are those of the results so far. The place is reached where everybody ahead of the entry and everybody
    level with it have room; it is left to the tie-breaks where only those ahead have.

    :raises ResultsError: if the entry, or one of the remaining matches, is not in the tallies.
    """
    (need,) = what_they_need([entry], place=place, tallies=tallies, remaining=remaining, scheme=scheme)
    return need


def what_they_need(
    entries: Iterable[int], *, place: int, tallies: Mapping[int, Tally], remaining: Remaining, scheme: Scheme
) -> tuple[Need, ...]:
    """Return what each of the entries needs, in their order: the same as one by one, in less time.

    :raises ResultsError: as :func:`what_it_needs` does.
    """
    asked = tuple(entries)
    for named in (*asked, *(one for pair in remaining.pairs for one in pair)):
        if named not in tallies:
            raise ResultsError(f"there is no entry {named}", entry=named)
    limits = Limits(tallies, remaining, scheme)
    groups = _connected(remaining.pairs)
    return tuple(_need(_Race(entry, place, tallies, scheme, limits), remaining, groups) for entry in asked)


def what_they_reached(entries: Iterable[int], *, place: int, rows: Iterable[Row]) -> tuple[Need, ...]:
    """Return which of the entries have the place, in their order, when nothing is left to play.

    ``rows`` are the final standings: the tie-breaks have decided what they can.

    :raises ResultsError: if one of the entries is in none of the rows.
    """
    ranks = {row.tally.entry: row.rank for row in rows}
    sharing = Counter(ranks.values())
    return tuple(_reached(entry, place, ranks, sharing) for entry in entries)


def _reached(entry: int, place: int, ranks: Mapping[int, int], sharing: Mapping[int, int]) -> Need:
    if entry not in ranks:
        raise ResultsError(f"there is no entry {entry}", entry=entry)
    rank = ranks[entry]
    if rank > place:
        return Need(entry=entry, place=place, status=NeedStatus.OUT, by_own=(OwnResults((), 0, 0, 1),))
    if rank + sharing[rank] - 1 > place:
        return Need(entry=entry, place=place, status=NeedStatus.SHARED, by_own=(OwnResults((), 0, 1, 0),))
    return Need(entry=entry, place=place, status=NeedStatus.SAFE, by_own=(OwnResults((), 1, 0, 0),))


def _need(race: "_Race", remaining: Remaining, groups: "list[_Pairs]") -> Need:
    if race.scheme.ranking is not Ranking.MATCH_POINTS:
        return race.unknown(Unknown.NOT_BY_MATCH_POINTS)
    if remaining.rounds_not_drawn:
        return _by_bounds(race, remaining, Unknown.PAIRINGS_UNKNOWN)
    if any(len(_ENDS) ** len(group) > MOST_OUTCOMES for group in groups):
        return _by_bounds(race, remaining, Unknown.TOO_MANY_OUTCOMES)
    return _by_outcomes(race, remaining.pairs, groups)


@dataclass(frozen=True, slots=True)
class _Race:
    """An entry and a place, and what everybody has so far."""

    entry: int
    place: int
    tallies: Mapping[int, Tally]
    scheme: Scheme
    limits: Limits

    def unknown(self, reason: Unknown) -> Need:
        """Return that nothing can be said."""
        return Need(entry=self.entry, place=self.place, status=NeedStatus.UNKNOWN, unknown=reason)

    def need(self, status: NeedStatus, suffices: Iterable[Outcomes] = ()) -> Need:
        """Return what is known without counting outcomes."""
        return Need(entry=self.entry, place=self.place, status=status, suffices=tuple(suffices))

    def worth(self, end: MatchEnd) -> Exact:
        """Return what a match is worth."""
        return self.scheme.points.of_match(end)

    def is_safe(self) -> bool:
        """Return whether the least that the entry can have reaches the place against the most of all others."""
        return self.reaches_with(self.limits.least[self.entry])

    def is_out(self) -> bool:
        """Return whether the most that the entry can have misses the place against the least of all others."""
        return self.limits.ahead_at_least(self.entry, self.limits.most[self.entry]) >= self.place

    def reaches_with(self, points: Exact) -> bool:
        """Return whether the entry reaches the place with so many points, whatever the others do."""
        return self.limits.not_behind_at_most(self.entry, points) < self.place

    def higher(self, entries: Iterable[int]) -> int:
        """Return how many of the entries are ahead by their stage, whatever their score."""
        own = self.tallies[self.entry].stage
        return sum(self.tallies[entry].stage > own for entry in entries)

    def rivals(self, entries: Sequence[int]) -> list[int]:
        """Return where those of the entries stand whose score decides between them and the entry."""
        own = self.tallies[self.entry].stage
        return [
            at for at, entry in enumerate(entries) if entry != self.entry and self.tallies[entry].stage == own
        ]


def _connected(pairs: _Pairs) -> list[_Pairs]:
    """Return the matches in groups that share no entry, each in the order in which they were given."""
    group_of: dict[int, list[int]] = {}
    for index, (first, second) in enumerate(pairs):
        group = group_of.setdefault(first, [])
        joined = group_of.get(second, [])
        if joined is not group:
            group += joined
            group_of |= {entry: group for one in joined for entry in pairs[one]}
        group.append(index)
        group_of[second] = group
    groups = {id(group): group for group in group_of.values()}
    return [tuple(pairs[index] for index in sorted(group)) for group in groups.values()]


def _by_outcomes(race: _Race, pairs: _Pairs, groups: list[_Pairs]) -> Need:
    if race.is_safe():
        return _judged(race, [OwnResults(own, times, 0, 0) for own, times in _own_ends(race, pairs)])
    if race.is_out():
        return _judged(race, [OwnResults(own, 0, 0, times) for own, times in _own_ends(race, pairs)])
    own_group = next((group for group in groups if race.entry in _entries(group)), ())
    others = _others(race, own_group, [group for group in groups if group is not own_group])
    by_points: dict[Exact, Counter[_Ahead]] = {}
    cases: dict[Outcomes, Counter[_Ahead]] = {}
    for own, points, ahead in _own_outcomes(race, own_group):
        if points not in by_points:
            by_points[points] = _among(race, points, others)
        case = cases.setdefault(own, Counter())
        case.update(_together(by_points[points], ahead, race.place))
    return _judged(race, [_own_results(race, own, cases[own]) for own, _ in _own_ends(race, pairs)])


def _own_ends(race: _Race, pairs: _Pairs) -> Iterator[tuple[Outcomes, int]]:
    """Yield each way in which the entry's own matches can end, with how many outcomes the other matches have."""
    matches = sum(race.entry in pair for pair in pairs)
    for own in product(_ENDS, repeat=matches):
        yield own, len(_ENDS) ** (len(pairs) - matches)


def _others(race: _Race, own_group: _Pairs, groups: list[_Pairs]) -> list[tuple[tuple[int, ...], _Finals]]:
    """Return everything that can come of the others: of matches that decide nothing, only how many outcomes."""
    open_groups = [group for group in groups if race.limits.decide(race.entry, _entries(group))]
    playing = {race.entry, *_entries(tuple(chain(own_group, *open_groups)))}
    idle = tuple(entry for entry in race.tallies if entry not in playing)
    times = len(_ENDS) ** (sum(map(len, groups)) - sum(map(len, open_groups)))
    found = [(_entries(group), _finals(race, group)) for group in open_groups]
    return [*found, (idle, Counter({((), tuple(race.limits.sure(race.entry, one) for one in idle)): times}))]


def _entries(group: _Pairs) -> tuple[int, ...]:
    return tuple(sorted({entry for pair in group for entry in pair}))


def _finals(race: _Race, group: _Pairs) -> _Finals:
    """Return everything that can come of the matches."""
    entries = _entries(group)
    at = {entry: place for place, entry in enumerate(entries)}
    finals: _Finals = Counter({((), tuple(race.tallies[entry].score for entry in entries)): 1})
    for first, second in group:
        after: _Finals = Counter()
        for (own, scores), times in finals.items():
            for end in _ENDS:
                moved = list(scores)
                moved[at[first]] += race.worth(end)
                moved[at[second]] += race.worth(_MIRRORED[end])
                after[own + _own_end(race, first, second, end), tuple(moved)] += times
        finals = after
    return finals


def _own_end(race: _Race, first: int, second: int, end: MatchEnd) -> Outcomes:
    if first == race.entry:
        return (end,)
    return (_MIRRORED[end],) if second == race.entry else ()


def _own_outcomes(race: _Race, group: _Pairs) -> Iterator[tuple[Outcomes, Exact, Counter[_Ahead]]]:
    """Yield the entry's own results and points, with who of those connected with it is ahead, and how often."""
    if not group:
        yield (), race.tallies[race.entry].score, Counter([(0, 0)])
        return
    entries = _entries(group)
    own_at, rivals, higher = entries.index(race.entry), race.rivals(entries), race.higher(entries)
    together: dict[tuple[Outcomes, Exact], Counter[_Ahead]] = {}
    for (own, scores), times in _finals(race, group).items():
        points = scores[own_at]
        ahead = _ahead(scores, rivals, higher, points)
        together.setdefault((own, points), Counter())[ahead] += times
    for (own, points), counted in together.items():
        yield own, points, counted


def _ahead(scores: tuple[Exact, ...], rivals: list[int], higher: int, points: Exact) -> _Ahead:
    ahead = level = 0
    for at in rivals:
        if scores[at] > points:
            ahead += 1
        elif scores[at] == points:
            level += 1
    return higher + ahead, level


def _among(race: _Race, points: Exact, groups: Iterable[tuple[tuple[int, ...], _Finals]]) -> Counter[_Ahead]:
    """Return in how many outcomes of the groups how many are ahead of, or level with, the points."""
    counted = Counter([(0, 0)])
    for entries, finals in groups:
        rivals, higher = race.rivals(entries), race.higher(entries)
        of_group: Counter[_Ahead] = Counter()
        for (_, scores), times in finals.items():
            of_group[_ahead(scores, rivals, higher, points)] += times
        counted = _together(counted, of_group, race.place)
    return counted


def _together(first: Counter[_Ahead], second: Counter[_Ahead], place: int) -> Counter[_Ahead]:
    """Return the outcomes of both; as many ahead, or as many level, as there is room for are as good as more."""
    both: Counter[_Ahead] = Counter()
    for (ahead, level), times in first.items():
        for (more_ahead, more_level), more_times in second.items():
            together = min(ahead + more_ahead, place), min(level + more_level, place)
            both[together] += times * more_times
    return both


def _own_results(race: _Race, own: Outcomes, counted: Counter[_Ahead]) -> OwnResults:
    reached = sum(times for (ahead, level), times in counted.items() if ahead + level < race.place)
    missed = sum(times for (ahead, _), times in counted.items() if ahead >= race.place)
    return OwnResults(own, reached, counted.total() - reached - missed, missed)


def _judged(race: _Race, cases: Sequence[OwnResults]) -> Need:
    by_own = tuple(cases)
    suffices = tuple(one.own for one in by_own if not one.tied and not one.missed)
    if len(suffices) == len(by_own):
        return replace(race.need(NeedStatus.SAFE), by_own=by_own)
    if not any(one.reached or one.tied for one in by_own):
        return replace(race.need(NeedStatus.OUT), by_own=by_own)
    status = NeedStatus.SAFE_IF if suffices else NeedStatus.DEPENDS
    return replace(race.need(status, suffices), by_own=by_own)


def _by_bounds(race: _Race, remaining: Remaining, reason: Unknown) -> Need:
    """Return what holds whatever comes: as if all others made the most of what is left to them, or the least.

    Not all of them can, where they meet, so that what is said here holds, and what is not said is unknown.
    """
    if race.is_safe():
        return race.need(NeedStatus.SAFE)
    if race.is_out():
        return race.need(NeedStatus.OUT)
    matches = sum(race.entry in pair for pair in remaining.pairs) + remaining.rounds_not_drawn
    if len(_ENDS) ** matches > MOST_OUTCOMES:
        return race.unknown(reason)
    score = race.tallies[race.entry].score
    points = {own: score + sum(map(race.worth, own)) for own in product(_ENDS, repeat=matches)}
    enough = {own for own in set(points.values()) if race.reaches_with(own)}
    suffices = [own for own, made in points.items() if made in enough]
    return race.need(NeedStatus.SAFE_IF, suffices) if suffices else race.unknown(reason)
