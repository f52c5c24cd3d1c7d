"""The admin of users and clubs.

Members are changed on the club's own page, which keeps the last owner and writes the audit entry; here they
are only read. What is append-only is only read, and nothing is deleted.
"""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from courtpiece.accounts import operations
from courtpiece.accounts.models import ApiToken, AuditEntry, Club, Membership, User
from courtpiece.accounts.permissions import actor_of


class KeptAdmin(admin.ModelAdmin[Any]):
    """Rows that are never deleted."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: what was done is kept."""
        return False


class ReadOnlyAdmin(KeptAdmin):
    """Rows that are only read here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: an operation makes them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: an operation changes them, or nothing does."""
        return False


class NewUserForm(AdminUserCreationForm[User]):
    """A user whom an administrator makes."""

    class Meta:  # noqa: D106 - Django's
        model = User
        fields = ("email", "display_name")


@admin.register(User)
class UserAdmin(KeptAdmin, DjangoUserAdmin[User]):
    """Users: their rights and whether they may sign in."""

    add_form = NewUserForm
    list_display = ("email", "display_name", "is_active", "is_staff", "is_superuser", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "display_name")
    ordering = ("email",)
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "password", "display_name", "language")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Times"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "display_name", "usable_password", "password1", "password2")}),
    )


@admin.register(Club)
class ClubAdmin(KeptAdmin):
    """Clubs; their addresses stay."""

    list_display = ("name", "slug", "city", "country", "timezone", "created_at")
    search_fields = ("name", "slug", "city", "country")
    ordering = ("name",)
    readonly_fields = ("slug", "timezone", "created_by", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: the page for it makes the owner too."""
        return False


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """Who is what in which club."""

    list_display = ("club", "user", "role", "created_at")
    list_filter = ("role",)
    search_fields = ("club__name", "club__slug", "user__email", "user__display_name")
    list_select_related = ("club", "user")
    ordering = ("club__name", "user__display_name")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """API tokens; they can be revoked."""

    list_display = ("prefix", "user", "name", "scopes", "created_at", "last_used_at", "revoked_at")
    search_fields = ("prefix", "name", "user__email")
    list_select_related = ("user",)
    ordering = ("-created_at",)
    exclude = ("token_hash",)
    actions = ("revoke",)

    @admin.action(description=_("Revoke the chosen tokens"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        """Revoke tokens that may have come into wrong hands."""
        actor, at = actor_of(request), timezone.now()
        for token_id in queryset.values_list("pk", flat=True):
            operations.revoke_token(actor=actor, token_id=token_id, at=at)
        count = queryset.count()
        messages.success(
            request, ngettext("%(n)d token revoked.", "%(n)d tokens revoked.", count) % {"n": count}
        )


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """What was done, by whom, when and from where."""

    list_display = ("made_at", "what", "user", "club", "via", "address")
    list_filter = ("what", "via")
    search_fields = ("user__email", "club__slug", "address")
    list_select_related = ("user", "club")
    ordering = ("-made_at", "-pk")
