"""The laws that a page keeps to without a network (static/js/laws.js) are the engine's: one deal, the same finding."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from enum import Enum
from functools import cache
from itertools import groupby, product
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from courtpiece.engine import (
    Card,
    Code,
    DealState,
    Finding,
    IllegalPlayError,
    Kind,
    Level,
    PlayFault,
    Rules,
    RulesError,
    Seat,
    adjudicate,
    derive_ledger,
    result_text,
)
from courtpiece.engine.cards import CARDS
from courtpiece.engine.play import Claim
from courtpiece.engine.rules import NAMED
from courtpiece.notation import Reading, Record, read, write
from courtpiece.notation.checker import JsonObject, JsonValue, finding_keys
from courtpiece.notation.json_form import record_from_json, record_to_json
from courtpiece.notation.simulator import Habits, simulate_match
from courtpiece.notation.values import TAG_ORDER
from tests.browser.conftest import Complaints, Site
from tests.engine.builders import WEST_AND_EAST_VOID
from tests.engine.deals import RULES_NAMES, as_record, play_out, random_rules

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

CASES: Final = Path(__file__).parents[1] / "golden" / "cases"
GOOD: Final = sorted(CASES.glob("good/*[0-9].pcn"))
BAD: Final[dict[str, list[Any]]] = json.loads((CASES / "bad" / "expected.json").read_text())
BUSY: Final = Habits(revoke=0.03, void=0.05, wrong_dealer=0.1, levels=list(Level))
"""Tables where something happens all the time."""
AWARDS: Final = ("win", "court", "goon-court", "bavney", "revoke")
Laws = Callable[[str, object], Any]
"""Runs the body of a function in a page: it has the module as ``laws`` and what it is given as ``given``."""


@pytest.fixture(scope="module")
def laws(site: Site, browser: Browser) -> Iterator[Laws]:
    """Return what runs a script with the module, in one page of the site and under its policy.

    What goes in and comes out goes as text: Playwright takes its time over thousands of objects.
    """
    complaints = Complaints()
    context = browser.new_context(base_url=site.address)
    complaints.listen(context)
    page = context.new_page()
    page.goto("/accounts/login/")

    def run(script: str, given: object) -> Any:
        said = page.evaluate(
            f"""async (text) => {{
                const laws = await import("/static/js/laws.js");
                return JSON.stringify(((given) => {{ {script} }})(JSON.parse(text)));
            }}""",
            json.dumps(given),
        )
        return json.loads(said)

    yield run
    context.close()
    assert complaints.lines == []


def differing(
    rows: Sequence[object], got: Sequence[Any], wanted: Sequence[Any]
) -> list[tuple[object, object, object]]:
    """Return the first few rows of which not the same was said, with what was."""
    assert len(rows) == len(got) == len(wanted)
    return [row for row in zip(rows, got, wanted, strict=True) if row[1] != row[2]][:3]


# -- one deal, for a person to read -----------------------------------------------------------------------


def test_a_deal_is_played_by_the_doors(laws: Laws) -> None:
    """East has dealt, so North calls and leads; West and East have no spade."""
    said = laws(
        """
        let deal = laws.newDeal({ rules: "court-piece", dealer: "E", hands: given, trump: "H" });
        const first = [laws.turn(deal), laws.whyNot(deal, "C9")];
        deal = laws.play(deal, "D2");
        const west = [laws.turn(deal), laws.legalCards(deal).join(" "), laws.whyNot(deal, "H9")];
        deal = laws.playAnyway(deal, "H9");  // West ruffs a diamond, and holds four of them
        deal = laws.takeBack(deal, "W", "DA");
        for (const card of ["DT", "D3"]) deal = laws.play(deal, card);
        const trick = laws.tricks(deal)[0];
        return {
            first, west, trick: trick.plays.map(({ cards }) => cards.join(">")).join(" "), winner: trick.winner,
            next: laws.turn(deal), taken: laws.taken(deal), revokes: laws.found(deal).revokes,
            undone: laws.trickSoFar(laws.undo(deal)).length,
        };""",
        WEST_AND_EAST_VOID,
    )

    assert said == {
        "first": ["N", {"code": "not-held", "law": "5.1", "seat": "N"}],
        "west": ["W", "DA DK DQ DJ", {"code": "must-follow", "law": "5.2", "suit": "D"}],
        "trick": "D2 H9>DA DT D3",
        "winner": "W",
        "next": "W",
        "taken": {"NS": 0, "EW": 1},
        "revokes": [{"seat": "W", "trick": 1, "card": "H9", "led": "D", "corrected": True}],
        "undone": 3,
    }


def test_a_revoke_that_was_turned_over_is_claimed_and_ends_the_deal(laws: Laws) -> None:
    said = laws(
        """
        let deal = laws.newDeal({ rules: "court-piece revoke=2", dealer: "E", hands: given, trump: "H" });
        for (const card of ["D2", "H9", "DT", "D3"]) deal = laws.playAnyway(deal, card);
        const { winner, award, courts, trickWinners } = laws.found(deal);
        const others = ["N", "E"].map((seat) => laws.whyNotClaim(deal, seat));
        const claimed = laws.claim(deal, "W");
        const { tags, claim } = laws.recordOf(claimed, { Deal: "1" });
        return [winner, award, courts, trickWinners, others, laws.whyNot(claimed, "DA"), tags.Result, claim];""",
        WEST_AND_EAST_VOID,
    )

    refused = {"code": "no-such-revoke", "law": "8.6"}
    over = {"code": "deal-over", "law": "8.3"}
    assert said == [
        *("NS", "revoke", {"NS": 2, "EW": 0}, "", [refused, refused], over),
        *("NS 0-0 revoke", {"seat": "W", "trick": 1}),
    ]


def test_without_hands_who_has_failed_to_follow_has_none_of_that_suit(laws: Laws) -> None:
    said = laws(
        """
        let deal = laws.newDeal({ rules: "court-piece", dealer: "E", trump: "H" });
        for (const card of ["S2", "H9", "S3", "C4"]) deal = laws.play(deal, card);
        const may = laws.legalCards(deal).length;
        const why = laws.whyNot(deal, "S5");
        deal = laws.playAnyway(deal, "S5");
        for (const card of ["S6", "S7", "S8"]) deal = laws.playAnyway(deal, card);
        return [may, why, laws.found(deal).award, laws.found(deal).revokes[0], laws.whyNotClaim(deal, "N")];""",
        None,
    )

    why = {"code": "showed-void", "law": "8.1", "suit": "S", "trick": 1}
    revoke = {"seat": "W", "trick": 1, "card": "H9", "led": "S", "corrected": False}
    assert said == [52 - 4 - 11, why, "revoke", revoke, {"code": "hands-needed", "law": "8.6"}]


def test_without_hands_who_has_asked_for_trump_and_played_none_has_none(laws: Laws) -> None:
    said = laws(
        """
        let deal = laws.newDeal({ rules: "hidden-trump", dealer: "E", trump: "H hidden H2" });
        deal = laws.play(deal, "S2");
        deal = laws.play(deal, "C9", { reveal: true });
        for (const card of ["S3", "S4"]) deal = laws.play(deal, card);
        const leads = laws.turn(deal);
        for (const card of ["D2", "D3"]) deal = laws.play(deal, card);
        return [leads, laws.turn(deal), laws.whyNot(deal, "H5"), laws.whyNot(deal, "H2"), laws.whyNot(deal, "S5")];""",
        None,
    )

    assert said == [
        *("E", "W"),
        {"code": "showed-void", "law": "8.1", "suit": "H", "trick": 1},
        {"code": "not-held", "law": "5.1", "seat": "W"},
        {"code": "showed-void", "law": "8.1", "suit": "S", "trick": 1},
    ]


# -- the same records through both ------------------------------------------------------------------------


@cache
def golden_records() -> tuple[Record, ...]:
    return tuple(reading.record for path in GOOD for reading in read(path.read_bytes()) if reading.record)


def random_deals(count: int, *, slips: float = 0.04) -> list[Record]:
    """Return full records of deals under all named rules and any options, some claimed, some given up."""
    return [random_deal(seed, slips) for seed in range(count)]


@cache
def random_deal(seed: int, slips: float) -> Record:
    rng = Random(seed)
    state = play_out(rng, random_rules(rng, RULES_NAMES[seed % len(RULES_NAMES)]), slips=slips)
    return as_record(state, claimed=rng.random() < 0.7)


def random_matches(count: int) -> Iterator[Record]:
    """Yield the records of matches at every level."""
    for seed in range(count):
        rng = Random(seed)
        rules = random_rules(rng, RULES_NAMES[seed % len(RULES_NAMES)])
        yield from simulate_match(rng=rng, rules=rules, deals=8, habits=BUSY)


def random_winners(count: int) -> Iterator[Record]:
    """Yield records of tricks only, some of which cannot be."""
    for seed in range(count):
        rng = Random(seed)
        rules = random_rules(rng, RULES_NAMES[seed % len(RULES_NAMES)])
        seats = rng.choices("NESW", weights=rng.choice([(1, 1, 1, 1), (9, 1, 9, 1), (1, 0, 0, 0)]), k=13)
        tags = {"Deal": "1", "Rules": str(rules), "Dealer": rng.choice("NESW")}
        tags["Tricks"] = " ".join(seats[: rng.randint(0, 13)])
        if rng.random() < 0.3:
            tags["Trump"] = rng.choice(["S", "H hidden ?", "H blind H9", "C discard", "-", "D turned D4"])
        if rng.random() < 0.3:
            tags["Revoke"] = f"{rng.choice('NESW')} {rng.randint(1, 13)}"
        if rng.random() < 0.4:
            tags["Result"] = rng.choice(
                ["void", f"NS 7-{rng.randint(0, 6)}", "EW 7-0 court", "NS 13-0 court"]
            )
        yield record_from_json({"tags": {**tags}})


def mangled_deals(count: int) -> Iterator[Record]:
    """Yield deals in which one play is another: its card, a sign, or a card that was taken back for it."""
    for record in random_deals(count):
        rng = Random(str(record.tags))
        tricks = plays_of(record)
        if tricks:
            play = rng.choice(rng.choice(tricks))
            change = rng.choice(["card", "reveal", "face_down", "taken back"])
            if change in play:
                play |= {"reveal": False, "face_down": False, change: True}
            elif change == "card":
                play["cards"] = [*play["cards"][:-1], str(rng.choice(CARDS))]
            else:
                play["cards"] = [str(rng.choice(CARDS)), *play["cards"]]
        yield record_from_json({**record_to_json(record), "tricks": [[*plays] for plays in tricks]})


def plays_of(record: Record) -> list[list[dict[str, Any]]]:
    """Return the plays of each trick as JSON has them."""
    plays: list[list[dict[str, Any]]] = json.loads(json.dumps(record_to_json(record)["tricks"]))
    return plays


def random_beginnings(count: int) -> Iterator[Record]:
    """Yield deals without a card played, whose trump, first five and hands do not always go together (law 4)."""
    for record in random_deals(count, slips=0.0):
        rng = Random(str(record.tags))
        given = dict(record.tags)
        hand = [Card.of(suit + rank) for suit, rank in held_in(given["Hands"].split(" ")[0])]
        tags = {name: given[name] for name in ("Deal", "Rules", "Dealer", "Hands")}
        card = rng.choice([*hand, *rng.sample(CARDS, k=4)])
        method = rng.choice(["card", "turned", "named 7", "hidden", "blind"])
        shown = "?" if method in {"hidden", "blind"} and rng.random() < 0.5 else card
        made = rng.choice([given["Trump"], f"{card.suit.letter} {method} {shown}", None])
        if made is not None:
            tags["Trump"] = made
        five = rng.sample(hand, k=5) if rng.random() < 0.9 else rng.sample(CARDS, k=5)
        tags["FirstFive"] = rng.choice([given["FirstFive"], " ".join(map(str, five))])
        tricks: list[JsonValue] | None = rng.choice([None, []])
        yield record_from_json({"tags": {**tags, "Result": "void"}, "tricks": tricks})


def held_in(hand: str) -> Iterator[tuple[str, str]]:
    """Yield suit and rank of the cards of ``N:K852.T763.98.J72``."""
    for suit, ranks in zip("SHDC", hand[2:].split("."), strict=True):
        yield from ((suit, rank) for rank in ranks)


def stated_results(*rules: str) -> Iterator[Record]:
    """Yield records with every result that can be written, with a revoke and without, dealt by E."""
    revokes = (None, "N 3", "E 8", "S 10")
    for name, winner, won, lost, award, revoke in product(
        rules, ("NS", "EW"), range(14), range(14), AWARDS, revokes
    ):
        result = f"{winner} {won}-{lost}" + ("" if award == "win" else f" {award}")
        tags = {"Deal": "1", "Rules": name, "Dealer": "E", "Result": result}
        yield record_from_json({"tags": {**tags, "Revoke": revoke} if revoke else {**tags}})


def as_found(finding: Finding) -> JsonObject | None:
    """Return what the module finds where the engine finds this: None where it cannot be adjudicated."""
    if finding.outcome is None:
        return None
    keys = finding_keys(finding)
    names = ("dealer", "winner", "award", "tricks", "courts", "trump", "revokes")
    return {**{name: keys[name] for name in names}, "trickWinners": keys.get("trick_winners")}


def compare(laws: Laws, records: Iterable[Record]) -> list[tuple[object, object, object]]:
    """Return the first few records of which the module does not find what the engine does.

    Of those that cannot be adjudicated, the first fault is compared too.
    """
    rows = list(records)
    findings = [record.finding() for record in rows]
    wanted = [
        [as_found(finding), finding.faults[0].code.value if finding.outcome is None else None]
        for finding in findings
    ]
    script = """return given.map((record) => {
        const { found, why } = laws.judge(record);
        return [found, found ? null : why.code];
    })"""
    got = laws(script, [record_to_json(record) for record in rows])
    return differing([write(record) for record in rows], got, wanted)


def test_golden_records_are_found_the_same(laws: Laws) -> None:
    assert compare(laws, golden_records()) == []


def test_a_thousand_random_deals_are_found_the_same(laws: Laws) -> None:
    assert compare(laws, random_deals(1000)) == []


def test_records_of_all_levels_are_found_the_same(laws: Laws) -> None:
    assert compare(laws, random_matches(60)) == []


def test_a_card_played_face_down_never_wins(laws: Laws) -> None:
    """Where cards of the trick of the reveal are trumps, one that lay face down before it would (laws 6.6, 6.8)."""
    rules = Rules.parse("hidden-trump reveal-from=trick trump=hidden")
    deals = [as_record(play_out(Random(seed), rules)) for seed in range(300)]

    assert any(outshone(record) for record in deals)
    assert compare(laws, deals) == []


def outshone(record: Record) -> bool:
    """Return whether a trump was laid face down to the trick in which it was then revealed."""
    trump = record.facts.trump
    return trump is not None and any(
        play.face_down and play.card.suit is trump.suit and any(other.reveal for other in plays[place:])
        for plays in record.tricks or ()
        for place, play in enumerate(plays)
    )


def test_what_nobody_could_have_played_is_the_same(laws: Laws) -> None:
    records = list(mangled_deals(1000))
    codes = {fault.code.value for record in records for fault in record.finding().faults}

    assert codes >= {"card-repeated", "card-not-held", "bad-reveal", "bad-correction", "uncalled-revoke"}
    assert compare(laws, records) == []


def test_how_a_deal_may_begin_is_the_same(laws: Laws) -> None:
    assert compare(laws, random_beginnings(900)) == []


def test_winners_of_tricks_are_found_the_same(laws: Laws) -> None:
    assert compare(laws, random_winners(2000)) == []


def test_results_that_cannot_be_are_refused_and_all_others_count_the_same(laws: Laws) -> None:
    records = list(stated_results("court-piece goon=3", "double-sir"))
    objections = [next((fault.message for fault in record.finding().faults), "") for record in records]

    got = laws(
        "return given.map((record) => laws.judge(record).why?.law ?? null)",
        list(map(record_to_json, records)),
    )

    assert compare(laws, records) == []
    assert [law for law, said in zip(got, objections, strict=True) if (law or "") not in said] == []


def test_hands_follow_from_fifty_two_cards_and_are_needed_with_fewer(laws: Laws) -> None:
    forms = [record_to_json(record) for record in random_deals(400)]
    for number, form in enumerate(forms):
        tags = form["tags"]
        assert isinstance(tags, dict)
        del tags["Hands"]
        if number % 5 == 0:  # which are hardly all the caller's
            tags["FirstFive"] = " ".join(map(str, Random(number).sample(CARDS, k=5)))
    records = list(map(record_from_json, forms))

    codes = {fault.code for record in records for fault in record.finding().faults}
    assert codes >= {Code.HANDS_NEEDED, Code.BAD_HANDS}
    assert compare(laws, records) == []


def test_a_match_is_counted_the_same(laws: Laws) -> None:
    records = [*golden_records(), *random_matches(60)]
    matches = [list(match) for _, match in groupby(records, key=Record.match_key)]
    wanted = [ledger_lines(match) for match in matches]

    got = laws(
        """return given.map(([rules, records]) =>
            laws.ledgerOf(rules, null, records.map((record) => laws.judge(record).found)).map(
                ({ dealer: _dealer, bavneys: _bavneys, leader: _leader, ...line }) => line))""",
        [[str(match[0].rules), [record_to_json(record) for record in match]] for match in matches],
    )

    assert differing([str(match[0].rules) for match in matches], got, wanted) == []


def ledger_lines(match: Sequence[Record]) -> list[JsonObject]:
    lines = derive_ledger(
        match[0].rules, [(record.deal, record.dealer, record.finding().outcome) for record in match]
    )
    return [
        {
            "scored": {**line.scored.as_json()},
            "runCourts": {**line.run_courts.as_json()},
            "courts": {**line.courts.as_json()},
            "runs": {**line.runs.as_json()},
            "nextDealer": None if line.next_dealer is None else line.next_dealer.letter,
        }
        for line in lines
    ]


def test_the_matches_of_the_golden_files_end_as_they_say(laws: Laws) -> None:
    wanted = [
        [line["courts"], line["bavneys"], line["streak"], line["next_dealer"], line["winner"]]
        for path in GOOD
        for line in map(json.loads, path.with_suffix(".expected.jsonl").read_text().splitlines())
        if line["type"] == "match"
    ]
    matches = [list(match) for _, match in groupby(golden_records(), key=Record.match_key)]

    got = laws(
        """return given.map(([rules, records]) => {
            const found = records.map((record) => laws.judge(record).found);
            const { courts, bavneys, runs, nextDealer, leader } = laws.ledgerOf(rules, null, found).at(-1);
            return [courts, bavneys, runs, nextDealer, leader];
        })""",
        [[str(match[0].rules), [record_to_json(record) for record in match]] for match in matches],
    )

    assert got == wanted


def test_the_first_dealer_and_those_who_follow_are_known_without_records(laws: Laws) -> None:
    """A record need not say who dealt where the deals before tell it (law 12)."""
    records = simulate_match(rng=Random(5), rules=Rules.parse("court-piece streak=2"), deals=12)

    got = laws(
        """const found = given.records.map((record) => laws.judge(record).found);
        const bare = found.map(({ dealer: _dealer, ...rest }) => rest);
        return laws.ledgerOf("court-piece streak=2", given.first, bare).map(({ dealer }) => dealer);""",
        {"first": records[0].dealer.letter, "records": [record_to_json(record) for record in records]},
    )

    assert got == [record.dealer.letter for record in records]


# -- step by step -----------------------------------------------------------------------------------------

STEPS: Final = """
    const follow = (deal, { cards: [card, ...others], reveal, face_down: faceDown }) => {
        const seat = laws.turn(deal);
        return others.reduce(
            (after, other) => laws.takeBack(after, seat, other), laws.playAnyway(deal, card, { reveal, faceDown }));
    };
    const stepsOf = (record) => record.tricks.flat().reduce(
        (steps, play) => [...steps, follow(steps.at(-1), play)], [laws.dealOf({ ...record, tricks: [] })]);
