"""Standings as a file for spreadsheets, and the table of everybody against everybody: forms, no rules."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from courtpiece.accounts.api.renderers import BytesRenderer, FileRenderer
from courtpiece.accounts.cells import safe_cell
from tournaments.domain.standings import RowJson, StandingsTable
from tournaments.queries import EntryLine, MatchLine, RoundLine, StandingsAnswer, partnership_json
from tournaments.queries.listings import Crosstable
from tournaments.spreadsheets import Cell

BYTE_ORDER_MARK: Final = "\ufeff"

# -- standings


class CsvRenderer(FileRenderer):
    """A table for spreadsheets."""

    media_type = "text/csv"
    format = "csv"


class XlsxRenderer(BytesRenderer):
    """A table as a workbook."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"


class HtmlRenderer(FileRenderer):
    """A page that is made for paper."""

    media_type = "text/html"
    format = "html"


_BEFORE: Final = (
    "position",
    "rank",
    "tied",
    "entry",
    "state",
)
_COUNTS: Final = (
    "played",
    "won",
    "drawn",
    "lost",
    "byes",
    "match_points",
    "courts_for",
    "courts_against",
    "bavneys",
    "goon_courts",
    "revokes",
    "deals_won",
    "deals_lost",
    "penalty",
)
_PEOPLE: Final = ("partnership_id", "partnership", "player_1", "player_2")
_HEADING: Final = ("version", "status", "current", "after_round", "computed_at", "timezone")


def standings_lines(answer: StandingsAnswer) -> Iterator[Sequence[Cell]]:
    """Yield the standings as lines of a table, the heads of its columns first.

    Every line says of which tournament and version it is.
    """
    counts = _counts(answer)
    yield (*_BEFORE, *_PEOPLE, *counts, *answer["tiebreaks"], "decided_by", "tournament", *_HEADING)
    heading: Mapping[str, Any] = {**answer}
    where = (answer["tournament"]["slug"], *(heading[name] for name in _HEADING))
    for row in answer["rows"]:
        yield (*_cells(row, counts), *where)


def standings_objects(answer: StandingsAnswer) -> Iterator[dict[str, Any]]:
    """Yield each row of the standings, and of which tournament and version it is."""
    heading: Mapping[str, Any] = {**answer}
    where = {"tournament": answer["tournament"]["slug"], **{name: heading[name] for name in _HEADING}}
    for row in answer["rows"]:
        yield {**row, **where}


def csv_of(lines: Iterable[Sequence[Cell]], *, byte_order_mark: bool) -> str:
    """Return the lines with commas, no cell of them a formula."""
    text = io.StringIO()
    csv.writer(text).writerows(map(safe_cell, line) for line in lines)
    return (BYTE_ORDER_MARK if byte_order_mark else "") + text.getvalue()


def _counts(answer: StandingsAnswer) -> tuple[str, ...]:
    """Return the columns of numbers; one more, the last, in a league."""
    is_league = any("session_points" in row for row in answer["rows"])
    return (*_COUNTS, "session_points") if is_league else _COUNTS


def _cells(row: RowJson, counts: Iterable[str]) -> Iterator[Cell]:
    values: Mapping[str, Any] = {**row}
    yield from (values[name] for name in _BEFORE)
    pair = row["partnership"]
    yield from (pair["id"], pair["name"], *(player["name"] for player in pair["players"]))
    yield from (values[name] for name in counts)
    yield from (_number(tiebreak["value"]) for tiebreak in row["tiebreaks"])
    yield row["decided_by"]


def _number(value: str | None) -> Cell:
    """Return the whole number that a text is, else the text: a sheet can add up the former."""
    return int(value) if value is not None and _WHOLE.fullmatch(value) else value


_WHOLE: Final = re.compile(r"-?[0-9]{1,15}")


def file_name(answer: StandingsTable, ending: str) -> str:
    """Return what a file of the standings is called: which, and how sure."""
    return f"standings-{answer['tournament']['slug']}-v{answer['version']}-{answer['status']}.{ending}"


def tag_of(*facts: object) -> str:
    """Return a tag of what an answer says, from all that makes it say so."""
    return f'W/"{hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()[:32]}"'


# -- everybody against everybody


def crosstable_json(page: Crosstable) -> dict[str, Any]:
    """Return the table: for each entry, best first, its matches round by round."""
    answer = page.standings.answer
    ranks = {row["entry"]: row for row in answer["rows"]}
    entries = sorted(page.entries, key=lambda entry: _place(entry, ranks))
    heading: Mapping[str, Any] = {**answer}
    return {
        "tournament": answer["tournament"],
        **{name: heading[name] for name in _HEADING},
        "rows": [_crosstable_row(entry, ranks.get(entry.number), page.rounds) for entry in entries],
    }


def _place(entry: EntryLine, ranks: Mapping[int, RowJson]) -> tuple[int, int]:
    row = ranks.get(entry.number)
    return (row["position"], 0) if row is not None else (len(ranks) + 1, entry.number)


def _crosstable_row(entry: EntryLine, row: RowJson | None, rounds: Sequence[RoundLine]) -> dict[str, Any]:
    return {
        "position": row["position"] if row is not None else None,
        "rank": row["rank"] if row is not None else None,
        "entry": entry.number,
        "state": entry.state,
        "partnership": partnership_json(entry.pair),
        "results": list(_results(entry, rounds)),
        "byes": [one.number for one in rounds if any(bye.entry == entry for bye in one.byes)],
    }


def _results(entry: EntryLine, rounds: Iterable[RoundLine]) -> Iterator[dict[str, Any]]:
    for one in rounds:
        for match in one.matches:
            if entry in (match.ns, match.ew):
                yield _result(match, "ns" if entry == match.ns else "ew", one.number)


def _result(match: MatchLine, side: str, round_number: int) -> dict[str, Any]:
    other = "ew" if side == "ns" else "ns"
    opponent: EntryLine = getattr(match, other)
    result = {"": "drawn", side.upper(): "won", other.upper(): "lost"}[match.winner]
    return {
        "round": round_number,
        "opponent": opponent.number,
        "side": side.upper(),
        "match": str(match.uid),
        "scoresheet": str(match.result.uid),
        "state": match.state,
        "result": result if match.is_finished else None,
        "forfeit": match.forfeit or None,
        "courts_for": match.courts[side == "ew"],
        "courts_against": match.courts[side == "ns"],
    }


def crosstable_lines(table: Mapping[str, Any]) -> Iterator[Sequence[Cell]]:
    """Yield the table with a column for each entry: what each match against it came to, by courts."""
    numbers = [row["entry"] for row in table["rows"]]
    yield ("position", "rank", "entry", "partnership", *numbers)
    for row in table["rows"]:
        pair = row["partnership"]["name"]
        yield (row["position"], row["rank"], row["entry"], pair, *met(row, numbers))


def met(row: Mapping[str, Any], numbers: Iterable[int]) -> Iterator[str]:
    """Yield what an entry's matches came to against each of these: ``W 52-0``; nothing where there was none.

    Two matches against the same entry stand in their order. A match that goes on is an ellipsis.
    """
    cells: dict[int, list[str]] = {}
    for result in row["results"]:
        cells.setdefault(result["opponent"], []).append(_met(result))
    return ("; ".join(cells.get(number, [])) for number in numbers)


def _met(result: Mapping[str, Any]) -> str:
    if result["result"] is None:
        return "…"
    return f"{result['result'][0].upper()} {result['courts_for']}-{result['courts_against']}"
