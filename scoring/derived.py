"""The tables of what tasks derive from what was played: ratings and analyses."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class RatedClub(models.Model):
    """A club whose matches are rated: its row is locked while they are."""

    club = models.OneToOneField("accounts.Club", on_delete=models.PROTECT, related_name="+", primary_key=True)

    class Meta:
        verbose_name = _("rated club")
        verbose_name_plural = _("rated clubs")

    def __str__(self) -> str:
        return f"ratings of club {self.club_id}"


class RatedCollection(models.Model):
    """A collection at the version at which its matches were rated."""

    collection = models.OneToOneField(
        "scoring.Collection", on_delete=models.PROTECT, related_name="+", primary_key=True
    )
    version = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = _("rated collection")
        verbose_name_plural = _("rated collections")

    def __str__(self) -> str:
        return f"ratings of collection {self.collection_id} at version {self.version}"


class RatedMatch(models.Model):
    """A match that is rated, with everything its ratings are made of: so it is seen whether any of it changed."""

    scoresheet = models.OneToOneField(
        "scoring.Scoresheet", on_delete=models.PROTECT, related_name="rated", primary_key=True
    )
    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="+")
    collection = models.ForeignKey("scoring.Collection", on_delete=models.PROTECT, related_name="+")
    place = models.CharField(max_length=56)
    """Digits only: matches in the order of their places are in the order of play."""
    day = models.DateField()
    """On which it was played."""
    result = models.PositiveSmallIntegerField()
    """For North-South, in halves: 2 won, 1 drawn, 0 lost."""
    pairs = models.JSONField()
    """The ids of the two partnerships, North-South first; empty where somebody sat in for a player.

    Of several that are the same two persons the one that was there first.
    """
    players = models.JSONField()
    """The ids of the four players: north, south, east, west; for one who was merged, that of the other."""

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        constraints = [
            models.UniqueConstraint(fields=["club", "place"], name="rated_match_has_its_place"),
            models.CheckConstraint(condition=Q(result__lte=2), name="rated_match_result_known"),
        ]

    def __str__(self) -> str:
        return f"rating of scoresheet {self.scoresheet_id}"


_OF_ONE = Q(partnership__isnull=False, player__isnull=True) | Q(
    partnership__isnull=True, player__isnull=False
)


class RatingChange(models.Model):
    """What a match did to the rating of a partnership or of a player. All numbers are thousandths of a point."""

    match = models.ForeignKey(RatedMatch, on_delete=models.CASCADE, related_name="changes")
    partnership = models.ForeignKey(
        "scoring.Partnership", null=True, blank=True, on_delete=models.PROTECT, related_name="rating_changes"
    )
    player = models.ForeignKey(
        "scoring.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="rating_changes"
    )
    number = models.PositiveIntegerField()
    """Whose it is has played so many rated matches, this one included."""
    before = models.IntegerField()
    spread_before = models.PositiveIntegerField()
    expected = models.PositiveSmallIntegerField()
    """The part of the match that the side was expected to win, in thousandths."""
    result = models.PositiveSmallIntegerField()
    """For the side, in halves: 2 won, 1 drawn, 0 lost."""
    after = models.IntegerField()
    spread_after = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        constraints = [
            models.CheckConstraint(condition=_OF_ONE, name="rating_change_of_one"),
            models.UniqueConstraint(
                fields=["partnership", "number"],
                condition=Q(partnership__isnull=False),
                name="rating_change_of_partnership_once",
            ),
            models.UniqueConstraint(
                fields=["player", "number"],
                condition=Q(player__isnull=False),
                name="rating_change_of_player_once",
            ),
        ]

    def __str__(self) -> str:
        return f"change {self.number} of the rating of {_whose(self.partnership_id, self.player_id)}"


class CurrentRating(models.Model):
    """What a partnership or a player is rated after the last match. All numbers are thousandths of a point."""

    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="+")
    partnership = models.OneToOneField(
        "scoring.Partnership", null=True, blank=True, on_delete=models.PROTECT, related_name="rating"
    )
    player = models.OneToOneField(
        "scoring.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="rating"
    )
    value = models.IntegerField()
    spread = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.CheckConstraint(condition=_OF_ONE, name="rating_of_one")]
        indexes = [models.Index(fields=["club", "-value"], name="rating_by_value")]

    def __str__(self) -> str:
        return f"rating of {_whose(self.partnership_id, self.player_id)}"


def _whose(partnership_id: int | None, player_id: int | None) -> str:
    return f"player {player_id}" if partnership_id is None else f"partnership {partnership_id}"


class DealAnalysis(models.Model):
    """What the double-dummy analysis of a deal says of one of its revisions, once somebody has asked for it."""

    revision = models.OneToOneField(
        "scoring.Revision", on_delete=models.PROTECT, related_name="analysis", primary_key=True
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField()
    found = models.JSONField(null=True, blank=True)
    """``domain.analyses.Analysis``; None: it is waited for."""
    found_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        constraints = [
            models.CheckConstraint(
                condition=Q(found__isnull=True, found_at__isnull=True)
                | Q(found__isnull=False, found_at__isnull=False),
                name="analysis_is_found_or_waited_for",
            )
        ]

    def __str__(self) -> str:
        return f"analysis of revision {self.revision_id}"
