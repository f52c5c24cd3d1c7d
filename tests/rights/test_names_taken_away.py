"""After a name is hidden, nobody is given it; after it is taken away for good, it is kept nowhere.

A club is played through in which two people leave their names wherever a name can come: then every address of the site
is asked for everything there is about them, and every column of every table is read.
"""

import io
import itertools
import re
import zipfile
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db.models import Q
from django.test import Client
from django.urls import reverse

from courtpiece.accounts.models import Club, User
from courtpiece.accounts.permissions import SERVER, Actor
from scoring import operations as scoring
from scoring.link_secrets import secret_of as secret_of_game
from scoring.models import Deal, GameOffer, Partnership, Player, Scoresheet
from scoring.operations import persons
from tests.accounts.builders import AT, a_browser, a_user, as_actor
from tests.rights.routes import ROUTES
from tests.rights.test_rights import PATTERNS, rows_of
from tests.scoring.games import NAMES_AT_HOME, a_game
from tests.tournaments.archives import a_cup_with_everything
from tests.tournaments.builders import ASIF, CHAND, a_match, a_scheduled_tournament, upload
from tests.tournaments.tables import Device, a_text, an_item, the_secret
from tournaments.domain.entering import NewPair
from tournaments.models import Match, Round, Session, Tournament
from tournaments.operations import deliveries, entries, entry_changes, ratings, webhooks
from tournaments.operations.creating import change_tables
from tournaments.operations.links import make_table_links
from tournaments.operations.live import SentState, post_live_state
from tournaments.operations.standings import bring_up_to_date
from tournaments.queries.webhooks import KINDS

pytestmark = pytest.mark.django_db

ZARQA, ZAFAR = "Zarqa Quillon", "Zafar Zircon"
"""A player with an account, and a substitute without one."""
TOLD_BY = ("zarqa", "quillon", "quilon", "zafar", "zircon")
PAIR = f"{ZARQA} & Player 1B"


@pytest.fixture
def director() -> Actor:
    """The director of a club in which everything was done that a name comes to."""
    director = a_cup_with_everything(first=(ZARQA, "Player 1B"))
    club = Club.objects.get(slug="lahore")
    webhooks.make_webhook(
        actor=director, club_slug=club.slug, url="http://127.0.0.1:9/hook", kinds=list(KINDS), at=AT
    )
    user = a_user("Reader")
    scoring.link_player(actor=SERVER, player_id=the_player(ZARQA).pk, user_id=user.pk, at=AT)
    play_an_evening(director, club)
    change_entries(director, as_actor(user))
    say_who_is_who(director)
    take_a_game(director, club, user)
    for tournament in Tournament.objects.order_by("pk"):
        bring_up_to_date(slug=tournament.slug, now=AT)
        ratings.rate_matches(collection_id=tournament.collection_id)
        deliveries.fan_out(collection_id=tournament.collection_id, clock=lambda: AT)
    return director


def the_player(name: str) -> Player:
    return Player.objects.get(name=name)


def play_an_evening(director: Actor, club: Club) -> None:
    """Let the pair's names come in files, from phones and in what a table shows."""
    a_scheduled_tournament(PAIR, CHAND, ASIF, "Gita Garnet & Hema Heron", club_id=club.pk)
    upload(a_match(["NS 7-0 court", "EW 7-5"], ns=PAIR, ew="Gita Garnet & Hema Heron", round="1", table="1"))
    make_table_links(actor=SERVER, slug="rang", session=1, at=AT)
    change_tables(actor=SERVER, slug="rang", confirmation=True, link_hours=None, at=AT)
    match = Match.objects.select_related("scoresheet").get(
        round__number=2, ns__tournament__slug="rang", table="1"
    )
    tags = f'[NS "{PAIR}"]\n[EW "{PAIR}"]\n'
    phone, other = Device(the_secret()), Device(the_secret())
    sent = an_item(a_text(1, "EW 7-2", "N"), sheet=match.scoresheet.uid)
    (created,) = phone.outcomes({**sent, "side": "NS"})
    said = {
        "operation_id": str(uuid4()),
        "device": str(other.id),
        "side": "EW",
        "scoresheet": str(match.scoresheet.uid),
        "deal": created["deal"],
        "revision": 1,
        "verdict": "dispute",
        "pcn": tags + a_text(1, "EW 7-4", "N"),
    }
    answer = other.client.post("/api/v1/table/confirmations", said, content_type="application/json")
    assert answer.status_code == HTTPStatus.CREATED, answer.content
    state = SentState(
        device=UUID(int=7),
        scoresheet=match.scoresheet.uid,
        deal=2,
        sequence=1,
        pcn=f'{tags}[Deal "2"]\n[Dealer "E"]\n[Trump "S"]\n\n1. HA HJ H8\n*\n',
    )
    assert post_live_state(actor=director, sent=state, at=AT)


