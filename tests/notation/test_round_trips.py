"""What must hold of every record and of every text: round trips, one meaning in any form, and no failure ever."""

import io
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from courtpiece.notation import Comment, Reading, Record, check, read, write, write_file
from courtpiece.notation.reader import _Reader
from tests.engine.deals import RULES_NAMES, as_record, play_out, random_rules, result_of
from tests.notation.scrambling import mutated, scrambled
from tests.notation.test_golden import BAD, CASES, GOOD, source

SEEDS = st.integers(0, 2**32)
NAMES = st.sampled_from(RULES_NAMES)
COMMENTS = ("slow", "[x]", "*", "1.", "{", ";", "سہ", "!")
EVENTS = ("Tuesday Rang", "?", 'The "Rang" \\ Night', "سہ شنبہ", "é & ò", "{*} [x] % ;", "")


def a_record(seed: int, name: str) -> Record:
    """Return a record of any of the three levels, some with texts, comments apart."""
    rng = Random(seed)
    state = play_out(rng, random_rules(rng, name), slips=0.05)
    tags = {"Event": rng.choice(EVENTS), "Note": rng.choice(EVENTS)} if rng.random() < 0.3 else {}
    record = as_record(state, number=rng.randint(1, 20), claimed=rng.random() < 0.8, **tags)
    if rng.random() < 0.7:
        return with_comments(record, rng) if rng.random() < 0.3 else record
    kept = [
        (tag, value) for tag, value in record.tags if tag not in ("Hands", "FirstFive", "Trump", "Result")
    ]
    stated = result_of(state.outcome) if state.outcome else "void"
    return the_record("".join(f'[{tag} "{escaped(value)}"]\n' for tag, value in [*kept, ("Result", stated)]))


def with_comments(record: Record, rng: Random) -> Record:
    """Return the record with a few comments, in their order, each after a token of its own play section."""
    tricks = record.tricks or ()
    places = [
        (number, play) for number, plays in enumerate(tricks, start=1) for play in range(len(plays) + 1)
    ]
    places = [(0, 0), *[place for place in places if place != (1, 0)], (len(tricks) + 1, 0)]
    chosen = sorted(rng.choices(places, k=rng.randint(1, 6)))
    return record._replace(comments=tuple(Comment(*place, rng.choice(COMMENTS)) for place in chosen))


def escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def the_record(text: str) -> Record:
    (reading,) = read(text)
    assert reading.record is not None
    return reading.record


@given(seed=SEEDS, name=NAMES)
def test_reading_what_was_written_gives_the_same_record(seed: int, name: str) -> None:
    record = a_record(seed, name)

    assert the_record(write(record)) == record


@given(seeds=st.lists(SEEDS, max_size=4), name=NAMES)
def test_writing_what_was_read_gives_the_same_text(seeds: list[int], name: str) -> None:
    text = "".join(write_file(a_record(seed, name) for seed in seeds))

    assert "".join(write_file(reading.record for reading in read(text) if reading.record)) == text


@given(seed=SEEDS, name=NAMES)
def test_any_form_that_import_forgives_is_the_same_record(seed: int, name: str) -> None:
    record = a_record(seed, name)

    assert the_record(scrambled(write(record), Random(seed))) == record


@given(seeds=st.lists(SEEDS, min_size=1, max_size=3), name=NAMES)
def test_so_it_is_in_a_file_of_several(seeds: list[int], name: str) -> None:
    records = [a_record(seed, name) for seed in seeds]
    rng = Random(seeds[0])

    text = "\n\n".join(scrambled(write(record), rng) for record in records)

    assert [reading.record for reading in read(text)] == records


# -- the two roads of the reader --------------------------------------------------------------------------


def readings(text: bytes, *, quick: bool) -> list[tuple[object, ...]]:
    """Return all that the readings tell, by the quick road where it can be taken, or never by it."""
    reader = _Reader(io.BytesIO(text), quick=quick)
    return [told_by(reading) for reading in reader.readings()]


