"""While a tournament keeps its cards from spectators, no address of the site shows one: every address, asked by all."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courtpiece.accounts import operations as accounts
from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import SERVER, Actor
from courtpiece.notation import read, write
from scoring.models import Deal, Player
from scoring.operations import record_deal
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.rights.routes import ROUTES
from tests.rights.test_rights import Scene, a_game_offered_to, a_paused_webhook, asked, rows_of
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_scheduled_tournament
from tournaments.link_secrets import secret_of
from tournaments.models import Match, TableLink, Tournament
from tournaments.operations.links import make_table_links
from tournaments.operations.live import SentState, change_live_delay, post_live_state
from tournaments.operations.standings import bring_up_to_date
from tournaments.queries import grant_of

pytestmark = pytest.mark.django_db

GOLDEN = Path(__file__).parents[1] / "golden" / "evening"
READERS = ("anybody", "far owner", "player", "entered")
TELL = frozenset(
    {
        "scoring:deal",
        "scoring:deal_pcn",
        "scoring:deal_pbn",
        "scoring:deal_svg",
        "scoring:scoresheet_pcn",
        "api-deal",
        "api-deal-replay",
        "api-deal-revisions",
    }
)
"""Where the cards of a deal stand once they are shown, at least."""


def a_record_with_cards() -> str:
    """Return a deal card by card, hands and all, without the tags of its match."""
    found = (
        reading.record for path in sorted(GOLDEN.glob("table-*.pcn")) for reading in read(path.read_bytes())
    )
    record = next(one for one in found if one and one.facts.tricks and one.facts.hands and one.deal == 1)
    tags = tuple(
        tag for tag in record.tags if tag[0] not in {"Event", "Site", "Date", "Round", "Table", "NS", "EW"}
    )
    return write(record._replace(tags=tags))


def what_tells(text: str) -> tuple[str, ...]:
    """Return every piece of the record that tells of a card."""
    lines = re.findall(r"^\d+\. (.+)$", text, re.MULTILINE)
    tags = re.findall(r'\[(?:Hands|FirstFive|Trump|Tricks) "(.+)"\]', text)
    hands = re.findall(r"[NESW]:([2-9TJQKA.]+)", text)
    return (*lines, *tags, *hands)


def a_scene(*, recorded_at: datetime, delay: int) -> Scene:
    home = a_club(members=[])
    rules = next(read(a_record_with_cards().encode())).record
    assert rules is not None
    tournament = a_scheduled_tournament(
        ASIF, CHAND, ERUM, GITA, club_id=home.pk, rules=str(rules.rules), live_delay=delay
    )
    match = Match.objects.select_related("ns", "ew", "scoresheet", "round__session").order_by("pk")[0]
    text = a_record_with_cards()
    record_deal(
        actor=SERVER, scoresheet_id=match.scoresheet_id, text=text, operation_id=uuid4(), at=recorded_at
    )
    make_table_links(actor=SERVER, slug=tournament.slug, session=1, at=AT)
    sent = SentState(
        device=uuid4(),
        scoresheet=match.scoresheet.uid,
        deal=2,
        sequence=1,
        pcn=re.sub(r'\[(Result|Courts|Tricks) ".*"\]\n', "", text).replace('[Deal "1"]', '[Deal "2"]'),
    )
    link = TableLink.objects.get(table=match.table)
    at_it = Actor(table=grant_of(secret_of(link.uid)))
    assert post_live_state(actor=at_it, sent=sent, at=recorded_at)
    bring_up_to_date(slug=tournament.slug, now=AT)
    users = {name: a_user(name) for name in (*READERS[1:], "scorer", "director", "owner")}
    far = a_club("far")
    for name, club_id, role in (
        ("far owner", far.pk, Role.OWNER),
        ("player", home.pk, Role.PLAYER),
        ("scorer", home.pk, Role.SCORER),
        ("director", home.pk, Role.DIRECTOR),
    ):
        accounts.add_member(actor=SERVER, club_id=club_id, email=users[name].email, role=role, at=AT)
    Player.objects.filter(pk=match.ns.partnership.first_id).update(user=users["entered"])
    deal = Deal.objects.get()
    game, offer, secret = a_game_offered_to(home.pk, a_user("stranger"))
    everybody = {**users, "anybody": None}
    hook = a_paused_webhook(home.pk)
    return Scene(home.pk, Tournament.objects.get(), match, deal, 0, game, offer, hook, secret, everybody)


def where_it_is_told(client: Client, scene: Scene, told: tuple[str, ...]) -> set[str]:
    """Return the addresses, of all that are asked by GET, whose answer has a piece of it."""
    found = set()
    for route, (_action, how) in rows_of(ROUTES).items():
        if how or route == "api-schema":
            continue
        for query in ("", "?format=pcn", "?format=pbn", "?format=svg", "?trump=S", "?at=20"):
            if query and "deal" not in route and "scoresheet" not in route:
                continue
            body = ask(client, route, scene.kwargs(route), query)
            if any(piece in body for piece in (*told, 'data-card="', 'data-play="')):
                found.add(route)
    return found


def ask(client: Client, route: str, kwargs: dict[str, object], query: str) -> str:
    if not query:
        return text_of(asked(client, route, frozenset(), kwargs))
    return text_of(client.get(reverse(route, kwargs=kwargs) + query))


def text_of(answer: Any) -> str:
    content: bytes = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode("utf-8", "replace").replace("&amp;", "&")


@pytest.mark.parametrize("reader", READERS)
def test_no_address_tells_a_card_before_its_time(reader: str) -> None:
    scene = a_scene(recorded_at=timezone.now() - timedelta(minutes=4), delay=5)

    found = where_it_is_told(a_browser(scene.users[reader]), scene, what_tells(a_record_with_cards()))

    assert found == set()


def test_when_the_time_is_over_the_same_addresses_tell() -> None:
    scene = a_scene(recorded_at=timezone.now() - timedelta(minutes=6), delay=5)

    found = where_it_is_told(a_browser(None), scene, what_tells(a_record_with_cards()))

    assert found >= TELL | {
        "api-scoresheet-deals",
        "tournaments:table",
        "scoring:deal_embed",
        "scoring:scoresheet",
    }


@pytest.mark.parametrize("reader", ["scorer", "director"])
def test_the_clubs_own_scorers_and_directors_see_the_record_at_once(reader: str) -> None:
    scene = a_scene(recorded_at=timezone.now(), delay=5)

    found = where_it_is_told(a_browser(scene.users[reader]), scene, what_tells(a_record_with_cards()))

    assert found >= TELL


def test_the_tables_own_link_sees_its_record_at_once() -> None:
    scene = a_scene(recorded_at=timezone.now(), delay=5)
    secret = secret_of(TableLink.objects.get(table=scene.match.table).uid)

    answer = Client(headers={"Authorization": f"Table {secret}"}).get("/api/v1/table")

    assert answer.json()["matches"][0]["deals"][0]["pcn"].count("\n1. ") == 1


def test_a_change_of_the_delay_holds_at_once_for_what_was_recorded_before() -> None:
    scene = a_scene(recorded_at=timezone.now() - timedelta(minutes=6), delay=5)
    director = scene.users["director"]
    assert director is not None
    told = what_tells(a_record_with_cards())
    before = where_it_is_told(a_browser(None), scene, told)

    change_live_delay(actor=as_actor(director), slug=scene.tournament.slug, live_delay=60, at=AT)

    assert before >= TELL
    assert where_it_is_told(a_browser(None), scene, told) == set()
