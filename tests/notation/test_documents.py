"""What ``docs/pcn.md`` and ``docs/laws.md`` say is so."""

import json
import re
from pathlib import Path

import pytest

from courtpiece.engine import LAWS as LAWS_KNOWN
from courtpiece.engine import Rules
from courtpiece.engine.faults import Code
from courtpiece.engine.rules import NAMED
from courtpiece.notation import check, read, write
from courtpiece.notation.values import TAG_ORDER

ROOT = Path(__file__).parents[2]
PCN = (ROOT / "docs" / "pcn.md").read_text(encoding="utf-8")
LAWS = (ROOT / "docs" / "laws.md").read_text(encoding="utf-8")
NUMBERS = set(re.findall(r"^\*\*(\d+\.\d+)\*\* ", LAWS, re.MULTILINE)) | set(
    re.findall(r"^## (\d+)\.", LAWS, re.MULTILINE)
)


def test_the_engine_knows_the_numbers_of_the_laws() -> None:
    known = {f"{law}.{paragraph}" for law, most in LAWS_KNOWN.items() for paragraph in range(1, most + 1)}

    assert known | {f"{law}" for law in LAWS_KNOWN} == NUMBERS


def blocks(language: str) -> list[str]:
    """Return the blocks of code of the notation's document that are in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PCN, re.MULTILINE | re.DOTALL)


def test_its_records_are_exports_with_nothing_wrong() -> None:
    records = blocks("")

    assert len(records) == 2
    for text in records:
        (reading,) = read(text)
        assert reading.record is not None
        assert write(reading.record) == text
        assert reading.record.finding().faults == ()


def test_its_lines_are_what_the_checker_prints_of_its_record() -> None:
    (lines,) = blocks("json")

    assert [json.loads(line) for line in lines.splitlines()] == list(check(blocks("")[0], file="t5.pcn"))


def test_its_tags_are_those_of_the_notation_in_their_order() -> None:
    (table,) = re.findall(r"\| tag \| needed \| value \|\n\|.*?\n(.*?)\n\n", PCN, re.DOTALL)
    first_columns = [line.split("|")[1] for line in table.splitlines()]
    named = [name for column in first_columns for name in re.findall(r"`(\w+)`", column)]

    assert set(named) == set(TAG_ORDER)
    assert [name for name in named if name not in ("Event", "Site", "Round", "Table", "Date")] == [
        name for name in TAG_ORDER if name not in ("Event", "Site", "Round", "Table", "Date")
    ]


def test_its_codes_are_those_of_the_notation_with_their_kinds() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (malformed|impossible|discrepancy|warning) \|", PCN, re.MULTILINE)

    assert rows == [(code.value, code.kind.value) for code in Code]


def test_the_rules_of_the_laws_are_those_of_the_engine() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| ([a-z, ]+) \| (single|double|ace) \|", LAWS, re.MULTILINE)

    assert [(name, methods.split(", "), gather) for name, methods, gather in rows] == [
        (name, [method.value for method in rules.trump], rules.gather.value) for name, rules in NAMED.items()
    ]


@pytest.mark.parametrize("option", ["court", "goon", "bavney", "revoke", "streak", "streak-court"])
def test_the_values_of_options_are_those_of_the_engine(option: str) -> None:
    ((low, high, own),) = re.findall(
        rf"^\| `{option}` \| (\d+) to (\d+)(?: deals)? \| (\d+) \|", LAWS, re.MULTILINE
    )

    assert [str(Rules.parse(f"court-piece {option}={value}")) for value in (low, high, own)] == [
        f"court-piece {option}={low}" if low != own else "court-piece",
        f"court-piece {option}={high}",
        "court-piece",
    ]


def test_every_law_that_the_library_or_its_tests_cite_is_written() -> None:
    cited = {
        (str(path.relative_to(ROOT)), number)
        for folder in ("courtpiece/engine", "courtpiece/notation", "tests/engine", "tests/notation")
        for path in (ROOT / folder).glob("*.py")
        for words in re.findall(
            r"\blaws? ((?:\d+(?:\.\d+)?(?:, | and | or | to )?)+)", path.read_text(encoding="utf-8")
        )
        for number in re.findall(r"\d+(?:\.\d+)?", words)
    }

    assert len(cited) > 50
    assert [(name, number) for name, number in sorted(cited) if number not in NUMBERS] == []
