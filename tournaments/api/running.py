"""What programs do to run a tournament: its entries, its sessions, its next round."""

from http import HTTPStatus
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView
from courtpiece.accounts.api.documents import NOT_FOUND, REFUSED_CONDITION, REFUSED_WRITE
from courtpiece.accounts.api.writes import KEY, MATCH, tag_asked
from courtpiece.accounts.permissions import Actor, unnarrowed
from courtpiece.accounts.refusals import Outdated
from tournaments.api import shapes
from tournaments.api.inputs import EntriesInput, NextRoundInput, SessionsPlan, sessions_json
from tournaments.errors import ChangedMeanwhile
from tournaments.operations.creating import change_sessions
from tournaments.operations.draws import publish_next_round
from tournaments.operations.entries import take_entries
from tournaments.queries import listings


class TournamentEntries(ApiView):
    """The entries of a tournament."""

    @extend_schema(
        operation_id="enter_pairs",
        summary="Enter pairs in a tournament",
        parameters=[KEY],
        request=EntriesInput,
        responses={
            201: inline_serializer(
                "EnteredPairs", {"entries": serializers.ListField(child=serializers.IntegerField())}
            ),
            **REFUSED_WRITE,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter pairs, all of them or none, and answer with their numbers. Needs the scope `tournaments:write`.

        A new name that is nearly one the club has is refused, unless it stands in `others` as well.
        """
        self.asked()
        sent = EntriesInput.of(request)
        numbers = take_entries(
            actor=self.actor,
            slug=slug,
            pairs=sent.pairs,
            others=sent.validated_data["others"],
            act_id=sent.operation,
            at=timezone.now(),
        )
        return Response({"entries": numbers}, status=HTTPStatus.CREATED)


class TournamentSessions(ApiView):
    """The sessions of a tournament, as a director says them."""

    @extend_schema(
        operation_id="planned_sessions",
        summary="A tournament's sessions as they were planned",
        responses={200: SessionsPlan, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Show where and when each session is, and the agreed length of its matches."""
        self.asked()
        return _sessions(slug, self.actor)

    @extend_schema(
        operation_id="plan_sessions",
        summary="Plan a tournament's sessions",
        parameters=[MATCH],
        request=SessionsPlan,
        responses={200: SessionsPlan, **REFUSED_WRITE, **REFUSED_CONDITION},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Put these in the place of all sessions. Needs the scope `tournaments:write`.

        New ones go to the end; the last ones can be left out while they have no round.
        """
        self.asked()
        actor, made_on = self.actor, tag_asked(request)
        sent = SessionsPlan(data=request.data)
        sent.is_valid(raise_exception=True)
        if made_on is None:
            made_on = listings.sessions_mark(slug, actor=unnarrowed(actor))[1]
        try:
            change_sessions(actor=actor, slug=slug, sessions=sent.plan, made_on=made_on, at=timezone.now())
        except ChangedMeanwhile as error:
            raise Outdated(str(error)) from error
        return _sessions(slug, unnarrowed(actor))


def _sessions(slug: str, actor: Actor) -> Response:
    sessions, mark = listings.sessions_mark(slug, actor=actor)
    data: dict[str, Any] = SessionsPlan(sessions_json(sessions)).data
    return Response(data, headers={"ETag": f'"{mark}"'})


class TournamentRounds(ApiView):
    """The rounds of a tournament."""

    @extend_schema(
        operation_id="publish_next_round",
        summary="Draw the next round and make it known",
        parameters=[KEY],
        request=NextRoundInput,
        responses={201: shapes.Round, **REFUSED_WRITE},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Draw the next round by lots of this seed, and make it known at once. Needs the scope `tournaments:write`.

        Whoever wants to look at it first drafts it on the page of the draw.
        """
        self.asked()
        sent, actor = NextRoundInput.of(request), self.actor
        number = publish_next_round(
            actor=actor,
            slug=slug,
            seed=sent.validated_data["seed"],
            session=sent.validated_data["session"],
            act_id=sent.operation,
            at=timezone.now(),
        )
        made = listings.round_at(slug, number, actor=unnarrowed(actor))
        return Response(shapes.Round(made).data, status=HTTPStatus.CREATED)
