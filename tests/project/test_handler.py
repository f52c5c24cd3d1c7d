"""A request is made in one thread, whatever the sockets beside it do."""

import asyncio
import threading
import time
from typing import Any

import pytest
from asgiref.sync import async_to_sync, iscoroutinefunction
from asgiref.testing import ApplicationCommunicator
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from courtpiece.accounts.hints import hint_after_commit
from courtpiece.project.handler import OneThreadHandler
from courtpiece.project.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500"]


def thread(request: HttpRequest) -> HttpResponse:
    return HttpResponse(threading.current_thread().name)


def broken(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


finished: list[str] = []


def slow(request: HttpRequest) -> HttpResponse:
    time.sleep(0.2)
    async_to_sync(asyncio.sleep)(0.01)
    finished.append("told")
    return HttpResponse()


def hinting(request: HttpRequest) -> HttpResponse:
    hint_after_commit(lambda: finished.append("hinted"))
    finished.append("answered")
    return HttpResponse(str(len(finished)))


def hinting_and_broken(request: HttpRequest) -> HttpResponse:
    hint_after_commit(lambda: finished.append("hinted"))
    raise ZeroDivisionError


urlpatterns = [
    path("thread/", thread),
    path("broken/", broken),
    path("slow/", slow),
    path("hinting/", hinting),
    path("hinting-and-broken/", hinting_and_broken),
]

pytestmark = [pytest.mark.django_db, pytest.mark.asyncio, pytest.mark.urls(__name__)]


def a_visitor(address: str) -> Any:
    scope = {
        "type": "http",
        "method": "GET",
        "path": address,
        "query_string": b"",
        "headers": [(b"host", b"testserver")],
    }
    return ApplicationCommunicator(OneThreadHandler(), scope)  # type: ignore[no-untyped-call]


async def ask(address: str) -> tuple[int, bytes]:
    visitor = a_visitor(address)
    await visitor.send_input({"type": "http.request", "body": b""})
    start = await visitor.receive_output(10)
    body = await visitor.receive_output(10)
    await visitor.wait(10)
    return start["status"], body["body"]


async def test_no_middleware_is_a_coroutine() -> None:
    handler: Any = OneThreadHandler()

    assert not iscoroutinefunction(handler._middleware_chain)


async def test_a_view_is_called_in_a_thread_of_its_own() -> None:
    status, name = await ask("/thread/")

    assert status == 200
    assert name.decode() != threading.current_thread().name


@pytest.mark.parametrize(("address", "status"), [("/none/", 404), ("/broken/", 500)])
async def test_what_goes_wrong_is_answered_with_its_page(address: str, status: int) -> None:
    with override_settings(DEBUG=False):
        found, page = await ask(address)

    assert found == status
    assert b"</html>" in page


async def test_what_was_begun_is_finished_when_the_visitor_hangs_up() -> None:
    finished.clear()
    visitor = a_visitor("/slow/")

    await visitor.send_input({"type": "http.request", "body": b""})
    await asyncio.sleep(0.05)
    await visitor.send_input({"type": "http.disconnect"})
    await visitor.wait(10)

    assert finished == ["told"]


async def test_a_hint_is_given_when_the_answer_is_made() -> None:
    finished.clear()

    _status, said = await ask("/hinting/")

    assert said == b"1"
    assert finished == ["answered", "hinted"]


async def test_what_was_written_is_told_also_where_the_answer_is_an_error() -> None:
    finished.clear()

    with override_settings(DEBUG=False):
        status, _page = await ask("/hinting-and-broken/")

    assert status == 500
    assert finished == ["hinted"]
