"""How much memory the checker needs: ``python -m bench.memory FILE`` checks it and prints the peak in KiB."""

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from courtpiece.__main__ import main as courtpiece
from courtpiece.notation.bench import Material

_KIB: Final = 1024


def peak_of_check(ours: Material, *, times: int) -> float:
    """Return the most memory, in MiB, that ``check`` held for a file of our records, so many times over.

    Each time they are another event's, played by other pairs: what is remembered of one helps no other.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.pcn"
        with path.open("wb") as file:
            for turn in range(times):
                file.write(_of_another_event(ours.text, turn))
        command = [sys.executable, "-m", "bench.memory", str(path)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(answer.stdout) / _KIB


def _of_another_event(text: bytes, turn: int) -> bytes:
    header, _blank, records = text.partition(b"\n\n")
    for word in (b"Bench", b"Asif", b"Chand"):
        records = records.replace(word, word + f" {turn}".encode())
    return records + b"\n" if turn else header + b"\n\n" + records + b"\n"


def main() -> None:
    """Check the file, and print the peak."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        status = courtpiece(["check", *sys.argv[1:]])
    print(_peak())
    raise SystemExit(status)


def _peak() -> int:
    """Return the most memory that this process held, in KiB: since it began, not since its parent forked."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = status.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


if __name__ == "__main__":
    main()
