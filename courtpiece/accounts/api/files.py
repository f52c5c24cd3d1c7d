"""Files that are answered in parts, and texts that are made while they are answered, under either kind of server."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from io import SEEK_END
from typing import IO, Final

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

PART: Final = 64 * 1024
"""Bytes of a large file that are in memory at a time."""
IN_MEMORY: Final = 1024 * 1024
"""Bytes: a smaller file is answered at once."""


def file_answer(file: IO[bytes], *, content_type: str, headers: Mapping[str, str]) -> HttpResponseBase:
    """Return an answer that is the file, from its beginning, which closes the file."""
    size = file.seek(0, SEEK_END)
    file.seek(0)
    if size > IN_MEMORY:
        return FileAnswer(file, content_type=content_type, headers=headers)
    with file:
        return HttpResponse(file.read(), content_type=content_type, headers=dict(headers))


class _Parts:
    """A file, part by part."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.close = file.close

    def __iter__(self) -> "_Parts":
        return self

    def __next__(self) -> bytes:
        if part := self.file.read(PART):
            return part
        raise StopIteration


class FileAnswer(StreamingHttpResponse):
    """An answer that is a file, from its beginning; the file is closed when it was sent.

    Django's own would read all of it into memory first, where the server is one of sockets too.
    """

    def __init__(self, file: IO[bytes], *, content_type: str, headers: Mapping[str, str]) -> None:
        self._file = file
        super().__init__(_Parts(file), content_type=content_type, headers=dict(headers))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Read the file in a thread, not in the loop that all sockets share."""
        while part := await sync_to_async(self._file.read, thread_sensitive=False)(PART):
            yield part


class StreamedText(StreamingHttpResponse):
    """An answer that is made while it is sent: of its pieces no more than a part is in memory.

    The first part is made at once, so that what goes wrong there is answered as an error. The others are made in the
    request's own thread, in which its connection to the database is; Django's own would make all of them first, where
    the server is one of sockets too.
    """

    def __init__(self, pieces: Iterable[str], *, content_type: str, headers: Mapping[str, str]) -> None:
        self._parts = _parts_of(pieces)
        first = next(self._parts, b"")
        self._all = _first_and(first, self._parts)
        super().__init__(self._all, content_type=content_type, headers=dict(headers))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Make the parts, each when the one before it was sent."""
        while part := await sync_to_async(self._next, thread_sensitive=True)():
            yield part

    def _next(self) -> bytes:
        """Return the next part; nothing after the last."""
        return next(self._all, b"")


def _first_and(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _parts_of(pieces: Iterable[str]) -> Iterator[bytes]:
    """Yield the pieces in parts that are worth sending."""
    part = bytearray()
    for piece in pieces:
        part += piece.encode()
        if len(part) >= PART:
            yield bytes(part)
            part.clear()
    if part:
        yield bytes(part)
