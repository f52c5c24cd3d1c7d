"""What is typed into addresses: a page or a refusal answers, on every database."""

from http import HTTPStatus

import pytest
from django.urls import reverse

from courtpiece.accounts.models import Role
from tests.accounts.builders import a_club
from tests.tournaments.builders import a_scheduled_tournament
from tests.tournaments.test_creating_pages import a_member

pytestmark = pytest.mark.django_db

ODD = ["\0", "a\0 & b\0", "x" * 5000, "%", "\\", "'", "\u202e", "&", "& &"]


@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text)[:12])
def test_a_table_that_nobody_has_is_not_found(text: str) -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    director = a_member(Role.DIRECTOR)

    answer = director.get(reverse("tournaments:find_match", args=["rang"]), {"place": text, "round": text})

    assert answer.status_code == HTTPStatus.FOUND
    assert answer["Location"] == reverse("tournaments:room", args=["rang"])


@pytest.mark.parametrize("name", ["entries_search", "entries_manage"])
@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text)[:12])
def test_a_pair_is_looked_for_whatever_was_typed(name: str, text: str) -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    director = a_member(Role.DIRECTOR)

    answer = director.get(reverse(f"tournaments:{name}", args=["rang"]), {"pair": text})

    assert answer.status_code == HTTPStatus.OK
