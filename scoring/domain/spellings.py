"""How a name sounds, written in whatever script: what spellings of one name have in common.

A word is its consonants, each with the vowel that follows it. The consonants must be the same. Of vowels only as much
is compared as the scripts write: Urdu leaves the short ones out, Hindi does not say where an *a* is silent, and Latin
writes *e* for many. Where a letter may be a vowel or a consonant, as the Urdu wāw, a word has a reading for each. All
this only raises a question: it need not be right about every name, but must not ask about names that people tell apart.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Final

MOST_READINGS: Final = 8
"""Of a word, or of a name."""
LEAST_SOUNDS: Final = 2
"""Of what is searched for by its sound: of one alone nearly every name has one."""

NONE: Final = ""
SHORT: Final = "?"
"""A vowel that the script does not write."""
E: Final = "e"
A: Final = "a"
LONG_A: Final = "A"
I: Final = "i"  # noqa: E741 - the vowel
U: Final = "u"
LONG_I: Final = "I"
"""As LONG_U, of Urdu, which writes them: there it is another vowel than one that is not written. Latin writes ``ai`` or
``ee``, and ``oo``, for vowels that Urdu does not leave out: Hussain is not Hassan, nor Mahmood Muhammad."""
LONG_U: Final = "U"
ANY: Final = "*"
"""The alif or ain that begins a word."""

_ALIKE: Final = {
    NONE: frozenset({NONE, SHORT, A}),
    SHORT: frozenset({NONE, SHORT, E, A, I, U, ANY}),
    E: frozenset({SHORT, E, A, I, LONG_I, ANY}),
    A: frozenset({NONE, SHORT, E, A, LONG_A, ANY}),
    LONG_A: frozenset({A, LONG_A, ANY}),
    I: frozenset({SHORT, E, I, LONG_I, ANY}),
    U: frozenset({SHORT, U, LONG_U, ANY}),
    LONG_I: frozenset({E, I, LONG_I, ANY}),
    LONG_U: frozenset({U, LONG_U, ANY}),
    ANY: frozenset({SHORT, E, A, LONG_A, I, LONG_I, U, LONG_U, ANY}),
}


@dataclass(frozen=True, slots=True)
class Sound:
    """A consonant, empty where a word begins with a vowel, and the vowel after it."""

    consonant: str
    vowel: str


Word = tuple[Sound, ...]
Spelling = tuple[Word, ...]
"""A reading of a name: its words in the order of their consonants, since names are written in any order."""


@lru_cache(maxsize=20_000)
def spellings_of(name: str) -> tuple[Spelling, ...]:
    """Return the readings of a name; none where a word of it is in a script that is not known here, or has no sound."""
    words = [readings_of(word) for word in _words(name)]
    if not words or not all(words):
        return ()
    return tuple(tuple(sorted(found, key=bones)) for found in islice(product(*words), MOST_READINGS))


def bones(word: Word) -> str:
    """Return the consonants of a word."""
    return "".join(sound.consonant or "'" for sound in word)


def key_of(spelling: Spelling) -> str:
    """Return what all spellings share that sound like this one: its consonants."""
    return " ".join(map(bones, spelling))


def sound_alike(one: Spelling, other: Spelling) -> bool:
    """Return whether the two may be one name: the same consonants, and vowels that can be the same."""
    if key_of(one) != key_of(other):
        return False
    return all(_fits(mine, theirs, whole=True) for mine, theirs in zip(one, other, strict=True))


def sound_keys(name: str) -> frozenset[str]:
    """Return what the words of a name are looked up by: the consonants of every reading of each."""
    return frozenset(bones(word) for one in _words(name) for word in readings_of(one))


def sounds_typed(typed: str) -> tuple[frozenset[str], ...]:
    """Return for each word that was typed what a key of a name's word must begin with; empty where a word has no sound.

    A name that :func:`begins_so` finds has such a key for each of them.
    """
    return tuple(frozenset(bones(word) for word in readings_of(one)) for one in _words(typed))


def begins_so(name: str, typed: str) -> bool:
    """Return whether every word that was typed sounds as a word of the name begins."""
    wanted = [readings_of(word) for word in _words(typed)]
    if not wanted or not all(wanted) or max(len(bones(word[0])) for word in wanted) < LEAST_SOUNDS:
        return False
    names = [word for one in _words(name) for word in readings_of(one)]
    return all(any(_fits(mine, word, whole=False) for mine in one for word in names) for one in wanted)


def _fits(one: Word, other: Word, *, whole: bool) -> bool:
    """Return whether the words are alike; if not ``whole``, whether ``other`` begins as ``one`` does."""
    if whole and len(one) != len(other):
        return False
    if len(one) > len(other):
        return False
    pairs = list(zip(one, other, strict=False))
    if any(mine.consonant != theirs.consonant for mine, theirs in pairs):
        return False
    if any(theirs.vowel not in _ALIKE[mine.vowel] for mine, theirs in pairs[:-1]):
        return False
    mine, theirs = pairs[-1][0].vowel, pairs[-1][1].vowel
    if not whole and (mine == NONE or len(other) > len(one)):
        return mine == NONE or theirs in _ALIKE[mine]
    # At its end Asima is another than Asim, but Hindi does not write whether a last a is said.
    return theirs in _ALIKE[mine] and (
        mine == theirs or NONE not in (mine, theirs) or SHORT in (mine, theirs)
    )


# -- reading


@lru_cache(maxsize=20_000)
def readings_of(word: str) -> tuple[Word, ...]:
    """Return the readings of a word; none of one in a script that is not known here, or without a consonant."""
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFC", word).casefold())
    scripts = {_script(letter) for letter in letters if unicodedata.category(letter)[0] == "L"}
    if len(scripts) != 1:
        return ()
    parts: Iterable[Sequence[tuple[str, str]]] = {
        "LATIN": _latin,
        "ARABIC": _arabic,
        "DEVANAGARI": _devanagari,
    }.get(scripts.pop(), _unknown)(letters)
    words = (_sounds(one) for one in islice(parts, MOST_READINGS))
    return tuple(dict.fromkeys(word for word in words if any(sound.consonant for sound in word)))


def _words(name: str) -> list[str]:
    kept = "".join(
        letter if unicodedata.category(letter)[0] in "LM" else "" if letter in "'’‘-\u200c\u200d" else " "
        for letter in name
    )
    return kept.split()


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _unknown(_letters: str) -> Iterator[Sequence[tuple[str, str]]]:
    return iter(())


CONSONANT: Final = "C"
VOWEL: Final = "V"


def _sounds(letters: Sequence[tuple[str, str]]) -> Word:
    """Return a word of its consonants and vowels, each with what it is."""
    found: list[Sound] = []
    for kind, value in [*_settled(letters)]:
        if kind == VOWEL:
            if found:
                found[-1] = Sound(found[-1].consonant, value)
            else:
                found.append(Sound("", value))
        elif not (found and found[-1] == Sound(value, NONE)):  # A doubled consonant is one.
            found.append(Sound(value, NONE))
    if (
        len(found) > 1
        and found[-1].consonant == "h"
        and found[-1].vowel in {NONE, SHORT}
        and found[-2].vowel != NONE
    ):
        found.pop()  # The last h of Shah and Fatimah is not heard.
    if found and found[-1].vowel == LONG_A:
        found[-1] = Sound(found[-1].consonant, A)
    return tuple(found)


def _settled(letters: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for place, (kind, value) in enumerate(letters):
        following = letters[place + 1] if place + 1 < len(letters) else ("", "")
        is_before_a_lip = (
            kind == CONSONANT and value == "m" and following in {(CONSONANT, "b"), (CONSONANT, "p")}
        )
        yield kind, "n" if is_before_a_lip else value


_LATIN: Final = {
    **dict(zip("bcdfghjklmnpqrstvwz", "bkdfghjklmnpkrstwwz", strict=True)),
    "kh": "k",
    "gh": "g",
    "ch": "c",
    "chh": "c",
    "jh": "j",
    "th": "t",
    "dh": "d",
    "bh": "b",
    "ph": "f",
    "sh": "x",
    "ck": "k",
    "x": "kx",
    "ksh": "kx",
}


def _latin(letters: str) -> Iterator[Sequence[tuple[str, str]]]:
    found: list[tuple[str, str]] = []
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    place = 0
    while place < len(plain):
        end = place
        while end < len(plain) and plain[end] in "aeiouy":
            end += 1
        if end > place:
            found.append((VOWEL, _latin_vowel(plain[place:end])))
            place = end
            continue
        length = next((size for size in (3, 2, 1) if plain[place : place + size] in _LATIN), 0)
        if length == 0:
            return
        found += [(CONSONANT, one) for one in _LATIN[plain[place : place + length]]]
        place += length
    yield found


def _latin_vowel(letters: str) -> str:
    if any(long in letters for long in ("ai", "ee", "ea", "ay")):
        return LONG_I
    if "oo" in letters:
        return LONG_U
    if "i" in letters or "y" in letters or "ee" in letters or "ea" in letters:
        return I
    if "u" in letters or "o" in letters:
        return U
    if "aa" in letters:
        return LONG_A
    return A if "a" in letters else E


_ARABIC: Final = {
    **dict(zip("بپتٹثجچحخدڈذرڑزژسشصضطظغفقکكگلمنں", "bpttsjchkddzrrzzsxsztzgfkkkglmnn", strict=True)),
    "ہ": "h",
    "ه": "h",
    "ۃ": "h",
    "ة": "h",
}
_ARABIC_SILENT: Final = frozenset("ـ\u0640ھ")


def _arabic(letters: str) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield a reading for every way to take a wāw: as a consonant, and as a vowel."""
    text = "".join(
        letter
        for letter in unicodedata.normalize("NFC", letters)
        if not unicodedata.combining(letter) and letter not in _ARABIC_SILENT
    )
    waws = [place for place, letter in enumerate(text) if letter == "و" and place > 0]
    for taken in product((False, True), repeat=min(len(waws), 3)):
        vowels = frozenset(place for place, is_vowel in zip(waws, taken, strict=False) if is_vowel)
        found = _arabic_reading(text, vowels)
        if found is not None:
            yield found


