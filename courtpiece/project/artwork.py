"""The drawings of the site, written to ``static/img`` by ``python -m courtpiece.project.artwork``.

Suits, ranks, courts and card faces are drawn here from shapes of our own, without a font: a card looks the
same on every machine. Faces use ``currentColor`` only, so a style sheet says what colour a suit has.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

SUITS: Final[Mapping[str, str]] = {
    "S": "M16 1.5C16 1.5 3 12 3 20c0 4.5 3.3 7 6.7 7 2.5 0 4.3-1.2 5.3-3-.2 3-1.4 5.3-3.6 7h9.2c"
    "-2.2-1.7-3.4-4-3.6-7 1 1.8 2.8 3 5.3 3 3.4 0 6.7-2.5 6.7-7C29 12 16 1.5 16 1.5z",
    "H": "M16 30.5S2.5 20.4 2.5 11.2C2.5 6.2 6 2.8 9.9 2.8c2.9 0 5.1 1.8 6.1 4.6 1-2.8 3.2-4.6 6.1"
    "-4.6 3.9 0 7.4 3.4 7.4 8.4C29.5 20.4 16 30.5 16 30.5z",
    "D": "M16 .8c2.6 5.2 7 11 11.2 15.2C23 20.2 18.6 26 16 31.2 13.4 26 9 20.2 4.8 16 9 11.8 13.4 6 16 .8z",
    "C": "M16 1.6c3.8 0 6.7 2.9 6.7 6.5 0 1.9-.8 3.6-2 4.9 1-.4 2-.6 3-.6 3.8 0 6.7 3 6.7 6.7s-2.9"
    " 6.8-6.7 6.8c-2.8 0-5.1-1.4-6.5-3.5.2 3.3 1.3 6.2 3.4 8.6h-9.2c2.1-2.4 3.2-5.3 3.4-8.6-1.4 2.1"
    "-3.7 3.5-6.5 3.5-3.8 0-6.7-3.1-6.7-6.8s2.9-6.7 6.7-6.7c1 0 2 .2 3 .6-1.2-1.3-2-3-2-4.9 0-3.6"
    " 2.9-6.5 6.7-6.5z",
}
"""Each suit in a box of 32 by 32."""

RANKS: Final[Mapping[str, str]] = {
    "A": "M1.5 27 10 2l8.5 25M4.9 18.2h10.2",
    "K": "M3.5 2v24.5M17.5 2 3.5 16.8M8.7 11.4 18.2 26.5",
    "Q": "M10 2C4.8 2 2 6.8 2 14.2s2.8 12.3 8 12.3 8-4.9 8-12.3S15.2 2 10 2zM11.5 19.5l7 8",
    "J": "M7.5 2H17M14 2v17.5c0 4.5-2.2 7-5.8 7s-5.7-2.4-5.7-6",
    "T": "M1.5 6 5 2v24.5M14.2 2c-3.3 0-4.9 4.8-4.9 12.2s1.6 12.3 4.9 12.3 4.9-4.9 4.9-12.3S17.5 2 14.2 2z",
    "9": "M17 9.3c0 4.4-2.9 7.3-7 7.3s-7-2.9-7-7.3S5.9 2 10 2s7 2.9 7 7.3v1.8c0 9.2-4 15.4-11 15.4",
    "8": "M10 13.2c-3.5 0-6-2.3-6-5.6S6.5 2 10 2s6 2.3 6 5.6-2.5 5.6-6 5.6zm0 0c-4.5 0-7.5 2.6-7.5"
    " 6.6s3 6.7 7.5 6.7 7.5-2.7 7.5-6.7-3-6.6-7.5-6.6z",
    "7": "M2.5 2h15C12 9.3 9 17.2 8.5 26.5",
    "6": "M3 19.2c0-4.4 2.9-7.3 7-7.3s7 2.9 7 7.3-2.9 7.3-7 7.3-7-2.9-7-7.3v-1.8C3 8.2 7 2 14 2",
    "5": "M16.3 2H5L4 12.5c1.5-1.3 3.7-2 6-2 4.5 0 7.5 3.2 7.5 7.9s-3.3 8.1-8 8.1c-3 0-5.5-1.2-7-3.4",
    "4": "M13 26.5V2L2 19.4h16.5",
    "3": "M3 4.9C4.5 3 6.9 2 9.5 2 13.5 2 16 4.3 16 7.6s-2.5 5.6-7 5.6c5 0 8.5 2.5 8.5 6.6s-3.5 6.7"
    "-8 6.7c-3 0-5.5-1.2-7-3.4",
    "2": "M3 8.5C3 4.6 5.9 2 10 2s7 2.6 7 6.5c0 6-11.5 11-14.5 18H18",
}
"""Each rank as strokes in a box of 20 by 28."""

SHOULDERS: Final = "M1 52c2-7 6-10 12-12M39 52c-2-7-6-10-12-12M15.5 23.5h1.6M23 23.5h1.6"
COURTS: Final[Mapping[str, str]] = {
    # A crown of five points, a moustache and a full beard.
    "K": "M8.5 14.5 6 3.5l7.5 5L20 .5l6.5 8L34 3.5l-2.5 11zM8.5 18h23M11 18v8M29 18v8M11 25c-1 12 3"
    " 20 9 22 6-2 10-10 9-22M20 28.5c-2.5 2.5-6 2.5-8 0M20 28.5c2.5 2.5 6 2.5 8 0M20 34v2" + SHOULDERS,
    # A long veil, a jewel on the forehead and a necklace.
    "Q": "M20 3C9.5 3 6.5 13 6.5 24 6.5 34 5 43 1 52M20 3c10.5 0 13.5 10 13.5 21 0 10 1.5 19 5.5 28"
    "M12 20c0 11 3 17.5 8 17.5S28 31 28 20c-1.5-5.5-4.5-7.5-8-9-3.5 1.5-6.5 3.5-8 9zM20 6v9M18 31.5"
    "q2 1.6 4 0M12.5 42c3 5.5 12 5.5 15 0M20 46v3M15.5 23.5h1.6M23 23.5h1.6",
    # A turban with its plume, and a moustache that curls.
    "J": "M9 19.5C5 9.5 12 4.5 20.5 4.5s15 5 10.5 15c-6-4.5-16-4.5-22 0zM9.5 15c7-1 16-3.5 20-7M26"
    " 6c0-4 2.5-6.5 8-6.5-.5 4.5-3 7-8 6.5zM11 19v8c0 7 4 11 9 11s9-4 9-11v-8M20 29.5c-3 2-6.5 2-8"
    "-.5M20 29.5c3 2 6.5 2 8-.5M15 45l5 4 5-4" + SHOULDERS,
}
"""The head and shoulders of each court, as strokes in a box of 40 by 52."""

LEFT, MIDDLE, RIGHT = 38.0, 50.0, 62.0
TOP, HIGH, UPPER, CENTRE, LOWER, LOW, BOTTOM = 26.0, 40.5, 55.5, 70.0, 84.5, 99.5, 114.0
Places = tuple[tuple[float, float], ...]

PIPS: Final[Mapping[str, Places]] = {
    "2": ((MIDDLE, TOP), (MIDDLE, BOTTOM)),
    "3": ((MIDDLE, TOP), (MIDDLE, CENTRE), (MIDDLE, BOTTOM)),
    "4": ((LEFT, TOP), (RIGHT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)),
    "5": ((LEFT, TOP), (RIGHT, TOP), (MIDDLE, CENTRE), (LEFT, BOTTOM), (RIGHT, BOTTOM)),
    "6": ((LEFT, TOP), (RIGHT, TOP), (LEFT, CENTRE), (RIGHT, CENTRE), (LEFT, BOTTOM), (RIGHT, BOTTOM)),
}
"""Where the pips of the low cards stand; the others add to the six or to the four columns of the nine."""


def pips_of(rank: str) -> Places:
    """Return the centres of the pips of a spot card, ``rank`` from ``2`` to ``T``."""
    if rank in PIPS:
        return PIPS[rank]
    if rank in "78":
        extra: Places = ((MIDDLE, 48.0), (MIDDLE, 92.0))
        return PIPS["6"] + extra[: int(rank) - 6]
    columns = tuple((x, y) for y in (TOP, UPPER, LOWER, BOTTOM) for x in (LEFT, RIGHT))
    return (*columns, (MIDDLE, CENTRE)) if rank == "9" else (*columns, (MIDDLE, HIGH), (MIDDLE, LOW))


def number(value: float) -> str:
    """Return ``value`` as short as a drawing needs it."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def suit_at(suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """Return the suit's shape centred at ``x, y``, upside down where ``turned``."""
    scale = number(size / 32)
    turn = " rotate(180)" if turned else ""
    place = f"translate({number(x)} {number(y)}){turn} scale({scale}) translate(-16 -16)"
    return f'<use transform="{place}" href="#{suit}"/>'


