"""What the schema says of answers: the shapes that all views share."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from drf_spectacular.utils import OpenApiResponse, inline_serializer
from rest_framework import serializers

Answers = dict[int | tuple[int, str], Any]
PROBLEM_JSON: Final = "application/problem+json"


class RecordProblemShape(serializers.Serializer[Any]):
    """Something wrong with a record. Codes, lines and columns are those of the notation."""

    code = serializers.CharField()
    severity = serializers.CharField(required=False)
    kind = serializers.CharField(required=False)
    file = serializers.CharField(required=False)
    record = serializers.IntegerField(required=False)
    line = serializers.IntegerField(required=False)
    column = serializers.IntegerField(required=False)
    pointer = serializers.CharField(required=False)
    message = serializers.CharField()


class ProblemShape(serializers.Serializer[Any]):
    """An error, as RFC 9457 has it."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    problems = RecordProblemShape(many=True, required=False)
    errors = serializers.DictField(required=False)  # type: ignore[assignment]  # a field, not the attribute


def problem(description: str) -> OpenApiResponse:
    """Return the description of an error."""
    return OpenApiResponse(ProblemShape, description)


NOT_FOUND: Final[Answers] = {(404, PROBLEM_JSON): problem("There is no such thing, or you may not see it.")}
BAD_PARAMETER: Final[Answers] = {(400, PROBLEM_JSON): problem("A parameter is not as it must be.")}
BAD_SEARCH: Final[Answers] = {
    **BAD_PARAMETER,
    (422, PROBLEM_JSON): problem("What is asked cannot be; `errors` names the parameter."),
}
REFUSED_WRITE: Final[Answers] = {
    (400, PROBLEM_JSON): problem("The body cannot be read, or lacks something."),
    (401, PROBLEM_JSON): problem("Say who you are, with a token that is good."),
    (403, PROBLEM_JSON): problem("The token lacks the scope that this needs."),
    (404, PROBLEM_JSON): problem("There is no such thing, or you may not change it."),
    (409, PROBLEM_JSON): problem("Something else is recorded there already; both texts are shown."),
    (413, PROBLEM_JSON): problem("That is more than is taken at once."),
    (415, PROBLEM_JSON): problem("The body is of a type that is not read here."),
    (422, PROBLEM_JSON): problem("A record cannot be written as it stands; `problems` says why."),
    (429, PROBLEM_JSON): problem("Too many requests; `Retry-After` says when to come again."),
}

REFUSED_CONDITION: Final[Answers] = {
    (412, PROBLEM_JSON): problem("It was changed since you read it. Read it again."),
    (428, PROBLEM_JSON): problem("Say in `If-Match` which you changed."),
}


@cache
def part_of(line: type[serializers.BaseSerializer[Any]]) -> serializers.Serializer[Any]:
    """Return the shape of a part of a list of such lines: the same for all lists of them."""
    return part_with(line)


def part_with(line: type[serializers.BaseSerializer[Any]], **more: Any) -> serializers.Serializer[Any]:
    """Return the shape of a part of a list of such lines, with more above them."""
    fields: Mapping[str, Any] = {
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
        **more,
        "results": line(many=True),
    }
    shape: serializers.Serializer[Any] = inline_serializer(f"PartOf{line.__name__}s", dict(fields))
    return shape
