"""Who gets in where: every address, asked by everybody."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from channels.db import database_sync_to_async
from django.core.management import call_command
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, path, reverse
from django.urls.resolvers import RegexPattern
from rest_framework.permissions import SAFE_METHODS

from courtpiece.accounts import operations as accounts
from courtpiece.accounts.models import Role, User
from courtpiece.accounts.permissions import SERVER, Action, Actor, Scope, may
from courtpiece.accounts.rights import rights_table
from courtpiece.project.asgi import application
from scoring import operations as games
from scoring.derived import DealAnalysis
from scoring.link_secrets import secret_of as secret_of_game
from scoring.models import Deal, GameOffer, PersonRequest, Player, Scoresheet
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.rights.routes import AS_A_WHOLE, ROUTES, SOCKETS, WRITING
from tests.scoring.games import NAMES_AT_HOME, a_game
from tests.sockets import SocketVisitor
from tests.tournaments import drawn
from tournaments.consumers import NowhereConsumer
from tournaments.link_secrets import secret_of
from tournaments.models import Absence, Entry, Match, TableLink, Tournament, Webhook
from tournaments.operations import wishes
from tournaments.operations.decisions import Penalise
from tournaments.operations.links import make_table_links
from tournaments.operations.rulings import NewRuling, make_ruling
from tournaments.operations.running import change_tournament
from tournaments.operations.standings import bring_up_to_date
from tournaments.queries import grant_of
from tournaments.routing import websocket_urlpatterns

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
NOWHERE = UUID(int=0)


def rows_of(table: str) -> dict[str, tuple[str, frozenset[str]]]:
    rows = (line.split() for line in table.strip().splitlines())
    return {name: (action, frozenset(how)) for name, action, *how in rows}


def routes_of(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Return every route of ours with its name; one that has none by its pattern, which no row can be."""
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            yield from routes_of(part, part.namespace or space)
        elif not is_of_a_library(part, space):
            name = part.name or f"no name: {part.pattern}"
            yield (f"{space}:{name}" if space else name), part


def is_of_a_library(part: URLPattern, space: str) -> bool:
    of_allauth = (part.name or "").startswith(("account_", "mfa_")) and part.callback.__module__.startswith(
        "allauth."
    )
    return space == "admin" or of_allauth


def writing_of(part: URLPattern) -> frozenset[str]:
    """Return by which methods a view of the API takes what it is sent."""
    view = getattr(part.callback, "cls", None)
    methods = {name.lower() for name in view.http_method_names} if view else set()
    return frozenset(
        name for name in methods - {name.lower() for name in SAFE_METHODS} if hasattr(view, name)
    )


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert sorted(name for name, _part in routes_of(get_resolver())) == sorted(rows_of(ROUTES))
    assert set(AS_A_WHOLE) == {"admin", "account", "mfa"}


def test_an_address_without_a_name_or_with_the_name_of_another_is_one_without_a_row() -> None:
    def secret(_request: HttpRequest) -> HttpResponse:
        return HttpResponse("for nobody's eyes")

    class New:
        url_patterns = (path("secret/", secret), path("secret/", secret, name="account_secret"))

    assert [name for name, _part in routes_of(New())] == ["no name: secret/", "account_secret"]  # type: ignore[arg-type]


def test_whatever_the_api_takes_has_a_row() -> None:
    found = {(name, how) for name, part in routes_of(get_resolver()) for how in writing_of(part)}

    asked_so = {(name, how) for name, (_action, way) in rows_of(ROUTES).items() for how in way}
    sent_so = {(name, how) for name, (_action, way) in rows_of(WRITING).items() for how in way}
    of_the_api = {(name, how) for name, how in asked_so if name.startswith("api-") and how != "json"}
    assert found == sent_so | of_the_api


def test_every_socket_has_a_row_and_every_row_a_socket() -> None:
    *sockets, last = websocket_urlpatterns

    assert [str(part.pattern) for part in sockets] == list(rows_of(SOCKETS))
    assert isinstance(last.pattern, RegexPattern)
    assert last.callback.consumer_class is NowhereConsumer


def test_the_document_has_what_the_command_prints() -> None:
    out = StringIO()
    call_command("rights", stdout=out)

    assert out.getvalue() == rights_table()
    assert (ROOT / "docs" / "rights.md").read_text(encoding="utf-8").endswith(f"\n\n{rights_table()}")


