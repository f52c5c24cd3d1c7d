"""The pages of rulings, appeals and closing: the way through them, who may go it, and what they cost."""

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from scoring.models import Deal
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.tournaments.builders import (
    ASIF,
    CHAND,
    ERUM,
    GITA,
    a_match,
    a_scheduled_tournament,
    penalise,
    upload,
)
from tournaments.models import AppealStep, Entry, Match, Round, Ruling, Tournament
from tournaments.operations import appeals, standings

pytestmark = pytest.mark.django_db

URDU = "آصف خان & بلال شاہ"
HINDI = "चाँद राव & देव पटेल"
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


def an_evening(*pairs: str, visibility: str = "public") -> Tournament:
    """Make a round robin with the first match of its first round played."""
    names = pairs or (ASIF, CHAND, ERUM, GITA)
    tournament = a_scheduled_tournament(*names, club_id=a_club().pk, visibility=visibility)
    upload(a_match(["NS 7-0 court", "NS 7-4"], ns=names[0], ew=names[-1], round="1", table="1"))
    return tournament


def a_member(role: Role, club: Club | None = None) -> Client:
    user = a_user(f"{role.value} of {club or 'here'}".split(" (")[0])
    (club or Club.objects.get(slug="lahore")).memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def the_match() -> Match:
    return Match.objects.get(round__number=1, table="1")


def the_deal() -> Deal:
    return Deal.objects.get(number=1)


def address(name: str, *arguments: Any) -> str:
    return reverse(f"tournaments:{name}", args=["rang", *arguments])


def on_deal(what: str = "cancel") -> str:
    return address("rule_on_deal", the_deal().uid, what)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def hidden_in(response: Any) -> dict[str, str]:
    """Return the hidden fields of the ruling's form."""
    form = text_of(response).partition('class="form ruling-form"')[2]
    return {name: value for name, value in HIDDEN.findall(form) if name != "csrfmiddlewaretoken"}


def look(client: Client, where: str, **fields: str) -> tuple[Any, dict[str, str]]:
    """Open the page, press the button that shows what would change, and return that page and its fields."""
    sent = hidden_in(client.get(where)) | fields
    response = client.post(where, sent | {"preview": "1"})
    return response, sent | hidden_in(response)


# -- ruling


def test_a_director_goes_from_the_list_to_a_preview_to_a_footnote() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    chosen = text_of(client.get(address("ruling_choose")))
    assert address("rule_on_match", the_match().uid, "adjust") in chosen

    preview, fields = look(client, on_deal(), law="10.1", reason="")
    assert "What would change" in text_of(preview)
    assert "Save the ruling" in text_of(preview)
    assert Ruling.objects.count() == 0
    saved = client.post(on_deal(), fields | {"reason": "miscounted", "save": "1"})

    assert (saved.status_code, saved["Location"]) == (
        HTTPStatus.FOUND,
        f"{address('rulings_manage')}#ruling-1",
    )
    assert (the_deal().award, Ruling.objects.get().reason) == ("win", "miscounted")


def test_in_a_league_the_preview_shows_the_points_of_the_sessions_that_rank() -> None:
    """A court cancelled makes the match level: both share the places of the session, 10 and 8."""
    an_evening()
    plan = {"pairing": "round-robin", "points": "places"}
    Tournament.objects.update(format="league", plan=plan, tiebreaks=[])

    preview, _fields = look(a_member(Role.DIRECTOR), on_deal(), law="10.1", reason="")

    shown = " ".join(re.sub(r"<[^>]+>", " ", text_of(preview)).split())
    assert "10 9 match points 2 → 1" in shown
    assert "8 9 match points 0 → 1" in shown


@pytest.mark.parametrize("law", ["99.99 nonsense", "8.3, 8.9", "the late arrival"])
def test_a_law_that_there_is_not_is_refused_where_it_stands_with_the_remedy(law: str) -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    where = address("rule_on_entry", 1, "penalty")

    shown, fields = look(client, where, penalty="2", reason="late", law=law)
    client.post(where, fields | {"save": "1"})

    (told,) = shown.context["form"].errors["law"]
    assert told.startswith("Law: “")
    assert "is the number of no law" in told
    assert "put words into the reason" in told
    assert Ruling.objects.count() == 0


