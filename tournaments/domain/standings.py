"""The standings as everybody reads them: the answer of the API, and the working behind each rank."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict, cast

from scoring.domain.ranking import Row
from scoring.domain.results import ByeKind, Exact, Ranking, Scheme
from scoring.domain.workings import Working, WorkingLine

FORMAT: Final = 1
"""The version of the form of :class:`StandingsTable`."""


class TournamentJson(TypedDict):
    """Which tournament it is, and by which rules."""

    slug: str
    name: str
    rules: str
    rules_version: int


class MatchCounts(TypedDict):
    """How many matches there are: ``scheduled`` is all of them."""

    scheduled: int
    finished: int
    open: int
    void: int


class PlayerJson(TypedDict):
    """A player."""

    id: str
    name: str


class PartnershipJson(TypedDict):
    """A partnership."""

    id: str
    name: str
    players: list[PlayerJson]


class TiebreakJson(TypedDict):
    """A tie-break's value: an exact number as text, or null where it cannot be computed."""

    code: str
    value: str | None


class RowJson(TypedDict):
    """An entry's line. Points that are no whole number are fractions as text."""

    position: int
    rank: int
    tied: bool
    entry: int
    state: str
    partnership: PartnershipJson
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    match_points: int | str
    session_points: NotRequired[int | str]
    """In a league, the penalty taken from it; left out elsewhere."""
    courts_for: int
    courts_against: int
    bavneys: int
    goon_courts: int
    revokes: int
    deals_won: int
    deals_lost: int
    penalty: int | str
    tiebreaks: list[TiebreakJson]
    decided_by: str | None


class StandingsTable(TypedDict):
    """The standings at a version, without ``current``, which only who reads them can tell."""

    format: int
    tournament: TournamentJson
    version: int
    status: str
    after_round: int
    computed_at: str | None
    timezone: str
    ranking: str
    tiebreaks: list[str]
    lot_seed: int | None
    matches: MatchCounts
    rows: list[RowJson]


class LineJson(TypedDict):
    """What an opponent, or a round without one, gave to a tie-break's value.

    ``own`` and ``other`` are left out where there are none, ``again`` where it is 0, ``bye`` where a match was
    played or the draw gave the bye, ``dummy`` where it met none, ``cut`` where the line counts, and ``before``
    where nothing changed the opponent's score: there are thousands of these.
    """

    opponent: int | None
    rounds: list[int]
    amount: str
    own: NotRequired[str]
    other: NotRequired[str]
    again: NotRequired[int]
    bye: NotRequired[str]
    dummy: NotRequired[bool]
    cut: NotRequired[str]
    before: NotRequired[str]


class WorkingJson(TypedDict):
    """A tie-break's value, opponent by opponent."""

    code: str
    value: str | None
    lines: list[LineJson]


class SessionJson(TypedDict):
    """What a session of a league gave to an entry that was there."""

    session: int
    rank: int
    tied: bool
    score: str
    points: str
    counts: bool


