"""The shapes of what scoring answers: names and forms, no rules."""

from functools import cached_property
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from courtpiece.accounts.api.documents import RecordProblemShape
from courtpiece.notation.checker import finding_keys
from courtpiece.notation.json_form import record_to_json
from courtpiece.notation.reader import read
from scoring.models import AwardCode, Level, MadeVia, OfferState, RevisionKind, SeatLetter, Side, SuitLetter
from scoring.operations import Became

SIDES: Final = Side.choices
SEATS: Final = SeatLetter.choices
BECAME: Final = [(became.value, became.value) for became in Became]

# -- small parts


class OrNull(serializers.ChoiceField):
    """A choice, null where it is empty."""

    def __init__(self, choices: Any, **kwargs: Any) -> None:
        super().__init__(choices, allow_null=True, read_only=True, **kwargs)

    def to_representation(self, value: str) -> Any:
        """Return the choice."""
        return value or None


class TextOrNull(serializers.CharField):
    """A text, null where it is empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, read_only=True, **kwargs)

    def to_representation(self, value: str) -> Any:
        """Return the text."""
        return value or None


class BySide(serializers.Serializer[Any]):
    """A number for each side, of two attributes whose names begin with ``prefix``, or like the field's."""

    NS = serializers.IntegerField()
    EW = serializers.IntegerField()

    def __init__(self, prefix: str = "", **kwargs: Any) -> None:
        super().__init__(source="*", read_only=True, **kwargs)
        self.prefix = prefix

    def to_representation(self, instance: Any) -> dict[str, int]:
        """Return both numbers."""
        prefix = self.prefix or self.field_name
        return {"NS": getattr(instance, f"{prefix}_ns"), "EW": getattr(instance, f"{prefix}_ew")}


class Person(serializers.Serializer[Any]):
    """A player, named."""

    id = serializers.UUIDField(
        source="uid",
        allow_null=True,
        help_text=_("Null in a game that is no club's: there it is a name only."),
    )
    name = serializers.CharField()


class Pair(serializers.Serializer[Any]):
    """A partnership, named: the players in the order they were named, North or East first."""

    id = serializers.UUIDField(
        source="uid", allow_null=True, help_text=_("Null in a game that is no club's: there are names only.")
    )
    name = serializers.CharField()
    players = Person(many=True)


class ClubName(serializers.Serializer[Any]):
    """A club, named."""

    slug = serializers.SlugField(source="club_slug")
    name = serializers.CharField(source="club_name")


class ClubOrNone(ClubName):
    """A club, named; null of a game that is no club's."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, instance: Any) -> Any:
        """Return the club."""
        return super().to_representation(instance) if instance.club_slug else None


class Counted(serializers.Serializer[Any]):
    """What scoresheets are counted together in, as a tournament's are: its name, its page on this site."""

    name = serializers.CharField()
    path = serializers.CharField()


class Problem(serializers.Serializer[Any]):
    """Something that is wrong or odd with a record. Line and column are 0 where it has no place."""

    code = serializers.CharField()
    severity = serializers.CharField()
    kind = serializers.CharField(help_text=_("malformed, impossible, discrepancy or warning"))
    line = serializers.IntegerField()
    column = serializers.IntegerField()
    message = serializers.CharField()


class PlaySection(serializers.Serializer[Any]):
    """One play of a trick: the cards taken back and last the one that stands."""

    cards = serializers.ListField(child=serializers.CharField())
    reveal = serializers.BooleanField(required=False)
    face_down = serializers.BooleanField(required=False)


class RecordJson(serializers.Serializer[Any]):
    """A record in JSON: the same data as its text in PCN."""

    tags = serializers.DictField(child=serializers.CharField(), help_text=_("Name to value, in order."))
    tricks = serializers.ListField(
        child=serializers.ListField(child=PlaySection()), allow_null=True, required=False
    )
    claim = serializers.DictField(allow_null=True, required=False)
    comments = serializers.ListField(child=serializers.DictField(), required=False)
    finding = serializers.DictField(
        required=False, help_text=_("What the engine found, as the checker says.")
    )


def record_json(pcn: str) -> dict[str, Any]:
    """Return the record of a file of one record, with what the engine found."""
    reading = next(read(pcn))
    finding = reading.finding()
    if reading.record is None or finding is None:
        raise LookupError("a record that was kept cannot be read")
    return dict(record_to_json(reading.record, finding_keys(finding)))


# -- people


