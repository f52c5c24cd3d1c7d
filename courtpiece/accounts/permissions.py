"""Who may do what: the one module that decides, for pages, the API and sockets alike.

Nothing is allowed unless a line of the tables below allows it. A right comes from what everybody may do, from
a role in the club, or from having entered the tournament; a site administrator has every right. A token's
scopes narrow the rights of its user: without an action's scope it may do only what everybody may. A table link is
nobody's: beyond what everybody may it sees and records the deals of the scoresheets that it reaches, and no others.
A game that somebody recorded at home is its owner's alone until a club takes it; its link lets whoever has it read it.

What is forbidden looks like what does not exist, so an entry point answers ``Forbidden`` as it answers an
unknown address. The one exception is a token that lacks only a scope: its user may know what is there, so
``Forbidden.needs_scope`` names it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from ipaddress import ip_address
from types import MappingProxyType
from typing import Any, Final

from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from courtpiece.accounts.models import Membership, Role
from courtpiece.errors import CourtPieceError


class Scope(models.TextChoices):
    """What a token was made for."""

    READ = "read", gettext_lazy("read what I may see")
    DEALS_WRITE = "deals:write", gettext_lazy("record, correct and rule deals")
    TOURNAMENTS_WRITE = "tournaments:write", gettext_lazy("make and run tournaments")
    CLUBS_WRITE = "clubs:write", gettext_lazy("manage clubs and their members")


class Visibility(models.TextChoices):
    """Who sees a tournament and what belongs to it."""

    PUBLIC = "public", gettext_lazy("public")
    UNLISTED = "unlisted", gettext_lazy("unlisted: whoever has the address")
    PRIVATE = "private", gettext_lazy("private: its players, and the club's scorers, directors and owners")


class Via(models.TextChoices):
    """By what way somebody acts."""

    PAGE = "page", gettext_lazy("page")
    API = "api", gettext_lazy("API")
    SOCKET = "socket", gettext_lazy("socket")
    COMMAND = "command", gettext_lazy("command")
    TABLE = "table", gettext_lazy("table link")


class Action(Enum):
    """Something one may or may not do."""

    CREATE_CLUB = "create-club"
    VIEW_CLUB = "view-club"
    VIEW_MEMBERS = "view-members"
    """See who is a member, with addresses and roles."""
    MANAGE_CLUB = "manage-club"
    """Change the club, its members and their roles; see its audit entries."""
    LIST_TOURNAMENT = "list-tournament"
    """Find the tournament in a list, without having its address."""
    VIEW_TOURNAMENT = "view-tournament"
    """See a tournament, or a scoresheet, deal or standing of it."""
    VIEW_HELD_CARDS = "view-held-cards"
    """See the cards of deals while a tournament still keeps them from spectators."""
    ENTER_TOURNAMENT = "enter-tournament"
    """Ask to play in a tournament that takes entries from players."""
    MANAGE_TOURNAMENT = "manage-tournament"
    REOPEN_TOURNAMENT = "reopen-tournament"
    """Open a tournament again whose standings are final."""
    MANAGE_WEBHOOKS = "manage-webhooks"
    """Have what happens in the club's tournaments sent to an address; see what was sent."""
    RECORD_DEAL = "record-deal"
    UPLOAD = "upload"
    """Send an evening's files into a tournament that exists."""
    CORRECT_DEAL = "correct-deal"
    """Correct a deal or make it void."""
    RULE = "rule"
    RECORD_GAME = "record-game"
    """Keep a game that was played without a tournament, as one's own."""
    MANAGE_GAME = "manage-game"
    """Describe one's own game, share it by a link, offer it to a club, put it away."""
    TAKE_GAME = "take-game"
    """Take a game that was offered into the club, or decline it; see it before that."""
    CLAIM_PLAYER = "claim-player"
    """Ask a club's directors that a player of it be one's own."""
    MANAGE_OWN_PLAYER = "manage-own-player"
    """Hide one's own name or show it, ask that it be taken away for good or that another record be one's own too."""
    MANAGE_PEOPLE = "manage-people"
    """Answer what players ask, merge players who are one, hide and show their names."""
    VIEW_HIDDEN_NAMES = "view-hidden-names"
    """See the names of players who hide them."""
    USE_ACCOUNT = "use-account"
    """Change one's own account: name, language, tokens."""
    MANAGE_SITE = "manage-site"
    """Run the site: make accounts for others."""