def rank_at(rank: str, x: float, y: float, height: float, *, weight: float = 3.4) -> str:
    """Return the rank's strokes with their top left corner at ``x, y``."""
    place = f"translate({number(x)} {number(y)}) scale({number(height / 28)})"
    return f'<use transform="{place}" href="#{rank}" stroke-width="{number(weight)}"/>'


def star(x: float, y: float, radius: float) -> str:
    """Return the path of a khatam, the star of two squares, its points at ``radius``."""
    inner = radius * math.cos(math.pi / 4) / math.cos(math.pi / 8)
    corners = []
    for step in range(16):
        reach = radius if step % 2 == 0 else inner
        angle = math.pi * step / 8
        corners.append(f"{number(x + reach * math.cos(angle))} {number(y + reach * math.sin(angle))}")
    return "M" + "L".join(corners) + "z"


def both_ways(drawing: str) -> str:
    """Return ``drawing`` and the same turned around the middle of the card."""
    return f'{drawing}<g transform="rotate(180 50 70)">{drawing}</g>'


def index_of(card: str) -> str:
    """Return the two corners of a card: rank over suit."""
    suit, rank = card[0], card[1]
    return both_ways(rank_at(rank, 6.5, 8, 24, weight=3.8) + suit_at(suit, 15, 44, 17))


