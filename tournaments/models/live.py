"""What tables show of the deals that go on: kept for a while, and part of no record."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.rounds import Match


class LiveState(models.Model):
    """What a device at a table said of the deal that goes on there. Only what the delay needs is kept."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="live_states")
    device = models.UUIDField(_("device"))
    """What the device calls itself."""
    sequence = models.PositiveBigIntegerField(_("sequence"))
    """The device's own count: of two states the one with the higher is newer."""
    deal = models.PositiveIntegerField(_("deal"))
    """Its number in the match."""
    pcn = models.TextField(_("record so far"), blank=True)
    """As records are kept; empty: no deal is being entered."""
    received_at = models.DateTimeField(_("received at"))
    """By the clock of the server: the delay counts from here."""

    class Meta:
        verbose_name = _("live state of a table")
        verbose_name_plural = _("live states of tables")
        constraints = [
            models.UniqueConstraint(fields=["match", "device", "sequence"], name="live_sequence_once"),
            models.CheckConstraint(name="live_deal_from_one", condition=Q(deal__gte=1)),
        ]
        indexes = [
            models.Index(fields=["match", "received_at"], name="live_states_of_match"),
            models.Index(fields=["received_at"], name="live_states_by_age"),
        ]

    def __str__(self) -> str:
        return f"state {self.sequence} of device {self.device} at match {self.match_id}"