"""


def test_what_may_be_played_is_the_same_at_every_step(laws: Laws) -> None:
    records = random_deals(200)
    wanted = [[step_of(state) for state in record.states()] for record in records]

    got = laws(
        STEPS
        + """
        const said = (deal) => ({
            turn: laws.turn(deal), legal: laws.legalCards(deal).join(" "),
            lying: laws.trickSoFar(deal).map(({ seat, card }) => seat + card).join(" "),
            taken: laws.taken(deal), pile: laws.pile(deal), trump: laws.trumpNow(deal), indicator: laws.indicator(deal),
            decided: laws.isDecided(deal), mayCarryOn: laws.mayCarryOn(deal),
            result: laws.mayEnd(deal) ? laws.resultText(laws.found(deal)) : null,
            asked: laws.whyNotReveal(deal) ? null : laws.legalCards(laws.reveal(deal)).join(" "),
        });
        return given.map((record) => stepsOf(record).map(said));""",
        [record_to_json(record) for record in records],
    )

    for record, steps, wanted_steps in zip(records, got, wanted, strict=True):
        assert differing([write(record)] * len(steps), steps, wanted_steps) == []


def step_of(state: DealState) -> JsonObject:
    is_whole = state.trick_number == 14
    return {
        "turn": None if is_whole else state.turn.letter,
        "legal": legal(state),
        "lying": " ".join(f"{played.seat.letter}{played.card}" for played in state.current_trick),
        "taken": {**state.tricks.as_json()},
        "pile": state.pile,
        "trump": state.trump.letter if state.trump is not None else None,
        "indicator": str(state.indicator) if state.indicator is not None else None,
        "decided": state.is_over,
        "mayCarryOn": state.may_carry_on,
        "result": result_text(state.outcome) if state.outcome is not None else None,
        "asked": legal(state.reveal()) if state.may_reveal() else None,
    }


def legal(state: DealState) -> str:
    """Return the legal plays, spades first, from high to low."""
    plays = state.legal_plays()
    return " ".join(str(card) for card in state.hand(state.turn) if card in plays)


def test_the_doors_say_why_not_as_the_engine_does(laws: Laws) -> None:
    """At every step of some deals a few questions are asked: a card, one face down, a correction."""
    rng = Random(7)
    records = random_deals(90, slips=0.06)
    asked: list[tuple[JsonObject, list[list[list[str]]]]] = []
    wanted: list[list[list[list[str | None]]]] = []
    for record in records:
        states = record.states()
        questions = [[question(rng, state) for _ in range(4)] for state in states]
        asked.append((record_to_json(record), questions))
        wanted.append(
            [[answer(state, *one) for one in asks] for state, asks in zip(states, questions, strict=True)]
        )

    got = laws(
        STEPS
        + """
        const ask = (deal, kind, card, seat) => {
            if (kind === "correct") return laws.whyNotTakeBack(deal, seat, card);
            if (kind === "reveal") return laws.whyNotReveal(deal);
            return laws.whyNot(deal, card, { faceDown: kind === "face down" });
        };
        const answer = (why, [, law]) => [why?.code ?? null, law && why ? why.law : null];
        return given.map(([record, questions, wanted]) => stepsOf(record).map((deal, at) =>
            questions[at].map((one, number) => answer(ask(deal, ...one), wanted[at][number]))));""",
        [[*question, answers] for question, answers in zip(asked, wanted, strict=True)],
    )

    for (_, steps), answers, wanted_answers in zip(asked, got, wanted, strict=True):
        assert differing(steps, answers, wanted_answers) == []
    said = {code for deal in wanted for step in deal for code, _law in step}
    assert said >= {None, "deal-over", "not-held", "lies-face-down", "must-follow"}
    assert said >= {"may-not-reveal", "may-not-face-down", "may-not-correct"}


def question(rng: Random, state: DealState) -> list[str]:
    """Return what is asked: mostly about cards that are held, which is where the laws matter."""
    kind = rng.choice(["play", "play", "face down", "correct", "reveal"])
    if state.indicator is not None and state.turn is state.caller and rng.random() < 0.5:
        kind = "face down"
    seat = rng.choice(list(Seat)) if kind == "correct" else state.turn
    lying = [played.card for played in state.current_trick or state.last_trick]
    cards = rng.choice([state.hand(seat) or CARDS, [state.indicator or CARDS[0]], lying or CARDS, CARDS])
    return [kind, str(rng.choice(cards)), seat.letter]


def answer(state: DealState, kind: str, card: str, seat: str) -> list[str | None]:
    """Return the code of the refusal, and the law where the engine's sentence names one alone."""
    try:
        if kind == "correct":
            state.correct(Seat[seat], Card.of(card))
        elif kind == "reveal":
            state.check_reveal()
        else:
            state.check_play(Card.of(card), face_down=kind == "face down")
    except IllegalPlayError as illegal:
        found = re.findall(r" \(law (\d+\.\d)\)$", str(illegal))
        return [illegal.fault.value, found[0] if found and illegal.fault is not PlayFault.NOT_HELD else None]
    return [None, None]


