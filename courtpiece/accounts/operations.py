"""Everything that changes users and clubs. Each call is one transaction and leaves an audit entry."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import ClassVar, Final
from uuid import UUID
from zoneinfo import available_timezones

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from courtpiece.accounts import tokens
from courtpiece.accounts.auditing import Detail, Event, write_entry
from courtpiece.accounts.models import ApiToken, AuditEntry, Club, Membership, Role, User
from courtpiece.accounts.names import BadDisplayName, clean_name, clean_text
from courtpiece.accounts.permissions import Action, Actor, Scope, TokenGrant, require, require_user
from courtpiece.accounts.queries import NotFound, club_line, club_mark
from courtpiece.accounts.refusals import Conflict, OperationReused, Outdated, Refused
from courtpiece.errors import CourtPieceError

_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SLUG_LENGTH: Final = 50
LARGEST_ID: Final = 2**63 - 1
_LAST_USE_IS_KEPT_TO: Final = timedelta(minutes=1)


class BadEmail(Refused):
    """The text is no e-mail address."""

    field: ClassVar[str] = "email"


class EmailTaken(Conflict):
    """Another account has that e-mail address."""

    field: ClassVar[str] = "email"


class WeakPassword(Refused):
    """The password is too easy to guess."""

    field: ClassVar[str] = "password"


class UnknownLanguage(Refused):
    """The site has no such language."""

    field: ClassVar[str] = "language"


class BadSlug(Refused):
    """The text cannot be a club's address."""

    field: ClassVar[str] = "slug"


class SlugTaken(Conflict):
    """Another club has that address."""

    field: ClassVar[str] = "slug"


class UnknownTimezone(Refused):
    """There is no such time zone."""

    field: ClassVar[str] = "timezone"


class UnknownRole(Refused):
    """There is no such role."""

    field: ClassVar[str] = "role"


class UnknownUser(Refused):
    """Nobody has an account with that e-mail address."""

    field: ClassVar[str] = "email"


class AlreadyMember(Conflict):
    """The user has a role in the club."""

    field: ClassVar[str] = "email"


class LastOwner(Conflict):
    """The club would be left without an owner."""

    field: ClassVar[str] = "role"


class BadScopes(Refused):
    """There is no such scope, or none was given."""

    field: ClassVar[str] = "scopes"


class TokenRefused(CourtPieceError):  # noqa: N818 - see Forbidden
    """The API token is unknown, revoked, or its user may not sign in; which of them is not told."""

    def __init__(self) -> None:
        super().__init__(_("The API token is unknown or was revoked."))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """An API token that was just made: the one time that its text is there."""

    id: int
    text: str


@transaction.atomic(durable=True)
def create_account(
    *, actor: Actor, email: str, password: str, display_name: str, at: datetime, is_site_admin: bool = False
) -> int:
    """Make a user for somebody else, the e-mail address taken as proven. Return the user's id.

    :raises Forbidden: if the actor does not run the site.
    :raises BadEmail: if ``email`` is none.
    :raises EmailTaken: if there is an account with it.
    :raises WeakPassword: if the site's rules for passwords do not take it.
    :raises BadDisplayName: if the name is empty or too long.
    """
    require(actor, Action.MANAGE_SITE)
    address = _clean_email(email)
    user = User(
        email=address,
        display_name=clean_name(display_name, error=BadDisplayName),
        is_staff=is_site_admin,
        is_superuser=is_site_admin,
    )
    _check_password(password, user)
    user.set_password(password)
    _save_new_user(user)
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    write_entry(actor=actor, what=Event.ACCOUNT_CREATED, at=at, detail={"user": user.pk})
    return user.pk


def record_sign_up(*, actor: Actor, at: datetime) -> None:
    """Write down that the actor made an account, in the caller's transaction."""
    write_entry(actor=actor, what=Event.ACCOUNT_CREATED, at=at, detail={"user": actor.user_id})


def record_sign_in(*, actor: Actor, at: datetime) -> None:
    """Write down that the actor signed in, in the caller's transaction."""
    write_entry(actor=actor, what=Event.SIGNED_IN, at=at)


