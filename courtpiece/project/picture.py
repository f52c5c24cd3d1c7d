"""A deal at one step as a picture that stands alone: nothing in it is fetched, and its policy needs no style.

Suits, ranks, faces and the seats' letters are shapes of our own, so only words and names need a font. Each run of one
script names the fonts that set it: a program that turns the picture into pixels does not look further than that.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from unicodedata import name as name_of_character

from django.utils.html import escape
from django.utils.translation import gettext as _

from courtpiece.accounts.moments import moment_text
from courtpiece.project import words
from courtpiece.project.artwork import SUITS, back, face, number, shapes
from courtpiece.project.board import Board, Held, Place, Play, Row, board_of
from courtpiece.project.words import word_for
from scoring.queries import DealPosition

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Twice as wide as high, nearly: what programs show beside a link."""
PAPER, INK, SOFT, EDGE = "#fffdf6", "#1a211d", "#525b54", "#b9b09a"
FELT, FELT_INK, FELT_INK_SOFT, BRASS, BAD = "#124a3b", "#f4eedd", "#c3d2c6", "#c9a04e", "#a1261d"
COLOURS: Final[Mapping[str, str]] = {"S": "#17201c", "H": "#b3241c", "D": "#b35309", "C": "#17693f"}
"""Four colours, so that a suit is told by its colour too."""
TEAM_TINTS: Final[Mapping[str, tuple[str, str]]] = {
    "NS": ("#e3ebf5", "#1f4d87"),
    "EW": ("#f8e9d7", "#8c4508"),
}
LETTERS: Final[Mapping[str, str]] = {
    "N": "M3 26.5V2l14 24.5V2",
    "E": "M16.5 2H4v24.5h12.5M4 14h10.5",
    "S": "M16.3 5.2C14.8 3.2 12.6 2 10 2 6.5 2 4 4.3 4 7.6c0 3.6 2.7 5 6 6.2 3.5 1.2 6.5 2.8 6.5 6.6 0 3.6-2.7 6.1"
    "-6.5 6.1-3 0-5.5-1.4-7-3.8",
    "W": "M1 2l4.6 24.5L10 8l4.4 18.5L19 2",
}
"""The seats as strokes, in the box of a rank."""
LATIN: Final = "Noto Sans, DejaVu Sans, Liberation Sans, Helvetica, Arial, sans-serif"
OF_A_SCRIPT: Final[Mapping[str, str]] = {
    "ARABIC": "Noto Naskh Arabic, Noto Sans Arabic, Geeza Pro, DejaVu Sans, sans-serif",
    **{
        script: f"Noto Sans {script.title()}, Nirmala UI, sans-serif"
        for script in (
            "DEVANAGARI",
            "BENGALI",
            "GURMUKHI",
            "GUJARATI",
            "TAMIL",
            "TELUGU",
            "KANNADA",
            "MALAYALAM",
            "SINHALA",
        )
    },
}
PANEL_WIDTH: Final = 290
HEAD: Final = 42
ROW: Final = 27
PLACES: Final[Mapping[str, tuple[int, int]]] = {
    "N": (600, 100),
    "W": (193, 315),
    "E": (1007, 315),
    "S": (600, 530),
}
"""The middle of each panel."""
CARD_WIDTH, CARD_HEIGHT = 84.0, 117.6
LIES_AT: Final[Mapping[str, tuple[int, int]]] = {
    "N": (600, 251),
    "W": (500, 315),
    "E": (700, 315),
    "S": (600, 379),
}
"""The middle of each card of a trick."""


def picture_of(position: DealPosition) -> str:
    """Return the deal as SVG."""
    board = board_of(position.replay) if position.replay is not None else None
    drawn = "".join((*_ground(), *_corners(position, board), *(_table(board) if board else _told(position))))
    lying = [play.card for play in _lying(board)] if board else []
    faces = "".join(face(card) for card in dict.fromkeys(lying))
    cover = back() if board and board.is_covered else ""
    title = escape(_title(position))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="{title}" font-family="{LATIN}"><title>{title}</title>'
        f"<defs>{''.join(shapes())}{''.join(_letters())}{faces}{cover}</defs>{drawn}</svg>\n"
    )


