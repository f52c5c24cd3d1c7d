"""What two pairs say of each other's deals: who may say it, what comes of it, and what a director does with it."""

from typing import Any
from uuid import uuid4

import pytest

from courtpiece.accounts.models import AuditEntry
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Forbidden
from scoring import operations as scoring
from scoring.models import Deal
from tests.accounts.builders import AT
from tests.tournaments.tables import (
    Device,
    a_director,
    a_text,
    a_tournament_with_links,
    an_item,
    became,
    the_link,
    the_match,
    the_secret,
)
from tournaments import queries
from tournaments.domain.confirming import Confirmation as State
from tournaments.domain.confirming import Holder, Verdict, confirmation_of
from tournaments.domain.watching import Doubt
from tournaments.errors import DealsDisputed, NotDisputed, NotYet, ReasonNeeded
from tournaments.models import Confirmation, EnteredRevision, Tournament
from tournaments.operations.closing import close_round
from tournaments.operations.confirming import MOST_SAID, settle_dispute
from tournaments.operations.creating import change_tables
from tournaments.operations.matches import set_match_state

pytestmark = pytest.mark.django_db

JSON = "application/json"


def a_tournament_that_asks() -> Tournament:
    tournament = a_tournament_with_links()
    change_tables(actor=SERVER, slug="rang", confirmation=True, link_hours=None, at=AT)
    return Tournament.objects.get(pk=tournament.pk)


def two_phones() -> tuple[Device, Device]:
    """Return the phones of North-South and of East-West at table 1."""
    return Device(the_secret()), Device(the_secret())


def enter(phone: Device, side: str | None, text: str = "", *, base: int | None = None) -> dict[str, Any]:
    (outcome,) = phone.outcomes({**an_item(text or a_text(), base=base), "side": side})
    return outcome


def body_of(phone: Device, side: str, verdict: str = "agree", **more: Any) -> dict[str, Any]:
    deal = Deal.objects.get(scoresheet=the_match().scoresheet, number=1)
    return {
        "operation_id": str(uuid4()),
        "device": str(phone.id),
        "side": side,
        "scoresheet": str(the_match().scoresheet.uid),
        "deal": str(deal.uid),
        "revision": deal.revision,
        "verdict": verdict,
        **more,
    }


def say(phone: Device, side: str, verdict: str = "agree", **more: Any) -> Any:
    return phone.client.post(
        "/api/v1/table/confirmations", body_of(phone, side, verdict, **more), content_type=JSON
    )


def stand(phone: Device) -> Any:
    """Return what the table says of the first deal."""
    return phone.look().json()["matches"][0]["deals"][0]["confirmation"]


def dispute(ns: Device, ew: Device, *, version: str = "EW 7-4") -> None:
    enter(ns, "NS", a_text(1, "EW 7-2"))
    assert say(ew, "EW", "dispute", pcn=a_text(1, version)).status_code == 201


# -- what is made of what is said


NS, EW, TABLE = Holder.NS, Holder.EW, Holder.TABLE
AGREE, DISPUTE, STANDS = Verdict.AGREE, Verdict.DISPUTE, Verdict.STANDS


@pytest.mark.parametrize(
    ("entered", "said", "expected"),
    [
        (NS, [], State.WAITING),
        (None, [], State.WAITING),
        (TABLE, [], State.AGREED),
        (NS, [(EW, AGREE)], State.AGREED),
        (NS, [(EW, DISPUTE)], State.DISPUTED),
        (TABLE, [(EW, DISPUTE)], State.DISPUTED),
        (NS, [(EW, DISPUTE), (EW, AGREE)], State.AGREED),
        (NS, [(EW, AGREE), (EW, DISPUTE)], State.DISPUTED),
        (NS, [(EW, DISPUTE), (None, STANDS)], State.AGREED),
        (NS, [(EW, DISPUTE), (None, STANDS), (EW, DISPUTE)], State.DISPUTED),
        (None, [(EW, DISPUTE), (NS, AGREE)], State.DISPUTED),
    ],
)
def test_of_each_side_its_last_word_counts(
    entered: Holder | None, said: list[tuple[Holder | None, Verdict]], expected: State
) -> None:
    assert confirmation_of(entered, said) is expected


# -- at the table


def test_a_deal_waits_for_the_other_pair_and_is_agreed() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()

    enter(ns, "NS")
    waiting = stand(ew)
    answer = say(ew, "EW")

    assert (waiting["state"], waiting["entered_by"], waiting["said"]) == ("waiting", "NS", [])
    assert (answer.status_code, answer.json()["outcome"]) == (201, "created")
    agreed = stand(ns)
    assert agreed == answer.json()["confirmation"]
    assert agreed["state"] == "agreed"
    assert [(one["by"], one["verdict"], one["pcn"]) for one in agreed["said"]] == [("EW", "agree", None)]


