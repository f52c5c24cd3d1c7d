"""Pairs from a file: what is in it, and what would come of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor
from scoring import queries as scoring
from scoring.names import NearDuplicate
from tournaments import queries
from tournaments.domain.entering import Column, NewPair, PairFault, pair_faults
from tournaments.entry_rows import NEEDED, SaidFault, read_pairs, said
from tournaments.errors import BadSpreadsheet
from tournaments.headings import Headings, read_headings
from tournaments.models import Format, Tournament
from tournaments.operations.listing import listed_entries
from tournaments.spreadsheets import Table, read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePreview:
    """A file of pairs before anything is saved."""

    pairs: tuple[NewPair, ...]
    """Those that can be read; there are others where there are faults."""
    faults: tuple[SaidFault, ...]
    """Everything that is wrong, row by row: while there is one, nothing can be saved."""
    near: tuple[NearDuplicate, ...]
    """New names with the known ones that they nearly are."""
    new: frozenset[str]
    """Names that the club does not know."""
    ignored: tuple[str, ...]
    """What stands over columns that are not read."""


def preview_entries(*, actor: Actor, slug: str, content: bytes) -> FilePreview:
    """Return what is in a file of pairs, and what is wrong with it. Writes nothing. Six queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    :raises BadSpreadsheet: if the file is no table, or its header does not name the two players.
    """
    tournament = queries.tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    table = read_table(content)
    headings = read_headings(table.header.cells, Column, needed=NEEDED)
    if headings.wrong:
        raise BadSpreadsheet(headings.wrong)
    if not table.rows:
        raise BadSpreadsheet(_("There is a header and no pair under it."))
    places, ignored = _used(tournament, table, headings)
    read = read_pairs(_rows(table, places))
    faults = [*read.faults, *pair_faults(read.rows, listed_entries(tournament))]
    names = [name for pair in read.pairs for name in pair.names]
    return FilePreview(
        pairs=read.pairs,
        faults=tuple(said(fault) for fault in _in_order(faults)),
        near=scoring.near_names(tournament.club_id, names),
        new=scoring.unknown_names(tournament.club_id, names),
        ignored=ignored,
    )


def _used(
    tournament: Tournament, table: Table, headings: Headings[Column]
) -> tuple[Mapping[Column, int], tuple[str, ...]]:
    """Return the columns that are read, and what stands over the others: groups, where the format has none."""
    place = headings.places.get(Column.GROUP)
    if place is None or tournament.format == Format.GROUPS_KNOCKOUT:
        return headings.places, headings.ignored
    used: Mapping[Column, int] = {
        column: found for column, found in headings.places.items() if column is not Column.GROUP
    }
    is_filled = any(place < len(row.cells) and row.cells[place].strip() for row in table.rows)
    return used, (*headings.ignored, table.header.cells[place]) if is_filled else headings.ignored


def _rows(table: Table, places: Mapping[Column, int]) -> list[tuple[int, dict[Column, str]]]:
    return [
        (
            row.number,
            {column: row.cells[place] for column, place in places.items() if place < len(row.cells)},
        )
        for row in table.rows
    ]


def _in_order(faults: Iterable[PairFault]) -> list[PairFault]:
    places = {column: place for place, column in enumerate(Column)}
    return sorted(faults, key=lambda fault: (fault.row, places[fault.column]))