class Player(serializers.Serializer[Any]):
    """A player."""

    id = serializers.UUIDField(source="uid")
    name = serializers.CharField()
    club = ClubName(source="*")
    anonymised = serializers.BooleanField(source="is_anonymised")
    merged_into = serializers.UUIDField(
        allow_null=True, help_text=_("The player that this one turned out to be, whose history has both.")
    )


class Partnership(serializers.Serializer[Any]):
    """A partnership."""

    id = serializers.UUIDField(source="pair.uid")
    name = serializers.CharField(source="pair.name")
    players = Person(many=True, source="pair.players")
    club = ClubName(source="*")


class Tally(serializers.Serializer[Any]):
    """What was done in a number of matches."""

    matches = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    courts_for = serializers.IntegerField()
    courts_against = serializers.IntegerField()
    deals_won = serializers.IntegerField()
    deals_lost = serializers.IntegerField()
    bavneys = serializers.IntegerField()
    goon_courts = serializers.IntegerField()
    revokes = serializers.IntegerField(help_text=_("The side's own established ones."))


class PairTally(serializers.Serializer[Any]):
    """What was done with, or against, a partnership."""

    partnership = Pair(source="pair")
    record = Tally(source="tally")


class PlayerTally(serializers.Serializer[Any]):
    """What was done against a player, whoever the partners were."""

    player = Person()
    record = Tally(source="tally")


class Against(serializers.Serializer[Any]):
    """Against whom all of it was played."""

    id = serializers.UUIDField(source="uid")
    name = serializers.CharField()
    players = Person(many=True, help_text=_("The one, or the two of a partnership."))

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the player or the partnership."""
        players = getattr(instance, "players", (instance,))
        return {"id": str(instance.uid), "name": instance.name, "players": Person(players, many=True).data}


class PlayedMatch(serializers.Serializer[Any]):
    """A match, seen from the side of whose history it is."""

    scoresheet = serializers.UUIDField(source="uid")
    collection = Counted(allow_null=True)
    event = TextOrNull()
    date = TextOrNull()
    round = TextOrNull()
    table = TextOrNull()
    rules = serializers.CharField()
    partnership = Pair(source="mine")
    opponents = Pair(source="theirs")
    courts_for = serializers.IntegerField()
    courts_against = serializers.IntegerField()
    deals_won = serializers.IntegerField()
    deals_lost = serializers.IntegerField()
    result = serializers.ChoiceField(["won", "drawn", "lost"])


# -- scoresheets


class Totals(serializers.Serializer[Any]):
    """What a scoresheet comes to for one side."""

    partnership = Pair(source="pair")
    courts = serializers.IntegerField()
    deals_won = serializers.IntegerField()
    bavneys = serializers.IntegerField()
    goon_courts = serializers.IntegerField()
    revokes = serializers.IntegerField()
    run = serializers.IntegerField(help_text=_("Deals won running after the last one."))


class Seats(serializers.Serializer[Any]):
    """Who sat where."""

    N = Person(source="north")
    E = Person(source="east")
    S = Person(source="south")
    W = Person(source="west")


class Scoresheet(serializers.Serializer[Any]):
    """The record of one match, without its deals."""

    id = serializers.UUIDField(source="header.uid")
    club = ClubOrNone(source="header")
    collection = Counted(source="header.collection", allow_null=True)
    event = TextOrNull(source="header.event")
    site = TextOrNull(source="header.site")
    date = TextOrNull(source="header.date")
    round = TextOrNull(source="header.round")
    table = TextOrNull(source="header.table")
    rules = serializers.CharField(source="header.rules")
    visibility = serializers.CharField(source="header.visibility")
    version = serializers.IntegerField(
        source="header.version", help_text=_("One more with every write to one of its deals.")
    )
    seats = Seats(source="header")
    ns = Totals()
    ew = Totals()
    winner = OrNull(SIDES, help_text=_("Null for equal courts."))
    next_dealer = OrNull(SeatLetter.choices)
    deals = serializers.IntegerField(source="deals_count", help_text=_("Those that count."))


class GameLink(serializers.Serializer[Any]):
    """The link of a game: whoever has it reads the game."""

    url = serializers.URLField()


class GameOffer(serializers.Serializer[Any]):
    """An offer of a game to a club."""

    club = serializers.SlugField()
    state = serializers.ChoiceField([(OfferState.OPEN.value, OfferState.OPEN.label)])


# -- deals


class DealFields(serializers.Serializer[Any]):
    """A deal with its line in the ledger."""

    id = serializers.UUIDField(source="uid")
    number = serializers.IntegerField()
    revision = serializers.IntegerField(help_text=_("The one that stands."))
    kind = serializers.ChoiceField(RevisionKind.choices, help_text=_("Of the revision that stands."))
    ruled = serializers.BooleanField(source="is_ruled")
    counts = serializers.BooleanField()
    level = serializers.ChoiceField(Level.choices)
    dealer = serializers.ChoiceField(SeatLetter.choices)
    caller = serializers.ChoiceField(SeatLetter.choices)
    trump = OrNull(SuitLetter.choices)
    trump_method = TextOrNull()
    winner = OrNull(SIDES)
    award = serializers.ChoiceField(AwardCode.choices)
    tricks = BySide()
    courts = BySide(help_text=_("The deal's own."))
    run_courts = BySide(help_text=_("For a run of deals that this one completed."))
    total = BySide(help_text=_("The match's courts after the deal."))
    run = BySide(help_text=_("Deals won running, after the deal."))
    problems = Problem(many=True)
    cards_from = serializers.DateTimeField(
        allow_null=True,
        help_text=_(
            "Until then the tournament keeps the cards, and what tells of them, from spectators; null: they are shown."
        ),
    )

    @cached_property
    def line(self) -> "DealFields":
        """The shape of the deal's line alone: made once, since the framework copies every field of each it makes."""
        return DealFields()