def told_by(reading: Reading) -> tuple[object, ...]:
    finding = reading.finding()
    located = [] if finding is None else [problem[:3] for problem in reading.located(finding)]
    return (
        reading.number,
        reading.line,
        reading.record,
        [problem[:3] for problem in reading.problems],
        located,
        finding and finding.outcome,
        [value[:2] for value in reading.tags_read],
    )


@given(seed=SEEDS, name=NAMES)
def test_the_quick_road_and_the_careful_one_read_the_same(seed: int, name: str) -> None:
    rng = Random(seed)
    text = "".join(write_file(a_record(rng.randrange(2**32), name) for _ in range(3)))

    for form in (text, mutated(text, rng), mutated(mutated(text, rng), rng)):
        data = form.encode("utf-8", "surrogatepass")
        assert readings(data, quick=True) == readings(data, quick=False)


def test_they_read_the_golden_files_the_same() -> None:
    for case in GOOD:
        assert readings(source(f"{case}.pcn"), quick=True) == readings(source(f"{case}.pcn"), quick=False)
    for name in BAD:
        data = (CASES / "bad" / f"{name}.pcn").read_bytes()
        assert readings(data, quick=True) == readings(data, quick=False)


# -- whatever comes ---------------------------------------------------------------------------------------


def assert_is_read(source: str | bytes) -> None:
    """Assert that every record is readable or has a reason, and that what can be read can be written and read."""
    for reading in read(source):
        assert (reading.record is None) == bool(reading.problems)
        if reading.record is not None:
            again = the_record(write(reading.record))
            assert write(again) == write(reading.record)
            assert again._replace(
                facts=again.facts._replace(misnumbered=reading.record.facts.misnumbered)
            ) == (reading.record)
    for line in check(source):
        assert line["type"] in ("deal", "match")


@given(st.binary(max_size=200))
def test_bytes(source: bytes) -> None:
    assert_is_read(source)


@given(st.text(max_size=200))
def test_texts(source: str) -> None:
    assert_is_read(source)


TOKENS = st.sampled_from(
    [
        *["SA", "H2", "D7>D8", "^C3", "_S9", "*", "!W4", "!N", "1.", "2.", "14.", "10H", "♠a"],
        *[
            "{",
            "}",
            "{note}",
            "\n",
            "\n\n",
            "\r\n",
            "% PCN 1",
            "% PCN 2",
            ";",
            "\\",
            '"',
            "[",
            "]",
            "\0",
            "\ufeff",
        ],
        *[
            '[Deal "1"]\n',
            '[Dealer "N"]\n',
            '[Result "void"]\n',
            '[Rules "be-ranga"]\n',
            '[Trump "-"]\n',
            "é\u0301",
        ],
        *['[Tricks "N N"]\n', '[Revoke "W 1"]\n', '[Courts "NS 0 EW 0"]\n', '[FirstFive "SA SK SQ SJ ST"]\n'],
    ]
)


@given(st.lists(TOKENS, max_size=40))
def test_pieces_of_records_in_any_order(pieces: list[str]) -> None:
    assert_is_read(" ".join(pieces))
    assert_is_read("".join(pieces))


@given(seed=SEEDS, name=NAMES)
def test_records_with_a_few_characters_wrong(seed: int, name: str) -> None:
    rng = Random(seed)

    assert_is_read(mutated(write(a_record(seed, name)), rng))
    assert_is_read(mutated(scrambled(write(a_record(seed, name)), rng), rng))


@given(seed=SEEDS)
def test_golden_files_with_a_few_bytes_wrong(seed: int) -> None:
    rng = Random(seed)
    data = bytearray(source(f"{rng.choice(GOOD)}.import.pcn"))
    start = rng.randrange(max(1, len(data) - 3000))
    data = data[start : start + 3000]
    for _ in range(rng.randint(1, 5)):
        data[rng.randrange(len(data))] = rng.randrange(256)

    assert_is_read(bytes(data))
