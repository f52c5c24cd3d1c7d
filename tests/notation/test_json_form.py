"""The JSON form of a record: the same data as its text, as ``docs/record.schema.json`` describes it."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from courtpiece.notation import MatchChecker, Record, deal_line, read
from courtpiece.notation.checker import JsonObject, JsonValue
from courtpiece.notation.json_form import JsonRecordError, record_from_json, record_to_json
from tests.engine.builders import WEST_AND_EAST_VOID, only, pcn
from tests.engine.deals import RULES_NAMES, as_record, play_out, random_rules
from tests.notation.test_golden import GOOD, source

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "record.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)
HIDDEN = {"Rules": "hidden-trump", "Trump": "D hidden D2", "Hands": WEST_AND_EAST_VOID, "Result": "void"}


def record_of(text: str) -> Record:
    record = only(text).record
    assert record is not None
    return record


def there_and_back(record: Record) -> Record:
    return record_from_json(json.loads(json.dumps(record_to_json(record))))


def why_not(data: object) -> list[str]:
    """Return what the schema has against the object."""
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(data)]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_record_in_json() -> None:
    play = "{start} 1. C2 D5>CA C8 C4 {one}\n2. DA D8 D3 _S8\n3. CK C9 C5 C3\n4. CQ S7 C6 ^D2 {two}\n!W1"
    text = pcn(play.replace("D5>CA", "DJ>CA"), **{**HIDDEN, "Result": "?"}, Zed='a \\"b\\"')

    assert record_to_json(record_of(text)) == {
        "tags": {
            "Deal": "1",
            "Rules": "hidden-trump",
            "Dealer": "E",
            "Hands": WEST_AND_EAST_VOID,
            "Trump": "D hidden D2",
            "Result": "?",
            "Zed": 'a "b"',
        },
        "tricks": [
            [plain("C2"), plain("DJ", "CA"), plain("C8"), plain("C4")],
            [plain("DA"), plain("D8"), plain("D3"), {"cards": ["S8"], "reveal": False, "face_down": True}],
            [plain("CK"), plain("C9"), plain("C5"), plain("C3")],
            [plain("CQ"), plain("S7"), plain("C6"), {"cards": ["D2"], "reveal": True, "face_down": False}],
        ],
        "claim": {"seat": "W", "trick": 1},
        "comments": [
            {"trick": 0, "play": 0, "text": "start"},
            {"trick": 1, "play": 4, "text": "one"},
            {"trick": 4, "play": 4, "text": "two"},
        ],
    }
    assert there_and_back(record_of(text)) == record_of(text)


def plain(*cards: str) -> JsonObject:
    return {"cards": list(cards), "reveal": False, "face_down": False}


def test_no_play_section_is_null_and_an_empty_one_a_list() -> None:
    assert record_to_json(record_of(pcn(Result="void")))["tricks"] is None
    assert record_to_json(record_of(pcn("*", Result="void")))["tricks"] == []


@pytest.mark.parametrize("case", GOOD)
def test_golden_records_are_as_the_schema_says_and_read_back_the_same(case: str) -> None:
    checker = MatchChecker()
    for reading in read(source(f"{case}.pcn")):
        assert reading.record is not None
        data = record_to_json(reading.record, deal_line(checker.feed(reading), file="a.pcn"))

        assert why_not(data) == []
        assert record_from_json(data) == reading.record


@given(seed=st.integers(0, 2**32), name=st.sampled_from(RULES_NAMES))
def test_random_records_read_back_the_same(seed: int, name: str) -> None:
    rng = Random(seed)
    record = as_record(play_out(rng, random_rules(rng, name), slips=0.05))

    assert there_and_back(record) == record
    assert why_not(record_to_json(record)) == []


@pytest.mark.parametrize(
    "text",
    [
        pcn(),
        pcn(Result="NS 6-5"),
        pcn("1. C2 CA\n2. C8\n*", Trump="H"),
        pcn("1. C2 C2 C2 C2\n!W", Event="", Note="سہ شنبہ", Date="????.??.??", NS="?"),
        pcn(Tricks="", Revoke="W 1", Courts="NS 0 EW 12", FirstFive="SA SK SQ SJ ST", Result="NS 0-0 revoke"),
    ],
)
def test_records_that_cannot_be_adjudicated_have_a_form_too(text: str) -> None:
    reading = only(text)
    assert reading.record is not None

    data = record_to_json(reading.record, deal_line(MatchChecker().feed(reading), file=None))

    assert why_not(data) == []
    assert record_from_json(data) == reading.record


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"tags": {"Deal": "1"}}, "$.tags"),
        ({"tags": {"Deal": "0", "Dealer": "E"}}, "$.tags.Deal"),
        ({"tags": {"Deal": "1", "Dealer": "X"}}, "$.tags.Dealer"),
        ({"tricks": [[]]}, "$.tricks[0]"),
        ({"tricks": [[{"cards": ["10H"], "reveal": False, "face_down": False}]]}, "$.tricks[0][0].cards[0]"),
        ({"tricks": [[{"cards": ["HT"], "reveal": True, "face_down": True}]]}, "$.tricks[0][0]"),
        ({"claim": {"seat": "W", "trick": 0}}, "$.claim"),
        ({"comments": [{"trick": 1, "play": 1, "text": "a}"}]}, "$.comments[0].text"),
        ({"notes": []}, "$"),
    ],
)
def test_what_the_schema_refuses(change: JsonObject, path: str) -> None:
    data = {**record_to_json(record_of(pcn(Result="void"))), **change}

    assert [error.json_path for error in VALIDATOR.iter_errors(data)] == [path]


def test_import_forgives_in_json_as_in_text() -> None:
    tags: JsonObject = {"Dealer": "E", "Deal": "1", "Trump": "♥ card 2h", "Rules": "court-piece  goon=3"}

    record = record_from_json({"tags": tags, "tricks": [[{"cards": ["10h"]}]]})

    assert record.tags == (
        ("Deal", "1"),
        ("Rules", "court-piece goon=3"),
        ("Dealer", "E"),
        ("Trump", "H card H2"),
    )
    assert record.tricks is not None
    assert str(record.tricks[0][0].card) == "HT"


TAGS: JsonObject = {"Deal": "1", "Dealer": "E"}


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (None, [("bad-syntax", "")]),
        ([], [("bad-syntax", "")]),
        ({}, [("bad-syntax", "/tags")]),
        ({"tags": {}}, [("missing-tag", "/tags"), ("missing-tag", "/tags")]),
        ({"tags": {"Deal": 1, "Dealer": "E"}}, [("bad-syntax", "/tags/Deal")]),
        ({"tags": {"Deal": "x", "Dealer": "E"}}, [("bad-value", "/tags/Deal")]),
        ({"tags": {**TAGS, "Rules": "rang"}}, [("unknown-rules", "/tags/Rules")]),
        ({"tags": {**TAGS, "a/b~c": ""}}, [("bad-syntax", "/tags/a~1b~0c")]),
        ({"tags": {**TAGS, "Note": "a\nb"}}, [("bad-syntax", "/tags/Note")]),
        ({"tags": {**TAGS, "Note": "\ud800"}}, [("bad-syntax", "/tags/Note")]),
        ({"tags": TAGS, "tricks": "SA"}, [("bad-syntax", "/tricks")]),
        ({"tags": TAGS, "tricks": [[]]}, [("bad-syntax", "/tricks/0")]),
        ({"tags": TAGS, "tricks": [[{}]]}, [("bad-syntax", "/tricks/0/0")]),
        ({"tags": TAGS, "tricks": [[{"cards": ["SA", "S1"]}]]}, [("bad-syntax", "/tricks/0/0/cards/1")]),
        (
            {"tags": TAGS, "tricks": [[{"cards": ["SA"], "reveal": 1}]]},
            [("bad-syntax", "/tricks/0/0/reveal")],
        ),
        ({"tags": TAGS, "claim": {"seat": "W", "trick": 4}}, [("bad-syntax", "/tricks")]),
        ({"tags": TAGS, "tricks": [], "claim": {"seat": "X", "trick": 4}}, [("bad-syntax", "/claim")]),
        ({"tags": TAGS, "tricks": [], "comments": [{}]}, [("bad-syntax", "/comments/0")]),
        ({"tags": TAGS, "tricks": [], "comments": "a"}, [("bad-syntax", "/comments")]),
    ],
)
def test_what_is_no_record_is_said_with_its_place(data: JsonValue, faults: list[tuple[str, str]]) -> None:
    with pytest.raises(JsonRecordError) as caught:
        record_from_json(data)

    assert [(fault.code.value, fault.pointer) for fault in caught.value.faults] == faults


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.text(max_size=5)
    | st.sampled_from(["SA", "N", "1"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["tags", "tricks", "claim", "comments", "cards", "reveal", "Deal", "Dealer", "text", "trick"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(tags=JSON, tricks=JSON, claim=JSON, comments=JSON)
def test_any_json_is_a_record_or_said_to_be_none(
    tags: JsonValue, tricks: JsonValue, claim: JsonValue, comments: JsonValue
) -> None:
    for known in (tags, TAGS):
        try:
            record = record_from_json({"tags": known, "tricks": tricks, "claim": claim, "comments": comments})
        except JsonRecordError:
            continue
        assert there_and_back(record) == record
        record.finding()