# -- everybody, everywhere


@dataclass(frozen=True)
class Scene:
    """A club with a private tournament that goes on, another club, and a stranger's own game that it is offered."""

    club_id: int
    tournament: Tournament
    match: Match
    deal: Deal
    wish_id: int
    game: Scoresheet
    offer: GameOffer
    hook: Webhook
    secret: str
    users: dict[str, User | None]
    persons: dict[str, UUID] = field(default_factory=dict)
    """What the routes about players are asked for: a player with an account, a claim that waits, a merge."""

    def kwargs(self, name: str, *, unknown: bool = False) -> dict[str, Any]:
        """Return what the route is asked for; with ``unknown`` what there is not."""
        slug: str = self.tournament.slug
        if name in {
            "accounts:club_edit",
            "accounts:members",
            "accounts:member_role",
            "accounts:member_remove",
        }:
            slug = "lahore"
        if name in {
            "accounts:log",
            "tournaments:create",
            "tournaments:club",
            "api-club",
            "api-club-archives",
            "api-club-ratings",
            "scoring:club_games",
            "tournaments:webhooks",
            "tournaments:webhook",
            "tournaments:webhook_change",
            "tournaments:webhook_do",
            "scoring:club_ratings",
            "scoring:club_people",
            "scoring:club_people_merge",
        } or name.startswith(("scoring:club_statistics", "api-club-statistics")):
            slug = "lahore"
        uids = {
            "api-session": self.match.round.session.uid,
            "api-round": self.match.round.uid,
            "tournaments:match_state": self.match.uid,
            "tournaments:results": self.match.uid,
            "tournaments:slip": self.match.uid,
            "tournaments:rule_on_match": self.match.uid,
            "tournaments:entry_substitute": self.match.uid,
            "tournaments:entry_substitute_back": self.match.uid,
            "api-match": self.match.uid,
            **self.persons,
            "scoring:player": Player.objects.order_by("pk")[0].uid,
            "api-player": Player.objects.order_by("pk")[0].uid,
            "api-player-history": Player.objects.order_by("pk")[0].uid,
            "api-player-rating": Player.objects.order_by("pk")[0].uid,
            "scoring:partnership": self.match.ns.partnership.uid,
            "api-partnership": self.match.ns.partnership.uid,
            "api-partnership-rating": self.match.ns.partnership.uid,
            "api-partnership-record": self.match.ns.partnership.uid,
        }
        if name.startswith(("scoring:game", "api-game")):
            uids[name] = self.offer.uid if name.endswith(("_take", "_decline")) else self.game.uid
        if name.startswith("tournaments:webhook"):
            uids[name] = self.hook.uid
        uid = self.match.scoresheet.uid if "scoresheet" in name or name == "scoring:record" else self.deal.uid
        number = 1
        what = {"rule_on_deal": "void", "rule_on_match": "adjust", "rule_on_entry": "penalty"}
        values = {
            "slug": "nowhere" if unknown else slug,
            "table": self.match.table,
            "uid": NOWHERE if unknown else uids.get(name, uid),
            "number": number,
            "round_number": 3,
            "player": Player.objects.order_by("pk")[0].pk,
            "kind": "draw",
            "form": "csv",
            "what": what.get(name.partition(":")[2], ""),
            "wish_id": self.wish_id,
            "token_id": 999_999,
            "user_id": member.pk if (member := self.users["owner"]) else 0,
            "address": "check",
            "secret": "nothing" if unknown else self.secret,
        }
        wanted = re.findall(r"<\w+:(\w+)>", PATTERNS[name])
        return {key: values[key] for key in wanted}


def patterns_of(resolver: URLResolver, space: str = "", before: str = "") -> Iterator[tuple[str, str]]:
    for part in resolver.url_patterns:
        here = f"{before}{part.pattern}"
        if isinstance(part, URLResolver):
            yield from patterns_of(part, part.namespace or space, here)
        else:
            yield (f"{space}:{part.name}" if space else f"{part.name}"), here


PATTERNS = dict(patterns_of(get_resolver()))


ACTORS = (
    "anybody",
    "table link",
    "stranger",
    "far scorer",
    "far director",
    "far owner",
    "player",
    "entered",
    "scorer",
    "director",
    "owner",
    "admin",
)


