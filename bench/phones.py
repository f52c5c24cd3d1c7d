"""Phones at tables, as ``static/js/table-store.js`` has them: what is made is kept, and sent until there is an answer.

They speak plain HTTP over sockets of their own, a hundred of them in one process at little cost, so that what is
measured is the site and not they. The network between them and the site can lose an answer or carry a request twice.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from time import monotonic
from typing import Any, Final
from uuid import UUID, uuid4

from courtpiece.engine import Award, MatchState, Outcome, Rules, Score, Seat, Team

MOST_ITEMS: Final = 10
TIMEOUT: Final = 20.0
UNSETTLED: Final = ("made", "conflict", "rejected")
JSON: Final = {"Accept": "application/json", "Content-Type": "application/json"}
AWAY: Final = (OSError, EOFError, TimeoutError, ValueError)
"""What is raised where no answer comes, or half of one."""


@dataclass(frozen=True)
class Answer:
    """What the site said."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body's value."""
        return json.loads(self.body)


class Line:
    """A connection to the site that is kept open, as a browser keeps it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Send a request and return its answer; raises one of ``AWAY`` where none comes."""
        try:
            async with asyncio.timeout(TIMEOUT):
                return await self._ask(method, path, headers, body)
        except BaseException:
            self.close()
            raise

    async def _ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        if self._streams is None or self._streams[0].at_eof():
            self.close()
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        reader, writer = self._streams
        told = {"Host": f"127.0.0.1:{self._port}", **headers, "Content-Length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        await writer.drain()
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        found = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        size = int(found.get("content-length", "0"))
        answer = Answer(int(first.split()[1]), found, await reader.readexactly(size))
        if found.get("connection", "").lower() == "close":
            self.close()
        return answer

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


@dataclass
class Network:
    """What happens on the way: so often an answer is lost, so often a request comes twice at once."""

    rng: Random
    lost: float = 0.0
    doubled: float = 0.0
    counts: dict[str, int] = field(default_factory=lambda: {"lost": 0, "doubled": 0})

    def happens(self, what: str) -> bool:
        """Return whether it does this time."""
        does: bool = self.rng.random() < getattr(self, what)
        self.counts[what] += does
        return does


@dataclass(frozen=True)
class Deal:
    """A deal as a phone keeps it; the fields are those of ``table-store.js``."""

    id: str
    place: int
    scoresheet: str
    number: int
    base_revision: int | None
    pcn: str
    state: str = "made"
    tries: int = 0
    outcome: str | None = None
    answered_as: str = ""
    """The operation id of the try that was answered: the deal's own, where it keeps that."""
    revision: int | None = None
    current: dict[str, Any] | None = None
    problems: tuple[dict[str, Any], ...] = ()


@dataclass
class Counts:
    """What a phone did."""

    posts: int = 0
    retries: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    refused: int = 0
    """Answers that are none: 503 and the like."""
    throttled: int = 0


@dataclass
class Phone:
    """A phone at a table."""

    port: int
    secret: str
    network: Network
    has_ids: bool = True
    """False: a new operation id at each try, as a program makes them that does not keep them."""
    device: str = field(default_factory=lambda: str(uuid4()))
    deals: dict[str, Deal] = field(default_factory=dict)
    """In the order of making."""
    table: dict[str, Any] | None = None
    etag: str | None = None
    not_before: float = 0.0
    counts: Counts = field(default_factory=Counts)
    seconds: list[float] = field(default_factory=list)
    """How long each batch that was answered took."""
    statuses: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.line = Line(self.port)
        self.shadow = Line(self.port)

    # -- what a person does

    def keep(
        self, *, scoresheet: str, number: int, pcn: str, base: int | None, instead: str | None = None
    ) -> bool:
        """Keep a deal; False where the one in whose place it should stand was sent meanwhile."""
        old = self.deals.get(instead or "")
        if old and old.state == "made" and old.tries:
            return False
        deal = Deal(str(uuid4()), len(self.deals) + 1, scoresheet, number, base, pcn)
        self.deals[deal.id] = deal
        if old and old.state in UNSETTLED:
            self.deals[old.id] = replace(old, state="replaced")
        return True

    def settle(self, deal: Deal, state: str) -> None:
        """Say what is to become of a deal that was not taken."""
        self.deals[deal.id] = replace(deal, state=state)

    def those(self, *states: str) -> list[Deal]:
        """Return the deals in one of these states, in the order of making."""
        return [deal for deal in self.deals.values() if deal.state in states]

    # -- the network

    async def exchange(self) -> str:
        """Send what is not sent and fetch what stands; return what it came to."""
        if monotonic() < self.not_before:
            return "throttled"
        sent = await self.send()
        if sent in {"offline", "busy", "throttled"}:
            return sent
        return await self.look()

    async def look(self) -> str:
        """Fetch the table, and keep it."""
        query = f"device={self.device}&unsent={len(self.those(*UNSETTLED))}"
        headers = {"If-None-Match": self.etag} if self.etag else {}
        how, answer = await self._exchange("GET", f"/api/v1/table?{query}", headers)
        if how == "ok" and answer is not None and answer.status == 200:
            self.table, self.etag = answer.json(), answer.headers.get("etag")
        return how

    async def send(self) -> str:
        """Send what is not sent, in order."""
        while waiting := self.those("made")[:MOST_ITEMS]:
            for deal in waiting:
                self.counts.retries += deal.tries > 0
                self.deals[deal.id] = replace(deal, tries=deal.tries + 1)
            ids = {(deal.id if self.has_ids else str(uuid4())): deal.id for deal in waiting}
            how, answer = await self._exchange("POST", "/api/v1/sync", {}, self._batch(ids))
            if how == "throttled":
                for deal in waiting:
                    self.deals[deal.id] = replace(deal, tries=deal.tries)
            if how != "ok" or answer is None:
                return how
            for outcome in answer.json()["outcomes"]:
                self._note(ids[outcome["operation_id"]], outcome)
        return "ok"

    def _batch(self, ids: Mapping[str, str]) -> bytes:
        items = [
            {
                "operation_id": sent,
                "scoresheet": self.deals[own].scoresheet,
                "base_revision": self.deals[own].base_revision,
                "pcn": self.deals[own].pcn,
                "reason": "",
            }
            for sent, own in ids.items()
        ]
        unsent = len(self.those(*UNSETTLED))
        return json.dumps({"device": self.device, "unsent": unsent, "items": items}).encode()

    def _note(self, own: str, outcome: Mapping[str, Any]) -> None:
        deal = self.deals[own]
        if deal.state == "recorded":
            return
        is_taken = outcome["outcome"] in {"created", "duplicate"}
        self.counts.acknowledged += is_taken
        self.deals[own] = replace(
            deal,
            state="recorded" if is_taken else outcome["outcome"],
            outcome=outcome["outcome"],
            answered_as=outcome["operation_id"],
            revision=outcome["revision"],
            current=outcome["current"],
            problems=tuple(outcome["problems"]),
        )

    async def _exchange(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[str, Answer | None]:
        told = {**JSON, "Authorization": f"Table {self.secret}", **headers}
        begun = monotonic()
        twice = method == "POST" and self.network.happens("doubled")
        again = asyncio.create_task(self._ask_again(method, path, told, body)) if twice else None
        try:
            answer = await self.line.ask(method, path, told, body)
        except AWAY:
            self.counts.unanswered += 1
            return "offline", None
        finally:
            self.counts.posts += method == "POST"
            if again is not None:
                await again
        if method == "POST" and self.network.happens("lost"):
            self.line.close()
            return "offline", None
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        if answer.status in {200, 304}:
            if method == "POST":
                self.seconds.append(monotonic() - begun)
            return "ok", answer
        return self._not_taken(answer), answer

    def _not_taken(self, answer: Answer) -> str:
        wait = float(answer.headers.get("retry-after") or 0)
        self.not_before = monotonic() + wait
        if answer.status == 429:
            self.counts.throttled += 1
            return "throttled"
        self.counts.refused += 1
        return "unknown-link" if answer.status == 401 else "busy"

    async def _ask_again(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        with suppress(*AWAY):
            await self.shadow.ask(method, path, headers, body)

    # -- what it shows

    def matches(self) -> Sequence[Mapping[str, Any]]:
        """Return the matches as they were fetched last."""
        return () if self.table is None else self.table["matches"]

    def stand(self, match: Mapping[str, Any]) -> tuple[int, Seat]:
        """Return the next deal's number and dealer, by the laws, from what was fetched and what is kept here."""
        texts = {deal["number"]: deal["pcn"] for deal in match["deals"]}
        for deal in self.those("made", "recorded"):
            if deal.scoresheet == match["scoresheet"] and (deal.state == "made" or deal.number not in texts):
                texts[deal.number] = deal.pcn
        state, dealer = MatchState(Rules.parse(match["rules"])), Seat[match["first_dealer"] or "N"]
        for number in sorted(texts):
            state, line = state.after(number=number, dealer=dealer, outcome=outcome_of(texts[number]))
            dealer = line.next_dealer or dealer
        return max(texts, default=0) + 1, dealer

    def last(self, match: Mapping[str, Any]) -> Deal | None:
        """Return this phone's deal that is the last of the match, where it is known to be recorded."""
        own = [deal for deal in self.deals.values() if deal.scoresheet == match["scoresheet"]]
        last = own[-1] if own else None
        return last if last and last.state == "recorded" and last.number == self.stand(match)[0] - 1 else None


# -- deals

_COURTS: Final = {"court": (Award.COURT, 1), "goon-court": (Award.GOON_COURT, 1)}


def a_result(rng: Random) -> str:
    """Return how a deal ended: mostly an ordinary win."""
    team = rng.choice(("NS", "EW"))
    return f"{team} 7-0 court" if rng.random() < 0.1 else f"{team} 7-{rng.randint(1, 6)}"


def a_record(match: Mapping[str, Any], number: int, dealer: Seat, result: str) -> str:
    """Return the record of a deal, result only."""
    return f'[Deal "{number}"]\n[Rules "{match["rules"]}"]\n[Dealer "{dealer.letter}"]\n[Result "{result}"]\n'


def outcome_of(pcn: str) -> Outcome:
    """Return what a deal counts for the dealing: who won, and whether it was a court."""
    text = pcn.partition('[Result "')[2].partition('"')[0]
    team_name, tricks, *award = text.split()
    team = Team[team_name]
    won, lost = map(int, tricks.split("-"))
    made, courts = _COURTS.get(award[0], (Award.WIN, 0)) if award else (Award.WIN, 0)
    return Outcome(team, made, Score().plus(team, won).plus(team.other, lost), Score().plus(team, courts))


def link_of(uid: UUID) -> str:
    """Return the secret of a table's link."""
    from tournaments.link_secrets import secret_of  # noqa: PLC0415 - needs the settings

    return secret_of(uid)
