"""Every format through the pages, from the page that makes a tournament to standings that are final."""

import re
from http import HTTPStatus
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tournaments import queries
from tournaments.models import Draft, Entry, Match, Round, RoundClock, Tournament
from tournaments.operations.standings import bring_up_to_date

pytestmark = pytest.mark.django_db

SLUG = "friday-rang"
MOST_ROUNDS = 20
NAMES = ("آصف", "देव", "Erum", "Gita", "Hema", "Iqbal")


def a_director() -> Client:
    a_club()
    user = a_user("Director")
    Club.objects.get(slug="lahore").memberships.create(user=user, role=Role.DIRECTOR, created_at=AT)
    return a_browser(user)


def send(client: Client, name: str, *arguments: object, **data: object) -> Any:
    """Send a form, and hold that it was taken."""
    answer = client.post(
        reverse(f"tournaments:{name}", args=[SLUG, *arguments]), {"act": str(uuid4()), **data}
    )

    assert answer.status_code == HTTPStatus.FOUND, faults_of(answer)
    return answer


def faults_of(answer: Any) -> str:
    """Return what a page says that went wrong."""
    text = re.sub(
        r"<[^>]+>|\s+",
        " ",
        " ".join(re.findall(r'role="alert".*?</div>', answer.content.decode(), re.DOTALL)),
    )
    return f"{answer.status_code}: {text}"


def make(client: Client, format: str, **changed: object) -> None:  # noqa: A002 - the word of the design
    """Make a tournament of that format from the guided page: what a preset says, but for what is changed."""
    address = reverse("tournaments:create", args=["lahore"])
    forms = client.get(address, {"preset": "round-robin"}).context["forms"]
    sent: dict[str, Any] = {"session": [str(number) for number, _form in forms.sessions.rows]}
    for form in (*forms.parts.values(), *(form for _number, form in forms.sessions.rows)):
        for bound in form:
            value = bound.value()
            if value is not None and value is not False and value != "":
                sent[bound.html_name] = "on" if value is True else value
    sent |= {
        "name": "Friday Rang",
        "format": format,
        "appeal_minutes": "0",
        "match_amount": "1",
        "match_kind": "deals",
    }
    review = client.post(address, {**sent, **changed, "do": "review"})
    assert "act" in review.context, faults_of(review)
    kept: dict[str, Any] = {"do": "make", "act": str(review.context["act"])}
    for name, value in review.context["kept"]:
        kept.setdefault(name, []).append(value)

    made = client.post(address, kept)

    assert made["Location"] == reverse("tournaments:manage", args=[SLUG])


def enter(client: Client, count: int) -> None:
    """Enter the first pair by its form, the others by a file."""
    names = [(f"{name} One", f"{name} Two") for name in NAMES[:count]]
    send(client, "entries_add", pair=" & ".join(names[0]), seed="1")
    lines = [f"{one},{two},{seed}" for seed, (one, two) in enumerate(names[1:], start=2)]
    text = "\n".join(["player 1,player 2,seed", *lines])
    looked = client.post(
        reverse("tournaments:entries_file", args=[SLUG]),
        {"file": SimpleUploadedFile("pairs.csv", text.encode())},
    )
    hidden = dict(
        re.findall(r'<input type="hidden" name="(act|pairs)" value="([^"]+)"', looked.content.decode())
    )
    send(client, "entries_file_save", **hidden)


def draw(client: Client, *, at_once: bool = False) -> bool:
    """Draw and publish what comes next; False where nothing does."""
    page = client.get(reverse("tournaments:draw", args=[SLUG])).context["page"]
    if page.step == "over" or page.blocks:
        assert page.blocks == ()
        return False
    if at_once and page.schedule_left:
        send(client, "draw_publish_all", seed="5", session=page.this_session)
        return True
    session = page.this_session + (page.step == "next-session")
    send(client, "draw_draft", seed="5", session=session)
    version = Draft.objects.get().version
    send(client, "draw_publish", version=version, session=session, confirmed="on")
    return True


def play(client: Client, match: Match) -> None:
    """Type the one deal of a match from its slip: the lower number makes a court."""
    winner = "NS" if match.ns.number < match.ew.number else "EW"
    deal = {"deal-0-number": "1", "deal-0-dealer": "N", "deal-0-winner": winner, "deal-0-lost": "0"}
    sent = {**deal, "deal-TOTAL_FORMS": "1", "deal-INITIAL_FORMS": "1", "act": str(uuid4()), "finish": "1"}

    typed = client.post(reverse("tournaments:results", args=[match.uid]), sent)

    assert typed.status_code == HTTPStatus.FOUND, faults_of(typed)


