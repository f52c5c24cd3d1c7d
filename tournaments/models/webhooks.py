"""The addresses to which a club has events sent, and what was sent."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class PauseReason(models.TextChoices):
    """Why nothing is sent to an address for the time being."""

    PERSON = "person", _("somebody paused it")
    FAILURES = "failures", _("nothing arrived there for a day")
    GONE = "gone", _("its server answered that it is gone (410)")
    MAKER = "maker", _("whoever is responsible for it may not manage webhooks here any more")


class Webhook(models.Model):
    """An address to which a club has events sent. Its secret is not here: see :mod:`tournaments.webhook_secrets`."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="+")
    url = models.CharField(_("address"), max_length=500)
    kinds = models.JSONField(_("events"))
    """The words of the events that are sent."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    """Who is responsible: it is sent what that user may know. Whoever resumes it becomes so."""
    made_at = models.DateTimeField(_("made at"))
    key = models.UUIDField(default=uuid.uuid4, editable=False)
    """What the secret is derived from."""
    key_before = models.UUIDField(null=True, blank=True)
    """The same of the secret before, with which is signed too until ``key_before_until``."""
    key_before_until = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(_("paused at"), null=True, blank=True)
    paused_because = models.CharField(max_length=10, choices=PauseReason, blank=True)
    succeeded_at = models.DateTimeField(_("last answered well at"), null=True, blank=True)
    removed_at = models.DateTimeField(_("removed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [
            models.CheckConstraint(
                name="webhook_paused_for_a_reason",
                condition=Q(paused_at__isnull=True, paused_because="")
                | (Q(paused_at__isnull=False) & ~Q(paused_because="")),
            )
        ]

    def __str__(self) -> str:
        return f"webhook {self.uid} of club {self.club_id}"


class WebhookPlace(models.Model):
    """Up to which event of a collection deliveries were made for a webhook."""

    hook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="places")
    collection = models.ForeignKey("scoring.Collection", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("place of a webhook")
        verbose_name_plural = _("places of webhooks")
        constraints = [
            models.UniqueConstraint(fields=["hook", "collection"], name="webhook_place_once_a_collection")
        ]

    def __str__(self) -> str:
        return f"webhook {self.hook_id} in collection {self.collection_id}: {self.number}"


class DeliveryState(models.TextChoices):
    """What became of a delivery."""

    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("failed")


class DeliveryFault(models.TextChoices):
    """Why a try failed."""

    ADDRESS = "address", _("The address is none to which this site may send.")
    NAME = "name", _("No such name is known: nobody answers for it.")
    CONNECTION = "connection", _("No connection could be made, or it broke off.")
    TLS = "tls", _("The certificate of the server is not good.")
    TIME = "time", _("The server did not answer in time.")
    ANSWER = "answer", _("The answer could not be read.")
    STATUS = "status", _("The server answered that it did not take it.")


class WebhookDelivery(models.Model):
    """An event that is sent to a webhook, with what became of it. Forgotten a month after it ended."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """Its id for the receiver: the same at every try."""
    hook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    event = models.ForeignKey(
        "scoring.StreamEvent", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    """None: a test."""
    kind = models.CharField(max_length=32)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    tries = models.PositiveIntegerField(_("tries"), default=0)
    """Since it was made, or sent again by a person."""
    next_at = models.DateTimeField(null=True, blank=True)
    """When it is tried next; while it is being tried: when it is thought lost. None where it ended."""
    made_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveIntegerField(null=True, blank=True)
    """What the server answered the last time; None: nothing."""
    fault = models.CharField(max_length=10, choices=DeliveryFault, blank=True)
    took = models.PositiveIntegerField(null=True, blank=True)
    """The last try, in milliseconds."""
    answer = models.CharField(max_length=500, blank=True)
    """How the last answer begins."""

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [
            models.UniqueConstraint(fields=["hook", "event"], name="delivery_once_a_webhook_and_event"),
            models.CheckConstraint(
                name="delivery_waits_or_ended",
                condition=Q(state="waiting", next_at__isnull=False, ended_at__isnull=True)
                | (~Q(state="waiting") & Q(next_at__isnull=True, ended_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(fields=["next_at"], name="delivery_due", condition=Q(state="waiting")),
            models.Index(fields=["hook", "-made_at", "-id"], name="delivery_by_hook"),
        ]

    def __str__(self) -> str:
        return f"delivery {self.uid} to webhook {self.hook_id}: {self.state}"
