"""The library stands alone: no framework, no dependency, nothing of the site."""

import json
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = """[Deal "1"]
[Dealer "N"]
[Result "EW 7-0 court"]
"""


def run(*command: str | Path, cwd: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, input=text, capture_output=True, text=True, check=False
    )


def test_importing_the_library_loads_only_the_standard_library() -> None:
    program = (
        "import sys; sys.path.insert(0, '.'); before = set(sys.modules);"
        "import courtpiece, courtpiece.engine, courtpiece.notation, courtpiece.__main__, json;"
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )

    answer = run(sys.executable, "-I", "-S", "-c", program, cwd=ROOT)

    assert answer.stderr == ""
    assert set(json.loads(answer.stdout)) - set(sys.stdlib_module_names) == {"courtpiece"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=ROOT
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_library_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        facts = message_from_bytes(archive.read(metadata))

    assert [name for name in names if name.startswith(("courtpiece/project", "courtpiece/accounts"))] == []
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"courtpiece"}
    assert "courtpiece/py.typed" in names
    assert facts.get_all("Requires-Dist") is None


def test_the_wheel_installs_in_an_empty_environment_and_checks_a_record(wheel: Path, tmp_path: Path) -> None:
    python = installed_alone(wheel, tmp_path)

    answer = run(python, "-m", "courtpiece", "check", "-", cwd=tmp_path, text=GOOD)

    assert answer.stderr == ""
    found = json.loads(answer.stdout.splitlines()[0])
    assert (found["deal"], found["winner"], found["award"], found["problems"]) == (1, "EW", "court", [])
    assert answer.returncode == 0


def installed_alone(wheel: Path, folder: Path) -> Path:
    """Return the interpreter of a new environment into which only ``wheel`` was installed."""
    python = folder / "venv" / "bin" / "python"
    uv = ROOT / ".uv" / "bin" / "uv"
    steps: list[list[str | Path]]
    if uv.exists():
        steps = [
            [uv, "venv", "--python", sys.executable, folder / "venv"],
            [uv, "pip", "install", "--python", python, "--offline", "--no-index", wheel],
        ]
    else:
        steps = [
            [sys.executable, "-m", "venv", folder / "venv"],
            [python, "-m", "pip", "install", "--no-index", wheel],
        ]
    for step in steps:
        done = run(*step, cwd=folder)
        assert done.returncode == 0, done.stderr
    return python
