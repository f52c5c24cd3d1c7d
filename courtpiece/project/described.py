"""What the schema says of every operation alike: conditions, limits, fields, errors, and an example of each.

The examples are answers of a site of the tests (``tests/api/test_examples.py`` records them).
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

EXAMPLES: Final = Path(__file__).with_name("examples.json")
_JSON: Final = "application/json"
_PROBLEM: Final = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemShape"}}}
_ERRORS: Final[Mapping[str, str]] = {
    "400": "A parameter is not as it must be, or the body cannot be read.",
    "401": "The token is not good.",
    "406": "There is no such form of the answer.",
    "429": "Too many requests; `Retry-After` says when to come again.",
    "503": "The database does not answer; `Retry-After` says when to come again.",
}
"""What every address may answer."""
_ERRORS_OF_ONE: Final[Mapping[str, str]] = {"404": "There is no such thing, or you may not see it."}
_ERRORS_OF_WRITES: Final[Mapping[str, str]] = {
    "403": "The token lacks the scope that this needs, or a browser's request its site's secret.",
    "413": "That is more than is taken at once.",
    "415": "The body is of a type that is not read here.",
}
_UNPROCESSABLE: Final = {"422": "A cursor that was given out by no such list."}
_FIELDS: Final = {
    "name": "fields",
    "in": "query",
    "schema": {"type": "string", "maxLength": 1000},
    "description": "Of an answer in JSON these fields only: `id,partnership.name`; of a list, of each line.",
}
_NONE_MATCH: Final = {
    "name": "If-None-Match",
    "in": "header",
    "schema": {"type": "string"},
    "description": "The `ETag` of the answer that you have: while it is good you get 304 without a body.",
}
_HEADERS: Final[Mapping[str, str]] = {
    "RateLimit-Limit": "Requests that are answered in the time that the policy says.",
    "RateLimit-Remaining": "How many of them are left.",
    "RateLimit-Reset": "Seconds until all of them are there again.",
}
_FORMS: Final[Mapping[str, str]] = {
    _JSON: "json",
    "text/csv": "csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/x-ndjson": "ndjson",
    "text/html": "html",
    "text/vnd.courtpiece.pcn": "pcn",
    "application/x-pbn": "pbn",
    "image/svg+xml": "svg",
    "image/png": "png",
}
OF_LINES: Final[Mapping[str, str]] = {form: _FORMS[form] for form in ("text/csv", "application/x-ndjson")}
"""Forms of which the first lines are an example, with what ``format`` calls them."""
_METHODS: Final = ("get", "post", "put", "patch", "delete")


def complete(result: dict[str, Any], **_more: Any) -> dict[str, Any]:
    """Return the schema with what all operations have in common, and their examples."""
    for path, method, operation in operations_of(result):
        _add_parameters(method, operation)
        _add_answers(path, method, operation)
        _add_examples(operation)
    return result


def operations_of(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each operation with its path and its method."""
    for path, methods in schema["paths"].items():
        for method in _METHODS:
            if method in methods:
                yield path, method, methods[method]


def example_of(operation_id: str) -> Mapping[str, Any]:
    """Return what was recorded of the operation: ``request``, ``response``, ``status``, each where there is one.

    ``forms`` has the beginning of what is answered in other forms, by their media types.
    """
    found: Mapping[str, Any] = _examples().get(operation_id, {})
    return found


@cache
def _examples() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found


def _add_parameters(method: str, operation: dict[str, Any]) -> None:
    answered = operation["responses"].get("200", {}).get("content", {})
    forms = [_FORMS[kind] for kind in answered if kind in _FORMS]
    more: list[dict[str, Any]] = []
    if len(forms) > 1:
        description = "The form of the answer; without it `Accept` says it."
        schema = {"type": "string", "enum": forms}
        more.append({"name": "format", "in": "query", "schema": schema, "description": description})
    if method == "get":
        more += [_FIELDS, _NONE_MATCH] if _JSON in answered else [_NONE_MATCH]
    parameters = operation.setdefault("parameters", []) if more else []
    known = {parameter["name"] for parameter in parameters}
    parameters += [parameter for parameter in more if parameter["name"] not in known]


def _add_answers(path: str, method: str, operation: dict[str, Any]) -> None:
    answers: dict[str, Any] = operation["responses"]
    errors = dict(_ERRORS)
    if "{" in path:
        errors |= _ERRORS_OF_ONE
    if method != "get":
        errors |= _ERRORS_OF_WRITES
    elif any(parameter["name"] == "cursor" for parameter in operation.get("parameters", ())):
        errors |= {**_UNPROCESSABLE, **_ERRORS_OF_ONE}
    for status, description in errors.items():
        answers.setdefault(status, {"content": _PROBLEM, "description": description})
    if method == "get":
        answers.setdefault("304", {"description": "Nothing has changed: you have it already."})
    for status, answer in answers.items():
        if status.startswith("2"):
            answer["headers"] = {
                name: {"schema": {"type": "integer"}, "description": said} for name, said in _HEADERS.items()
            }
            tag = {"schema": {"type": "string"}, "description": "What `If-None-Match` takes."}
            answer["headers"] |= {"ETag": tag} if method == "get" else {}
    operation["responses"] = dict(sorted(answers.items()))


def _add_examples(operation: dict[str, Any]) -> None:
    example = example_of(operation["operationId"])
    if "request" in example:
        _put(operation.get("requestBody", {}), example["request"])
    if "response" in example:
        _put(operation["responses"][str(example["status"])], example["response"])
    for form, text in example.get("forms", {}).items():
        operation["responses"][str(example["status"])]["content"][form].setdefault("example", text)


def _put(where: dict[str, Any], value: Any) -> None:
    """Put the example into the first form, unless there is one: JSON where it is one of them."""
    content: dict[str, Any] = where.get("content", {})
    form = _JSON if _JSON in content and not isinstance(value, str) else next(iter(content), "")
    if form and not {"example", "examples"} & content[form].keys():
        content[form]["example"] = value