class ReasonJson(TypedDict):
    """Why an entry has its rank: whom the tie-breaks were about, and how each was worked out.

    ``sessions`` is there in a league only.
    """

    entry: int
    level_with: list[int]
    tiebreaks: list[WorkingJson]
    sessions: NotRequired[list[SessionJson]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What the standings say above their rows."""

    tournament: TournamentJson
    version: int
    status: str
    after_round: int
    computed_at: str | None
    """In UTC to the second; None: not computed."""
    timezone: str
    matches: MatchCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNames:
    """Who an entry is."""

    state: str
    partnership: PartnershipJson


def standings_table(
    heading: Heading, scheme: Scheme, rows: Iterable[Row], names: Mapping[int, EntryNames]
) -> StandingsTable:
    """Return the standings in the form of the API; ``names`` are by entry number.

    A league is ranked by its sessions, whatever orders those.
    """
    lines = tuple(rows)
    is_league = any(row.sessions is not None for row in lines)
    return StandingsTable(
        format=FORMAT,
        tournament=heading.tournament,
        version=heading.version,
        status=heading.status,
        after_round=heading.after_round,
        computed_at=heading.computed_at,
        timezone=heading.timezone,
        ranking=(Ranking.SESSION_POINTS if is_league else scheme.ranking).value,
        tiebreaks=[code.value for code in scheme.tiebreaks],
        lot_seed=scheme.lot_seed,
        matches=heading.matches,
        rows=[_row(row, scheme, names[row.tally.entry]) for row in lines],
    )


def in_order(table: StandingsTable) -> StandingsTable:
    """Return the same table with its keys in the order of the documents, which not every database keeps."""
    ordered = cast(StandingsTable, _with_keys(StandingsTable, table))
    ordered["tournament"] = cast(TournamentJson, _with_keys(TournamentJson, table["tournament"]))
    ordered["matches"] = cast(MatchCounts, _with_keys(MatchCounts, table["matches"]))
    ordered["rows"] = [_row_in_order(row) for row in table["rows"]]
    return ordered


def _row_in_order(row: RowJson) -> RowJson:
    ordered = cast(RowJson, _with_keys(RowJson, row))
    partnership = cast(PartnershipJson, _with_keys(PartnershipJson, row["partnership"]))
    partnership["players"] = [
        PlayerJson(id=player["id"], name=player["name"]) for player in partnership["players"]
    ]
    ordered["partnership"] = partnership
    ordered["tiebreaks"] = [TiebreakJson(code=one["code"], value=one["value"]) for one in row["tiebreaks"]]
    return ordered


def _with_keys(form: type, stored: Mapping[str, object]) -> dict[str, object]:
    return {name: stored[name] for name in form.__annotations__ if name in stored}


def reasons(scheme: Scheme, rows: Iterable[Row]) -> list[ReasonJson]:
    """Return the working behind every rank, in the order of the rows."""
    return [_reason(scheme, row) for row in rows]


def _reason(scheme: Scheme, row: Row) -> ReasonJson:
    reason = ReasonJson(
        entry=row.tally.entry,
        level_with=list(row.level_with),
        tiebreaks=[
            _working(code.value, working)
            for code, working in zip(scheme.tiebreaks, row.workings, strict=True)
        ],
    )
    if row.sessions is not None:
        reason["sessions"] = [
            SessionJson(
                session=line.session,
                rank=line.rank,
                tied=line.tied,
                score=str(line.score),
                points=str(line.points),
                counts=line.counts,
            )
            for line in row.sessions
        ]
    return reason


def complete_rounds(open_matches_by_round: Mapping[int, int]) -> int:
    """Return the last round up to which no match is open, 0 where there is none."""
    complete = 0
    for number in sorted(open_matches_by_round):
        if open_matches_by_round[number]:
            break
        complete = number
    return complete


def count_matches(finished: int, still_open: int, void: int) -> MatchCounts:
    """Return the counts with their sum."""
    return MatchCounts(scheduled=finished + still_open + void, finished=finished, open=still_open, void=void)


def as_number(number: Exact) -> int | str:
    """Return a whole number as itself, a fraction as text: ``3/2``."""
    return number if isinstance(number, int) else whole_or_text(str(number))


def whole_or_text(text: str) -> int | str:
    """Return the text as an int where it is a whole number."""
    return text if "/" in text else int(text)


def _row(row: Row, scheme: Scheme, names: EntryNames) -> RowJson:
    tally = row.tally
    written = RowJson(
        position=row.position,
        rank=row.rank,
        tied=row.tied,
        entry=tally.entry,
        state=names.state,
        partnership=names.partnership,
        played=len(tally.encounters),
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        byes=len(tally.byes),
        match_points=as_number(tally.match_points),
        courts_for=tally.courts_for,
        courts_against=tally.courts_against,
        bavneys=tally.bavneys,
        goon_courts=tally.goon_courts,
        revokes=tally.revokes,
        deals_won=tally.deals_won,
        deals_lost=tally.deals_lost,
        penalty=as_number(tally.penalty),
        tiebreaks=_values(scheme, row.workings),
        decided_by=row.decided_by.value if row.decided_by else None,
    )
    if row.sessions is not None:
        written["session_points"] = as_number(tally.score)
    return written


def _values(scheme: Scheme, workings: Sequence[Working]) -> list[TiebreakJson]:
    return [
        TiebreakJson(code=code.value, value=_text(working.value))
        for code, working in zip(scheme.tiebreaks, workings, strict=True)
    ]


def _working(code: str, working: Working) -> WorkingJson:
    return WorkingJson(code=code, value=_text(working.value), lines=[_line(line) for line in working.lines])


def _line(line: WorkingLine) -> LineJson:
    written = LineJson(opponent=line.opponent, rounds=list(line.rounds), amount=str(line.amount))
    if line.own is not None and line.other is not None:
        written["own"], written["other"] = str(line.own), str(line.other)
    if line.again:
        written["again"] = line.again
    if line.bye is not None and line.bye is not ByeKind.PAIRING:
        written["bye"] = line.bye.value
    if line.dummy:
        written["dummy"] = True
    if line.cut is not None:
        written["cut"] = line.cut.value
    if line.before is not None:
        written["before"] = str(line.before)
    return written


def _text(number: Exact | None) -> str | None:
    return None if number is None else str(number)
