"""The links of tables: their secrets, who makes and revokes them, and the page that shows them."""

from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client, override_settings
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import AuditEntry, Club, Role
from courtpiece.accounts.permissions import SERVER, Action, Actor, Forbidden, TableGrant, may, require_user
from courtpiece.accounts.queries import NotFound
from tests.accounts.builders import AT, a_browser, a_user
from tests.tournaments.tables import (
    Device,
    a_director,
    a_tournament_with_links,
    at_table,
    the_link,
    the_match,
    the_secret,
)
from tournaments import queries
from tournaments.errors import LinkRevoked, NoSuchTable
from tournaments.link_secrets import secret_of, uid_of
from tournaments.models import TableLink
from tournaments.operations.links import make_table_links, renew_table_link, revoke_table_link

pytestmark = pytest.mark.django_db


# -- secrets


def test_a_secret_finds_its_link_and_says_nothing_of_another() -> None:
    uid = uuid4()

    assert uid_of(secret_of(uid)) == uid
    assert len(secret_of(uid)) == 43
    assert secret_of(uuid4()) != secret_of(uid)


@pytest.mark.parametrize("place", range(43))
def test_a_secret_with_one_other_character_opens_nothing(place: int) -> None:
    secret = secret_of(UUID("7f1f5c1a-3c53-4c0e-8f57-2c4f5b9d1e55"))
    others = {"A", "B", "_", "-", "9"} - {secret[place]}

    assert [uid_of(f"{secret[:place]}{other}{secret[place + 1 :]}") for other in sorted(others)] == [
        None for _ in others
    ]


@pytest.mark.parametrize("text", ["", "x", "=" * 43, "é" * 43, "A" * 42, "A" * 44, "\x00" * 43, " " * 43])
def test_what_is_no_secret_opens_nothing(text: str) -> None:
    assert uid_of(text) is None


def test_another_key_of_the_site_makes_other_secrets() -> None:
    uid = uuid4()
    secret = secret_of(uid)

    with override_settings(SECRET_KEY="another"):
        assert uid_of(secret) is None


# -- making and revoking


def test_every_table_of_a_session_gets_one_link_however_often_they_are_made() -> None:
    a_tournament_with_links()

    again = make_table_links(actor=SERVER, slug="rang", session=1, at=AT)

    assert again == 0
    assert list(TableLink.objects.order_by("table").values_list("table", flat=True)) == ["1", "2"]


def test_the_database_keeps_one_good_link_a_table() -> None:
    a_tournament_with_links()
    link = the_link()

    with pytest.raises(IntegrityError), transaction.atomic():
        TableLink.objects.create(session=link.session, table="1", made_at=AT)


def test_a_revoked_link_opens_nothing_and_the_others_stay() -> None:
    a_tournament_with_links()
    old = the_secret()

    assert revoke_table_link(actor=a_director(), slug="rang", session=1, table="1", at=AT)

    with pytest.raises(LinkRevoked):
        queries.grant_of(old)
    assert queries.grant_of(the_secret("2")) is not None
    assert not revoke_table_link(actor=SERVER, slug="rang", session=1, table="1", at=AT)


def test_a_link_that_is_renewed_by_one_act_is_renewed_once() -> None:
    a_tournament_with_links()
    old, act = the_secret(), uuid4()

    first, second = (
        renew_table_link(actor=SERVER, slug="rang", session=1, table="1", act_id=act, at=AT) for _ in range(2)
    )

    assert first == second == the_link().uid
    assert the_secret() != old
    assert TableLink.objects.filter(table="1").count() == 2


def test_what_was_done_is_written_down_without_a_secret() -> None:
    a_tournament_with_links()
    director = a_director()
    revoke_table_link(actor=director, slug="rang", session=1, table="1", at=AT)
    renew_table_link(actor=director, slug="rang", session=1, table="1", at=AT)

    found = AuditEntry.objects.filter(what__startswith="table-link").order_by("pk")

    assert [(entry.what, entry.user_id, entry.detail) for entry in found] == [
        ("table-links-made", None, {"tournament": "rang", "session": 1, "tables": ["1", "2"]}),
        ("table-link-revoked", director.user_id, {"tournament": "rang", "session": 1, "table": "1"}),
        ("table-link-renewed", director.user_id, {"tournament": "rang", "session": 1, "table": "1"}),
    ]


def test_a_table_or_a_session_that_there_is_not_is_told() -> None:
    a_tournament_with_links()

    with pytest.raises(NoSuchTable):
        renew_table_link(actor=SERVER, slug="rang", session=1, table="9", at=AT)
    with pytest.raises(NoSuchTable):
        make_table_links(actor=SERVER, slug="rang", session=2, at=AT)
    with pytest.raises(NotFound):
        make_table_links(actor=SERVER, slug="nowhere", session=1, at=AT)


def test_a_scorer_and_a_table_itself_make_no_links() -> None:
    a_tournament_with_links()
    scorer = Actor(user_id=a_user("Sana").pk, roles={Club.objects.get().pk: Role.SCORER})

    for actor in (scorer, at_table(), Actor()):
        for change in (renew_table_link, revoke_table_link):
            with pytest.raises(Forbidden):
                change(actor=actor, slug="rang", session=1, table="1", at=AT)
        with pytest.raises(Forbidden):
            make_table_links(actor=actor, slug="rang", session=1, at=AT)


# -- rights


def test_a_link_reaches_the_matches_at_its_table_in_its_session() -> None:
    a_tournament_with_links()
    grant = at_table("2").table

    assert grant is not None
    assert grant.scoresheet_ids == {the_match("2", round_number=number).scoresheet_id for number in (1, 2, 3)}