def test_laws_are_kept_as_they_are_numbered() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    where = address("rule_on_entry", 1, "penalty")

    _shown, fields = look(client, where, penalty="2", reason="late", law="laws 13.3 and 9.6")
    client.post(where, fields | {"save": "1"})

    assert Ruling.objects.get().law == "13.3, 9.6"


def test_a_ruling_rests_on_three_laws_at_most() -> None:
    an_evening()

    shown, _fields = look(a_member(Role.DIRECTOR), on_deal(), law="8.1, 8.2, 8.3, 8.4", reason="seen")

    assert shown.context["form"].errors["law"] == ["Law: 3 laws at most; put the others into the reason."]


def test_a_ruling_that_was_not_looked_at_is_shown_before_it_is_saved() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    where = address("rule_on_match", the_match().uid, "adjust")
    _preview, fields = look(client, where, courts_ns="3", courts_ew="1", reason="agreed")

    other = client.post(where, fields | {"courts_ns": "9", "save": "1"})
    again = fields | hidden_in(other) | {"courts_ns": "9", "save": "1"}

    assert "Nothing was saved yet" in text_of(other)
    assert Ruling.objects.count() == 0
    assert client.post(where, again).status_code == HTTPStatus.FOUND
    assert the_match().adjusted_ns == 9


def test_saving_twice_rules_once() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    _preview, fields = look(client, address("rule_on_entry", 1, "penalty"), penalty="2", reason="late")

    answers = [
        client.post(address("rule_on_entry", 1, "penalty"), fields | {"save": "1"}).status_code
        for _again in range(2)
    ]

    assert answers == [HTTPStatus.FOUND] * 2
    assert (Ruling.objects.count(), Entry.objects.get(number=1).penalty) == (1, 2)


def test_who_comes_second_sees_what_the_first_did_and_loses_nothing() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    where = address("rule_on_entry", 1, "penalty")
    _preview, fields = look(client, where, penalty="2", reason="late")
    penalise(1, 5)

    conflict = client.post(where, fields | {"save": "1"})

    assert conflict.status_code == HTTPStatus.CONFLICT
    assert "with a penalty of 5" in text_of(conflict)
    assert 'value="2"' in text_of(conflict)
    assert "late" in text_of(conflict)
    assert hidden_in(conflict)["base"] == "1"


@pytest.mark.parametrize(
    ("what", "fields", "words"),
    [
        ("award", {"team": "NS"}, "What would change"),
        ("void", {}, "What would change"),
        (
            "rule",
            {"stands": "other", "winner": "EW", "award": "win", "tricks_ew": "7", "tricks_ns": "2"},
            "What would",
        ),
        ("rule", {"stands": "other", "winner": "", "award": ""}, "Say which."),
        (
            "rule",
            {"stands": "other", "winner": "EW", "award": "win", "tricks_ns": "7"},
            "Nothing was written.",
        ),
        ("correct", {"text": "nothing"}, "Nothing was written."),
        ("award", {}, "This field is required."),
    ],
)
def test_every_way_of_ruling_on_a_deal_is_looked_at(what: str, fields: dict[str, str], words: str) -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    where = address("rule_on_deal", Deal.objects.get(number=2).uid, what)

    response, _fields = look(client, where, reason="seen", **fields)

    assert words in text_of(response)


@pytest.mark.parametrize("what", ["award", "rule"])
def test_a_team_of_a_deal_is_named_by_its_pair(what: str) -> None:
    an_evening()

    page = text_of(a_member(Role.DIRECTOR).get(on_deal(what)))

    assert "North–South: \u2068Asif Khan &amp; Bilal Shah\u2069" in page
    assert "East–West: \u2068Gita Garnet &amp; Hema Heron\u2069" in page


@pytest.mark.parametrize("what", ["adjust", "forfeit"])
def test_a_team_of_a_match_is_named_by_its_pair(what: str) -> None:
    an_evening()

    page = text_of(a_member(Role.DIRECTOR).get(address("rule_on_match", the_match().uid, what)))

    assert "North–South: \u2068Asif Khan &amp; Bilal Shah\u2069" in page
    assert '<abbr class="seat seat--EW" title="East–West">EW</abbr> <span class="pair"><bdi>Gita' in page


