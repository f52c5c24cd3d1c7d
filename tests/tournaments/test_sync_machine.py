"""Phones, a network that loses, repeats and reorders, and a site that dies: no deal is ever lost or doubled.

``SYNC_EXAMPLES=400`` looks for that many times as long: so many evenings, of a hundred steps each, instead of a few.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from courtpiece.accounts.permissions import SERVER
from courtpiece.engine import Rules
from courtpiece.errors import CourtPieceError
from scoring import operations as scoring
from scoring.changes import Ruling
from scoring.models import Deal, Revision
from tests.accounts.builders import AT
from tests.tournaments.builders import outcome_of
from tests.tournaments.tables import (
    Device,
    a_text,
    a_tournament_with_links,
    an_item,
    texts_of,
    the_match,
    the_secret,
)
from tournaments.api.authentication import LookThrottle, SyncThrottle
from tournaments.models import Match, Round, TableLink
from tournaments.operations import sync
from tournaments.operations.links import renew_table_link, revoke_table_link
from tournaments.operations.matches import set_match_state
from tournaments.queries.links import unsent_of_tables

pytestmark = pytest.mark.django_db

PLACES = ("1", "1", "2")
"""At which table each phone is: two share one."""
PHONES = st.sampled_from(range(len(PLACES)))
TABLES = st.sampled_from(sorted(set(PLACES)))
NUMBERS = st.integers(1, 3)
FATES = st.sampled_from(["received", "received", "late", "lost"])
"""What becomes of an answer."""
RESULTS = st.sampled_from(["NS 7-4", "EW 7-2", "EW 7-3"])
CLOCKS = (timedelta(days=366), timedelta(0), timedelta(days=-366))
"""How wrong each phone's clock is."""
EXAMPLES = int(os.environ.get("SYNC_EXAMPLES", "0"))


@dataclass
class Phone:
    """A phone with what its storage keeps; what it only has in mind is what it waits for."""

    table: str
    device: Device
    entered: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Everything that was ever entered on it, by the operation's id."""
    outbox: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What it does not know to be recorded, in the order of entering."""
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The outcome of what is recorded."""
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The outcome of what a person has to settle: conflicts, and what was rejected."""
    settled: dict[str, str] = field(default_factory=dict)
    """What a person said of these: what stands is right, or another of the phone's deals stands in their place."""
    tried: set[str] = field(default_factory=set)
    """What was ever on its way."""
    life: int = 0
    """Counts its crashes: an answer to an earlier life reaches nobody."""


@dataclass(frozen=True)
class Request:
    """A batch on its way, by the link that the phone had."""

    phone: int
    life: int
    secret: str
    items: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Answer:
    """An answer on its way back."""

    request: Request
    status: int
    body: dict[str, Any]