def test_a_link_may_see_and_record_its_own_scoresheets_and_nothing_else_of_anything() -> None:
    table = TableGrant(link_id=1, name="table 1", club_id=1, scoresheet_ids=frozenset({7}))
    actor = Actor(table=table)

    own = {
        action for action in Action if may(actor, action, club_id=1, visibility="private", scoresheet_id=7)
    }
    others = {
        action
        for action in Action
        for club_id, sheet in ((1, 8), (2, 7), (1, None), (None, 7), (None, None))
        if may(actor, action, club_id=club_id, visibility="private", scoresheet_id=sheet, is_participant=True)
        and not may(Actor(), action, club_id=club_id, visibility="private")
    }

    assert own - {Action.VIEW_CLUB} == {Action.VIEW_TOURNAMENT, Action.RECORD_DEAL, Action.VIEW_HELD_CARDS}
    assert others == set()


def test_a_grant_takes_from_a_user_whatever_else_they_might_do() -> None:
    table = TableGrant(link_id=1, name="table 1", club_id=1, scoresheet_ids=frozenset({7}))
    odd = Actor(user_id=1, is_site_admin=True, roles={1: Role.OWNER}, table=table)

    assert not may(odd, Action.RULE, club_id=1, visibility="private", scoresheet_id=7)
    with pytest.raises(Forbidden):
        require_user(odd)


# -- pages


def a_browser_of(role: Role) -> Client:
    user = a_user(role.value.capitalize())
    Club.objects.get().memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def test_the_page_shows_every_table_with_its_code_and_its_address() -> None:
    a_tournament_with_links()
    revoke_table_link(actor=SERVER, slug="rang", session=1, table="2", at=AT)

    page = a_browser_of(Role.DIRECTOR).get(reverse("tournaments:links", args=["rang"]))

    text = page.content.decode()
    assert f"http://testserver/table/#{the_secret()}" in text
    assert text.count('class="qr"') == 1
    assert "Revoked: nothing is taken by the old link." in text
    assert "no-store" in page["Cache-Control"]


def test_the_buttons_do_what_they_say() -> None:
    a_tournament_with_links()
    browser, old = a_browser_of(Role.DIRECTOR), the_secret()
    change = reverse("tournaments:link_change", args=["rang"])
    sent = {"session": 1, "table": "1", "act": str(uuid4())}

    renewed = browser.post(change, {**sent, "do": "renew"}, follow=True)
    browser.post(change, {**sent, "do": "renew"})
    revoked = browser.post(change, {"session": 1, "table": "1", "do": "revoke"}, follow=True)
    made = browser.post(reverse("tournaments:links_make", args=["rang"]), {"session": 1}, follow=True)

    assert "Table 1 has a new link." in renewed.content.decode()
    assert "The link of table 1 is revoked." in revoked.content.decode()
    assert "1 link is made." in made.content.decode()
    assert the_secret() != old
    assert TableLink.objects.filter(table="1").count() == 3


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"session": "x"},
        {"session": 1, "table": "1", "do": "sing"},
        {"session": 9, "table": "1", "do": "renew"},
    ],
)
def test_a_form_that_is_not_as_it_must_be_changes_nothing(sent: dict[str, object]) -> None:
    a_tournament_with_links()
    before = the_secret()

    answer = a_browser_of(Role.DIRECTOR).post(
        reverse("tournaments:link_change", args=["rang"]), sent, follow=True
    )

    assert answer.status_code == 200
    assert the_secret() == before


def test_a_director_of_another_club_finds_no_page() -> None:
    a_tournament_with_links()

    answer = a_browser(a_user("Omar")).get(reverse("tournaments:links", args=["rang"]))

    assert answer.status_code == 404


def test_slips_and_table_cards_carry_the_link_where_there_is_one() -> None:
    a_tournament_with_links()
    revoke_table_link(actor=SERVER, slug="rang", session=1, table="2", at=AT)
    director = a_browser_of(Role.DIRECTOR)

    slips, cards = (
        director.get(reverse("tournaments:print", args=["rang", kind]), {"round": 1}).content.decode()
        for kind in ("slips", "cards")
    )

    assert slips.count('aria-label="Enter the deals of this table"') == 1
    assert slips.count('aria-label="The scoresheet on the site"') == 1
    assert cards.count('aria-label="Enter the deals of this table"') == 1


def test_the_page_of_a_table_is_the_same_for_everybody() -> None:
    page = Client().get(reverse("tournaments:table_shell"))

    assert page.status_code == 200
    assert "<script" in page.content.decode()


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_page_takes_the_same_queries_whatever_there_is(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament_with_links()
    for _ in range(rounds):
        renew_table_link(actor=SERVER, slug="rang", session=1, table="1", at=AT)
    director = a_director()

    with django_assert_num_queries(10):
        queries.links_page("rang", actor=director, now=AT)


# -- what a director is told


def test_the_room_says_what_devices_have_not_sent_and_since_when_they_are_silent() -> None:
    a_tournament_with_links()
    director = a_browser_of(Role.DIRECTOR)
    Device(the_secret()).look(device=str(uuid4()), unsent=2)
    Device(the_secret("2")).look(device=str(uuid4()), unsent=0)

    page = " ".join(director.get(reverse("tournaments:room", args=["rang"])).content.decode().split())

    assert page.count("2 deals not yet sent, last heard <time") == 1
    assert page.count("not yet sent") == 1