def test_a_ruling_is_taken_back_from_its_page() -> None:
    an_evening()
    penalise(1, 2)
    client = a_member(Role.DIRECTOR)

    _preview, fields = look(client, address("ruling_back", 1), reason="mistaken")
    client.post(address("ruling_back", 1), fields | {"save": "1"})

    assert (Entry.objects.get(number=1).penalty, Ruling.objects.get(number=2).kind) == (0, "taken-back")


def test_the_pages_of_scoring_lead_to_the_page_that_shows_the_ranks() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)

    for what in ("correct", "void", "rule"):
        response = client.get(reverse(f"scoring:{what}", args=[the_deal().uid]))

        assert response["Location"] == on_deal(what)
        assert client.get(on_deal(what)).status_code == HTTPStatus.OK


def test_there_is_no_other_way_of_ruling() -> None:
    an_evening()

    assert a_member(Role.DIRECTOR).get(on_deal("guess")).status_code == HTTPStatus.NOT_FOUND


# -- appeals


def test_the_pair_that_appeals_is_chosen_from_those_of_the_match_first() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    _preview, fields = look(client, on_deal(), reason="seen")
    client.post(on_deal(), fields | {"save": "1"})

    page = text_of(client.get(address("rulings_manage")))

    options = re.findall(r'<option value="(\d*)"', page)
    assert options == ["", "1", "4", "2", "3"]


def test_an_appeal_is_lodged_and_allowed() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    _preview, fields = look(client, address("rule_on_entry", 1, "penalty"), penalty="2", reason="late")
    client.post(address("rule_on_entry", 1, "penalty"), fields | {"save": "1"})
    act = "12345678-1234-4234-8234-123456789012"

    wrong = client.post(address("appeal_lodge", 1), {"act": act, "entry": "1", "reason": ""})
    client.post(address("appeal_lodge", 1), {"act": act, "entry": "1", "reason": "the hall was locked"})
    listed = text_of(client.get(address("rulings_manage")))
    undecided = client.post(address("appeal_decide", 1), {"act": act[:-1] + "3", "reason": "x"})
    client.post(
        address("appeal_decide", 1), {"act": act[:-1] + "4", "outcome": "allowed", "reason": "it was"}
    )

    assert wrong.status_code == undecided.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "the hall was locked" in listed
    assert list(AppealStep.objects.order_by("number").values_list("kind", flat=True)) == ["lodged", "allowed"]
    assert Entry.objects.get(number=1).penalty == 0


# -- closing


def step(client: Client, name: str, *arguments: Any, **fields: str) -> Any:
    page = text_of(client.get(address("closing")))
    acts = re.findall(r'name="act" value="([^"]+)"', page)
    return client.post(address(name, *arguments), {"act": acts[0] if acts else "", **fields})


def test_the_closing_page_takes_one_step_after_the_other() -> None:
    an_evening()
    client = a_member(Role.OWNER)
    blocked = step(client, "close_results")
    assert "round 1 table 2" in text_of(blocked)
    Match.objects.filter(state="open").update(state="void")
    Tournament.objects.update(appeal_minutes=0)

    step(client, "close_round", 1)
    assert Round.objects.get(number=1).state == "closed"
    step(client, "reopen_round", 1, reason="a slip was found")
    assert Round.objects.get(number=1).state == "published"
    for name, status in (
        ("close_results", "provisional"),
        ("make_official", "official"),
        ("make_final", "final"),
    ):
        step(client, name, sure="on")
        assert Tournament.objects.get().status == status
    client.post(address("reopen"), {"act": "12345678-1234-4234-8234-123456789012", "reason": "a slip"})

    assert Tournament.objects.get().status == "provisional"
    assert "a slip" in text_of(a_browser().get(address("rulings")))


def test_final_is_made_by_who_says_that_it_shall_be_locked() -> None:
    an_evening()
    Match.objects.filter(state="open").update(state="void")
    Tournament.objects.update(appeal_minutes=0)
    client = a_member(Role.DIRECTOR)
    step(client, "close_results")
    step(client, "make_official")

    refused = step(client, "make_final")

    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Tick this first: nothing was changed." in text_of(refused)
    assert Tournament.objects.get().status == "official"


