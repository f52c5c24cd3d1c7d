"""The links by which tables send their deals, and the devices that were heard of by them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Session


class TableLink(models.Model):
    """An address by which whoever has it records deals at one table in one session, without an account.

    Its secret is not here: see :mod:`tournaments.link_secrets`.
    """

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """What the secret is derived from. It finds the link and opens nothing by itself."""
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="links")
    table = models.CharField(_("table"), max_length=40)
    """As the matches at it name it."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(_("made at"))
    extended_at = models.DateTimeField(_("extended at"), null=True, blank=True)
    """When a director last said that it is good for longer."""
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)
    """None: it is good."""
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("link of a table")
        verbose_name_plural = _("links of tables")
        constraints = [
            models.UniqueConstraint(
                fields=["session", "table"],
                condition=Q(revoked_at__isnull=True),
                name="table_link_one_that_is_good",
            ),
            models.CheckConstraint(name="table_link_has_a_table", condition=~Q(table="")),
        ]

    def __str__(self) -> str:
        return f"link {self.uid} of table {self.table} in session {self.session_id}"


class DeviceReport(models.Model):
    """What a device at a table last said of itself: only the newest is kept."""

    link = models.ForeignKey(TableLink, on_delete=models.PROTECT, related_name="reports")
    device = models.UUIDField(_("device"))
    """What the device calls itself."""
    unsent = models.PositiveIntegerField(_("deals not yet sent"), default=0)
    heard_at = models.DateTimeField(_("heard at"))
    """By the clock of the server."""

    class Meta:
        verbose_name = _("report of a device")
        verbose_name_plural = _("reports of devices")
        constraints = [models.UniqueConstraint(fields=["link", "device"], name="device_once_a_link")]

    def __str__(self) -> str:
        return f"device {self.device} at link {self.link_id}"
