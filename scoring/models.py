"""The tables of scoring.

A deal points at its current revision by that revision's *number*, not by a foreign key: two tables that point
at each other could not be filled in bulk without a second write for each deal. Revisions, rulings and
operations are append-only: nothing updates them, and what can be derived from them (a deal's ledger line, a
scoresheet's totals) stands in columns of the other tables and is derived again with every write.
"""

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.append_only import AppendOnlyQuerySet
from courtpiece.accounts.permissions import Visibility


class Side(models.TextChoices):
    """The two teams of a scoresheet, as stored."""

    NS = "NS", _("North–South")
    EW = "EW", _("East–West")


class SeatLetter(models.TextChoices):
    """The four seats, as stored."""

    NORTH = "N", _("North")
    EAST = "E", _("East")
    SOUTH = "S", _("South")
    WEST = "W", _("West")


class SuitLetter(models.TextChoices):
    """The four suits, as stored."""

    SPADES = "S", _("Spades")
    HEARTS = "H", _("Hearts")
    DIAMONDS = "D", _("Diamonds")
    CLUBS = "C", _("Clubs")


class AwardCode(models.TextChoices):
    """What a deal was won by (law 10), as stored."""

    WIN = "win", _("win")
    COURT = "court", _("court")
    GOON_COURT = "goon-court", _("goon court")
    BAVNEY = "bavney", _("bavney")
    REVOKE = "revoke", _("revoke")
    VOID = "void", _("void")


class Level(models.TextChoices):
    """How much a record tells."""

    FULL = "full", _("card by card")
    TRICKS = "tricks", _("trick by trick")
    RESULT = "result", _("result only")


class RevisionKind(models.TextChoices):
    """Why a revision was made."""

    RECORD = "record", _("recorded")
    CORRECTION = "correction", _("corrected")
    VOID = "void", _("voided")
    RULING = "ruling", _("ruled")


class MadeVia(models.TextChoices):
    """Where a revision came from."""

    PAGE = "page", _("page")
    API = "api", _("API")
    FILE = "file", _("uploaded file")
    COMMAND = "command", _("command")
    TABLE = "table", _("live table")
    SLIP = "slip", _("score slip")


class Player(models.Model):
    """A person who plays in a club, with or without an account."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=80)
    """As ``names.clean_name`` gives it; one player of a name in a club."""
    search_key = models.CharField(max_length=240, db_index=True)
    """``names.search_key`` of the name."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="players"
    )
    created_at = models.DateTimeField()
    anonymised_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="player_name_once_in_a_club"),
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(user__isnull=False), name="player_user_once_in_a_club"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.uid})"


class Partnership(models.Model):
    """Two players of a club, fixed: the same two are the same partnership everywhere.

    ``first`` is the player with the lower number, so that a pair has one row whoever is named first.
    """

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="partnerships")
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("partnership")
        verbose_name_plural = _("partnerships")
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="partnership_of_two_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="partnership_first_is_lower"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} & {self.second_id} ({self.uid})"


class Collection(models.Model):
    """Scoresheets that are counted together, as a tournament's are.

    ``version`` counts the writes to any of them, from 0: what is computed from a collection says at which
    version.
    """

    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="collections")
    version = models.PositiveBigIntegerField(default=0)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    """What a new scoresheet gets."""
    cards_delay = models.DurationField(default=timedelta)
    """The same: see :attr:`Scoresheet.cards_delay`."""
    name = models.CharField(max_length=200, blank=True)
    """What pages call it."""
    path = models.CharField(max_length=255, blank=True)
    """The address of its page on this site, for links; scoring does not know whose it is.

    Under it, at ``rulings/``, everybody reads what was ruled, and at ``manage/rulings/deals/UID/WHAT/`` a director
    changes a deal (WHAT is ``correct``, ``void`` or ``rule``) and sees all that depends on it.
    """
    is_locked = models.BooleanField(default=False)
    """Whether its scoresheets and deals are closed to every write, which the database itself keeps."""

    class Meta:
        verbose_name = _("collection")
        verbose_name_plural = _("collections")

    def __str__(self) -> str:
        return f"collection {self.pk} at version {self.version}"