def _arabic_reading(text: str, vowels: frozenset[int]) -> list[tuple[str, str]] | None:
    found: list[tuple[str, str]] = []
    group = ""
    for place, letter in enumerate([*text, ""]):
        if letter and (letter in "اآأإٱعیيىئےءؤ" or place in vowels):
            group += "و" if letter == "ؤ" else letter
            continue
        if group:
            found.append((VOWEL, _arabic_vowel(group, is_first=not found)))
            group = ""
        elif found and letter:
            found.append((VOWEL, SHORT))
        if letter:
            if letter not in _ARABIC and letter != "و":
                return None
            found += [(CONSONANT, _ARABIC.get(letter, "w"))]
    last = text[-1:]
    if last in "ہهۃة" and len(found) > 2 and found[-2] == (VOWEL, SHORT):
        found = [*found[:-2], (VOWEL, A)]  # Fātima
    return found


def _arabic_vowel(group: str, *, is_first: bool) -> str:
    if is_first and group[0] in "یيى":  # Yāsir
        return LONG_I
    if any(letter in group for letter in "یيىئے"):
        return LONG_I
    if "و" in group:
        return LONG_U
    if "آ" in group or group in {"عا", "اا"}:
        return LONG_A
    if is_first:
        return ANY
    return LONG_A if any(letter in group for letter in "اأإٱ") else A


