"""Whatever is asked, in whatever letters, is answered: never with a fault of the site's own."""

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from courtpiece.accounts.api.throttles import CheckThrottle, WriteThrottle
from courtpiece.accounts.models import Role
from scoring.models import Deal, Scoresheet
from tests.accounts.builders import a_club, a_user
from tests.api.builders import API, a_program
from tests.scoring.builders import a_record, a_sheet, a_sheet_with, club_of

pytestmark = pytest.mark.django_db

ANSWERED = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

LISTS = (
    "clubs",
    "players",
    "partnerships",
    "tournaments",
    "sessions",
    "rounds",
    "matches",
    "scoresheets",
    "deals",
)
PARTS = (
    *LISTS,
    *("history", "record", "standings", "crosstable", "revisions", "check", "schema", "docs"),
    *("lahore", "rang", "..", "%00", "%ff", "%ed%a0%80", "0", str(10**30)),
    "00000000-0000-0000-0000-000000000000",
    "",
)
NAMES = (
    *("cursor", "limit", "format", "club", "search", "player", "partnership", "event", "date", "round"),
    *("table", "rules", "scoresheet", "number", "dealer", "trump", "level", "winner", "award", "ruled"),
    *(
        "corrected",
        "has_problems",
        "tournament",
        "session",
        "state",
        "kind",
        "status",
        "bom",
        "file",
        "country",
    ),
)


def _quoted(text: str) -> str:
    return quote(text, errors="replace")


VALUES = st.one_of(
    st.sampled_from(
        (
            "json",
            "csv",
            "pcn",
            "1",
            "-1",
            "true",
            "S",
            "win",
            "2026.11",
            "lahore",
            "rang",
            "%00",
            "%ff",
            "%ed%a0%80",
        )
    ),
    st.integers(-(10**40), 10**40).map(str),
    st.text(max_size=30).map(_quoted),
)
HEADERS = st.dictionaries(
    st.sampled_from(
        (
            "Accept",
            "Authorization",
            "If-None-Match",
            "Idempotency-Key",
            "Accept-Language",
            "Content-Type",
            "Range",
        )
    ),
    st.one_of(
        st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=40),
        st.sampled_from(("*/*", "text/csv", "Bearer x", "W/", "*", '"', "a/b;q=x")),
    ),
    max_size=3,
)


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    for throttle in (CheckThrottle, WriteThrottle):
        monkeypatch.setattr(throttle, "rate", "100000/min")


@pytest.fixture
def sheet() -> Scoresheet:
    """Return a scoresheet with a deal, of the club that the director directs."""
    club = a_club(members=[(a_user("Dina"), Role.DIRECTOR)])
    return a_sheet_with(club, [a_record(1)])


@pytest.fixture
def program(sheet: Scoresheet) -> Client:
    director = club_of(sheet).memberships.get().user
    program = a_program(user=director, scopes=["read", "deals:write"])
    program.raise_request_exception = False
    return program


def is_answered(answer: Any) -> bool:
    """Return whether an answer is one that was meant."""
    is_problem = answer["Content-Type"] == "application/problem+json" if answer.status_code >= 400 else True
    return answer.status_code < 500 and is_problem and b"Traceback" not in answer.content


@ANSWERED
@given(
    parts=st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=8).map(_quoted)), max_size=4),
    query=st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=4),
    headers=HEADERS,
)
def test_every_address_is_answered(
    program: Client, parts: list[str], query: list[tuple[str, str]], headers: dict[str, str]
) -> None:
    address = "/".join(parts) + "?" + "&".join(f"{name}={value}" for name, value in query)

    answer = program.get(f"{API}{address}", headers=headers, follow=True)

    assert is_answered(answer), (address, answer.status_code, answer.content)


@ANSWERED
@given(
    path=st.sampled_from(
        (*(f"{name}/" for name in LISTS), "scoresheets/{sheet}/deals", "deals/{deal}", "scoresheets/{sheet}")
    ),
    query=st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=3),
)
def test_every_question_to_a_list_is_answered(
    program: Client, sheet: Scoresheet, path: str, query: list[tuple[str, str]]
) -> None:
    address = path.format(sheet=sheet.uid, deal=Deal.objects.get().uid)

    answer = program.get(f"{API}{address}?" + "&".join(f"{name}={value}" for name, value in query))

    assert is_answered(answer), (address, query, answer.content)


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(), max_size=20),
        st.sampled_from(("1", "N", "E", "NS 7-4", "DK", "court-piece", "\ud800", "\x00")),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                ("tags", "tricks", "claim", "comments", "cards", "Deal", "Dealer", "Result", "Hands", "Trump")
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=15,
)
BODIES = st.dictionaries(
    st.sampled_from(("operation_id", "pcn", "deals", "record", "base_revision", "reason")), JSON, max_size=5
)