def test_a_trump_asked_for_must_be_played(laws: Laws) -> None:
    said = laws(
        """
        let deal = laws.newDeal({ rules: "hidden-trump", dealer: "E", hands: given, trump: "H hidden H2" });
        deal = laws.play(deal, "SA");
        return [
            laws.whyNot(deal, "D5"), laws.whyNot(deal, "DA", { reveal: true }),
            laws.whyNot(deal, "H9", { reveal: true }),
            laws.whyNot(deal, "DA", { faceDown: true }), laws.whyNotReveal(laws.reveal(deal)),
            laws.found(laws.play(deal, "H9", { reveal: true })).trump, laws.indicator(deal),
            laws.trumpNow(laws.undo(laws.reveal(deal))),
        ];""",
        WEST_AND_EAST_VOID,
    )

    assert said == [
        {"code": "not-held", "law": "5.1", "seat": "W"},
        {"code": "must-trump", "law": "6.3", "suit": "H"},
        None,
        {"code": "may-not-face-down", "law": "6.8"},
        {"code": "may-not-reveal", "law": "6.1"},
        *("H", "H2", None),
    ]


def test_revokes_can_be_claimed_that_stand_and_no_others(laws: Laws) -> None:
    records = [record for record in random_deals(400) if record.finding().revokes][:80]
    claims = [(seat, trick) for seat in "NESW" for trick in (None, *range(1, 14))]
    wanted = [[refuses_claim(record, seat, trick) for seat, trick in claims] for record in records]

    got = laws(
        """return given.records.map((record) => {
            const deal = laws.dealOf(record);
            return given.claims.map(([seat, trick]) => laws.whyNotClaim(deal, seat, trick)?.code ?? null);
        })""",
        {"records": [record_to_json(record) for record in records], "claims": claims},
    )

    assert differing([write(record) for record in records], got, wanted) == []


