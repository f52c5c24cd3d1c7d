"""Whether an archive is what its own records say: no database is asked, and nothing of it is believed.

Every finding, ledger and total is derived again from the records, the standings from these.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Final, cast
from uuid import UUID

from scoring.domain.archive_checks import check_sheet
from scoring.domain.archived import ArchivedSheet, SheetNumbers
from scoring.domain.differences import Difference
from scoring.domain.typed_json import JsonObject, canonical, to_json
from tournaments.domain.archive_contents import Contents
from tournaments.domain.archive_file import Part, read_parts
from tournaments.domain.archive_references import check_references, twice
from tournaments.domain.archive_rulings import check_rulings
from tournaments.domain.archive_standings import about_in, progress_in, standings_after, standings_of
from tournaments.domain.archived import ArchivedStandings

MOST_TOLD: Final = 50
"""Differences that are kept one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was found in an archive."""

    contents: Contents
    differences: tuple[Difference, ...]
    """The first of them."""
    count: int
    """How many there are in all."""

    @property
    def agrees(self) -> bool:
        """Whether everything is as the records say."""
        return not self.count


def verify(file: IO[bytes], *, most_bytes: int) -> Verified:
    """Return what of the archive is not as its records say.

    :raises ArchiveFault: if it is no archive that can be read.
    """
    contents = Contents()
    told: list[Difference] = []
    count = 0
    for difference in _differences(contents, read_parts(file, most_bytes=most_bytes)):
        count += 1
        if count <= MOST_TOLD:
            told.append(difference)
    return Verified(contents=contents, differences=tuple(told), count=count)


def _differences(contents: Contents, parts: Iterable[Part]) -> Iterator[Difference]:
    for part in parts:
        if isinstance(part.value, ArchivedSheet):
            yield from _check_sheet(contents, part.value)
        else:
            contents.add(part)
    structural = [*check_references(contents), *check_rulings(contents)]
    yield from structural
    if not structural:
        yield from _check_standings(contents)


def _check_sheet(contents: Contents, sheet: ArchivedSheet) -> Iterator[Difference]:
    where = f"scoresheet {sheet.id}"
    if sheet.id in contents.sheets:
        yield twice(where, "id", sheet.id)
    seen: set[UUID] = set()
    for deal in sheet.deals:
        if deal.id in contents.deals or deal.id in seen:
            yield twice(f"{where}, deal {deal.number}", "id", deal.id)
        seen.add(deal.id)
    contents.add_sheet(sheet)
    yield from check_sheet(sheet)


def _check_standings(contents: Contents) -> Iterator[Difference]:
    """Yield where the standings are not what the matches, as derived, make."""
    tournament = contents.tournament
    numbers: Mapping[UUID, SheetNumbers] = {uid: sheet.numbers for uid, sheet in contents.sheets.items()}
    try:
        progress = progress_in(tournament, contents.entries, contents.rounds, numbers)
        about = about_in(contents.club, tournament, contents.players, contents.partnerships, contents.entries)
        latest, after = standings_of(progress, about), standings_after(progress, about)
    except Exception as error:  # noqa: BLE001 - a file may hold any contradiction, and that is what is said of it
        yield Difference(where="standings", what="results", stored="", derived=f"cannot be ranked: {error!r}")
        return
    yield from _compare("standings", contents.standings, latest)
    kept = [one.after_round for one in contents.standings_after]
    found = [one.after_round for one in after]
    if kept != found:
        yield Difference(where="standings_after", what="rounds", stored=str(kept), derived=str(found))
        return
    for stored, derived in zip(contents.standings_after, after, strict=True):
        yield from _compare(f"standings after round {derived.after_round}", stored, derived)


def _compare(where: str, stored: ArchivedStandings, derived: ArchivedStandings) -> Iterator[Difference]:
    kept, found = cast(JsonObject, to_json(stored)), cast(JsonObject, to_json(derived))
    if kept == found:
        return
    kept_table, found_table = cast(JsonObject, kept["table"]), cast(JsonObject, found["table"])
    rows = (cast(list[JsonObject], kept_table.pop("rows")), cast(list[JsonObject], found_table.pop("rows")))
    for one, other in ((kept, found), (kept_table, found_table), (kept["sha256"], found["sha256"])):
        yield from _unequal(where, cast(JsonObject, one), cast(JsonObject, other))
    yield from _unequal_rows(where, *rows)


def _unequal(where: str, kept: JsonObject, found: JsonObject) -> Iterator[Difference]:
    for name in sorted({*kept, *found} - {"table", "sha256"}):
        if kept.get(name) != found.get(name):
            stored, derived = canonical(kept.get(name)), canonical(found.get(name))
            yield Difference(where=where, what=name, stored=stored, derived=derived)


def _unequal_rows(where: str, kept: list[JsonObject], found: list[JsonObject]) -> Iterator[Difference]:
    order = [row["entry"] for row in found]
    kept_order = [row["entry"] for row in kept]
    if kept_order != order:
        yield Difference(where=where, what="order", stored=canonical(kept_order), derived=canonical(order))
    rows = {cast(int, row["entry"]): row for row in kept}
    for row in found:
        yield from _unequal(f"{where}, entry {row['entry']}", rows.get(cast(int, row["entry"]), {}), row)
