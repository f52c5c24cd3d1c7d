"""The processes of a server that a benchmark starts, and may kill: PostgreSQL, Redis, web, live, worker and beat."""

import asyncio
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Final
from urllib.error import HTTPError
from urllib.request import urlopen

import psycopg
import redis

ROOT: Final = Path(__file__).resolve().parents[1]
PARTS: Final = ("postgres", "redis", "web", "worker", "beat")
"""What is killed in turn."""
SITE: Final = ("web", "live", "worker", "beat")
PATIENCE: Final = 180
"""Seconds within which a part must be ready."""


class MissingProgramError(Exception):
    """What the benchmark needs is not installed on this machine."""


def postgres_program(name: str) -> str:
    """Return a program of the newest PostgreSQL on this machine.

    :raises MissingProgramError: if there is none.
    """
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    program = str(found[-1]) if found else shutil.which(name)
    if program is None:
        raise MissingProgramError(f"no {name} is found: install PostgreSQL's server")
    return program


def redis_program() -> str:
    """Return the program of Redis or Valkey on this machine.

    :raises MissingProgramError: if there is none.
    """
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise MissingProgramError("neither redis-server nor valkey-server is found: install one of them")
    return program


def free_port() -> int:
    """Return a port on which nothing listens now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _owner() -> pwd.struct_passwd | None:
    """Return as whom PostgreSQL runs where we are root, whom it refuses; None: as ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise MissingProgramError("PostgreSQL does not run as root, and there is no user “postgres” or “nobody”")


@dataclass
class Part:
    """One process of the server, with those that it starts itself."""

    name: str
    words: Sequence[str]
    log: Path
    is_ready: Callable[["Part"], bool]
    owner: pwd.struct_passwd | None = None
    process: subprocess.Popen[bytes] | None = None
    log_from: int = 0
    """Where in the log this life begins."""

    def start(self) -> None:
        """Start it, and do not wait."""
        self.log.touch()
        self.log_from = self.log.stat().st_size
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.words,
                cwd=self.log.parent if self.owner else ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                user=self.owner.pw_uid if self.owner else None,
                group=self.owner.pw_gid if self.owner else None,
                extra_groups=[] if self.owner else None,
            )

    def said(self) -> str:
        """Return what it wrote in this life."""
        with self.log.open("rb") as output:
            output.seek(self.log_from)
            return output.read().decode(errors="replace")

    def lives(self) -> bool:
        """Return whether it runs."""
        return self.process is not None and self.process.poll() is None

    def wait_until_ready(self) -> None:
        """Wait until it does its work; one that ends meanwhile is started again, as a supervisor does."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not self.lives():
                time.sleep(0.2)
                self.start()
            if self.is_ready(self):
                return
            time.sleep(0.03)
        raise SystemExit(f"{self.name} is not ready after {PATIENCE} s:\n{self.said()[-4000:]}")

    def family(self) -> list[int]:
        """Return the process and those that it started, and they in turn."""
        if self.process is None:
            return []
        parents = _parents()
        found = [self.process.pid]
        for pid in found:
            found += [child for child, parent in parents.items() if parent == pid]
        return found

    def kill(self) -> None:
        """Kill it and all that it started, with SIGKILL, and see that they are gone."""
        family = self.family()
        for pid in family:
            _kill(pid)
        if self.process is not None:
            self.process.wait()
        while any(Path(f"/proc/{pid}").exists() and not _is_dead(pid) for pid in family):
            time.sleep(0.005)

    def seconds(self) -> float:
        """Return the time that it and what it started took of a core in their lives."""
        return sum(_seconds(pid) for pid in self.family())

    def memory(self) -> float:
        """Return the memory that is resident for it and what it started, in MiB."""
        return sum(_resident(pid) for pid in self.family())


def _parents() -> dict[int, int]:
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
    return found


def _is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in {"Z", "X"}
    except OSError:
        return True


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> float:
    """Return what of a process is in memory, in MiB; what several share is divided among them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