_SCOPE_OF: Final[Mapping[Action, Scope | None]] = {
    Action.CREATE_CLUB: Scope.CLUBS_WRITE,
    Action.VIEW_CLUB: Scope.READ,
    Action.VIEW_MEMBERS: Scope.READ,
    Action.MANAGE_CLUB: Scope.CLUBS_WRITE,
    Action.LIST_TOURNAMENT: Scope.READ,
    Action.VIEW_TOURNAMENT: Scope.READ,
    Action.VIEW_HELD_CARDS: Scope.READ,
    Action.ENTER_TOURNAMENT: Scope.TOURNAMENTS_WRITE,
    Action.MANAGE_TOURNAMENT: Scope.TOURNAMENTS_WRITE,
    Action.REOPEN_TOURNAMENT: Scope.TOURNAMENTS_WRITE,
    Action.MANAGE_WEBHOOKS: None,
    Action.RECORD_DEAL: Scope.DEALS_WRITE,
    Action.UPLOAD: Scope.DEALS_WRITE,
    Action.CORRECT_DEAL: Scope.DEALS_WRITE,
    Action.RULE: Scope.DEALS_WRITE,
    Action.RECORD_GAME: Scope.DEALS_WRITE,
    Action.MANAGE_GAME: Scope.DEALS_WRITE,
    Action.TAKE_GAME: Scope.DEALS_WRITE,
    Action.CLAIM_PLAYER: None,
    Action.MANAGE_OWN_PLAYER: None,
    Action.MANAGE_PEOPLE: Scope.CLUBS_WRITE,
    Action.VIEW_HIDDEN_NAMES: Scope.READ,
    Action.USE_ACCOUNT: None,
    Action.MANAGE_SITE: None,
}
"""The scope that a token needs for each action; None is never done with a token."""

_SIGNED_IN_MAY: Final = frozenset(
    {Action.CREATE_CLUB, Action.ENTER_TOURNAMENT, Action.RECORD_GAME, Action.CLAIM_PLAYER}
)
"""What every user may do; whether a tournament that one may see takes entries is its own matter."""

_SCORER_MAY: Final = frozenset(
    {
        Action.LIST_TOURNAMENT,
        Action.VIEW_TOURNAMENT,
        Action.VIEW_HELD_CARDS,
        Action.RECORD_DEAL,
        Action.UPLOAD,
    }
)
_DIRECTOR_MAY: Final = _SCORER_MAY | {
    Action.VIEW_MEMBERS,
    Action.MANAGE_TOURNAMENT,
    Action.MANAGE_WEBHOOKS,
    Action.CORRECT_DEAL,
    Action.RULE,
    Action.TAKE_GAME,
    Action.MANAGE_PEOPLE,
    Action.VIEW_HIDDEN_NAMES,
}
_OWNER_MAY: Final = _DIRECTOR_MAY | {Action.MANAGE_CLUB, Action.REOPEN_TOURNAMENT}

_ROLE_MAY: Final[Mapping[Role, frozenset[Action]]] = {
    Role.PLAYER: frozenset(),
    Role.SCORER: _SCORER_MAY,
    Role.DIRECTOR: _DIRECTOR_MAY,
    Role.OWNER: _OWNER_MAY,
}
"""What each role may do in its own club, beyond what everybody may."""

_PARTICIPANT_MAY: Final = frozenset({Action.LIST_TOURNAMENT, Action.VIEW_TOURNAMENT})

_OWN_GAME_MAY: Final = frozenset(
    {
        Action.LIST_TOURNAMENT,
        Action.VIEW_TOURNAMENT,
        Action.RECORD_DEAL,
        Action.CORRECT_DEAL,
        Action.MANAGE_GAME,
    }
)
"""What the owner of a game may do with it while it is no club's."""
_GIVEN_GAME_MAY: Final = frozenset({Action.LIST_TOURNAMENT, Action.VIEW_TOURNAMENT})
"""What is left of that once a club has taken it."""

_TABLE_MAY: Final = frozenset({Action.VIEW_TOURNAMENT, Action.VIEW_HELD_CARDS, Action.RECORD_DEAL})
"""What a table link may do, with the scoresheets that it reaches."""

