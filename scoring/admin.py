"""The admin of scoring: to look at. Operations change what was recorded, by the pages and the API."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from scoring.models import (
    Collection,
    Deal,
    Operation,
    Partnership,
    Player,
    Revision,
    Ruling,
    Scoresheet,
)


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that are only looked at here: an operation makes them, and nothing deletes them."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: an operation makes them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: an operation changes them, or nothing does."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: what was played is kept."""
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    """Players of the clubs."""

    list_display = ("name", "club", "user", "created_at", "anonymised_at")
    list_filter = ("club",)
    list_select_related = ("club", "user")
    search_fields = ("name", "search_key", "=uid")
    ordering = ("name", "pk")


@admin.register(Partnership)
class PartnershipAdmin(ReadOnlyAdmin):
    """Two players each."""

    list_display = ("first", "second", "club", "created_at")
    list_filter = ("club",)
    list_select_related = ("club", "first", "second")
    search_fields = ("first__name", "second__name", "=uid")
    ordering = ("-pk",)


@admin.register(Collection)
class CollectionAdmin(ReadOnlyAdmin):
    """What scoresheets are counted together in."""

    list_display = ("name", "club", "version", "visibility", "path")
    list_filter = ("club", "visibility")
    list_select_related = ("club",)
    search_fields = ("name", "path")
    ordering = ("-pk",)


@admin.register(Scoresheet)
class ScoresheetAdmin(ReadOnlyAdmin):
    """Matches, with the totals of their deals."""

    list_display = (
        "uid",
        "event",
        "date",
        "round",
        "table",
        "ns",
        "ew",
        "courts_ns",
        "courts_ew",
        "deals_count",
    )
    list_filter = ("club", "visibility")
    list_select_related = ("ns", "ew")
    search_fields = ("=uid", "event", "source")
    ordering = ("-pk",)
    date_hierarchy = "created_at"


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    """Deals at their current revisions."""

    list_display = (
        "uid",
        "number",
        "scoresheet",
        "kind",
        "revision",
        "winner",
        "award",
        "level",
        "is_ruled",
        "counts",
    )
    list_filter = ("kind", "award", "level", "is_ruled")
    list_select_related = ("scoresheet",)
    search_fields = ("=uid", "=scoresheet__uid")
    ordering = ("-pk",)


class RulingInline(admin.StackedInline[Ruling, Revision]):
    """The ruling of a revision."""

    model = Ruling
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: an operation makes it."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: nothing changes it."""
        return False


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    """All that was ever written of a deal."""

    list_display = ("deal", "number", "kind", "winner", "award", "made_by", "made_via", "made_at")
    list_filter = ("kind", "made_via", "award")
    list_select_related = ("deal", "made_by")
    search_fields = ("=deal__uid", "reason", "source")
    ordering = ("-pk",)
    date_hierarchy = "made_at"
    inlines = (RulingInline,)


@admin.register(Ruling)
class RulingAdmin(ReadOnlyAdmin):
    """Directors' decisions."""

    list_display = ("revision", "law", "reason", "decided_by")
    list_select_related = ("revision", "decided_by")
    search_fields = ("reason", "law")
    ordering = ("-pk",)


@admin.register(Operation)
class OperationAdmin(ReadOnlyAdmin):
    """Writes by the ids that their clients gave them."""

    list_display = ("id", "kind", "scoresheet", "made_at")
    list_filter = ("kind",)
    list_select_related = ("scoresheet",)
    search_fields = ("=id", "=scoresheet__uid")
    ordering = ("-made_at",)
    date_hierarchy = "made_at"