@pytest.fixture
def scene() -> Scene:
    drawn.a_tournament("swiss", 4, rounds=3)
    tournament = Tournament.objects.get()
    one = drawn.a_round()
    match = (
        Match.objects.select_related("ns", "ew", "scoresheet", "round__session")
        .filter(round=one)
        .order_by("pk")[0]
    )
    drawn.finish(match)
    change_tournament(actor=SERVER, slug=tournament.slug, name="Cup", visibility="private", at=AT)
    entry = Entry.objects.get(number=1)
    Absence.objects.create(entry=entry, round_number=3, kind="absent")
    wish = wishes.NewWish(kind="apart", first=1, second=2, round_number=None, reason="they share a car")
    wishes.add_wish(actor=SERVER, slug=tournament.slug, wish=wish, act_id=uuid4(), at=AT)
    decision = Penalise(entry=1, version=Entry.objects.get(number=1).version, penalty=1)
    make_ruling(
        actor=SERVER, slug=tournament.slug, new=NewRuling(decision=decision, reason="They came late."), at=AT
    )
    users: dict[str, User | None] = {name: a_user(name) for name in ACTORS[2:-1]}
    users |= {"anybody": None, "table link": None}
    users["admin"] = a_user("admin", is_site_admin=True)
    far = a_club("far")
    for name, club_id, role in (
        ("far scorer", far.pk, Role.SCORER),
        ("far director", far.pk, Role.DIRECTOR),
        ("far owner", far.pk, Role.OWNER),
        ("player", tournament.club_id, Role.PLAYER),
        ("scorer", tournament.club_id, Role.SCORER),
        ("director", tournament.club_id, Role.DIRECTOR),
        ("owner", tournament.club_id, Role.OWNER),
    ):
        user = users[name]
        assert user is not None
        accounts.add_member(actor=SERVER, club_id=club_id, email=user.email, role=role, at=AT)
    Player.objects.filter(pk=entry.partnership.first_id).update(user=users["entered"])
    make_table_links(actor=SERVER, slug=tournament.slug, session=1, at=AT)
    bring_up_to_date(slug=tournament.slug, now=AT)
    game, offer, secret = a_game_offered_to(tournament.club_id, users["stranger"])
    return Scene(
        tournament.club_id,
        Tournament.objects.get(),
        match,
        an_analysed_deal(match),
        wishes_of(tournament),
        game,
        offer,
        a_paused_webhook(tournament.club_id),
        secret,
        users,
        some_requests(entry.partnership.first, users["stranger"]),
    )


def a_paused_webhook(club_id: int) -> Webhook:
    return Webhook.objects.create(
        club_id=club_id,
        url="https://example.org/",
        kinds=["deal.recorded"],
        made_at=AT,
        paused_at=AT,
        paused_because="person",
    )


def an_analysed_deal(match: Match) -> Deal:
    """Return a deal of the match whose analysis has been found, though its record does not tell the cards."""
    deal = Deal.objects.filter(scoresheet=match.scoresheet_id).order_by("number")[0]
    found = {"caller": "E", "trump": "S", "chosen": True, "tricks": dict.fromkeys("SHDC", 7), "best": ["S"]}
    found |= {"five": None, "plays": [], "stopped": False}
    DealAnalysis.objects.create(revision=deal.revisions.get(), asked_at=AT, found=found, found_at=AT)
    return deal


def some_requests(kept: Player, stranger: User | None) -> dict[str, UUID]:
    """Return what the routes about players are asked for; the claim waits, and the merge was made."""
    one, other = Player.objects.filter(club=kept.club_id).exclude(pk=kept.pk).order_by("-pk")[:2]
    claim = PersonRequest.objects.create(kind="claim", player=one, asked_by=stranger, asked_at=AT)
    merge = PersonRequest.objects.create(
        kind="merge", player=other, kept=kept, asked_at=AT, state="approved", answered_at=AT
    )
    of_the_player = dict.fromkeys(("claim", "ask", "hide", "anonymise"), kept.uid)
    uids = {**of_the_player, "answer": claim.uid, "undo": merge.uid}
    return {f"scoring:person_{name}": uid for name, uid in uids.items()}


def a_game_offered_to(club_id: int, owner: User | None) -> tuple[Scoresheet, GameOffer, str]:
    """Return a game of that user's own, the offer of it, and the secret of its link."""
    assert owner is not None
    game = a_game(owner, deals=1)
    link = games.share_game(actor=as_actor(owner), uid=game.uid, at=AT)
    offer = GameOffer.objects.create(scoresheet=game, club_id=club_id, offered_by=owner, offered_at=AT)
    return game, offer, secret_of_game(link)