def refuses_claim(record: Record, seat: str, trick: int | None) -> str | None:
    finding = adjudicate(record.facts._replace(claim=Claim(Seat[seat], trick)))
    return Code.NO_SUCH_REVOKE.value if finding.has(Code.NO_SUCH_REVOKE) else None


def test_a_deal_is_undone_to_its_start_and_kept_as_json(laws: Laws) -> None:
    got = laws(
        STEPS
        + """
        const text = JSON.stringify;
        return given.map((record) => {
            const steps = stepsOf(record);
            let deal = JSON.parse(text(steps.at(-1)));  // as a page finds it again after it was closed
            const isSame = text(laws.found(deal)) === text(laws.found(laws.dealOf(record)));
            while (deal.told.length) deal = laws.undo(deal);
            return isSame && text(deal) === text(steps[0]);
        });""",
        [record_to_json(record) for record in random_deals(60)],
    )

    assert set(got) == {True}


def test_without_hands_what_is_lawful_is_allowed_and_counts_the_same(laws: Laws) -> None:
    records = random_deals(200, slips=0)
    wanted: list[object] = [[[], as_found(record.finding())] for record in records]

    got = laws(
        """return given.map((record) => {
            const { Hands: _hands, ...tags } = record.tags;
            let deal = laws.dealOf({ tags, tricks: [] });
            const refused = [];
            for (const { cards: [card], reveal, face_down: faceDown } of record.tricks.flat()) {
                const why = laws.isDecided(deal) ? null : laws.whyNot(deal, card, { reveal, faceDown });
                if (why) refused.push([card, why]);
                deal = laws.playAnyway(deal, card, { reveal, faceDown });
            }
            return [refused, laws.found(deal)];
        })""",
        [record_to_json(record) for record in records],
    )

    assert differing([write(record) for record in records], got, wanted) == []


