"""A deal entered card by card."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints, Opens
from tests.browser.entering import (
    PALE,
    PHONE,
    SMALL,
    forgive_no_network,
    happened,
    kept,
    phone,
    press,
    said,
    save,
    tap,
    text_of,
    way,
)
from tests.browser.looking import faults_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SUITS: Final = {"N": "S", "W": "H", "S": "D", "E": "C"}
"""Hands of one suit each: North, whom East deals the call, leads."""
RANKS: Final = "AKQJT98765432"
METHODS: Final = {
    "announced": (["suit-S"], "S"),
    "card": (["card-SA"], "S card SA"),
    "turned": (["card-S7"], "S turned S7"),
    "named": (["number-7", "card-S7"], "S named 7 S7"),
    "hidden": (["card-S2"], "S hidden S2"),
    "blind": (["card-S2"], "S blind S2"),
    "discard": ([], None),
}
PARSI: Final = (
    "N:K852.T763.98.J72 W:Q6.A95.T764.AT83 S:7.Q42.AKQJ52.KQ5 E:AJT943.KJ8.3.964"
)
"""The hands of the example in docs/pcn.md."""


@pytest.fixture(autouse=True)
def _without_a_network(complaints: Complaints) -> Iterator[None]:
    yield
    forgive_no_network(complaints)


def hand(text: str, seat: str) -> str:
    """Return a seat's cards of hands as a record writes them, as cards to tap."""
    (suits,) = re.findall(rf"{seat}:(\S+)", text)
    return " ".join(
        suit + rank for suit, ranks in zip("SHDC", suits.split("."), strict=True) for rank in ranks
    )


def deal_hands(page: Page, hands: str, order: str = "NWS") -> None:
    """Tell all four hands: three are tapped, the last fills by itself."""
    press(page, "known-hands")
    for seat in order:
        tap(page, hand(hands, seat))
    expect(page.get_by_role("heading", name="All four hands are told.")).to_be_visible()
    press(page, "next")


def bright(page: Page) -> list[str]:
    """Return the cards that may be played now."""
    found = page.locator(".tap:not(.is-dim, .is-gone)")
    return [str(card) for card in found.evaluate_all("(cards) => cards.map(({ dataset }) => dataset.card)")]


