"""What is played in a tournament, and when."""

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.domain.results import ByeKind as DomainByeKind
from tournaments.models.entries import Entry
from tournaments.models.tournament import Session, Tournament


class RoundState(models.TextChoices):
    """Whether a round goes on. One that is only drafted is no round yet: see :class:`Draft`."""

    PUBLISHED = "published", _("published")
    CLOSED = "closed", _("closed")


class MatchState(models.TextChoices):
    """Whether a match counts."""

    OPEN = "open", _("open")
    FINISHED = "finished", _("finished")
    VOID = "void", _("void")


class Forfeit(models.TextChoices):
    """Who gave a match away without playing."""

    NS = "NS", _("North–South")
    EW = "EW", _("East–West")
    BOTH = "both", _("both")


class ByeKind(models.TextChoices):
    """Why an entry has no match in a round."""

    PAIRING = DomainByeKind.PAIRING.value, _("bye")
    REQUESTED = DomainByeKind.REQUESTED.value, _("asked to sit out")
    ABSENT = DomainByeKind.ABSENT.value, _("not there")
    LATE = DomainByeKind.LATE.value, _("came later")


class Round(models.Model):
    """Matches that are played at the same time."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveIntegerField(_("number"))
    """From 1."""
    label = models.CharField(_("label"), max_length=40, blank=True)
    """What records call it, where that is no number: ``Final``."""
    name = models.CharField(_("name"), max_length=40, blank=True)
    """What the format calls it, as a key of ``domain.pairing.Draw.label``; empty where it has only a number."""
    state = models.CharField(_("state"), max_length=10, choices=RoundState, default=RoundState.PUBLISHED)
    seed = models.PositiveBigIntegerField(_("seed"), null=True, blank=True)
    """From which tables, seats and first dealers were drawn; None where no draw was made here."""
    published_at = models.DateTimeField(_("published at"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "label"], name="round_label_once", condition=~Q(label="")
            ),
            models.CheckConstraint(name="round_number_from_one", condition=Q(number__gte=1)),
            models.CheckConstraint(name="round_state_known", condition=Q(state__in=RoundState.values)),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of tournament {self.tournament_id}"


class Match(models.Model):
    """Two entries at one table in one round, with the scoresheet that records it."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="matches")
    table = models.CharField(_("table"), max_length=40)
    """A number, or what records call it."""
    ns = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", verbose_name=_("North–South"))
    ew = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", verbose_name=_("East–West"))
    scoresheet = models.OneToOneField("scoring.Scoresheet", on_delete=models.PROTECT, related_name="+")
    state = models.CharField(_("state"), max_length=8, choices=MatchState, default=MatchState.OPEN)
    name = models.CharField(_("name"), max_length=40, blank=True)
    """What the format calls it, as a key of ``domain.pairing.Pairing.label``: ``third-place``."""
    first_dealer = models.CharField(_("first dealer"), max_length=1, blank=True)
    """The seat that was drawn (law 3.1); empty where none was."""
    drawn = models.JSONField(_("why they meet"), default=dict, blank=True)
    """The notes, scores, alternatives and reason of ``domain.pairing.Pairing``; empty where no draw was made."""
    forfeit = models.CharField(_("given away by"), max_length=4, choices=Forfeit, blank=True)
    """Of a finished match that was not played."""
    adjusted_ns = models.PositiveIntegerField(_("adjusted courts, North–South"), null=True, blank=True)
    """What a ruling puts in place of the scoresheet's courts; None: they stand. Both or neither."""
    adjusted_ew = models.PositiveIntegerField(_("adjusted courts, East–West"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    """Counts the changes to this row, from 0: a form names the one it was made on."""

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="match_table_once_a_round"),
            models.UniqueConstraint(fields=["round", "ns"], name="match_ns_once_a_round"),
            models.UniqueConstraint(fields=["round", "ew"], name="match_ew_once_a_round"),
            models.CheckConstraint(name="match_of_two_entries", condition=~Q(ns=F("ew"))),
            models.CheckConstraint(name="match_has_a_table", condition=~Q(table="")),
            models.CheckConstraint(name="match_state_known", condition=Q(state__in=MatchState.values)),
            models.CheckConstraint(
                name="match_adjusted_for_both",
                condition=Q(adjusted_ns__isnull=True, adjusted_ew__isnull=True)
                | Q(adjusted_ns__isnull=False, adjusted_ew__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"match at table {self.table} of round {self.round_id}"


class Bye(models.Model):
    """An entry without an opponent in a round."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="byes")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes")
    kind = models.CharField(_("kind"), max_length=12, choices=ByeKind, default=ByeKind.PAIRING)
    drawn = models.JSONField(_("why it has a bye"), default=dict, blank=True)

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="bye_once_a_round"),
            models.CheckConstraint(name="bye_kind_known", condition=Q(kind__in=ByeKind.values)),
        ]

    def __str__(self) -> str:
        return f"bye of entry {self.entry_id} in round {self.round_id}"


class Draft(models.Model):
    """A round that is drawn and not published. Taking it back deletes this row, and nothing else is left."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.PROTECT, related_name="draft", primary_key=True
    )
    number = models.PositiveIntegerField(_("round"))
    version = models.PositiveIntegerField(_("version"), default=1)
    """Counts the changes to this draft, from 1: whoever swaps or publishes names the one that was looked at."""
    drawn_on = models.PositiveBigIntegerField(_("drawn on"))
    """The collection's version when it was drawn: results may have changed since."""
    seed = models.PositiveBigIntegerField(_("seed"))
    draw = models.JSONField(_("draw"))
    """``domain.pairing.Draw`` as it stands, changes by hand included."""
    drawn = models.JSONField(_("draw as it was made"))
    """The same before any change by hand."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("draft of a round")
        verbose_name_plural = _("drafts of rounds")

    def __str__(self) -> str:
        return f"draft of round {self.number} of tournament {self.tournament_id}"


class RoundClock(models.Model):
    """The clock of a round, as moments and sums: what it shows is worked out from these and the time of day."""

    round = models.OneToOneField(Round, on_delete=models.PROTECT, related_name="clock", primary_key=True)
    length = models.PositiveIntegerField(_("length in seconds"))
    added = models.IntegerField(_("added seconds"), default=0)
    ran = models.DurationField(_("time it ran before the last pause"), default=timedelta)
    running_since = models.DateTimeField(_("running since"), null=True, blank=True)
    """None: it stands."""
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    last_deal_at = models.DateTimeField(_("last deal called at"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    """Counts the changes to this row, from 0."""

    class Meta:
        verbose_name = _("clock of a round")
        verbose_name_plural = _("clocks of rounds")

    def __str__(self) -> str:
        return f"clock of round {self.round_id}"


class Substitution(models.Model):
    """A player who sat in for another in one match."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="substitutions")
    absent = models.ForeignKey("scoring.Player", on_delete=models.PROTECT, related_name="+")
    substitute = models.ForeignKey("scoring.Player", on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(_("reason"), max_length=200)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("substitution")
        verbose_name_plural = _("substitutions")
        constraints = [
            models.UniqueConstraint(fields=["match", "absent"], name="substitution_once_a_match"),
            models.CheckConstraint(
                name="substitution_of_another", condition=~Q(absent=F("substitute")) & ~Q(reason="")
            ),
        ]

    def __str__(self) -> str:
        return f"substitution in match {self.match_id}"
