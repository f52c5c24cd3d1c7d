"""Slips keyed one after another: found by their code, saved when they add up, and nothing lost or doubled."""

from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Seat
from scoring import operations as scoring
from scoring.models import Deal, Operation, Revision
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_record, a_scheduled_tournament
from tournaments.domain.check_codes import check_code, shown
from tournaments.domain.keyed_slips import StatedTotals
from tournaments.errors import ActReused, FewerThanAgreed, MatchIsOver, SlipConflict, SlipDisagrees
from tournaments.models import Match, Tournament
from tournaments.operations.slips import key_slip

pytestmark = pytest.mark.django_db

SLIP = {1: "e4", 2: "e0", 3: "egde", 4: "nb", 5: "nr2-3", 6: "-", 7: "e6"}
TOTALS = StatedTotals(courts=(53, 2), deals=(2, 4))


def a_tournament(*pairs: str, **new: Any) -> Tournament:
    tournament = a_scheduled_tournament(*(pairs or (ASIF, CHAND)), club_id=a_club().pk, **new)
    Match.objects.update(first_dealer="N")
    return tournament


def the_match(table: str = "1", round_number: int = 1) -> Match:
    return Match.objects.select_related("scoresheet").get(round__number=round_number, table=table)


def key(
    keys: dict[int, str] | None = None,
    totals: StatedTotals = TOTALS,
    *,
    act: UUID | None = None,
    **more: Any,
) -> int:
    return key_slip(
        actor=more.pop("actor", SERVER),
        uid=the_match().uid,
        keys=SLIP if keys is None else keys,
        totals=totals,
        act_id=act or uuid4(),
        at=AT,
        **more,
    )


def record(number: int, dealer: Seat, result: str) -> None:
    """Record a deal as somebody else does."""
    scoring.record_sheet(
        actor=SERVER,
        scoresheet_uid=the_match().scoresheet.uid,
        text=a_record(number, dealer, result),
        operation_id=uuid4(),
        at=AT,
    )


def ledger() -> list[tuple[int, str, str]]:
    return list(Deal.objects.order_by("number").values_list("number", "dealer", "award"))


# -- what is written


def test_a_slip_is_written_whole_in_one_operation_and_its_history_says_so() -> None:
    a_tournament()

    assert key(finish=True) == 7

    assert ledger() == [
        (1, "N", "win"),
        (2, "N", "court"),
        (3, "E", "goon-court"),
        (4, "N", "bavney"),
        (5, "W", "revoke"),
        (6, "E", "void"),
        (7, "E", "win"),
    ]
    assert set(Revision.objects.values_list("made_via", "kind")) == {("slip", "record")}
    assert (Operation.objects.count(), the_match().state) == (1, "finished")


def test_keyed_twice_is_saved_once() -> None:
    a_tournament()
    act = uuid4()

    assert [key(act=act, finish=True), key(act=act, finish=True)] == [7, 7]

    assert (Deal.objects.count(), Revision.objects.count(), Operation.objects.count()) == (7, 7, 1)
    with pytest.raises(ActReused):
        key({1: "e4"}, StatedTotals(courts=(0, 0)), act=act)


def test_deals_that_are_in_and_say_the_same_are_left_and_the_others_are_written() -> None:
    a_tournament()
    record(1, Seat.N, "EW 7-4")
    record(3, Seat.E, "EW 7-0 goon-court")

    assert key() == 5

    assert Deal.objects.count() == 7
    written = Revision.objects.filter(made_via="slip").order_by("deal__number")
    assert list(written.values_list("deal__number", flat=True)) == [2, 4, 5, 6, 7]


def test_a_slip_that_says_only_what_is_in_checks_it_and_finishes_the_match() -> None:
    a_tournament()
    key()

    assert key(finish=True) == 0

    assert (Revision.objects.count(), the_match().state) == (7, "finished")


# -- what is refused, with nothing written


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        (
            StatedTotals(courts=(53, 3)),
            (
                "The slip does not add up, so nothing was saved. "
                "Courts of East–West: the slip says 3, the deals come to 2."
            ),
        ),
        (
            StatedTotals(courts=(53, 2), deals=(3, 4)),
            (
                "The slip does not add up, so nothing was saved. "
                "Deals won by North–South: the slip says 3, the deals come to 2."
            ),
        ),
        (
            StatedTotals(courts=(53, None)),
            "Type the courts of both sides, as they stand at the foot of the slip.",
        ),
    ],
)
def test_totals_that_disagree_are_named_and_nothing_is_written(totals: StatedTotals, said: str) -> None:
    a_tournament()

    with pytest.raises(SlipDisagrees) as refused:
        key(totals=totals, finish=True)

    assert (str(refused.value), Deal.objects.count(), the_match().state) == (said, 0, "open")