class Scoresheet(models.Model):
    """The record of one match: who sat where, the rules it was played under, and the totals of its deals.

    The totals are derived from the deals with every write; they count what ``queries.counting_deals`` counts.

    A game that somebody recorded at home has an owner and no club: its players are names only, as they were typed, and
    it is private. A club that takes it makes players of them, and from then on it is the club's.
    """

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        "accounts.Club", null=True, blank=True, on_delete=models.PROTECT, related_name="scoresheets"
    )
    """None: a game of the owner's own, which has no players yet."""
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="games"
    )
    """Who recorded it at home; stays when a club has taken it."""
    collection = models.ForeignKey(
        Collection, null=True, blank=True, on_delete=models.PROTECT, related_name="scoresheets"
    )
    """None: the scoresheet stands on its own."""
    ns = models.ForeignKey(
        Partnership,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("North–South"),
    )
    ew = models.ForeignKey(
        Partnership,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("East–West"),
    )
    north = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    south = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    east = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    west = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    north_name = models.CharField(max_length=80, blank=True)
    """As the owner typed it, as the three below; empty of a scoresheet that was a club's from the start."""
    south_name = models.CharField(max_length=80, blank=True)
    east_name = models.CharField(max_length=80, blank=True)
    west_name = models.CharField(max_length=80, blank=True)
    rules = models.CharField(max_length=255)
    """The canonical text of the rules (law 14)."""
    event = models.CharField(max_length=200, blank=True)
    site = models.CharField(max_length=200, blank=True)
    date = models.CharField(max_length=10, blank=True)
    """As the ``Date`` tag: ``2026.11.??``; empty where not known, as the three beside it."""
    round = models.CharField(max_length=40, blank=True)
    table = models.CharField(max_length=40, blank=True)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    """A collection's scoresheets all have its own."""
    cards_delay = models.DurationField(default=timedelta)
    """For so long after it was recorded a deal's cards are kept from spectators; a collection's scoresheets all have
    its own. Read by ``queries.holding``, which decides what is held back."""
    source = models.CharField(max_length=255, blank=True)
    """Where it came from: a file's name, or empty."""
    created_at = models.DateTimeField()
    put_away_at = models.DateTimeField(null=True, blank=True)
    """Since when the owner's list leaves it out."""

    version = models.PositiveIntegerField(default=0)
    """Counts the writes, from 0."""
    deals_count = models.PositiveIntegerField(default=0)
    problem_deals = models.PositiveIntegerField(default=0)
    """Deals with a problem that stands, warnings included."""
    courts_ns = models.PositiveIntegerField(default=0)
    courts_ew = models.PositiveIntegerField(default=0)
    deals_ns = models.PositiveIntegerField(default=0)
    """Deals won; those of the other team are lost."""
    deals_ew = models.PositiveIntegerField(default=0)
    bavneys_ns = models.PositiveIntegerField(default=0)
    bavneys_ew = models.PositiveIntegerField(default=0)
    goon_courts_ns = models.PositiveIntegerField(default=0)
    goon_courts_ew = models.PositiveIntegerField(default=0)
    revokes_ns = models.PositiveIntegerField(default=0)
    """Deals that the team's own revoke ended."""
    revokes_ew = models.PositiveIntegerField(default=0)
    runs_ns = models.PositiveIntegerField(default=0)
    """Deals won running after the last deal (law 11)."""
    runs_ew = models.PositiveIntegerField(default=0)
    next_dealer = models.CharField(max_length=1, choices=SeatLetter, blank=True)
    """Law 12, after the last deal; empty before the first."""

    class Meta:
        verbose_name = _("scoresheet")
        verbose_name_plural = _("scoresheets")
        constraints = [
            models.CheckConstraint(condition=~Q(ns=F("ew")), name="scoresheet_of_two_partnerships"),
            models.CheckConstraint(
                condition=~Q(north=F("east"))
                & ~Q(north=F("south"))
                & ~Q(north=F("west"))
                & ~Q(east=F("south"))
                & ~Q(east=F("west"))
                & ~Q(south=F("west")),
                name="scoresheet_of_four_players",
            ),
            models.CheckConstraint(
                condition=Q(
                    club__isnull=False,
                    ns__isnull=False,
                    ew__isnull=False,
                    north__isnull=False,
                    south__isnull=False,
                    east__isnull=False,
                    west__isnull=False,
                )
                | (
                    Q(
                        club__isnull=True,
                        ns__isnull=True,
                        ew__isnull=True,
                        north__isnull=True,
                        south__isnull=True,
                        east__isnull=True,
                        west__isnull=True,
                        collection__isnull=True,
                        owner__isnull=False,
                        visibility=Visibility.PRIVATE.value,
                    )
                    & ~Q(north_name="")
                    & ~Q(south_name="")
                    & ~Q(east_name="")
                    & ~Q(west_name="")
                ),
                name="scoresheet_is_a_clubs_or_somebodys_own",
            ),
        ]

    def __str__(self) -> str:
        return f"scoresheet {self.uid}"


