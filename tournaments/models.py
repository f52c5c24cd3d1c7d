"""The tables of tournaments.

What was played belongs to scoring: a match points at its scoresheet, a tournament at the collection that
counts them, and its standings are derived from both, never entered.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.permissions import Visibility
from scoring.domain.results import Ranking


class Format(models.TextChoices):
    """How it is decided who plays whom."""

    SINGLE = "single", _("one match")
    ROUND_ROBIN = "round-robin", _("round robin")


class Status(models.TextChoices):
    """How sure the standings are."""

    PROVISIONAL = "provisional", _("provisional")
    OFFICIAL = "official", _("official")
    FINAL = "final", _("final")


class RankedBy(models.TextChoices):
    """What the standings are ordered by before any tie-break."""

    MATCH_POINTS = Ranking.MATCH_POINTS.value, _("match points")
    COURTS = Ranking.COURTS.value, _("courts")


class EntryState(models.TextChoices):
    """What has become of an entry."""

    ACTIVE = "active", _("active")
    WITHDRAWN = "withdrawn", _("withdrawn")


class MatchState(models.TextChoices):
    """Whether a match counts."""

    OPEN = "open", _("open")
    FINISHED = "finished", _("finished")
    VOID = "void", _("void")


class Tournament(models.Model):
    """A competition under one set of rules, one format and one scoring."""

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    club = models.ForeignKey(
        "accounts.Club", on_delete=models.PROTECT, related_name="+", verbose_name=_("club")
    )
    name = models.CharField(_("name"), max_length=80)
    collection = models.OneToOneField(
        "scoring.Collection",
        on_delete=models.PROTECT,
        related_name="tournament",
        verbose_name=_("collection"),
    )
    """What its scoresheets are counted in; its version is the version of everything that is derived here."""
    format = models.CharField(_("format"), max_length=12, choices=Format)
    visibility = models.CharField(
        _("visibility"), max_length=8, choices=Visibility, default=Visibility.PUBLIC
    )
    status = models.CharField(_("standings"), max_length=12, choices=Status, default=Status.PROVISIONAL)
    rules = models.CharField(_("rules"), max_length=200)
    """The canonical text (law 14)."""
    ranking = models.CharField(_("ranked by"), max_length=12, choices=RankedBy, default=RankedBy.MATCH_POINTS)
    points = models.JSONField(_("match points"))
    """``win``, ``draw``, ``loss`` and ``bye``, each a whole number or a fraction as text."""
    tiebreaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    """Their codes, in the order in which they are asked."""
    lot_seed = models.PositiveBigIntegerField(_("seed of the lots"), null=True, blank=True)
    """Lots are drawn from it, the same ones every time."""
    rules_version = models.PositiveIntegerField(_("version of the rules"), default=1)
    """From 1; one more with every change of the rules, the scoring or the tie-breaks after the first deal."""
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    """Nobody, where a command of the server made it."""
    created_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        constraints = [
            models.CheckConstraint(name="tournament_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(name="tournament_format_known", condition=Q(format__in=Format.values)),
            models.CheckConstraint(name="tournament_status_known", condition=Q(status__in=Status.values)),
            models.CheckConstraint(name="tournament_ranking_known", condition=Q(ranking__in=RankedBy.values)),
            models.CheckConstraint(
                name="tournament_visibility_known", condition=Q(visibility__in=Visibility.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"


class PastRegulations(models.Model):
    """The rules, the scoring and the tie-breaks that a tournament had before they were changed.

    The current ones are the tournament's own columns. Before the first deal they are changed in place; from
    then on they are frozen, and a change keeps what was there in a row of this table: written once, never
    changed.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="past_regulations")
    version = models.PositiveIntegerField(_("version"))
    """From 1."""
    rules = models.CharField(_("rules"), max_length=200)
    ranking = models.CharField(_("ranked by"), max_length=12, choices=RankedBy)
    points = models.JSONField(_("match points"))
    tiebreaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    lot_seed = models.PositiveBigIntegerField(_("seed of the lots"), null=True, blank=True)
    reason = models.TextField(_("why they were changed"))
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("past regulations")
        verbose_name_plural = _("past regulations")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="regulations_version_once"),
            models.CheckConstraint(name="regulations_changed_for_a_reason", condition=~Q(reason="")),
        ]

    def __str__(self) -> str:
        return f"past regulations {self.version} of tournament {self.tournament_id}"


class Session(models.Model):
    """One sitting of a tournament."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField(_("number"))
    """From 1."""
    place = models.CharField(_("place"), max_length=200, blank=True)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    minutes = models.PositiveIntegerField(_("agreed length in minutes"), null=True, blank=True)

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="session_number_once"),
            models.CheckConstraint(name="session_number_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"session {self.number} of tournament {self.tournament_id}"


class Entry(models.Model):
    """A partnership in a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    """From 1, in the order of entering."""
    partnership = models.ForeignKey("scoring.Partnership", on_delete=models.PROTECT, related_name="+")
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=EntryState, default=EntryState.ACTIVE)
    penalty = models.PositiveIntegerField(_("penalty"), default=0)
    """Taken from what the standings are ordered by: match points, or courts."""
    penalty_reason = models.TextField(_("reason of the penalty"), blank=True)

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
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of tournament {self.tournament_id}"


class Round(models.Model):
    """Matches that are played at the same time."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveIntegerField(_("number"))
    """From 1."""
    label = models.CharField(_("label"), max_length=40, blank=True)
    """What records call it, where that is no number: ``Final``."""

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "label"], name="round_label_once", condition=~Q(label="")
            ),
            models.CheckConstraint(name="round_number_from_one", condition=Q(number__gte=1)),
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
        ]

    def __str__(self) -> str:
        return f"match at table {self.table} of round {self.round_id}"


class Bye(models.Model):
    """An entry without an opponent in a round."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="byes")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes")

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="bye_once_a_round")]

    def __str__(self) -> str:
        return f"bye of entry {self.entry_id} in round {self.round_id}"


class Standings(models.Model):
    """A tournament's standings at the newest version at which they were computed. Derived, never entered."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.PROTECT, related_name="standings", primary_key=True
    )
    version = models.PositiveBigIntegerField(_("version"))
    """The collection's, when they were computed."""
    table = models.JSONField(_("table"))
    """The answer of the API, without ``current``, which only who reads it can tell."""
    reasons = models.JSONField(_("reasons"))
    """The working of every tie-break, opponent by opponent: see ``queries.Reason``."""
    computed_at = models.DateTimeField(_("computed at"))

    class Meta:
        verbose_name = _("standings")
        verbose_name_plural = _("standings")

    def __str__(self) -> str:
        return f"standings of tournament {self.tournament_id} at version {self.version}"