def test_the_first_deal_with_another_running_score_is_named_even_where_the_totals_agree() -> None:
    a_tournament()

    with pytest.raises(SlipDisagrees) as refused:
        key(SLIP | {2: "e0=0-1", 3: "egde=0-3", 4: "nb=52-3"})

    assert str(refused.value) == (
        "The slip does not add up, so nothing was saved. "
        "The running score first differs at deal 3: the slip says 0–3, the deals come to 0–2."
    )


@pytest.mark.parametrize("keys", ["q", "n9", "e", "n4n"])
def test_one_line_that_cannot_be_taken_saves_none(keys: str) -> None:
    a_tournament()

    with pytest.raises(SlipDisagrees, match="Some lines cannot be taken"):
        key(SLIP | {2: keys})

    assert Deal.objects.count() == 0


def test_a_deal_that_somebody_recorded_otherwise_meanwhile_is_a_conflict_and_nothing_is_written() -> None:
    a_tournament()
    record(4, Seat.E, "NS 7-3")

    with pytest.raises(SlipConflict):
        key()

    assert Deal.objects.count() == 1


def test_a_match_that_is_over_takes_no_slip() -> None:
    a_tournament()
    key(finish=True)

    with pytest.raises(MatchIsOver, match="table 1 is over"):
        key()


def test_a_match_with_fewer_deals_than_agreed_is_finished_when_that_was_asked() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(plan={"match": {"deals": 9}})

    with pytest.raises(FewerThanAgreed):
        key(finish=True, even_short=False)

    assert (Deal.objects.count(), key(finish=True)) == (0, 7)


def test_who_may_not_record_may_not_key_and_what_is_not_there_is_not_found() -> None:
    a_tournament()
    player = a_user()
    Club.objects.get().memberships.create(user=player, role=Role.PLAYER, created_at=AT)

    with pytest.raises(Forbidden):
        key(actor=as_actor(player))
    with pytest.raises(NotFound):
        key_slip(actor=SERVER, uid=uuid4(), keys=SLIP, totals=TOTALS, act_id=uuid4(), at=AT)


# -- the pages


def a_scorer() -> Client:
    user = a_user("Sana")
    Club.objects.get().memberships.create(user=user, role=Role.SCORER, created_at=AT)
    return a_browser(user)


def codes() -> str:
    return reverse("tournaments:slips", args=["rang"])


def address() -> str:
    return reverse("tournaments:slip", args=[the_match().uid])


def typed(keys: dict[int, str] | None = None, **more: str) -> dict[str, str]:
    lines = {f"deal-{number}": text for number, text in (SLIP if keys is None else keys).items()}
    totals = {"courts_ns": "53", "courts_ew": "2", "deals_ns": "", "deals_ew": "", "finish": "on"}
    return {"act": str(uuid4()), **lines, **totals, **more}


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


@pytest.mark.parametrize(
    "change", [str, str.lower, lambda code: code.replace("-", ""), lambda code: f" {code} "]
)
def test_a_code_leads_to_its_slip_however_it_is_typed(change: Any) -> None:
    a_tournament()

    answer = a_scorer().get(codes(), {"code": change(shown(check_code(the_match().uid)))})

    assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, address())


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("K4M7RX", "“K4M7RX” is no check code: a letter is wrong or missing, or two changed places."),
        ("oops", "“oops” is no check code"),
        (shown(check_code(UUID(int=12))), "is the code of no slip of this tournament"),
        ("", "This field is required."),
    ],
)
def test_a_wrong_code_is_named_and_stays_in_the_field(code: str, said: str) -> None:
    a_tournament()

    answer = a_scorer().get(codes(), {"code": code})

    assert (answer.status_code, said in text_of(answer)) == (HTTPStatus.UNPROCESSABLE_ENTITY, True)
    assert f'value="{code}"' in text_of(answer) or not code


def test_one_wrong_letter_of_a_real_code_is_named() -> None:
    a_tournament()
    code = check_code(the_match().uid)
    wrong = ("A" if code[0] != "A" else "C") + code[1:]

    assert "is no check code" in text_of(a_scorer().get(codes(), {"code": wrong}))


def test_the_code_stands_on_the_slip_on_the_card_and_beside_what_is_not_in() -> None:
    a_tournament()
    code = shown(check_code(the_match().uid))
    director = a_user("Dara")
    Club.objects.get().memberships.create(user=director, role=Role.DIRECTOR, created_at=AT)
    client = a_browser(director)

    pages = [client.get(reverse("tournaments:print", args=["rang", kind])) for kind in ("slips", "cards")]

    assert [text_of(page).count(code) for page in (*pages, client.get(codes()))] == [1, 1, 1]


def test_check_says_in_words_what_each_line_is_and_saves_nothing() -> None:
    a_tournament()

    page = text_of(a_scorer().post(address(), typed(check="1")))

    assert "North dealt." in page
    assert "Void: nobody wins it, and the same dealer deals again." in page
    assert "Every line can be, and the totals agree. Nothing is saved yet." in page
    assert Deal.objects.count() == 0


