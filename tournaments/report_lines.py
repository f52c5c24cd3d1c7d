"""What became of files, in lines for a terminal."""

from scoring.records import RecordProblem
from tournaments.reports import EveningReport, HandedReport, SheetReport


def lines_of_report(report: EveningReport) -> list[str]:
    """Return everything that became of an evening's files."""
    lines = []
    if report.made_club:
        lines.append(f"club made: {report.club_slug}")
    if report.made_tournament:
        lines.append(f"tournament made: {report.tournament_slug}")
    lines += [f"player made: {name}" for name in report.players_made]
    lines += [f"partnership made: {name}" for name in report.partnerships_made]
    lines += _near_lines(report)
    for sheet in report.sheets:
        lines += _sheet_lines(sheet)
    for deal in report.handed:
        lines += _handed_lines(deal)
    lines.append(
        f"{report.recorded} deals recorded, {report.duplicates} were there before, "
        f"{len(report.left_out)} of {len(report.sheets)} scoresheets left out"
    )
    return lines


def lines_of_faults(report: EveningReport) -> list[str]:
    """Return what a person should look at: what was left out, and names that may be of one person."""
    lines = _near_lines(report)
    for sheet in report.left_out:
        lines += _sheet_lines(sheet)
    for deal in report.handed_left:
        lines += _handed_lines(deal)
    return lines


def _near_lines(report: EveningReport) -> list[str]:
    return [f"nearly the same name: {near.name} – {near.existing}" for near in report.near_duplicates]


def _handed_lines(deal: HandedReport) -> list[str]:
    return [
        f"{deal.became.value}: deal {deal.number} of {deal.match}, handed on by a phone",
        *map(_problem_line, deal.problems),
    ]


def _problem_line(problem: RecordProblem) -> str:
    return (
        f"  {problem.file}:{problem.line}:{problem.column}: record {problem.record}: "
        f"{problem.severity}: {problem.code}: {problem.message}"
    )


def _sheet_lines(sheet: SheetReport) -> list[str]:
    counts = f"{sheet.recorded} deals recorded, {sheet.duplicates} were there before"
    lines = [f"{sheet.outcome.value}: {sheet.match}: {counts if sheet.scoresheet else 'nothing was written'}"]
    lines += [f"  {note}" for note in sheet.notes]
    return [*lines, *map(_problem_line, sheet.problems)]