def test_what_is_final_offers_nothing_that_would_be_refused() -> None:
    an_evening()
    Match.objects.filter(state="open").update(state="void")
    Tournament.objects.update(appeal_minutes=0)
    client = a_member(Role.DIRECTOR)
    pages = [
        address("manage"),
        f"{address('room')}?round=1",
        reverse("scoring:scoresheet", args=[the_match().scoresheet.uid]),
        reverse("tournaments:tournament", args=["rang"]),
    ]
    before = [text_of(client.get(where)) for where in (*pages, address("rulings"))]
    for name in ("close_results", "make_official", "make_final"):
        step(client, name, sure="on")

    after = [text_of(client.get(where)) for where in (*pages, address("rulings"))]

    words = ("data-controls", "Open again", "Record a deal", ">Rule<", "data-clock", "Upload an evening")
    found = [
        [[word for word in words if word in page.replace("</svg>", ">")] for page in pages_then]
        for pages_then in (before, after)
    ]
    assert found[0] == [
        ["data-controls", "data-clock", "Upload an evening"],
        ["data-controls", "Open again", ">Rule<", "data-clock"],
        ["Record a deal"],
        ["Upload an evening"],
        [">Rule<"],
    ]
    assert found[1] == [[], [], [], [], []]


# -- what everybody sees


def test_footnotes_stand_with_the_match_the_deal_and_the_line_of_the_standings() -> None:
    tournament = an_evening()
    client = a_member(Role.DIRECTOR)
    _preview, fields = look(client, on_deal(), reason="seen")
    client.post(on_deal(), fields | {"save": "1"})
    penalise(1, 1)
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)

    page = text_of(a_browser().get(address("tournament")))

    assert f'href="{address("rulings")}#ruling-1"' in page
    assert f'href="{address("rulings")}#ruling-2"' in page
    assert "2 rulings" in page


def marks_of(page: str, pair: str) -> list[str]:
    """Return the footnotes at a pair's line of the standings."""
    (line,) = (one for one in re.findall(r'(?s)<th scope="row">.*?</th>', page) if pair in one)
    return re.findall(rf'href="{address("rulings")}#ruling-(\d+)"', line)


def test_a_ruling_on_a_deal_or_a_match_is_a_footnote_at_both_pairs_of_the_standings() -> None:
    tournament = an_evening()
    client = a_member(Role.DIRECTOR)
    for where, what in (
        (on_deal(), {"reason": "seen"}),
        (
            address("rule_on_match", the_match().uid, "adjust"),
            {"courts_ns": "5", "courts_ew": "0", "reason": "agreed"},
        ),
    ):
        _preview, fields = look(client, where, **what)
        client.post(where, fields | {"save": "1"})
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)

    page = text_of(a_browser().get(address("standings")))

    pairs = [names.split(" & ")[1] for names in (ASIF, GITA, CHAND, ERUM)]
    assert [marks_of(page, pair) for pair in pairs] == [["1", "2"], ["1", "2"], [], []]


def test_the_scoresheet_says_which_courts_count_and_which_ruling_says_so() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    sheet = reverse("scoring:scoresheet", args=[the_match().scoresheet.uid])
    assert "ruled" not in text_of(a_browser().get(sheet))
    where = address("rule_on_match", the_match().uid, "adjust")
    _preview, fields = look(client, where, courts_ns="5", courts_ew="0", reason="agreed")
    client.post(where, fields | {"save": "1"})

    for page in (
        text_of(a_browser().get(sheet)),
        text_of(client.get(reverse("tournaments:results", args=[the_match().uid]))),
    ):
        told = page.partition('id="ruled"')[2].partition("</div>")[0]
        assert "A ruling stands above the scoresheet" in told
        assert re.sub("<[^>]+>", "", told.partition("<strong>")[2].partition("</strong>")[0]) == "5–0"
        assert f'<a href="{address("rulings")}#ruling-1">Ruling 1</a>' in told


def test_the_scoresheet_of_a_match_that_was_given_away_says_by_whom() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    where = address("rule_on_match", the_match().uid, "forfeit")
    _preview, fields = look(client, where, by="NS", reason="They left.")
    client.post(where, fields | {"save": "1"})

    page = text_of(a_browser().get(reverse("scoring:scoresheet", args=[the_match().scoresheet.uid])))

    assert "gave the match away" in page.partition('id="ruled"')[2].partition("</div>")[0]