# -- the notation -----------------------------------------------------------------------------------------


def test_records_are_written_byte_for_byte(laws: Laws) -> None:
    """Their tags come in any order, since a page adds them as it learns them."""
    rng = Random(3)
    records = [*golden_records(), *random_deals(200), *random_matches(20)]
    forms = [record_to_json(record) for record in records]
    for form, record in zip(forms, records, strict=True):
        if record.tags[-1][0] in TAG_ORDER:  # those that the notation does not know stay in their order
            form["tags"] = dict(rng.sample(record.tags, k=len(record.tags)))

    got = laws("return given.map(laws.toPcn)", forms)

    assert differing(forms, got, [write(record) for record in records]) == []


def test_names_are_written_in_one_form(laws: Laws) -> None:
    """A keyboard may give a letter and its accent as two characters: NFC makes them one."""
    tags = {"Deal": "1", "NS": 'Jose\u0301 & \\ "Nani"', "Dealer": "E", "Result": "NS 7-4"}

    got = laws("return laws.toPcn({ tags: given })", tags)

    assert got == write(record_from_json({"tags": {**tags}}))
    assert 'NS "José & \\\\ \\"Nani\\""' in got


def test_a_deal_is_written_as_the_engine_finds_it(laws: Laws) -> None:
    records = [record for record in random_deals(200) if record.finding().outcome is not None]

    got = laws(
        """return given.map((record) => {
            let deal = laws.dealOf(record);
            if (record.claim) deal = laws.claim(deal, record.claim.seat, record.claim.trick);
            const isVoid = laws.mayEnd(deal) ? {} : { Result: "void" };
            return laws.toPcn(laws.recordOf(deal, { Deal: "1", ...isVoid }));
        })""",
        [record_to_json(record) for record in records],
    )

    assert differing(records, got, [write(record) for record in records]) == []


