"""The shapes of what is sent to tournaments: names and forms, no rules."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from courtpiece.accounts.api.writes import OperationInput
from courtpiece.accounts.permissions import Visibility
from scoring.names import LONGEST_NAME
from tournaments.domain.entering import HIGHEST_RATING, MOST_ENTRIES, MOST_GROUPS, NewPair
from tournaments.domain.plans import MOST_OF_LENGTH, LengthKind, MatchLength
from tournaments.models import Format, MatchState
from tournaments.operations.draws import MOST_SEED
from tournaments.schemes import DEFAULT_SCHEME, NewSession, NewTournament, clean_scheme

LONGEST_PLACE: Final = 200
LENGTHS: Final = [(kind.value, kind.value) for kind in LengthKind]
ROUND_STATES: Final = [("closed", "closed"), ("published", "published")]


class PairNames(serializers.ListField):
    """Two players, by their names."""

    child = serializers.CharField(max_length=LONGEST_NAME)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=2, max_length=2, **kwargs)


def _number_or_none(least: int, most: int) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=least, max_value=most, required=False, default=None, allow_null=True
    )


# -- tournaments


class TournamentInput(OperationInput):
    """A tournament to be made."""

    club = serializers.SlugField(max_length=50)
    name = serializers.CharField(max_length=80)
    slug = serializers.CharField(
        max_length=60,
        required=False,
        default="",
        help_text=_("Its address; without one it is made of the name."),
    )
    kind = serializers.ChoiceField(
        Format.choices, required=False, default=Format.ROUND_ROBIN, help_text=_("The tournament's format.")
    )
    rules = serializers.CharField(max_length=255, required=False, default="court-piece")
    visibility = serializers.ChoiceField(Visibility.choices, required=False, default=Visibility.PUBLIC)
    ranking = serializers.CharField(max_length=40, required=False, default=DEFAULT_SCHEME.ranking.value)
    tiebreaks = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        max_length=30,
        default=[code.value for code in DEFAULT_SCHEME.tiebreaks],
    )
    pairs = serializers.ListField(child=PairNames(), required=False, default=list, max_length=MOST_ENTRIES)

    @property
    def tournament(self) -> NewTournament:
        """What was sent, as the operation takes it.

        :raises BadScoring: if there is no such ranking or tie-break, or one stands twice.
        """
        data = self.validated_data
        return NewTournament(
            name=data["name"],
            slug=data["slug"],
            format=data["kind"],
            rules=data["rules"],
            visibility=data["visibility"],
            scheme=clean_scheme(ranking=data["ranking"], tiebreaks=data["tiebreaks"]),
        )

    @property
    def named_pairs(self) -> list[tuple[str, str]]:
        """The names of the pairs."""
        return [(first, second) for first, second in self.validated_data["pairs"]]


class TournamentChange(serializers.Serializer[Any]):
    """What of a tournament is to be changed; what is left out stays."""

    name = serializers.CharField(max_length=80, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)


class EntryInput(serializers.Serializer[Any]):
    """A pair to be entered."""

    players = PairNames()
    seed = _number_or_none(1, MOST_ENTRIES)
    rating = _number_or_none(0, HIGHEST_RATING)
    group = _number_or_none(1, MOST_GROUPS)


class EntriesInput(OperationInput):
    """Pairs to be entered, all of them or none."""

    entries = serializers.ListField(child=EntryInput(), min_length=1, max_length=MOST_ENTRIES)
    others = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME),
        required=False,
        default=list,
        max_length=2 * MOST_ENTRIES,
        help_text=_("New names that are nearly ones the club has, and are other people's all the same."),
    )

    @property
    def pairs(self) -> list[NewPair]:
        """The pairs, in their order."""
        return [
            NewPair(
                row=row,
                names=(entry["players"][0], entry["players"][1]),
                seed=entry["seed"],
                rating=entry["rating"],
                group=entry["group"],
            )
            for row, entry in enumerate(self.validated_data["entries"], start=1)
        ]


# -- sessions, rounds, matches


class LengthInput(serializers.Serializer[Any]):
    """The agreed length of a match (law 13.1)."""

    kind = serializers.ChoiceField(LENGTHS)
    amount = serializers.IntegerField(min_value=1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse more than there can be.

        :raises ValidationError: if it is.
        """
        most = MOST_OF_LENGTH[LengthKind(attrs["kind"])]
        if attrs["amount"] > most:
            message = _("At most %(most)d.") % {"most": most}
            raise serializers.ValidationError({"amount": [message]})
        return attrs


class SessionPlan(serializers.Serializer[Any]):
    """A session as a director says it."""

    place = serializers.CharField(max_length=LONGEST_PLACE, required=False, allow_blank=True, default="")
    starts_at = serializers.DateTimeField(required=False, allow_null=True, default=None)
    length = LengthInput(required=False, allow_null=True, default=None)


class SessionsPlan(serializers.Serializer[Any]):
    """The sessions of a tournament, all of them."""

    sessions = serializers.ListField(child=SessionPlan(), min_length=1, max_length=200)

    @property
    def plan(self) -> list[NewSession]:
        """The sessions, in their order."""
        return [
            NewSession(place=one["place"], starts_at=one["starts_at"], length=_length(one["length"]))
            for one in self.validated_data["sessions"]
        ]


def _length(data: Mapping[str, Any] | None) -> MatchLength | None:
    return None if data is None else MatchLength(LengthKind(data["kind"]), data["amount"])


def sessions_json(sessions: tuple[NewSession, ...]) -> dict[str, Any]:
    """Return sessions as they are sent."""
    return {
        "sessions": [
            {
                "place": one.place,
                "starts_at": one.starts_at,
                "length": None
                if one.length is None
                else {"kind": one.length.kind.value, "amount": one.length.amount},
            }
            for one in sessions
        ]
    }


class NextRoundInput(OperationInput):
    """The next round, to be drawn and made known."""

    seed = serializers.IntegerField(
        min_value=0, max_value=MOST_SEED, help_text=_("Of the lots: the same again draws the same.")
    )
    session = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        required=False,
        default=None,
        allow_null=True,
        help_text=_("The number of the one in which it is played."),
    )


class RoundState(serializers.Serializer[Any]):
    """How it is to be with a round."""

    state = serializers.ChoiceField(ROUND_STATES)
    reason = serializers.CharField(
        max_length=500, required=False, allow_blank=True, default="", help_text=_("Needed to open it again.")
    )


class MatchStateInput(serializers.Serializer[Any]):
    """How it is to be with a match."""

    state = serializers.ChoiceField(MatchState.choices)
