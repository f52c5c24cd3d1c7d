"""How often a program may ask, what it is told of it, and whose requests are counted together."""

from threading import Thread

import pytest
from django.core.cache import cache
from django.test import Client

from courtpiece.accounts.api.throttles import CheckThrottle, ReadThrottle, _count
from courtpiece.accounts.models import ApiToken
from tests.accounts.builders import a_browser, a_user
from tests.api.builders import API, a_program, send_json

pytestmark = pytest.mark.django_db


def limits_of(program: Client, path: str = "clubs/") -> tuple[int, str, str]:
    answer = program.get(f"{API}{path}")
    return answer.status_code, answer.get("RateLimit-Limit", ""), answer.get("RateLimit-Remaining", "")


def test_an_answer_says_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadThrottle, "rate", "2/min")
    program = a_program(user=a_user())

    told = [limits_of(program) for _ in range(3)]
    refused = program.get(f"{API}clubs/")

    assert told == [(200, "2", "1"), (200, "2", "0"), (429, "2", "0")]
    assert refused["RateLimit-Policy"] == '2;w=60;name="read"'
    assert 0 < int(refused["Retry-After"]) <= 60
    assert refused["RateLimit-Reset"] == refused["Retry-After"]


def test_what_has_not_changed_is_counted_too_and_says_what_is_left() -> None:
    program = a_program(user=a_user())
    first = program.get(f"{API}clubs/")

    again = program.get(f"{API}clubs/", headers={"If-None-Match": first["ETag"]})

    left = [int(answer["RateLimit-Remaining"]) for answer in (first, again)]
    assert (again.status_code, left[0] - left[1]) == (304, 1)


def test_each_token_is_counted_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadThrottle, "rate", "1/min")
    user = a_user()
    one, other, page = a_program(user=user), a_program(user=user), a_browser(user)

    statuses = [limits_of(program)[0] for program in (one, other, page, one, other, page)]

    assert statuses == [200, 200, 200, 429, 429, 429]


def test_what_everybody_reads_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadThrottle, "rate", "1/min")

    assert [limits_of(a_program()) for _ in range(2)] == [(200, "", "")] * 2


def test_an_address_is_counted_where_nobody_says_who_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CheckThrottle, "rate", "1/min")

    def check(address: str) -> int:
        return int(send_json(a_program(), "check", "{}", REMOTE_ADDR=address).status_code)

    assert [check("10.0.0.1"), check("10.0.0.1"), check("10.0.0.2")] == [415, 429, 415]


def test_the_count_begins_anew_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadThrottle, "rate", "1/min")
    program = a_program(user=a_user())
    limits_of(program)

    cache.set(f"throttle:read:token-{ApiToken.objects.get().pk}", 1.0)

    assert limits_of(program)[0] == 200


def test_no_two_requests_are_counted_as_one() -> None:
    counts: list[int] = []

    threads = [Thread(target=lambda: counts.append(_count("throttle:test", 60))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(counts) == list(range(1, 21))