def test_exported_files_are_read_and_written_back(laws: Laws) -> None:
    files = [path.read_text() for path in GOOD]
    wanted = [
        [[record_to_json(reading.record) for reading in read(text) if reading.record], text] for text in files
    ]

    got = laws(
        "return given.map(laws.readPcnFile).map((records) => [records, laws.toPcnFile(records)])", files
    )

    assert differing(files, got, wanted) == []


def test_other_forms_than_the_exported_one_are_refused(laws: Laws) -> None:
    text = write(random_deal(1, 0.0))
    others = [
        text.replace("\n1. ", "\n1.  "),
        text.replace("\n2. ", "\n3. "),
        text.replace("*\n", "\n"),
        text.replace("[Deal ", "[Deal  "),
        text.replace('[Dealer "', '[Dealer "\\x'),
        text.removesuffix("\n"),
        text + "\n",
        text.replace("\n", "\r\n"),
        text.replace('[Deal "1"]\n', ""),
        text.replace('[Deal "1"]\n', '[Deal "1"]\n[Deal "1"]\n'),
        text.replace("[Rules ", "[1Rules "),
    ]
    assert len({text, *others}) == 12

    got = laws(
        """return given.map((text) => {
            try { return laws.toPcn(laws.readPcn(text)) === text; } catch ({ why }) { return why.code; }
        })""",
        [text, *others],
    )

    bad = "bad-syntax"
    assert got == [True, *[bad] * 8, "missing-tag", "duplicate-tag", bad]


