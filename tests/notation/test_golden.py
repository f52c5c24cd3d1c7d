"""Golden records: files whose findings, codes and export form are known."""

import io
import json
from pathlib import Path

import pytest

from courtpiece.notation import check, read, write_file
from courtpiece.notation.checker import JsonObject, JsonValue

CASES = Path(__file__).parents[1] / "golden" / "cases"
GOOD = sorted(path.name.partition(".")[0] for path in (CASES / "good").glob("*.expected.jsonl"))
BAD: dict[str, list[tuple[int, str, int | None]]] = {
    name: [(record, code, line) for record, code, line in found]
    for name, found in json.loads((CASES / "bad" / "expected.json").read_text()).items()
}


@pytest.fixture(params=GOOD)
def case(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def source(name: str) -> bytes:
    return (CASES / "good" / name).read_bytes()


def expected(case: str) -> list[JsonObject]:
    return [json.loads(line) for line in source(f"{case}.expected.jsonl").splitlines()]


def with_the_keys_of(lines: list[JsonObject], wanted: list[JsonObject]) -> list[JsonObject]:
    """Return the lines with those keys only that are named in what is wanted; of problems, the codes."""
    return [
        {key: value for key, value in {**line, "problems": codes_of(line)}.items() if key in keys}
        for line, keys in zip(lines, wanted, strict=True)
    ]


def problems_of(line: JsonObject) -> list[JsonObject]:
    found = line["problems"]
    assert isinstance(found, list)
    return [problem for problem in found if isinstance(problem, dict)]


def codes_of(line: JsonObject) -> JsonValue:
    return [problem["code"] for problem in problems_of(line)]


def exported(text: bytes) -> bytes:
    return "".join(write_file(reading.record for reading in read(text) if reading.record)).encode()


def test_there_are_cases() -> None:
    assert len(GOOD) == 80
    assert set(BAD) == {path.stem for path in (CASES / "bad").glob("*.pcn")}


def test_what_is_found_in_an_exported_file(case: str) -> None:
    wanted = expected(case)

    found = list(check(source(f"{case}.pcn")))

    assert with_the_keys_of(found, wanted) == wanted


def test_the_same_is_found_in_its_import_form(case: str) -> None:
    wanted = expected(case)

    found = list(check(io.BytesIO(source(f"{case}.import.pcn"))))

    assert with_the_keys_of(found, wanted) == wanted


def test_export_gives_an_exported_file_back(case: str) -> None:
    assert exported(source(f"{case}.pcn")) == source(f"{case}.pcn")


def test_export_of_the_import_form_is_the_exported_file(case: str) -> None:
    assert exported(source(f"{case}.import.pcn")) == source(f"{case}.pcn")


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_with_a_bad_file(name: str) -> None:
    deals = [line for line in check((CASES / "bad" / f"{name}.pcn").read_bytes()) if line["type"] == "deal"]

    found = [(line["record"], problem) for line in deals for problem in problems_of(line)]

    assert [record for record, _ in found] == [record for record, _, _ in BAD[name]]
    assert [
        (record, problem["code"], line if line is None else problem["line"])
        for (record, problem), (_, _, line) in zip(found, BAD[name], strict=True)
    ] == BAD[name]
