"""The shapes of what tournaments answers: names and forms, no rules."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from courtpiece.accounts.permissions import Visibility
from courtpiece.engine import Seat
from scoring.api.shapes import SIDES, BySide, ClubName, OrNull, Pair, TextOrNull
from tournaments.domain.scheme_json import points_to_json
from tournaments.models import ByeKind, EntryState, Forfeit, Format, MatchState, RankedBy, RoundState, Status

# -- tournaments


class TournamentFields(serializers.Serializer[Any]):
    """What a tournament says of itself wherever it stands."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    format = serializers.ChoiceField(Format.choices)
    rules = serializers.CharField()
    status = serializers.ChoiceField(Status.choices, help_text=_("How sure the standings are."))
    visibility = serializers.ChoiceField(Visibility.choices)
    created_at = serializers.DateTimeField()


class ListedTournament(TournamentFields):
    """A tournament as a list shows it."""

    club = ClubName(source="*")
    entries = serializers.IntegerField(help_text=_("How many."))


class Points(serializers.Serializer[Any]):
    """What a match is worth: whole numbers, or fractions as text."""

    win = serializers.JSONField()
    draw = serializers.JSONField()
    loss = serializers.JSONField()
    bye = serializers.JSONField()


class Entry(serializers.Serializer[Any]):
    """A partnership in a tournament."""

    entry = serializers.IntegerField(source="number")
    partnership = Pair(source="pair")
    state = serializers.ChoiceField(EntryState.choices)
    seed = serializers.IntegerField(allow_null=True)
    penalty = serializers.IntegerField()
    penalty_reason = TextOrNull()


class HostClub(serializers.Serializer[Any]):
    """The club that runs a tournament."""

    slug = serializers.SlugField()
    name = serializers.CharField()


class Tournament(serializers.Serializer[Any]):
    """A tournament with its entries, and how it counts."""

    slug = serializers.SlugField(source="header.slug")
    name = serializers.CharField(source="header.name")
    club = HostClub(source="header.club")
    format = serializers.ChoiceField(Format.choices, source="header.format")
    rules = serializers.CharField(source="header.rules")
    rules_version = serializers.IntegerField(source="header.rules_version")
    status = serializers.ChoiceField(Status.choices, source="header.status")
    visibility = serializers.ChoiceField(Visibility.choices, source="header.visibility")
    version = serializers.IntegerField(
        source="header.version", help_text=_("One more with every write to anything in it.")
    )
    timezone = serializers.CharField(source="header.club.timezone")
    created_at = serializers.DateTimeField(source="header.created_at")
    ranking = serializers.ChoiceField(RankedBy.choices, source="header.scheme.ranking.value")
    points = serializers.SerializerMethodField()
    tiebreaks = serializers.SerializerMethodField()
    lot_seed = serializers.IntegerField(source="header.scheme.lot_seed", allow_null=True)
    entries = Entry(many=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_tiebreaks(self, page: Any) -> list[str]:
        """Return the tie-breaks' codes, in their order."""
        return [code.value for code in page.header.scheme.tiebreaks]

    @extend_schema_field(Points)
    def get_points(self, page: Any) -> dict[str, int | str]:
        """Return what a match is worth."""
        return dict(points_to_json(page.header.scheme.points))  # type: ignore[arg-type]  # its values are these


# -- sessions, rounds, matches


class Session(serializers.Serializer[Any]):
    """One sitting of a tournament."""

    id = serializers.UUIDField(source="uid")
    tournament = serializers.SlugField()
    number = serializers.IntegerField()
    place = TextOrNull()
    starts_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True, help_text=_("The agreed length."))
    rounds = serializers.IntegerField(help_text=_("How many."))


class MatchCounts(serializers.Serializer[Any]):
    """How many matches there are, and in which state."""

    scheduled = serializers.IntegerField()
    finished = serializers.IntegerField()
    open = serializers.IntegerField()
    void = serializers.IntegerField()


class SessionRef(serializers.Serializer[Any]):
    """The session of a round."""

    id = serializers.UUIDField(source="session_uid")
    number = serializers.IntegerField(source="session")


class EntryRef(serializers.Serializer[Any]):
    """An entry, named."""

    entry = serializers.IntegerField(source="number")
    partnership = Pair(source="pair")


class ByeRef(serializers.Serializer[Any]):
    """An entry without a match in a round."""

    entry = serializers.IntegerField(source="entry.number")
    partnership = Pair(source="entry.pair")
    kind = serializers.ChoiceField(ByeKind.choices)


class Round(serializers.Serializer[Any]):
    """Matches that are played at the same time."""

    id = serializers.UUIDField(source="uid")
    tournament = serializers.SlugField()
    session = SessionRef(source="*")
    number = serializers.IntegerField()
    label = TextOrNull(help_text=_("What records call it, where that is no number."))  # type: ignore[assignment]  # a field, not the attribute
    matches = MatchCounts()
    name = TextOrNull(help_text=_("What the format calls it, as a code: `final`."))
    state = serializers.ChoiceField(RoundState.choices)
    byes = ByeRef(many=True)


class AdjustedCourts(serializers.Serializer[Any]):
    """Courts by side, North-South first where they come from."""

    NS = serializers.IntegerField()
    EW = serializers.IntegerField()

    def to_representation(self, instance: tuple[int, int]) -> dict[str, int]:
        """Return both numbers."""
        return {"NS": instance[0], "EW": instance[1]}


class RoundRef(serializers.Serializer[Any]):
    """The round of a match."""

    id = serializers.UUIDField(source="round_uid")
    number = serializers.IntegerField(source="round")
    label = TextOrNull(source="round_label")  # type: ignore[assignment]  # a field, not the attribute


