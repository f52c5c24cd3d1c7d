"""Names of people, as typed by many hands: how one is stored, found, and told from another."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from typing import ClassVar, Final

from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.refusals import Refused
from scoring.domain.spellings import (
    Spelling,
    begins_so,
    key_of,
    sound_alike,
    sound_keys,
    sounds_typed,
    spellings_of,
)

LONGEST_NAME: Final = 80
"""In characters."""

_JOINERS: Final = "\u200c\u200d"
_VIRAMA: Final = 9
"""The combining class of signs that make a consonant cluster: no accent, and kept when names are compared."""

_SAME_LETTERS: Final = str.maketrans(
    {
        # Arabic letters that Urdu, Persian and Arabic keyboards write differently
        "\u064a": "\u06cc",
        "\u0649": "\u06cc",
        "\u0643": "\u06a9",
        "\u0629": "\u06c1",
        "\u0647": "\u06c1",
        "\u06c0": "\u06c1",
        "\u06c2": "\u06c1",
        "\u06c3": "\u06c1",
        "\u0622": "\u0627",
        "\u0623": "\u0627",
        "\u0625": "\u0627",
        "\u0671": "\u0627",
        "\u0640": None,
        # Latin letters that have no accent to take away
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
    }
)


class NameRefused(Refused):
    """The text cannot be a name. ``text`` is what was given, ``reason`` a code."""

    field: ClassVar[str] = "name"

    def __init__(self, message: str, *, text: str, reason: str) -> None:
        super().__init__(message)
        self.text = text
        self.reason = reason


def clean_name(text: str) -> str:
    """Return a person's name as it is stored: NFC, without control or direction characters, blanks collapsed.

    The joiners (U+200C, U+200D), which Persian, Urdu and the Indian scripts need, stay, but not at an end.

    :raises NameRefused: if nothing visible is left (``empty``), it is longer than 80 characters
        (``too-long``), holds an ``&``, which joins partners (``ampersand``), or is the ``?`` of somebody
        unknown (``unknown``).
    """
    name = clean_text(text).strip(_JOINERS + " ")
    if not any(letter.isalnum() for letter in name):
        reason = "unknown" if name == "?" else "empty"
        raise NameRefused(_("A name has at least one letter; found “%s”.") % name, text=text, reason=reason)
    if len(name) > LONGEST_NAME:
        message = _("A name has at most %(most)d characters; found %(found)d.")
        raise NameRefused(message % {"most": LONGEST_NAME, "found": len(name)}, text=text, reason="too-long")
    if "&" in name:
        raise NameRefused(
            _("“&” joins partners and cannot stand in a name: “%s”.") % name, text=text, reason="ampersand"
        )
    return name


def search_key(name: str) -> str:
    """Return what two spellings of one name share.

    It has no case, accents, points, joiners or punctuation, and one blank between words. Vowel signs of the
    Indian scripts are letters, not accents, and stay.
    """
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_SAME_LETTERS)
    letters = (
        letter
        for letter in unicodedata.normalize("NFKD", folded)
        if unicodedata.combining(letter) in (0, _VIRAMA) and letter not in _JOINERS
    )
    spaced = "".join(letter if _is_part_of_a_word(letter) else " " for letter in letters)
    return unicodedata.normalize("NFC", " ".join(spaced.split()))[:240]


SOUND: Final = "~"
"""Before a key of a name that is a sound; no word has it."""
LONGEST_KEY: Final = 100


def name_keys(name: str) -> frozenset[str]:
    """Return what a player of that name is looked up by: its words, and how they sound in any script."""
    keys = {*search_key(name).split(), *(SOUND + key for key in sound_keys(name))}
    return frozenset(key[:LONGEST_KEY] for key in keys)


def keys_typed(text: str) -> tuple[frozenset[str], ...]:
    """Return for each word that was typed the beginnings of keys by which it is found; none for what is no word."""
    words, sounds = search_key(text).split(), sounds_typed(text)
    if len(words) != len(sounds):
        sounds = (frozenset(),) * len(words)
    return tuple(
        frozenset({word[:LONGEST_KEY], *(SOUND + sound for sound in found)})
        for word, found in zip(words, sounds, strict=True)
    )


def is_found(name: str, typed: str) -> bool:
    """Return whether every word that was typed begins a word of the name, as it is written or as it sounds."""
    words, wanted = search_key(name).split(), search_key(typed).split()
    written = bool(wanted) and all(any(word.startswith(one) for word in words) for one in wanted)
    return written or begins_so(name, typed)


def _is_part_of_a_word(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN"


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A new name that is nearly one the club already has."""

    name: str
    existing: str


