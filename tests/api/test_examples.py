"""Every operation of the schema has an example, and each is as the schema says.

``RECORD_EXAMPLES=1 python -m pytest tests/api/test_examples.py`` records them anew. An operation that is added needs a
line in ``tests/api/recording.py`` if it writes; what is read is found by itself.
"""

import json
import os
from typing import Any

import jsonschema
import pytest

from courtpiece.project.described import EXAMPLES, complete, example_of, operations_of
from tests.api.builders import a_program, a_scene
from tests.api.recording import recorded

pytestmark = pytest.mark.django_db


@pytest.fixture
def schema() -> Any:
    return a_program().get("/api/v1/schema").json()


def test_the_site_still_answers_what_was_recorded(schema: Any) -> None:
    found = recorded(schema, a_scene())
    if os.environ.get("RECORD_EXAMPLES") == "1":
        EXAMPLES.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    kept = {name: example_of(name) for name in found}

    assert {name: one.get("status") for name, one in kept.items()} == {
        name: one["status"] for name, one in found.items()
    }
    assert {name: _names(one.get("response")) for name, one in kept.items()} == {
        name: _names(one.get("response")) for name, one in found.items()
    }
    assert {name: _columns(one) for name, one in kept.items()} == {
        name: _columns(one) for name, one in found.items()
    }


def _names(value: Any) -> Any:
    return sorted(value) if isinstance(value, dict) else type(value).__name__


def _columns(example: Any) -> dict[str, Any]:
    """Return what the first line of each form that is made of lines names."""
    first = {form: text.splitlines()[0] for form, text in example.get("forms", {}).items()}
    return {form: line if form == "text/csv" else _names(json.loads(line)) for form, line in first.items()}


def test_a_form_that_is_made_of_lines_shows_its_first_ones(schema: Any) -> None:
    content = schema["paths"]["/api/v1/players/"]["get"]["responses"]["200"]["content"]

    head, line = content["text/csv"]["example"].splitlines()
    of_json = json.loads(content["application/x-ndjson"]["example"].splitlines()[0])
    assert head == "player,name,club,club_name,anonymised"
    assert line.split(",")[:2] == [of_json["id"], of_json["name"]]


def test_no_operation_is_without_an_example(schema: Any) -> None:
    without = [
        f"{operation['operationId']} {what}"
        for _path, _method, operation in operations_of(schema)
        for what, forms in _forms(operation).items()
        if forms and not any({"example", "examples"} & form.keys() for form in forms)
    ]

    assert without == []


def _forms(operation: Any) -> dict[str, list[Any]]:
    """Return the forms of what is sent, and those of what is answered where all is well."""
    answered = [
        form
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for form in answer.get("content", {}).values()
    ]
    return {"sent": list(operation.get("requestBody", {}).get("content", {}).values()), "answered": answered}


def test_each_example_is_as_the_schema_says(schema: Any) -> None:
    for _path, _method, operation in operations_of(schema):
        example = example_of(operation["operationId"])
        shapes = {
            "request": operation.get("requestBody", {}),
            "response": operation["responses"].get(str(example.get("status")), {}),
        }
        for name, where in shapes.items():
            form = where.get("content", {}).get("application/json")
            if form and name in example and not isinstance(example[name], str):
                jsonschema.validate(example[name], {**form["schema"], "components": schema["components"]})


def test_what_is_said_of_every_operation_is_said_once(schema: Any) -> None:
    operation = schema["paths"]["/api/v1/players/"]["get"]

    names = [parameter["name"] for parameter in operation["parameters"]]

    assert sorted(names) == sorted(set(names))
    assert {"fields", "ordering", "If-None-Match", "limit"} <= set(names)
    assert set(operation["responses"]) == {"200", "304", "400", "401", "404", "406", "422", "429", "503"}
    assert complete({"paths": {}}) == {"paths": {}}