class GameLink(models.Model):
    """A link by which whoever has it reads a game of somebody's own; ``link_secrets`` makes its secret."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="links")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("link of a game")
        verbose_name_plural = _("links of games")
        constraints = [
            models.UniqueConstraint(
                fields=["scoresheet"], condition=Q(revoked_at__isnull=True), name="game_has_one_good_link"
            )
        ]

    def __str__(self) -> str:
        return f"link {self.uid} of scoresheet {self.scoresheet_id}"


class OfferState(models.TextChoices):
    """What became of an offer, as stored."""

    OPEN = "open", _("waits for an answer")
    TAKEN = "taken", _("taken")
    DECLINED = "declined", _("declined")
    TAKEN_BACK = "taken-back", _("taken back")


class GameOffer(models.Model):
    """A game of somebody's own that was offered to a club, and what a director of it answered."""

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="offers")
    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="+")
    offered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    offered_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=OfferState, default=OfferState.OPEN)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    """Why it was declined; the owner reads it."""

    class Meta:
        verbose_name = _("offered game")
        verbose_name_plural = _("offered games")
        constraints = [
            models.UniqueConstraint(
                fields=["scoresheet"], condition=Q(state="open"), name="game_is_offered_to_one_club"
            ),
            models.CheckConstraint(
                condition=Q(state="open", answered_at__isnull=True)
                | (~Q(state="open") & Q(answered_at__isnull=False)),
                name="game_offer_is_answered_or_open",
            ),
        ]

    def __str__(self) -> str:
        return f"offer {self.uid} of scoresheet {self.scoresheet_id}: {self.state}"


