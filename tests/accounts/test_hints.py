"""Hints are given after the commit, and where somebody waits for an answer, after that."""

import pytest
from django.db import transaction

from courtpiece.accounts.hints import Hint, give, hint_after_commit, waiting_hints

pytestmark = pytest.mark.django_db(transaction=True)


def saying(word: str, said: list[str]) -> Hint:
    def say() -> None:
        said.append(word)

    return say


def breaking() -> None:
    raise ConnectionError("Connection refused")


def test_where_nobody_waits_a_hint_is_given_at_once() -> None:
    said: list[str] = []

    hint_after_commit(saying("news", said))

    assert said == ["news"]


def test_a_hint_waits_for_the_commit() -> None:
    said: list[str] = []

    with transaction.atomic():
        hint_after_commit(saying("news", said))
        before = list(said)

    assert (before, said) == ([], ["news"])


def test_of_what_was_not_written_nothing_is_told() -> None:
    said: list[str] = []

    with waiting_hints() as hints:
        try:
            with transaction.atomic():
                hint_after_commit(saying("news", said))
                breaking()
        except ConnectionError:
            pass
        give(hints)

    assert said == []


def test_where_somebody_waits_hints_are_given_in_order_when_they_are_asked_for() -> None:
    said: list[str] = []

    with waiting_hints() as hints:
        with transaction.atomic():
            hint_after_commit(saying("first", said))
        hint_after_commit(saying("second", said))
        before = list(said)
    give(hints)

    assert (before, said, hints) == ([], ["first", "second"], [])


def test_a_hint_that_cannot_be_given_is_written_down_and_keeps_back_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said: list[str] = []

    give([breaking, saying("news", said)])

    assert said == ["news"]
    assert "Connection refused" in caplog.text