@transaction.atomic(durable=True)
def change_account(*, actor: Actor, display_name: str, language: str, at: datetime) -> None:
    """Change the actor's own name and language; an empty language follows the browser.

    :raises Forbidden: if the actor is no user, or comes with a token.
    :raises BadDisplayName: if the name is empty or too long.
    :raises UnknownLanguage: if the site does not have it.
    """
    user_id = require_user(actor)
    if language and language not in dict(settings.LANGUAGES):
        raise UnknownLanguage(_("The site has no such language."))
    name = clean_name(display_name, error=BadDisplayName)
    User.objects.filter(pk=user_id).update(display_name=name, language=language)
    write_entry(actor=actor, what=Event.ACCOUNT_CHANGED, at=at, detail={"language": language})


@transaction.atomic(durable=True)
def create_club(
    *,
    actor: Actor,
    name: str,
    slug: str,
    timezone: str,
    at: datetime,
    city: str = "",
    country: str = "",
    operation_id: UUID | None = None,
) -> int:
    """Make a club and return its id. A user who makes it owns it; the server's has no owner yet.

    The same ``operation_id`` again makes nothing, and gives the club that it made.

    :raises Forbidden: if the actor may not make clubs.
    :raises BadName: if the name is empty or too long.
    :raises BadSlug: if the address has anything but small letters, digits and single hyphens between them.
    :raises SlugTaken: if another club has the address.
    :raises UnknownTimezone: if there is no such time zone.
    :raises OperationReused: if the id came before with another club.
    """
    require(actor, Action.CREATE_CLUB)
    club = _new_club(actor, slug=slug, name=name, timezone=timezone, city=city, country=country, at=at)
    made_before = _club_made_by(actor, operation_id, club)
    if made_before is not None:
        return made_before
    try:
        return _make(club, actor, at, operation_id)
    except SlugTaken:
        # Of two requests with the same id the second waited for the first.
        made_meanwhile = _club_made_by(actor, operation_id, club)
        if made_meanwhile is None:
            raise
        return made_meanwhile


def _club_made_by(actor: Actor, operation_id: UUID | None, club: Club) -> int | None:
    """Return the id of the club that the actor's operation made as this one, None where it made none. One query."""
    if operation_id is None or actor.user_id is None:
        return None
    entries = AuditEntry.objects.filter(
        user=actor.user_id, what=Event.CLUB_CREATED, detail__operation=str(operation_id)
    )
    made = entries.values_list("club_id", "club__slug", "detail").first()
    if made is None:
        return None
    made_id, slug, detail = made
    if (slug, detail) != (club.slug, _detail_of(club, operation_id)):
        raise OperationReused(_("This operation's id came before, with another club."))
    return int(made_id)


def _detail_of(club: Club, operation_id: UUID | None) -> dict[str, str]:
    """Return what is written down of a new club; of an operation all that was asked, by which it is known again."""
    if operation_id is None:
        return {"name": club.name}
    said = {name: getattr(club, name) for name in ("name", "timezone", "city", "country")}
    return {**said, "operation": str(operation_id)}


def make_club(
    *, actor: Actor, name: str, slug: str, timezone: str, at: datetime, city: str = "", country: str = ""
) -> int:
    """Make a club in the caller's transaction and return its id. Raises what :func:`create_club` does."""
    require(actor, Action.CREATE_CLUB)
    club = _new_club(actor, slug=slug, name=name, timezone=timezone, city=city, country=country, at=at)
    return _make(club, actor, at, None)


def _new_club(
    actor: Actor, *, slug: str, name: str, timezone: str, city: str, country: str, at: datetime
) -> Club:
    club = Club(slug=_clean_slug(slug), created_by_id=actor.user_id, created_at=at)
    _fill_club(club, name=name, timezone=timezone, city=city, country=country)
    return club


def _make(club: Club, actor: Actor, at: datetime, operation_id: UUID | None) -> int:
    _save_new_club(club)
    if actor.user_id is not None:
        Membership.objects.create(club=club, user_id=actor.user_id, role=Role.OWNER, created_at=at)
    detail = _detail_of(club, operation_id)
    write_entry(actor=actor, what=Event.CLUB_CREATED, at=at, club_id=club.pk, detail={**detail})
    return club.pk


