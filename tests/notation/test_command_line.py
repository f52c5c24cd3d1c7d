"""``python -m courtpiece``: what it prints, where, and its exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from courtpiece.__main__ import main
from tests.engine.builders import WEST_AND_EAST_VOID, pcn
from tests.notation.test_reading import EXAMPLE

GOOD = pcn(Result="void")
WARNED = pcn(Deal="2", Result="void")
DISCREPANT = pcn(Tricks="N N N N N N N", Result="NS 7-1 court")
IMPOSSIBLE = pcn()
MALFORMED = '[Deal "x"]\n[Dealer "E"]\n'
PLAYED = pcn("1. C2 CA C8 C4\n*", Hands=WEST_AND_EAST_VOID, Trump="H", Result="void")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def file(name: str, *records: str) -> str:
    Path(name).write_text("\n".join(records), encoding="utf-8", newline="")
    return name


def run(*arguments: str, text: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    data = text.encode() if isinstance(text, str) else text
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-m", "courtpiece", *arguments],
        input=data,
        capture_output=True,
        check=False,
        env={"PYTHONPATH": root, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    )


class TestCheck:
    @pytest.mark.parametrize(
        ("record", "status"),
        [(GOOD, 0), (WARNED, 0), (DISCREPANT, 1), (IMPOSSIBLE, 1), (MALFORMED, 1), ("", 0)],
    )
    def test_its_status_tells_of_errors_not_of_warnings(
        self, record: str, status: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["check", file("a.pcn", record)]) == status
        assert capsys.readouterr().err == ""

    def test_it_prints_a_line_of_json_for_each_deal_then_each_match_file_by_file(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status = main(["check", file("a.pcn", EXAMPLE, GOOD), file("b.pcn", MALFORMED, GOOD)])

        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [(line["type"], line["file"]) for line in lines] == [
            ("deal", "a.pcn"),
            ("deal", "a.pcn"),
            ("match", "a.pcn"),
            ("match", "a.pcn"),
            ("deal", "b.pcn"),
            ("deal", "b.pcn"),
            ("match", "b.pcn"),
        ]
        assert status == 1

    def test_a_file_is_named_as_it_was_given(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["check", f"./{file('a.pcn', GOOD)}"])

        assert json.loads(capsys.readouterr().out.splitlines()[0])["file"] == "./a.pcn"

    def test_a_dash_is_standard_input(self) -> None:
        answer = run("check", "-", text=EXAMPLE)

        assert (answer.returncode, answer.stderr) == (0, b"")
        assert json.loads(answer.stdout.splitlines()[0])["file"] == "-"

    def test_it_prints_utf_8_whatever_the_terminal(self) -> None:
        answer = run("check", "-", text=pcn(Event="منگل رنگ", Result="void"))

        assert "منگل رنگ" in answer.stdout.decode()

    def test_bytes_that_are_no_text_are_a_problem_not_a_failure(self) -> None:
        answer = run("check", "-", text=b'[Event "\xff\xfe"]\n')

        assert (answer.returncode, answer.stderr) == (1, b"")
        assert json.loads(answer.stdout)["problems"][0]["code"] == "bad-encoding"


class TestUnusable:
    def test_a_file_that_is_not_there(self, capsys: pytest.CaptureFixture[str]) -> None:
        for command in (["check"], ["format"], ["convert", "--to", "json"]):
            assert main([*command, "missing.pcn"]) == 2
            assert "missing.pcn" in capsys.readouterr().err

    def test_a_folder(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "."]) == 2
        assert capsys.readouterr().err != ""

    @pytest.mark.parametrize(
        "arguments",
        [[], ["check"], ["judge", "a.pcn"], ["convert", "a.pcn"], ["convert", "--to", "pdf", "a.pcn"]],
    )
    def test_arguments(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            main(arguments)

        assert caught.value.code == 2
        assert "usage" in capsys.readouterr().err

    def test_nobody_listens_to_the_output(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "courtpiece", "format", file("a.pcn", *[GOOD] * 20_000)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PYTHONPATH": str(Path(__file__).parents[2])},
        )
        assert process.stdout is not None
        assert process.stderr is not None

        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()

        assert process.wait() != 0
        assert said == b""


class TestFormat:
    def test_it_prints_every_record_that_could_be_read_under_one_header(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status = main(
            ["format", file("a.pcn", EXAMPLE, IMPOSSIBLE), file("b.pcn", DISCREPANT.replace("N N", "N  N"))]
        )

        assert capsys.readouterr() == (f"% PCN 1\n\n{EXAMPLE}\n{IMPOSSIBLE}\n{DISCREPANT}", "")
        assert status == 0

    def test_the_others_go_to_standard_error_with_their_place(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status = main(["format", file("a.pcn", GOOD, MALFORMED, GOOD)])

        printed, said = capsys.readouterr()
        assert printed == f"% PCN 1\n\n{GOOD}\n{GOOD}"
        assert said.startswith("a.pcn:5:8: bad-value: Deal: expected")
        assert len(said.splitlines()) == 1
        assert status == 1

    def test_all_problems_of_a_record_are_said(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["format", file("a.pcn", '[Deal "x"]\n[Deal "2"]\n[Rules "rang"]\n')])

        assert [line.split(": ")[:2] for line in capsys.readouterr().err.splitlines()] == [
            ["a.pcn:1:1", "missing-tag"],
            ["a.pcn:1:8", "bad-value"],
            ["a.pcn:2:8", "duplicate-tag"],
            ["a.pcn:3:9", "unknown-rules"],
        ]

    def test_no_record_is_a_header(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["format", file("a.pcn", "")]) == 0
        assert capsys.readouterr().out == "% PCN 1\n"

    def test_bytes(self) -> None:
        answer = run("format", "-", text="\ufeff" + EXAMPLE.replace("\n", "\r\n"))

        assert answer.stdout == f"% PCN 1\n\n{EXAMPLE}".encode()


class TestConvert:
    def test_to_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        status = main(["convert", "--to", "json", file("a.pcn", PLAYED, MALFORMED)])

        printed, said = capsys.readouterr()
        (line,) = printed.splitlines()
        record = json.loads(line)
        assert list(record) == ["tags", "tricks", "claim", "comments", "finding"]
        assert record["finding"]["award"] == "void"
        assert record["finding"]["record"] == 1
        assert said.startswith("a.pcn:10:8: bad-value: ")
        assert status == 1

    def test_to_pbn(self, capsys: pytest.CaptureFixture[str]) -> None:
        status = main(["convert", "--to", "pbn", file("a.pcn", PLAYED)])

        printed, said = capsys.readouterr()
        assert printed.splitlines()[:3] == ['[Board "1"]', '[Dealer "W"]', '[Vulnerable "None"]']
        assert printed.endswith("\n*\n\n")
        assert (status, said) == (0, "")