_DEVANAGARI: Final = {
    **dict(zip("कखगघङचछजझञटठडढणतथदधनपफबभमरलळवशषसह", "kkggnccjjnttddnttddnpfbbmrllwxxsh", strict=True)),
}
_WITH_NUKTA: Final = {"ज": "z", "झ": "z", "ड": "r", "ढ": "r"}
_SIGNS: Final = {
    **dict.fromkeys("ाॉ", LONG_A),
    **dict.fromkeys("िीेैॅॆ", I),
    **dict.fromkeys("ुूोौॊ", U),
}
_VOWELS: Final = {
    "अ": A,
    "आ": LONG_A,
    "ऑ": LONG_A,
    **dict.fromkeys("इईएऐऍऎ", I),
    **dict.fromkeys("उऊओऔऒ", U),
}
_SYLLABLE: Final = re.compile(
    r"(?P<consonant>[क-ह])(?P<nukta>\u093c?)(?P<virama>\u094d?)(?P<sign>[ा-ौ]?)(?P<nose>[ंँ]?)"
    r"|(?P<vowel>[अ-औ])(?P<nose_of_vowel>[ंँ]?)"
)


def _devanagari(letters: str) -> Iterator[Sequence[tuple[str, str]]]:
    syllables = list(_SYLLABLE.finditer(letters))
    if "".join(one[0] for one in syllables) != letters:
        return
    found: list[tuple[str, str]] = []
    for place, one in enumerate(syllables):
        found += _syllable(one, is_last=place == len(syllables) - 1)
    if letters.endswith("\u0902ह"):
        found[-1:] = [(CONSONANT, "g")]  # Singh
    if letters[-2:-1] == "\u094d":
        found.append((VOWEL, SHORT))  # Krishna: the last a may be heard.
    yield _merged(found)
    if letters.endswith("व") and len(found) > 1 and found[-2][0] == VOWEL:
        yield _merged([*found[:-1], (VOWEL, U)])  # Rao, beside Dev


def _syllable(one: re.Match[str], *, is_last: bool) -> Iterator[tuple[str, str]]:
    """Yield the letters of a syllable; the *a* of the last is silent."""
    if one["vowel"]:
        yield VOWEL, _VOWELS.get(one["vowel"], A)
    elif one["consonant"] == "य":
        yield VOWEL, I
    else:
        plain = _DEVANAGARI.get(one["consonant"], "n")
        yield CONSONANT, _WITH_NUKTA.get(one["consonant"], plain) if one["nukta"] else plain
    if one["sign"] == "ृ":
        yield CONSONANT, "r"
    if one["sign"]:
        yield VOWEL, _SIGNS.get(one["sign"], I)
    elif one["consonant"] not in {None, "य"} and not one["virama"] and not (is_last and not one["nose"]):
        yield VOWEL, A
    if one["nose"] or one["nose_of_vowel"]:
        yield CONSONANT, "n"


def _merged(letters: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the letters with vowels that follow each other as one."""
    found: list[tuple[str, str]] = []
    for kind, value in letters:
        if kind == VOWEL and found and found[-1][0] == VOWEL:
            strongest = max((found[-1][1], value), key=("", SHORT, E, A, LONG_A, U, I).index)
            found[-1] = (VOWEL, strongest)
        else:
            found.append((kind, value))
    return found
