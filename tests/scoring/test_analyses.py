"""Analyses of deals: asked for by who sees the cards, found by a worker, kept with the revision."""

import sys
from datetime import timedelta
from http import HTTPStatus
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import ANONYMOUS, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from scoring import operations, queries
from scoring.derived import DealAnalysis
from scoring.models import Deal, Scoresheet
from scoring.operations import NoAnalysis, TooManyWaiting, analyses
from scoring.queries import DealAnalysisPart
from tests.scoring.builders import (
    AT,
    a_club,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    a_user,
    an_actor,
    club_of,
    correct,
    record_file,
    the_deal,
)

pytestmark = pytest.mark.django_db

LATER = AT + timedelta(minutes=5)


def a_deal(text: str | None = None) -> Deal:
    return the_deal(a_sheet_with(a_club(), [text or a_full_record()]), 1)


def somebody() -> Actor:
    return Actor(user_id=a_user("Reader").pk)


def ask(deal: Deal, actor: Actor) -> DealAnalysisPart:
    return operations.ask_analysis(actor=actor, deal_uid=deal.uid, at=AT)


def work() -> None:
    """Do what a worker does with everything that waits."""
    for pk in list(DealAnalysis.objects.filter(found_at=None).values_list("pk", flat=True)):
        analyses.analyse_revision(revision_id=pk, clock=lambda: AT)


def part_of(deal: Deal, actor: Actor = ANONYMOUS) -> DealAnalysisPart:
    return queries.deal_analysis(deal.uid, actor=actor, now=AT)


def reason_of(deal: Deal) -> str:
    reason = part_of(deal).reason
    return "" if reason is None else reason.value


def test_who_is_signed_in_asks_and_a_worker_finds(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    deal = a_deal()

    with django_capture_on_commit_callbacks(execute=True):
        asked = ask(deal, somebody())

    part = part_of(deal)
    assert (asked.is_waiting, part.is_waiting, part.reason) == (True, False, None)
    assert part.found is not None
    assert (part.found["caller"], part.found["trump"], part.found["five"]) == ("N", "C", None)
    assert len(part.found["plays"]) == 36
    assert all(play["lost"] >= 0 for play in part.found["plays"])
    assert [line.suit for line in part.trumps] == ["S", "H", "D", "C"]
    assert part.found["plays"][0]["before"] == part.found["tricks"]["C"]


def test_asking_again_asks_for_nothing_more() -> None:
    deal, actor = a_deal(), somebody()

    first, second = ask(deal, actor), ask(deal, actor)
    work()
    third = ask(deal, actor)

    assert (first.is_waiting, second.is_waiting, third.is_waiting) == (True, True, False)
    assert DealAnalysis.objects.count() == 1
    assert not analyses.analyse_revision(revision_id=part_of(deal).revision_id, clock=lambda: LATER)
    assert part_of(deal).found_at == AT


def test_a_correction_is_another_revision_and_is_analysed_anew() -> None:
    deal, actor = a_deal(), somebody()
    ask(deal, actor)
    work()

    correct(Scoresheet.objects.get(), 1, a_full_record().replace('"EW 7-2"]', '"EW 7-2"]\n[Note "seen"]'))

    assert reason_of(deal) == "not-asked"
    assert part_of(deal, actor).may_ask


def test_nobody_without_an_account_asks() -> None:
    with pytest.raises(Forbidden):
        ask(a_deal(), ANONYMOUS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (a_record(1), "no-hands"),
        (a_record(1, result="EW 7-2", rules="double-sir"), "piles"),
        (a_record(1, result="EW 7-2", rules="hidden-trump", more='[Trump "H hidden ?"]'), "hidden-trump"),
    ],
)
def test_what_cannot_be_analysed_says_why(text: str, reason: str) -> None:
    rules = text.partition('[Rules "')[2].partition('"')[0]
    sheet = a_sheet(a_club(), rules=rules)
    record_file(sheet, [text])
    deal = the_deal(sheet, 1)

    assert reason_of(deal) == reason
    with pytest.raises(NoAnalysis) as caught:
        ask(deal, somebody())
    assert caught.value.reason_code == reason
    assert DealAnalysis.objects.count() == 0


