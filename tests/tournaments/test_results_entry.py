"""Results typed from a slip: what is saved, what is refused beside its line, and that nothing is lost or doubled."""

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
from courtpiece.engine import Award, Seat, Team
from scoring import operations as scoring
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_record, a_scheduled_tournament
from tournaments import queries
from tournaments.domain.check_codes import check_code, shown
from tournaments.domain.slips import LineFault, SlipLine
from tournaments.errors import ActReused, LevelMatch, MatchIsOver, NoSuchTable, SlipRefused
from tournaments.models import Match, Tournament
from tournaments.operations import matches
from tournaments.operations.slips import enter_results

pytestmark = pytest.mark.django_db


def a_tournament(*pairs: str, **new: Any) -> Tournament:
    return a_scheduled_tournament(*(pairs or (ASIF, CHAND)), club_id=a_club().pk, **new)


def the_match(table: str = "1", round_number: int = 1) -> Match:
    return Match.objects.select_related("scoresheet").get(round__number=round_number, table=table)


def a_line(number: int, winner: Team | None, lost: int | None = None, **more: Any) -> SlipLine:
    return SlipLine(number=number, winner=winner, lost=lost, is_void=winner is None, **more)


SEVEN_DEALS = (
    a_line(1, Team.EW, 4, dealer=Seat.N),
    a_line(2, Team.EW, 0),
    a_line(3, Team.EW, award=Award.GOON_COURT, dealer=Seat.E),
    a_line(4, Team.NS, award=Award.BAVNEY),
    a_line(5, Team.NS, 3, won=2, award=Award.REVOKE),
    a_line(6, None),
    a_line(7, Team.EW, 6),
)


def enter(*lines: SlipLine, act: UUID | None = None, finish: bool = False) -> int:
    return enter_results(
        actor=SERVER, uid=the_match().uid, lines=lines, act_id=act or uuid4(), at=AT, finish=finish
    )


def ledger() -> list[tuple[int, str, str, tuple[int, int]]]:
    page = queries.slip_page(the_match().uid, actor=SERVER)
    return [
        (deal.number, deal.dealer, deal.award, (deal.total_ns, deal.total_ew)) for deal in page.sheet.deals
    ]


# -- what is written


def test_a_match_of_seven_deals_is_typed_and_counts() -> None:
    a_tournament()

    assert enter(*SEVEN_DEALS) == 7

    assert ledger() == [
        (1, "N", "win", (0, 0)),
        (2, "N", "court", (0, 1)),
        (3, "E", "goon-court", (0, 2)),
        (4, "N", "bavney", (52, 2)),
        (5, "W", "revoke", (53, 2)),
        (6, "E", "void", (53, 2)),
        (7, "E", "win", (53, 2)),
    ]


def test_what_is_typed_is_a_record_that_tells_the_result_only() -> None:
    a_tournament(rules="double-sir goon=3")

    enter(a_line(1, Team.NS, won=13, lost=0, dealer=Seat.S))

    (deal,) = queries.slip_page(the_match().uid, actor=SERVER).sheet.deals
    assert (deal.level, deal.award, deal.courts_ns) == ("result", "goon-court", 3)


def test_a_page_has_a_line_for_each_deal_that_was_agreed_and_says_when_there_are_more() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(plan={"match": {"deals": 2}})
    fresh = queries.slip_page(the_match().uid, actor=SERVER)

    enter(a_line(1, Team.EW, 4, dealer=Seat.N), a_line(2, Team.EW, 4), a_line(3, Team.EW, 4))

    after = queries.slip_page(the_match().uid, actor=SERVER)
    assert (fresh.next_numbers, fresh.has_too_many, fresh.is_beyond([1, 2])) == ((1, 2), False, False)
    assert (after.next_numbers, after.has_too_many, after.is_beyond([4])) == ((4,), True, True)


def test_the_drawn_first_dealer_need_not_be_typed() -> None:
    a_tournament()
    Match.objects.update(first_dealer="S")

    enter(a_line(1, Team.EW, 3))

    assert ledger() == [(1, "S", "win", (0, 0))]