@transaction.atomic(durable=True)
def change_club(
    *,
    actor: Actor,
    club_id: int,
    name: str | None = None,
    timezone: str | None = None,
    at: datetime,
    city: str | None = "",
    country: str | None = "",
    made_on: str | None = None,
) -> None:
    """Change what a club says of itself; what is None stays. Its address stays, because others link to it.

    ``made_on`` is the :func:`club_mark <courtpiece.accounts.queries.club_mark>` of the club that was looked at; None:
    whatever it is.

    :raises Forbidden: if the actor does not manage the club.
    :raises BadName: if the name is empty or too long.
    :raises UnknownTimezone: if there is no such time zone.
    :raises Outdated: if somebody changed the club since it was looked at.
    """
    require(actor, Action.MANAGE_CLUB, club_id=club_id)
    club = _locked_club(club_id)
    if made_on is not None and made_on != club_mark(club_line(club)):
        raise Outdated(_("Somebody else changed the club meanwhile. Read it again, and look at it first."))
    _fill_club(
        club,
        name=club.name if name is None else name,
        timezone=club.timezone if timezone is None else timezone,
        city=club.city if city is None else city,
        country=club.country if country is None else country,
    )
    club.save(update_fields=["name", "timezone", "city", "country"])
    write_entry(actor=actor, what=Event.CLUB_CHANGED, at=at, club_id=club_id, detail={"name": club.name})


@transaction.atomic(durable=True)
def add_member(*, actor: Actor, club_id: int, email: str, role: str, at: datetime) -> None:
    """Give the user with that e-mail address a role in the club.

    :raises Forbidden: if the actor does not manage the club.
    :raises UnknownRole: if there is no such role.
    :raises BadEmail: if ``email`` is none.
    :raises UnknownUser: if nobody has an account with it.
    :raises AlreadyMember: if the user has a role there already.
    """
    require(actor, Action.MANAGE_CLUB, club_id=club_id)
    new_role = _clean_role(role)
    user = User.objects.filter(email=_clean_email(email), is_active=True).first()
    if user is None:
        raise UnknownUser(_("Nobody has an account with this e-mail address. Ask them to sign up first."))
    club = _locked_club(club_id)
    if Membership.objects.filter(club=club, user=user).exists():
        raise AlreadyMember(_("%(name)s is a member already.") % {"name": user.display_name})
    Membership.objects.create(club=club, user=user, role=new_role, created_at=at)
    detail: Detail = {"user": user.pk, "role": new_role.value}
    write_entry(actor=actor, what=Event.MEMBER_ADDED, at=at, club_id=club_id, detail=detail)


@transaction.atomic(durable=True)
def change_role(*, actor: Actor, club_id: int, user_id: int, role: str, at: datetime) -> None:
    """Give a member another role.

    :raises Forbidden: if the actor does not manage the club.
    :raises UnknownRole: if there is no such role.
    :raises NotFound: if the user is no member.
    :raises LastOwner: if the club would be left without an owner.
    """
    require(actor, Action.MANAGE_CLUB, club_id=club_id)
    new_role = _clean_role(role)
    membership = _locked_membership(club_id, user_id)
    if new_role is not Role.OWNER:
        _check_owner_remains(membership)
    detail: Detail = {"user": user_id, "from": membership.role, "to": new_role.value}
    membership.role = new_role
    membership.save(update_fields=["role"])
    write_entry(actor=actor, what=Event.ROLE_CHANGED, at=at, club_id=club_id, detail=detail)


@transaction.atomic(durable=True)
def remove_member(*, actor: Actor, club_id: int, user_id: int, at: datetime) -> None:
    """Take a member's role away. Everyone may leave by themselves; the last owner cannot.

    :raises Forbidden: if the actor neither manages the club nor is the member.
    :raises NotFound: if the user is no member.
    :raises LastOwner: if the club would be left without an owner.
    """
    if user_id == actor.user_id:
        require(actor, Action.USE_ACCOUNT)
    else:
        require(actor, Action.MANAGE_CLUB, club_id=club_id)
    membership = _locked_membership(club_id, user_id)
    _check_owner_remains(membership)
    detail: Detail = {"user": user_id, "role": membership.role}
    membership.delete()
    write_entry(actor=actor, what=Event.MEMBER_REMOVED, at=at, club_id=club_id, detail=detail)


@transaction.atomic(durable=True)
def create_token(*, actor: Actor, name: str, scopes: Collection[str], at: datetime) -> NewToken:
    """Make an API token with the actor's rights, narrowed to ``scopes``.

    :raises Forbidden: if the actor is no user, or comes with a token.
    :raises BadName: if the name is empty or too long.
    :raises BadScopes: if there are none, or one is not known.
    """
    user_id = require_user(actor)
    text = tokens.new_token()
    token = ApiToken.objects.create(
        user_id=user_id,
        name=clean_name(name),
        prefix=tokens.prefix_of(text),
        token_hash=tokens.hash_of(text),
        scopes=_clean_scopes(scopes),
        created_at=at,
    )
    detail = {"token": token.pk, "scopes": token.scopes}
    write_entry(actor=actor, what=Event.TOKEN_CREATED, at=at, detail=detail)
    return NewToken(id=token.pk, text=text)