def change_entries(director: Actor, zarqa: Actor) -> None:
    """Let the pair ask, be declined, enter, be withdrawn, be another's in its place, and go."""
    club_id = Club.objects.get(slug="lahore").pk
    a_scheduled_tournament(CHAND, ASIF, club_id=club_id, slug="winter", format="swiss")
    Tournament.objects.filter(slug="winter").update(players_may_enter=True)
    of_winter: dict[str, Any] = {"slug": "winter", "at": AT}
    mine: dict[str, Any] = {"own_name": ZARQA, "partner": "Player 1B", "note": ""}
    entries.ask_to_play(actor=zarqa, **mine, **of_winter)
    entries.take_back_request(actor=zarqa, **of_winter)
    asked = entries.ask_to_play(actor=zarqa, **mine, **of_winter)
    entries.answer_request(actor=director, entry=asked, accept=False, act_id=uuid4(), **of_winter)
    pair = NewPair(row=1, names=(ZARQA, "Player 1B"))
    (number,) = entries.take_entries(actor=director, pairs=[pair], act_id=uuid4(), **of_winter)
    entry_changes.withdraw_entry(actor=director, entry=number, reason="Ill.", act_id=uuid4(), **of_winter)
    entry_changes.readmit_entry(actor=director, entry=number, act_id=uuid4(), **of_winter)
    for names in (("Omar Onyx", "Pavan Pearl"), (ZARQA, "Player 1B")):
        entry_changes.replace_pair(actor=director, entry=number, names=names, **of_winter)
    entry_changes.remove_entry(actor=director, entry=number, **of_winter)


def say_who_is_who(director: Actor) -> None:
    """Let another way of writing the name be merged into it, and somebody ask for the other name."""
    uid = scoring.name_player(actor=SERVER, club="lahore", name="Zarqa Quilon", at=AT)
    scoring.merge_players(actor=director, duplicate_uid=uid, kept_uid=the_player(ZARQA).uid, at=AT)
    stranger = as_actor(a_user("Stranger"))
    scoring.claim_player(actor=stranger, player_uid=the_player(ZAFAR).uid, note=f"I am {ZAFAR}.", at=AT)


def take_a_game(director: Actor, club: Club, owner: User) -> None:
    """Let the club take a game at home on which the name was typed."""
    game = a_game(owner, deals=1)
    Scoresheet.objects.filter(pk=game.pk).update(north_name=ZARQA, south_name=ZAFAR)
    scoring.share_game(actor=as_actor(owner), uid=game.uid, at=AT)
    offer = scoring.offer_game(actor=as_actor(owner), uid=game.uid, club=club.slug, at=AT)
    names = NAMES_AT_HOME | {"N": ZARQA, "S": ZAFAR}
    scoring.attach_game(actor=director, offer_uid=offer, names=names, visibility="public", sure=True, at=AT)


# -- where a name may be found


def told_by(text: str) -> list[str]:
    return [word for word in TOLD_BY if word in text.lower()]


def kept_in() -> dict[str, list[str]]:
    """Return the tables, with the rows, in which a name stands in any column."""
    found: dict[str, list[str]] = {}
    for model in apps.get_models():
        for row in model._base_manager.values():
            if told_by(repr(row)):
                found.setdefault(model._meta.label, []).append(repr(row))
    return found


def shown_at(browser: Client) -> list[str]:
    """Return the addresses whose answer has a name."""
    return [address for address in everything() if told_by(text_of(browser.get(address)))]


def everything() -> Iterator[str]:
    """Return every address of the site, about everything that the two have to do with."""
    values = values_of_routes()
    for name, (_action, how) in rows_of(ROUTES).items():
        if how & {"post", "put", "patch", "delete"}:
            continue
        wanted = re.findall(r"<\w+:(\w+)>", PATTERNS[name])
        for chosen in itertools.product(*(values[key] for key in wanted)):
            address = reverse(name, kwargs=dict(zip(wanted, chosen, strict=True)))
            yield address
            yield from (f"{address}?format={form}" for form in FORMATS.get(name, ()))
    for number in (1, 2):
        yield f"/tournaments/cup/?round={number}"
        yield f"/api/v1/tournaments/cup/standings?round={number}"


