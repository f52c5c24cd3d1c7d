"""The schema is valid, says what is answered, and has a page that asks nobody else."""

import io
import json
import re
from typing import Any

import jsonschema
import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver

from courtpiece.accounts.permissions import SERVER
from scoring.derived import DealAnalysis
from scoring.models import Deal, Partnership, Player, Scoresheet
from tests.accounts.builders import AT
from tests.api.builders import API, Scene, a_program, a_scene
from tournaments.api import examples
from tournaments.link_secrets import secret_of
from tournaments.models import Round, Session, TableLink
from tournaments.operations.links import make_table_links

pytestmark = pytest.mark.django_db


@pytest.fixture
def schema() -> Any:
    return a_program().get(f"{API}schema").json()


def test_the_schema_is_valid_and_made_without_a_warning() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=io.StringIO())


def test_the_schema_is_of_the_version_that_was_promised(schema: Any) -> None:
    assert (schema["openapi"], schema["info"]) == ("3.1.0", {"title": "Court Piece", "version": "1"})


def test_every_address_is_in_the_schema(schema: Any) -> None:
    described = {path.removeprefix(API) for path in schema["paths"]}

    resolver = get_resolver("courtpiece.project.api")
    addresses = {
        re.sub(r"%\(([a-z]+)\)s", r"{\1}", possibilities[0][0])
        for name, possibilities in ((name, entry[0]) for name, entry in _named(resolver))
        if name not in {"api-schema", "api-docs", "api-without-slash"}
    }
    assert described == addresses


def _named(resolver: Any) -> list[tuple[str, Any]]:
    return [
        (name, entry)
        for name in resolver.reverse_dict
        if isinstance(name, str)
        for entry in [resolver.reverse_dict[name]]
    ]


def test_every_operation_has_a_name_and_a_summary(schema: Any) -> None:
    operations = [operation for methods in schema["paths"].values() for operation in methods.values()]

    assert all(operation["summary"] and operation["description"] for operation in operations)
    assert len({operation["operationId"] for operation in operations}) == len(operations)


def test_a_token_opens_what_is_not_open_to_all(schema: Any) -> None:
    assert schema["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert {} in schema["paths"][f"{API}deals/"]["get"]["security"]
    write = schema["paths"][f"{API}scoresheets/{{uid}}/deals"]["post"]
    assert {} not in write["security"]
    assert {"token": []} in write["security"]


def examples_of(scene: Scene) -> dict[str, str]:
    """Return an address of each kind that is in the schema."""
    player = Player.objects.get(name="Asif Khan").uid
    pair = Partnership.objects.get(first__name="Asif Khan").uid
    sheet, deal = Scoresheet.objects.get(deals_count=2).uid, Deal.objects.get(number=2).uid
    ids = {
        "clubs": "lahore",
        "tournaments": "rang",
        "players": player,
        "partnerships": pair,
        "scoresheets": sheet,
        "deals": deal,
        "matches": scene.match.uid,
        "rounds": Round.objects.get(number=1).uid,
        "sessions": Session.objects.get().uid,
    }
    return {name: str(value) for name, value in ids.items()}


def keep_an_analysis() -> None:
    """Let the analysis of the example's deal have been found."""
    five = {"cards": ["SA"], "samples": 1, "seed": 1, "sums": dict.fromkeys("SHDC", 7), "best": ["S"]}
    play = {"trick": 1, "seat": "N", "card": "SA", "before": 7, "after": 7, "lost": 0}
    found = {"caller": "N", "trump": "S", "chosen": True, "tricks": dict.fromkeys("SHDC", 7)}
    found |= {"best": ["S"], "five": five, "plays": [play], "stopped": False}
    revision = Deal.objects.get(number=2).revisions.latest("number")
    DealAnalysis.objects.create(revision=revision, asked_at=AT, found=found, found_at=AT)


def test_what_is_answered_is_what_the_schema_says(schema: Any) -> None:
    ids = examples_of(a_scene())
    keep_an_analysis()
    programs = {"table": a_device()}

    for path, methods in schema["paths"].items():
        if "get" not in methods:
            continue
        name = path.removeprefix(API).split("/")[0]
        program = programs.get(name, a_program())
        answer = program.get(re.sub(r"\{\w+\}", ids.get(name, ""), path))
        content = methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(answer.json(), {**content, "components": schema["components"]})


def test_a_checked_line_is_what_the_schema_says_with_a_name_of_a_file_and_without(schema: Any) -> None:
    said = schema["paths"][f"{API}check"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]

    for asked in ("?format=json", "?format=json&file=evening.pcn"):
        answer = a_program().post(f"{API}check{asked}", '[Deal "1"]', content_type="text/vnd.courtpiece.pcn")
        jsonschema.validate(answer.json(), {**said, "components": schema["components"]})
        assert answer.json()


def a_device() -> Client:
    """Return a program that comes with the link of the first table."""
    make_table_links(actor=SERVER, slug="rang", session=1, at=AT)
    secret = secret_of(TableLink.objects.get(table="1").uid)
    return Client(headers={"Authorization": f"Table {secret}"})


def test_the_examples_are_what_the_schema_says(schema: Any) -> None:
    def check(shape: str, example: Any) -> None:
        found = {**schema["components"]["schemas"][shape], "components": schema["components"]}
        jsonschema.validate(example, found)

    check("Table", examples.TABLE)
    check("SyncInput", examples.BATCH)
    check("SyncAnswer", examples.OUTCOMES)


def test_an_error_is_what_the_schema_says(schema: Any) -> None:
    shape = schema["components"]["schemas"]["ProblemShape"]

    for path in ("clubs/nowhere", "clubs/?limit=0", "nothing"):
        answer = a_program().get(f"{API}{path}")
        jsonschema.validate(answer.json(), {**shape, "components": schema["components"]})


def test_the_schema_is_had_as_yaml_too(schema: Any) -> None:
    answer = a_program().get(f"{API}schema?format=yaml")

    assert yaml.safe_load(answer.content) == json.loads(json.dumps(schema))


def test_its_page_asks_this_site_only() -> None:
    page = a_program().get(f"{API}docs")

    text = page.content.decode()
    assert page.status_code == 200
    assert "<style" not in text
    assert re.findall(r"<script(?![^>]*src=)", text) == []
    assert re.findall(r'style="', text) == []
    assert [address for address in re.findall(r'(?:src|href)="([^"]+)"', text) if "//" in address] == []
    assert f'data-schema="{API}schema"' in text
    assert "script-src 'self'" in page["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [
        "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js",
        "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css",
        "js/api-docs.js",
        "css/api-docs.css",
    ],
)
def test_what_the_page_needs_is_here(path: str) -> None:
    assert Client().get(f"/static/{path}").status_code == 200