def test_missing_deals_are_added_to_a_sheet_that_has_some() -> None:
    a_tournament()
    enter(a_line(1, Team.EW, 4, dealer=Seat.N), a_line(3, Team.EW, 2, dealer=Seat.N))

    enter(a_line(2, Team.EW, 0, dealer=Seat.N), a_line(4, Team.EW, 5))

    assert [(number, dealer) for number, dealer, _award, _courts in ledger()] == [
        (1, "N"),
        (2, "N"),
        (3, "N"),
        (4, "N"),
    ]


def test_saved_twice_is_saved_once() -> None:
    a_tournament()
    act = uuid4()

    assert [enter(*SEVEN_DEALS, act=act, finish=True), enter(*SEVEN_DEALS, act=act, finish=True)] == [7, 7]

    assert len(ledger()) == 7
    with pytest.raises(ActReused):
        enter(SEVEN_DEALS[0], act=act)


def test_saved_and_finished_the_match_counts() -> None:
    a_tournament()

    enter(*SEVEN_DEALS, finish=True)

    match = the_match()
    assert (match.state, match.finished_at, match.version) == ("finished", AT, 1)


# -- what is refused


def test_one_line_at_fault_saves_none() -> None:
    a_tournament()

    with pytest.raises(SlipRefused) as refused:
        enter(a_line(1, Team.EW, 4, dealer=Seat.N), a_line(2, Team.NS, won=6, lost=5))

    assert [line.fault for line in refused.value.lines] == [None, LineFault.IMPOSSIBLE]
    assert ledger() == []


def test_a_deal_that_somebody_recorded_meanwhile_is_a_line_at_fault() -> None:
    a_tournament()
    seen = the_match().scoresheet.uid
    scoring.record_sheet(
        actor=SERVER, scoresheet_uid=seen, text=a_record(1, Seat.N, "NS 7-2"), operation_id=uuid4(), at=AT
    )

    with pytest.raises(SlipRefused) as refused:
        enter(a_line(1, Team.EW, 4, dealer=Seat.N))

    assert [line.fault for line in refused.value.lines] == [LineFault.RECORDED]


def test_a_match_that_is_over_takes_no_more() -> None:
    a_tournament()
    enter(*SEVEN_DEALS, finish=True)

    with pytest.raises(MatchIsOver, match="table 1 is over"):
        enter(a_line(8, Team.NS, 3))


def test_a_level_knockout_match_is_neither_saved_nor_finished_and_names_its_table() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(format="knockout")

    with pytest.raises(LevelMatch, match=r"Table 1 is level at 0 courts each.*law 13\.2"):
        enter(a_line(1, Team.EW, 4, dealer=Seat.N), finish=True)

    assert (ledger(), the_match().state) == ([], "open")
    enter(a_line(1, Team.EW, 0, dealer=Seat.N), finish=True)
    assert the_match().state == "finished"


def test_who_may_not_record_may_not_type_and_what_is_not_there_is_not_found() -> None:
    player = a_user()
    club = a_club(members=[(player, Role.PLAYER)])
    a_scheduled_tournament(ASIF, CHAND, club_id=club.pk)
    sent: dict[str, Any] = {"lines": SEVEN_DEALS, "act_id": uuid4(), "at": AT}

    with pytest.raises(Forbidden):
        enter_results(actor=as_actor(player), uid=the_match().uid, **sent)
    with pytest.raises(NotFound):
        enter_results(actor=SERVER, uid=uuid4(), **sent)


# -- the page


def a_scorer() -> Client:
    user = a_user("Sana")
    Club.objects.get().memberships.create(user=user, role=Role.SCORER, created_at=AT)
    return a_browser(user)


def address() -> str:
    return reverse("tournaments:results", args=[the_match().uid])


def typed(*rows: dict[str, str], act: str = "", **buttons: str) -> dict[str, str]:
    data = {
        "act": act or str(uuid4()),
        "deal-TOTAL_FORMS": str(len(rows)),
        "deal-INITIAL_FORMS": "0",
        **buttons,
    }
    for place, row in enumerate(rows):
        data |= {f"deal-{place}-{name}": value for name, value in row.items()}
    return data


