"""Who takes part in a tournament, and whom a director wants together or apart."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.domain.results import ByeKind
from tournaments.models.tournament import Tournament


class EntryState(models.TextChoices):
    """What has become of an entry."""

    REQUESTED = "requested", _("asked to play")
    DECLINED = "declined", _("not accepted")
    ACTIVE = "active", _("active")
    WITHDRAWN = "withdrawn", _("withdrawn")
    DISQUALIFIED = "disqualified", _("disqualified")


ACCEPTED: Final = (EntryState.ACTIVE, EntryState.WITHDRAWN, EntryState.DISQUALIFIED)
"""What an entry that plays, or did, is; the others only asked to."""


class AbsenceKind(models.TextChoices):
    """Why an entry is known not to play in a round that is still to be drawn."""

    REQUESTED = ByeKind.REQUESTED.value, _("asked to sit out")
    ABSENT = ByeKind.ABSENT.value, _("not there")


class WishKind(models.TextChoices):
    """What a director wants of two entries."""

    TOGETHER = "together", _("play each other")
    APART = "apart", _("do not play each other")


class Entry(models.Model):
    """A partnership in a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    """From 1, in the order of entering."""
    partnership = models.ForeignKey("scoring.Partnership", on_delete=models.PROTECT, related_name="+")
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    """From 1, the strongest; None: behind all that have one, in the order of the numbers."""
    rating = models.PositiveIntegerField(_("rating"), null=True, blank=True)
    """By which seeds can be given; None where nobody said one."""
    group = models.PositiveIntegerField(_("group"), null=True, blank=True)
    """From 1, in a format that has groups and once they are made."""
    state = models.CharField(_("state"), max_length=12, choices=EntryState, default=EntryState.ACTIVE)
    joined_round = models.PositiveIntegerField(_("plays from round"), default=1)
    """More than 1 for an entry that came late."""
    withdrawn_after = models.PositiveIntegerField(_("last round"), null=True, blank=True)
    """The last round that it was there for (0: none), of an entry that is withdrawn or disqualified."""
    checked_in_at = models.DateTimeField(_("checked in at"), null=True, blank=True)
    entered_at = models.DateTimeField(_("entered at"), null=True, blank=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    note = models.CharField(_("note"), max_length=200, blank=True)
    """What who asked to play wants the director to know."""
    penalty = models.PositiveIntegerField(_("penalty"), default=0)
    """Taken from what the standings are ordered by: match points, or courts."""
    penalty_reason = models.TextField(_("reason of the penalty"), blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    """Counts the changes to this row, from 0: a form names the one it was made on."""

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number_once"),
            models.UniqueConstraint(fields=["tournament", "partnership"], name="entry_partnership_once"),
            models.CheckConstraint(name="entry_number_from_one", condition=Q(number__gte=1)),
            models.CheckConstraint(name="entry_state_known", condition=Q(state__in=EntryState.values)),
            models.CheckConstraint(
                name="entry_penalty_has_a_reason", condition=Q(penalty=0) | ~Q(penalty_reason="")
            ),
            models.CheckConstraint(name="entry_joined_from_one", condition=Q(joined_round__gte=1)),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of tournament {self.tournament_id}"


class Absence(models.Model):
    """A round, still to be drawn when this was said, that an entry does not play."""

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="absences")
    round_number = models.PositiveIntegerField(_("round"))
    kind = models.CharField(_("kind"), max_length=12, choices=AbsenceKind)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = [
            models.UniqueConstraint(fields=["entry", "round_number"], name="absence_once_a_round"),
            models.CheckConstraint(name="absence_kind_known", condition=Q(kind__in=AbsenceKind.values)),
        ]

    def __str__(self) -> str:
        return f"absence of entry {self.entry_id} in round {self.round_number}"


class Wish(models.Model):
    """Two entries that a director wants together in a round, or apart in one or all, and why."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="wishes")
    kind = models.CharField(_("kind"), max_length=8, choices=WishKind)
    first = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    """The one with the lower number."""
    second = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    round_number = models.PositiveIntegerField(_("round"), null=True, blank=True)
    """None: in every round, which only entries that are to be apart can have."""
    reason = models.CharField(_("reason"), max_length=200)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("wish")
        verbose_name_plural = _("wishes")
        constraints = [
            models.CheckConstraint(name="wish_of_two_entries", condition=~Q(first=F("second"))),
            models.CheckConstraint(name="wish_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="wish_together_in_one_round",
                condition=~Q(kind=WishKind.TOGETHER) | Q(round_number__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: entries {self.first_id} and {self.second_id}"
