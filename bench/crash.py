"""Whether a deal is lost or doubled when parts of the server die: ``python -m bench.crash``.

Starts PostgreSQL, Redis, web, worker and beat of its own, lets four phones enter deals at four tables without pause
and a director correct some, over a network that loses answers and repeats requests, and meanwhile kills each part
with SIGKILL, twenty times each in an order by chance. Then everything is counted: what was acknowledged must be in
the log once, and nothing else may be there. With ``--without-operation-ids`` the phones make a new id at each try, as
a program does that keeps none: that must be found out, or this proves nothing. With ``--both`` it does both.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID, uuid4

from bench.phones import (
    AWAY,
    JSON,
    UNSETTLED,
    Answer,
    Deal,
    Line,
    Network,
    Phone,
    a_record,
    a_result,
    link_of,
    outcome_of,
)
from bench.services import PARTS, ROOT, MissingProgramError, Server, running
from courtpiece.engine import Seat

TABLES: Final = 4
DEALS_OF_A_MATCH: Final = 26
BETWEEN_DEALS: Final = (0.3, 1.1)
BETWEEN_CORRECTIONS: Final = (0.2, 0.8)
"""Seconds from one thing that the director does to the next."""
BETWEEN_KILLS: Final = (0.8, 2.2)
DOWN: Final = (0.0, 1.5)
"""Seconds for which a part stays dead."""
LOST: Final = 0.15
DOUBLED: Final = 0.03
AGAIN: Final = 0.25
"""How often the last deal is entered again."""
WAKES: Final = 1.5
"""A phone tries again after so many seconds, or when the next deal is made; the page does after fifteen."""
CURRENT_WITHIN: Final = 30
SLUG: Final = "crash"


@dataclass
class Director:
    """Somebody who corrects deals now and then, with a key that is kept until there is an answer."""

    port: int
    token: str
    rng: Random
    corrected: set[UUID] = field(default_factory=set)
    """The operations that were acknowledged."""

    def __post_init__(self) -> None:
        self.line = Line(self.port)

    async def correct_something(self, phone: Phone) -> None:
        """Correct the last deal of a table."""
        with suppress(*AWAY):
            if (match := open_match(phone)) is None:
                return
            found = await self._ask("GET", f"/api/v1/scoresheets/{match['scoresheet']}/deals", {})
            deals = found.json()["deals"] if found.status == 200 else []
            if deals:
                await self._correct(match, deals[-1])

    async def _correct(self, match: Mapping[str, Any], deal: Mapping[str, Any]) -> None:
        key, dealer = uuid4(), Seat[deal["dealer"]]
        text = a_record(match, deal["number"], dealer, a_result(self.rng))
        body = {"base_revision": deal["revision"], "reason": "The players say so.", "pcn": text}
        for _try in range(200):
            with suppress(*AWAY):
                answer = await self._ask("POST", f"/api/v1/deals/{deal['id']}/revisions", body, key)
                if answer.status == 201:
                    self.corrected.add(key)
                if answer.status in {201, 409, 422}:  # 422: it says that already
                    return
            await asyncio.sleep(0.3)
        raise SystemExit("a correction is not answered")

    async def _ask(self, method: str, path: str, body: object, key: UUID | None = None) -> Answer:
        headers = {**JSON, "Authorization": f"Bearer {self.token}"}
        if key is not None:
            headers["Idempotency-Key"] = str(key)
        return await self.line.ask(method, path, headers, json.dumps(body).encode() if body else b"")


# -- at the tables


def open_match(phone: Phone) -> Mapping[str, Any] | None:
    """Return the match that is played: the first that is not full."""
    for match in phone.matches():
        if phone.stand(match)[0] <= DEALS_OF_A_MATCH:
            return match
    return None


def enter(phone: Phone, rng: Random) -> None:
    """Do what a scorer does next: enter the last deal again, or the next one."""
    if (match := open_match(phone)) is None:
        return
    last = phone.last(match)
    if last is not None and rng.random() < AGAIN:
        dealer = Seat[last.pcn.partition('[Dealer "')[2][0]]
        text = a_record(match, last.number, dealer, a_result(rng))
        if outcome_of(text) != outcome_of(last.pcn):
            phone.keep(scoresheet=last.scoresheet, number=last.number, pcn=text, base=last.revision)
            return
    number, dealer = phone.stand(match)
    text = a_record(match, number, dealer, a_result(rng))
    phone.keep(scoresheet=match["scoresheet"], number=number, pcn=text, base=None)


def settle(phone: Phone, deal: Deal) -> None:
    """Say what is to become of a deal that was not taken: a new one is sent in the place of what stands."""
    if deal.state == "conflict" and deal.base_revision is None and deal.current is not None:
        base = deal.current["revision"]
        phone.keep(scoresheet=deal.scoresheet, number=deal.number, pcn=deal.pcn, base=base, instead=deal.id)
    else:
        phone.settle(deal, "settled")


async def sit_at_a_table(phone: Phone, rng: Random, stop: asyncio.Event, wrong: Counter[str]) -> None:
    """Enter deals until told to stop."""
    made = asyncio.Event()
    network = asyncio.create_task(keep_sending(phone, made, stop, wrong))
    while not stop.is_set():
        enter(phone, rng)
        made.set()
        await asyncio.sleep(rng.uniform(*BETWEEN_DEALS))
    made.set()
    await network


async def keep_sending(phone: Phone, made: asyncio.Event, stop: asyncio.Event, wrong: Counter[str]) -> None:
    """Send whenever a deal was made, and after a while when there was no answer."""
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(made.wait(), WAKES)
        made.clear()
        await phone.exchange()
        settle_all(phone, wrong)


def settle_all(phone: Phone, wrong: Counter[str]) -> None:
    """Settle what was not taken, and count the new deals among it: one phone enters at a table, so that is wrong."""
    for deal in phone.those("conflict", "rejected"):
        if deal.base_revision is None:
            codes = ", ".join(problem["code"] for problem in deal.problems)
            wrong[f"a new deal in {deal.state}: {codes}" if codes else f"a new deal in {deal.state}"] += 1
        settle(phone, deal)


async def drain(phone: Phone, wrong: Counter[str]) -> None:
    """Send what is left, settle what was not taken, and look."""
    for _try in range(300):
        how = await phone.exchange()
        settle_all(phone, wrong)
        if how == "ok" and not phone.those(*UNSETTLED):
            return
        if how != "ok":
            await asyncio.sleep(max(phone.not_before - time.monotonic(), 0.2))
    wrong["a phone could not send all"] += 1


# -- what kills


async def kill_everything(
    server: Server, options: argparse.Namespace, rng: Random, killed: Counter[str]
) -> None:
    """Kill each part so often, in an order by chance; each is started again after a short while."""
    order = [name for name in options.parts for _kill in range(options.kills)]
    rng.shuffle(order)
    starting: dict[str, asyncio.Task[None]] = {}
    for name in order:
        await asyncio.sleep(rng.uniform(*BETWEEN_KILLS) * (0.5 if options.quick else 1))
        if name in starting:
            await starting[name]
        killed[name] += 1
        starting[name] = asyncio.create_task(server.kill_and_restart(name, rng.uniform(*DOWN)))
    for task in starting.values():
        await task


# -- a run


@dataclass
class Report:
    """What a run came to."""

    name: str
    killed: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    """What must not be, with how often it was."""
    facts: dict[str, object] = field(default_factory=dict)
    took: float = 0.0

    def lines(self) -> Iterator[str]:
        """Yield the report."""
        yield f"== {self.name}"
        yield "killed with SIGKILL: " + (
            ", ".join(f"{name} {self.killed[name]}" for name in PARTS) if self.killed else "nothing"
        )
        for name, value in self.facts.items():
            yield f"{name}: {value}"
        for name, count in sorted(self.wrong.items()):
            yield f"WRONG: {name}: {count}"
        yield f"{'nothing is wrong' if not self.wrong else 'found at fault'} ({self.took:.0f} s)"


async def play(
    server: Server,
    tables: Sequence[str],
    token: str,
    options: argparse.Namespace,
    report: Report,
    *,
    has_ids: bool,
) -> tuple[list[Phone], Director]:
    """Let the phones enter while parts die, and return them when they have sent everything, and the director."""
    rng = Random(options.seed)
    network = Network(Random(rng.random()), lost=LOST, doubled=DOUBLED)
    phones = [Phone(server.port, secret, network, has_ids=has_ids) for secret in tables]
    director = Director(server.port, token, Random(rng.random()))
    for phone in phones:
        assert await phone.look() == "ok"
    stop = asyncio.Event()
    sitting = [
        asyncio.create_task(sit_at_a_table(phone, Random(rng.random()), stop, report.wrong))
        for phone in phones
    ]
    walking = asyncio.create_task(walk(director, phones, stop))
    if has_ids or not options.both:
        await kill_everything(server, options, rng, report.killed)
        await asyncio.sleep(options.seconds)
    else:  # lost answers are enough to find the control out
        await asyncio.sleep(options.control_seconds)
    stop.set()
    await asyncio.gather(*sitting, walking)
    await asyncio.gather(*(drain(phone, report.wrong) for phone in phones))
    await asyncio.gather(*(compare(phone, report.wrong) for phone in phones))
    report.facts |= facts_of(phones, network, director)
    return phones, director


async def walk(director: Director, phones: Sequence[Phone], stop: asyncio.Event) -> None:
    """Let the director go from table to table."""
    while not stop.is_set():
        await director.correct_something(director.rng.choice(phones))
        await asyncio.sleep(director.rng.uniform(*BETWEEN_CORRECTIONS))


def facts_of(phones: Sequence[Phone], network: Network, director: Director) -> dict[str, object]:
    """Return what happened, in numbers."""
    counts = [phone.counts for phone in phones]
    deals = [deal for phone in phones for deal in phone.deals.values()]
    settled = Counter(deal.state for deal in deals if deal.state in {"settled", "replaced"})
    return {
        "deals entered": f"{len(deals)}, of them {sum(one.base_revision is not None for one in deals)} entered again",
        "batches posted": f"{sum(one.posts for one in counts)}, deals sent again {sum(one.retries for one in counts)}",
        "without an answer": f"{sum(one.unanswered for one in counts)}, and {network.counts['lost']} lost on the way; "
        f"{network.counts['doubled']} came twice; refused {sum(one.refused for one in counts)}, "
        f"throttled {sum(one.throttled for one in counts)}",
        "acknowledged": f"{sum(one.acknowledged for one in counts)}, settled by the scorer {settled.total()}",
        "corrected by the director": len(director.corrected),
    }


# -- what is counted


async def compare(phone: Phone, wrong: Counter[str]) -> None:
    """See that the phone shows what the site has."""
    await phone.look()
    fresh = replace(phone, etag=None, table=None)
    await fresh.look()
    for name in ("server_time", "version"):
        for table in (phone.table, fresh.table):
            (table or {}).pop(name, None)
    wrong["a phone shows something else than the site"] += phone.table != fresh.table
    wrong["deals left on a phone"] += len(phone.those(*UNSETTLED))
    shown = {(m["scoresheet"], d["number"]): d for m in phone.matches() for d in m["deals"]}
    for deal in phone.those("recorded"):
        there = shown.get((deal.scoresheet, deal.number))
        wrong["a recorded deal that the table does not show"] += (
            there is None or there["revision"] < deal.revision
        )


def count(phones: Sequence[Phone], director: Director, report: Report) -> None:
    """Compare what was acknowledged with the log."""
    from scoring.models import Operation, Revision  # noqa: PLC0415 - needs the app registry

    sheets = {match["scoresheet"] for phone in phones for match in phone.matches()}
    log = list(Revision.objects.filter(deal__scoresheet__uid__in=sheets).select_related("deal__scoresheet"))
    by_operation = Counter(str(revision.operation_id) for revision in log)
    places = Counter((str(one.deal.scoresheet.uid), one.deal.number, one.number) for one in log)
    acknowledged = [deal for phone in phones for deal in phone.those("recorded")]
    known = {deal.answered_as for deal in acknowledged} | {str(key) for key in director.corrected}
    entered = {(deal.scoresheet, deal.number) for phone in phones for deal in phone.deals.values()}
    lost = [deal for deal in acknowledged if not is_in_log(deal, log, by_operation)]
    doubled = sum(times - 1 for times in (*by_operation.values(), *places.values()))
    unaccounted = [one for one in log if str(one.operation_id) not in known]
    report.wrong["acknowledged deals that are lost"] += len(lost)
    report.wrong["revisions that are doubled"] += doubled
    report.wrong["revisions that nobody was told of"] += len(unaccounted)
    report.wrong["deals that nobody entered"] += len({place[:2] for place in places} - entered)
    kept = set(map(str, Operation.objects.filter(pk__in=by_operation).values_list("pk", flat=True)))
    report.wrong["revisions without their operation"] += len(by_operation.keys() - kept)
    report.facts["in the log"] = f"{len(log)} revisions of {len({place[:2] for place in places})} deals"
    report.facts["lost"], report.facts["doubled"] = len(lost), doubled


def is_in_log(deal: Deal, log: Sequence[Any], by_operation: Mapping[str, int]) -> bool:
    """Return whether an acknowledged deal is in the log, once where it was written."""
    if deal.outcome == "created":
        own = [one for one in log if str(one.operation_id) == deal.answered_as]
        return (
            by_operation.get(deal.answered_as) == 1
            and own[0].number == (deal.base_revision or 0) + 1
            and own[0].deal.number == deal.number
            and outcome_of(own[0].pcn) == outcome_of(deal.pcn)
        )
    return any(
        (str(one.deal.scoresheet.uid), one.deal.number, one.number)
        == (deal.scoresheet, deal.number, deal.revision)
        and outcome_of(one.pcn) == outcome_of(deal.pcn)
        for one in log
    )


def check_standings(slug: str, report: Report, ended: float) -> None:
    """See that the standings get current by themselves, and are what a fresh computation makes of the log."""
    from django.utils import timezone  # noqa: PLC0415 - needs the settings

    from scoring.queries import collection_versions  # noqa: PLC0415 - needs the app registry
    from tournaments.models import Standings, Tournament  # noqa: PLC0415 - needs the app registry
    from tournaments.operations.standings import derive_standings  # noqa: PLC0415 - needs the app registry

    tournament = Tournament.objects.get(slug=slug)
    collection = tournament.collection_id
    while True:
        version = collection_versions([collection])[collection]
        kept = Standings.objects.filter(pk=tournament.pk).first()
        waited = time.monotonic() - ended
        if (kept is not None and kept.version >= version) or waited > 3 * CURRENT_WITHIN:
            break
        time.sleep(0.1)
    report.facts["standings current after the last deal"] = f"{waited:.1f} s"
    report.wrong[f"standings were not current within {CURRENT_WITHIN} s"] += waited > CURRENT_WITHIN
    fresh = derive_standings(collection_id=collection, now=timezone.now())
    assert fresh is not None
    rows = None if kept is None else kept.table["rows"]
    report.wrong["standings are not those of a fresh computation"] += rows != fresh.table["rows"]


def check_audit(report: Report) -> None:
    """See that everything stored is what the records say."""
    done = subprocess.run(
        [sys.executable, "manage.py", "audit"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    report.facts["manage.py audit"] = (done.stdout + done.stderr).strip().splitlines()[-1]
    report.wrong["the audit finds differences"] += done.returncode != 0


def check_logs(server: Server, report: Report) -> None:
    """See that no process met what nobody foresaw."""
    for name in ("web", "worker", "beat"):
        said = server.parts[name].log.read_text(errors="replace")
        report.wrong[f"{name} met what nobody foresaw"] += said.count("could not be taken")
    said = server.parts["web"].log.read_text(errors="replace")
    report.wrong["answers of 500"] += said.count("Internal Server Error")


# -- the stage


def a_tournament(slug: str) -> tuple[list[str], str]:
    """Make a tournament of eight pairs at four tables with their links, and a director; return secrets and token."""
    from django.utils import timezone  # noqa: PLC0415 - needs the settings

    from courtpiece.accounts import operations  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.models import Role  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.permissions import SERVER, Actor  # noqa: PLC0415 - needs the app registry
    from tournaments.models import TableLink  # noqa: PLC0415 - needs the app registry
    from tournaments.operations.creating import create_tournament  # noqa: PLC0415 - needs the app registry
    from tournaments.operations.links import make_table_links  # noqa: PLC0415 - needs the app registry
    from tournaments.schemes import NewTournament  # noqa: PLC0415 - needs the app registry

    now = timezone.now()
    club = operations.create_club(
        actor=SERVER, name=slug, slug=slug, timezone="Asia/Karachi", city="", country="", at=now
    )
    user = operations.create_account(
        actor=SERVER, email=f"{slug}@bench.example", password=token_hex(16), display_name="Dina", at=now
    )
    operations.add_member(
        actor=SERVER, club_id=club, email=f"{slug}@bench.example", role=Role.DIRECTOR, at=now
    )
    director = Actor(user_id=user, roles={club: Role.DIRECTOR})
    token = operations.create_token(actor=director, name="desk", scopes=["read", "deals:write"], at=now)
    pairs = [(f"North {number} {slug}", f"South {number} {slug}") for number in range(2 * TABLES)]
    create_tournament(
        actor=SERVER,
        club_id=club,
        new=NewTournament(name=slug, slug=slug, visibility="public"),
        pairs=pairs,
        cycles=2,
        at=now,
    )
    make_table_links(actor=SERVER, slug=slug, session=1, at=now)
    links = TableLink.objects.filter(session__tournament__slug=slug).order_by("table")
    return [link_of(uid) for uid in links.values_list("uid", flat=True)], token.text


def run(server: Server, options: argparse.Namespace, *, has_ids: bool) -> Report:
    """Play once, count, and return what was found."""
    from django.db import connections  # noqa: PLC0415 - needs the settings

    name = "with operation ids" if has_ids else "control: without operation ids"
    report, begun = Report(f"{name}, seed {options.seed}"), time.monotonic()
    slug = SLUG if has_ids else f"{SLUG}-control"
    secrets, token = a_tournament(slug)
    connections.close_all()  # PostgreSQL is going to die
    phones, director = asyncio.run(play(server, secrets, token, options, report, has_ids=has_ids))
    check_standings(slug, report, time.monotonic())
    count(phones, director, report)
    check_audit(report)
    check_logs(server, report)
    report.wrong = +report.wrong
    report.took = time.monotonic() - begun
    return report


def main() -> None:
    """Run, print the report, and exit with 1 where something is not as it must be."""
    options = arguments()
    warnings.simplefilter("ignore")
    try:
        with (
            TemporaryDirectory(prefix="courtpiece-crash-", ignore_cleanup_errors=True) as folder,
            running(Server(Path(folder))) as server,
        ):
            import django  # noqa: PLC0415 - needs the variables

            django.setup()
            try:
                found = [judged(server, options, has_ids=has_ids) for has_ids in kinds(options)]
            finally:
                if options.logs:
                    keep_logs(server, Path(options.logs))
    except MissingProgramError as missing:
        raise SystemExit(f"cannot run: {missing}") from None
    raise SystemExit(0 if all(found) else 1)


OF_REPETITION: Final = (
    "acknowledged deals that are lost",
    "revisions that are doubled",
    "revisions that nobody was told of",
)
"""What phones without operation ids must be caught at; that something else went wrong proves nothing of them."""


def judged(server: Server, options: argparse.Namespace, *, has_ids: bool) -> bool:
    """Run once, print what was found, and return whether it is as it must be: clean, or for the control not."""
    report = run(server, options, has_ids=has_ids)
    is_control = options.both and not has_ids
    good = any(report.wrong[name] for name in OF_REPETITION) if is_control else not report.wrong
    print(*report.lines(), sep="\n")
    if is_control:
        print("the control was found out, as it must be" if good else "the control was NOT found out")
    sys.stdout.flush()
    return good


def keep_logs(server: Server, folder: Path) -> None:
    """Copy what the parts wrote."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in server.parts.items():
        (folder / f"{name}.log").write_bytes(part.log.read_bytes())


def kinds(options: argparse.Namespace) -> tuple[bool, ...]:
    """Return for each run whether the phones keep operation ids."""
    if options.both:
        return (True, False)
    return (not options.without_operation_ids,)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.crash", description="Kill the parts of a server while phones enter deals."
    )
    parser.add_argument(
        "--kills", type=int, default=20, help="of each of the five parts (default: %(default)s)"
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="which (default: all)")
    parser.add_argument(
        "--seconds", type=float, default=8, help="without kills afterwards (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=7, help="of everything by chance (default: %(default)s)")
    parser.add_argument(
        "--control-seconds", type=float, default=20, help="of the control with --both (default: %(default)s)"
    )
    parser.add_argument("--quick", action="store_true", help="half the time from one kill to the next")
    parser.add_argument("--logs", help="a folder for what the parts wrote")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--without-operation-ids", action="store_true", help="the control: must find something wrong"
    )
    which.add_argument(
        "--both", action="store_true", help="both; green if the one is clean and the other is not"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
