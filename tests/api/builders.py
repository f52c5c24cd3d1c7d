"""A site with something of everything on it, and programs that ask it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.test import Client

from courtpiece.accounts import operations
from courtpiece.accounts.models import Club, Role, User
from courtpiece.accounts.permissions import SERVER
from scoring.models import Player
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments.models import Match, Tournament
from tournaments.operations.running import change_tournament
from tournaments.operations.standings import bring_up_to_date

API = "/api/v1/"
JSON = "application/json"
PCN = "text/vnd.courtpiece.pcn"
SCOPES = ("read", "deals:write")


def a_program(*, user: User | None = None, scopes: Iterable[str] = SCOPES) -> Client:
    """Return a program that acts for the user by a token; without one it is nobody's."""
    if user is None:
        return Client()
    made = operations.create_token(actor=as_actor(user), name="program", scopes=list(scopes), at=AT)
    return Client(headers={"Authorization": f"Bearer {made.text}"})


@dataclass(frozen=True)
class Scene:
    """A club with people in every role, and a tournament of two rounds of which one was played."""

    club: Club
    tournament: Tournament
    scorer: User
    director: User
    outsider: User
    """A director of another club."""
    participant: User
    """Asif, who plays in the tournament and has no role."""

    @property
    def match(self) -> Match:
        """The first match."""
        return Match.objects.filter(round__tournament=self.tournament).order_by("round__number", "pk")[0]


def a_scene(*, visibility: str = "public", slug: str = "rang", club: str = "lahore") -> Scene:
    scorer, director, outsider, asif = (a_user(f"{name} {club}") for name in ("Sana", "Dina", "Omar", "Asif"))
    home = a_club(club, members=[(scorer, Role.SCORER), (director, Role.DIRECTOR)])
    a_club(f"far-from-{club}", members=[(outsider, Role.DIRECTOR)])
    tournament = a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, slug=slug, club_id=home.pk)
    upload(
        a_match(["NS 7-0 court", "EW 7-5"], ns=ASIF, ew=GITA, round="1", table="1"),
        a_match(["EW 13-0 bavney"], ns=CHAND, ew=ERUM, round="1", table="2"),
        slug=slug,
    )
    Player.objects.filter(club=home, name="Asif Khan").update(user=asif)
    change_tournament(actor=SERVER, slug=slug, name=tournament.name, visibility=visibility, at=AT)
    bring_up_to_date(slug=slug, now=AT)
    return Scene(home, Tournament.objects.get(slug=slug), scorer, director, outsider, asif)


def the_json(program: Client, path: str, **query: Any) -> Any:
    """Return what an address answers, which must be well."""
    response = program.get(f"{API}{path}", query)
    assert response.status_code == 200, response.content.decode()
    return response.json()


def send_pcn(program: Client, path: str, text: str | bytes, *, key: str = "", **extra: Any) -> Any:
    """Send records in PCN."""
    return program.post(
        f"{API}{path}",
        data=text if isinstance(text, bytes) else text.encode(),
        content_type=PCN,
        headers={"Idempotency-Key": key or str(uuid4())},
        **extra,
    )


def send_raw(program: Client, path: str, body: bytes, content_type: str) -> Any:
    """Send bytes as they are, whatever they call themselves."""
    key = {"Idempotency-Key": str(uuid4())}
    return program.generic("POST", f"{API}{path}", body, content_type=content_type, headers=key)


def send_json(program: Client, path: str, body: Any, **extra: Any) -> Any:
    """Send a body in JSON."""
    return program.post(f"{API}{path}", data=body, content_type=JSON, **extra)