@ANSWERED
@given(path=st.sampled_from(("scoresheets/{sheet}/deals", "deals/{deal}/revisions", "check")), body=BODIES)
def test_every_body_in_json_is_answered(program: Client, sheet: Scoresheet, path: str, body: Any) -> None:
    address = path.format(sheet=sheet.uid, deal=Deal.objects.get(number=1, scoresheet=sheet).uid)
    body = {"operation_id": "11111111-1111-4111-8111-111111111111", **body}

    answer = program.post(f"{API}{address}", data=body, content_type="application/json")

    assert is_answered(answer), (address, body, answer.content)


@st.composite
def records_in_json(draw: st.DrawFn) -> Any:
    """Return what is nearly a record in JSON."""
    tags = {"Deal": draw(st.sampled_from(("1", "2", "999999999", "99999999999999999999"))), "Dealer": "E"}
    tags |= draw(
        st.dictionaries(
            st.sampled_from(("Result", "Note", "Courts", "Tricks", "Revoke")), st.text(max_size=9)
        )
    )
    play = st.fixed_dictionaries(
        {"cards": st.lists(st.sampled_from(("SA", "HT", "C2", "d3", "10h")), max_size=3)}
    )
    record: dict[str, Any] = {"tags": tags}
    if draw(st.booleans()):
        record["tricks"] = draw(st.lists(st.lists(play, max_size=5), max_size=3))
        record["claim"] = draw(
            st.sampled_from((None, {"seat": "W", "trick": 4}, {"seat": "W"}, {"seat": "X"}))
        )
        place = st.integers(0, 99)
        comment = st.fixed_dictionaries({"trick": place, "play": place, "text": st.text(max_size=9)})
        record["comments"] = draw(st.lists(comment, max_size=3))
    return record


@ANSWERED
@given(deals=st.lists(records_in_json(), max_size=3))
def test_every_record_in_json_is_answered(program: Client, sheet: Scoresheet, deals: list[Any]) -> None:
    body = {"operation_id": "11111111-1111-4111-8111-111111111111", "deals": deals}

    answer = program.post(f"{API}scoresheets/{sheet.uid}/deals", data=body, content_type="application/json")

    assert is_answered(answer), (body, answer.content)


@ANSWERED
@given(
    body=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode())),
    content_type=st.sampled_from(
        (
            "text/vnd.courtpiece.pcn",
            "text/plain; charset=latin-1",
            "application/json; charset=utf-7",
            "multipart/form-data; boundary=x",
            "multipart/form-data",
            "application/x-www-form-urlencoded",
            "a/b/c",
            "",
        )
    ),
    path=st.sampled_from(
        ("scoresheets/{sheet}/deals", "deals/{deal}/revisions", "check", "check?format=json", "clubs/")
    ),
)
def test_every_body_is_answered(
    program: Client, sheet: Scoresheet, body: bytes, content_type: str, path: str
) -> None:
    address = path.format(sheet=sheet.uid, deal=Deal.objects.get(number=1, scoresheet=sheet).uid)
    key = {"Idempotency-Key": "11111111-1111-4111-8111-111111111111"}

    answer = program.generic("POST", f"{API}{address}", body, content_type=content_type, headers=key)

    assert is_answered(answer), (address, body, answer.content)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PURGE", "OPTIONS", "HEAD"])
@pytest.mark.parametrize(
    "path", ["", "clubs/", "check", "schema", "deals/{deal}", "scoresheets/{sheet}/deals"]
)
def test_every_method_is_answered(program: Client, sheet: Scoresheet, method: str, path: str) -> None:
    address = path.format(sheet=sheet.uid, deal=Deal.objects.get().uid)

    answer = program.generic(method, f"{API}{address}")

    assert is_answered(answer)


def test_a_fault_of_the_sites_own_is_told_without_its_cause(
    program: Client, sheet: Scoresheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("scoring.queries.lists.deals", fails)

    answer = program.get(f"{API}deals/")

    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert b"secret" not in answer.content


def test_names_in_every_script_come_back_as_they_were_kept(sheet: Scoresheet) -> None:
    names = (("آصف خان", "बिलाल शाह"), ("Łukasz Żak", "Zoë D’Arcy"))
    other = a_sheet(club_of(sheet), names=names)

    seats = a_program().get(f"{API}scoresheets/{other.uid}").json()["seats"]

    assert [seats[seat]["name"] for seat in "NSEW"] == [name for pair in names for name in pair]
