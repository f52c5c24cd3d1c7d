"""An archive that was read, without its scoresheets: of these only what the rest asks is kept."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast
from uuid import UUID

from scoring.domain.archived import (
    ArchivedPartnership,
    ArchivedPlayer,
    ArchivedSheet,
    SheetNumbers,
    numbers_of,
)
from tournaments.domain.archive_file import Part
from tournaments.domain.archived import (
    ArchivedClub,
    ArchivedEntry,
    ArchivedMatch,
    ArchivedRound,
    ArchivedRuling,
    ArchivedSession,
    ArchivedStandings,
    ArchivedTournament,
)


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """What the rest of an archive asks of a scoresheet."""

    ns: UUID
    ew: UUID
    seats: tuple[UUID, ...]
    numbers: SheetNumbers


@dataclass(slots=True)
class Contents:
    """An archive without its scoresheets, of which only the numbers are kept."""

    values: dict[str, list[object]] = field(default_factory=dict)
    sheets: dict[UUID, SheetFacts] = field(default_factory=dict)
    deals: dict[UUID, tuple[UUID, int, int]] = field(default_factory=dict)
    """The scoresheet, the number and the count of revisions of each deal."""
    deal_count: int = 0
    revision_count: int = 0

    @property
    def club(self) -> ArchivedClub:
        """The club."""
        return cast(ArchivedClub, self.values["club"][0])

    @property
    def tournament(self) -> ArchivedTournament:
        """The tournament."""
        return cast(ArchivedTournament, self.values["tournament"][0])

    @property
    def players(self) -> list[ArchivedPlayer]:
        """The players, in the order in which the club knew them."""
        return cast(list[ArchivedPlayer], self.values.get("players", []))

    @property
    def partnerships(self) -> list[ArchivedPartnership]:
        """The partnerships."""
        return cast(list[ArchivedPartnership], self.values.get("partnerships", []))

    @property
    def entries(self) -> list[ArchivedEntry]:
        """The entries, by number."""
        return cast(list[ArchivedEntry], self.values.get("entries", []))

    @property
    def sessions(self) -> list[ArchivedSession]:
        """The sessions, by number."""
        return cast(list[ArchivedSession], self.values.get("sessions", []))

    @property
    def rounds(self) -> list[ArchivedRound]:
        """The rounds, by number."""
        return cast(list[ArchivedRound], self.values.get("rounds", []))

    @property
    def rulings(self) -> list[ArchivedRuling]:
        """The rulings, by number."""
        return cast(list[ArchivedRuling], self.values.get("rulings", []))

    @property
    def standings(self) -> ArchivedStandings:
        """The standings."""
        return cast(ArchivedStandings, self.values["standings"][0])

    @property
    def standings_after(self) -> list[ArchivedStandings]:
        """Those after each round."""
        return cast(list[ArchivedStandings], self.values.get("standings_after", []))

    @property
    def matches(self) -> Iterator[tuple[ArchivedRound, ArchivedMatch]]:
        """The matches with their rounds."""
        return ((one, match) for one in self.rounds for match in one.matches)

    def add(self, part: Part) -> None:
        """Take in what was read."""
        self.values.setdefault(part.name, []).append(part.value)

    def add_sheet(self, sheet: ArchivedSheet) -> None:
        """Take in what the rest asks of a scoresheet."""
        seats = sheet.seats
        self.sheets[sheet.id] = SheetFacts(
            sheet.ns, sheet.ew, (seats.N, seats.E, seats.S, seats.W), numbers_of(sheet.totals)
        )
        for deal in sheet.deals:
            self.deals[deal.id] = (sheet.id, deal.number, len(deal.revisions))
            self.revision_count += len(deal.revisions)
        self.deal_count += len(sheet.deals)
