"""Everything that reads users and clubs. What is returned is loaded and cannot query again."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from django.db.models import BigIntegerField, Q
from django.utils.translation import gettext as _

from courtpiece.accounts.above import names_above
from courtpiece.accounts.models import ApiToken, AuditEntry, Club, Membership, Role, User
from courtpiece.accounts.parts import Asked, PartOf, read_part
from courtpiece.accounts.permissions import Action, Actor, Scope, may, require, require_user
from courtpiece.accounts.prepared import Prepared
from courtpiece.errors import CourtPieceError


class NotFound(CourtPieceError):  # noqa: N818 - see Forbidden
    """There is no such thing."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or _("There is nothing here, or you may not see it."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLine:
    """A club as it stands in a list."""

    id: int
    slug: str
    name: str
    timezone: str
    city: str
    country: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubFilter:
    """Which clubs are wanted; what is None does not matter."""

    country: str | None = None
    search: str | None = None
    """A part of the name or the city."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    """A club, and what whoever reads it may do there."""

    club: ClubLine
    role: Role | None
    """The reader's own."""
    may_view_members: bool
    may_manage_club: bool
    may_manage_tournaments: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnClub:
    """A club of the reader's, with the reader's role there."""

    slug: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPage:
    """The reader's own account."""

    email: str
    display_name: str
    language: str
    clubs: tuple[OwnClub, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberLine:
    """A member of a club."""

    user_id: int
    name: str
    email: str
    role: Role
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersPage:
    """A club's members, owners first, then by name."""

    club: ClubLine
    members: tuple[MemberLine, ...]
    may_manage_club: bool
    reader_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLine:
    """An API token, without what is secret."""

    id: int
    name: str
    prefix: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """Something that was done in a club."""

    made_at: datetime
    who: str
    """Empty where the server did it."""
    via: str
    address: str | None
    what: str
    whom: str
    """The member it was done to, empty for other things."""
    details: tuple[tuple[str, str], ...]
    """Each with what it is; players and partnerships by the names that everybody sees now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """What was last done in a club, the newest first."""

    club: ClubLine
    lines: tuple[AuditLine, ...]


CLUB_ORDERS: Final = {"name": ("name", "pk"), "city": ("city", "name", "pk"), "created": ("pk",)}


def club_by_slug(slug: str, *, actor: Actor) -> ClubLine:
    """Return the club at that address. One query.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound
    require(actor, Action.VIEW_CLUB, club_id=club.pk)
    return club_line(club)


def club_mark(club: ClubLine) -> str:
    """Return what is another whenever the club says something else of itself."""
    return sha256(repr(club).encode()).hexdigest()[:32]


def managed_club(slug: str, *, actor: Actor) -> ClubLine:
    """Return the club at that address, for who wants to change it. One query.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor does not manage it.
    """
    club = club_by_slug(slug, actor=actor)
    require(actor, Action.MANAGE_CLUB, club_id=club.id)
    return club


def club_page(slug: str, *, actor: Actor) -> ClubPage:
    """Return the club at that address, and what the actor may do there. One query.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    club = club_by_slug(slug, actor=actor)
    return ClubPage(
        club=club,
        role=actor.role_in(club.id),
        may_view_members=may(actor, Action.VIEW_MEMBERS, club_id=club.id),
        may_manage_club=may(actor, Action.MANAGE_CLUB, club_id=club.id),
        may_manage_tournaments=may(actor, Action.MANAGE_TOURNAMENT, club_id=club.id),
    )


def visible_clubs(*, actor: Actor) -> tuple[ClubLine, ...]:
    """Return the clubs that the actor may see, by name. One query."""
    clubs = Club.objects.order_by("name", "slug")
    return tuple(club_line(club) for club in clubs if may(actor, Action.VIEW_CLUB, club_id=club.pk))


def list_clubs(*, actor: Actor, wanted: ClubFilter, asked: Asked) -> PartOf[ClubLine]:
    """Return a part of the clubs that the actor may see, by name. One query.

    :raises BadCursor: if the cursor is none of this list.
    """
    require(actor, Action.VIEW_CLUB)
    clubs = Club.objects.all()
    if wanted.country is not None:
        clubs = clubs.filter(country__iexact=wanted.country)
    if wanted.search is not None:
        clubs = clubs.filter(Q(name__icontains=wanted.search) | Q(city__icontains=wanted.search))
    return read_part(
        clubs, ("name", "pk"), lambda rows: list(map(club_line, rows)), asked=asked, orders=CLUB_ORDERS
    )


def clubs_by_id(club_ids: Collection[int]) -> dict[int, ClubLine]:
    """Return those clubs by id, for who has already decided that they may be seen. One query."""
    return {club.pk: club_line(club) for club in _CLUBS.models(list(club_ids))}


_CLUBS: Final = Prepared(lambda ids: Club.objects.filter(pk__in=ids), BigIntegerField())


def display_names(user_ids: Collection[int]) -> dict[int, str]:
    """Return the names shown of those users by id. One query."""
    return dict(User.objects.filter(pk__in=user_ids).values_list("pk", "display_name"))


def users_who_may(action: Action, *, user_ids: Collection[int], club_id: int) -> frozenset[int]:
    """Return those of the users who may do ``action`` in the club by their role there, or everywhere. Two queries."""
    rows = Membership.objects.filter(user__in=user_ids, club=club_id).values_list("user_id", "role")
    able = {
        user_id
        for user_id, role in rows
        if may(Actor(user_id=user_id, roles={club_id: Role(role)}), action, club_id=club_id)
    }
    admins = User.objects.filter(pk__in=user_ids, is_superuser=True).values_list("pk", flat=True)
    return frozenset(able | set(admins))


def account_page(*, actor: Actor) -> AccountPage:
    """Return the actor's own account, its clubs by name. Two queries.

    :raises Forbidden: if the actor is no user, or comes with a token.
    """
    user = User.objects.get(pk=require_user(actor))
    memberships = Membership.objects.filter(user=user).select_related("club").order_by("club__name")
    return AccountPage(
        email=user.email,
        display_name=user.display_name,
        language=user.language,
        clubs=tuple(
            OwnClub(slug=membership.club.slug, name=membership.club.name, role=Role(membership.role))
            for membership in memberships
        ),
    )


def members_page(slug: str, *, actor: Actor) -> MembersPage:
    """Return the members of the club at that address. Two queries.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see who its members are.
    """
    club = club_by_slug(slug, actor=actor)
    require(actor, Action.VIEW_MEMBERS, club_id=club.id)
    memberships = Membership.objects.filter(club_id=club.id).select_related("user")
    ranks = {role: -rank for rank, role in enumerate(Role)}
    members = sorted(
        map(_member_line, memberships), key=lambda line: (ranks[line.role], line.name, line.email)
    )
    return MembersPage(
        club=club,
        members=tuple(members),
        may_manage_club=may(actor, Action.MANAGE_CLUB, club_id=club.id),
        reader_id=actor.user_id,
    )


def tokens_page(*, actor: Actor) -> tuple[TokenLine, ...]:
    """Return the actor's own API tokens, the newest first, revoked ones too. One query.

    :raises Forbidden: if the actor is no user, or comes with a token.
    """
    tokens = ApiToken.objects.filter(user_id=require_user(actor)).order_by("-created_at", "-pk")
    return tuple(
        TokenLine(
            id=token.pk,
            name=token.name,
            prefix=token.prefix,
            scopes=tuple(map(Scope, token.scopes)),
            created_at=token.created_at,
            last_used_at=token.last_used_at,
            revoked_at=token.revoked_at,
        )
        for token in tokens
    )


def audit_page(slug: str, *, actor: Actor, limit: int = 200) -> AuditPage:
    """Return what was last done in the club at that address, the newest first. Five queries at most.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor does not manage it.
    """
    club = managed_club(slug, actor=actor)
    entries = AuditEntry.objects.filter(club_id=club.id).select_related("user").order_by("-made_at", "-pk")
    shown = list(entries[:limit])
    users = display_names({entry.detail["user"] for entry in shown if "user" in entry.detail})
    people = names_above(text for entry in shown for value in entry.detail.values() for text in _texts(value))
    return AuditPage(club=club, lines=tuple(_audit_line(entry, users, people) for entry in shown))


def last_details(*, club_id: int, what: str, about: Mapping[str, str | int]) -> Mapping[str, Any] | None:
    """Return the details of what was last written down as ``what`` in the club about these; None: nothing. One query.

    For the apps above, which have looked whether the reader may see it.
    """
    conditions = {f"detail__{name}": value for name, value in about.items()}
    rows = AuditEntry.objects.filter(club=club_id, what=what, **conditions).order_by("-made_at", "-pk")
    found: Mapping[str, Any] | None = rows.values_list("detail", flat=True).first()
    return found


def club_line(club: Club) -> ClubLine:
    """Return what a list says of a club."""
    return ClubLine(
        id=club.pk,
        slug=club.slug,
        name=club.name,
        timezone=club.timezone,
        city=club.city,
        country=club.country,
    )


def _audit_line(entry: AuditEntry, users: Mapping[int, str], people: Mapping[str, str]) -> AuditLine:
    return AuditLine(
        made_at=entry.made_at,
        who=entry.user.display_name if entry.user else "",
        via=entry.via,
        address=entry.address,
        what=entry.what,
        whom=users.get(entry.detail.get("user", 0), ""),
        details=tuple(
            (key, ", ".join(people.get(text, text) for text in _texts(value)))
            for key, value in entry.detail.items()
            if key != "user"
        ),
    )


def _texts(value: str | int | list[str] | None) -> list[str]:
    """Return what a detail says, each part of it that may be the id of somebody by itself."""
    return value if isinstance(value, list) else [str(value)]


def _member_line(membership: Membership) -> MemberLine:
    return MemberLine(
        user_id=membership.user_id,
        name=membership.user.display_name,
        email=membership.user.email,
        role=Role(membership.role),
        since=membership.created_at,
    )
