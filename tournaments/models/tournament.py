"""Tournaments, their sessions and their standings."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.append_only import AppendOnlyQuerySet
from courtpiece.accounts.permissions import Visibility
from scoring.domain.results import Ranking


class Format(models.TextChoices):
    """How it is decided who plays whom."""

    SINGLE = "single", _("one match")
    WINNER_STAYS = "winner-stays", _("winner stays")
    ROUND_ROBIN = "round-robin", _("round robin")
    SWISS = "swiss", _("Swiss system")
    KNOCKOUT = "knockout", _("knockout")
    GROUPS_KNOCKOUT = "groups-knockout", _("groups, then knockout")
    LEAGUE = "league", _("league")


class Status(models.TextChoices):
    """How sure the standings are."""

    PROVISIONAL = "provisional", _("provisional")
    OFFICIAL = "official", _("official")
    FINAL = "final", _("final")


class RankedBy(models.TextChoices):
    """What the standings are ordered by before any tie-break."""

    MATCH_POINTS = Ranking.MATCH_POINTS.value, _("match points")
    COURTS = Ranking.COURTS.value, _("courts")
    SESSION_POINTS = "session-points", _("points of the sessions")


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
    format = models.CharField(_("format"), max_length=16, choices=Format)
    plan = models.JSONField(_("plan"), default=dict, blank=True)
    """What the director chose of the format: ``domain.plans.plan_from_json`` reads it; empty: the usual."""
    visibility = models.CharField(
        _("visibility"), max_length=8, choices=Visibility, default=Visibility.PUBLIC
    )
    status = models.CharField(_("standings"), max_length=12, choices=Status, default=Status.PROVISIONAL)
    rules = models.CharField(_("rules"), max_length=200)
    """The canonical text (law 14)."""
    ranking = models.CharField(_("ranked by"), max_length=16, choices=RankedBy, default=RankedBy.MATCH_POINTS)
    points = models.JSONField(_("match points"))
    """``win``, ``draw``, ``loss`` and ``bye``, each a whole number or a fraction as text."""
    tiebreaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    """Their codes, in the order in which they are asked."""
    lot_seed = models.PositiveBigIntegerField(_("seed of the lots"), null=True, blank=True)
    """Lots are drawn from it, the same ones every time."""
    rules_version = models.PositiveIntegerField(_("version of the rules"), default=1)
    """From 1; one more with every change of the rules, the scoring or the tie-breaks after the first deal."""
    players_may_enter = models.BooleanField(_("players may enter by themselves"), default=False)
    """A director accepts them or not."""
    appeal_minutes = models.PositiveIntegerField(_("time for an appeal, in minutes"), default=30)
    live_delay = models.PositiveIntegerField(_("delay of the cards, in minutes"), default=0)
    """So far behind spectators follow the tables, and for so long the cards of a recorded deal are kept from them."""
    appeals_until = models.DateTimeField(_("can be appealed until"), null=True, blank=True)
    """When closed provisionally; from then on the standings may be made official."""
    confirmation = models.BooleanField(_("the other pair confirms each deal"), default=False)
    """Of deals that are entered at tables by links."""
    link_hours = models.PositiveIntegerField(
        _("hours for which a table link takes deals"), null=True, blank=True, default=48
    )
    """After the last thing that happened in its session; None: for ever."""
    draft_version = models.PositiveIntegerField(_("version of the draft"), default=0)
    """That of the last draft there was, from 1: no two drafts of a tournament ever have the same."""
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
    ranking = models.CharField(_("ranked by"), max_length=16, choices=RankedBy)
    points = models.JSONField(_("match points"))
    tiebreaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    lot_seed = models.PositiveBigIntegerField(_("seed of the lots"), null=True, blank=True)
    reason = models.TextField(_("why they were changed"))
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    changed_at = models.DateTimeField(_("changed at"))

    objects = AppendOnlyQuerySet.as_manager()

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
    minutes = models.PositiveIntegerField(_("agreed length of a match in minutes"), null=True, blank=True)
    """Law 13.1: a match is agreed for a time, a number of deals, or courts to reach; None where it is not this."""
    deals = models.PositiveIntegerField(_("agreed number of deals of a match"), null=True, blank=True)
    courts = models.PositiveIntegerField(_("courts to reach in a match"), null=True, blank=True)

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="session_number_once"),
            models.CheckConstraint(name="session_number_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"session {self.number} of tournament {self.tournament_id}"


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


class RoundStandings(models.Model):
    """The standings after a round, as everything that is known makes them. Derived, never entered."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="round_standings")
    round_number = models.PositiveIntegerField(_("round"))
    fingerprint = models.CharField(max_length=64)
    """The SHA-256 of everything that they are made of: while it is the same, so are they."""
    version = models.PositiveBigIntegerField(_("version"))
    """The collection's, when they were computed."""
    table = models.JSONField(_("table"))
    reasons = models.JSONField(_("reasons"))
    computed_at = models.DateTimeField(_("computed at"))

    class Meta:
        verbose_name = _("standings after a round")
        verbose_name_plural = _("standings after rounds")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round_number"], name="round_standings_once"),
        ]

    def __str__(self) -> str:
        return f"standings of tournament {self.tournament_id} after round {self.round_number}"
