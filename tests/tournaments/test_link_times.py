"""For how long a table's link takes deals, and that none is lost when that is over."""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from scoring.models import Deal
from tests.accounts.builders import AT, a_browser, a_user
from tests.tournaments.tables import a_text, a_tournament_with_links, at_table, the_link, the_match
from tournaments import queries
from tournaments.models import Round, Session, TableLink, Tournament
from tournaments.operations import sync
from tournaments.operations.creating import change_tables
from tournaments.operations.links import extend_table_links, renew_table_link
from tournaments.operations.sync import DeviceCount, Outcome, SentDeal

pytestmark = pytest.mark.django_db

LATE = AT + timedelta(days=9)
SOON = AT + timedelta(hours=47)


def some_links() -> Tournament:
    """Return a tournament whose links take deals for two days, as is usual."""
    tournament = a_tournament_with_links()
    Tournament.objects.update(link_hours=48)
    return tournament


def send(number: int, at: datetime, *, operation_id: UUID | None = None) -> Outcome:
    deal = SentDeal(
        operation_id=operation_id or uuid4(), scoresheet=the_match().scoresheet.uid, pcn=a_text(number)
    )
    count = DeviceCount(device=uuid4(), unsent=1)
    (outcome,) = sync.sync_deals(actor=at_table(), count=count, deals=[deal], at=at)
    return outcome


def why(outcome: Outcome) -> list[str]:
    return [problem["code"] for problem in outcome.problems]


def test_a_link_takes_deals_for_two_days_after_the_last_and_then_says_what_to_do() -> None:
    some_links()
    first = send(1, AT)

    second, late = send(2, SOON), send(3, LATE)

    assert (first.became, second.became) == ("created", "created")
    assert (late.became, why(late)) == ("rejected", ["link-expired"])
    assert "ask the director to extend the link" in late.problems[0]["message"]
    assert Deal.objects.count() == 2


def test_a_session_of_which_no_deal_is_in_has_not_begun_however_long_ago_its_links_were_made() -> None:
    some_links()

    assert send(1, LATE).became == "created"


def test_what_was_taken_before_is_answered_as_before() -> None:
    some_links()
    operation_id = uuid4()
    send(1, AT, operation_id=operation_id)

    again, just_that = send(1, LATE, operation_id=operation_id), send(1, LATE)

    assert (again.became, just_that.became) == ("created", "duplicate")


def test_an_extended_link_takes_the_deal_as_it_is() -> None:
    some_links()
    send(1, AT)
    operation_id = uuid4()
    refused = send(2, LATE, operation_id=operation_id)

    extended = extend_table_links(actor=SERVER, slug="rang", session=1, at=LATE)

    assert (refused.became, extended) == ("rejected", 2)
    assert send(2, LATE, operation_id=operation_id).became == "created"


@pytest.mark.parametrize("what", ["round", "start", "new link"])
def test_whatever_happens_in_the_session_makes_its_links_good_for_longer(what: str) -> None:
    some_links()
    send(1, AT)
    if what == "round":
        Round.objects.filter(number=3).update(published_at=LATE)
    elif what == "start":
        Session.objects.update(starts_at=LATE)
    else:
        renew_table_link(actor=SERVER, slug="rang", session=1, table="1", at=LATE)

    assert send(2, LATE).became == "created"


def test_without_an_hour_set_a_link_is_good_for_ever() -> None:
    some_links()
    send(1, AT)
    change_tables(actor=SERVER, slug="rang", confirmation=False, link_hours=None, at=AT)

    assert send(2, LATE).became == "created"


def test_the_table_says_whether_its_link_takes_deals() -> None:
    some_links()
    send(1, AT)

    states = [queries.table_state(actor=at_table(), now=at).takes_deals for at in (SOON, LATE)]

    assert states == [True, False]


def test_the_page_of_the_links_shows_until_when_and_extends_them() -> None:
    tournament = some_links()
    send(1, AT)
    director = a_user("Dina")
    Club.objects.get(pk=tournament.club_id).memberships.create(
        user=director, role=Role.DIRECTOR, created_at=AT
    )

    (session,) = queries.links_page("rang", actor=SERVER, now=LATE).sessions
    lines = [(line.until, line.is_expired) for line in session.tables]
    TableLink.objects.update(made_at=AT - timedelta(days=999))
    Round.objects.update(published_at=AT - timedelta(days=999))
    client = a_browser(director)
    answer = client.post(reverse("tournaments:links_extend", args=["rang"]), {"session": 1}, follow=True)

    assert lines == [(AT + timedelta(hours=48), True)] * 2
    assert "The links of session 1 take deals again." in answer.content.decode()
    assert the_link().extended_at is not None


def test_the_settings_take_the_hours_and_the_confirmation() -> None:
    tournament = some_links()
    director = a_user("Dina")
    Club.objects.get(pk=tournament.club_id).memberships.create(
        user=director, role=Role.DIRECTOR, created_at=AT
    )
    client = a_browser(director)
    address = reverse("tournaments:change_tables", args=["rang"])

    client.post(address, {"confirmation": "on", "link_hours": "12"})
    refused = client.post(address, {"link_hours": "0"})

    made = Tournament.objects.get()
    assert (made.confirmation, made.link_hours) == (True, 12)
    assert "greater than or equal to 1" in refused.content.decode()