class ListedDeal(DealFields):
    """A deal with its line in the ledger, and the scoresheet that it stands in."""

    scoresheet = serializers.UUIDField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the deal's own fields, and the scoresheet's address."""
        fields: dict[str, Any] = self.line.to_representation(instance.line)
        return {**fields, "scoresheet": str(instance.scoresheet_uid)}


class DealWithRecord(DealFields):
    """A deal with its line in the ledger and its record."""

    record = RecordJson()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the deal's own fields, and its record."""
        fields: dict[str, Any] = self.line.to_representation(instance.line)
        return {**fields, "record": record_json(instance.pcn)}


class SheetDeals(serializers.Serializer[Any]):
    """The deals of a scoresheet, by number."""

    scoresheet = serializers.UUIDField(source="uid")
    version = serializers.IntegerField()
    deals = DealWithRecord(many=True)


class RulingJson(serializers.Serializer[Any]):
    """A director's decision."""

    law = TextOrNull(source="ruling_law")
    reason = serializers.CharField(source="ruling_reason")


class Revision(serializers.Serializer[Any]):
    """What was written of a deal at one time."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(RevisionKind.choices)
    current = serializers.BooleanField(source="is_current")
    made_at = serializers.DateTimeField()
    made_by = TextOrNull()
    made_via = serializers.ChoiceField(MadeVia.choices)
    source = TextOrNull()  # type: ignore[assignment]  # a field, not the attribute
    reason = TextOrNull()
    result = serializers.CharField(help_text=_("What counted: NS 7-4; EW 7-0 court; void."))
    ruling = serializers.SerializerMethodField()
    problems = Problem(many=True, help_text=_("Those it was written with."))
    pcn = serializers.CharField()
    cards_from = serializers.DateTimeField(
        allow_null=True, help_text=_("Until then its cards are kept from spectators.")
    )

    @extend_schema_field(RulingJson(allow_null=True))
    def get_ruling(self, line: Any) -> dict[str, Any] | None:
        """Return the ruling that the revision came with, None without one."""
        return dict(RulingJson(line).data) if line.ruling_reason else None


class DealRef(serializers.Serializer[Any]):
    """A deal, to be found."""

    id = serializers.UUIDField(source="uid")
    number = serializers.IntegerField()


class SheetRef(serializers.Serializer[Any]):
    """The scoresheet that a deal stands in."""

    id = serializers.UUIDField(source="uid")
    club = ClubOrNone(source="*")
    collection = Counted(allow_null=True)
    event = TextOrNull()
    site = TextOrNull()
    date = TextOrNull()
    round = TextOrNull()
    table = TextOrNull()
    rules = serializers.CharField()
    seats = Seats(source="*")


class Sentence(serializers.Serializer[Any]):
    """A sentence of the explanation, with the law it rests on."""

    text = serializers.CharField()
    law = TextOrNull()


class Deal(DealFields):
    """A deal: its ledger line, its record, what the engine found and why, and how it came to say so."""

    scoresheet = SheetRef()
    previous = DealRef(allow_null=True)
    next = DealRef(allow_null=True)
    record = RecordJson()
    pcn = serializers.CharField()
    explanation = Sentence(many=True)
    revisions = Revision(many=True, help_text=_("The latest first."))

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the page of a deal, its problems at their places in its text."""
        return {
            **self.line.to_representation(instance.line),
            "problems": Problem(instance.problems, many=True).data,
            "scoresheet": SheetRef(instance.header).data,
            "previous": instance.previous and DealRef(instance.previous).data,
            "next": instance.next and DealRef(instance.next).data,
            "record": record_json(instance.pcn),
            "pcn": instance.pcn,
            "explanation": Sentence(instance.sentences, many=True).data,
            "revisions": Revision(instance.revisions, many=True).data,
        }