class Operation(models.Model):
    """One write that was carried out: the id that its client gave it gets the same answer again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=12, choices=RevisionKind)
    fingerprint = models.CharField(max_length=64)
    """The SHA-256 of what was asked, in hexadecimal: an id must not come again with another question."""
    answer = models.JSONField()
    made_at = models.DateTimeField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("operation")
        verbose_name_plural = _("operations")

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Deal(models.Model):
    """One deal of a scoresheet at its current revision, with its line in the ledger.

    Everything but the number is derived: from the current revision, and (``run_*``, ``match_*``,
    ``problems``) from the deals before it.
    """

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="deals")
    number = models.PositiveIntegerField()
    """The deal's number in its match, from 1."""
    revision = models.PositiveIntegerField(default=1)
    """The number of the current revision, from 1."""
    kind = models.CharField(max_length=12, choices=RevisionKind, default=RevisionKind.RECORD)
    """The kind of the current revision."""
    is_ruled = models.BooleanField(default=False)
    """Whether a ruling stands with the current revision."""
    level = models.CharField(max_length=6, choices=Level)
    dealer = models.CharField(max_length=1, choices=SeatLetter)
    trump = models.CharField(max_length=1, choices=SuitLetter, blank=True)
    """Empty: none was made, or the record does not say."""
    trump_method = models.CharField(max_length=12, blank=True)
    """A method of law 4, or empty where the record does not say."""
    counts = models.BooleanField()
    """Whether it counts in results and statistics (``ledgers.counts``); read by ``counting_deals``."""
    winner = models.CharField(max_length=2, choices=Side, blank=True)
    """Empty for a void deal."""
    award = models.CharField(max_length=12, choices=AwardCode)
    tricks_ns = models.PositiveSmallIntegerField(default=0)
    tricks_ew = models.PositiveSmallIntegerField(default=0)
    courts_ns = models.PositiveIntegerField(default=0)
    """Courts of laws 8 and 10, made in the deal itself."""
    courts_ew = models.PositiveIntegerField(default=0)
    revoked = models.CharField(max_length=2, choices=Side, blank=True)
    """The team whose established revoke ended the deal."""
    run_courts_ns = models.PositiveIntegerField(default=0)
    """Courts of law 11, scored when the deal completed a run."""
    run_courts_ew = models.PositiveIntegerField(default=0)
    match_courts_ns = models.PositiveIntegerField(default=0)
    """The match's courts after the deal."""
    match_courts_ew = models.PositiveIntegerField(default=0)
    match_runs_ns = models.PositiveIntegerField(default=0)
    """Deals won running, after the deal."""
    match_runs_ew = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list, blank=True)
    """The problems that stand now: the record's own, and those that depend on the deals before it."""

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        constraints = [
            models.UniqueConstraint(fields=["scoresheet", "number"], name="deal_number_once_in_a_scoresheet"),
            models.CheckConstraint(condition=Q(number__gte=1), name="deal_number_from_one"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="deal_has_a_revision"),
            models.CheckConstraint(
                condition=Q(tricks_ns__lte=13, tricks_ew__lte=13), name="deal_of_thirteen_tricks"
            ),
            models.CheckConstraint(
                condition=Q(award="void", winner="") | (~Q(award="void") & ~Q(winner="")),
                name="deal_won_unless_void",
            ),
        ]
        indexes = [
            models.Index(fields=["award"], name="deal_award", condition=~Q(award="win")),
        ]

    def __str__(self) -> str:
        return f"deal {self.number} ({self.uid})"


class Revision(models.Model):
    """What was written of a deal at one time: never changed, never removed.

    The columns of the outcome hold what counts: the engine's finding, or what a ruling decided in its place.
    """

    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    """Counts the deal's revisions from 1; each was made on the one before it."""
    kind = models.CharField(max_length=12, choices=RevisionKind)
    operation = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="revisions")
    pcn = models.TextField()
    """The record's export form without the tags that say which match it is of: those are the scoresheet's."""
    finding = models.JSONField()
    """What the engine found of the record alone, with the keys of the checker's line."""
    problems = models.JSONField(default=list, blank=True)
    """The problems when it was written, with their places in the text it came in."""
    winner = models.CharField(max_length=2, choices=Side, blank=True)
    award = models.CharField(max_length=12, choices=AwardCode)
    tricks_ns = models.PositiveSmallIntegerField(default=0)
    tricks_ew = models.PositiveSmallIntegerField(default=0)
    courts_ns = models.PositiveIntegerField(default=0)
    courts_ew = models.PositiveIntegerField(default=0)
    revoked = models.CharField(max_length=2, choices=Side, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    """None: a command, or a table link without an account."""
    made_via = models.CharField(max_length=8, choices=MadeVia)
    made_at = models.DateTimeField()
    reason = models.TextField(blank=True)
    source = models.CharField(max_length=255, blank=True)
    """The file's name, or empty."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        constraints = [
            models.UniqueConstraint(fields=["deal", "number"], name="revision_number_once_in_a_deal"),
            models.CheckConstraint(condition=Q(number__gte=1), name="revision_number_from_one"),
            models.CheckConstraint(
                condition=Q(award="void", winner="") | (~Q(award="void") & ~Q(winner="")),
                name="revision_won_unless_void",
            ),
            models.CheckConstraint(
                condition=Q(kind="record") | ~Q(reason=""), name="revision_change_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"revision {self.number} of deal {self.deal_id}"


class Ruling(models.Model):
    """A director's decision that stands above the finding; the outcome it decided is its revision's."""

    revision = models.OneToOneField(
        Revision, on_delete=models.PROTECT, related_name="ruling", primary_key=True
    )
    law = models.CharField(max_length=20, blank=True)
    """The law it rests on: ``8.4``."""
    reason = models.TextField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason")]

    def __str__(self) -> str:
        return f"ruling on revision {self.revision_id}"
