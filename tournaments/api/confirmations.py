"""What a table says of its deals: that they were as the other pair entered them, or not."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from courtpiece.accounts.api.base import ApiView
from courtpiece.accounts.api.documents import PROBLEM_JSON, Answers, problem
from courtpiece.notation import Point
from scoring.api.inputs import LARGEST_NUMBER, PcnField
from scoring.api.shapes import SEATS, TextOrNull
from scoring.operations import Became
from tournaments.api.authentication import AtATable, SyncThrottle, TableAuthentication
from tournaments.api.examples import CONFIRMED, CONFIRMING
from tournaments.dispute_words import difference_text
from tournaments.domain.confirming import Confirmation, Holder, Verdict
from tournaments.operations.confirming import SaidOfDeal, confirm_deal, dispute_deal

HOLDERS: Final = [(one.value, one.value) for one in Holder]
DIRECTOR: Final = "director"

REFUSED: Final[Answers] = {
    (400, PROBLEM_JSON): problem("The body cannot be read, or has not the shape that it must have."),
    (401, PROBLEM_JSON): problem("There is no such link, or it was revoked (`urn:courtpiece:link-revoked`)."),
    (404, PROBLEM_JSON): problem("There is no such deal at this table."),
    (409, PROBLEM_JSON): problem(
        "Another revision stands now (`urn:courtpiece:revision-conflict`; `conflicts` has it), nobody is asked "
        "(`not-asked`, `nothing-to-confirm`), the id came with something else (`operation-reused`), or the standings "
        "are final (`tournament-is-final`)."
    ),
    (422, PROBLEM_JSON): problem(
        "The same phone or pair entered the deal (`own-entry`), the other version cannot be or says the same "
        "(`record-refused`, `same-version`), or the link's time is over (`link-expired`)."
    ),
    (429, PROBLEM_JSON): problem("Too many requests; `Retry-After` says when to come again."),
}


class SaidShape(serializers.Serializer[Any]):
    """What somebody said of a revision."""

    by = serializers.ChoiceField([*HOLDERS, (DIRECTOR, DIRECTOR)])
    verdict = serializers.ChoiceField([(one.value, one.value) for one in Verdict])
    pcn = TextOrNull(help_text=gettext_lazy("Of a dispute: what that side has in its place."))
    reason = TextOrNull(help_text=gettext_lazy("Of a director who let it stand."))
    at = serializers.DateTimeField()


class DifferenceShape(serializers.Serializer[Any]):
    """The first point at which what is recorded and the other side's version part."""

    point = serializers.ChoiceField([(one.value, one.value) for one in Point])
    trick = serializers.IntegerField(allow_null=True)
    seat = serializers.ChoiceField(SEATS, allow_null=True)
    recorded = serializers.CharField(
        help_text=gettext_lazy("As records write it; empty where there is nothing.")
    )
    offered = serializers.CharField()
    text = serializers.CharField(help_text=gettext_lazy("The same in a sentence."))


class ConfirmationShape(serializers.Serializer[Any]):
    """How far the revision that stands is confirmed by the other pair."""

    state = serializers.ChoiceField([(one.value, one.value) for one in Confirmation])
    entered_by = serializers.ChoiceField(
        HOLDERS, allow_null=True, help_text=gettext_lazy("Null where the device did not say who holds it.")
    )
    said = SaidShape(many=True, help_text=gettext_lazy("The oldest first; of each side the last counts."))
    difference = DifferenceShape(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return what both sides said."""
        found = instance.difference
        return {
            "state": instance.state.value,
            "entered_by": instance.entered_by and instance.entered_by.value,
            "said": [
                {
                    "by": one.by.value if one.by else DIRECTOR,
                    "verdict": one.verdict.value,
                    "pcn": one.pcn or None,
                    "reason": one.reason or None,
                    "at": one.at,
                }
                for one in instance.said
            ],
            "difference": found
            and {
                "point": found.point.value,
                "trick": found.trick,
                "seat": found.seat and found.seat.letter,
                "recorded": found.one,
                "offered": found.other,
                "text": difference_text(found),
            },
        }


class ConfirmingInput(serializers.Serializer[Any]):
    """What a device says of a deal that the other pair entered."""

    operation_id = serializers.UUIDField(
        help_text=gettext_lazy("Made by the device: the same again writes nothing and gives the same answer.")
    )
    device = serializers.UUIDField(help_text=gettext_lazy("What the device calls itself."))
    side = serializers.ChoiceField(HOLDERS, help_text=gettext_lazy("Which pair holds it."))
    scoresheet = serializers.UUIDField()
    deal = serializers.UUIDField()
    revision = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, help_text=gettext_lazy("The one that was looked at.")
    )
    verdict = serializers.ChoiceField([(one.value, one.value) for one in (Verdict.AGREE, Verdict.DISPUTE)])
    pcn = PcnField(
        default="",
        help_text=gettext_lazy("Of a dispute, if it is known: the record of the deal as this side has it."),
    )

    def said(self) -> SaidOfDeal:
        """Return what is said."""
        data = self.validated_data
        return SaidOfDeal(
            operation_id=data["operation_id"],
            scoresheet=data["scoresheet"],
            deal=data["deal"],
            revision=data["revision"],
            device=data["device"],
            holder=Holder(data["side"]),
            pcn=data["pcn"] if data["verdict"] == Verdict.DISPUTE.value else "",
        )


class ConfirmedAnswer(serializers.Serializer[Any]):
    """What became of it."""

    outcome = serializers.ChoiceField([(one.value, one.value) for one in (Became.CREATED, Became.DUPLICATE)])
    operation_id = serializers.UUIDField()
    confirmation = serializers.SerializerMethodField(
        help_text=gettext_lazy("How far the deal is confirmed now; null where nobody is asked any more.")
    )

    @extend_schema_field(ConfirmationShape(allow_null=True))
    def get_confirmation(self, answer: Any) -> dict[str, Any] | None:
        """Return how far it is confirmed."""
        found = answer["confirmation"]
        return None if found is None else dict(ConfirmationShape(found).data)


class ConfirmationsView(ApiView):
    """What a table says of its deals."""

    authentication_classes: Sequence[type[BaseAuthentication]] = [TableAuthentication]

    def get_permissions(self) -> Sequence[BasePermission]:
        """Return who may come in."""
        return [AtATable()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps a device from sending without end."""
        return [SyncThrottle()]

    @extend_schema(
        operation_id="confirm_deal",
        summary="Agree with a deal that the other pair entered, or dispute it",
        request=ConfirmingInput,
        responses={200: ConfirmedAnswer, 201: ConfirmedAnswer, **REFUSED},
        examples=[
            OpenApiExample("A dispute", value=CONFIRMING, request_only=True),
            OpenApiExample("It stands against what is recorded", value=CONFIRMED, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """Say of a deal of the link's table that it was so, or that it was not and perhaps how it was.

        Only where the tournament asks the other pair (`confirmation` of its table). A later revision, or a director's
        decision, takes the place of what was said. Send the same again when the answer was lost.
        """
        self.asked()
        sent = ConfirmingInput(data=request.data)
        sent.is_valid(raise_exception=True)
        say = confirm_deal if sent.validated_data["verdict"] == Verdict.AGREE.value else dispute_deal
        said = say(actor=self.actor, said=sent.said(), at=timezone.now())
        is_new = said.became is Became.CREATED
        body = {
            "outcome": said.became.value,
            "operation_id": sent.validated_data["operation_id"],
            "confirmation": said.confirmation,
        }
        return Response(ConfirmedAnswer(body).data, status=HTTPStatus.CREATED if is_new else HTTPStatus.OK)