# -- a deal step by step


class ReplayHand(serializers.Serializer[Any]):
    """A hand as it was dealt."""

    seat = serializers.ChoiceField(SEATS)
    name = TextOrNull()
    holding = serializers.CharField(help_text=_("Spades, hearts, diamonds, clubs: `K852.T763.98.J72`."))


class ReplayPlay(serializers.Serializer[Any]):
    """A turn, and what stands after it."""

    index = serializers.IntegerField(help_text=_("Counts from 1: `at` of the position after it."))
    trick = serializers.IntegerField()
    seat = serializers.ChoiceField(SEATS)
    card = serializers.CharField(help_text=_("The card that stands."))
    taken_back = serializers.ListField(child=serializers.CharField())
    revoked = serializers.ListField(
        child=serializers.CharField(),
        help_text=_(
            "Those of its cards that were revokes, the one that stands or some that were taken back."
        ),
    )
    reveal = serializers.BooleanField()
    face_down = serializers.BooleanField()
    winning = serializers.BooleanField(help_text=_("It took its trick at the table."))
    trump = TextOrNull(help_text=_("The suit that everybody knows to be trump."))
    covered = serializers.BooleanField(help_text=_("The trump card lies face down."))
    ns = serializers.IntegerField(help_text=_("Tricks won, or gathered, after it."))
    ew = serializers.IntegerField()
    pile = serializers.IntegerField(help_text=_("Tricks that lie in the centre."))


class ReplayTrick(serializers.Serializer[Any]):
    """A trick: who led it, who took it, and the turns of it."""

    number = serializers.IntegerField()
    leader = serializers.ChoiceField(SEATS)
    winner = OrNull(SEATS)
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    counted = serializers.BooleanField(help_text=_("It had an effect: the deal was not over."))
    note = TextOrNull()


class Replay(serializers.Serializer[Any]):
    """A deal turn by turn, as the engine replays it."""

    dealer = serializers.ChoiceField(SEATS)
    caller = serializers.ChoiceField(SEATS)
    trump = TextOrNull(help_text=_("As the record states it."))
    indicator = TextOrNull(help_text=_("The trump card that was laid face down."))
    revealed = serializers.IntegerField(help_text=_("The turn at which it was shown; 0: it never was."))
    gathers = serializers.BooleanField(help_text=_("Tricks lie in the centre until they are gathered."))
    hands = ReplayHand(many=True)
    plays = ReplayPlay(many=True)
    tricks = ReplayTrick(many=True)


class DealReplay(serializers.Serializer[Any]):
    """A deal turn by turn, or null where its record has no cards, or they are held back."""

    deal = serializers.UUIDField(source="line.uid")
    number = serializers.IntegerField(source="line.number")
    level = serializers.ChoiceField(Level.choices, source="line.level")
    cards_from = serializers.DateTimeField(source="line.cards_from", allow_null=True)
    replay = Replay(allow_null=True)


# -- writing


class WrittenDeal(serializers.Serializer[Any]):
    """What became of a record that was sent."""

    number = serializers.IntegerField()
    became = serializers.ChoiceField(BECAME)
    id = serializers.UUIDField(source="deal_uid", allow_null=True)
    revision = serializers.IntegerField()
    problems = serializers.SerializerMethodField()

    @extend_schema_field(RecordProblemShape(many=True))
    def get_problems(self, deal: Any) -> list[dict[str, Any]]:
        """Return the warnings that the record was written with."""
        return [problem.as_json() for problem in deal.problems]


class WrittenDeals(serializers.Serializer[Any]):
    """What became of the records that were sent for a scoresheet, in their order."""

    became = serializers.ChoiceField(BECAME)
    deals = WrittenDeal(many=True)
