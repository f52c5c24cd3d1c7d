"""What the page says of a tie-break's working."""

import re

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from tournaments.queries.standings import RankedLine, TiebreakLine, WorkingLine


def a_line(**fields: object) -> WorkingLine:
    usual: dict[str, object] = {
        "opponent": "",
        "rounds": "3",
        "amount": "5",
        "own": None,
        "other": None,
        "again": 0,
        "bye": "",
        "is_dummy": False,
        "cut": "",
        "before": None,
    }
    return WorkingLine(**{**usual, **fields})  # type: ignore[arg-type]  # the fields of each test


def said(code: str, line: WorkingLine) -> str:
    tiebreak = TiebreakLine(code=code, value="5", is_deciding=False, lines=(line,))
    ranked = RankedLine(row={}, level_with=(), tiebreaks=(tiebreak,))  # type: ignore[typeddict-item]
    page = render_to_string(
        "tournaments/reason.html", {"line": ranked, "standings": {"ranking": "match-points"}}
    )
    shown = re.search(r"<li>(.*?)</li>", page, re.DOTALL)
    assert shown is not None
    return " ".join(strip_tags(shown[1]).split())


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        ("buchholz", a_line(opponent="A & B"), "A & B (round 3) 5"),
        ("wins", a_line(bye="pairing", amount="0"), "bye (round 3) 0"),
        (
            "buchholz",
            a_line(opponent="A & B", before="3"),
            "A & B (round 3) · made 3; rounds missed at the end count as drawn 5",
        ),
        (
            "buchholz",
            a_line(bye="requested", is_dummy=True),
            "bye asked for (round 3) · as against an equal score 5",
        ),
        (
            "buchholz",
            a_line(opponent="A & B", bye="forfeit-win", is_dummy=True, before="8"),
            "A & B: won without play (round 3) · as against an equal score, 8, but capped 5",
        ),
        (
            "median-buchholz",
            a_line(opponent="A & B", cut="lowest"),
            "A & B (round 3) · left out as the lowest 5",
        ),
        (
            "sonneborn-berger",
            a_line(opponent="A & B", own="2", other="5", amount="10"),
            "A & B (round 3) 2 × 5 = 10",
        ),
        (
            "courts-difference",
            a_line(opponent="A & B", own="4", other="3", amount="1"),
            "A & B (round 3) 4–3 = +1",
        ),
    ],
)
def test_a_line_says_what_it_was_and_why_it_counts_as_it_does(
    code: str, line: WorkingLine, words: str
) -> None:
    assert said(code, line).replace("&amp;", "&") == words