# -- rules, and what cannot be ----------------------------------------------------------------------------


def test_rules_are_read_and_written_as_the_engine_does(laws: Laws) -> None:
    texts = [*NAMED, *(str(random_rules(Random(seed))) for seed in range(300))]
    texts += [
        "double-sir gather=single first-claim=3",
        "court-piece gather=ace court=1",
        "hidden-rung gather=ace",
    ]
    wanted = [[rules_json(Rules.parse(text)), str(Rules.parse(text))] for text in texts]

    got = laws(
        "return given.map(laws.rulesOf).map((rules) => [rules, laws.rulesText(rules)])",
        texts,
    )

    assert differing(texts, got, wanted) == []


def rules_json(rules: Rules) -> JsonObject:
    """Return the fields of the rules, named as JavaScript does."""
    kept = {
        name.title().replace("_", "")[0].lower() + name.title().replace("_", "")[1:]: value
        for name, value in asdict(rules).items()
        if name != "trump"
    }
    written = {name: value.value if isinstance(value, Enum) else value for name, value in kept.items()}
    return {**written, "trumpMethods": [method.value for method in rules.trump]}


NO_RULES: Final = {
    "bridge": "bridge",
    "hokm-3": "hokm-3",
    "__proto__": "__proto__",
    "": "",
    "court-piece  goon=3": "",
    "court-piece goon": "goon",
    "court-piece goon=0": "goon=0",
    "court-piece goon=1000": "goon=1000",
    "court-piece goon=3 goon=3": "goon=3",
    "court-piece streak=1": "streak=1",
    "court-piece streak_court=2": "streak_court=2",
    "court-piece constructor=2": "constructor=2",
    "court-piece gather=triple": "gather=triple",
    "be-ranga trump=discard,discard": "trump=discard,discard",
    "double-sir first-claim=9 last-claim=8": "first-claim=9",
    "hidden-rung last-claim=2": "first-claim=3",
}
"""Texts that name no rules, and the word that is wrong."""


def test_unknown_rules_are_refused_with_the_odd_word(laws: Laws) -> None:
    wanted = [{"code": "unknown-rules", "law": "14", "word": refused_word(text)} for text in NO_RULES]

    got = laws(
        "return given.map((text) => { try { return laws.rulesOf(text); } catch ({ why }) { return why; } })",
        list(NO_RULES),
    )

    assert got == wanted
    assert [why["word"] for why in got] == list(NO_RULES.values())


def refused_word(text: str) -> str:
    with pytest.raises(RulesError) as caught:
        Rules.parse(text)
    return caught.value.part


NOT_TRIED: Final = {"nul", "latin1", "utf16", "too-long", "value-Date-0", "value-Date-1"}
"""A page reads no bytes, and has its dates from the calendar."""


def test_bad_records_are_refused_or_found_as_by_the_engine(laws: Laws) -> None:
    rows = [
        reading
        for name in sorted(set(BAD) - NOT_TRIED)
        for reading in read((CASES / "bad" / f"{name}.pcn").read_bytes())
    ]
    texts = [reading.text.removesuffix("\n") + "\n" for reading in rows]

    got = laws(
        """return given.map((text) => {
            try {
                const { found, why } = laws.judge(laws.readPcn(text));
                return [found, why?.code ?? null];
            } catch ({ why }) { return [null, why.code]; }
        })""",
        texts,
    )

    told = [[found, said_of(code)] for found, code in got]
    assert differing(texts, told, list(map(verdict, rows))) == []


def verdict(reading: Reading) -> list[object]:
    """Return what is found, and the first thing wrong."""
    finding = reading.finding()
    if finding is None:
        return [None, said_of(reading.problems[0].code.value)]
    return [as_found(finding), said_of(finding.faults[0].code.value) if finding.faults else None]


def said_of(code: str | None) -> str | None:
    """Return the code; of what is malformed only that it is: to a page much is so that import forgives."""
    is_malformed = code is not None and Code(code).kind is Kind.MALFORMED
    return Kind.MALFORMED.value if is_malformed else code


