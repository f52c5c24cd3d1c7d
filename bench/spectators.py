"""Pages that follow a tournament, in a process of their own: their machines are not the phones'."""

import asyncio
import json
import multiprocessing
import os
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from bench.services import PATIENCE

AT_ONCE: Final = 25
"""Spectators that connect at the same time."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a spectator was told."""

    versions: Sequence[tuple[int, float]]
    """With when, on the machine's monotonic clock; each higher than the one before."""
    was_cut_off: bool

    def told_at(self, version: int) -> float | None:
        """Return when it was told of that version or a newer one."""
        place = bisect_left(self.versions, version, key=lambda one: one[0])
        return self.versions[place][1] if place < len(self.versions) else None


class Spectators:
    """They come when this is made, and are asked once what they have seen."""

    def __init__(self, port: int, path: str, number: int) -> None:
        methods = multiprocessing.get_context("spawn")
        self._line, theirs = methods.Pipe()
        self._process = methods.Process(target=_follow, args=(theirs, port, path, number), daemon=True)
        self._process.start()
        theirs.close()

    def wait_until_in(self) -> None:
        """Return when all of them follow.

        :raises TimeoutError: if they do not after a minute.
        """
        self._hear(PATIENCE)

    def seconds(self) -> float:
        """Return the time that their process took of a core."""
        self._line.send("seconds")
        took: float = self._hear(PATIENCE)
        return took

    def leave(self) -> list[Seen]:
        """Close their pages, and return what each has seen."""
        self._line.send("leave")
        seen: list[Seen] = self._hear(PATIENCE)
        return seen

    def end(self) -> None:
        """End their process, whatever it does."""
        self._process.kill()
        self._process.join()

    def _hear(self, seconds: float) -> Any:
        if not self._line.poll(seconds):
            raise TimeoutError("the spectators do not answer")
        return self._line.recv()


@contextmanager
def spectators(port: int, path: str, number: int) -> Iterator[Spectators]:
    """Have so many follow that address of the site until the block ends."""
    them = Spectators(port, path, number)
    try:
        them.wait_until_in()
        yield them
    finally:
        them.end()


class _Spectator(asyncio.Protocol):
    """A page that follows the tournament, at as little cost as it can be: there are five hundred."""

    def __init__(self, address: str) -> None:
        self.versions: list[tuple[int, float]] = []
        self.is_in: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.was_cut_off = False
        self._socket = ClientProtocol(parse_uri(address))
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ask to be let in."""
        self._transport = transport
        self._socket.send_request(self._socket.connect())
        self._write()

    def data_received(self, data: bytes) -> None:
        """Note what comes."""
        self._socket.receive_data(data)
        for event in self._socket.events_received():
            if isinstance(event, Response):
                self.is_in.set_result(None)
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                version = json.loads(bytes(event.data)).get("version")
                if version is not None and (not self.versions or version > self.versions[-1][0]):
                    self.versions.append((version, time.monotonic()))
        self._write()

    def connection_lost(self, _error: Exception | None) -> None:
        """Note that the site closed the socket."""
        self.was_cut_off = True

    def seen(self) -> Seen:
        """Return what it was told."""
        return Seen(tuple(self.versions), self.was_cut_off)

    def _write(self) -> None:
        self._transport.writelines(self._socket.data_to_send())


def _follow(line: Connection, port: int, path: str, number: int) -> None:
    # As the site's own sockets: whatever else wants the processor goes first.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    asyncio.run(_answer(line, port, path, number))


async def _answer(line: Connection, port: int, path: str, number: int) -> None:
    them = await _gather(port, path, number)
    line.send("in")
    while await asyncio.to_thread(line.recv) == "seconds":
        line.send(time.process_time())
    line.send([one.seen() for one in them])


async def _gather(port: int, path: str, number: int) -> list[_Spectator]:
    """Let so many come in, some at a time."""
    address = f"ws://127.0.0.1:{port}{path}"
    loop = asyncio.get_running_loop()
    found: list[_Spectator] = []
    while len(found) < number:
        some = await asyncio.gather(
            *(
                loop.create_connection(lambda: _Spectator(address), "127.0.0.1", port)
                for _one in range(min(AT_ONCE, number - len(found)))
            )
        )
        coming = [spectator for _transport, spectator in some]
        await asyncio.wait_for(asyncio.gather(*(one.is_in for one in coming)), PATIENCE)
        found += coming
    return found
