"""A short code for a match, to be read from paper and typed: a wrong letter, or two that changed places, is noticed.

The letters are 23, of which none looks like another, so that arithmetic can be done modulo a prime: the sum of all
letters, each times its own weight, is 0. Weights differ from each other and are none of them 0, so that neither one
wrong letter nor two that changed places can leave the sum as it was.
"""

from typing import Final
from uuid import UUID

LETTERS: Final = "34679ACDEFGHJKMNPQRTWXY"
LENGTH: Final = 7
"""Of a code with its check letter, which stands last."""
_BASE: Final = len(LETTERS)
_WEIGHTS: Final = tuple(range(LENGTH, 0, -1))
"""The check letter's is 1."""
_PLACE: Final = {letter: place for place, letter in enumerate(LETTERS)}


def check_code(uid: UUID) -> str:
    """Return the code of the match with this uid.

    Of a thousand matches one or two share theirs with another in three tournaments out of a thousand.
    """
    rest = uid.int % _BASE ** (LENGTH - 1)
    values = []
    for _ in range(LENGTH - 1):
        rest, value = divmod(rest, _BASE)
        values.append(value)
    total = sum(weight * value for weight, value in zip(_WEIGHTS, values, strict=False))
    return "".join(LETTERS[value] for value in (*values, -total % _BASE))


def shown(code: str) -> str:
    """Return the code in two groups, as it is printed: ``K4M-7RXT``."""
    return f"{code[:3]}-{code[3:]}"


def read_code(text: str) -> str | None:
    """Return the code that was typed, in any case, with blanks and hyphens or without; None where it is none."""
    code = "".join(letter for letter in text.upper() if not letter.isspace() and letter not in "-‐–")
    if len(code) != LENGTH or not set(code) <= set(LETTERS):
        return None
    total = sum(weight * _PLACE[letter] for weight, letter in zip(_WEIGHTS, code, strict=True))
    return code if total % _BASE == 0 else None