def test_nothing_is_asked_where_the_tournament_does_not_ask() -> None:
    a_tournament_with_links()
    ns, ew = two_phones()
    enter(ns, "NS")

    answer = say(ew, "EW")

    assert stand(ew) is None
    assert ns.look().json()["tournament"]["confirmation"] is False
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:courtpiece:not-asked")
    assert not EnteredRevision.objects.exists()


def test_the_same_again_gets_the_same_answer_and_writes_nothing() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS")
    body = body_of(ew, "EW")

    answers = [ew.client.post("/api/v1/table/confirmations", body, content_type=JSON) for _ in range(3)]
    other = {**body, "verdict": "dispute"}
    reused = ew.client.post("/api/v1/table/confirmations", other, content_type=JSON)

    assert [(one.status_code, one.json()["outcome"]) for one in answers] == [
        (201, "created"),
        (200, "duplicate"),
        (200, "duplicate"),
    ]
    assert (reused.status_code, reused.json()["type"]) == (409, "urn:courtpiece:operation-reused")
    assert Confirmation.objects.count() == 1


def test_an_id_that_comes_with_another_version_or_side_is_refused() -> None:
    """Else the phone would take what it said last for known to the director."""
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS")
    body = body_of(ew, "EW", "dispute", pcn=a_text(1, "EW 7-4"))
    sheet = str(the_match(round_number=2).scoresheet.uid)
    others: list[dict[str, str]] = [
        {"pcn": a_text(1, "EW 7-2")},
        {"pcn": ""},
        {"side": "table"},
        {"scoresheet": sheet},
    ]

    first, *more = [
        ew.client.post("/api/v1/table/confirmations", {**body, **other}, content_type=JSON)
        for other in ({}, {}, *others)
    ]

    assert [first.status_code, *(one.status_code for one in more)] == [201, 200, 409, 409, 409, 409]
    assert Confirmation.objects.count() == 1


def test_a_side_says_no_more_of_a_revision_than_a_page_can_show() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS")

    answers = [say(ew, "EW", ("dispute", "agree")[number % 2]) for number in range(MOST_SAID + 1)]
    same = enter(Device(the_secret()), "EW")

    assert [one.status_code for one in answers] == [201] * MOST_SAID + [409]
    assert answers[-1].json()["type"] == "urn:courtpiece:said-out"
    assert same["outcome"] == "duplicate"
    assert Confirmation.objects.count() == MOST_SAID


@pytest.mark.parametrize(("own", "side"), [(True, "EW"), (False, "NS")])
def test_neither_the_same_phone_nor_the_same_pair_confirms_what_it_entered(own: bool, side: str) -> None:
    a_tournament_that_asks()
    ns, other = two_phones()
    enter(ns, "NS")

    answer = say(ns if own else other, side)

    assert (answer.status_code, answer.json()["type"]) == (422, "urn:courtpiece:own-entry")
    assert "enter it again" in answer.json()["detail"]


def test_a_revision_that_stands_no_more_is_a_conflict_that_shows_what_does() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS", a_text(1, "NS 7-4"))
    enter(ns, "NS", a_text(1, "NS 7-5"), base=1)

    answer = say(ew, "EW", revision=1)

    assert (answer.status_code, answer.json()["type"]) == (409, "urn:courtpiece:revision-conflict")
    (conflict,) = answer.json()["conflicts"]
    assert (conflict["current"]["revision"], "NS 7-5" in conflict["current"]["pcn"]) == (2, True)
    assert stand(ew)["state"] == "waiting"


def test_a_new_revision_is_to_be_confirmed_anew() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS", a_text(1, "NS 7-4"))
    say(ew, "EW")

    enter(ns, "NS", a_text(1, "NS 7-5"), base=1)

    assert (stand(ns)["state"], stand(ns)["said"]) == ("waiting", [])


def test_what_a_director_decides_is_for_nobody_to_confirm() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    dispute(ns, ew)
    deal = Deal.objects.get()
    scoring.correct_deal(
        actor=a_director(),
        deal_uid=deal.uid,
        base_revision=1,
        text=a_text(1, "EW 7-4"),
        reason="The slip says four.",
        operation_id=uuid4(),
        at=AT,
    )

    answer = say(ew, "EW")

    shown = ns.look().json()["matches"][0]["deals"][0]
    assert (shown["revision"], shown["made_by"], shown["confirmation"]) == (2, "director", None)
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:courtpiece:nothing-to-confirm")


def test_the_one_phone_of_a_table_enters_for_both_pairs() -> None:
    a_tournament_that_asks()
    phone, other = two_phones()

    enter(phone, "table")

    assert (stand(phone)["state"], stand(phone)["entered_by"]) == ("agreed", "table")
    say(other, "NS", "dispute")
    assert stand(phone)["state"] == "disputed"


def test_who_enters_just_the_same_on_the_other_phone_agrees_by_that() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS")

    outcome = enter(ew, "EW")
    again = enter(ns, "NS")

    assert became([outcome, again]) == ["duplicate", "duplicate"]
    assert [(one["by"], one["verdict"]) for one in stand(ns)["said"]] == [("EW", "agree")]


# -- disputes