def spots(card: str) -> str:
    """Return the pips of a card from two to ten, those of the lower half upside down."""
    suit, rank = card[0], card[1]
    return "".join(suit_at(suit, x, y, 17.5, turned=y > CENTRE) for x, y in pips_of(rank))


def ace(card: str) -> str:
    """Return the one great pip of an ace inside its star."""
    outer = f'<path d="{star(50, 70, 31)}" fill="none" stroke="currentColor" stroke-width="1" opacity=".55"/>'
    inner = f'<path d="{star(50, 70, 26.5)}" fill="currentColor" opacity=".09"/>'
    return outer + inner + suit_at(card[0], 50, 70, 30)


def court(card: str) -> str:
    """Return the panel of a king, queen or jack: the figure and a band of tiles, both ways up."""
    suit, rank = card[0], card[1]
    line = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
    half = f'<path transform="translate(30.4 17) scale(.98)" d="{COURTS[rank]}" {line} stroke-width="1.7"/>'
    panel = f'<rect x="28" y="15" width="44" height="110" rx="2" {line} stroke-width="1.2"/>'
    tint = '<rect x="30.5" y="17.5" width="39" height="105" fill="currentColor" opacity=".08"/>'
    band = f'<path d="M30.5 66.5h39M30.5 73.5h39" {line} stroke-width=".8"/>'
    tiles = "".join(f'<path d="M{x} 70l2.6-2.6 2.6 2.6-2.6 2.6z"/>' for x in (33, 40.2, 54.6, 61.8))
    return tint + panel + both_ways(half) + band + tiles + suit_at(suit, 50, 70, 6)


