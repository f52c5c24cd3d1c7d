"""Whatever a director's browser sends, the answer is a page: never with a fault of the site's own."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote_from_bytes
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from courtpiece.accounts.models import Club, Role
from tests.accounts.builders import AT, a_browser, a_user
from tests.tournaments.builders import penalise
from tests.tournaments.drawn import SLUG, a_round, a_tournament, draft, finish_all
from tournaments.models import Match
from tournaments.urls import urlpatterns

pytestmark = pytest.mark.django_db

HUGE: Final = 10**30
ODD: Final = ("", "a\0b", str(HUGE), "-1", "٣", "\ud800", "é & " + "x" * 5000)
FIELDS: Final = (
    *("version", "seed", "session", "number", "first", "second", "what", "kind", "rounds", "entry", "reason"),
    *("pair", "rating", "group", "absent", "substitute", "round_number", "answer", "method", "draw_seed"),
    *("pairs", "action", "minutes", "state", "deal-TOTAL_FORMS", "deal-INITIAL_FORMS", "deal-0-number"),
    *("deal-0-won", "deal-0-winner", "law", "base", "seen", "save", "penalty", "courts_ns", "courts_ew"),
    *("text", "team", "by", "outcome", "visibility", "name", "win", "tiebreaks", "lot_seed", "made_on"),
    *("do", "another", "appeal_minutes", "session-0-starts_at", "rules_name", "rule-court", "format"),
    *("swiss-rounds", "match_amount", "own_name", "partner", "note", "who:x"),
)
WORDS: Final = {"kind": "slips", "what": "penalty", "table": "1"}


def a_director() -> Client:
    """Return the browser of a director of a Swiss with a round, a ruling and a draft."""
    a_tournament("swiss", 5, rounds=4)
    finish_all(a_round())
    penalise(1, 2, slug=SLUG)
    draft()
    user = a_user("Director")
    Club.objects.get(slug="lahore").memberships.create(user=user, role=Role.DIRECTOR, created_at=AT)
    return a_browser(user)


def addresses(number: int, uid: UUID) -> list[str]:
    """Return every address of tournaments with this number and this id in it."""
    found = []
    for pattern in urlpatterns:
        arguments: list[object] = []
        for name, converter in pattern.pattern.converters.items():
            club = str(pattern.pattern).startswith("clubs/")
            words = {**WORDS, "slug": "lahore" if club else SLUG}
            arguments.append({"int": number, "uuid": uid}.get(kind_of(converter), words.get(name, "")))
        found.append(reverse(f"tournaments:{pattern.name}", args=arguments))
    return found


def kind_of(converter: Any) -> str:
    return type(converter).__name__.removesuffix("Converter").lower()


def status_after(client: Client, address: str, **fields: str) -> int:
    """Send a form, put everything back as it was, and return the status of the answer."""
    there = transaction.savepoint()
    sent = "&".join(
        f"{name}={quote_from_bytes(value.encode('utf-8', 'surrogatepass'))}" for name, value in fields.items()
    )
    answer = client.post(address, sent, content_type="application/x-www-form-urlencoded")
    transaction.savepoint_rollback(there)
    return answer.status_code


@pytest.mark.parametrize("number", [2**63, HUGE])
def test_numbers_in_addresses_that_nothing_has(number: int) -> None:
    client = a_director()
    match = Match.objects.filter(round__number=1).first()
    assert match is not None

    statuses = {
        address: status_after(client, address, act=str(uuid4()), version="1", reason="x", what="entries")
        for address in addresses(number, match.uid)
        if str(number) in address
    }

    assert {one for one in statuses.values() if one >= HTTPStatus.INTERNAL_SERVER_ERROR} == set()


@pytest.mark.parametrize("value", ODD, ids=lambda value: ascii(value)[:24])
def test_every_field_of_every_form_may_say_anything(value: str) -> None:
    client = a_director()
    match = Match.objects.filter(round__number=1).first()
    assert match is not None
    fields = dict.fromkeys(FIELDS, value)

    statuses = {
        address: status_after(client, address, act=str(uuid4()), **fields)
        for address in addresses(1, match.uid)
    }

    assert {one for one in statuses.values() if one >= HTTPStatus.INTERNAL_SERVER_ERROR} == set()


def test_a_substitute_of_a_player_whose_number_is_none_is_not_found() -> None:
    client = a_director()
    match = Match.objects.filter(round__number=1).first()
    assert match is not None

    answer = client.post(
        reverse("tournaments:entry_substitute_back", args=[SLUG, 1, match.uid, HUGE]), {"act": str(uuid4())}
    )

    assert answer.status_code == HTTPStatus.NOT_FOUND
