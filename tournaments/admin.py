"""The admin of tournaments: to look, not to change.

What changes a tournament takes its version up and has its standings computed; that is done by the operations,
on the tournament's own pages.
"""

from django.contrib import admin

from courtpiece.accounts.admin import ReadOnlyAdmin
from tournaments.models import (
    Bye,
    Confirmation,
    EnteredRevision,
    Entry,
    Match,
    PastRegulations,
    Round,
    Session,
    Standings,
    TableLink,
    Tournament,
)


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments."""

    list_display = ("name", "slug", "club", "format", "rules", "status", "visibility", "created_at")
    list_filter = ("format", "status", "visibility")
    list_select_related = ("club",)
    search_fields = ("name", "slug")
    ordering = ("-created_at", "-pk")


@admin.register(PastRegulations)
class PastRegulationsAdmin(ReadOnlyAdmin):
    """Regulations that were replaced: append-only."""

    list_display = ("tournament", "version", "rules", "ranking", "reason", "changed_by", "changed_at")
    list_select_related = ("tournament", "changed_by")
    ordering = ("-changed_at", "-pk")


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    """Sessions."""

    list_display = ("tournament", "number", "place", "starts_at", "minutes")
    list_select_related = ("tournament",)
    ordering = ("tournament", "number")


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    """Entries."""

    list_display = ("tournament", "number", "partnership", "state", "seed", "penalty")
    list_filter = ("state",)
    list_select_related = ("tournament", "partnership")
    ordering = ("tournament", "number")


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    """Rounds."""

    list_display = ("tournament", "number", "label", "session")
    list_select_related = ("tournament", "session")
    ordering = ("tournament", "number")


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Matches."""

    list_display = ("round", "table", "ns", "ew", "state", "scoresheet")
    list_filter = ("state",)
    list_select_related = ("round", "ns", "ew", "scoresheet")
    ordering = ("round", "table")


@admin.register(Bye)
class ByeAdmin(ReadOnlyAdmin):
    """Byes."""

    list_display = ("round", "entry")
    list_select_related = ("round", "entry")
    ordering = ("round", "entry")


@admin.register(Standings)
class StandingsAdmin(ReadOnlyAdmin):
    """Standings: derived, never entered."""

    list_display = ("tournament", "version", "computed_at")
    list_select_related = ("tournament",)
    ordering = ("-computed_at",)


@admin.register(EnteredRevision)
class EnteredRevisionAdmin(ReadOnlyAdmin):
    """By which device revisions were entered: append-only."""

    list_display = ("deal_uid", "revision", "holder", "device", "made_at")
    list_filter = ("holder",)
    ordering = ("-made_at", "-pk")


@admin.register(Confirmation)
class ConfirmationAdmin(ReadOnlyAdmin):
    """What was said of them: append-only."""

    list_display = ("entered", "verdict", "holder", "reason", "made_by", "made_at")
    list_filter = ("verdict",)
    list_select_related = ("entered", "made_by")
    ordering = ("-pk",)


@admin.register(TableLink)
class TableLinkAdmin(ReadOnlyAdmin):
    """Links of tables, without their secrets."""

    list_display = ("session", "table", "made_by", "made_at", "extended_at", "revoked_by", "revoked_at")
    list_select_related = ("session", "made_by", "revoked_by")
    ordering = ("-made_at", "-pk")
