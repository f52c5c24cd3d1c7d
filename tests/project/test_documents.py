"""What the documents say is so: commands, variables, the example."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from courtpiece.project.environment import read_environment
from tests.processes import ROOT
from tests.recorded import Recorded

README = (ROOT / "README.md").read_text(encoding="utf-8")
SERVER = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_target_that_is_named_can_be_made() -> None:
    named = set(
        re.findall(r"\bmake ([a-z][a-z-]+)\b(?=[\s`,:;.]|$)", "\n".join(blocks(README) + blocks(SERVER)))
    )
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))

    assert named
    assert named - targets == set()


def blocks(text: str) -> list[str]:
    """Return the blocks of code of a document."""
    return re.findall(r"^ *```[a-z]*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)


def test_the_table_of_variables_has_all_that_the_site_reads(tmp_path: Path) -> None:
    variables = Recorded({})
    read_environment(variables, root=tmp_path)

    assert set(re.findall(r"^\| `([A-Z_]+)` \|", SERVER, re.MULTILINE)) == variables.asked


def test_every_link_leads_to_a_file() -> None:
    documents = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
    missing = [
        f"{document.name}: {target}"
        for document in documents
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]

    assert missing == []


def test_the_example_of_the_library_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert answer.stderr == ""
    assert "court for" in answer.stdout


@pytest.mark.parametrize("command", ["check", "format", "convert --to pbn", "convert --to json"])
def test_the_paper_sheet_of_the_tour_is_a_record(command: str) -> None:
    (sheet,) = (block for block in blocks(README) if block.lstrip().startswith("[Event"))
    text = re.sub(r"^ +", "", sheet, flags=re.MULTILINE)

    answer = subprocess.run(
        [sys.executable, "-m", "courtpiece", *command.split(), "-"],
        cwd=ROOT,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert answer.stdout
