"""Tables with links, and the devices there."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.test import Client

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER, Actor, Via
from scoring.models import Deal
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_scheduled_tournament
from tournaments import queries
from tournaments.link_secrets import secret_of
from tournaments.models import Match, TableLink, Tournament
from tournaments.operations.links import make_table_links

JSON = "application/json"
TABLE = "/api/v1/table"
SYNC = "/api/v1/sync"


def a_tournament_with_links(*, visibility: str = "private", slug: str = "rang", club: str = "") -> Tournament:
    """Return a round robin of four pairs, two tables a round, each table with a link."""
    home = Club.objects.get(slug=club) if club else a_club()
    tournament = a_scheduled_tournament(
        ASIF, CHAND, ERUM, GITA, slug=slug, club_id=home.pk, visibility=visibility
    )
    make_table_links(actor=SERVER, slug=slug, session=1, at=AT)
    # Some of what tests do is done now, some at AT: no link's time is to be over by that.
    Tournament.objects.filter(pk=tournament.pk).update(link_hours=None)
    return tournament


def the_link(table: str = "1", *, slug: str = "rang") -> TableLink:
    """Return the link of the table that is good."""
    return TableLink.objects.get(session__tournament__slug=slug, table=table, revoked_at=None)


def the_secret(table: str = "1", *, slug: str = "rang") -> str:
    return secret_of(the_link(table, slug=slug).uid)


def at_table(table: str = "1", *, slug: str = "rang") -> Actor:
    """Return whoever comes with the link of the table."""
    return Actor(table=queries.grant_of(the_secret(table, slug=slug)), via=Via.TABLE)


def the_match(table: str = "1", *, round_number: int = 1, slug: str = "rang") -> Match:
    found = Match.objects.select_related("scoresheet", "round__tournament")
    return found.get(round__tournament__slug=slug, round__number=round_number, table=table)


def a_director(slug: str = "rang", name: str = "Dina") -> Actor:
    """Return a director of the tournament's club."""
    user = a_user(name)
    club_id = Tournament.objects.get(slug=slug).club_id
    user.memberships.create(club_id=club_id, role=Role.DIRECTOR, created_at=AT)
    return as_actor(user)


def a_text(number: int = 1, result: str = "NS 7-4", dealer: str = "E") -> str:
    """Return the record of a deal, result only."""
    return f'[Deal "{number}"]\n[Rules "court-piece"]\n[Dealer "{dealer}"]\n[Result "{result}"]\n'


def an_item(
    text: str, *, sheet: UUID | None = None, base: int | None = None, operation_id: UUID | None = None
) -> dict[str, Any]:
    """Return a deal as it is sent; of the first match of table 1 where no other is said."""
    return {
        "operation_id": str(operation_id or uuid4()),
        "scoresheet": str(sheet or the_match().scoresheet.uid),
        "base_revision": base,
        "pcn": text,
    }


def texts_of(match: Match) -> dict[int, str]:
    """Return what is recorded of a match, by the deal's number."""
    deals = Deal.objects.filter(scoresheet=match.scoresheet).order_by("number")
    return {deal.number: deal.revisions.get(number=deal.revision).pcn for deal in deals}


@dataclass
class Device:
    """A phone at a table."""

    secret: str
    id: UUID = field(default_factory=uuid4)

    @property
    def client(self) -> Client:
        """What it asks with."""
        return Client(headers={"Authorization": f"Table {self.secret}"})

    def look(self, **query: Any) -> Any:
        """Ask for the table."""
        return self.client.get(TABLE, query)

    def send(self, *items: dict[str, Any], unsent: int | None = None) -> Any:
        """Send deals."""
        count = len(items) if unsent is None else unsent
        body = {"device": str(self.id), "unsent": count, "items": list(items)}
        return self.client.post(SYNC, body, content_type=JSON)

    def outcomes(self, *items: dict[str, Any], unsent: int | None = None) -> list[dict[str, Any]]:
        """Send deals, which must be answered, and return what became of each."""
        answer = self.send(*items, unsent=unsent)
        assert answer.status_code == 200, answer.content.decode()
        found: list[dict[str, Any]] = answer.json()["outcomes"]
        return found


def became(outcomes: list[dict[str, Any]]) -> list[str]:
    return [outcome["outcome"] for outcome in outcomes]
