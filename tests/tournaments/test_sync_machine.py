"""Phones, a network that loses, repeats and reorders, and the site: whatever happens, no deal is lost or doubled."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
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
from scoring import operations as scoring
from scoring.models import Deal, Revision
from tests.accounts.builders import AT
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
from tournaments.models import Match
from tournaments.operations.links import renew_table_link
from tournaments.operations.matches import set_match_state

pytestmark = pytest.mark.django_db

PLACES = ("1", "1", "2")
"""At which table each phone is: two share one."""
PHONES = st.sampled_from(range(len(PLACES)))
TABLES = st.sampled_from(sorted(set(PLACES)))
NUMBERS = st.integers(1, 3)
FATES = st.sampled_from(["received", "received", "late", "lost"])
"""What becomes of an answer."""
RESULTS = st.sampled_from(["NS 7-4", "EW 7-2", "EW 7-3"])


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

    # -- at the tables

    @rule(phone=PHONES, number=NUMBERS, result=RESULTS)
    def enter(self, phone: int, number: int, result: str) -> None:
        self._enter(self.phones[phone], a_text(number, result), base=None)

    @rule(phone=PHONES, result=RESULTS, behind=st.sampled_from([0, 0, 0, 1]))
    def enter_the_last_again(self, phone: int, result: str, behind: int) -> None:
        one = self.phones[phone]
        last = Deal.objects.filter(scoresheet=the_match(one.table).scoresheet).order_by("-number").first()
        if last is not None:
            self._enter(one, a_text(last.number, result), base=max(last.revision - behind, 1))

    @rule(phone=PHONES, number=NUMBERS, result=RESULTS)
    def enter_an_earlier_one_again(self, phone: int, number: int, result: str) -> None:
        self._enter(self.phones[phone], a_text(number, result), base=1)

    def _enter(self, phone: Phone, text: str, *, base: int | None) -> None:
        item = an_item(text, sheet=the_match(phone.table).scoresheet.uid, base=base)
        phone.entered[item["operation_id"]] = phone.outbox[item["operation_id"]] = item
        self.send(self.phones.index(phone))

    @rule(phone=PHONES)
    def crash(self, phone: int) -> None:
        self.phones[phone].life += 1

    @rule(phone=PHONES)
    def scan(self, phone: int) -> None:
        one = self.phones[phone]
        one.device.secret = the_secret(one.table)

    @rule(phone=PHONES)
    def trespass(self, phone: int) -> None:
        one = self.phones[phone]
        other = next(table for table in PLACES if table != one.table)
        sheet = the_match(other).scoresheet.uid
        answer = one.device.send(*(an_item(a_text(9), sheet=sheet, base=base) for base in (None, 1)))
        found = [one["outcome"] for one in answer.json().get("outcomes", ())]
        assert answer.status_code == 401 or found == ["rejected", "rejected"]

    # -- on the way

    @rule(phone=PHONES)
    def send(self, phone: int) -> None:
        one = self.phones[phone]
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
        if answer.status != 200:
            assert (answer.status, answer.body["type"]) == (401, "urn:courtpiece:link-revoked")
            return
        for outcome in answer.body["outcomes"]:
            item = phone.outbox.pop(outcome["operation_id"], None)
            is_taken = outcome["outcome"] in {"created", "duplicate"}
            if is_taken:
                phone.acknowledged.setdefault(outcome["operation_id"], outcome)
                phone.kept.pop(outcome["operation_id"], None)
            elif item is not None:
                phone.kept[outcome["operation_id"]] = outcome

    # -- at the director's desk

    @rule(table=TABLES)
    def renew(self, table: str) -> None:
        renew_table_link(actor=SERVER, slug="rang", session=1, table=table, at=AT)

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
    def no_link_wrote_outside_its_table(self) -> None:
        rows = Revision.objects.filter(made_via="table").values_list("source", "deal__scoresheet")
        table_of = dict(Match.objects.values_list("scoresheet", "table"))
        assert all(source.startswith(f"table {table_of[sheet]}, link ") for source, sheet in rows)

    @invariant()
    def nothing_that_was_entered_is_gone(self) -> None:
        for phone in self.phones:
            assert set(phone.entered) == set(phone.outbox) | set(phone.acknowledged) | set(phone.kept)

    def teardown(self) -> None:
        """Let the network come back: then every phone has sent all, and shows what the site has."""
        try:
            self._end()
        finally:
            self.block.close()

    def _end(self) -> None:
        for place, phone in enumerate(self.phones):
            set_match_state(actor=SERVER, uid=the_match(phone.table).uid, state="open", at=AT)
            self.scan(place)
            self._receive(
                self._answered(Request(place, phone.life, phone.device.secret, tuple(phone.outbox.values())))
            )
            assert phone.outbox == {}
        self.every_acknowledged_deal_is_in_the_log_once()
        self.nothing_that_was_entered_is_gone()
        for phone in self.phones:
            shown = phone.device.look().json()
            own = Match.objects.filter(table=phone.table).order_by("round__number")
            assert [one["id"] for one in shown["matches"]] == [str(match.uid) for match in own]
            deals = shown["matches"][0]["deals"]
            assert {deal["number"]: deal["pcn"] for deal in deals} == texts_of(the_match(phone.table))


def same(kept: str, sent: str) -> bool:
    """Return whether the record that is kept says what was sent."""
    return {line for line in kept.splitlines() if line.startswith("[")} >= {
        line for line in sent.splitlines() if line.startswith(("[Deal", "[Result"))
    }


def test_whatever_the_network_does_no_deal_is_lost_or_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    for throttle in (LookThrottle, SyncThrottle):
        monkeypatch.setattr(throttle, "rate", "100000/min")
    a_tournament_with_links()
    limits = settings(
        max_examples=10,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )

    run_state_machine_as_test(Evening, settings=limits)