def open_matches() -> list[Match]:
    found = Match.objects.filter(round__tournament__slug=SLUG, state="open")
    return list(found.select_related("ns", "ew").order_by("round__number", "table"))


def run(client: Client, *, at_once: bool = False) -> int:
    """Draw and play to the end, and return how many rounds there were."""
    for _round in range(MOST_ROUNDS):
        if not draw(client, at_once=at_once):
            break
        for name in ("manage", "room", "prints", "draw", "tournament", "standings"):
            assert client.get(reverse(f"tournaments:{name}", args=[SLUG])).status_code == HTTPStatus.OK
        for match in open_matches():
            play(client, match)
    return Round.objects.count()


def close(client: Client) -> list[tuple[int, int]]:
    """Close every round and the tournament, and return the final ranks as ``(rank, number of the entry)``."""
    for number in Round.objects.order_by("number").values_list("number", flat=True):
        send(client, "close_round", number)
    send(client, "close_results")
    send(client, "make_official")
    send(client, "make_final", sure="on")
    bring_up_to_date(slug=SLUG, now=AT)
    assert client.get(reverse("tournaments:standings", args=[SLUG])).status_code == HTTPStatus.OK
    answer = queries.standings_page(SLUG, actor=SERVER).standings.answer
    assert answer["status"] == "final"
    return [(row["rank"], row["entry"]) for row in answer["rows"]]


@pytest.mark.parametrize(
    ("pairs", "cycles", "at_once", "rounds", "matches"),
    [(5, 1, True, 5, 10), (3, 2, False, 6, 6)],
)
def test_a_round_robin(pairs: int, cycles: int, at_once: bool, rounds: int, matches: int) -> None:
    client = a_director()
    make(client, "round-robin", **{"round-robin-cycles": cycles})
    enter(client, pairs)

    played = run(client, at_once=at_once)

    assert (played, Match.objects.count()) == (rounds, matches)
    assert close(client) == [(number, number) for number in range(1, pairs + 1)]


def test_a_single_match() -> None:
    client = a_director()
    make(client, "single")
    enter(client, 2)

    assert run(client) == 1
    assert close(client) == [(1, 1), (2, 2)]


def test_a_swiss() -> None:
    client = a_director()
    make(client, "swiss", **{"swiss-rounds": 2})
    enter(client, 6)

    assert run(client) == 2
    ranks = close(client)
    assert (ranks[0], len(ranks), Match.objects.count()) == ((1, 1), 6, 6)


def test_a_knockout_with_a_match_for_the_third_place() -> None:
    client = a_director()
    make(client, "knockout", **{"knockout-third_place": "on"})
    enter(client, 5)

    assert run(client) == 3
    assert (close(client)[:4], Match.objects.count()) == ([(1, 1), (2, 2), (3, 3), (4, 4)], 5)


def test_groups_then_a_knockout() -> None:
    client = a_director()
    options = {"groups-knockout-groups": 2, "groups-knockout-qualifiers": 2}
    make(client, "groups-knockout", **options)
    enter(client, 6)

    run(client, at_once=True)

    ranks = close(client)
    assert (ranks[:2], len(ranks), Match.objects.count()) == ([(1, 1), (2, 2)], 6, 9)


def test_where_the_winner_stays() -> None:
    client = a_director()
    make(client, "winner-stays", match_amount="", **{"winner-stays-tables": 1, "winner-stays-match": 1})
    enter(client, 5)
    draw(client)

    for _match in range(4):
        (match,) = open_matches()
        play(client, match)
    for action in ("start", "end"):
        clock = RoundClock.objects.get(round__number=1)
        send(client, "turn_clock", 1, action=action, version=clock.version)
    (last,) = open_matches()
    play(client, last)

    assert open_matches() == []
    assert client.get(reverse("tournaments:draw", args=[SLUG])).context["page"].step == "over"
    ranks = close(client)
    assert (ranks[0], len(ranks)) == ((1, 1), 5)


def test_a_league_of_two_sessions() -> None:
    client = a_director()
    options = {"league-sessions": 2, "league-rounds": 2}
    make(client, "league", **options)
    enter(client, 4)

    assert run(client) == 4
    ranks = close(client)
    assert (ranks[0], len(ranks), Match.objects.count()) == ((1, 1), 4, 8)
    assert Tournament.objects.get().status == "final"
    assert set(Entry.objects.values_list("state", flat=True)) == {"active"}