def wishes_of(tournament: Tournament) -> int:
    return int(tournament.wishes.order_by("pk").values_list("pk", flat=True)[0])


def visitor(scene: Scene, name: str) -> tuple[Actor, Client]:
    """Return who that is, and what they ask with."""
    user = scene.users[name]
    if name != "table link":
        return Actor() if user is None else as_actor(user), a_browser(user)
    secret = secret_of(TableLink.objects.get(table=scene.match.table).uid)
    return Actor(table=grant_of(secret)), Client(headers={"Authorization": f"Table {secret}"})


@contextmanager
def taken_back() -> Iterator[None]:
    """Let whatever is done in the block not have been done."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # operations are durable
    with block:
        yield
        transaction.set_rollback(True)


def asked(client: Client, name: str, how: frozenset[str], kwargs: dict[str, Any]) -> Any:
    address = reverse(name, kwargs=kwargs)
    with taken_back():
        if "put" in how:
            return client.put(
                address, {"seats": NAMES_AT_HOME, "club": "lahore"}, content_type="application/json"
            )
        if "post" in how:
            data = {"state": "finished"} if name == "tournaments:match_state" else {}
            if "json" in how:
                return client.post(address, data | body_of(name), content_type="application/json")
            return client.post(address, data)
        return client.get(address)


def sent(client: Client, name: str, how: str, kwargs: dict[str, Any]) -> Any:
    record = '[Deal "9"]\n[Dealer "N"]\n[Result "NS 7-4"]\n'
    body: dict[str, object] = {"operation_id": str(uuid4()), "pcn": record}
    if name == "api-sync":
        sheet = str(Scoresheet.objects.exclude(deals_count=0)[0].uid)
        body = {"device": str(uuid4()), "unsent": 1, "items": [{**body, "scoresheet": sheet}]}
    if name == "api-scoresheets":
        body = {"id": str(uuid4()), "rules": "court-piece", "seats": NAMES_AT_HOME}
    body |= body_of(name)
    address = reverse(name, kwargs=kwargs)
    with taken_back():
        return client.generic(
            how.upper(),
            address,
            json.dumps(body),
            content_type="application/json",
            headers={"If-Match": "*"},
        )


def body_of(name: str) -> dict[str, object]:
    """Return what is sent to the address beside the operation's id."""
    club, pair = {"club": "lahore", "name": "New"}, ["Nadia New", "Omar Other"]
    bodies: dict[str, dict[str, object]] = {
        "api-deal-revisions": {"base_revision": 1, "reason": "It was not so."},
        "api-clubs": {"slug": "new", "name": "New", "timezone": "UTC"},
        "api-players": {**club},
        "api-partnerships": {"club": "lahore", "players": pair},
        "api-tournaments": {**club},
        "api-tournament-entries": {"operation_id": str(uuid4()), "entries": [{"players": pair}]},
        "api-tournament-rounds": {"operation_id": str(uuid4()), "seed": 1},
        "api-tournament-sessions": {"sessions": [{"place": "Here"}]},
        "api-round": {"state": "closed"},
        "api-match": {"state": "finished"},
    }
    return bodies.get(name, {})


LET_IN = frozenset({200, 201, 204, 302, 303, 308, 400, 409, 422})
"""What is shown or done, or what was asked without saying enough."""
REFUSED = frozenset({401, 403, 404})


def is_let_in(answer: Any) -> bool:
    assert answer.status_code in LET_IN | REFUSED, (answer.request["PATH_INFO"], answer.status_code)
    return answer.status_code in LET_IN and "/accounts/login/" not in answer.get("Location", "")


def is_allowed(actor: Actor, action: str, scene: Scene, *, entered: bool) -> bool:
    if action == "everybody":
        return True
    if action == "public-only":
        return False
    if action == "signed-in":
        return actor.is_signed_in
    if action.endswith("at-a-table"):
        return actor.table is not None or (action.startswith("in-or-") and actor.is_signed_in)
    if action == "own-player":
        return entered or actor.is_site_admin
    if action == "own-or-managed":
        return entered or may(actor, Action.MANAGE_PEOPLE, club_id=scene.club_id)
    if action == "own-game":
        return actor.is_site_admin or (actor.is_signed_in and actor.user_id == scene.game.owner_id)
    wanted = Action(action)
    return may(
        actor,
        wanted,
        club_id=scene.club_id,
        visibility="public" if wanted in {Action.VIEW_CLUB, Action.CREATE_CLUB} else "private",
        is_participant=entered,
    )