FIRST = {"number": "1", "winner": "EW", "lost": "4", "dealer": "S"}
COURT = {"number": "2", "winner": "EW", "won": "7", "lost": "0"}
BLANK = {"number": "3"}


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_the_page_begins_with_the_numbers_of_the_deals_that_are_next() -> None:
    a_tournament()
    enter(a_line(1, Team.EW, 4, dealer=Seat.N), a_line(3, Team.EW, 2, dealer=Seat.N))

    page = a_scorer().get(address())

    numbers = [line.form.initial["number"] for line in page.context["shown"]]
    assert numbers == [2, 4, 5, 6, 7, 8, 9]
    assert "Deal 3" in text_of(page)


def test_the_page_says_which_pair_is_north_south() -> None:
    a_tournament()

    page = text_of(a_scorer().get(address()))

    badge = '<abbr class="seat seat--{}" title="{}">{}</abbr> <span class="pair"><bdi>{}</bdi>'
    assert badge.format("NS", "North–South", "NS", "Asif Khan") in page
    assert badge.format("EW", "East–West", "EW", "Chand Rao") in page
    assert 'N–S <span class="sr"><span class="pair"><bdi>Asif Khan</bdi>' in page


def test_check_says_what_the_engine_makes_of_each_line_and_saves_nothing() -> None:
    a_tournament()

    page = text_of(a_scorer().post(address(), typed(FIRST, COURT, BLANK, check="1")))

    assert "South dealt." in page
    assert "Every line can be. With them the match stands at 0 courts to 1." in page
    assert ledger() == []


def test_save_saves_and_save_and_finish_finishes() -> None:
    a_tournament()
    client = a_scorer()

    saved = client.post(address(), typed(FIRST, BLANK, save="1"))
    finished = client.post(address(), typed(COURT, BLANK, finish="1"))

    assert (saved.status_code, saved["Location"]) == (HTTPStatus.FOUND, address())
    assert finished["Location"] == reverse("tournaments:room", args=["rang"])
    assert [number for number, _dealer, _award, _courts in ledger()] == [1, 2]
    assert the_match().state == "finished"


def test_a_match_with_fewer_deals_than_agreed_is_finished_when_that_was_asked() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(plan={"match": {"deals": 2}})
    client = a_scorer()
    form = typed(FIRST, finish="1")

    asked = client.post(address(), form)
    nothing = ledger()
    client.post(address(), form | {"finish": "all-the-same"})

    assert asked.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "1 of 2 agreed deals count at table 1. Is the match over all the same?" in text_of(asked)
    assert 'name="deal-0-lost" value="4"' in text_of(asked)
    assert (nothing, the_match().state, len(ledger())) == ([], "finished", 1)


def test_the_same_form_sent_again_is_saved_once() -> None:
    a_tournament()
    client = a_scorer()
    form = typed(FIRST, COURT, save="1")

    answers = [client.post(address(), form).status_code for _time in range(2)]

    assert answers == [HTTPStatus.FOUND, HTTPStatus.FOUND]
    assert len(ledger()) == 2


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"number": "", "winner": "EW", "lost": "4"}, "Give the deal its number."),
        ({"number": "1", "winner": "EW", "lost": "4", "dealer": "N"}, "Deal 1 is in already."),
        ({"number": "2", "lost": "4"}, "Who won?"),
        ({"number": "2", "winner": "EW", "award": "win"}, "How many tricks had each side?"),
        ({"number": "2", "winner": "EW", "won": "6", "lost": "6"}, "a win is 7-1 to 7-6"),
        ({"number": "5", "winner": "EW", "lost": "4"}, "the laws do not tell"),
        ({"number": "2", "winner": "EW", "lost": "14"}, "less than or equal to 13"),
        ({"number": "many", "winner": "EW", "lost": "4"}, "Enter a whole number."),
    ],
)
def test_what_is_wrong_stands_beside_its_line_and_nothing_is_lost(row: dict[str, str], said: str) -> None:
    a_tournament()
    enter(a_line(1, Team.EW, 4, dealer=Seat.N))

    response = a_scorer().post(
        address(), typed({"number": "9", "winner": "NS", "lost": "2", "dealer": "E"}, row, save="1")
    )

    page = text_of(response)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert said in page
    assert 'name="deal-0-number" value="9"' in page
    assert len(ledger()) == 1


