"""Who sees what: nothing of a private tournament reaches anybody who is not of it, on any way."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from courtpiece.accounts.models import ApiToken, User
from courtpiece.accounts.permissions import Scope
from scoring.models import Deal, NameKey, Partnership, Player, Scoresheet
from tests.accounts.builders import AT, a_browser, a_user
from tests.api.builders import API, Scene, a_program, a_scene, send_json, send_pcn, the_json
from tests.scoring.builders import a_record, a_sheet_with
from tournaments.models import Match, Round, Session

pytestmark = pytest.mark.django_db

SECRETS = ("Asif", "Bilal", "Chand", "Gita", "Tuesday Rang", "evening.pcn", "bavney")
"""Texts that only what the tournament holds can bring into an answer."""

LISTS = (
    "players/",
    "partnerships/",
    "tournaments/",
    "sessions/",
    "rounds/",
    "matches/",
    "scoresheets/",
    "deals/",
)


def inside(scene: Scene) -> list[str]:
    """Return every address of something that the tournament holds, and every way to ask for it in a list."""
    player, pair = Player.objects.get(name="Asif Khan"), Partnership.objects.get(first__name="Asif Khan")
    sheet, deal = Scoresheet.objects.get(deals_count=2), Deal.objects.get(number=2)
    round_, session = Round.objects.get(number=1), Session.objects.get()
    return [
        *(f"tournaments/rang{end}" for end in ("", "/standings", "/crosstable", "/scoresheets", "/deals")),
        "tournaments/rang/standings?round=1",
        "tournaments/rang/standings?format=csv",
        *(f"players/{player.uid}{end}" for end in ("", "/history")),
        *(f"partnerships/{pair.uid}{end}" for end in ("", "/record")),
        f"sessions/{session.uid}",
        f"rounds/{round_.uid}",
        f"matches/{scene.match.uid}",
        *(f"scoresheets/{sheet.uid}{end}" for end in ("", "/deals", "/deals?format=pcn")),
        *(f"deals/{deal.uid}{end}" for end in ("", "/revisions", "?format=pcn")),
        *(f"{name}/?tournament=rang" for name in ("sessions", "rounds", "matches")),
    ]


def empty_lists() -> list[str]:
    """Return lists that are empty for who sees nothing of the tournament."""
    player, pair = (
        Player.objects.get(name="Asif Khan").uid,
        Partnership.objects.get(first__name="Asif Khan").uid,
    )
    sheet = Scoresheet.objects.get(deals_count=2).uid
    return [
        *LISTS,
        *(
            f"{name}/?club=lahore"
            for name in ("players", "partnerships", "tournaments", "scoresheets", "deals")
        ),
        *(f"{name}/?player={player}" for name in ("partnerships", "scoresheets", "deals")),
        *(f"{name}/?partnership={pair}" for name in ("matches", "scoresheets", "deals")),
        *(f"{name}/?search=asif" for name in ("players", "partnerships")),
        f"deals/?scoresheet={sheet}",
        f"matches/?round={Round.objects.get(number=1).uid}",
        f"rounds/?session={Session.objects.get().uid}",
        "deals/?award=bavney",
    ]


Caller = Callable[[Scene], Client]
LACKS_A_SCOPE = "a token of the club's director that cannot read"
"""Its user may know what is there, so it is told which scope it lacks, and no more."""

WITHOUT_SIGHT: dict[str, Caller] = {
    "nobody": lambda _scene: a_program(),
    "a director of another club": lambda scene: a_browser(scene.outsider),
    "a program of another club's director": lambda scene: a_program(user=scene.outsider, scopes=Scope.values),
    "somebody with an account": lambda _scene: a_browser(a_user("Zoya")),
    LACKS_A_SCOPE: lambda scene: a_program(user=scene.director, scopes=["deals:write"]),
}
WITH_SIGHT: dict[str, Caller] = {
    "the scorer's program": lambda scene: a_program(user=scene.scorer, scopes=["read"]),
    "the director in a browser": lambda scene: a_browser(scene.director),
    "who plays in it": lambda scene: a_program(user=scene.participant, scopes=["read"]),
}


@pytest.mark.parametrize("who", WITHOUT_SIGHT)
def test_nothing_private_reaches_who_is_not_of_it(who: str) -> None:
    scene = a_scene(visibility="private")
    caller = WITHOUT_SIGHT[who](scene)

    answers = {path: caller.get(f"{API}{path}") for path in inside(scene)}
    lists = {path: caller.get(f"{API}{path}") for path in empty_lists()}

    assert set(_codes(answers).values()) <= ({404} if who != LACKS_A_SCOPE else {403, 404})
    assert _codes(lists) == dict.fromkeys(lists, 200)
    assert {path: answer.json()["results"] for path, answer in lists.items()} == {path: [] for path in lists}
    texts = [answer.content.decode() for answer in (*answers.values(), *lists.values())]
    assert [secret for secret in SECRETS for text in texts if secret in text] == []


@pytest.mark.parametrize("who", sorted(set(WITHOUT_SIGHT) - {LACKS_A_SCOPE}))
def test_what_is_private_looks_like_what_does_not_exist(who: str) -> None:
    scene = a_scene(visibility="private")
    caller = WITHOUT_SIGHT[who](scene)
    nothing = caller.get(f"{API}tournaments/nothing").content

    answers = {path: caller.get(f"{API}{path}").content for path in inside(scene)}

    assert answers == dict.fromkeys(answers, nothing)


@pytest.mark.parametrize("who", WITH_SIGHT)
def test_what_is_private_reaches_who_is_of_it(who: str) -> None:
    scene = a_scene(visibility="private")
    caller = WITH_SIGHT[who](scene)

    answers = {path: caller.get(f"{API}{path}") for path in inside(scene)}
    lists = {path: caller.get(f"{API}{path}") for path in empty_lists()}

    assert _codes(answers) == dict.fromkeys(answers, 200)
    assert {path for path, answer in lists.items() if not answer.json()["results"]} == set()
    assert answers["tournaments/rang"]["Cache-Control"] == "no-cache, private"
    assert "Access-Control-Allow-Origin" not in answers["tournaments/rang"]


def test_what_is_unlisted_is_found_by_its_address_only() -> None:
    scene = a_scene(visibility="unlisted")
    program = a_program()
    hidden_people = [path for path in inside(scene) if path.startswith(("players", "partnerships"))]

    answers = {path: program.get(f"{API}{path}").status_code for path in inside(scene)}

    assert {path for path, status in answers.items() if status != 200} == set(hidden_people)
    assert {path: the_json(program, path)["results"] for path in LISTS} == {path: [] for path in LISTS}
    sheet = Scoresheet.objects.get(deals_count=2)
    assert len(the_json(program, "deals/", scoresheet=sheet.uid)["results"]) == 2


def test_a_public_match_shows_its_people_and_not_their_private_ones() -> None:
    scene = a_scene(visibility="private")
    a_sheet_with(scene.club, [a_record(1)])
    program = a_program()
    asif = Player.objects.get(name="Asif Khan").uid

    players = the_json(program, "players/")["results"]
    history = the_json(program, f"players/{asif}/history")

    assert [player["name"] for player in players] == ["Asif Khan", "Bilal Shah", "Chand Rao", "Dev Patel"]
    assert [line["partnership"]["name"] for line in history["opponents"]] == ["Chand Rao & Dev Patel"]
    assert history["record"]["matches"] == 1
    assert len(the_json(program, "deals/", player=asif)["results"]) == 1
    assert len(the_json(program, "scoresheets/")["results"]) == 1


def test_a_director_sees_the_clubs_players_who_have_played_nothing() -> None:
    scene = a_scene()
    zara = Player.objects.create(club=scene.club, name="Zara", search_key="zara", created_at=AT)
    NameKey.objects.create(player=zara, key="zara")

    names = {
        who: [line["name"] for line in the_json(program, "players/", search="zara")["results"]]
        for who, program in (("director", a_browser(scene.director)), ("nobody", a_program()))
    }

    assert names == {"director": ["Zara"], "nobody": []}
    assert a_browser(scene.director).get(f"{API}players/{zara.uid}").status_code == 200
    assert a_program().get(f"{API}players/{zara.uid}").status_code == 404


# -- tokens


@pytest.mark.parametrize("text", ["", "cp_nonsense", "Bearer", "cp_" + "0" * 49, "é", "\x00"])
def test_a_bad_token_is_challenged_even_where_everybody_may_read(text: str) -> None:
    a_scene()
    program = Client(headers={"Authorization": f"Bearer {text}"})

    answer = program.get(f"{API}clubs/")

    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
    assert answer["WWW-Authenticate"] == 'Bearer realm="api"'
    assert "Access-Control-Allow-Origin" not in answer


def test_a_token_that_was_revoked_is_challenged() -> None:
    scene = a_scene()
    program = a_program(user=scene.scorer)
    ApiToken.objects.update(revoked_at=AT)

    assert program.get(f"{API}clubs/").status_code == 401


def test_a_token_of_somebody_who_left_is_challenged() -> None:
    scene = a_scene()
    program = a_program(user=scene.scorer)
    User.objects.filter(pk=scene.scorer.pk).update(is_active=False)

    assert program.get(f"{API}clubs/").status_code == 401


def test_another_kind_of_header_is_nobodys() -> None:
    a_scene(visibility="private")

    program = Client(headers={"Authorization": "Basic YTpi"})

    assert the_json(program, "tournaments/")["results"] == []


def _codes(answers: dict[str, Any]) -> dict[str, int]:
    return {path: answer.status_code for path, answer in answers.items()}


# -- writing


def _write(program: Client, match: Match) -> Any:
    sheet = Scoresheet.objects.get(pk=match.scoresheet_id)
    return send_pcn(program, f"scoresheets/{sheet.uid}/deals", a_record(3, dealer="S", result="NS 7-4"))


def _correct(program: Client, match: Match) -> Any:
    deal = Deal.objects.get(scoresheet=match.scoresheet_id, number=2)
    body = {
        "base_revision": 1,
        "reason": "The paper says so.",
        "pcn": a_record(2, dealer="W", result="EW 7-4"),
        "operation_id": "11111111-1111-4111-8111-111111111111",
    }
    return send_json(program, f"deals/{deal.uid}/revisions", body)


Write = Callable[[Client, Match], Any]
WRITES: dict[str, Write] = {"record": _write, "correct": _correct}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("visibility", ["public", "private"])
def test_who_says_not_who_they_are_writes_nothing(write: str, visibility: str) -> None:
    scene = a_scene(visibility=visibility)

    answer = WRITES[write](a_program(), scene.match)

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="api"'
    assert Deal.objects.filter(revision=1).count() == Deal.objects.count() == 3


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("who", ["outsider", "participant"])
def test_who_has_no_right_writes_nothing(write: str, visibility: str, who: str) -> None:
    scene = a_scene(visibility=visibility)
    user: User = getattr(scene, who)

    answer = WRITES[write](a_program(user=user, scopes=Scope.values), scene.match)

    assert answer.status_code == 404
    assert answer.json()["detail"] == "There is nothing here, or you may not see it."
    assert Deal.objects.filter(revision=1).count() == Deal.objects.count() == 3


@pytest.mark.parametrize(
    ("write", "who", "status"),
    [
        ("record", "scorer", 201),
        ("record", "director", 201),
        ("correct", "scorer", 404),
        ("correct", "director", 201),
    ],
)
def test_a_scorer_records_and_a_director_corrects_too(write: str, who: str, status: int) -> None:
    scene = a_scene(visibility="private")
    user: User = getattr(scene, who)

    answer = WRITES[write](a_program(user=user, scopes=["deals:write"]), scene.match)

    assert answer.status_code == status, answer.content


@pytest.mark.parametrize("write", WRITES)
def test_a_token_without_the_scope_writes_nothing_and_is_told_why(write: str) -> None:
    scene = a_scene(visibility="private")
    scopes = [scope for scope in Scope.values if scope != "deals:write"]

    answer = WRITES[write](a_program(user=scene.director, scopes=scopes), scene.match)

    assert answer.status_code == 403
    assert answer.json()["detail"] == "The token lacks the scope “deals:write”."
    assert Deal.objects.count() == 3


@pytest.mark.parametrize("write", WRITES)
def test_a_browser_writes_with_its_sites_secret_only(write: str) -> None:
    scene = a_scene()
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(scene.director)

    answer = WRITES[write](browser, scene.match)

    assert (answer.status_code, answer["Content-Type"]) == (403, "application/problem+json")
    assert Deal.objects.count() == 3


@pytest.mark.parametrize("write", WRITES)
def test_a_browser_with_the_secret_writes(write: str) -> None:
    scene = a_scene()

    answer = WRITES[write](a_browser(scene.director), scene.match)

    assert answer.status_code == 201