NOTHING_THERE = {
    "accounts:token_revoke",
    "tournaments:entries_take_back",
    "tournaments:entry_substitute_back",
    "scoring:person_take_back",
}
"""Asked for what there is not: whoever may is told so, which looks the same."""


@pytest.mark.parametrize("name", ACTORS)
def test_everybody_gets_in_where_they_may_and_nowhere_else(scene: Scene, name: str) -> None:
    user = scene.users[name]
    actor, client = visitor(scene, name)
    rows = {route: row for route, row in rows_of(ROUTES).items() if route not in NOTHING_THERE}

    expected = {
        route: is_allowed(actor, action, scene, entered=name == "entered")
        and not ("sign-in" in how and user is None)
        for route, (action, how) in rows.items()
    }
    found = {
        route: is_let_in(asked(client, route, how, scene.kwargs(route)))
        for route, (_action, how) in rows.items()
    }

    assert {route: got for route, got in found.items() if got != expected[route]} == {}


@pytest.mark.parametrize("name", ACTORS)
def test_what_a_page_also_takes_is_taken_from_those_who_may_see_it_only(scene: Scene, name: str) -> None:
    user = scene.users[name]
    actor, client = visitor(scene, name)
    found = {}
    views_of_the_api = {route for route, part in routes_of(get_resolver()) if hasattr(part.callback, "cls")}
    for route, (action, how) in rows_of(ROUTES).items():
        if "post" in how or route in NOTHING_THERE or route in views_of_the_api:
            continue
        answer = asked(client, route, frozenset({"post"}), scene.kwargs(route))
        is_right = is_allowed(actor, action, scene, entered=name == "entered")
        if answer.status_code != 405 and is_let_in(answer) != (
            is_right and not ("sign-in" in how and not user)
        ):
            found[route] = answer.status_code

    assert found == {}


@pytest.mark.parametrize("scope", Scope)
def test_a_token_gets_in_where_its_scope_lets_it(scene: Scene, scope: Scope) -> None:
    owner = scene.users["owner"]
    assert owner is not None
    token = accounts.create_token(actor=as_actor(owner), name="program", scopes=[scope.value], at=AT)
    client = Client(headers={"Authorization": f"Bearer {token.text}"})
    actor = as_actor(owner, scopes=[scope])
    rows = {route: row for route, row in rows_of(ROUTES).items() if route.startswith("api-")}

    found = {
        route: is_let_in(asked(client, route, how, scene.kwargs(route)))
        for route, (_action, how) in rows.items()
    }
    assert found == {
        route: is_allowed(actor, action, scene, entered=False) for route, (action, _how) in rows.items()
    }
    assert what_is_taken(client, scene) == what_may_be_sent(actor, scene)


@pytest.mark.parametrize("name", ACTORS)
def test_everybody_sends_the_api_what_they_may_and_nothing_else(scene: Scene, name: str) -> None:
    user = scene.users[name]
    actor = Actor() if user is None else as_actor(user)
    expected = what_may_be_sent(actor, scene, entered=name == "entered")

    assert what_is_taken(a_browser(user), scene) == expected
    if user is not None:
        token = accounts.create_token(actor=as_actor(user), name="program", scopes=[*Scope], at=AT)
        program = Client(headers={"Authorization": f"Bearer {token.text}"})
        assert what_is_taken(program, scene) == expected


def what_is_taken(client: Client, scene: Scene) -> dict[tuple[str, str], bool]:
    return {
        (route, method): is_let_in(sent(client, route, method, scene.kwargs(route)))
        for route, (_action, how) in rows_of(WRITING).items()
        for method in how
    }


def what_may_be_sent(actor: Actor, scene: Scene, *, entered: bool = False) -> dict[tuple[str, str], bool]:
    return {
        (route, method): is_allowed(actor, action, scene, entered=entered)
        for route, (action, how) in rows_of(WRITING).items()
        for method in how
    }