@dataclass
class Server:
    """All of it."""

    folder: Path
    web_processes: int = 1
    workers: int = 2
    entries_first: bool = False
    """Whether the sockets have a process of their own, which like the worker gives way to whoever enters a deal.

    Such a process waits while others take all of the processor, so it is for a machine that does nothing else.
    """
    ports: dict[str, int] = field(
        default_factory=lambda: {name: free_port() for name in ("postgres", "redis", "web", "live")}
    )
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def port(self) -> int:
        """Where the site answers."""
        return self.ports["web"]

    @property
    def live_port(self) -> int:
        """Where the sockets are."""
        return self.ports["live" if self.entries_first else "web"]

    @property
    def database(self) -> str:
        """The address of its database."""
        return f"postgres://courtpiece@127.0.0.1:{self.ports['postgres']}/courtpiece"

    def variables(self) -> dict[str, str]:
        """Return what the site's processes are told."""
        return {
            "DATABASE_URL": self.database,
            "REDIS_URL": f"redis://127.0.0.1:{self.ports['redis']}/0",
            "SECRET_KEY": token_hex(32),
            "SITE_URL": f"http://127.0.0.1:{self.port}",
            "LOG_LEVEL": "WARNING",
            "LOG_FORMAT": "text",
            "DJANGO_SETTINGS_MODULE": "courtpiece.project.settings",
        }

    def set_up(self) -> None:
        """Start PostgreSQL and Redis on new data, with the site's tables; this process is told of them, too."""
        os.environ |= self.variables()
        for name in ("DEBUG", "ALLOWED_HOSTS", "HOST", "PORT"):
            os.environ.pop(name, None)
        self._make_cluster()
        self._add_services()
        for name in ("postgres", "redis"):
            self.parts[name].start()
        for name in ("postgres", "redis"):
            self.parts[name].wait_until_ready()
        with psycopg.connect(_to_postgres(self, "postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE courtpiece TEMPLATE template0 ENCODING 'UTF8'")
        subprocess.run([sys.executable, "manage.py", "migrate", "--noinput", "-v0"], cwd=ROOT, check=True)

    def _make_cluster(self) -> None:
        owner, data = _owner(), self.folder / "postgres"
        data.mkdir()
        self.folder.chmod(0o711)
        if owner:
            os.chown(data, owner.pw_uid, owner.pw_gid)
        words = [postgres_program("initdb"), "-D", str(data / "data"), "-A", "trust", "-U", "courtpiece"]
        subprocess.run(
            [*words, "-E", "UTF8", "--locale=C.UTF-8"],
            cwd=data,
            check=True,
            stdout=subprocess.DEVNULL,
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            extra_groups=[] if owner else None,
        )

    def _add_services(self) -> None:
        owner, data = _owner(), self.folder / "postgres"
        places = [
            f"-p{self.ports['postgres']}",
            "-clisten_addresses=127.0.0.1",
            f"-cunix_socket_directories={data}",
        ]
        postgres = [postgres_program("postgres"), "-D", str(data / "data"), *places]
        self._add("postgres", postgres, lambda _part: _postgres_answers(self), owner=owner, folder=data)
        memory = f"--port {self.ports['redis']} --bind 127.0.0.1 --dir {self.folder}"
        # As docker-compose.yml has it.
        memory += " --save 60 1 --maxmemory-policy noeviction"
        self._add("redis", [redis_program(), *memory.split()], lambda _part: _redis_answers(self))
        asgi = "uvicorn courtpiece.project.asgi:application --ws websockets-sansio --log-level warning"
        asgi += " --no-server-header"
        web = f"{asgi} --port {self.port} --workers {self.web_processes}"
        self._add("web", _python(web), lambda _part: _answers(self.port))
        gives_way = ["chrt", "--idle", "0"] if self.entries_first else []
        if self.entries_first:
            live = [*gives_way, *_python(f"{asgi} --port {self.live_port}")]
            self._add("live", live, lambda _part: _answers(self.live_port))
        worker = f"celery --app courtpiece.project worker --concurrency {self.workers} --loglevel info"
        self._add("worker", [*gives_way, *_python(worker)], lambda part: " ready." in part.said())
        beat = "celery --app courtpiece.project beat --loglevel info"
        self._add("beat", _python(beat), lambda part: "beat: Starting" in part.said())

    def _add(
        self,
        name: str,
        words: Sequence[str],
        is_ready: Callable[[Part], bool],
        *,
        owner: pwd.struct_passwd | None = None,
        folder: Path | None = None,
    ) -> None:
        log = (folder or self.folder) / f"{name}.log"
        self.parts[name] = Part(name, words, log, is_ready, owner)

    def start_the_site(self) -> None:
        """Start web, live, worker and beat, and wait until they are ready."""
        site = [part for name, part in self.parts.items() if name in SITE]
        for part in site:
            part.start()
        for part in site:
            part.wait_until_ready()

    async def kill_and_restart(self, name: str, pause: float) -> None:
        """Kill a part, and after ``pause`` seconds start it again and wait until it is ready."""
        part = self.parts[name]
        await asyncio.to_thread(part.kill)
        await asyncio.sleep(pause)
        await asyncio.to_thread(part.start)
        await asyncio.to_thread(part.wait_until_ready)

    def memory(self) -> dict[str, float]:
        """Return the resident memory of each part, in MiB."""
        return {name: part.memory() for name, part in self.parts.items()}

    def seconds(self) -> dict[str, float]:
        """Return the time that each part took of a core since it was started."""
        return {name: part.seconds() for name, part in self.parts.items()}


def _python(words: str) -> list[str]:
    return [sys.executable, "-m", *words.split()]


def _to_postgres(server: Server, database: str) -> str:
    return f"postgresql://courtpiece@127.0.0.1:{server.ports['postgres']}/{database}?connect_timeout=3"


def _postgres_answers(server: Server) -> bool:
    try:
        with psycopg.connect(_to_postgres(server, "postgres")) as connection:
            connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True


def _redis_answers(server: Server) -> bool:
    try:
        with redis.Redis(port=server.ports["redis"], socket_timeout=3) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _answers(port: int) -> bool:
    """Return whether anything is answered there; a database that is away is another part's matter."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20) as answer:
            json.load(answer)
    except HTTPError:
        return True
    except OSError:
        return False
    return True


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Run the server until the block ends, and leave nothing of it, even where this process is told to stop."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to stop"))
    try:
        server.set_up()
        server.start_the_site()
        yield server
    finally:
        for part in reversed(server.parts.values()):
            if part.process is not None:
                part.kill()
