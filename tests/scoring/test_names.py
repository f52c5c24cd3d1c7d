"""One person's name is one name, however it was typed; two people's are two."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.names import NameRefused, NearDuplicate, clean_name, near_duplicates, search_key


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Asif \t Khan ", "Asif Khan"),
        ("Jose\u0301", "José"),
        ("\u202eAsif\u202c \u200fKhan\u200e", "Asif Khan"),
        ("\u2067عمران خان\u2069", "عمران خان"),
        ("\u061cعمران", "عمران"),
        ("As\x00if\x1b", "Asif"),
        ("\ufeffAsif", "Asif"),
        ("راہ\u200cی", "راہ\u200cی"),
        ("क\u200dष", "क\u200dष"),
        ("\u200dAsif\u200c", "Asif"),
        ("A. \\ B. Das", "A. \\ B. Das"),
        ('Noor "Nani" Jehan', 'Noor "Nani" Jehan'),
    ],
)
def test_a_name_is_kept_as_people_see_it(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "empty"),
        ("  \u200d ", "empty"),
        ("--", "empty"),
        ("?", "unknown"),
        ("Asif & Bilal", "ampersand"),
        ("a" * 81, "too-long"),
    ],
)
def test_what_is_no_name_is_refused_with_the_reason(typed: str, reason: str) -> None:
    with pytest.raises(NameRefused) as refused:
        clean_name(typed)

    assert refused.value.reason == reason


@given(st.text(max_size=100))
def test_cleaning_a_name_again_changes_nothing(typed: str) -> None:
    try:
        name = clean_name(typed)
    except NameRefused:
        return

    assert clean_name(name) == name
    assert unicodedata.is_normalized("NFC", name)


@given(st.text(max_size=90))
def test_no_direction_or_control_character_stays(typed: str) -> None:
    try:
        name = clean_name(typed)
    except NameRefused:
        return

    hidden = {"Cc", "Cf", "Cs"}
    assert [c for c in name if unicodedata.category(c) in hidden and c not in "\u200c\u200d"] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Asif Khan", "asif  KHAN"),
        ("José", "Jose"),
        ("O'Brien", "O Brien"),
        ("Weiß", "Weiss"),
        ("علي كمال", "علی کمال"),
        ("راہ\u200cی", "راہی"),
        ("क़ासिम", "कासिम"),
    ],
)
def test_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert search_key(one) == search_key(other)


@pytest.mark.parametrize(("one", "other"), [("राम", "रमा"), ("कि", "कु"), ("Ali", "Alu")])
def test_vowels_tell_names_apart(one: str, other: str) -> None:
    assert search_key(one) != search_key(other)


@pytest.mark.parametrize(
    "name",
    [
        "Khan Asif",
        "Khan, Asif",
        "Asif Kahn",
        "Asiff Khan",
        "Asi Khan",
        "Bsif Khan",
        "Ásif khan",
        "Khan Asiff",
    ],
)
def test_a_slip_or_another_order_makes_a_near_duplicate(name: str) -> None:
    found = near_duplicates([name], ["Bilal Shah", "Asif Khan"])

    assert found == (NearDuplicate(name, "Asif Khan"),)


@pytest.mark.parametrize("name", ["Asif Khan", "Asfi Kahn", "Asif", "Asif Khanna"])
def test_the_same_name_and_two_slips_are_none(name: str) -> None:
    assert near_duplicates([name], ["Asif Khan"]) == ()


def test_short_names_with_another_letter_are_other_names() -> None:
    assert near_duplicates(["Das"], ["Dev", "Dal"]) == ()


@given(st.sampled_from(["Asif Khan", "Bilal Shah", "Chandra Rao"]), st.integers(0, 7))
def test_a_letter_left_out_is_always_found(name: str, place: int) -> None:
    slipped = name[:place] + name[place + 1 :]

    assert NearDuplicate(slipped, name) in near_duplicates([slipped], ["Dev Patel", name])


def test_where_all_names_are_alike_a_few_are_told() -> None:
    names = [f"Ali Khan{'.' * number}" for number in range(300)]

    assert len(near_duplicates(names[:1], names[1:])) == 8


@pytest.mark.parametrize("blank", ["\u3164", "\u115f\u1160", "\uffa0", "\u2800"])
def test_letters_that_cannot_be_seen_are_no_name(blank: str) -> None:
    with pytest.raises(NameRefused):
        clean_name(blank)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Asif Khan", "آصف خان"),
        ("آصف خان", "Asif Khan"),
        ("आसिफ ख़ान", "آصف خان"),
        ("Khan Asif", "आसिफ ख़ान"),
        ("Muhammad Javed", "Mohammed Jawed"),
    ],
)
def test_a_name_in_another_script_or_spelling_is_a_near_duplicate(name: str, known: str) -> None:
    others = ["Bilal Shah", "بلال شاہ", "Asif Nawaz", "عمر خان"]

    assert near_duplicates([name], [*others, known]) == (NearDuplicate(name, known),)