def test_a_table_link_writes_by_the_batches_of_its_table_only(scene: Scene) -> None:
    _actor, client = visitor(scene, "table link")

    routes = (*rows_of(WRITING), "api-sync")
    found = {route: sent(client, route, "post", scene.kwargs(route)) for route in routes}

    assert {route: answer.status_code for route, answer in found.items()} == {
        **dict.fromkeys(rows_of(WRITING), 401),
        "api-sync": 200,
    }


def test_what_is_forbidden_looks_like_what_there_is_not(scene: Scene) -> None:
    client = a_browser(scene.users["far owner"])
    different = {}
    for route, (action, how) in rows_of(ROUTES).items():
        if action in {"everybody", "signed-in", "create-club", "view-club"} or route in NOTHING_THERE:
            continue
        answers = [
            asked(client, route, how, scene.kwargs(route, unknown=unknown)) for unknown in (False, True)
        ]
        told = [(one.status_code, plain(one, scene)) for one in answers]
        if told[0] != told[1]:
            different[route] = told

    assert different == {}


def plain(answer: Any, scene: Scene) -> str:
    """Return the body without what is asked for, and without what is new in every answer."""
    text = answer.content.decode()
    for word in (scene.tournament.slug, "lahore", "nowhere"):
        text = text.replace(f"/{word}", "/…")
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "…", text)
    return re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", text)


# -- sockets: asked of the whole site, as a browser asks with its cookies, or a program with its token

NOT_HERE = {"type": "websocket.close", "code": 4404}


async def answer_of_a_socket(address: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    """Return what is said first to who knocks there."""
    visitor = SocketVisitor(application, address, headers=[(b"host", b"testserver"), *headers])
    assert await visitor.connect()
    answer = dict(await visitor.receive_event())
    await visitor.disconnect()
    return {key: value for key, value in answer.items() if value}


def address_of(pattern: str, slug: str) -> str:
    return "/" + re.sub(r"<\w+:\w+>", slug, pattern.replace("<path:table>", "1"))


def cookies_of(user: User | None) -> tuple[tuple[bytes, bytes], ...]:
    cookies = a_browser(user).cookies
    return ((b"cookie", f"sessionid={cookies['sessionid'].value}".encode()),) if user else ()


def tokens_of(user: User) -> tuple[tuple[list[Scope], str], ...]:
    """Return a token of each scope, and one with them all, each with its scopes."""
    every: list[list[Scope]] = [*([scope] for scope in Scope), [*Scope]]
    return tuple(
        (scopes, accounts.create_token(actor=as_actor(user), name="program", scopes=scopes, at=AT).text)
        for scopes in every
    )


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ACTORS)
async def test_a_socket_lets_in_who_may_and_looks_to_others_as_if_there_were_none(
    scene: Scene, name: str
) -> None:
    user = scene.users[name]
    actor = await database_sync_to_async(as_actor)(user) if user else Actor()
    headers = await database_sync_to_async(cookies_of)(user)
    for pattern, (action, _how) in rows_of(SOCKETS).items():
        expected = is_allowed(actor, action, scene, entered=name == "entered")

        answer = await answer_of_a_socket(address_of(pattern, scene.tournament.slug), *headers)

        assert (answer["type"] == "websocket.send") == expected
        assert expected or answer == NOT_HERE
        assert await answer_of_a_socket(address_of(pattern, "nowhere"), *headers) == NOT_HERE
    assert await answer_of_a_socket("/ws/nowhere/", *headers) == NOT_HERE


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_a_token_opens_only_the_socket_that_is_for_programs_and_that_by_its_scope(scene: Scene) -> None:
    owner = scene.users["owner"]
    assert owner is not None
    tokens = await database_sync_to_async(tokens_of)(owner)
    program = await database_sync_to_async(as_actor)(owner)
    for pattern, (action, how) in rows_of(SOCKETS).items():
        expected = is_allowed(Actor(), action, scene, entered=False)
        address = address_of(pattern, scene.tournament.slug)
        for scopes, text in tokens:
            actor = replace(program, scopes=frozenset(scopes)) if "token" in how else Actor()
            bearer = (b"authorization", f"Bearer {text}".encode())
            answers = [await answer_of_a_socket(address, bearer)]
            answers.append(await answer_of_a_socket(f"{address}?token={text}&access_token={text}"))

            by_header = is_allowed(actor, action, scene, entered=False)
            assert [answer["type"] == "websocket.send" for answer in answers] == [by_header, expected]
