"""Reads a QR code's matrix as a camera's program does once it has the modules: by the standard, from the other side.

It knows the codes that a page here makes: byte mode, levels L and M. Where the blocks are is asked of segno's tables.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from segno import consts

Matrix = Sequence[str]
"""Its rows; ``1`` is dark."""

MASKS: Final = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, _column: row % 2 == 0,
    lambda _row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
BLOCKS: Final[Any] = consts.ECC
LEVELS: Final = {1: consts.ERROR_LEVEL_L, 0: consts.ERROR_LEVEL_M}
FORMAT_MASK: Final = 0b101010000010010
BYTE_MODE: Final = 0b0100
SHORT_COUNTS: Final = 9
"""The highest version in which the count of bytes has eight bits."""


class Unreadable(Exception):  # noqa: N818 - what a camera says
    """The matrix is no code, or not one of ours."""


def text_of(matrix: Matrix) -> str:
    """Return the text of a code.

    :raises Unreadable: if a block does not check, or the padding is not the standard's.
    """
    size = len(matrix)
    version = (size - 17) // 4
    level, mask = _format(matrix)
    bits = [int(matrix[row][column]) ^ MASKS[mask](row, column) for row, column in _places(size, version)]
    words = [_number(bits[start : start + 8]) for start in range(0, len(bits) - 7, 8)]
    return _text("".join(f"{word:08b}" for word in _data(words, version, level)), version)


def _format(matrix: Matrix) -> tuple[int, int]:
    near = [matrix[8][column] for column in (0, 1, 2, 3, 4, 5, 7, 8)]
    near += [matrix[row][8] for row in (7, 5, 4, 3, 2, 1, 0)]
    far = [matrix[-1 - place][8] for place in range(7)] + [matrix[8][place - 8] for place in range(8)]
    if near != far:
        raise Unreadable("the two formats differ")
    bits = _number(map(int, near)) ^ FORMAT_MASK
    if _remainder(bits, 0b10100110111):
        raise Unreadable("the format does not check")
    return LEVELS[bits >> 13], bits >> 10 & 0b111


def _remainder(bits: int, divisor: int) -> int:
    while bits.bit_length() >= divisor.bit_length():
        bits ^= divisor << (bits.bit_length() - divisor.bit_length())
    return bits


def _places(size: int, version: int) -> Iterator[tuple[int, int]]:
    """Yield where the bits are, two columns at a time from the right, up and down in turn."""
    columns = [*range(size - 1, 6, -2), 5, 3, 1]
    for turn, right in enumerate(columns):
        for row in range(size) if turn % 2 else reversed(range(size)):
            for column in (right, right - 1):
                if not _is_pattern(row, column, size, version):
                    yield row, column


def _is_pattern(row: int, column: int, size: int, version: int) -> bool:
    far = size - 9
    if (row <= 8 and (column <= 8 or column > far)) or (row > far and column <= 8) or 6 in {row, column}:
        return True
    edge = size - 11
    if version >= 7 and ((row < 6 and column >= edge) or (column < 6 and row >= edge)):
        return True
    centres = consts.ALIGNMENT_POS[version - 2] if version > 1 else ()
    near = [
        (down, along)
        for down in centres
        for along in centres
        if max(abs(row - down), abs(column - along)) <= 2
    ]
    corners = {(6, 6), (6, size - 7), (size - 7, 6)}
    return any(centre not in corners for centre in near)


def _data(words: Sequence[int], version: int, level: int) -> list[int]:
    """Return the data, put together from its blocks, each of which must check."""
    sizes = [
        (info.num_total, info.num_data)
        for info in BLOCKS[version][level]
        for _block in range(info.num_blocks)
    ]
    blocks: list[list[int]] = [[] for _size in sizes]
    rest = iter(words)
    for place in range(max(data for _total, data in sizes)):
        for block, (_total, data) in zip(blocks, sizes, strict=True):
            if place < data:
                block.append(next(rest))
    for _place in range(sizes[0][0] - sizes[0][1]):
        for block in blocks:
            block.append(next(rest))
    for block, (total, data) in zip(blocks, sizes, strict=True):
        if any(_value_at(block, root) for root in range(total - data)):
            raise Unreadable("a block does not check")
    return [word for block, (_total, data) in zip(blocks, sizes, strict=True) for word in block[:data]]


def _value_at(block: Sequence[int], root: int) -> int:
    """Return the value of the block's polynomial at a power of two: 0 where it is whole."""
    power = 1
    for _step in range(root):
        power = _times(power, 2)
    value = 0
    for word in block:
        value = _times(value, power) ^ word
    return value


def _times(one: int, other: int) -> int:
    product = 0
    while other:
        if other & 1:
            product ^= one
        one = one << 1 ^ (0x11D if one & 0x80 else 0)
        other >>= 1
    return product


def _text(bits: str, version: int) -> str:
    length = 8 if version <= SHORT_COUNTS else 16
    mode, count = int(bits[:4], 2), int(bits[4 : 4 + length], 2)
    end = 4 + length + 8 * count
    left = bits[end:]
    padding = left[4:]
    words = [int(padding[start : start + 8], 2) for start in range(0, len(padding), 8)]
    if mode != BYTE_MODE or "1" in left[:4] or words != ([0xEC, 0x11] * len(words))[: len(words)]:
        raise Unreadable("the mode or the padding is another")
    return int(bits[4 + length : end] or "0", 2).to_bytes(count, "big").decode()


def _number(bits: Iterator[int] | Sequence[int]) -> int:
    return int("".join(map(str, bits)), 2)
