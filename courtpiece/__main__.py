"""The command line of the library: ``python -m courtpiece check | format | convert | bench``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from courtpiece.notation import MatchChecker, Reading, check, deal_line, read, write
from courtpiece.notation.bench import run_bench
from courtpiece.notation.json_form import record_to_json
from courtpiece.notation.pbn import write_pbn
from courtpiece.notation.writer import HEADER

_OK: Final = 0
_FAULTY: Final = 1
_UNUSABLE: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 all well, 1 a record at fault, 2 unusable arguments or file."""
    options = _parser().parse_args(arguments)
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")  # type: ignore[union-attr]
    try:
        command: Callable[[argparse.Namespace], int] = options.command
        return command(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAULTY
    except OSError as error:
        print(f"{error.filename or 'a file'}: {error.strerror}", file=sys.stderr)
        return _UNUSABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m courtpiece", description="Court Piece records in PCN.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add(commands, "check", _check, "judge every record; a line of JSON for each deal, then for each match")
    _add(commands, "format", _format, "print every record that could be read in the export form")
    convert = _add(commands, "convert", _convert, "print every record that could be read in another form")
    convert.add_argument("--to", choices=("json", "pbn"), required=True)
    bench = commands.add_parser("bench", help="measure this machine: records judged and read in a second")
    bench.add_argument(
        "--deals", type=int, default=20_000, help="how many deals to play (default: %(default)s)"
    )
    bench.set_defaults(command=_bench)
    return parser


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    command: Callable[[argparse.Namespace], int],
    summary: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=summary)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a PCN file; - for standard input")
    parser.set_defaults(command=command)
    return parser


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as stream:
        yield stream


def _check(options: argparse.Namespace) -> int:
    status = _OK
    for name in options.files:
        with _opened(name) as stream:
            for line in check(stream, file=name):
                print(json.dumps(line, ensure_ascii=False))
                problems = line["problems"]
                if isinstance(problems, list) and any(_is_error(problem) for problem in problems):
                    status = _FAULTY
    return status


def _is_error(problem: object) -> bool:
    return isinstance(problem, dict) and problem["severity"] == "error"


def _format(options: argparse.Namespace) -> int:
    sys.stdout.write(HEADER)
    return _each_record(options.files, lambda _checker, _name, reading: "\n" + _written(reading))


def _written(reading: Reading) -> str:
    return write(reading.record) if reading.record is not None else ""


def _convert(options: argparse.Namespace) -> int:
    return _each_record(options.files, _json_line if options.to == "json" else _pbn_game)


def _json_line(checker: MatchChecker, name: str, reading: Reading) -> str:
    assert reading.record is not None
    line = deal_line(checker.feed(reading), file=name)
    return json.dumps(record_to_json(reading.record, line), ensure_ascii=False) + "\n"


def _pbn_game(_checker: MatchChecker, _name: str, reading: Reading) -> str:
    finding = reading.finding()
    assert reading.record is not None
    assert finding is not None
    return write_pbn(reading.record, finding)


def _each_record(files: Sequence[str], form: Callable[[MatchChecker, str, Reading], str]) -> int:
    """Print each record that could be read in a form, and the problems of the others to standard error."""
    status = _OK
    for name in files:
        checker = MatchChecker()
        with _opened(name) as stream:
            for reading in read(stream):
                if reading.record is not None:
                    sys.stdout.write(form(checker, name, reading))
                    continue
                status = _FAULTY
                for problem in reading.problems:
                    place = f"{name}:{problem.line}:{problem.column}"
                    print(f"{place}: {problem.code.value}: {problem.message}", file=sys.stderr)
    return status


def _bench(options: argparse.Namespace) -> int:
    for row in run_bench(deals=options.deals):
        print(row)
    return _OK


if __name__ == "__main__":
    sys.exit(main())
