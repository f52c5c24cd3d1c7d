"""The codes on slips: short, and never mistaken for another by one slip of the pen."""

from itertools import combinations
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.check_codes import LENGTH, LETTERS, check_code, read_code, shown

FIRST = UUID("8c7d1f52-3a10-4b0e-9c55-0d6f1f0c9a11")


def test_a_code_has_seven_letters_of_which_none_looks_like_another() -> None:
    code = check_code(FIRST)

    assert len(code) == LENGTH
    assert not set(LETTERS) & set("0O1IL2Z5S8BUV")


def test_a_code_is_printed_in_two_groups_and_read_in_any_case() -> None:
    code = check_code(FIRST)

    assert shown(code) == f"{code[:3]}-{code[3:]}"
    assert read_code(f" {shown(code).lower()} ") == code


@given(uid=st.uuids())
def test_what_is_printed_is_read_again(uid: UUID) -> None:
    assert read_code(shown(check_code(uid))) == check_code(uid)


@given(uid=st.uuids())
def test_one_wrong_letter_is_always_noticed(uid: UUID) -> None:
    code = check_code(uid)

    wrong = [
        code[:place] + letter + code[place + 1 :]
        for place in range(LENGTH)
        for letter in LETTERS
        if letter != code[place]
    ]

    assert [read_code(text) for text in wrong] == [None] * len(wrong)


@given(uid=st.uuids())
def test_two_letters_that_changed_places_are_always_noticed(uid: UUID) -> None:
    code = check_code(uid)

    for one, other in combinations(range(LENGTH), 2):
        letters = list(code)
        letters[one], letters[other] = letters[other], letters[one]

        assert (read_code("".join(letters)) is None) == (code[one] != code[other])


@given(text=st.text(max_size=12))
def test_any_text_is_a_code_or_none(text: str) -> None:
    code = read_code(text)

    assert code is None or (len(code) == LENGTH and read_code(code) == code)