def near_duplicates(names: Iterable[str], existing: Iterable[str]) -> tuple[NearDuplicate, ...]:
    """Return each of ``names`` with each of the ``existing`` that may be the same person, in the order given.

    Two names are near each other if they differ by case, accents or punctuation, by the order of their words,
    or by one letter (more, less, another, or two swapped) in a name of five letters or more; or if they sound
    alike, in one script or in two (``domain.spellings``). Equal names are not reported. Takes time by the total
    length of the names, not by the number of pairs.
    """
    known = _Neighbourhood(existing)
    return tuple(NearDuplicate(name, other) for name in names for other in known.near(name) if other != name)


MOST_WORDS_IN_ANY_ORDER: Final = 3
MOST_NEAR: Final = 8
"""Names that are told of one name: enough for a person, and a bound where all names are alike."""
SHORTEST_WITH_A_SLIP: Final = 5
"""Below this length one letter makes another name: Ali and Alu, Das and Dey."""


class _Neighbourhood:
    """Names by the rests of their keys, one letter taken out: names one letter apart share such a rest."""

    def __init__(self, names: Iterable[str]) -> None:
        self._key_of: dict[str, str] = {}
        self._place: dict[str, int] = {}
        self._names_of: defaultdict[str, list[str]] = defaultdict(list)
        self._sounding: defaultdict[str, list[tuple[Spelling, str]]] = defaultdict(list)
        for name in names:
            if name not in self._place:
                self._place[name] = len(self._place)
                self._key_of[name] = key = search_key(name)[:LONGEST_NAME]
                for rest in _rests(key):
                    self._names_of[rest].append(name)
                for spelling in spellings_of(name):
                    self._sounding[key_of(spelling)].append((spelling, name))

    def near(self, name: str) -> list[str]:
        """Return the names near ``name``, those that were given first, and not more than a person would read."""
        return sorted(set(self._found(name)), key=self._place.__getitem__)[:MOST_NEAR]

    def _found(self, name: str) -> Iterator[str]:
        for key in _orders(search_key(name)[:LONGEST_NAME]):
            for rest in _rests(key):
                alike = self._names_of.get(rest, ())
                near = (other for other in alike if _at_most_one_slip(key, self._key_of[other]))
                yield from islice(near, MOST_NEAR)
        for spelling in spellings_of(name):
            sounding = self._sounding.get(key_of(spelling), ())
            yield from islice((other for one, other in sounding if sound_alike(spelling, one)), MOST_NEAR + 1)


def _orders(key: str) -> Iterator[str]:
    """Return the key with its words in every order; a name of more than three words is only turned round."""
    words = key.split(" ")
    if len(words) <= MOST_WORDS_IN_ANY_ORDER:
        return map(" ".join, permutations(words))
    return (" ".join(words[place:] + words[:place]) for place in range(len(words)))


def _rests(key: str) -> Iterator[str]:
    yield key
    if len(key) >= SHORTEST_WITH_A_SLIP - 1:
        yield from {key[:place] + key[place + 1 :] for place in range(len(key))}


def _at_most_one_slip(one: str, other: str) -> bool:
    """Return whether one letter more, less, wrong or swapped makes one key of the other, or none does."""
    if one == other:
        return True
    if max(len(one), len(other)) < SHORTEST_WITH_A_SLIP or abs(len(one) - len(other)) > 1:
        return False
    start = _shared_start(one, other)
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


def _shared_start(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
