"""What tables say of each other's entries: by whom a revision was entered, and what the other pair said of it."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.append_only import AppendOnlyQuerySet
from tournaments.domain.confirming import Holder as DomainHolder
from tournaments.domain.confirming import Verdict as DomainVerdict
from tournaments.models.links import TableLink


class Holder(models.TextChoices):
    """Who holds a device at a table."""

    NS = DomainHolder.NS.value, _("North–South")
    EW = DomainHolder.EW.value, _("East–West")
    TABLE = DomainHolder.TABLE.value, _("both pairs")


class Verdict(models.TextChoices):
    """What is said of a revision."""

    AGREE = DomainVerdict.AGREE.value, _("agreed")
    DISPUTE = DomainVerdict.DISPUTE.value, _("disputed")
    STANDS = DomainVerdict.STANDS.value, _("let stand by a director")


class EnteredRevision(models.Model):
    """By which device a revision of a deal was entered, in a tournament whose other pair confirms it.

    A revision that is not here waits for nobody: it was made before the tournament asked, or not at the table.
    """

    scoresheet = models.ForeignKey("scoring.Scoresheet", on_delete=models.PROTECT, related_name="+")
    deal_uid = models.UUIDField()
    revision = models.PositiveIntegerField(_("revision"))
    link = models.ForeignKey(TableLink, on_delete=models.PROTECT, related_name="+")
    device = models.UUIDField(_("device"))
    holder = models.CharField(_("held by"), max_length=5, choices=Holder, blank=True)
    """Empty: the device did not say."""
    made_at = models.DateTimeField(_("made at"))

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("revision entered at a table")
        verbose_name_plural = _("revisions entered at tables")
        constraints = [
            models.UniqueConstraint(fields=["deal_uid", "revision"], name="entered_revision_once"),
            models.CheckConstraint(
                name="entered_revision_holder_known", condition=Q(holder__in=["", *Holder.values])
            ),
        ]

    def __str__(self) -> str:
        return f"revision {self.revision} of deal {self.deal_uid}"


class Confirmation(models.Model):
    """What one side, or a director, said of a revision; the higher its number, the later it was said."""

    operation_id = models.UUIDField(unique=True, default=uuid.uuid4)
    """Made by who says it: the same again gets the same answer and writes nothing."""
    entered = models.ForeignKey(EnteredRevision, on_delete=models.PROTECT, related_name="confirmations")
    verdict = models.CharField(_("verdict"), max_length=7, choices=Verdict)
    holder = models.CharField(_("said by"), max_length=5, choices=Holder, blank=True)
    """Empty for a director."""
    device = models.UUIDField(_("device"), null=True, blank=True)
    link = models.ForeignKey(TableLink, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    pcn = models.TextField(blank=True)
    """Of a dispute: what the side has in its place, as records are kept; empty where it did not say."""
    reason = models.TextField(_("reason"), blank=True)
    """A director's."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(_("made at"))

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")
        constraints = [
            models.CheckConstraint(
                name="confirmation_verdict_known", condition=Q(verdict__in=Verdict.values)
            ),
            models.CheckConstraint(
                name="confirmation_by_a_device_or_a_director",
                condition=Q(verdict=Verdict.STANDS, holder="", device__isnull=True, link__isnull=True)
                & ~Q(reason="")
                | ~Q(verdict=Verdict.STANDS)
                & Q(holder__in=Holder.values, device__isnull=False, link__isnull=False),
            ),
            models.CheckConstraint(
                name="confirmation_another_version_of_a_dispute",
                condition=Q(pcn="") | Q(verdict=Verdict.DISPUTE),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} {self.operation_id}"
