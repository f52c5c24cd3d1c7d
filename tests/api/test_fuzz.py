"""Whatever is sent by the schema, or against it, is answered as the schema says, and never with a fault of the site's.

A few hundred requests, the same ones each time. ``make fuzz-api`` makes ten thousand (``FUZZ_REQUESTS``).
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.errors import SchemathesisError
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from courtpiece.accounts.api.throttles import CheckThrottle, ReadThrottle, StreamThrottle, WriteThrottle
from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import Scope
from courtpiece.project.wsgi import application
from tests.api.builders import API, a_program, a_scene
from tests.api.recording import a_device, addresses
from tournaments.api.authentication import LookThrottle, SyncThrottle

pytestmark = pytest.mark.django_db

REQUESTS: Final = int(os.environ.get("FUZZ_REQUESTS", "300"))
THROTTLES: Final = (CheckThrottle, ReadThrottle, StreamThrottle, WriteThrottle, LookThrottle, SyncThrottle)
CHECKS: Final = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
MODES: Final = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@pytest.fixture
def _in_one_transaction() -> Iterator[None]:
    """Let a request leave the connection of the test as it is, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("_in_one_transaction")
def test_everything_is_answered_as_the_schema_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for throttle in THROTTLES:
        monkeypatch.setattr(throttle, "rate", "1000000/min")
    scene = a_scene()
    scene.club.memberships.filter(user=scene.director).update(role=Role.OWNER)
    program = a_program(user=scene.director, scopes=Scope.values)
    ids = addresses(scene)
    signs = tuple(str(one.defaults["HTTP_AUTHORIZATION"]) for one in (program, a_device()))
    schema = schemathesis.openapi.from_wsgi(f"{API}schema", application)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]

    asked: list[int] = []
    faults: dict[str, str] = {}
    each = max(1, REQUESTS // len(operations) // len(MODES))
    for operation in operations:
        for mode in MODES:
            strategy = st.tuples(
                operation.as_strategy(generation_mode=mode), st.booleans(), st.sampled_from(("", *signs))
            )
            _ask(strategy, each, ids, asked, faults)

    assert not faults, "\n\n".join(faults.values())
    assert len(asked) > REQUESTS // 3


def _ask(
    strategy: st.SearchStrategy[Any],
    count: int,
    ids: dict[str, str],
    asked: list[int],
    faults: dict[str, str],
) -> None:
    """Make so many requests, and keep what is wrong with their answers, once each."""

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn=strategy)
    def ask(drawn: tuple[Any, bool, str]) -> None:
        case, is_known, sign = drawn
        name = case.operation.path.removeprefix(API).split("/")[0]
        if is_known and case.path_parameters and name in ids:
            case.path_parameters = dict.fromkeys(case.path_parameters, ids[name])
        if sign:
            case.headers["Authorization"] = sign
        answer = case.call()
        asked.append(answer.status_code)
        try:
            case.validate_response(answer, checks=list(CHECKS))
        except FailureGroup as found:
            for one in found.exceptions:
                key = f"{case.operation.label}: {type(one).__name__} {answer.status_code}"
                faults.setdefault(
                    key, f"{key}: {one}\n{case.as_curl_command()[:800]}\n{answer.content[:300]!r}"
                )

    # An operation without anything that could be wrong has no case of that mode.
    with suppress(SchemathesisError, Unsatisfiable):
        ask()
