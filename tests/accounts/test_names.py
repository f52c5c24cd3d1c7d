"""How the names of people and clubs are kept."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.accounts.names import BadDisplayName, BadName, clean_name, clean_text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Asif   Khan ", "Asif Khan"),
        ("Asif\tKhan\n", "Asif Khan"),
        ("Zoe\u0308", "Zoë"),
        ("\u202eAsif\u202c", "Asif"),
        ("\u2066آصف\u2069 \u200fخان", "آصف خان"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("A\u0000B", "AB"),
    ],
)
def test_a_name_is_kept_clean(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "   ", "\u200d", "\u202e\u202c", "\u0301"])
def test_a_name_without_anything_to_see_is_refused(typed: str) -> None:
    with pytest.raises(BadName) as caught:
        clean_name(typed)

    assert str(caught.value) == "Enter a name."
    assert caught.value.field == "name"


def test_a_name_of_more_than_eighty_characters_is_refused() -> None:
    assert clean_name("x" * 80) == "x" * 80
    with pytest.raises(BadDisplayName) as caught:
        clean_name("x" * 81, error=BadDisplayName)

    assert str(caught.value) == "A name has at most 80 characters."
    assert caught.value.field == "display_name"


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean_text(text)

    assert clean_text(once) == once
    assert unicodedata.is_normalized("NFC", once)
