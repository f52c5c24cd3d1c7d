"""What became of an evening's files."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from scoring.names import NearDuplicate
from scoring.operations import Became
from scoring.records import RecordProblem


class SheetOutcome(StrEnum):
    """What became of a scoresheet."""

    RECORDED = "recorded"
    """At least one deal was written."""
    DUPLICATE = "duplicate"
    """All of it had been written before, word for word; nothing was written now."""
    CONFLICT = "conflict"
    """A deal is recorded and says something else; nothing was written."""
    REFUSED = "refused"
    """A record cannot be taken as it stands; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetReport:
    """What became of one scoresheet's records."""

    outcome: SheetOutcome
    files: tuple[str, ...]
    match: str
    """Round, table and pairs, in words."""
    scoresheet: UUID | None = None
    """None where nothing was written of it."""
    recorded: int = 0
    """Deals written now."""
    duplicates: int = 0
    """Deals that had been written before."""
    problems: tuple[RecordProblem, ...] = ()
    """What is wrong, and what is worth a look."""
    notes: tuple[str, ...] = ()
    """What was assumed."""

    @property
    def errors(self) -> tuple[RecordProblem, ...]:
        """The problems for which nothing was written."""
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @property
    def warnings(self) -> tuple[RecordProblem, ...]:
        """What is worth a look, and was written all the same."""
        return tuple(problem for problem in self.problems if problem.severity == "warning")

    def as_json(self) -> dict[str, Any]:
        """Return the report for programs."""
        return {
            "outcome": self.outcome.value,
            "files": list(self.files),
            "match": self.match,
            "scoresheet": str(self.scoresheet) if self.scoresheet else None,
            "recorded": self.recorded,
            "duplicates": self.duplicates,
            "problems": [problem.as_json() for problem in self.problems],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedReport:
    """What became of a deal that a phone handed on."""

    became: Became
    file: str
    match: str
    """Round, table and pairs, in words, as the file says them."""
    number: int
    """The deal's; 0 where it could not be read."""
    scoresheet: UUID | None = None
    """None where the tournament has none such."""
    deal: UUID | None = None
    """None where it is not recorded."""
    revision: int = 0
    """The one that was written, or that stands; 0 where there is none."""
    current: str = ""
    """Of a conflict: what is recorded."""
    offered: str = ""
    """What was handed on."""
    problems: tuple[RecordProblem, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether it is recorded as it was handed on."""
        return self.became in {Became.CREATED, Became.DUPLICATE}

    def as_json(self) -> dict[str, Any]:
        """Return the report for programs."""
        return {
            "outcome": self.became.value,
            "file": self.file,
            "match": self.match,
            "number": self.number,
            "scoresheet": str(self.scoresheet) if self.scoresheet else None,
            "deal": str(self.deal) if self.deal else None,
            "revision": self.revision,
            "problems": [problem.as_json() for problem in self.problems],
        }


@dataclass(frozen=True, slots=True)
class HandedMatch:
    """The deals of one match that phones handed on and that are recorded."""

    deals: tuple[HandedReport, ...]

    @property
    def match(self) -> str:
        """Round, table and pairs, in words."""
        return self.deals[0].match

    @property
    def scoresheet(self) -> UUID | None:
        """The scoresheet that has them."""
        return self.deals[0].scoresheet

    @property
    def recorded(self) -> str:
        """The numbers of those that were written now."""
        return self._numbers(Became.CREATED)

    @property
    def before(self) -> str:
        """The numbers of those that had been written before."""
        return self._numbers(Became.DUPLICATE)

    @property
    def problems(self) -> tuple[RecordProblem, ...]:
        """What is worth a look."""
        return tuple(problem for deal in self.deals for problem in deal.problems)

    def _numbers(self, became: Became) -> str:
        return ", ".join(str(deal.number) for deal in self.deals if deal.became is became)


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningReport:
    """What became of an evening's files, scoresheet by scoresheet in the order they came."""

    tournament_slug: str
    club_slug: str = ""
    """Empty where the files had nothing but what phones handed on."""
    made_club: bool = False
    made_tournament: bool = False
    sheets: tuple[SheetReport, ...] = ()
    players_made: tuple[str, ...] = ()
    partnerships_made: tuple[str, ...] = ()
    near_duplicates: tuple[NearDuplicate, ...] = ()
    """New names that are nearly others of the club: perhaps the same people."""
    handed: tuple[HandedReport, ...] = ()
    """What became of deals that phones handed on, each for itself."""

    @property
    def recorded(self) -> int:
        """Deals written."""
        return sum(sheet.recorded for sheet in self.sheets) + self._handed_that(Became.CREATED)

    @property
    def duplicates(self) -> int:
        """Deals that had been written before."""
        return sum(sheet.duplicates for sheet in self.sheets) + self._handed_that(Became.DUPLICATE)

    def _handed_that(self, became: Became) -> int:
        return sum(deal.became is became for deal in self.handed)

    @property
    def wrote_nothing(self) -> bool:
        """Whether all of it had been there before."""
        return all(sheet.outcome is SheetOutcome.DUPLICATE for sheet in self.sheets) and all(
            deal.became is Became.DUPLICATE for deal in self.handed
        )

    @property
    def is_clean(self) -> bool:
        """Whether every scoresheet and every deal of a phone was recorded, now or before."""
        return not self.left_out and not self.handed_left

    @property
    def handed_left(self) -> tuple[HandedReport, ...]:
        """The deals of phones that are not recorded."""
        return tuple(deal for deal in self.handed if not deal.is_taken)

    @property
    def handed_taken(self) -> tuple[HandedMatch, ...]:
        """The deals of phones that are recorded, now or before, by their matches."""
        taken = [deal for deal in self.handed if deal.is_taken]
        sheets = dict.fromkeys(deal.scoresheet for deal in taken)
        return tuple(
            HandedMatch(tuple(deal for deal in taken if deal.scoresheet == sheet)) for sheet in sheets
        )

    def of(self, *outcomes: SheetOutcome) -> tuple[SheetReport, ...]:
        """Return the scoresheets of which one of these became."""
        return tuple(sheet for sheet in self.sheets if sheet.outcome in outcomes)

    @property
    def left_out(self) -> tuple[SheetReport, ...]:
        """The scoresheets of which nothing was written because something is wrong."""
        return self.of(SheetOutcome.CONFLICT, SheetOutcome.REFUSED)

    @property
    def taken(self) -> tuple[SheetReport, ...]:
        """The scoresheets that were written, now or before."""
        return self.of(SheetOutcome.RECORDED, SheetOutcome.DUPLICATE)

    def as_json(self) -> dict[str, Any]:
        """Return the report for programs."""
        return {
            "club": self.club_slug,
            "tournament": self.tournament_slug,
            "made_club": self.made_club,
            "made_tournament": self.made_tournament,
            "recorded": self.recorded,
            "duplicates": self.duplicates,
            "sheets": [sheet.as_json() for sheet in self.sheets],
            "players_made": list(self.players_made),
            "partnerships_made": list(self.partnerships_made),
            "near_duplicates": [
                {"name": near.name, "existing": near.existing} for near in self.near_duplicates
            ],
            "handed": [deal.as_json() for deal in self.handed],
        }


def with_file(problems: Iterable[RecordProblem], file: str) -> tuple[RecordProblem, ...]:
    """Return the problems as those of a file."""
    return tuple(
        RecordProblem(
            code=problem.code,
            kind=problem.kind,
            message=problem.message,
            file=file,
            record=problem.record,
            line=problem.line,
            column=problem.column,
        )
        for problem in problems
    )
