"""One process that serves the site, works and keeps the periodic tasks: the embedded way to run."""

import errno
import signal
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import uvicorn
from celery import Celery, beat
from celery.worker import WorkController, state
from django.conf import settings

STOP_WITHIN: Final = 10.0
"""Seconds that running work has to finish when the site stops."""


Started = Callable[[], None]


class AddressUnusable(OSError):  # noqa: N818 - reads as what happened
    """The site cannot listen there; the message says why."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at ``host`` and ``port``. Port 0 takes one that is free.

    :raises AddressUnusable: if this machine has no such address, or another program has the port.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise AddressUnusable(_why_not(error, host, port)) from error
    return listener


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program. Choose another: PORT={min(port + 1, 65535)}"
    if error.errno == errno.EACCES:
        return f"Port {port} is kept for the machine's administrator. Choose one above 1023: PORT=8000"
    return f"HOST={host} is no address of this machine: {error.strerror or error}"


class Stop:
    """The word to stop, as signals give it to the main thread.

    While the site makes itself ready the word ends that at once; once it serves, requests and work under way
    are finished first. Where Python swallows the interrupt (a finaliser ran just then), it is remembered.
    """

    def __init__(self) -> None:
        self.told = False
        self.server: uvicorn.Server | None = None

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Hear signals from here on; the block ends quietly when told to stop."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._hear)
        with suppress(KeyboardInterrupt):
            yield

    def _hear(self, _number: int, _frame: object) -> None:
        self.told = True
        if self.server is None:
            raise KeyboardInterrupt
        self.server.should_exit = True


def serve(application: Any, *, app: Celery, listener: socket.socket, stop: Stop, started: Started) -> None:
    """Serve ``application`` at ``listener`` and work for it until told to ``stop``.

    Calls ``started`` when pages are answered and tasks taken. Must run in the main thread.
    """
    server = _Server(_server_config(application), stop=stop, started=started)
    with working(app):
        stop.server = server
        server.run(sockets=[listener])


def _server_config(application: Any) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        lifespan="on",
        log_config=None,
        ws="websockets-sansio",
        timeout_graceful_shutdown=3,
        server_header=False,
        # Whoever asks may write any address into a header; only behind a proxy of the site's own is it believed.
        proxy_headers=settings.ENVIRONMENT.site is not None,
    )


class _Server(uvicorn.Server):
    """Uvicorn that says when it is ready, and leaves the signals to :class:`Stop`."""

    def __init__(self, config: uvicorn.Config, *, stop: Stop, started: Started) -> None:
        super().__init__(config)
        self._stop = stop
        self._say_started = started

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Take none."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, and say so."""
        await super().startup(sockets)
        self._say_started()
        self.should_exit = self.should_exit or self._stop.told


@contextmanager
def working(app: Celery) -> Iterator[None]:
    """Take tasks and start the periodic ones, in threads, for as long as the block runs.

    The periodic ones start at once, too: what was queued when the process stopped last time was forgotten.
    """
    worker = _Worker(app)
    thread = threading.Thread(target=worker.start, name="worker", daemon=True)
    thread.start()
    worker.ready.wait(timeout=STOP_WITHIN)
    for entry in app.conf.beat_schedule.values():
        app.send_task(entry["task"])
    clock = beat.Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler)
    threading.Thread(target=clock.start, name="beat", daemon=True).start()
    try:
        yield
    finally:
        clock.stop()
        state.should_stop = 0  # type: ignore[assignment]  # the stubs know its first value only
        thread.join(STOP_WITHIN)
        state.should_stop = None


class _Worker(WorkController):
    """A Celery worker that lives in a thread, so it leaves the process's signals alone."""

    def __init__(self, app: Celery) -> None:
        self.ready = threading.Event()
        super().__init__(
            app=app,
            hostname="embedded@localhost",
            pool_cls="threads",
            concurrency=app.conf.worker_concurrency,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )

    def on_consumer_ready(self, consumer: object) -> None:
        """Say that tasks are taken from now on."""
        self.ready.set()