def face(card: str) -> str:
    """Return the symbol of a whole card, 100 by 140."""
    middle = ace if card[1] == "A" else court if card[1] in "KQJ" else spots
    return f'<symbol id="{card}" viewBox="0 0 100 140">{index_of(card)}{middle(card)}</symbol>'


def small_face(card: str) -> str:
    """Return the symbol of a card for small sizes, rank and suit only, 60 by 84."""
    suit, rank = card[0], card[1]
    marks = rank_at(rank, 8, 8, 32, weight=3.8) + suit_at(suit, 36, 57, 38)
    return f'<symbol id="s{card}" viewBox="0 0 60 84">{marks}</symbol>'


def back() -> str:
    """Return the symbol of a card's back: a lattice of stars in brass on felt."""
    stars = [(x, y) for y in range(14, 140, 16) for x in range(14, 100, 18)]
    lattice = "".join(f'<path d="{star(x, y, 7.5)}"/>' for x, y in stars)
    return (
        '<symbol id="back" viewBox="0 0 100 140"><rect width="100" height="140" fill="#12493a"/>'
        '<rect x="5" y="5" width="90" height="130" rx="3" fill="none" stroke="#d2a755" stroke-width="1.4"/>'
        f'<g fill="none" stroke="#d2a755" stroke-width=".9" opacity=".75">{lattice}</g></symbol>'
    )


def shapes() -> Iterator[str]:
    """Yield the shapes that the faces place: each suit, and each rank as strokes."""
    for suit, path in SUITS.items():
        yield f'<path id="{suit}" d="{path}"/>'
    strokes = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
    for rank, path in RANKS.items():
        yield f'<path id="{rank}" d="{path}" {strokes}/>'


def suit_symbols() -> Iterator[str]:
    """Yield each suit alone, as the symbol ``suit-S`` and so on."""
    for suit, path in SUITS.items():
        yield f'<symbol id="suit-{suit}" viewBox="0 0 32 32"><path d="{path}"/></symbol>'


def card_sheet() -> str:
    """Return ``static/img/cards.svg``: suits, 52 faces in two sizes, and a back, as symbols."""
    pack = [suit + rank for suit in SUITS for rank in RANKS]
    symbols = "\n".join([*suit_symbols(), *map(face, pack), *map(small_face, pack), back()])
    defs = f"<defs>{''.join(shapes())}</defs>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" fill="currentColor">\n{defs}\n{symbols}\n</svg>\n'


def tile_sheet() -> str:
    """Return ``static/img/tile.svg``: one tile of stars and crosses, to be repeated as a mask."""
    corners = "".join(f'<path d="{star(x, y, 22)}"/>' for x in (0, 64) for y in (0, 64))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"'
        f' fill="none" stroke="#000" stroke-width="1.2"><path d="{star(32, 32, 22)}"/>{corners}'
        '<path d="M32 0v10M32 54v10M0 32h10M54 32h10"/></svg>\n'
    )


def border_sheet() -> str:
    """Return ``static/img/border.svg``: the strip of diamonds under the header, to be repeated as a mask."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="8" viewBox="0 0 24 8">'
        '<path d="M12 .5 16.5 4 12 7.5 7.5 4z"/>'
        '<circle cx="0" cy="4" r="1.1"/><circle cx="24" cy="4" r="1.1"/>'
        '<path d="M2.8 4h3.2M18 4h3.2" stroke="#000" stroke-width=".9"/></svg>\n'
    )


DRAWINGS: Final = {"cards.svg": card_sheet, "tile.svg": tile_sheet, "border.svg": border_sheet}


def write_drawings(folder: Path) -> None:
    """Write every drawing into ``folder``."""
    for name, draw in DRAWINGS.items():
        (folder / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    write_drawings(Path(__file__).resolve().parents[2] / "static" / "img")
