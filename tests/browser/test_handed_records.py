"""What a phone hands on (static/js/table/handing.js) is its deals again, letter by letter, wherever it is read."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final
from uuid import UUID

import pytest
from playwright.sync_api import Browser

from courtpiece.engine import Level, Rules
from courtpiece.notation import read, write
from courtpiece.notation.simulator import Habits, simulate_match
from tests.browser.conftest import Complaints, Site
from tests.engine.deals import RULES_NAMES, random_rules
from tournaments.handed import HandedRecord, is_handed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

HABITS: Final = Habits(revoke=0.05, void=0.05, levels=list(Level))
MATCH: Final = {
    "Event": 'Die "Dienstags"-Runde \\ بدھ',
    "Round": "3",
    "Table": "A 7",
    "NS": "آصف خان & Bilal Shah",
    "EW": "चाँद & Dev",
}
EASY_BYTES: Final = 520
"""What a code of version 15 holds."""
Hands = Callable[[str, object], Any]


@pytest.fixture(scope="module")
def hands(site: Site, browser: Browser) -> Iterator[Hands]:
    """Return what runs the body of a function with the module as ``handing`` and what it is given as ``given``."""
    complaints = Complaints()
    context = browser.new_context(base_url=site.address)
    complaints.listen(context)
    page = context.new_page()
    page.goto("/accounts/login/")

    def run(script: str, given: object) -> Any:
        said = page.evaluate(
            f"""async (text) => {{
                const handing = await import("/static/js/table/handing.js");
                return JSON.stringify(await (async (given) => {{ {script} }})(JSON.parse(text)));
            }}""",
            json.dumps(given),
        )
        return json.loads(said)

    yield run
    context.close()
    assert complaints.lines == []


def deals_of_phones(matches: int) -> list[dict[str, Any]]:
    """Return deals as a phone keeps them: of all levels, some of which replace what was recorded."""
    deals = []
    for seed in range(matches):
        rng = Random(seed)
        rules = random_rules(rng, RULES_NAMES[seed % len(RULES_NAMES)])
        for record in simulate_match(rng=rng, rules=rules, deals=5, habits=HABITS):
            base = rng.choice([None, None, rng.randrange(1, 9)])
            deals.append(
                {
                    "id": str(UUID(int=rng.getrandbits(128))),
                    "scoresheet": str(UUID(int=seed + 1)),
                    "number": record.deal,
                    "base_revision": base,
                    "reason": "" if base is None else 'a "slip" of the finger',
                    "pcn": write(record),
                    "device": str(UUID(int=7)),
                    "side": rng.choice(["NS", "EW", "table"]),
                }
            )
    return deals


def test_another_phone_reads_what_was_handed_on(hands: Hands) -> None:
    deals = deals_of_phones(40)

    got = hands(
        """const { deals, faults } = handing.readHanded(handing.handedFile(given.deals, () => given.match));
        return [deals.map(({ table, ...deal }) => deal), faults, [...new Set(deals.map(({ table }) => table))]];""",
        {"deals": deals, "match": MATCH},
    )

    assert got == [deals, [], ["A 7"]]


def test_the_server_reads_what_was_handed_on(hands: Hands) -> None:
    deals = deals_of_phones(40)

    text = hands(
        "return handing.handedFile(given.deals, () => given.match);", {"deals": deals, "match": MATCH}
    )
    readings = list(read(text))
    records = [HandedRecord("table.pcn", reading) for reading in readings]

    assert all(is_handed(reading) for reading in readings)
    assert [
        {
            "id": str(record.operation_id),
            "scoresheet": str(record.scoresheet),
            "number": record.reading.record.deal if record.reading.record else 0,
            "base_revision": record.base_revision,
            "reason": record.reason,
            "pcn": record.pcn,
            "device": record.tags["PhoneDevice"],
            "side": record.tags["PhoneSide"],
        }
        for record in records
    ] == deals
    assert all(record.tags["NS"] == MATCH["NS"] for record in records)


def test_the_file_is_an_export_that_every_reader_takes(hands: Hands) -> None:
    deals = deals_of_phones(10)

    text = hands(
        "return handing.handedFile(given.deals, () => given.match);", {"deals": deals, "match": MATCH}
    )
    written = [reading.record for reading in read(text)]

    assert "% PCN 1\n" + "".join(f"\n{write(record)}" for record in written if record) == text


def test_the_tags_of_a_record_that_names_its_match_itself_stay(hands: Hands) -> None:
    rules = Rules.parse("court-piece")
    (record,) = simulate_match(rng=Random(1), rules=rules, deals=1)
    (deal,) = deals_of_phones(1)[:1]
    deal["pcn"] = '[Event "Another"]\n[Round "9"]\n' + write(record)

    got = hands(
        "return handing.readHanded(handing.handedFile([given.deal], () => given.match)).deals[0].pcn;",
        {"deal": deal, "match": MATCH},
    )

    assert got == deal["pcn"]


def test_codes_have_whole_deals_in_their_order_and_are_easy_to_read(hands: Hands) -> None:
    deals = deals_of_phones(12)

    made = hands(
        """const page = { page: "https://rang.example/table/", secret: "s".repeat(43) };
        const codes = await handing.addressesOf(given, page);
        return Promise.all(codes.map(async ({ deals, address }) => {
            const text = await handing.unpack(address.split("#")[1].split(".")[1]);
            const read = handing.readHanded(text);
            return [deals.length, address.length, read.deals.map(({ table, ...deal }) => deal), read.faults];
        }));""",
        deals,
    )

    assert [deal for _count, _length, read_back, _faults in made for deal in read_back] == deals
    assert [faults for *_rest, faults in made if faults] == []
    assert all(length <= EASY_BYTES for count, length, *_rest in made if count > 1)
    assert any(count > 1 for count, *_rest in made)


@pytest.mark.parametrize("packed", ["", "z", "x1234", "z!!!!", "zAAAA", "p____"])
def test_what_was_not_packed_is_not_unpacked(hands: Hands, packed: str) -> None:
    assert hands("return handing.unpack(given);", packed) in {None, ""}


def test_a_browser_that_packs_nothing_writes_it_plain(hands: Hands) -> None:
    got = hands(
        """const kept = globalThis.CompressionStream;
        globalThis.CompressionStream = undefined;
        const packed = await handing.pack(given);
        globalThis.CompressionStream = kept;
        return [packed[0], await handing.unpack(packed)];""",
        "بازی ♠",
    )

    assert got == ["p", "بازی ♠"]
