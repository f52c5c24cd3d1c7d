"""The tables of scoring.

A deal points at its current revision by that revision's *number*, not by a foreign key: two tables that point
at each other could not be filled in bulk without a second write for each deal. Revisions, rulings and
operations are append-only: nothing updates them, and what can be derived from them (a deal's ledger line, a
scoresheet's totals) stands in columns of the other tables and is derived again with every write.
"""

import uuid
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Greatest, Least, Replace
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.append_only import AppendOnlyQuerySet
from courtpiece.accounts.permissions import Visibility
from scoring.derived import (  # noqa: F401 - Django looks for an app's tables here
    CurrentRating,
    DealAnalysis,
    RatedClub,
    RatedCollection,
    RatedMatch,
    RatingChange,
)


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
    """A person who plays in a club, with or without an account.

    ``name`` is what everybody sees, everywhere. Of a player who hides the own name it is a made one, and the own name
    stands in ``hidden_name``: so no page, file, answer or picture can show it that does not ask for it.
    """

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
    hidden_name = models.CharField(max_length=80, blank=True)
    """The own name of a player who hides it, which directors of the club see; else empty."""
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="duplicates"
    )
    """The player that this one turned out to be. Nobody is merged into a player who is merged: one step, never two."""

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.UniqueConstraint(
                fields=["club", "hidden_name"],
                condition=~Q(hidden_name=""),
                name="player_hidden_name_once_in_a_club",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("id")),
                name="player_is_not_merged_into_itself",
            ),
            models.UniqueConstraint(fields=["club", "name"], name="player_name_once_in_a_club"),
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(user__isnull=False), name="player_user_once_in_a_club"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.uid})"


class NameKey(models.Model):
    """What a player is found by: a word of the name as it is written, or as it sounds, which all scripts share.

    Written in the operation that names the player; ``name_keys`` makes them.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="name_keys")
    key = models.CharField(max_length=100, db_index=True)
    """A word of ``search_key``; with ``~`` before it the consonants of one as it sounds."""

    class Meta:
        verbose_name = _("key of a name")
        verbose_name_plural = _("keys of names")
        constraints = [models.UniqueConstraint(fields=["player", "key"], name="name_key_once_a_player")]

    def __str__(self) -> str:
        return f"{self.key} of player {self.player_id}"


class RequestKind(models.TextChoices):
    """What a player can ask for, as stored."""

    CLAIM = "claim", _("this player is me")
    MERGE = "merge", _("two players are one person")
    ANONYMISE = "anonymise", _("take the name away for good")


class RequestState(models.TextChoices):
    """What became of a request, as stored."""

    OPEN = "open", _("waits for an answer")
    APPROVED = "approved", _("approved")
    DECLINED = "declined", _("declined")
    TAKEN_BACK = "taken-back", _("taken back")
    UNDONE = "undone", _("undone")


class PersonRequest(models.Model):
    """What somebody asked of a club's directors about a player, and what they answered.

    A merge that a director makes unasked is one too, approved at once: the merges of a club are its approved ones.
    """

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=RequestKind)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="requests")
    """Whom it is about; of a merge the duplicate."""
    kept = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """Of a merge: the player that the duplicate is merged into."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    """None: a command of the server."""
    asked_at = models.DateTimeField()
    note = models.CharField(max_length=300, blank=True)
    """What was said with it; emptied when the name is taken away for good."""
    state = models.CharField(max_length=10, choices=RequestState, default=RequestState.OPEN)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    """Why it was declined or undone; who asked reads it."""
    moved_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    """Of a merge: the account that went from the duplicate to the other; undoing it gives it back."""

    class Meta:
        verbose_name = _("request about a player")
        verbose_name_plural = _("requests about players")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "player", "asked_by"], condition=Q(state="open"), name="person_asks_once"
            ),
            models.UniqueConstraint(
                fields=["player"], condition=Q(kind="merge", state="approved"), name="player_is_merged_once"
            ),
            models.CheckConstraint(
                condition=Q(state="open", answered_at__isnull=True)
                | (~Q(state="open") & Q(answered_at__isnull=False)),
                name="person_request_is_answered_or_open",
            ),
            models.CheckConstraint(
                condition=Q(kind="merge", kept__isnull=False) | (~Q(kind="merge") & Q(kept__isnull=True)),
                name="person_request_merges_two",
            ),
        ]

    def __str__(self) -> str:
        return f"request {self.uid}: {self.kind} of player {self.player_id}, {self.state}"


class Partnership(models.Model):
    """Two players of a club, fixed: the same two are the same partnership everywhere.

    ``first`` is the player who was named first when the pair was first named: everybody sees the two in that order. A
    pair has one row, whoever is named first later.
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
            models.UniqueConstraint(
                Least("first", "second"), Greatest("first", "second"), name="partnership_of_two_once"
            ),
            models.CheckConstraint(condition=~Q(first=F("second")), name="partnership_is_of_two"),
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
    events = models.PositiveBigIntegerField(default=0)
    """The number of its last event; 0: there was none yet."""

    class Meta:
        verbose_name = _("collection")
        verbose_name_plural = _("collections")

    def __str__(self) -> str:
        return f"collection {self.pk} at version {self.version}"