@contextmanager
def taken_back() -> Iterator[None]:
    """Let whatever is done in the block not have been done."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # operations are durable
    with block:
        yield
        transaction.set_rollback(True)


def dying(at_item: int, *, is_written: bool) -> Callable[..., Any]:
    """Return what writes deals until the database dies, just before or just after the commit of one of them."""
    left = at_item
    write = sync.write_sent_deal

    def write_or_die(**asked: Any) -> Any:
        nonlocal left
        left -= 1
        if left >= 0:
            return write(**asked)
        # Also where the deal was refused: then there is nothing to commit, and the database dies all the same.
        with suppress(CourtPieceError), nullcontext() if is_written else taken_back():
            write(**asked)
        raise OperationalError("server closed the connection unexpectedly")

    return write_or_die


class Evening(RuleBasedStateMachine):
    """Three phones at two tables."""

    def __init__(self) -> None:
        super().__init__()
        self.block = ExitStack()
        self.block.enter_context(taken_back())
        self.phones = [Phone(table, Device(the_secret(table))) for table in PLACES]
        self.requests: list[Request] = []
        self.answers: list[Answer] = []
        self.written: dict[str, dict[str, Any]] = {}
        """The outcome of everything that the site ever said it wrote, by the operation's id."""
        self.begun = timezone.now()

    # -- at the tables

    @rule(phone=PHONES, number=NUMBERS, result=RESULTS, sends=st.booleans())
    def enter(self, phone: int, number: int, result: str, sends: bool) -> None:
        self._enter(self.phones[phone], a_text(number, result), base=None, sends=sends)

    @rule(phone=PHONES, result=RESULTS)
    def enter_in_place_of_what_was_never_sent(self, phone: int, result: str) -> None:
        one = self.phones[phone]
        unsent = [item for key, item in one.outbox.items() if key not in one.tried]
        if unsent:
            old = unsent[-1]
            del one.outbox[old["operation_id"]]
            one.settled[old["operation_id"]] = "replaced"
            self._enter(one, a_text(number_in(old["pcn"]), result), base=old["base_revision"], sends=False)

    @rule(phone=PHONES, result=RESULTS, behind=st.sampled_from([0, 0, 0, 1]))
    def enter_the_last_again(self, phone: int, result: str, behind: int) -> None:
        one = self.phones[phone]
        last = Deal.objects.filter(scoresheet=the_match(one.table).scoresheet).order_by("-number").first()
        if last is not None:
            self._enter(one, a_text(last.number, result), base=max(last.revision - behind, 1))

    @rule(phone=PHONES, number=NUMBERS, result=RESULTS)
    def enter_an_earlier_one_again(self, phone: int, number: int, result: str) -> None:
        self._enter(self.phones[phone], a_text(number, result), base=1)

    def _enter(self, phone: Phone, text: str, *, base: int | None, sends: bool = True) -> None:
        clock = timezone.now() + CLOCKS[self.phones.index(phone)]
        item = an_item(text, sheet=the_match(phone.table).scoresheet.uid, base=base)
        item["made_at"] = clock.isoformat()
        phone.entered[item["operation_id"]] = phone.outbox[item["operation_id"]] = item
        if sends:
            self.send(self.phones.index(phone))

    @rule(phone=PHONES, is_mine=st.booleans())
    def settle(self, phone: int, is_mine: bool) -> None:
        one = self.phones[phone]
        if not one.kept:
            return
        key, outcome = next(iter(one.kept.items()))
        del one.kept[key]
        if is_mine and outcome["outcome"] == "rejected":  # sent again as it is, by the same id
            one.outbox[key] = one.entered[key]
            self.send(phone)
            return
        one.settled[key] = "mine" if is_mine else "theirs"
        if is_mine:
            self._enter(one, one.entered[key]["pcn"], base=outcome["current"]["revision"])

    @rule(phone=PHONES)
    def crash(self, phone: int) -> None:
        self.phones[phone].life += 1

    @rule(phone=PHONES)
    def scan(self, phone: int) -> None:
        one = self.phones[phone]
        if TableLink.objects.filter(table=one.table, revoked_at=None).exists():
            one.device.secret = the_secret(one.table)

    @rule(phone=PHONES)
    def trespass(self, phone: int) -> None:
        one = self.phones[phone]
        other = next(table for table in PLACES if table != one.table)
        sheet = the_match(other).scoresheet.uid
        answer = one.device.send(*(an_item(a_text(9), sheet=sheet, base=base) for base in (None, 1)))
        found = [(one["outcome"], one["current"]) for one in answer.json().get("outcomes", ())]
        assert answer.status_code == 401 or found == [("rejected", None)] * 2

    @rule(phone=PHONES)
    def peek(self, phone: int) -> None:
        one = self.phones[phone]
        other = the_match(next(table for table in PLACES if table != one.table))
        sheets = set(Match.objects.filter(table=one.table).values_list("scoresheet__uid", flat=True))
        looked = one.device.look()
        shown = {match["scoresheet"] for match in looked.json().get("matches", ())}
        deal = Deal.objects.filter(scoresheet=other.scoresheet).first()
        paths = [f"scoresheets/{other.scoresheet.uid}", f"scoresheets/{other.scoresheet.uid}/deals"]
        paths += [f"deals/{deal.uid}", f"deals/{deal.uid}/revisions"] if deal else []
        assert looked.status_code == 401 or shown == set(map(str, sheets))
        assert {one.device.client.get(f"/api/v1/{path}").status_code for path in paths} <= {401, 403, 404}

    # -- on the way

    @rule(phone=PHONES)
    def send(self, phone: int) -> None:
        one = self.phones[phone]
        one.tried.update(one.outbox)
        self.requests.append(Request(phone, one.life, one.device.secret, tuple(one.outbox.values())))

    @precondition(lambda self: self.requests)
    @rule(data=st.data(), times=st.sampled_from([1, 1, 2]), comes_again=st.booleans(), fate=FATES)
    def arrive(self, data: st.DataObject, times: int, comes_again: bool, fate: str) -> None:
        place = data.draw(st.sampled_from(range(len(self.requests))))
        request = self.requests[place] if comes_again else self.requests.pop(place)
        for _ in range(times):
            answer = self._answered(request)
            if fate == "received":
                self._receive(answer)
            elif fate == "late":
                self.answers.append(answer)

    def _answered(self, request: Request) -> Answer:
        answer = Device(request.secret, id=self.phones[request.phone].device.id).send(*request.items)
        for outcome in answer.json().get("outcomes", ()):
            before = self.written.get(outcome["operation_id"])
            assert before is None or outcome == before
            if outcome["outcome"] == "created":
                self.written[outcome["operation_id"]] = outcome
        return Answer(request, answer.status_code, answer.json())

    @precondition(lambda self: self.requests)
    @rule(data=st.data(), at_item=st.integers(0, 2), is_written=st.booleans())
    def arrive_where_the_database_dies(self, data: st.DataObject, at_item: int, is_written: bool) -> None:
        request = self.requests.pop(data.draw(st.sampled_from(range(len(self.requests)))))
        with patch.object(sync, "write_sent_deal", dying(at_item, is_written=is_written)):
            answer = self._answered(request)
        died = at_item < len(request.items)
        assert answer.status in ({401, 503} if died else {200, 401}) or self._of_no_sheet(answer)
        self._receive(answer)

    def _of_no_sheet(self, answer: Answer) -> bool:
        """Return whether nothing could be written, so that nothing could die."""
        return {one["outcome"] for one in answer.body["outcomes"]} <= {"rejected", "conflict"}

    @precondition(lambda self: self.requests)
    @rule()
    def lose_all_that_is_on_its_way(self) -> None:
        self.requests.clear()
        self.answers.clear()

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def receive(self, data: st.DataObject) -> None:
        self._receive(self.answers.pop(data.draw(st.sampled_from(range(len(self.answers))))))

    def _receive(self, answer: Answer) -> None:
        phone = self.phones[answer.request.phone]
        if answer.request.life != phone.life:
            return
        if answer.status == 503:
            return
        if answer.status != 200:
            assert (answer.status, answer.body["type"]) == (401, "urn:courtpiece:link-revoked")
            return
        for outcome in answer.body["outcomes"]:
            item = phone.outbox.pop(outcome["operation_id"], None)
            is_taken = outcome["outcome"] in {"created", "duplicate"}
            if is_taken:
                phone.acknowledged.setdefault(outcome["operation_id"], outcome)
                phone.kept.pop(outcome["operation_id"], None)
                phone.settled.pop(outcome["operation_id"], None)
            elif item is not None:
                phone.kept[outcome["operation_id"]] = outcome

    # -- at the director's desk

    @rule(table=TABLES)
    def renew(self, table: str) -> None:
        renew_table_link(actor=SERVER, slug="rang", session=1, table=table, at=AT)

    @rule(table=TABLES)
    def revoke(self, table: str) -> None:
        revoke_table_link(actor=SERVER, slug="rang", session=1, table=table, at=AT)

    @rule(table=TABLES, state=st.sampled_from(["open", "finished"]))
    def decide(self, table: str, state: str) -> None:
        set_match_state(actor=SERVER, uid=the_match(table).uid, state=state, at=AT)

    @rule(table=TABLES, number=NUMBERS, result=RESULTS)
    def correct(self, table: str, number: int, result: str) -> None:
        deal = Deal.objects.filter(scoresheet=the_match(table).scoresheet, number=number).first()
        if deal is None:
            return
        try:
            scoring.correct_deal(
                actor=SERVER,
                deal_uid=deal.uid,
                base_revision=deal.revision,
                text=a_text(deal.number, result),
                reason="The players say so.",
                operation_id=uuid4(),
                at=AT,
            )
        except scoring.NothingToChange:
            assert same(texts_of(the_match(table))[number], a_text(number, result))

    @rule(table=TABLES, number=NUMBERS, result=RESULTS, how=st.sampled_from(["void", "rule", "uphold"]))
    def decide_on_a_deal(self, table: str, number: int, result: str, how: str) -> None:
        deal = Deal.objects.filter(scoresheet=the_match(table).scoresheet, number=number).first()
        if deal is None:
            return
        act: dict[str, Any] = {"actor": SERVER, "deal_uid": deal.uid, "base_revision": deal.revision}
        act |= {"operation_id": uuid4(), "at": AT}
        outcome = outcome_of(result, Rules.parse("court-piece")) if how == "rule" else None
        try:
            if how == "void":
                scoring.void_deal(reason="A card was on the floor.", **act)
            else:
                scoring.rule_deal(ruling=Ruling(reason="So it was.", law="8.4", outcome=outcome), **act)
        except scoring.NothingToChange:
            assert how == "void"

    # -- what always holds

    @invariant()
    def every_acknowledged_deal_is_in_the_log_once(self) -> None:
        log = list(Revision.objects.select_related("deal__scoresheet").order_by("deal", "number"))
        by_operation: dict[UUID, list[Revision]] = {}
        for revision in log:
            by_operation.setdefault(revision.operation_id, []).append(revision)
        assert all(len(found) == 1 for found in by_operation.values())
        for phone in self.phones:
            for operation_id, outcome in phone.acknowledged.items():
                item = phone.entered[operation_id]
                written = by_operation.get(UUID(operation_id), [])
                told = [one for one in log if str(one.deal.uid) == outcome["deal"]]
                assert len(written) == (outcome["outcome"] == "created")
                assert all(one.number == (item["base_revision"] or 0) + 1 for one in written)
                assert [one for one in written or told if same(one.pcn, item["pcn"])]

    @invariant()
    def no_phones_clock_is_believed(self) -> None:
        moments = Revision.objects.filter(made_via="table").values_list("made_at", flat=True)
        assert all(self.begun <= moment <= timezone.now() for moment in moments)

    @invariant()
    def no_link_wrote_outside_its_table(self) -> None:
        rows = Revision.objects.filter(made_via="table").values_list("source", "deal__scoresheet")
        table_of = dict(Match.objects.values_list("scoresheet", "table"))
        assert all(source.startswith(f"table {table_of[sheet]}, link ") for source, sheet in rows)

    @invariant()
    def nothing_that_was_entered_is_gone(self) -> None:
        for phone in self.phones:
            known = phone.outbox.keys() | phone.acknowledged.keys() | phone.kept.keys() | phone.settled.keys()
            assert phone.entered.keys() == known
            assert not phone.outbox.keys() & (phone.kept.keys() | phone.settled.keys())

    def teardown(self) -> None:
        """Let the network come back: then every phone has sent all, and shows what the site has."""
        try:
            self._end()
        finally:
            self.block.close()

    def _end(self) -> None:
        for table in sorted(set(PLACES)):
            set_match_state(actor=SERVER, uid=the_match(table).uid, state="open", at=AT)
            renew_table_link(actor=SERVER, slug="rang", session=1, table=table, at=AT)
        for place, phone in enumerate(self.phones):
            self.scan(place)
            self._receive(
                self._answered(Request(place, phone.life, phone.device.secret, tuple(phone.outbox.values())))
            )
            assert phone.outbox == {}
            while phone.kept:
                self.settle(place, is_mine=False)
        self.every_acknowledged_deal_is_in_the_log_once()
        self.nothing_that_was_entered_is_gone()
        for phone in self.phones:
            self._shows_what_the_site_has(phone)
        rounds = Round.objects.values_list("pk", flat=True)
        assert unsent_of_tables(rounds) == {}

    def _shows_what_the_site_has(self, phone: Phone) -> None:
        shown = phone.device.look(device=str(phone.device.id), unsent=0).json()
        own = Match.objects.filter(table=phone.table).order_by("round__number")
        assert [one["id"] for one in shown["matches"]] == [str(match.uid) for match in own]
        deals = {deal["number"]: deal for deal in shown["matches"][0]["deals"]}
        assert {number: deal["pcn"] for number, deal in deals.items()} == texts_of(the_match(phone.table))
        for outcome in phone.acknowledged.values():
            assert deals[outcome["number"]]["revision"] >= outcome["revision"]


def same(kept: str, sent: str) -> bool:
    """Return whether the record that is kept says what was sent."""
    return {line for line in kept.splitlines() if line.startswith("[")} >= {
        line for line in sent.splitlines() if line.startswith(("[Deal", "[Result"))
    }


def number_in(text: str) -> int:
    """Return the number of the deal that the record is of."""
    return int(text.split('"')[1])


def test_whatever_the_network_does_no_deal_is_lost_or_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    for throttle in (LookThrottle, SyncThrottle):
        monkeypatch.setattr(throttle, "rate", "100000/min")
    a_tournament_with_links()
    limits = settings(
        max_examples=EXAMPLES or 12,
        stateful_step_count=100 if EXAMPLES else 40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )

    run_state_machine_as_test(Evening, settings=limits)