def test_cards_as_they_fall_make_a_record_with_the_hands_told_at_the_end(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Cards")
    faults = faults_of(page, PHONE)
    press(page, "known-nothing")
    faults += faults_of(page, PHONE)
    press(page, "method-announced", "suit-C")
    faults += faults_of(page, PHONE)
    tap(page, "HT H5 HQ HK C9 C7 CT CK CQ C6 C2 CA C8 C5 C4 CJ SK S6 S7 SA HJ H7 H9")
    faults += faults_of(page, PHONE)
    small, pale = page.evaluate(SMALL), page.evaluate(PALE)
    tap(page, "H4 SJ S5 SQ DJ C3 DA ST H3 HA H2 H8 H6")
    expect(page.locator(".decided")).to_have_text("The deal is decided.")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    press(page, "lay-out")
    for seat in "NWSE":
        press(page, f"seat-{seat}")
        held = hand(PARSI, seat)
        own = {*held.split()} & {*bright(page)}
        if own and not page.get_by_role("heading", name="All four hands are told.").is_visible():
            tap(page, " ".join(sorted(own)))
    faults += faults_of(page, PHONE)
    press(page, "next")
    sentences = said(page)
    save(page)

    assert sentences == "East–West win 7–2. No court. North–South deal: North."
    assert [(one["winner"], one["level"], one["problems"]) for one in kept(page)] == [("EW", "full", [])]
    assert f'[Hands "{PARSI}"]' in text_of(page)
    assert (faults, small, pale) == ([], [], [])


def test_without_the_hands_the_tricks_can_be_saved_alone(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Cards")
    press(page, "known-five")
    tap(page, "SK S8 HT C7 CJ")
    press(page, "next", "method-announced", "suit-C")
    tap(page, "HT H5 HQ HK C9 C7 CT CK CQ C6 C2 CA C8 C5 C4 CJ SK S6 S7 SA HJ H7 H9 H4 SJ S5 SQ DJ C3 DA ST H3 HA H2 H8 H6")
    press(page, "level")
    save(page)

    assert [(one["level"], one["trick_winners"], one["trump"]) for one in kept(page)] == [("tricks", "ESWNEEWWW", "C")]
    assert '[FirstFive "SK S8 HT C7 CJ"]' in text_of(page)


@pytest.mark.parametrize("rules", ["court-piece trump=announced,card,turned,named,hidden,blind,discard"])
def test_trump_is_made_by_every_method_of_law_4(opens: Opens, rules: str) -> None:
    page = phone(opens, rules)
    way(page, "Cards")
    press(page, "known-nothing")
    texts: dict[str, str | None] = {}
    for method, (steps, _text) in METHODS.items():
        press(page, f"method-{method}", *steps)
        tap(page, "SK S3 S4 S5")
        pcn = page.evaluate(
            "import(document.querySelector('script[src*=\"/js/table\"][src$=\".js\"]').src).then(() => document.querySelector('.side__trump').textContent)"
        )
        assert pcn
        press(page, *["undo-card"] * 5)
        texts[method] = _text

    expect(page.locator("[data-key='method-announced']")).to_be_visible()
    assert set(texts) == set(METHODS)


def test_a_hidden_trump_is_turned_up_and_a_revoke_corrected(opens: Opens) -> None:
    hands = "N:AKQ.A32.5432.432 W:JT98.KQJ.A76.765 S:7654.T98.KQJ.AKQ E:32.7654.T98.JT98"
    page = phone(opens, "hidden-trump")
    way(page, "Cards")
    deal_hands(page, hands)
    press(page, "method-hidden", "card-H3")
    expect(page.locator(".side__trump")).to_have_text("Trump lies face down.")
    faults = faults_of(page, PHONE)

    tap(page, "SA SJ")
    tap(page, "HT")
    why = happened(page)
    faults += faults_of(page, PHONE)
    press(page, "anyway")
    warned = happened(page)
    press(page, "spot-S")
    tap(page, "S7")
    corrected = happened(page)
    tap(page, "S2 SK ST S6 S3 SQ S9 S5")
    faults += faults_of(page, PHONE)
    press(page, "reveal")
    turned = happened(page)
    only_trumps = bright(page)
    tap(page, "H4")
    press(page, "undo-card", "undo-card", "reveal")
    tap(page, "H5")
    ruffed = page.locator(".whose strong").inner_text()
    tap(page, "JT" and "CJ C4 C7 CA CT C3 C6 CK")
    faults += faults_of(page, PHONE)
    page.reload()
    expect(page.locator("[data-event]")).to_contain_text("half entered")
    after = page.locator(".whose strong").inner_text()

    assert why == "South holds Spades and must follow suit (law 5.2)."
    assert warned.startswith("South played Ten of Hearts. That is a revoke.")
    assert corrected == "South took the card back and played Seven of Spades."
    assert turned.startswith("Three of Hearts is turned up. East must play a trump")
    assert only_trumps == ["H7", "H6", "H5", "H4"]
    assert (ruffed, after) == ("East leads", "South leads")
    assert faults == []


def test_a_revoke_that_stands_ends_the_deal_with_its_trick(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Cards")
    deal_hands(page, PARSI)
    press(page, "method-announced", "suit-C")
    tap(page, "HT H5 HQ HK C9 C7 CT")
    tap(page, "D2")
    press(page, "undo-card")
    tap(page, "CK C6 C2 CA")
    tap(page, "S7")
    refused = happened(page)
    press(page, "undo-card")
    faults = faults_of(page, PHONE)

    assert refused
    assert faults == []


def test_a_pile_of_double_sir_is_gathered_by_cards(opens: Opens) -> None:
    page = phone(opens, "double-sir")
    way(page, "Cards")
    press(page, "known-nothing", "method-announced", "suit-S")
    tap(page, "HA H2 H3 H4 HK H5 H6 H7")
    told = happened(page)
    counts = page.locator(".side__counts").inner_text()
    faults = faults_of(page, PHONE)

    assert told == "East played Seven of Hearts. North takes trick 2. North–South gather 2."
    assert re.sub(r"\s+", " ", counts) == "North–South NS 2 East–West EW 0 In the centre: 0"
    assert faults == []


def test_a_court_by_cards_is_carried_on_to_a_bavney(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Cards")
    press(page, "known-nothing", "method-card", "card-SA")
    tricks = [[f"{SUITS[seat]}{rank}" for seat in "NWSE"] for rank in RANKS]
    tap(page, " ".join(card for trick in tricks[:7] for card in trick))
    court = page.get_by_role("group", name="Carry on for 52?")
    expect(court).to_contain_text("Court!")
    faults = faults_of(page, PHONE)
    press(page, "carries")
    tap(page, " ".join(card for trick in tricks[7:] for card in trick))
    sentences = said(page)
    save(page)

    assert sentences.startswith("North–South win 13–0. Bavney: 52 courts for North–South.")
    assert [(one["award"], one["problems"]) for one in kept(page)] == [("bavney", [])]
    assert faults == []


def test_a_deal_is_read_from_text_and_its_mistakes_are_named_with_their_place(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Cards")
    page.get_by_text("Read from text").click()

    def paste(text: str) -> str:
        page.locator("[data-paste-text]").fill(text)
        page.get_by_role("button", name="Read it").click()
        return page.locator("[data-paste-says]").inner_text()

    bad = paste('[Deal "4"]\n[Dealer "E"]\n[Trump "C"]\n\n1. HT H5 HX HK')
    twice = paste('[Deal "4"]\n[Deal "5"]')
    faults = faults_of(page, PHONE)
    body = "1. ♥10 h5 Hq HK\n2. C9 C7 CT CK\n3. CQ C6 C2 CA\n4. C8 C5 C4 CJ\n5. SK S6 S7 SA\n6. HJ H7 H9 H4\n7. SJ S5 SQ DJ\n8. C3 DA ST H3\n9. HA H2 H8 H6\n*\n"
    paste(f'[Deal "4"]\n[Dealer "e"]\n[Hands "{PARSI}"]\n[Trump "C"]\n[Result "EW 7-2"]\n\n{body}')
    told, sentences = happened(page), said(page)
    save(page)

    assert bad == "Line 5, column 10: HX is no card. A card is its suit and its rank: HT is the ten of hearts."
    assert twice == "Line 2, column 1: Deal stands there a second time."
    assert told == "Read from the text. The text is deal 4; here it is deal 1."
    assert sentences == "East–West win 7–2. No court. North–South deal: North."
    assert [(one["deal"], one["level"], one["trick_winners"]) for one in kept(page)] == [(1, "full", "ESWNEEWWW")]
    assert faults == []