def test_cards_that_are_held_back_are_not_told_by_an_analysis() -> None:
    deal = a_deal()
    director = an_actor(club_of(deal.scoresheet), Role.DIRECTOR)
    ask(deal, director)
    work()
    Scoresheet.objects.update(cards_delay=timedelta(hours=1))

    assert reason_of(deal) == "cards-held"
    assert part_of(deal, director).found is not None
    with pytest.raises(NoAnalysis):
        ask(deal, somebody())
    assert queries.deal_analysis(deal.uid, actor=ANONYMOUS, now=AT + timedelta(hours=2)).found is not None


def test_without_the_solver_the_page_says_so_and_what_waits_goes_on_waiting(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    deal, actor = a_deal(), somebody()
    ask(deal, actor)
    monkeypatch.setitem(sys.modules, "endplay", None)

    work()
    waiting = part_of(deal)
    DealAnalysis.objects.all().delete()

    assert waiting.reason is not None
    assert (waiting.reason.value, waiting.found) == ("not-installed", None)
    assert "Analysis is not available on this site" in client.get(f"/deals/{deal.uid}/").content.decode()
    with pytest.raises(NoAnalysis):
        ask(deal, actor)


def test_one_user_has_few_waiting_at_a_time() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(number) for number in range(1, 8)])
    actor = somebody()
    for number in range(1, 6):
        ask(the_deal(sheet, number), actor)

    with pytest.raises(TooManyWaiting, match="5 analyses that you asked for are not done yet"):
        ask(the_deal(sheet, 6), actor)


def test_the_sweep_queues_what_has_waited_too_long() -> None:
    ask(a_deal(), somebody())

    assert (analyses.sweep_analyses(now=AT), analyses.sweep_analyses(now=LATER)) == (0, 1)
    work()
    assert analyses.sweep_analyses(now=LATER) == 0


def test_there_is_no_analysis_of_what_is_not_there() -> None:
    with pytest.raises(NotFound):
        queries.deal_analysis(uuid4(), actor=ANONYMOUS, now=AT)


@pytest.mark.parametrize("deals", [1, 3])
def test_queries_of_reading_an_analysis(
    django_assert_num_queries: DjangoAssertNumQueries, deals: int
) -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(number + 1) for number in range(deals)])
    deal = the_deal(sheet, 1)

    with django_assert_num_queries(2):
        part_of(deal)


# -- the page and the API


def test_the_page_asks_by_a_button_and_shows_what_is_found(client: Client) -> None:
    deal = a_deal()
    before = client.get(f"/deals/{deal.uid}/").content.decode()
    client.force_login(a_user("Reader"))
    offered = client.get(f"/deals/{deal.uid}/").content.decode()
    answer = client.post(f"/deals/{deal.uid}/analysis/")
    waiting = client.get(f"/deals/{deal.uid}/").content.decode()
    work()
    found = client.get(f"/deals/{deal.uid}/").content.decode()

    assert "Whoever is signed in can ask for it here." in before
    assert "Analyse the deal" in offered
    assert answer["Location"] == f"/deals/{deal.uid}/#analysis"
    assert "it is being computed" in waiting
    assert "All 52 cards" in found
    assert "Where tricks were given away" in found


def test_the_page_says_why_a_deal_is_not_analysed(client: Client) -> None:
    deal = a_deal(a_record(1))
    client.force_login(a_user("Reader"))

    page = client.post(f"/deals/{deal.uid}/analysis/", follow=True).content.decode()

    assert page.count("The record does not tell all four hands.") == 2


def test_the_api_answers_404_with_the_reason_then_202_then_200(client: Client) -> None:
    deal = a_deal()
    address = f"/api/v1/deals/{deal.uid}/analysis"
    client.force_login(a_user("Reader"))

    none = client.get(address)
    asked = client.post(address)
    waiting = client.get(address)
    work()
    found = client.get(address)

    assert (none.status_code, none.json()["reason"]) == (HTTPStatus.NOT_FOUND, "not-asked")
    assert (asked.status_code, waiting.status_code) == (HTTPStatus.ACCEPTED, HTTPStatus.ACCEPTED)
    assert (waiting.json()["analysis"], waiting.json()["waiting"], waiting["Retry-After"]) == (
        None,
        True,
        "5",
    )
    assert found.status_code == HTTPStatus.OK
    assert found.json()["analysis"]["trump"] == "C"
    assert (
        client.get(address, headers={"If-None-Match": found["ETag"]}).status_code == HTTPStatus.NOT_MODIFIED
    )


def test_the_api_says_nothing_of_a_deal_that_is_not_there(client: Client) -> None:
    answer = client.get(f"/api/v1/deals/{uuid4()}/analysis")

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert "reason" not in answer.json()
