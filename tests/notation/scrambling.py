"""Other forms of an exported record: those that import forgives, and those with something wrong."""

import re
import unicodedata
from random import Random

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_CARD = re.compile(r"(?<![!A-Za-z0-9])([SHDC])([2-9TJQKA])(?![A-Za-z0-9])")
_BREAKS = ("\n", "\r\n", "\r")


def scrambled(text: str, rng: Random) -> str:
    """Return the record in another form of the same meaning."""
    head, _, body = text.partition("\n\n")
    lines = [_tag(line, rng) for line in head.splitlines()]
    rng.shuffle(lines)
    lines = _with_comment_lines(lines, rng)
    if body:
        lines += [""] * rng.randint(0, 2) + _play(body, rng)
    joined = rng.choice(_BREAKS).join([*lines, *rng.choice([[], [""]])])
    return unicodedata.normalize("NFD", joined) if rng.random() < 0.3 else joined


def _tag(line: str, rng: Random) -> str:
    match = re.fullmatch(r'\[(\w+) "(.*)"\]', line)
    assert match is not None
    name, value = match[1], match[2]
    if name in ("FirstFive", "Trump"):
        value = _cards(value, rng)
    if name == "Hands":
        value = _hands(value, rng)
    if name in ("Rules", "FirstFive", "Trump", "Tricks", "Revoke", "Result", "Courts", "Hands"):
        value = value.replace(" ", rng.choice([" ", "  ", " \t"]))
    blank = rng.choice([" ", "  ", "\t"])
    return f'{rng.choice(["", " "])}[{name}{blank}"{value}"{rng.choice(["", " "])}]{rng.choice(["", " ", chr(9)])}'


def _hands(value: str, rng: Random) -> str:
    hands = []
    for hand in value.split(" "):
        suits = hand[2:].split(".")
        mixed = [
            "".join(rng.sample(suit, k=len(suit))).replace("T", rng.choice(["T", "10"])) for suit in suits
        ]
        cased = ".".join(suit.lower() if rng.random() < 0.3 else suit for suit in mixed)
        hands.append(f"{hand[:2]}{cased}")
    rng.shuffle(hands)
    return " ".join(hands)


def _cards(text: str, rng: Random) -> str:
    return _CARD.sub(lambda match: _card(match[1], match[2], rng), text)


def _card(suit: str, rank: str, rng: Random) -> str:
    if rng.random() < 0.6:
        return suit + rank
    suit = rng.choice([suit, suit.lower(), _SYMBOLS[suit]])
    rank = "10" if rank == "T" and rng.random() < 0.5 else rng.choice([rank, rank.lower()])
    return suit + rank if rng.random() < 0.5 else rank + suit


def _play(body: str, rng: Random) -> list[str]:
    words = _cards(body, rng).split()
    if rng.random() < 0.4 and "{" not in body:
        words = [word for word in words if not word.endswith(".")]
    if words[-1] == "*" and len(words) > 1 and rng.random() < 0.4:
        words.pop()
    lines = [""]
    for word in words:
        if lines[-1] and rng.random() < 0.2:
            lines.append("")
        lines[-1] += ("" if not lines[-1] else rng.choice([" ", "  ", "\t"])) + word
    return _with_comment_lines(lines, rng)


def _with_comment_lines(lines: list[str], rng: Random) -> list[str]:
    if rng.random() < 0.7:
        return lines
    at = rng.randint(0, len(lines))
    return [*lines[:at], rng.choice(["; a note", "% another", ";", " ;[Deal "]), *lines[at:]]


_PIECES = (
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    "*",
    "!W4",
    "!N",
    ">",
    "^",
    "_",
    "\n",
    "\n\n",
    " ",
    "\0",
    "é",
    "?",
    "1.",
    "14.",
)
_SPACES = ("\x0b", "\x0c", "\x1c", "\x85", "\u00a0", "\u2028", "\u3000", "\t", "\r")
_MORE = ("SA", "D2>H3", "N", "void", '[Deal "2"]\n', "\r", "\ufeff", "%", ";", "\ud800", "9", "T", "-", "&")


def mutated(text: str, rng: Random) -> str:
    """Return the text with one to three small things wrong; sometimes with nothing that matters."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        to = min(len(text), at + rng.choice([0, 0, 1, 1, 2, 5, 20]))
        put = rng.choice(["", *_PIECES, *_MORE, rng.choice(_SPACES)])
        if rng.random() < 0.2:  # the same again
            put = text[at:to] * 2
        text = text[:at] + put + text[to:]
    return text
