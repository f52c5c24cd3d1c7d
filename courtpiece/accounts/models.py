"""The tables of users and clubs.

People and clubs are never deleted, because what they did is kept: every foreign key to them protects them.
An account that is closed is emptied and made inactive instead.
"""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.append_only import AppendOnlyQuerySet


class Role(models.TextChoices):
    """What a member is to a club, from the least to the most."""

    PLAYER = "player", _("player")
    SCORER = "scorer", _("scorer")
    DIRECTOR = "director", _("director")
    OWNER = "owner", _("owner")


class UserManager(BaseUserManager["User"]):
    """Makes users who sign in with their e-mail address, whatever its case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Save a user. Without a password nobody can sign in with one.

        :raises ValueError: if ``email`` is empty.
        """
        if not email:
            raise ValueError("a user has an e-mail address")
        fields.setdefault("display_name", email.partition("@")[0])
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Save a user who may do everything and sees the admin."""
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user with that e-mail address, whatever its case."""
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account."""

    email = models.EmailField(_("e-mail address"), unique=True)
    """In lower case."""
    display_name = models.CharField(_("name shown to others"), max_length=80)
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    """A code of ``settings.LANGUAGES``; empty follows the browser."""
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    is_active = models.BooleanField(_("may sign in"), default=True)
    date_joined = models.DateTimeField(_("since"), auto_now_add=True)

    objects = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.CheckConstraint(
                name="user_email_in_lower_case",
                condition=models.Q(email=Lower(models.F("email"))),
                violation_error_message=_("Write the e-mail address in small letters."),
            ),
            models.CheckConstraint(name="user_has_display_name", condition=~models.Q(display_name="")),
        ]

    def __str__(self) -> str:
        return f"{self.display_name} <{self.email}>"

    def get_full_name(self) -> str:
        """Return the name shown to others."""
        return self.display_name

    def get_short_name(self) -> str:
        """Return the name shown to others."""
        return self.display_name


class Club(models.Model):
    """Who organises: a club has members with roles, and tournaments."""

    slug = models.SlugField(_("address"), max_length=50, unique=True)
    name = models.CharField(_("name"), max_length=80)
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    """A name of the IANA database, as in ``Asia/Karachi``."""
    city = models.CharField(_("city"), max_length=80, blank=True, default="")
    country = models.CharField(_("country"), max_length=80, blank=True, default="")
    created_by = models.ForeignKey(
        User, models.PROTECT, verbose_name=_("made by"), related_name="+", null=True, blank=True
    )
    """Nobody, where a command of the server made the club."""
    created_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        constraints = [models.CheckConstraint(name="club_has_name", condition=~models.Q(name=""))]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"


class Membership(models.Model):
    """A user's role in a club; one role a club."""

    club = models.ForeignKey(Club, models.PROTECT, verbose_name=_("club"), related_name="memberships")
    user = models.ForeignKey(User, models.PROTECT, verbose_name=_("user"), related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    created_at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(name="membership_once_a_club", fields=["club", "user"]),
            models.CheckConstraint(name="membership_role_known", condition=models.Q(role__in=Role.values)),
        ]

    def __str__(self) -> str:
        return f"membership {self.pk}: {self.role} {self.user_id} of club {self.club_id}"


class ApiToken(models.Model):
    """A program's key to a user's rights, narrowed to scopes. The key itself is not kept."""

    user = models.ForeignKey(User, models.PROTECT, verbose_name=_("user"), related_name="api_tokens")
    name = models.CharField(_("name"), max_length=80)
    prefix = models.CharField(_("begins with"), max_length=16, unique=True)
    """The open part of the key: it finds the row and lets its owner recognise it."""
    token_hash = models.CharField(_("hash"), max_length=64)
    """SHA-256 of the whole key, in hexadecimal digits."""
    scopes = models.JSONField(_("scopes"), default=list)
    """A list of ``permissions.Scope`` values, in their order."""
    created_at = models.DateTimeField(_("made at"))
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True)
    """To the minute."""
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return f"{self.prefix}…"


class AuditEntry(models.Model):
    """Something that was done: who, when, from where, what. Written once, never changed."""

    made_at = models.DateTimeField(_("when"))
    user = models.ForeignKey(
        User, models.PROTECT, verbose_name=_("who"), related_name="+", null=True, blank=True
    )
    """Nobody, where a command of the server did it."""
    token = models.ForeignKey(
        ApiToken, models.PROTECT, verbose_name=_("with the token"), related_name="+", null=True, blank=True
    )
    via = models.CharField(_("by way of"), max_length=10)
    """A value of ``permissions.Via``."""
    address = models.GenericIPAddressField(_("from"), null=True, blank=True)
    club = models.ForeignKey(
        Club, models.PROTECT, verbose_name=_("club"), related_name="+", null=True, blank=True
    )
    what = models.CharField(_("what"), max_length=40)
    """A value of ``auditing.Event``, or such a word of the apps above."""
    detail = models.JSONField(_("details"), default=dict, blank=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        indexes = [
            models.Index(fields=["club", "-made_at"], name="audit_by_club"),
            models.Index(fields=["user", "-made_at"], name="audit_by_user"),
        ]

    def __str__(self) -> str:
        return f"audit entry {self.pk}: {self.what}"