class MatchResult(serializers.Serializer[Any]):
    """What a match's scoresheet comes to."""

    deals = serializers.IntegerField(help_text=_("Those that count."))
    courts = BySide()
    deals_won = BySide("deals")
    bavneys = BySide()
    goon_courts = BySide()
    revokes = BySide(help_text=_("Of the side's own."))


class Match(serializers.Serializer[Any]):
    """Two entries at one table in one round."""

    id = serializers.UUIDField(source="line.uid")
    tournament = serializers.SlugField()
    session = serializers.IntegerField()
    round = RoundRef(source="*")
    table = serializers.CharField(source="line.table")
    state = serializers.ChoiceField(MatchState.choices, source="line.state")
    ns = EntryRef(source="line.ns")
    ew = EntryRef(source="line.ew")
    scoresheet = serializers.UUIDField(source="line.result.uid")
    winner = OrNull(
        SIDES,
        source="line.winner",
        help_text=_("Of a finished match; null for a draw."),
    )
    name = TextOrNull(source="line.name", help_text=_("What the format calls it, as a code."))
    first_dealer = OrNull(
        [seat.letter for seat in Seat],
        source="line.first_dealer",
        help_text=_("The seat that was drawn (law 3.1)."),
    )
    forfeit = OrNull(
        Forfeit.choices,
        source="line.forfeit",
        help_text=_("Who gave it away without playing."),
    )
    adjusted = AdjustedCourts(
        source="line.adjusted",
        allow_null=True,
        help_text=_("The courts that a ruling put in place of the scoresheet's."),
    )
    result = MatchResult(source="line.result")


# -- standings: what is answered is kept ready, so these only say what it is


class StandingsTournament(serializers.Serializer[Any]):
    """Which tournament it is, and by which rules."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    rules = serializers.CharField()
    rules_version = serializers.IntegerField()


class StandingsPlayer(serializers.Serializer[Any]):
    """A player."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class StandingsPartnership(serializers.Serializer[Any]):
    """A partnership."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    players = StandingsPlayer(many=True)


class Tiebreak(serializers.Serializer[Any]):
    """A tie-break's value: an exact number as text, null where it cannot be computed."""

    code = serializers.CharField()
    value = serializers.CharField(allow_null=True)


class StandingsRow(serializers.Serializer[Any]):
    """An entry's line."""

    position = serializers.IntegerField(help_text=_("Unique."))
    rank = serializers.IntegerField(help_text=_("Shared by equals: 1, 2, 2, 4."))
    tied = serializers.BooleanField()
    entry = serializers.IntegerField()
    state = serializers.ChoiceField(EntryState.choices)
    partnership = StandingsPartnership()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    byes = serializers.IntegerField(help_text=_("No wins."))
    match_points = serializers.JSONField(help_text=_("A whole number, or a fraction as text."))
    session_points = serializers.JSONField(
        required=False,
        help_text=_("In a league only: what its sessions brought, as match points are written."),
    )
    courts_for = serializers.IntegerField()
    courts_against = serializers.IntegerField()
    bavneys = serializers.IntegerField()
    goon_courts = serializers.IntegerField()
    revokes = serializers.IntegerField(help_text=_("The pair's own established ones."))
    deals_won = serializers.IntegerField()
    deals_lost = serializers.IntegerField()
    penalty = serializers.JSONField(help_text=_("A whole number, or a fraction as text."))
    tiebreaks = Tiebreak(many=True)
    decided_by = serializers.CharField(allow_null=True)


class Heading(serializers.Serializer[Any]):
    """What stands above a table."""

    tournament = StandingsTournament()
    version = serializers.IntegerField()
    current = serializers.BooleanField(help_text=_("Whether nothing was written since."))
    status = serializers.ChoiceField(Status.choices)
    after_round = serializers.IntegerField(help_text=_("The last round up to which no match is open."))
    computed_at = serializers.DateTimeField(allow_null=True)
    timezone = serializers.CharField()


class Standings(serializers.Serializer[Any]):
    """The standings at a version."""

    format = serializers.IntegerField()
    tournament = StandingsTournament()
    version = serializers.IntegerField()
    current = serializers.BooleanField(help_text=_("Whether nothing was written since."))
    status = serializers.ChoiceField(Status.choices)
    after_round = serializers.IntegerField(help_text=_("The last round up to which no match is open."))
    computed_at = serializers.DateTimeField(allow_null=True)
    timezone = serializers.CharField()
    ranking = serializers.ChoiceField(RankedBy.choices)
    tiebreaks = serializers.ListField(child=serializers.CharField())
    lot_seed = serializers.IntegerField(allow_null=True)
    matches = MatchCounts()
    rows = StandingsRow(many=True)


class CrosstableResult(serializers.Serializer[Any]):
    """A match, seen from an entry."""

    round = serializers.IntegerField()
    opponent = serializers.IntegerField()
    side = serializers.ChoiceField(SIDES)
    match = serializers.UUIDField()
    scoresheet = serializers.UUIDField()
    state = serializers.ChoiceField(MatchState.choices)
    result = serializers.ChoiceField(["won", "drawn", "lost"], allow_null=True)
    forfeit = serializers.ChoiceField(
        Forfeit.choices, allow_null=True, help_text=_("Who gave it away without playing.")
    )
    courts_for = serializers.IntegerField()
    courts_against = serializers.IntegerField()


class CrosstableRow(serializers.Serializer[Any]):
    """An entry with all its matches."""

    position = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField()
    state = serializers.ChoiceField(EntryState.choices)
    partnership = StandingsPartnership()
    results = CrosstableResult(many=True)
    byes = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("The rounds without an opponent.")
    )


class Crosstable(Heading):
    """Everybody against everybody, best first."""

    rows = CrosstableRow(many=True)