def _title(position: DealPosition) -> str:
    header = position.header
    names = {
        "number": position.line.number,
        "ns": " & ".join(person.name for person in header.ns),
        "ew": " & ".join(person.name for person in header.ew),
        "result": _result(position),
    }
    # Translators: what a picture of a deal shows: "Deal 3: Asif & Bilal – Chand & Dev, NS 7–4".
    return _("Deal %(number)d: %(ns)s – %(ew)s, %(result)s") % names


def _result(position: DealPosition) -> str:
    line = position.line
    if not line.winner:
        return str(word_for(words.AWARDS, line.award)) if line.award else ""
    own = (line.tricks_ns, line.tricks_ew) if line.winner == "NS" else (line.tricks_ew, line.tricks_ns)
    award = "" if line.award == "win" else f", {word_for(words.AWARDS, line.award)}"
    return f"{line.winner} {own[0]}–{own[1]}{award}"


# -- shapes


def _letters() -> Iterator[str]:
    for letter, path in LETTERS.items():
        yield (
            f'<path id="seat-{letter}" d="{path}" fill="none" stroke="currentColor" stroke-linecap="round" '
            'stroke-linejoin="round"/>'
        )


def _ground() -> Iterator[str]:
    """Draw the felt, in one colour: a gradient doubles what the picture costs in pixels."""
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{FELT}"/>'
    yield (
        f'<rect x="8" y="8" width="{WIDTH - 16}" height="{HEIGHT - 16}" rx="14" fill="none" stroke="{BRASS}" '
        'stroke-width="1.5" stroke-opacity=".7"/>'
    )


def _drawn(
    name: str, x: float, y: float, height: float, colour: str, *, weight: float = 3.6, more: str = ""
) -> str:
    """Return a rank or a letter with its top left corner there; ``more`` are other attributes."""
    place = f"translate({number(x)} {number(y)}) scale({number(height / 28)})"
    return f'<use href="#{name}" transform="{place}" color="{colour}" stroke-width="{number(weight)}"{more}/>'


def _suit(suit: str, x: float, y: float, size: float, colour: str) -> str:
    """Return a suit with its top left corner there."""
    place = f"translate({number(x)} {number(y)}) scale({number(size / 32)})"
    return f'<path d="{SUITS[suit]}" transform="{place}" fill="{colour}"/>'


def _seat(letter: str, x: float, y: float) -> str:
    """Return a seat's badge with its top left corner there."""
    tint, ink = TEAM_TINTS["NS" if letter in "NS" else "EW"]
    badge = f'<rect x="{number(x)}" y="{number(y)}" width="26" height="26" rx="4" fill="{tint}"/>'
    return badge + _drawn(
        letter if letter not in LETTERS else f"seat-{letter}", x + 7, y + 5, 17, ink, weight=4
    )


# -- words


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    """How a line of text is set."""

    size: int
    colour: str = INK
    weight: int = 400
    anchor: str = "start"


def _text(text: str, x: float, y: float, style: _Style) -> str:
    """Return a line of text whose baseline begins, ends or is centred there, each script in a font of its own."""
    spans = "".join(_spans(text))
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{style.size}" font-weight="{style.weight}" '
        f'fill="{style.colour}" text-anchor="{style.anchor}">{spans}</text>'
    )


def _spans(text: str) -> Iterator[str]:
    scripts = list(_scripts(text))
    for script, run in groupby(zip(scripts, text, strict=True), key=lambda pair: pair[0]):
        letters = escape("".join(letter for _script, letter in run))
        yield f'<tspan font-family="{OF_A_SCRIPT[script]}">{letters}</tspan>' if script else letters


