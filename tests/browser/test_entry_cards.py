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
    drafted,
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

RANKS: Final = "AKQJT98765432"
METHODS: Final = {
    "announced": (["suit-S"], "S"),
    "card": (["card-SA"], "S card SA"),
    "turned": (["card-S7"], "S turned S7"),
    "named": (["number-7", "card-S7"], "S named 7 S7"),
    "hidden": (["card-S2"], "S hidden S2"),
    "blind": (["unseen"], "S blind S2"),
    "discard": ([], "H discard"),
}
"""What is pressed for each method of law 4, and what the record says; the caller has the spades, the next hearts."""
PARSI: Final = "N:K852.T763.98.J72 W:Q6.A95.T764.AT83 S:7.Q42.AKQJ52.KQ5 E:AJT943.KJ8.3.964"
"""The hands of the example in docs/pcn.md, which was played so:"""
PLAYED: Final = """1. HT H5 HQ HK
2. C9 C7 CT CK
3. CQ C6 C2 CA
4. C8 C5 C4 CJ
5. SK S6 S7 SA
6. HJ H7 H9 H4
7. SJ S5 SQ DJ
8. C3 DA ST H3
9. HA H2 H8 H6
*
"""
NO_CLUBS: Final = "N:AKQ.AK32.AKQJ32. W:JT98.QJ.T98.AKQJ S:7654.T98.765.T98 E:32.7654.4.765432"
"""Hands of which the caller's has no club."""
HIDDEN: Final = "N:AKQ.A32.5432.432 W:JT98.KQJ.A76.765 S:7654.T98.KQJ.AKQ E:32.7654.T98.JT98"


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
    expect(page.locator(".entry__foot [data-key=next]")).to_be_in_viewport(ratio=1)
    press(page, "next")


def bright(page: Page) -> list[str]:
    """Return the cards that may be played now."""
    found = page.locator(".tap:not(.is-dim, .is-gone)")
    return [str(card) for card in found.evaluate_all("(cards) => cards.map(({ dataset }) => dataset.card)")]


def tell_the_rest(page: Page, hands: str) -> None:
    """Give the cards that nobody has to those who held them; the last hand fills by itself."""
    for seat in "NWS":
        press(page, f"seat-{seat}")
        free = page.locator(".tap:not(.is-mine, .is-gone)")
        cards = free.evaluate_all("(cards) => cards.map(({ dataset }) => dataset.card)")
        tap(page, " ".join({*hand(hands, seat).split()} & {*cards}))


def of_one_suit(first: int, order: str) -> str:
    """Return tricks in which each seat has one suit and plays it from the top, the first of them from 0."""
    return " ".join(f"{suit}{rank}" for rank in RANKS[first:] for suit in order)


