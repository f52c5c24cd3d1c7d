"""The pages show what the queries load, ask nothing while they render, and change what a director may."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.test import Client, RequestFactory

from courtpiece.accounts.models import Club, Role, User
from scoring.models import Deal, Scoresheet
from scoring.views import sheets as views
from scoring.views import statistics
from tests.scoring.builders import (
    a_club,
    a_collection,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    an_actor,
    correct,
    pair_of,
    player_at,
    record_file,
    some_sheets,
    the_deal,
    the_revisions,
)

pytestmark = pytest.mark.django_db

View = Callable[..., HttpResponse]


def a_browser_of(club: Club, role: Role) -> Client:
    an_actor(club, role, name="Browser")
    browser = Client()
    browser.force_login(User.objects.get(display_name="Browser"))
    return browser


def a_get(rf: RequestFactory, address: str = "/") -> HttpRequest:
    request = rf.get(address)
    request.user = AnonymousUser()
    return request


def rendered(response: HttpResponse) -> str:
    assert isinstance(response, TemplateResponse)
    response.render()
    return str(response.content, "utf-8")


# -- reading


@pytest.mark.parametrize("count", [1, 3])
def test_a_scoresheet_renders_without_a_query(
    rf: RequestFactory, count: int, django_assert_num_queries: Any
) -> None:
    club = a_club()
    records = [a_record(number, dealer="S", result="EW 7-4") for number in range(1, count + 1)]
    sheet = a_sheet_with(club, records, collection=a_collection(club))
    with django_assert_num_queries(3):
        response = views.scoresheet(a_get(rf), uid=sheet.uid)

    with django_assert_num_queries(0):
        page = rendered(response)

    assert page.count("/deals/") >= count


@pytest.mark.parametrize(
    "text", [a_full_record(), a_record(1), a_record(1, result="", more='[Tricks "E E E E E E E"]')]
)
def test_a_deal_renders_without_a_query(
    rf: RequestFactory, text: str, django_assert_num_queries: Any
) -> None:
    sheet = a_sheet_with(a_club(), [text])
    uid = the_deal(sheet, 1).uid
    with django_assert_num_queries(5):
        response = views.deal(a_get(rf), uid=uid)

    with django_assert_num_queries(0):
        page = rendered(response)

    assert "[Deal &quot;1&quot;]" in page


@pytest.mark.parametrize("show", ["matches", "deals"])
@pytest.mark.parametrize("count", [1, 3])
def test_people_render_without_a_query(
    rf: RequestFactory, count: int, show: str, django_assert_num_queries: Any
) -> None:
    sheets = some_sheets(a_club(), count)
    for sheet in sheets:
        record_file(sheet, [a_record(1)])
    pages: list[tuple[View, UUID, int]] = [
        (statistics.player, player_at(sheets[0], "north").uid, 11),
        (statistics.partnership, pair_of(sheets[0], "ew").uid, 11),
    ]

    for view, uid, queries in pages:
        with django_assert_num_queries(queries if show == "matches" else queries + 2):
            response = view(a_get(rf, f"/?show={show}"), uid=uid)
        with django_assert_num_queries(0):
            page = rendered(response)
        shown = page.split('id="played"')[1]
        assert shown.count("/deals/" if show == "deals" else "/scoresheets/") == count


@pytest.mark.parametrize("at", ["0", "5", "36", "999", "99999999999999999999", "-1", "x", ""])
def test_the_replay_stands_at_the_step_that_is_asked_for(at: str) -> None:
    sheet = a_sheet_with(a_club(), [a_full_record()])

    answer = Client().get(f"/deals/{the_deal(sheet, 1).uid}/?at={at}")

    assert answer.status_code == 200
    expected = {"5": 5, "36": 36, "999": 36, "99999999999999999999": 36}.get(at, 0)
    assert answer.context["page"].replay.at == expected


def test_a_deal_shows_its_history() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    correct(sheet, 1, a_record(1, result="NS 7-5"))

    page = Client().get(f"/deals/{the_deal(sheet, 1).uid}/").content.decode()

    assert "The paper says so." in page
    assert "EW 7-2" in page
    assert "NS 7-5" in page


@pytest.mark.parametrize("what", ["deals", "scoresheets"])
def test_a_text_comes_as_a_file(what: str) -> None:
    sheet = a_sheet_with(a_club(), [a_full_record()])
    uid = the_deal(sheet, 1).uid if what == "deals" else sheet.uid

    answer = Client().get(f"/{what}/{uid}/pcn")

    assert answer["Content-Type"] == "text/vnd.courtpiece.pcn; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{what[:-1]}-{uid}.pcn"'
    assert answer.content.startswith(b"% PCN 1\n\n[Event ")


def test_an_empty_scoresheet_says_so() -> None:
    sheet = a_sheet(a_club())

    page = Client().get(f"/scoresheets/{sheet.uid}/").content.decode()

    assert "No deal yet" in page


@pytest.mark.parametrize(
    "address",
    [
        "/scoresheets/{}/",
        "/scoresheets/{}/pcn",
        "/deals/{}/",
        "/deals/{}/pcn",
        "/players/{}/",
        "/partnerships/{}/",
    ],
)
def test_what_is_not_there_is_not_found(address: str) -> None:
    assert Client().get(address.format(uuid4())).status_code == 404


def test_what_is_private_looks_like_what_is_not_there() -> None:
    club = a_club()
    sheet = a_sheet(club, collection=a_collection(club, visibility="private"))
    record_file(sheet, [a_record(1)])
    addresses = [
        f"/scoresheets/{sheet.uid}/",
        f"/scoresheets/{sheet.uid}/pcn",
        f"/deals/{the_deal(sheet, 1).uid}/",
        f"/deals/{the_deal(sheet, 1).uid}/pcn",
        f"/players/{player_at(sheet, 'north').uid}/",
        f"/partnerships/{pair_of(sheet, 'ns').uid}/",
    ]

    stranger = [Client().get(address).status_code for address in addresses]
    director = [a_browser_of(club, Role.DIRECTOR).get(address).status_code for address in addresses[:1]]

    assert stranger == [404] * 6
    assert director == [200]


def test_names_are_written_as_text() -> None:
    club = a_club()
    sheet = a_sheet(club, names=(("<b>Asif</b>", "Bilal"), ("Chand", "Dev")))
    record_file(sheet, [a_record(1, more='[Note "<script>x</script>"]')])

    sheet_page = Client().get(f"/scoresheets/{sheet.uid}/").content.decode()
    deal_page = Client().get(f"/deals/{the_deal(sheet, 1).uid}/").content.decode()

    assert "<b>Asif" not in sheet_page
    assert "<script>x" not in deal_page
    assert "&lt;script&gt;x" in deal_page


# -- writing


def a_change(sheet: Scoresheet, **other: str) -> dict[str, str]:
    deal = the_deal(sheet, 1)
    return {
        "base_revision": str(deal.revision),
        "operation_id": str(uuid4()),
        "text": a_record(1, result="NS 7-0 court"),
        "reason": "Paper.",
        "law": "8.4",
        "stands": "other",
        "winner": "NS",
        "award": "revoke",
        "tricks_ns": "2",
        "tricks_ew": "3",
        "courts_ns": "1",
        "courts_ew": "0",
    } | other


@pytest.mark.parametrize("what", ["correct", "void", "rule"])
@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.SCORER])
def test_only_directors_get_to_the_pages_that_change_deals(what: str, role: Role | None) -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, role) if role else Client()
    address = f"/deals/{the_deal(sheet, 1).uid}/{what}/"

    got, posted = browser.get(address), browser.post(address, a_change(sheet) | {"save": "1"})

    expected = 404 if role else 302
    assert (got.status_code, posted.status_code) == (expected, expected)
    assert len(the_revisions(sheet, 1)) == 1


@pytest.mark.parametrize(
    ("what", "award", "kind"),
    [("correct", "court", "correction"), ("void", "void", "void"), ("rule", "revoke", "ruling")],
)
def test_a_change_is_shown_first_and_then_saved(what: str, award: str, kind: str) -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1), a_record(2, dealer="N")])
    browser = a_browser_of(club, Role.DIRECTOR)
    uid = the_deal(sheet, 1).uid
    change = a_change(sheet)

    form = browser.get(f"/deals/{uid}/{what}/")
    preview = browser.post(f"/deals/{uid}/{what}/", change | {"preview": "1"})
    before = the_deal(sheet, 1).revision
    saved = browser.post(f"/deals/{uid}/{what}/", change | {"save": "1"})
    again = browser.post(f"/deals/{uid}/{what}/", change | {"save": "1"})

    assert (form.status_code, preview.status_code, before) == (200, 200, 1)
    assert next(iter(preview.context["preview"].lines)).after.number == 1
    assert (saved.status_code, saved["Location"]) == (302, f"/deals/{uid}/")
    assert again.status_code == 302
    deal = the_deal(sheet, 1)
    assert (deal.award, deal.kind, deal.revision) == (award, kind, 2)


def test_a_correction_that_cannot_stand_is_shown_with_what_is_wrong() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)
    text = a_record(1, result="NS 6-5")

    answer = browser.post(
        f"/deals/{the_deal(sheet, 1).uid}/correct/", a_change(sheet, text=text) | {"save": "1"}
    )

    assert answer.status_code == 422
    assert "result-mismatch" in answer.content.decode()
    assert "NS 6-5" in answer.content.decode()


def test_a_correction_on_an_older_revision_shows_both() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)
    change = a_change(sheet)
    correct(sheet, 1, a_record(1, result="NS 7-6"))

    answer = browser.post(f"/deals/{the_deal(sheet, 1).uid}/correct/", change | {"save": "1"})

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "NS 7-6" in page
    assert "NS 7-0 court" in page


def test_an_incomplete_form_says_what_is_missing() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)

    answer = browser.post(
        f"/deals/{the_deal(sheet, 1).uid}/rule/", a_change(sheet, winner="", reason="") | {"save": "1"}
    )

    assert set(answer.context["form"].errors) == {"winner", "reason"}
    assert the_deal(sheet, 1).revision == 1


def test_a_ruling_may_let_the_finding_stand() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)

    browser.post(
        f"/deals/{the_deal(sheet, 1).uid}/rule/",
        a_change(sheet, stands="finding", winner="", award="") | {"save": "1"},
    )

    assert (the_deal(sheet, 1).winner, the_deal(sheet, 1).is_ruled) == ("EW", True)


def test_a_scorer_records_a_deal_from_its_proposal() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1, dealer="E", result="EW 7-2")])
    browser = a_browser_of(club, Role.SCORER)
    form = browser.get(f"/scoresheets/{sheet.uid}/record/").context["form"]
    text = form.initial["text"].replace('[Result "?"]', '[Result "NS 7-4"]')

    answer = browser.post(
        f"/scoresheets/{sheet.uid}/record/", {"operation_id": str(form["operation_id"].value()), "text": text}
    )

    assert (answer.status_code, answer["Location"]) == (302, f"/scoresheets/{sheet.uid}/")
    assert (the_deal(sheet, 2).dealer, the_deal(sheet, 2).winner) == ("N", "NS")


def test_a_record_that_is_refused_comes_back_with_its_problems() -> None:
    club = a_club()
    sheet = a_sheet(club)
    browser = a_browser_of(club, Role.SCORER)

    answer = browser.post(
        f"/scoresheets/{sheet.uid}/record/", {"operation_id": str(uuid4()), "text": "1. HT"}
    )

    assert answer.status_code == 422
    assert "missing-tag" in answer.content.decode()
    assert Deal.objects.count() == 0


def test_a_stranger_records_nothing() -> None:
    club = a_club()
    sheet = a_sheet(club)

    assert Client().get(f"/scoresheets/{sheet.uid}/record/").status_code == 302
    assert a_browser_of(club, Role.PLAYER).get(f"/scoresheets/{sheet.uid}/record/").status_code == 404


# -- the admin


@pytest.mark.parametrize(
    "model", ["player", "partnership", "collection", "scoresheet", "deal", "revision", "ruling", "operation"]
)
def test_the_admin_shows_everything_and_changes_nothing(model: str) -> None:
    club = a_club()
    a_sheet_with(club, [a_record(1)], collection=a_collection(club))
    browser = Client()
    browser.force_login(User.objects.create_superuser("admin@example.org", "secret and long"))

    listed = browser.get(f"/admin/scoring/{model}/?q=a")
    added = browser.get(f"/admin/scoring/{model}/add/")

    assert (listed.status_code, added.status_code) == (200, 403)


def test_the_admin_shows_a_revision_with_its_text() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    browser = Client()
    browser.force_login(User.objects.create_superuser("admin@example.org", "secret and long"))

    answer = browser.get(f"/admin/scoring/revision/{the_revisions(sheet, 1)[0].pk}/change/")

    assert "EW 7-2" in answer.content.decode()
    assert 'name="_save"' not in answer.content.decode()


def test_the_text_that_the_form_proposes_can_be_corrected_and_saved() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_full_record()])
    browser = a_browser_of(club, Role.DIRECTOR)
    address = f"/deals/{the_deal(sheet, 1).uid}/correct/"
    proposed = browser.get(address).context["form"].initial["text"]
    text = proposed.replace('[Result "EW 7-2"]\n', '[Result "EW 7-2"]\n[Note "late"]\n').replace("\n", "\r\n")

    answer = browser.post(address, a_change(sheet, text=text) | {"save": "1"})

    assert answer.status_code == 302
    expected = a_full_record().replace('[Result "EW 7-2"]\n', '[Result "EW 7-2"]\n[Note "late"]\n')
    assert the_revisions(sheet, 1)[-1].pcn == expected


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "x", "٣", ""])
def test_an_address_with_no_number_that_makes_sense_shows_a_page(client: Client, number: str) -> None:
    deal = the_deal(a_sheet_with(a_club(), [a_full_record()]), 1)

    answer = client.get(f"/deals/{deal.uid}/", {"at": number})

    assert answer.status_code == 200


def the_form(browser: Client, sheet: Scoresheet, what: str) -> dict[str, Any]:
    """Return what the form holds when it is opened: what a browser would send."""
    form = browser.get(f"/deals/{the_deal(sheet, 1).uid}/{what}/").context["form"]
    return {field.name: "" if field.value() is None else field.value() for field in form}


def test_a_ruling_begins_with_what_counts_now() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1, result="NS 7-0 court")])
    browser = a_browser_of(club, Role.DIRECTOR)
    form = the_form(browser, sheet, "rule")
    before = the_deal(sheet, 1)

    browser.post(f"/deals/{before.uid}/rule/", form | {"reason": "It stays.", "save": "1"})

    after = the_deal(sheet, 1)
    names = ("winner", "award", "tricks_ns", "tricks_ew", "courts_ns", "courts_ew")
    assert [getattr(after, name) for name in names] == [getattr(before, name) for name in names]
    assert (after.is_ruled, after.revision) == (True, 2)


@pytest.mark.parametrize("button", ["save", "preview"])
@pytest.mark.parametrize("field", ["award", "tricks_ns", "tricks_ew", "courts_ns", "courts_ew"])
def test_a_figure_that_is_missing_from_a_ruling_is_not_a_zero(field: str, button: str) -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)

    answer = browser.post(
        f"/deals/{the_deal(sheet, 1).uid}/rule/", a_change(sheet, **{field: ""}) | {button: "1"}
    )

    assert set(answer.context["form"].errors) == {field}
    assert the_deal(sheet, 1).revision == 1


def test_an_outcome_that_no_deal_can_have_is_refused_at_its_field() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)
    nothing = {"award": "win", "tricks_ns": "0", "tricks_ew": "0"}

    answer = browser.post(
        f"/deals/{the_deal(sheet, 1).uid}/rule/", a_change(sheet, **nothing) | {"save": "1"}
    )

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"tricks_ns"}
    assert "has more of them than the other side" in answer.content.decode()
    assert the_deal(sheet, 1).revision == 1


@pytest.mark.parametrize("what", ["correct", "void", "rule"])
def test_a_change_is_shown_without_a_reason_and_not_saved_without(what: str) -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)
    address = f"/deals/{the_deal(sheet, 1).uid}/{what}/"

    preview = browser.post(address, a_change(sheet, reason="") | {"preview": "1"})
    saved = browser.post(address, a_change(sheet, reason="") | {"save": "1"})

    assert len(preview.context["preview"].lines) == 1
    assert not preview.context["form"].errors
    assert "formnovalidate" in preview.content.decode()
    assert set(saved.context["form"].errors) == {"reason"}
    assert the_deal(sheet, 1).revision == 1


@pytest.mark.parametrize(("what", "badge"), [("correct", "corrected"), ("void", "voided"), ("rule", "ruled")])
def test_a_deal_is_badged_with_what_was_done_to_it(what: str, badge: str) -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)
    address = f"/deals/{the_deal(sheet, 1).uid}/"
    before = browser.get(address).content.decode()

    browser.post(f"{address}{what}/", a_change(sheet) | {"save": "1"})

    heading = browser.get(address).content.decode().split("<h1>")[1].split("</h1>")[0]
    found = [word for word in ("corrected", "voided", "ruled") if f">{word}</a>" in heading]
    assert found == [badge]
    assert ">Void</a>" in before


def test_a_ruled_deal_is_explained_by_its_ruling_and_then_by_its_record() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    browser = a_browser_of(club, Role.DIRECTOR)
    uid = the_deal(sheet, 1).uid
    court = {"award": "court", "tricks_ns": "7", "tricks_ew": "0", "reason": "Cards were seen."}

    browser.post(f"/deals/{uid}/rule/", a_change(sheet, **court) | {"save": "1"})

    sentences = browser.get(f"/deals/{uid}/").context["page"].sentences
    assert [(sentence.text, sentence.law) for sentence in sentences] == [
        ("Ruled by a director: it counts as NS 7-0 court. Reason: Cards were seen.", "8.4"),
        ("The record shows: East–West won by 7 tricks to 2.", "9.1"),
        ("North–South score 1 court.", ""),
        ("West deals next.", "12.3"),
    ]