@transaction.atomic(durable=True)
def revoke_token(*, actor: Actor, token_id: int, at: datetime) -> None:
    """Revoke an API token for good; again changes nothing. A site administrator may revoke anybody's.

    :raises Forbidden: if the actor is no user, or comes with a token.
    :raises NotFound: if the token does not exist or is another's.
    """
    user_id = require_user(actor)
    token = ApiToken.objects.select_for_update().filter(pk=token_id).first()
    if token is None or (token.user_id != user_id and not actor.is_site_admin):
        raise NotFound
    if token.revoked_at is not None:
        return
    token.revoked_at = at
    token.save(update_fields=["revoked_at"])
    write_entry(actor=actor, what=Event.TOKEN_REVOKED, at=at, detail={"token": token_id})


def use_token(text: str, *, at: datetime) -> tuple[User, TokenGrant]:
    """Return whose token this is and what it stands for, and note its use. One query, once a minute two.

    :raises TokenRefused: if it is unknown or revoked, or its user may not sign in.
    """
    token = ApiToken.objects.select_related("user").filter(prefix=tokens.prefix_of(text)).first()
    if token is None or not tokens.is_same(text, token.token_hash):
        raise TokenRefused
    if token.revoked_at is not None or not token.user.is_active:
        raise TokenRefused
    if token.last_used_at is None or at - token.last_used_at >= _LAST_USE_IS_KEPT_TO:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=at)
    return token.user, TokenGrant(token_id=token.pk, scopes=frozenset(map(Scope, token.scopes)))


@cache
def known_timezones() -> tuple[str, ...]:
    """Return the names of the time zones there are, in the order of the alphabet."""
    return tuple(sorted(available_timezones()))


def _clean_email(email: str) -> str:
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise BadEmail(_("Enter an e-mail address, as in name@example.org.")) from error
    return address


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise WeakPassword(" ".join(error.messages)) from error


def _save_new_user(user: User) -> None:
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise EmailTaken(_("There is an account with this e-mail address.")) from error


def _clean_slug(slug: str) -> str:
    if len(slug) > _SLUG_LENGTH or not _SLUG.fullmatch(slug):
        message = _(
            "Use small letters a to z, digits and single hyphens between, at most %(limit)d characters."
        )
        raise BadSlug(message % {"limit": _SLUG_LENGTH})
    return slug


def _fill_club(club: Club, *, name: str, timezone: str, city: str, country: str) -> None:
    if timezone not in known_timezones():
        raise UnknownTimezone(_("There is no such time zone. Write it as in Asia/Karachi."))
    club.name = clean_name(name)
    club.timezone = timezone
    club.city = clean_text(city)[:80]
    club.country = clean_text(country)[:80]


def _save_new_club(club: Club) -> None:
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        raise SlugTaken(_("Another club has this address. Choose another.")) from error


def _locked_club(club_id: int) -> Club:
    """Return the club, so that of two changes of its members the second sees the first."""
    club = Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()
    if club is None:
        raise NotFound
    return club


def _locked_membership(club_id: int, user_id: int) -> Membership:
    if user_id > LARGEST_ID:
        raise NotFound
    membership = Membership.objects.filter(club=_locked_club(club_id), user_id=user_id).first()
    if membership is None:
        raise NotFound
    return membership


def _check_owner_remains(leaving: Membership) -> None:
    owners = Membership.objects.filter(club_id=leaving.club_id, role=Role.OWNER)
    if leaving.role == Role.OWNER and not owners.exclude(pk=leaving.pk).exists():
        raise LastOwner(_("A club needs an owner. Make somebody else an owner first."))


def _clean_role(role: str) -> Role:
    try:
        return Role(role)
    except ValueError as error:
        raise UnknownRole(_("There is no such role.")) from error


def _clean_scopes(scopes: Collection[str]) -> list[str]:
    known = [scope.value for scope in Scope if scope in scopes]
    if not known or set(scopes) - set(known):
        raise BadScopes(_("Choose at least one of the scopes."))
    return known