def test_the_scoresheet_of_a_deal_that_was_ruled_on_links_to_the_ruling() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    _preview, fields = look(client, on_deal(), reason="seen")
    client.post(on_deal(), fields | {"save": "1"})

    page = text_of(a_browser().get(reverse("scoring:scoresheet", args=[the_match().scoresheet.uid])))

    assert "There is a ruling on this match or a deal of it." in page
    assert f'<a href="{address("rulings")}#ruling-1">Ruling 1</a>' in page


def test_the_public_list_says_who_ruled_by_role_only() -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    _preview, fields = look(client, on_deal(), reason="seen", law="10.1")
    client.post(on_deal(), fields | {"save": "1"})

    page = text_of(a_browser().get(address("rulings")))

    assert "a director" in page
    assert "law 10.1" in page
    assert "director of here" not in page


@pytest.mark.parametrize("language", ["en", "ur", "hi"])
def test_the_pages_are_there_with_names_in_every_script(language: str) -> None:
    an_evening(URDU, HINDI, ERUM, GITA)
    number = penalise(1, 1, reason="دیر سے آئے")
    appeals.lodge_appeal(actor=SERVER, slug="rang", ruling=number, entry=1, reason="नहीं", at=AT)
    client = a_member(Role.DIRECTOR)
    pages = [
        address("rulings"),
        address("rulings_manage"),
        address("ruling_choose"),
        address("closing"),
        address("ruling_back", 1),
        address("rule_on_match", the_match().uid, "forfeit"),
        address("rule_on_entry", 1, "disqualify"),
        on_deal(),
    ]

    for page in pages:
        response = client.get(page, HTTP_ACCEPT_LANGUAGE=language)

        assert response.status_code == HTTPStatus.OK
        assert page == on_deal() or page == address("closing") or "آصف خان" in text_of(response)


# -- rights


def directors_pages() -> list[str]:
    return [
        address("rulings_manage"),
        address("ruling_choose"),
        address("closing"),
        address("ruling_back", 1),
        address("rule_on_match", the_match().uid, "adjust"),
        address("rule_on_entry", 1, "penalty"),
        on_deal(),
    ]


def directors_acts() -> list[str]:
    steps = ("close_results", "make_official", "make_final", "reopen")
    of_a_round = [
        address(name, 1) for name in ("close_round", "reopen_round", "appeal_lodge", "appeal_decide")
    ]
    return [*(address(name) for name in steps), *of_a_round]


def test_nobody_but_the_clubs_directors_gets_in() -> None:
    an_evening()
    penalise(1, 1)
    goa = a_club("goa")
    strangers = [a_member(Role.PLAYER), a_member(Role.SCORER), a_member(Role.OWNER, goa)]

    for page in directors_pages():
        assert a_browser().get(page).status_code == HTTPStatus.FOUND
        assert {client.get(page).status_code for client in strangers} == {HTTPStatus.NOT_FOUND}
    for page in directors_acts():
        sent = {
            "act": "12345678-1234-4234-8234-123456789012",
            "entry": "1",
            "reason": "x",
            "outcome": "allowed",
        }
        assert a_browser().post(page, sent).status_code == HTTPStatus.FOUND
        assert {client.post(page, sent).status_code for client in strangers} == {HTTPStatus.NOT_FOUND}
    assert Ruling.objects.count() == 1


def test_rulings_of_a_private_tournament_are_its_own() -> None:
    an_evening(visibility="private")

    assert a_browser().get(address("rulings")).status_code == HTTPStatus.NOT_FOUND
    assert a_member(Role.SCORER).get(address("rulings")).status_code == HTTPStatus.OK


# -- cost


@pytest.mark.parametrize("rulings", [1, 3])
def test_the_lists_take_the_same_queries_whatever_their_length(
    rulings: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    an_evening()
    client = a_member(Role.DIRECTOR)
    for penalty in range(1, rulings + 1):
        penalise(1, penalty)

    with django_assert_num_queries(10):
        a_browser().get(address("rulings"))
    with django_assert_num_queries(13):
        client.get(address("rulings_manage"))
    with django_assert_num_queries(13):
        client.get(address("ruling_choose"))
    with django_assert_num_queries(16):
        client.get(address("closing"))
