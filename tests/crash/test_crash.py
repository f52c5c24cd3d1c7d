"""The short form of ``make crash``: every part of a server is killed while phones enter deals, and nothing is lost."""

import os
import subprocess
import sys

import pytest

from bench.services import MissingProgramError, postgres_program, redis_program
from tests.processes import ROOT, variables_of

pytestmark = pytest.mark.postgres


@pytest.fixture
def _programs() -> None:
    """Ask for what the crash test starts itself."""
    try:
        postgres_program("initdb")
        redis_program()
    except MissingProgramError as missing:
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(f"REQUIRE_SERVICES=1, but {missing}")
        pytest.skip(str(missing))


@pytest.mark.usefixtures("_programs")
def test_no_deal_is_lost_or_doubled_when_each_part_dies_twice_and_without_ids_that_is_found_out() -> None:
    words = [
        "-m",
        "bench.crash",
        "--both",
        "--kills",
        "2",
        "--seconds",
        "1",
        "--control-seconds",
        "6",
        "--quick",
    ]

    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=variables_of({}),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )

    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "killed with SIGKILL: postgres 2, redis 2, web 2, worker 2, beat 2" in said
    assert "nothing is wrong" in said
    assert "the control was found out, as it must be" in said


def test_where_a_program_is_missing_it_is_said_which(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(MissingProgramError, match="redis-server"):
        redis_program()
