"""What directors decided, and what was carried out once: rows that are added and never changed."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.append_only import AppendOnlyQuerySet
from tournaments.models.entries import Entry
from tournaments.models.rounds import Match
from tournaments.models.tournament import Tournament


class RulingKind(models.TextChoices):
    """What a ruling does."""

    COURT_AWARDED = "court-awarded", _("court awarded")
    COURT_CANCELLED = "court-cancelled", _("court cancelled")
    DEAL_VOID = "deal-void", _("deal made void")
    DEAL_CORRECTED = "deal-corrected", _("deal corrected")
    FINDING_REPLACED = "finding-replaced", _("finding replaced")
    MATCH_ADJUSTED = "match-adjusted", _("match adjusted")
    MATCH_FORFEITED = "match-forfeited", _("match given away")
    PENALTY = "penalty", _("penalty")
    DISQUALIFIED = "disqualified", _("disqualified")
    TAKEN_BACK = "taken-back", _("taken back")
    REOPENED = "reopened", _("standings opened again")


class AppealStepKind(models.TextChoices):
    """What happens to an appeal."""

    LODGED = "lodged", _("appeal lodged")
    ALLOWED = "allowed", _("appeal allowed")
    DISMISSED = "dismissed", _("appeal dismissed")
    WITHDRAWN = "withdrawn", _("appeal withdrawn")


class Ruling(models.Model):
    """A director's decision in a tournament, with its law, its reason and what it changed."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rulings")
    number = models.PositiveIntegerField(_("number"))
    """From 1 in its tournament: the number of its footnote."""
    kind = models.CharField(_("kind"), max_length=20, choices=RulingKind)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="rulings")
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="rulings")
    deal_uid = models.UUIDField(null=True, blank=True)
    deal_number = models.PositiveIntegerField(_("deal"), null=True, blank=True)
    law = models.CharField(_("law"), max_length=40, blank=True)
    reason = models.TextField(_("reason"))
    decided = models.JSONField(_("decision"), default=dict, blank=True)
    """What was set, and what stood before."""
    effect = models.JSONField(_("effect"), default=dict, blank=True)
    """What the preview said when it was saved: deals, courts, ranks, and the pairings that used the old result."""
    takes_back = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="taken_back_by"
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    by_director_elsewhere = models.BooleanField(_("made by a director of another site"), default=False)
    """Of a ruling that an archive brought: else its server made it, where nobody stands in ``made_by``."""
    made_at = models.DateTimeField(_("made at"))
    appeal_until = models.DateTimeField(_("can be appealed until"), null=True, blank=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournament_ruling_number_once"),
            models.CheckConstraint(name="tournament_ruling_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="tournament_ruling_kind_known", condition=Q(kind__in=RulingKind.values)
            ),
        ]

    def __str__(self) -> str:
        return f"ruling {self.number} of tournament {self.tournament_id}"


class AppealStep(models.Model):
    """A step of an appeal against a ruling; the last one says how it stands."""

    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, related_name="appeal_steps")
    number = models.PositiveIntegerField(_("number"))
    """From 1."""
    kind = models.CharField(_("kind"), max_length=10, choices=AppealStepKind)
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """Who appealed."""
    reason = models.TextField(_("reason"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(_("made at"))

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("step of an appeal")
        verbose_name_plural = _("steps of appeals")
        constraints = [
            models.UniqueConstraint(fields=["ruling", "number"], name="appeal_step_number_once"),
            models.CheckConstraint(name="appeal_step_has_a_reason", condition=~Q(reason="")),
        ]

    def __str__(self) -> str:
        return f"step {self.number} of the appeal against ruling {self.ruling_id}"


class Act(models.Model):
    """A change to a tournament that was carried out: its id, sent again, gets the same answer and no second effect."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="acts")
    what = models.CharField(max_length=40)
    fingerprint = models.CharField(max_length=64)
    """The SHA-256 of what was asked, in hexadecimal: an id must not come again with another question."""
    answer = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("act")
        verbose_name_plural = _("acts")

    def __str__(self) -> str:
        return f"{self.what} {self.id}"