def test_cards_as_they_fall_make_a_record_with_the_hands_told_at_the_end(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Cards")
    press(page, "known-nothing", "method-announced")
    faults = faults_of(page, PHONE)
    press(page, "suit-C")
    tap(page, "HT H5 HQ HK C9 C7 CT CK CQ C6 C2 CA C8 C5 C4 CJ SK S6 S7 SA HJ H7 H9")
    faults += faults_of(page, PHONE)
    small, pale = page.evaluate(SMALL), page.evaluate(PALE)
    tap(page, "H4 SJ S5 SQ DJ C3 DA ST H3 HA H2 H8 H6")
    expect(page.locator(".decided")).to_have_text("The deal is decided.")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    press(page, "lay-out")
    tell_the_rest(page, PARSI)
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
    tap(
        page,
        "HT H5 HQ HK C9 C7 CT CK CQ C6 C2 CA C8 C5 C4 CJ SK S6 S7 SA HJ H7 H9 H4 SJ S5 SQ DJ C3 DA ST H3 HA H2 H8 H6",
    )
    press(page, "level")
    save(page)

    assert [(one["level"], one["trick_winners"], one["trump"]) for one in kept(page)] == [
        ("tricks", "ESWNEEWWW", "C")
    ]
    assert '[FirstFive "SK S8 HT C7 CJ"]' in text_of(page)


def test_trump_is_made_by_every_method_of_law_4(opens: Opens) -> None:
    page = phone(opens, "court-piece trump=announced,card,turned,named,hidden,blind,discard")
    way(page, "Cards")
    for method, (steps, _text) in METHODS.items():
        press(page, "known-nothing", f"method-{method}", *steps)
        order = "HDCS" if method == "discard" else "SHDC"  # The first card off suit makes trump, and wins.
        tap(page, f"SA HA DA CA {of_one_suit(1, order)[:71]}")
        press(page, "carries")
        tap(page, of_one_suit(7, order))
        save(page)

    assert re.findall(r'\[Trump "(.*)"\]', text_of(page)) == [text for _steps, text in METHODS.values()]
    assert [(one["award"], one["problems"]) for one in kept(page)] == [("bavney", [])] * len(METHODS)
    assert text_of(page).count("^S2") == 2  # law 6.5


def a_hidden_trump(opens: Opens) -> Page:
    """Tell four hands, and lay the three of hearts face down."""
    page = phone(opens, "hidden-trump")
    way(page, "Cards")
    deal_hands(page, HIDDEN)
    press(page, "method-hidden", "card-H3")
    expect(page.locator(".side__trump")).to_have_text("Trump lies face down.")
    return page


def test_a_revoke_is_refused_with_its_law_and_recorded_and_corrected_where_it_happened(opens: Opens) -> None:
    page = a_hidden_trump(opens)
    tap(page, "SA SJ HT")
    why = happened(page)
    faults = faults_of(page, PHONE)
    press(page, "anyway")
    warned = happened(page)
    press(page, "spot-S")
    tap(page, "S7")

    assert why == "South holds Spades and must follow suit (law 5.2)."
    assert warned.startswith("South played Ten of Hearts. That is a revoke.")
    assert happened(page) == "South took the card back and played Seven of Spades."
    assert page.locator(".whose strong").inner_text() == "East plays"
    assert faults == []


def test_a_hidden_trump_is_turned_up_and_undone_and_the_deal_outlives_the_page(opens: Opens) -> None:
    page = a_hidden_trump(opens)
    tap(page, "SA SJ S7 S2 SK ST S6 S3 SQ S9 S5")
    press(page, "reveal")
    turned, trumps = happened(page), bright(page)
    faults = faults_of(page, PHONE)
    tap(page, "H4")
    press(page, "undo-card", "reveal")
    tap(page, "H5")
    ruffed = page.locator(".whose strong").inner_text()
    tap(page, "CJ C4 C7 CA")
    drafted(page)
    page.reload()
    expect(page.locator("[data-event]")).to_contain_text("half entered")

    assert turned.startswith("Three of Hearts is turned up. East must play a trump")
    assert trumps == ["H7", "H6", "H5", "H4"]
    assert [ruffed, page.locator(".whose strong").inner_text()] == ["East leads", "South leads"]
    assert faults == []


def test_a_caller_plays_face_down_and_after_turning_up_must_play_a_trump(opens: Opens) -> None:
    page = phone(opens, "hidden-trump")
    way(page, "Cards")
    deal_hands(page, NO_CLUBS)
    press(page, "method-hidden", "card-H3")
    tap(page, "D2 DT D7 D4 CA C8 C2")
    press(page, "down")
    tap(page, "DA")
    lying = page.locator("[data-key=spot-N]").get_attribute("aria-label")
    press(page, "undo-card", "down")
    tap(page, "D3 CK C9 C3")
    press(page, "reveal")
    tap(page, "SA")
    why = happened(page)
    press(page, "anyway")
    sentences = said(page)
    faults = faults_of(page, PHONE)
    save(page)

    assert lying == "North, Ace of Diamonds, Face down. Take it back"
    assert why == "North had trump turned up, holds Hearts and must play it (law 6.4)."
    assert sentences.startswith(
        "North revoked in trick 3: had trump turned up and played Ace of Spades, though holding Hearts. "
    )
    assert "\n2. CA C8 C2 _D3\n3. CK C9 C3 ^SA\n*" in text_of(page)
    assert faults == []


def test_a_revoke_that_stands_is_shown_with_its_trick_and_can_be_claimed(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Cards")
    deal_hands(page, PARSI)
    press(page, "method-announced", "suit-C")
    tap(page, "HT S6")
    press(page, "anyway")
    tap(page, "HQ HK")
    press(page, "spot-W")
    head = page.locator(".whose").inner_text()
    press(page, "spot-W")
    sentences = said(page)
    faults = faults_of(page, PHONE)
    press(page, "claim", "claim-S", "claim-1", "claims")
    refused = happened(page)
    press(page, "claim", "claim-W", "claim-1", "claims")
    save(page)

    assert sentences.startswith(
        "West revoked in trick 1: played Six of Spades though able to follow Hearts. North–South win 0–0."
    )
    assert head.startswith("Trick 1\n")
    assert refused == "The cards show no such revoke (law 8.6)."
    assert [(one["winner"], one["award"], one["problems"]) for one in kept(page)] == [("NS", "revoke", [])]
    assert "\n!W1\n" in text_of(page)
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
    tap(page, of_one_suit(0, "SHDC")[:83])
    court = page.get_by_role("group", name="Carry on for 52?")
    expect(court).to_contain_text("Court!")
    faults = faults_of(page, PHONE)
    press(page, "carries")
    tap(page, of_one_suit(7, "SHDC"))
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
    body = PLAYED.replace("HT H5 HQ", "♥10 h5 Hq")
    paste(f'[Deal "4"]\n[Dealer "e"]\n[Hands "{PARSI}"]\n[Trump "C"]\n[Result "EW 7-2"]\n\n{body}')
    told, sentences = happened(page), said(page)
    save(page)

    assert (
        bad == "Line 5, column 10: HX is no card. A card is its suit and its rank: HT is the ten of hearts."
    )
    assert twice == "Line 2, column 1: Deal stands there a second time."
    assert told == "Read from the text. The text is deal 4; here it is deal 1."
    assert sentences == "East–West win 7–2. No court. North–South deal: North."
    assert [(one["deal"], one["level"], one["trick_winners"]) for one in kept(page)] == [
        (1, "full", "ESWNEEWWW")
    ]
    assert faults == []


@pytest.mark.parametrize("trump", ["C named 10 C2", "♣ Named 10 2c", "c turned cj"])
def test_how_trump_was_made_is_read_from_text(opens: Opens, trump: str) -> None:
    page = phone(opens)
    way(page, "Cards")
    page.get_by_text("Read from text").click()

    def paste(trump: str) -> None:
        tags = f'[Dealer "E"]\n[Hands "{PARSI}"]\n[Trump "{trump}"]\n\n'
        page.locator("[data-paste-text]").fill(tags + PLAYED)
        page.get_by_role("button", name="Read it").click()

    paste("C named 14 C2")
    refused = page.locator("[data-paste-says]").inner_text()
    paste(trump)
    told = happened(page)
    save(page)

    assert refused == "This is no value of Trump."
    assert told == "Read from the text."
    (made,) = re.findall(r'\[Trump "(.*)"\]', text_of(page))
    assert made in {"C named 10 C2", "C turned CJ"}
    assert [(one["level"], one["problems"]) for one in kept(page)] == [("full", [])]