AT_THE_DOOR: Final = {
    "card-again-in-trick": {"code": "not-held", "law": "2.1", "seat": "W"},
    "card-again-later": {"code": "not-held", "law": "2.1", "seat": "N"},
    "card-of-another": {"code": "not-held", "law": "5.1", "seat": "S"},
    "needless-correction": {"code": "may-not-correct", "law": "8.2", "seat": "E"},
    "reveal-can-follow": {"code": "may-not-reveal", "law": "6.3"},
    "false-claim": {"code": "no-such-revoke", "law": "8.6"},
    "first-five-not-held": {"code": "bad-hands", "law": "3.3"},
    "trump-method": {"code": "bad-trump", "law": "14"},
    "hidden-not-held": {"code": "bad-trump", "law": "4.8"},
    "result-only-7-0-plain": {"code": "result-mismatch", "law": "9.2"},
    "result-only-court-7-3": {"code": "result-mismatch", "law": "9.4"},
    "result-only-13-0-court": {"code": "result-mismatch", "law": "10.3"},
    "result-only-6-5": {"code": "result-mismatch", "law": "9.2"},
    "result-only-9-8": {"code": "result-mismatch", "law": "9.1"},
    "result-only-nothing": {"code": "undecided", "law": "9.1"},
    "cut-short-with-result": {"code": "undecided", "law": "9.1"},
}
"""Bad records, and what a page is told that asks before each card of them."""


def test_what_cannot_be_is_refused_at_the_door(laws: Laws) -> None:
    records = {name: bad_record(name) for name in AT_THE_DOOR}

    got = laws(
        """
        const ask = (record) => {
            if (!record.tricks) return laws.judge(record).why;
            let deal;
            try { deal = laws.dealOf({ ...record, tricks: [] }); } catch ({ why }) { return why; }
            for (const { cards: [card, ...others], reveal, face_down: faceDown } of record.tricks.flat()) {
                const seat = laws.turn(deal);
                const why = laws.whyNot(deal, card, { reveal, faceDown });
                if (why) return why;
                deal = laws.play(deal, card, { reveal, faceDown });
                const other = others.map((one) => laws.whyNotTakeBack(deal, seat, one)).find(Boolean);
                if (other) return other;
                if (laws.isDecided(deal)) break;
            }
            const { claim } = record;
            return claim ? laws.whyNotClaim(deal, claim.seat, claim.trick) : laws.judge(record).why;
        };
        return given.map(ask);""",
        [record_to_json(record) for record in records.values()],
    )

    assert dict(zip(records, got, strict=True)) == AT_THE_DOOR


def bad_record(name: str) -> Record:
    (reading,) = read((CASES / "bad" / f"{name}.pcn").read_bytes())
    assert reading.record is not None
    return reading.record


def test_what_is_no_card_no_seat_and_no_five_is_refused(laws: Laws) -> None:
    said = laws(
        """
        const facts = { dealer: "E", trump: "S" };
        const deal = laws.newDeal(facts);
        const doors = [
            () => laws.play(deal, "S1"), () => laws.playAnyway(deal, "S1"),
            () => laws.newDeal({ ...facts, dealer: "X" }),
            () => laws.newDeal({ ...facts, firstFive: "SA SK" }), () => laws.newDeal({ dealer: "E" }),
            () => laws.dealOf({ tags: { Deal: "1", Dealer: "E" }, tricks: null }),
            () => laws.judge({ tags: { Deal: "1", Dealer: "E", Rules: "whist" }, tricks: null }).why,
        ];
        return doors.map((door) => { try { return door(); } catch ({ why }) { return why.code; } });""",
        None,
    )

    assert said == [
        *("not-held", "card-not-held", "bad-value", "bad-hands", "bad-trump", "hands-needed"),
        {"code": "unknown-rules", "law": "14", "word": "whist"},
    ]


def test_tricks_alone_tell_how_a_deal_stands(laws: Laws) -> None:
    """East has dealt; of the first two tricks running that South wins, the second gathers what lies there."""
    said = laws(
        """const facts = { rules: "double-sir", dealer: "E" };
        const brief = ({ tricks: { NS, EW }, award }) => `${NS}-${EW} ${award}`;
        return [
            brief(laws.fromTricks(facts, [..."NESS"])), brief(laws.fromTricks(facts, [..."NESSWW"])),
            brief(laws.fromTricks(facts, [..."NENENESS"])), brief(laws.fromTricks(facts, [..."NENENESSWW"])),
            laws.whyNotTricks(facts, [..."NENENESS"]), laws.whyNotTricks(facts, [..."NENENESSWW"]),
            laws.whyNotTricks({ ...facts, rules: "double-sir-ace" }, [..."NENENESSWW"]),
            brief(laws.fromTricks({ ...facts, rules: "court-piece", revoke: { seat: "S", trick: 3 } }, [..."NE"])),
            brief(laws.fromResult(
                { ...facts, rules: "court-piece" }, { winner: "EW", won: 7, lost: 0, award: "court" })),
        ];""",
        None,
    )

    undecided = {"code": "undecided", "law": "9.1"}
    assert said == [
        *("4-0 void", "4-2 void", "8-0 void", "8-2 win"),
        *(undecided, None, undecided, "1-1 revoke", "0-7 goon-court"),
    ]
