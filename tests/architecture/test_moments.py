"""Instants are told by the clock on the wall of the club: checked where they are turned into words."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = [
    path for app in ("courtpiece", "scoring", "tournaments") for path in sorted((ROOT / app).rglob("*.py"))
]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
EXPRESSION = re.compile(r"\{[{%].*?[%}]\}")
OF_NO_CLUB = {"accounts/tokens.html", "scoring/games.html"}
"""What belongs to a user, who has no place."""


def test_no_message_tells_a_time_by_the_servers_clock() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in CODE
        for line in path.read_text(encoding="utf-8").splitlines()
        if "timezone.localtime" in line or ("strftime" in line and "astimezone" not in line)
    ]

    assert found == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_page_tells_a_time_in_the_zone_of_the_club(path: Path) -> None:
    if path.relative_to(ROOT / "templates").as_posix() in OF_NO_CLUB:
        return
    told = [
        one
        for one in EXPRESSION.findall(path.read_text(encoding="utf-8"))
        if re.search(r"_(at|until)\|(date|time):(?!'c')", one)
        or re.search(r"\bsince\|(date|time):(?!'c')", one)
    ]

    assert told == []