class StreamEvent(models.Model):
    """Something that happened in a collection, for programs that follow it: written with it, never changed.

    A collection's events are numbered while its row is locked, so that a later number is never there before an earlier.
    """

    collection = models.ForeignKey(
        Collection, on_delete=models.PROTECT, related_name="stream", db_index=False
    )
    number = models.PositiveBigIntegerField()
    """From 1, without gaps."""
    kind = models.CharField(max_length=32)
    """A word of :mod:`scoring.stream`, or such a word of the apps above."""
    version = models.PositiveBigIntegerField()
    """The collection's, with it."""
    data = models.JSONField()
    """Ids, numbers and codes; no cards and no names."""
    made_at = models.DateTimeField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "number"], name="stream_number_once_in_a_collection"
            ),
        ]

    def __str__(self) -> str:
        return f"event {self.number} of collection {self.collection_id}: {self.kind}"


FIRST_DAY: Final = Replace("date", Value("?"), Value("0"))
"""A scoresheet's date for comparing: ``2026.11.00`` where the day is not known."""


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
        indexes = [models.Index(FIRST_DAY, name="scoresheet_first_day")]

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
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="deals", db_index=False)
    """The first column of a constraint below, whose index serves both."""
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
    """Whether it counts in results and statistics (``domain.ledgers.counts``); read by ``counting_deals``."""
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
    revoker = models.CharField(max_length=1, choices=SeatLetter, blank=True)
    """The seat whose established revoke ended the deal; empty where only the team is known."""
    cards_s = models.BigIntegerField(default=0)
    """The cards that South was dealt, a bit for each as the engine has them; 0 where the record does not tell."""
    cards_e = models.BigIntegerField(default=0)
    cards_n = models.BigIntegerField(default=0)
    cards_w = models.BigIntegerField(default=0)

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
            models.Index(
                fields=["award", "-scoresheet", "number"], name="deal_award", condition=~Q(award="win")
            ),
            models.Index(
                fields=["revoked", "-scoresheet", "number"], name="deal_revoked", condition=~Q(revoked="")
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.number} ({self.uid})"


class Revision(models.Model):
    """What was written of a deal at one time: never changed, never removed.

    The columns of the outcome hold what counts: the engine's finding, or what a ruling decided in its place.
    """

    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="revisions", db_index=False)
    """The first column of a constraint below, whose index serves both."""
    number = models.PositiveIntegerField()
    """Counts the deal's revisions from 1; each was made on the one before it."""
    kind = models.CharField(max_length=12, choices=RevisionKind)
    operation = models.ForeignKey(
        Operation, on_delete=models.PROTECT, related_name="revisions", db_index=False
    )
    """Nothing is looked up by it, and no operation is ever removed."""
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
    made_by_name = models.CharField(max_length=80, blank=True)
    """Of a revision that an archive brought: who made it where it was made."""
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


class SideFigures(models.Model):
    """What one side did in a scoresheet, for statistics: derived from its deals with every write to it.

    The columns are those of ``domain.statistics.SideFigures``; ``figures`` writes them. A scoresheet of a club to which
    something was written has two rows, any other none. Who played and who may see it is the scoresheet's to say.
    """

    scoresheet = models.ForeignKey(
        Scoresheet, on_delete=models.CASCADE, related_name="figures", db_index=False
    )
    """The first column of the constraint below, whose index serves both."""
    side = models.CharField(max_length=2, choices=Side)
    played_first = models.DateField(null=True, blank=True)
    """The first day on which it may have been played, by the scoresheet; empty where not even the year is known."""
    played_last = models.DateField(null=True, blank=True)
    recorded_at = models.DateTimeField()
    """When it was last written to, at the latest: until some time after it, what was called may be held back."""
    deals = models.PositiveSmallIntegerField()
    deals_won = models.PositiveSmallIntegerField()
    called = models.PositiveSmallIntegerField()
    called_won = models.PositiveSmallIntegerField()
    courts_for = models.PositiveIntegerField()
    courts_against = models.PositiveIntegerField()
    courts = models.PositiveSmallIntegerField()
    goon_courts = models.PositiveSmallIntegerField()
    bavneys = models.PositiveSmallIntegerField()
    full_runs = models.PositiveSmallIntegerField()
    revokes = models.PositiveSmallIntegerField()
    longest_run = models.PositiveSmallIntegerField()
    run_first = models.PositiveIntegerField()
    run_last = models.PositiveIntegerField()
    first_spades = models.PositiveSmallIntegerField()
    """Called by the player in the North or East seat, and won below."""
    first_hearts = models.PositiveSmallIntegerField()
    first_diamonds = models.PositiveSmallIntegerField()
    first_clubs = models.PositiveSmallIntegerField()
    first_spades_won = models.PositiveSmallIntegerField()
    first_hearts_won = models.PositiveSmallIntegerField()
    first_diamonds_won = models.PositiveSmallIntegerField()
    first_clubs_won = models.PositiveSmallIntegerField()
    second_spades = models.PositiveSmallIntegerField()
    """The same of South or West."""
    second_hearts = models.PositiveSmallIntegerField()
    second_diamonds = models.PositiveSmallIntegerField()
    second_clubs = models.PositiveSmallIntegerField()
    second_spades_won = models.PositiveSmallIntegerField()
    second_hearts_won = models.PositiveSmallIntegerField()
    second_diamonds_won = models.PositiveSmallIntegerField()
    second_clubs_won = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("figures of a side")
        verbose_name_plural = _("figures of sides")
        constraints = [
            models.UniqueConstraint(fields=["scoresheet", "side"], name="figures_once_for_a_side"),
        ]
        indexes = [
            models.Index(fields=["-longest_run"], name="figures_longest_run"),
            models.Index(fields=["-courts_for"], name="figures_courts_for"),
            models.Index(fields=["played_first"], name="figures_played_first"),
        ]

    def __str__(self) -> str:
        return f"figures of {self.side} in scoresheet {self.scoresheet_id}"