def _scripts(text: str) -> Iterator[str]:
    """Yield the script of each character that has a font of its own, else an empty text; marks go with their letter."""
    script = ""
    for letter in text:
        if letter.isalpha() or letter.isdigit():
            found = name_of_character(letter, "").partition(" ")[0]
            script = found if found in OF_A_SCRIPT else ""
        elif letter.isspace() or letter.isascii():
            script = ""
        yield script


def _cut(text: str, most: int) -> str:
    """Return a text that is not longer than so many characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


# -- the table


def _lying(board: Board) -> tuple[Play, ...]:
    """Return the cards that lie in the centre."""
    return tuple(play for trick in board.tricks if trick.shown for play in trick.plays if play.shown)


def _table(board: Board) -> Iterator[str]:
    for place in board.places:
        yield from _panel(place, board)
    whole = any(trick.whole for trick in board.tricks if trick.shown)
    for play in _lying(board):
        yield _card(play, wins=play.winning and whole)


def _panel(place: Place, board: Board) -> Iterator[str]:
    middle, centre = PLACES[place.seat]
    height = HEAD + 4 * ROW + 10
    x, y = middle - PANEL_WIDTH / 2, centre - height / 2
    yield f'<rect x="{number(x)}" y="{number(y)}" width="{PANEL_WIDTH}" height="{height}" rx="6" fill="{PAPER}"/>'
    yield from _who(place.seat, place.name, place.role, x, y)
    for line, row in enumerate(place.rows):
        yield from _row(row, x + 14, y + HEAD + line * ROW, board)
    if place.has_laid and board.is_covered:
        corner = f'x="{number(x + PANEL_WIDTH - 44)}" y="{number(y + HEAD + 44)}"'
        yield f'<use href="#back" {corner} width="34" height="47.6"/>'


def _who(seat: str, name: str, role: str, x: float, y: float) -> Iterator[str]:
    yield _seat(seat, x + 10, y + 9)
    yield _text(_cut(name, 16 if role else 22), x + 46, y + 29, _Style(size=19, weight=600))
    if role:
        end = x + PANEL_WIDTH - 12
        yield _text(role, end, y + 28, _Style(size=15, colour="#7b560f", weight=600, anchor="end"))


def _row(row: Row, x: float, y: float, board: Board) -> Iterator[str]:
    colour = COLOURS[row.suit]
    yield _suit(row.suit, x, y + 2, 18, colour)
    x += 30
    if all(held.covered and board.is_covered for held in row.cards):
        yield f'<path d="M{number(x)} {number(y + 11)}h12" stroke="{SOFT}" stroke-width="2"/>'
    for held in row.cards:
        if held.covered and board.is_covered:
            continue
        yield _held(held, x, y, colour)
        x += 20


def _held(held: Held, x: float, y: float, colour: str) -> str:
    rank = held.card[1]
    if held.now:
        box = f'<rect x="{number(x - 4)}" y="{number(y - 2)}" width="21" height="25" rx="3" fill="{BRASS}"/>'
        return box + _drawn(rank, x, y + 2, 18, INK)
    # Of the strokes alone: the opacity of a group costs a layer as large as the picture for each card.
    return _drawn(rank, x, y + 2, 18, colour, more=' stroke-opacity=".3"' if held.gone else "")


def _card(play: Play, *, wins: bool) -> str:
    middle, centre = LIES_AT[play.seat]
    x, y = middle - CARD_WIDTH / 2, centre - CARD_HEIGHT / 2
    box = f'x="{number(x)}" y="{number(y)}" width="{number(CARD_WIDTH)}" height="{number(CARD_HEIGHT)}"'
    edge, width = (BAD, 4) if play.has_revoked else (BRASS, 4) if wins else (EDGE, 1)
    paper = f'<rect {box} rx="6" fill="{PAPER}" stroke="{edge}" stroke-width="{width}"/>'
    suit = play.card[0]
    printed = f'<use href="#{play.card}" {box} color="{COLOURS[suit]}" fill="{COLOURS[suit]}"/>'
    opacity = ' opacity=".6"' if play.face_down else ""
    return f'<g data-card="{play.card}" data-seat="{play.seat}"{opacity}>{paper}{printed}</g>'


# -- what is said around it


def _corners(position: DealPosition, board: Board | None) -> Iterator[str]:
    header, line = position.header, position.line
    yield _text(
        _("Deal %(number)d") % {"number": line.number}, 36, 66, _Style(size=38, colour=FELT_INK, weight=700)
    )
    place = " · ".join(
        part
        for part in (
            header.event or (header.collection.name if header.collection is not None else ""),
            _("round %(round)s") % {"round": header.round} if header.round else "",
            _("table %(table)s") % {"table": header.table} if header.table else "",
        )
        if part
    )
    yield _text(_cut(place, 38), 36, 98, _Style(size=18, colour=FELT_INK_SOFT))
    end = WIDTH - 36
    yield _text(_result(position), end, 66, _Style(size=30, colour=FELT_INK, weight=700, anchor="end"))
    yield _text("Courtpiece", end, HEIGHT - 36, _Style(size=20, colour=BRASS, weight=700, anchor="end"))
    if board is not None:
        yield from _trump(board, end)
        yield from _tally(board)


def _trump(board: Board, end: float) -> Iterator[str]:
    spell = next(spell for spell in board.spells if spell.shown)
    if spell.covered:
        said = _("Trump lies face down.")
    elif spell.suit:
        said = _("Trump: %(suit)s") % {"suit": word_for(words.SUITS, spell.suit)}
    else:
        said = _("No trump yet.")
    yield _text(said, end, 98, _Style(size=18, colour=FELT_INK_SOFT, anchor="end"))


def _tally(board: Board) -> Iterator[str]:
    step = board.now
    if step.ns is None:
        return
    counted = [("NS", step.ns), ("EW", step.ew or 0)]
    if board.gathers:
        counted.append((_("In the centre"), step.pile or 0))
    for line, (word, count) in enumerate(reversed(counted)):
        y = HEIGHT - 36 - 34 * line
        yield _text(word, 36, y, _Style(size=19, colour=FELT_INK, weight=600))
        yield _text(str(count), 200, y, _Style(size=24, colour=FELT_INK, weight=700, anchor="end"))
        for one in range(count):
            yield (
                f'<rect x="{216 + one * 13}" y="{y - 17}" width="10" height="18" rx="2" fill="{PAPER}" '
                f'stroke="{BRASS}"/>'
            )


def _told(position: DealPosition) -> Iterator[str]:
    """Draw who sat where, and what there is instead of cards."""
    header = position.header
    people = {"N": header.north, "E": header.east, "S": header.south, "W": header.west}
    roles = {position.line.dealer: _("dealer"), position.line.caller: _("caller")}
    for seat, person in people.items():
        middle, centre = PLACES[seat]
        x, y = middle - PANEL_WIDTH / 2, centre - 24
        yield f'<rect x="{number(x)}" y="{number(y)}" width="{PANEL_WIDTH}" height="48" rx="6" fill="{PAPER}"/>'
        yield from _who(seat, person.name, roles.get(seat, ""), x, y + 2)
    cards_from, winners = position.line.cards_from, position.trick_winners
    if cards_from is not None:
        when = moment_text(cards_from, header.club_timezone)
        said = _("The cards are shown from %(time)s.") % {"time": when}
    elif winners:
        said = _("Recorded trick by trick, without cards.")
    else:
        said = _("Only the result was recorded.")
    yield _text(said, 600, 300, _Style(size=22, colour=FELT_INK, anchor="middle"))
    for place, winner in enumerate(winners):
        yield _seat(winner, 600 - len(winners) * 15 + place * 30 + 2, 326)
