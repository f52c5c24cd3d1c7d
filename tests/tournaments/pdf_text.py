"""What stands in a PDF that WeasyPrint made: as much of the format as is needed to read it."""

import re
import zlib
from dataclasses import dataclass

OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
STREAM = re.compile(rb"stream\n(.*)\nendstream", re.DOTALL)
MAPPED = re.compile(r"<([0-9a-f]{4})> <((?:[0-9a-f]{4})+)>")
SHOWN = re.compile(r"/(\w+) [\d.]+ Tf\s*|\[((?:<[0-9a-f]*>|[-\d.\s])*)\] TJ")


@dataclass(frozen=True, slots=True)
class Document:
    """A document's pages, and the text on them; what is written from right to left stands as it is seen."""

    pages: int
    text: str


def read_pdf(content: bytes) -> Document:
    """Return what stands in the PDF."""
    plain, streams = _objects(content)
    fonts = {
        name: _letters(streams[int(found.group(1))])
        for body in plain.values()
        for name, number in re.findall(r"/(\w+) (\d+) 0 R", body)
        if (found := re.search(r"/ToUnicode (\d+) 0 R", plain.get(int(number), "")))
    }
    pages = [body for body in plain.values() if "/Type /Page/" in body]
    contents = [int(number) for page in pages for number in re.findall(r"/Contents (\d+) 0 R", page)]
    return Document(len(pages), "\n".join(_text(streams[number], fonts) for number in contents))


def _objects(content: bytes) -> tuple[dict[int, str], dict[int, str]]:
    plain: dict[int, str] = {}
    streams: dict[int, str] = {}
    for match in OBJECT.finditer(content):
        number, body = int(match.group(1)), match.group(2)
        stream = STREAM.search(body)
        if stream is None:
            plain[number] = body.decode("latin-1")
            continue
        streams[number] = zlib.decompress(stream.group(1)).decode("latin-1")
        if b"/ObjStm" in body:
            first = re.search(rb"/First (\d+)", body)
            assert first is not None
            plain |= _packed(streams[number], int(first.group(1)))
    return plain, streams


def _packed(stream: str, first: int) -> dict[int, str]:
    words = [int(word) for word in stream[:first].split()]
    starts = words[1::2]
    ends = [*starts[1:], len(stream)]
    return {
        number: stream[first + start : first + end]
        for number, start, end in zip(words[::2], starts, ends, strict=True)
    }


def _letters(cmap: str) -> dict[str, str]:
    return {glyph: bytes.fromhex(letters).decode("utf-16-be") for glyph, letters in MAPPED.findall(cmap)}


def _text(stream: str, fonts: dict[str, dict[str, str]]) -> str:
    letters: dict[str, str] = {}
    parts = []
    for font, shown in SHOWN.findall(stream):
        if font:
            letters = fonts.get(font, {})
            continue
        glyphs = "".join(re.findall(r"<([0-9a-f]*)>", shown))
        parts.append("".join(letters.get(glyphs[at : at + 4], "?") for at in range(0, len(glyphs), 4)))
    return "".join(parts)