def test_a_dispute_names_the_first_point_at_which_the_two_part() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()

    dispute(ns, ew)

    found = stand(ns)
    assert (found["state"], found["said"][0]["by"]) == ("disputed", "EW")
    assert found["difference"] == {
        "point": "tricks",
        "trick": None,
        "seat": None,
        "recorded": "7-2",
        "offered": "7-4",
        "text": "Tricks: recorded is 7–2, the other side has 7–4.",
    }
    entry = AuditEntry.objects.get(what="deal-disputed")
    assert (entry.detail["table"], entry.detail["deal"], entry.detail["by"]) == ("1", 1, "EW")


@pytest.mark.parametrize(
    ("pcn", "status", "kind", "code"),
    [
        ("[Deal 1]", 422, "record-refused", "bad-syntax"),
        (a_text(2, "EW 7-4"), 422, "record-refused", "other-deal"),
        (a_text(1, "EW 7-9"), 422, "record-refused", None),
        (a_text(1, "EW 7-2"), 422, "same-version", None),
    ],
)
def test_a_version_that_cannot_be_is_refused_with_why(
    pcn: str, status: int, kind: str, code: str | None
) -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS", a_text(1, "EW 7-2"))

    answer = say(ew, "EW", "dispute", pcn=pcn)

    assert (answer.status_code, answer.json()["type"]) == (status, f"urn:courtpiece:{kind}")
    if code:
        assert code in [problem["code"] for problem in answer.json()["problems"]]
    assert stand(ew)["state"] == "waiting"


def test_there_is_no_such_deal_or_it_is_another_tables() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS")
    far = Device(the_secret("2"))

    answers = [say(ew, "EW", deal=str(uuid4())), say(ew, "EW", scoresheet=str(uuid4())), say(far, "EW")]

    assert [one.status_code for one in answers] == [404, 404, 404]


@pytest.mark.parametrize(
    "wrong",
    [{"side": "N"}, {"verdict": "stands"}, {"revision": 0}, {"deal": "1"}, {"operation_id": None}],
)
def test_what_is_said_must_have_its_shape(wrong: dict[str, Any]) -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS")

    answer = ew.client.post("/api/v1/table/confirmations", {**body_of(ew, "EW"), **wrong}, content_type=JSON)

    assert (answer.status_code, set(answer.json()["errors"])) == (400, set(wrong))


def test_a_revoked_link_says_nothing_any_more() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    enter(ns, "NS")
    link = the_link()
    link.revoked_at = AT
    link.save(update_fields=["revoked_at"])

    answer = say(ew, "EW")

    assert (answer.status_code, answer.json()["type"]) == (401, "urn:courtpiece:link-revoked")


# -- the director


def the_table() -> queries.TableLine:
    return queries.room_page("rang", actor=SERVER, now=AT, round_number=1).tables[0]


def test_the_room_shows_a_dispute_with_both_versions() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()

    dispute(ns, ew)

    line = the_table()
    (shown,) = line.disputes
    assert Doubt.DISPUTED in line.doubts
    assert (shown.number, shown.by, shown.point) == (
        1,
        "East–West",
        "Tricks: recorded is 7–2, the other side has 7–4.",
    )
    assert (shown.recorded, shown.offered) == ("East–West \u20687–2\u2069", "East–West \u20687–4\u2069")


def test_a_match_with_a_disputed_deal_is_finished_after_it_was_said_once_more() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    dispute(ns, ew)
    match = the_match()

    with pytest.raises(DealsDisputed, match="Deal 1 of table 1 is disputed"):
        set_match_state(actor=SERVER, uid=match.uid, state="finished", at=AT, even_short=False)
    set_match_state(actor=SERVER, uid=match.uid, state="finished", at=AT)
    set_match_state(actor=SERVER, uid=the_match("2").uid, state="finished", at=AT)

    with pytest.raises(NotYet, match="round 1 table 1 deal 1"):
        close_round(actor=SERVER, slug="rang", number=1, at=AT)


def test_a_director_lets_stand_what_is_recorded_and_says_why() -> None:
    a_tournament_that_asks()
    ns, ew = two_phones()
    dispute(ns, ew)
    deal, act = Deal.objects.get(), uuid4()
    director = a_director()

    with pytest.raises(ReasonNeeded):
        settle_dispute(actor=director, deal_uid=deal.uid, revision=1, reason=" ", at=AT)
    for _ in range(2):
        settle_dispute(actor=director, deal_uid=deal.uid, revision=1, reason="Counted.", at=AT, act_id=act)

    found = stand(ns)
    assert found["state"] == "agreed"
    assert [(one["by"], one["reason"]) for one in found["said"]] == [("EW", None), ("director", "Counted.")]
    assert the_table().disputes == ()
    with pytest.raises(NotDisputed):
        settle_dispute(actor=director, deal_uid=deal.uid, revision=1, reason="Again.", at=AT)
    with pytest.raises(Forbidden):
        settle_dispute(actor=ANONYMOUS, deal_uid=deal.uid, revision=1, reason="I say so.", at=AT)
