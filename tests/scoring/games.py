"""Games that somebody recorded at home, for tests."""

from uuid import UUID, uuid4

from courtpiece.accounts.models import User
from courtpiece.accounts.permissions import Actor
from scoring import operations
from scoring.models import Scoresheet
from scoring.operations import GameFacts, NewGame
from tests.scoring.builders import AT, a_record

NAMES_AT_HOME = {"N": "Asif", "E": "Chand", "S": "Bilal", "W": "Dev"}


def facts(**names: str) -> GameFacts:
    return GameFacts(names=NAMES_AT_HOME | names, event="Sunday", site="At Asif’s", date="2026.11.29")


def a_game(owner: User, *, rules: str = "court-piece", uid: UUID | None = None, deals: int = 0) -> Scoresheet:
    """Return a game of that user's own, with so many deals that North and South won."""
    actor = Actor(user_id=owner.pk)
    new = NewGame(uid=uid or uuid4(), rules=rules, facts=facts())
    answer = operations.record_game(actor=actor, game=new, at=AT)
    sheet = Scoresheet.objects.get(uid=answer.uid)
    for number in range(1, deals + 1):
        operations.record_deal(
            actor=actor,
            scoresheet_id=sheet.pk,
            text=a_record(
                number, dealer="EW"[number % 2 == 0], result="NS 7-3", rules=rules.split(maxsplit=1)[0]
            ),
            operation_id=uuid4(),
            at=AT,
        )
    return Scoresheet.objects.get(pk=sheet.pk)