def test_two_lines_of_one_number_are_both_marked() -> None:
    a_tournament()

    page = text_of(a_scorer().post(address(), typed(FIRST, FIRST, check="1")))

    assert page.count("Two lines are deal 1.") == 2


def test_more_lines_keep_what_was_typed() -> None:
    a_tournament()

    page = a_scorer().post(address(), typed(FIRST, BLANK, more="1"))

    assert [line.form["number"].value() for line in page.context["shown"]] == [
        "1",
        "3",
        "2",
        "4",
        "5",
        "6",
        "7",
    ]
    assert 'name="deal-0-lost" value="4"' in text_of(page)


def test_nothing_filled_in_is_nothing_saved() -> None:
    a_tournament()

    page = text_of(a_scorer().post(address(), typed(BLANK, save="1")))

    assert "No line is filled in yet." in page


@pytest.mark.parametrize("total", ["", "many", "9" * 30, "1000000"])
def test_a_form_that_was_tampered_with_is_refused(total: str) -> None:
    a_tournament()
    form = typed(FIRST, save="1") | {"deal-TOTAL_FORMS": total}

    response = a_scorer().post(address(), form)

    assert (response.status_code, ledger()) == (HTTPStatus.UNPROCESSABLE_ENTITY, [])


def test_a_finished_match_shows_its_deals_and_can_be_opened_again() -> None:
    a_tournament()
    enter(*SEVEN_DEALS, finish=True)
    client = a_scorer()

    page = client.get(address())
    refused = client.post(address(), typed({"number": "8", "winner": "NS", "lost": "3"}, save="1"))

    assert "Open it again" in text_of(page)
    assert refused.status_code == HTTPStatus.CONFLICT
    matches.set_match_state(actor=SERVER, uid=the_match().uid, state="open", at=AT)
    assert "Type the slip" in text_of(client.get(address()))


@pytest.mark.parametrize(
    ("role", "status"), [(None, 404), (Role.PLAYER, 404), (Role.SCORER, 200), (Role.DIRECTOR, 200)]
)
def test_who_sees_the_page(role: Role | None, status: int) -> None:
    a_tournament()
    user = a_user()
    club = Club.objects.get() if role else a_club("multan")
    club.memberships.create(user=user, role=role or Role.DIRECTOR, created_at=AT)

    assert a_browser(user).get(address()).status_code == status
    assert "/accounts/login/" in a_browser().get(address())["Location"]


def test_names_in_urdu_and_devanagari_are_kept_apart() -> None:
    a_tournament("آصف خان & بلال شاہ", "चाचा चौसर & मामा मोहरा")

    page = text_of(a_scorer().get(address()))

    assert "<bdi>آصف خان</bdi>" in page
    assert "<bdi>चाचा चौसर</bdi>" in page


@pytest.mark.parametrize("deals", [1, 3])
def test_the_page_takes_the_same_queries_whatever_is_in(
    deals: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament()
    enter(*SEVEN_DEALS[:deals])
    client, page = a_scorer(), address()

    with django_assert_num_queries(11):
        client.get(page)


# -- finding the match


def test_a_slip_is_found_by_its_code_in_any_round() -> None:
    a_tournament(ASIF, CHAND, ERUM, GITA)
    match = the_match("2", 3)

    assert queries.find_match("rang", shown(check_code(match.uid)).lower(), actor=SERVER) == match.uid


def test_a_table_of_the_round_that_is_played_is_found() -> None:
    a_tournament(ASIF, CHAND, ERUM, GITA)
    client = a_scorer()
    find = reverse("tournaments:find_match", args=["rang"])

    found = client.get(find, {"place": " 2 "})
    of_the_third = client.get(find, {"place": "1", "round": "3"})
    nothing = client.get(find, {"place": "9"}, follow=True)

    assert found["Location"] == reverse("tournaments:results", args=[the_match("2").uid])
    assert of_the_third["Location"] == reverse("tournaments:results", args=[the_match("1", 3).uid])
    assert "This round has no table “9”, and no slip has that as its code." in text_of(nothing)
    with pytest.raises(NoSuchTable):
        queries.find_match("rang", "9", actor=SERVER)