def test_saved_it_leads_to_the_next_slip() -> None:
    a_tournament()
    client = a_scorer()

    answer = client.post(address(), typed(save="1"), follow=True)

    assert answer.redirect_chain == [(codes(), HTTPStatus.FOUND)]
    assert "Table 1: 7 deals are saved, and the totals agree. The match is finished." in text_of(answer)
    assert "autofocus" in text_of(answer)
    assert "No match is open." in text_of(answer)


def test_the_same_form_sent_again_is_saved_once() -> None:
    a_tournament()
    client, form = a_scorer(), typed(save="1")

    answers = [client.post(address(), form) for _time in range(2)]

    assert [answer.status_code for answer in answers] == [HTTPStatus.FOUND] * 2
    assert Revision.objects.count() == 7


def test_a_conflict_shows_both_and_what_was_typed_stays() -> None:
    a_tournament()
    client = a_scorer()
    record(4, Seat.E, "NS 7-3")

    answer = client.post(address(), typed(save="1"))

    page = text_of(answer)
    assert answer.status_code == HTTPStatus.CONFLICT
    assert "Deal 4 is in, and says something else." in page
    assert "Clear the line to keep what is recorded, or correct the deal on its page." in page
    assert all(f'name="deal-{number}" value="{keys}"' in page for number, keys in SLIP.items())
    assert Deal.objects.count() == 1
    mended = typed({**SLIP, 4: ""}, courts_ns="1", save="1")
    assert client.post(address(), mended).status_code == HTTPStatus.FOUND
    assert (Deal.objects.count(), Revision.objects.filter(made_via="slip").count()) == (7, 6)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("q4", "“q4” does not say who won: begin with n or e, or - for void."),
        ("n4z", "“z” means nothing here. The keys are explained above."),
        ("ncb", "“b” says something a second time. Keep one of them."),
        ("n99", "“99”: a deal has thirteen tricks."),
        ("n", "How many tricks had each side?"),
        ("n6-6", "a win is 7-1 to 7-6"),
        ("<b>", "“&lt;b&gt;” does not say who won"),
    ],
)
def test_what_is_wrong_with_a_line_stands_beside_it_and_nothing_is_lost(keys: str, said: str) -> None:
    a_tournament()

    answer = a_scorer().post(address(), typed({**SLIP, 2: keys}, save="1"))

    assert (answer.status_code, said in text_of(answer)) == (HTTPStatus.UNPROCESSABLE_ENTITY, True)
    assert 'name="deal-7" value="e6"' in text_of(answer)
    assert Deal.objects.count() == 0


def test_an_unknown_first_dealer_is_asked_for_in_keys() -> None:
    a_tournament()
    Match.objects.update(first_dealer="")

    page = text_of(a_scorer().post(address(), typed({1: "e4"}, check="1")))

    assert "Who dealt first?" in page
    assert "Add d and the seat at the end of the line, as in n4ds." in page


def test_a_match_shorter_than_agreed_is_finished_by_a_button_that_says_so() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(plan={"match": {"deals": 9}})
    client, form = a_scorer(), typed(save="1")

    asked = client.post(address(), form)
    client.post(address(), form | {"save": "all-the-same"})

    assert "6 of 9 agreed deals count at table 1. Is the match over all the same?" in text_of(asked)
    assert "Save, and finish it with these deals" in text_of(asked)
    assert (Deal.objects.count(), the_match().state) == (7, "finished")


def test_more_lines_keep_what_was_typed() -> None:
    a_tournament()

    page = text_of(a_scorer().post(address(), typed(more="1")))

    assert 'name="deal-19" value=""' in page
    assert 'name="deal-1" value="e4"' in page
    assert "deal-20" not in page


def test_a_slip_has_as_many_rows_as_on_paper() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(plan={"match": {"deals": 20}})

    page = text_of(a_scorer().get(address()))

    assert ('name="deal-23"' in page, 'name="deal-24"' in page) == (True, False)


@pytest.mark.parametrize(
    "odd",
    [
        {"courts_ns": "many"},
        {"courts_ew": "-1"},
        {"act": "x"},
        {"deal-0": "n4", "deal-999": "n4", "deal-x": "1"},
    ],
)
def test_a_form_that_was_tampered_with_saves_nothing(odd: dict[str, str]) -> None:
    a_tournament()

    answer = a_scorer().post(address(), typed({}, save="1") | odd)

    assert (answer.status_code, Deal.objects.count()) == (HTTPStatus.UNPROCESSABLE_ENTITY, 0)


def test_a_match_that_is_over_says_so_and_leads_on() -> None:
    a_tournament()
    key(finish=True)

    page = text_of(a_scorer().get(address()))

    assert "This match is finished." in page
    assert "The next slip" in page


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_pages_take_the_same_queries_whatever_is_in(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament(*(ASIF, CHAND, ERUM, GITA)[: 2 if rounds == 1 else 4])
    key()
    client = a_scorer()

    with django_assert_num_queries(12):
        client.get(address())
    with django_assert_num_queries(10):
        client.get(codes())