_EVERYBODY_MAY: Final[Mapping[Action, frozenset[Visibility]]] = {
    Action.VIEW_CLUB: frozenset({Visibility.PUBLIC}),
    Action.LIST_TOURNAMENT: frozenset({Visibility.PUBLIC}),
    Action.VIEW_TOURNAMENT: frozenset({Visibility.PUBLIC, Visibility.UNLISTED}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGrant:
    """What an API token that was accepted stands for; ``request.auth`` of the API."""

    token_id: int
    scopes: frozenset[Scope]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGrant:
    """What a table link that was accepted stands for; ``request.auth`` of the API."""

    link_id: int
    name: str
    """What the history of a deal calls it; at most 80 characters."""
    club_id: int
    scoresheet_ids: frozenset[int]
    """Those of the matches at its table in its session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameGrant:
    """What the link of a game stands for: whoever has it reads that one game, while it is no club's."""

    scoresheet_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Somebody who wants to do something: who, with what rights, by what way, from where."""

    user_id: int | None = None
    """None is anonymous, or the server itself."""
    is_site_admin: bool = False
    roles: Mapping[int, Role] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """By club id."""
    scopes: frozenset[Scope] | None = None
    """None without a token: the user's rights are not narrowed."""
    token_id: int | None = None
    table: TableGrant | None = None
    """None without a table link; who comes with one is no user."""
    game: GameGrant | None = None
    """None without the link of a game; it adds to what one may do without."""
    via: Via = Via.PAGE
    address: str | None = None

    @property
    def is_signed_in(self) -> bool:
        """Whether this is a user."""
        return self.user_id is not None

    def role_in(self, club_id: int | None) -> Role | None:
        """Return the role in that club, None without one."""
        return None if club_id is None else self.roles.get(club_id)


ANONYMOUS: Final = Actor()
SERVER: Final = Actor(is_site_admin=True, via=Via.COMMAND)
"""Who acts in a management command: whoever can run one may do everything."""


class Forbidden(CourtPieceError):  # noqa: N818 - raised and caught in sentences that read better so
    """The actor may not do that. ``needs_scope`` is the scope with which the token's user could."""

    def __init__(self, action: Action, *, needs_scope: Scope | None = None) -> None:
        super().__init__(
            _("The token lacks the scope “%(scope)s”.") % {"scope": needs_scope.value}
            if needs_scope
            else _("There is nothing here, or you may not see it.")
        )
        self.action = action
        self.needs_scope = needs_scope


def may(
    actor: Actor,
    action: Action,
    *,
    club_id: int | None = None,
    visibility: str = Visibility.PUBLIC,
    is_participant: bool = False,
    scoresheet_id: int | None = None,
    owner_id: int | None = None,
) -> bool:
    """Return whether ``actor`` may do ``action``.

    ``club_id`` is the club it is about, ``visibility`` that of its tournament (a word that is not known
    counts as private), ``is_participant`` whether the actor's user has entered that tournament,
    ``scoresheet_id`` the one scoresheet that it is about; without it a link may nothing of its own. ``owner_id``
    is the user whose own game it is, or was before a club took it; or whose own player.
    """
    if visibility in _EVERYBODY_MAY.get(action, frozenset()):
        return True
    if actor.table is not None:
        return _table_may(actor.table, action, club_id=club_id, scoresheet_id=scoresheet_id)
    if _game_link_may(actor, action, club_id=club_id, scoresheet_id=scoresheet_id):
        return True
    if not _has_scope(actor, action):
        return False
    return _user_may(actor, action, club_id=club_id, is_participant=is_participant, owner_id=owner_id)


def require(
    actor: Actor,
    action: Action,
    *,
    club_id: int | None = None,
    visibility: str = Visibility.PUBLIC,
    is_participant: bool = False,
    scoresheet_id: int | None = None,
    owner_id: int | None = None,
) -> None:
    """Do nothing if :func:`may` allows it.

    :raises Forbidden: if it does not.
    """
    if may(
        actor,
        action,
        club_id=club_id,
        visibility=visibility,
        is_participant=is_participant,
        scoresheet_id=scoresheet_id,
        owner_id=owner_id,
    ):
        return
    if _user_may(actor, action, club_id=club_id, is_participant=is_participant, owner_id=owner_id):
        raise Forbidden(action, needs_scope=_SCOPE_OF[action])
    raise Forbidden(action)


def require_user(actor: Actor) -> int:
    """Return the id of the user who acts for themselves, in person.

    :raises Forbidden: if the actor is no user, or comes with a token.
    """
    require(actor, Action.USE_ACCOUNT)
    if actor.user_id is None:
        raise Forbidden(Action.USE_ACCOUNT)
    return actor.user_id


def unnarrowed(actor: Actor) -> Actor:
    """Return the actor without what a token narrows, inside something that it was allowed to do.

    What that is made of needs no scope of its own: a token that may run tournaments may name their players, and is
    answered with what it has just written.
    """
    return replace(actor, scopes=None)


def clubs_where(actor: Actor, action: Action) -> Collection[int] | None:
    """Return the ids of the clubs in which the actor's role allows ``action``; None is every club.

    For the lists of the apps above: what everybody may see and what the actor has entered comes on top.
    """
    if actor.table is not None or not _has_scope(actor, action):
        return frozenset()
    if actor.is_site_admin:
        return None
    return frozenset(club_id for club_id, role in actor.roles.items() if action in _ROLE_MAY[role])


def actor_of(source: HttpRequest | Mapping[str, Any]) -> Actor:
    """Return who is behind a request of a page or of the API, or behind the scope of a socket.

    Of a socket that takes tokens, ``auth`` in its scope is what the token stands for.
    One query for a user, none for anybody else; a consumer calls it in a thread.
    """
    if isinstance(source, Mapping):
        client = source.get("client") or (None,)
        by_token = source.get("auth")
        return _actor(
            source.get("user"),
            grant=by_token if isinstance(by_token, TokenGrant) else None,
            via=Via.SOCKET,
            address=_address(client[0]),
        )
    grant = getattr(source, "auth", _NOT_THE_API)
    if isinstance(grant, TableGrant):
        return Actor(table=grant, via=Via.TABLE, address=_address(source.META.get("REMOTE_ADDR")))
    return _actor(
        getattr(source, "user", None),
        grant=grant if isinstance(grant, TokenGrant) else None,
        via=Via.PAGE if grant is _NOT_THE_API else Via.API,
        address=_address(source.META.get("REMOTE_ADDR")),
    )


_NOT_THE_API: Final = object()


def _actor(user: Any, *, via: Via, address: str | None, grant: TokenGrant | None = None) -> Actor:
    if user is None or not user.is_authenticated or not user.is_active:
        return Actor(via=via, address=address)
    return Actor(
        user_id=user.pk,
        is_site_admin=user.is_superuser,
        roles=MappingProxyType(_roles_of(user.pk)),
        scopes=grant.scopes if grant else None,
        token_id=grant.token_id if grant else None,
        via=via,
        address=address,
    )


def _roles_of(user_id: int) -> dict[int, Role]:
    rows = Membership.objects.filter(user_id=user_id).values_list("club_id", "role")
    return {club_id: Role(role) for club_id, role in rows}


def _address(text: str | None) -> str | None:
    try:
        return str(ip_address(text or ""))
    except ValueError:
        return None


def _has_scope(actor: Actor, action: Action) -> bool:
    return actor.scopes is None or _SCOPE_OF[action] in actor.scopes


def _table_may(table: TableGrant, action: Action, *, club_id: int | None, scoresheet_id: int | None) -> bool:
    is_its_own = club_id == table.club_id and scoresheet_id in table.scoresheet_ids
    return action in _TABLE_MAY and is_its_own


def _game_link_may(actor: Actor, action: Action, *, club_id: int | None, scoresheet_id: int | None) -> bool:
    if actor.game is None or action is not Action.VIEW_TOURNAMENT:
        return False
    return club_id is None and actor.game.scoresheet_id == scoresheet_id


def _owner_may(actor: Actor, action: Action, *, club_id: int | None, owner_id: int | None) -> bool:
    if actor.user_id is None or actor.user_id != owner_id:
        return False
    if action is Action.MANAGE_OWN_PLAYER:
        return True
    return action in (_OWN_GAME_MAY if club_id is None else _GIVEN_GAME_MAY)


def _user_may(
    actor: Actor, action: Action, *, club_id: int | None, is_participant: bool, owner_id: int | None = None
) -> bool:
    if actor.table is not None:
        return False
    if action is Action.USE_ACCOUNT:
        return actor.is_signed_in
    if actor.is_site_admin:
        return True
    if not actor.is_signed_in:
        return False
    if action in _SIGNED_IN_MAY or (is_participant and action in _PARTICIPANT_MAY):
        return True
    if _owner_may(actor, action, club_id=club_id, owner_id=owner_id):
        return True
    role = actor.role_in(club_id)
    return role is not None and action in _ROLE_MAY[role]
