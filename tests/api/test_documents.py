"""What docs/api.md says of addresses and parameters is so."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import resolve

from courtpiece.accounts.api.parsers import MOST_BYTES
from courtpiece.accounts.api.throttles import CheckThrottle, ReadThrottle, StreamThrottle, WriteThrottle
from courtpiece.accounts.parts import LONGEST_PART, USUAL_PART
from scoring import exports
from scoring.api.checking import MOST_LINES, MOST_SECONDS
from tests.api.builders import API
from tournaments.api.authentication import LookThrottle, SyncThrottle
from tournaments.operations.sync import MOST_ITEMS

TEXT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
ID = "00000000-0000-0000-0000-000000000000"


def addresses() -> list[str]:
    """Return every address that an example asks."""
    found = re.findall(r"\$SITE(/api/v1/[^\s\"?]*)", TEXT)
    return sorted({re.sub(r"\$(SHEET|DEAL|GAME)", ID, address) for address in found})


@pytest.mark.parametrize("address", addresses())
def test_every_address_of_an_example_is_there(address: str) -> None:
    assert resolve(address).route.startswith("api/v1/")


@pytest.mark.django_db
def test_the_table_of_parameters_is_complete() -> None:
    rows = re.findall(r"^\| `([a-z]+/)` \| (.*) \|$", TEXT, re.MULTILINE)

    told = {path: set(re.findall(r"`([a-z_]+)`", text)) for path, text in rows}

    assert told == {path: set(_params(path)) - {"cursor", "limit", "ordering"} for path in told}
    assert len(told) == 9


@pytest.mark.django_db
def test_the_table_of_orders_is_complete() -> None:
    table = TEXT.partition("| list | `ordering` |")[2].partition("\n\n")[0]
    told = {
        name: orders.split(", ")
        for names, orders in re.findall(r"^\| ([a-z, ]+) \| ([a-z, ]+) \|$", table, re.MULTILINE)
        for name in names.split(", ")
    }

    known = {name: list(_params(f"{name}/")["ordering"].choices) for name in told}

    assert {name: [order for order in orders if order[0] != "-"] for name, orders in known.items()} == told
    assert len(told) == 9


def test_the_columns_of_tables_are_those_that_it_names() -> None:
    table = TEXT.partition("| file | columns |")[2].partition("\n\n")[0]

    told = {
        name: tuple(re.findall(r"`([a-z_]+)`", text))
        for name, text in re.findall(r"^\| ([a-z]+) \| (.*) \|$", table, re.MULTILINE)
    }

    assert told == {
        "deals": exports.DEALS.columns,
        "scoresheets": exports.SCORESHEETS.columns,
        "players": exports.PLAYERS.columns,
        "partnerships": exports.PARTNERSHIPS.columns,
    }


def _params(path: str) -> Any:
    view: Any = resolve(f"{API}{path}").func
    return view.cls.params().fields


def test_the_limits_that_it_names_hold() -> None:
    limits = (USUAL_PART, LONGEST_PART, MOST_BYTES, MOST_LINES, MOST_SECONDS)
    throttles = (ReadThrottle, WriteThrottle, CheckThrottle, StreamThrottle, SyncThrottle, LookThrottle)
    rates = tuple(throttle.rate for throttle in throttles)

    assert limits == (50, 200, 2 * 1024 * 1024, 20_000, 10.0)
    assert rates == ("1200/min", "300/min", "30/min", "30/min", "120/min", "240/min")
    assert MOST_ITEMS == 200
    assert all(
        said in TEXT
        for said in (
            "(50 if you say nothing, 200 at most)",
            "At most 2 MiB, 20,000 lines and ten seconds",
            "1,200 reads and 300 writes for each token",
            "30 checks, and 30 answers with all of a list at once",
            "120 batches and 240 looks for a table",
            "at most 200 deals",
        )
    )