FORMATS = {
    "api-standings": ("csv", "ndjson", "xlsx", "html"),
    "api-crosstable": ("csv", "ndjson", "xlsx", "html"),
    "api-deal": ("pcn", "pbn"),
    "api-deals": ("pcn", "pbn", "ndjson", "csv"),
    "api-players": ("ndjson", "csv"),
    "api-partnerships": ("ndjson", "csv"),
    "api-scoresheets": ("ndjson", "csv"),
    "api-tournament-scoresheets": ("ndjson", "csv"),
    "api-scoresheet-deals": ("pcn", "pbn", "ndjson"),
    "api-tournament-deals": ("pcn", "pbn", "ndjson", "csv"),
}


def values_of_routes() -> dict[str, list[Any]]:
    """Return what the parts of addresses may be."""
    player = the_person()
    pair = Partnership.objects.filter(first=player).first() or Partnership.objects.get(second=player)
    matches = Match.objects.filter(ns__partnership=pair) | Match.objects.filter(ew__partnership=pair)
    sheets = list(matches.values_list("scoresheet_id", flat=True))
    shared = Scoresheet.objects.get(links__isnull=False)
    uids = [
        player.uid,
        pair.uid,
        shared.uid,
        *GameOffer.objects.values_list("uid", flat=True),
        *matches.values_list("uid", flat=True)[:4],
        *Scoresheet.objects.filter(pk__in=sheets).values_list("uid", flat=True)[:4],
        *Deal.objects.filter(scoresheet__in=[*sheets, shared.pk]).values_list("uid", flat=True)[:6],
        Session.objects.filter(tournament__slug="cup")[0].uid,
        *Round.objects.filter(tournament__slug="cup").values_list("uid", flat=True),
    ]
    return {
        "slug": ["lahore", "cup", "rang", "winter"],
        "uid": uids,
        "number": [1, 2],
        "round_number": [1],
        "table": ["1"],
        "kind": ["draw", "slips", "cards", "standings", "crosstable", "certificates"],
        "form": ["csv", "ndjson", "pcn"],
        "what": ["void", "adjust", "penalty"],
        "player": [player.pk],
        "secret": [the_secret(), secret_of_game(shared.links.get().uid)],
        "wish_id": [0],
        "token_id": [0],
        "user_id": [0],
        "address": ["check"],
    }


def the_person() -> Player:
    """Return Zarqa, whatever she is called."""
    return Player.objects.get(duplicates__isnull=False)


def text_of(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if not body.startswith(b"PK"):
        return str(body.decode("utf-8", "replace"))
    with zipfile.ZipFile(io.BytesIO(body)) as parts:
        return "".join(parts.read(name).decode("utf-8", "replace") for name in parts.namelist())


def browser_of(actor: Actor) -> Client:
    return a_browser(User.objects.get(pk=actor.user_id or 0))


# -- what is shown and kept


def test_everybody_is_shown_the_names_before(director: Actor) -> None:
    shown = shown_at(Client())

    # Else the two tests below would look where nothing ever was.
    assert {"/tournaments/cup/", "/tournaments/cup/ranks/", "/api/v1/tournaments/cup/standings"} <= set(shown)
    assert len(shown) > 50
    assert {"scoring.Player", "scoring.NameKey", "tournaments.RoundStandings"} <= set(kept_in())


def test_a_name_that_is_hidden_is_given_to_nobody(director: Actor) -> None:
    for name in (ZARQA, ZAFAR):
        persons.hide_name(actor=SERVER, player_uid=the_player(name).uid, at=AT)

    behind = shown_at(Client())
    bring_up_to_date(slug="cup", now=AT)

    assert (behind, shown_at(Client())) == ([], [])


def test_a_name_that_was_taken_away_is_kept_nowhere(director: Actor) -> None:
    for name in (ZARQA, ZAFAR):
        persons.anonymise_player(actor=director, player_id=the_player(name).pk, at=AT)

    behind = shown_at(browser_of(director))
    for slug in ("cup", "rang", "winter"):
        bring_up_to_date(slug=slug, now=AT)

    assert behind == []
    assert kept_in() == {}


def test_the_log_knows_who_it_was_and_shows_the_name_of_today(director: Actor) -> None:
    before, pair = read_log(director), name_of_the_pair()
    persons.anonymise_player(actor=director, player_id=the_player(ZARQA).pk, at=AT)
    after, made = read_log(director), name_of_the_pair()

    for what in ("partnership", "partnerships", "before"):
        assert f"{what}: {pair}" in before
        assert f"{what}: {made}" in after
    assert f"substitute: {ZAFAR}" in before
    assert f"player: {the_person().name}" in after


def name_of_the_pair() -> str:
    partner = the_player("Player 1B")
    row = Partnership.objects.get(Q(first=partner) | Q(second=partner))
    return f"{row.first.name} &amp; {row.second.name}"


def read_log(director: Actor) -> str:
    page = text_of(browser_of(director).get("/accounts/club/lahore/log/"))
    return re.sub(r"<[^>]+>", "", page)
