"""What writes have in common: the operation's id, and the condition that nobody changed the thing meanwhile."""

from collections.abc import Mapping
from typing import Any, Final, Self
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

IDEMPOTENCY_KEY: Final = "Idempotency-Key"
IF_MATCH: Final = "If-Match"
KEY: Final = OpenApiParameter(
    IDEMPOTENCY_KEY,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    description="The operation's id, made by you: the same again writes nothing and gives the same answer.",
)
MATCH: Final = OpenApiParameter(
    IF_MATCH,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="The `ETag` of what you changed, as you read it; `*` for whatever it is.",
)


class ConditionMissing(APIException):
    """The write needs the tag of what was changed."""

    status_code = 428
    default_detail = gettext_lazy(
        "Say what you changed: send the ETag of what you read in the header If-Match, or * for whatever it is."
    )
    problem_type = "urn:courtpiece:condition-missing"


def tag_asked(request: Request) -> str | None:
    """Return the tag that a write is on condition of, without its quotes; None: whatever it is.

    :raises ConditionMissing: if the request does not say.
    """
    text = request.headers.get(IF_MATCH, "").strip()
    if not text:
        raise ConditionMissing
    return None if text == "*" else text.strip('"')


class OperationInput(serializers.Serializer[Any]):
    """What every write has: an id that its client made, so that sending it again writes nothing."""

    operation_id = serializers.UUIDField(help_text=gettext_lazy("Or in the header Idempotency-Key."))

    @classmethod
    def of(cls, request: Request) -> Self:
        """Return what was sent, checked.

        :raises ValidationError: if it lacks something, or something is not as it must be.
        """
        body = request.data
        key = request.headers.get(IDEMPOTENCY_KEY)
        if key is not None and isinstance(body, Mapping):
            body = {**body, "operation_id": _one_id(key.strip('"'), body.get("operation_id"))}
        sent = cls(data=body)
        sent.is_valid(raise_exception=True)
        return sent

    @property
    def operation(self) -> UUID:
        """The operation's id."""
        operation_id: UUID = self.validated_data["operation_id"]
        return operation_id


def _one_id(of_the_header: str, of_the_body: Any) -> str:
    if of_the_body not in (None, of_the_header):
        raise ValidationError({"operation_id": [_("The body and the header name two different operations.")]})
    return of_the_header
