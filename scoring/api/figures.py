"""The shapes of statistics: names and forms, no rules."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from scoring.api.shapes import Against, Pair, PairTally, Person, Tally, TextOrNull


class Share(serializers.Serializer[Any]):
    """How many of how many."""

    count = serializers.IntegerField()
    of = serializers.IntegerField()


class SuitShare(serializers.Serializer[Any]):
    """The deals won of those in which a suit was called."""

    suit = serializers.CharField(source="suit.letter")
    won = serializers.IntegerField(source="share.count")
    called = serializers.IntegerField(source="share.of")


class Period(serializers.Serializer[Any]):
    """A span of days, both included; null where it is open."""

    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)


class Figures(serializers.Serializer[Any]):
    """What was done in a number of matches, as docs/statistics.md counts it."""

    matches = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    deals = serializers.IntegerField()
    deals_won = serializers.IntegerField()
    as_caller = Share(help_text=_("Deals won of those as the caller's side."))
    as_dealer = Share(help_text=_("Deals won of those as the dealer's side."))
    courts_for = serializers.IntegerField()
    courts_against = serializers.IntegerField()
    for_per_hundred = serializers.CharField(
        allow_null=True, help_text=_("Courts for in a hundred deals: exact, a whole number or a fraction.")
    )
    against_per_hundred = serializers.CharField(allow_null=True)
    courts = serializers.IntegerField(
        help_text=_("Deals won by a court as the caller's side (laws 10.1, 10.2).")
    )
    goon_courts = serializers.IntegerField()
    bavneys = serializers.IntegerField()
    full_runs = serializers.IntegerField(
        help_text=_("Deals that completed a run and scored for it (law 11.1).")
    )
    revokes = serializers.IntegerField()
    longest_run = serializers.IntegerField(help_text=_("Deals won one after another in one match."))
    calls = SuitShare(many=True, source="by_suit")


class TimeFigures(serializers.Serializer[Any]):
    """The figures of a year, or of a month of one."""

    year = serializers.IntegerField()
    month = serializers.IntegerField(allow_null=True)
    figures = Figures()


class FigureSet(serializers.Serializer[Any]):
    """What was done in a period."""

    period = Period()
    figures = Figures()
    against = Figures(source="theirs", help_text=_("What the others did in the same matches."))
    by_time = TimeFigures(many=True)
    years = serializers.ListField(child=serializers.IntegerField())
    undated = serializers.IntegerField(help_text=_("Matches without a date: in all time only."))


class TableFigures(serializers.Serializer[Any]):
    """What was played, each match and each deal counted once."""

    matches = serializers.IntegerField(source="at_tables.matches")
    drawn = serializers.IntegerField(source="at_tables.drawn")
    deals = serializers.IntegerField(source="at_tables.deals")
    courts = serializers.IntegerField(source="at_tables.courts", help_text=_("Of both sides."))
    courts_per_hundred = serializers.CharField(source="at_tables.per_hundred", allow_null=True)
    as_caller = Share()
    as_dealer = Share()
    goon_courts = serializers.IntegerField()
    bavneys = serializers.IntegerField()
    full_runs = serializers.IntegerField()
    revokes = serializers.IntegerField()
    longest_run = serializers.IntegerField()
    calls = SuitShare(many=True, source="by_suit")


class TableTimeFigures(serializers.Serializer[Any]):
    """The same of a year, or of a month of one."""

    year = serializers.IntegerField()
    month = serializers.IntegerField(allow_null=True)
    figures = TableFigures()


class Statistics(serializers.Serializer[Any]):
    """The figures of a club, or of all that everybody may see."""

    club = serializers.CharField(source="club.slug", default=None, allow_null=True)
    period = Period(source="set.period")
    figures = TableFigures(source="set.figures")
    by_time = TableTimeFigures(many=True, source="set.by_time")
    years = serializers.ListField(child=serializers.IntegerField(), source="set.years")
    undated = serializers.IntegerField()


class Run(serializers.Serializer[Any]):
    """A match with a run of deals won."""

    scoresheet = serializers.UUIDField(source="uid")
    event = TextOrNull()
    date = TextOrNull()
    length = serializers.IntegerField()
    first = serializers.IntegerField(help_text=_("The number of its first deal."))
    last = serializers.IntegerField()


class Bavney(serializers.Serializer[Any]):
    """A bavney."""

    deal = serializers.UUIDField(source="deal_uid")
    number = serializers.IntegerField()
    scoresheet = serializers.UUIDField(source="scoresheet_uid")
    event = TextOrNull()
    date = TextOrNull()
    partnership = Pair(source="pair")
    opponents = Pair()


class MatchRecordLine(serializers.Serializer[Any]):
    """Something that was done in a match more than elsewhere."""

    rank = serializers.IntegerField()
    tied = serializers.BooleanField(source="is_tied")
    value = serializers.IntegerField()
    scoresheet = serializers.UUIDField(source="scoresheet_uid")
    event = TextOrNull()
    date = TextOrNull()
    partnership = Pair(source="pair")
    opponents = Pair()
    courts_against = serializers.IntegerField()
    run_first = serializers.IntegerField()
    run_last = serializers.IntegerField()


class MatchRecords(serializers.Serializer[Any]):
    """The best of something."""

    lines = MatchRecordLine(many=True)
    more = serializers.IntegerField(help_text=_("How many more are as good as the last of them."))


class HallOfFame(serializers.Serializer[Any]):
    """The best that was done in a club, or in all that everybody may see."""

    club = serializers.CharField(source="club.slug", default=None, allow_null=True)
    period = Period()
    bavneys = Bavney(many=True, source="bavneys.items")
    bavneys_page = serializers.IntegerField(source="bavneys.number")
    bavneys_pages = serializers.IntegerField(source="bavneys.num_pages")
    bavneys_count = serializers.IntegerField(source="bavneys.count")
    longest_runs = MatchRecords()
    most_courts = MatchRecords()


class Leader(serializers.Serializer[Any]):
    """A player in the table of all."""

    rank = serializers.IntegerField()
    tied = serializers.BooleanField(source="is_tied")
    player = Person(source="*")
    club = serializers.CharField(source="club_slug")
    matches = serializers.IntegerField(source="figures.matches")
    won = serializers.IntegerField(source="figures.won")
    drawn = serializers.IntegerField(source="figures.drawn")
    lost = serializers.IntegerField(source="figures.lost")
    deals = serializers.IntegerField(source="figures.deals")
    deals_won = serializers.IntegerField(source="figures.deals_won")
    courts_for = serializers.IntegerField(source="figures.courts_for")
    courts_against = serializers.IntegerField(source="figures.courts_against")
    bavneys = serializers.IntegerField(source="figures.bavneys")


class Leaders(serializers.Serializer[Any]):
    """A page of the table of all players of a club, or of all clubs."""

    club = serializers.CharField(source="club.slug", default=None, allow_null=True)
    period = Period()
    order = serializers.CharField(source="order.value")
    least_deals = serializers.IntegerField()
    page = serializers.IntegerField(source="lines.number")
    pages = serializers.IntegerField(source="lines.num_pages")
    count = serializers.IntegerField(source="lines.count")
    lines = Leader(many=True, source="lines.items")


class PartnershipRecord(serializers.Serializer[Any]):
    """What a partnership did, and against whom."""

    partnership = Pair(source="pair")
    against = Against(allow_null=True)
    record = Tally(source="tally")
    opponents = PairTally(many=True)
    figures = FigureSet()
    longest_runs = Run(many=True, source="longest")
