"""The rights as a table to be read: made by asking :mod:`permissions`, and nothing is decided here."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import (
    ANONYMOUS,
    Action,
    Actor,
    GameGrant,
    Scope,
    TableGrant,
    Visibility,
    may,
)

_HERE: Final = 1
_ELSEWHERE: Final = 2
_SHEET: Final = 1
_USER: Final = 1
ACTORS: Final[Mapping[str, Actor]] = {
    "anybody": ANONYMOUS,
    "table link": Actor(
        table=TableGrant(link_id=1, name="table 1", club_id=_HERE, scoresheet_ids=frozenset({_SHEET}))
    ),
    "game link": Actor(game=GameGrant(scoresheet_id=_SHEET)),
    "signed in": Actor(user_id=_USER),
    "owner of another club": Actor(user_id=_USER, roles={_ELSEWHERE: Role.OWNER}),
    "player": Actor(user_id=_USER, roles={_HERE: Role.PLAYER}),
    "scorer": Actor(user_id=_USER, roles={_HERE: Role.SCORER}),
    "director": Actor(user_id=_USER, roles={_HERE: Role.DIRECTOR}),
    "owner": Actor(user_id=_USER, roles={_HERE: Role.OWNER}),
    "site admin": Actor(user_id=_USER, is_site_admin=True),
}
"""Everybody who can want something, by what a reader calls them."""
_KINDS: Final = (Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE)
_OF_SITE: Final = frozenset({Action.CREATE_CLUB, Action.USE_ACCOUNT, Action.MANAGE_SITE})


def rights_table() -> str:
    """Return who may do what, and what a token of an owner may do by each scope, as tables in Markdown."""
    roles = [["", *ACTORS]]
    roles += [_row(action) for action in Action]
    scopes = [["", *(scope.value for scope in Scope)]]
    scopes += [_scopes(action) for action in Action]
    return f"{_markdown(roles)}\n\n{_markdown(scopes)}\n"


def _row(action: Action) -> list[str]:
    return [f"`{action.value}`", *(_cell(actor, action) for actor in ACTORS.values())]


def _cell(actor: Actor, action: Action) -> str:
    """Return for whose sight the actor may: everybody's, or only of what is public or unlisted."""
    club_id = None if action in _OF_SITE else _HERE
    allowed = [kind for kind in _KINDS if may(actor, action, club_id=club_id, visibility=kind)]
    if len(allowed) == len(_KINDS):
        return "yes"
    entered = may(actor, action, club_id=club_id, visibility=Visibility.PRIVATE, is_participant=True)
    at_table = may(actor, action, club_id=club_id, visibility=Visibility.PRIVATE, scoresheet_id=_SHEET)
    own = may(actor, action, visibility=Visibility.PRIVATE, owner_id=_USER)
    by_link = may(actor, action, visibility=Visibility.PRIVATE, scoresheet_id=_SHEET)
    parts = [kind.value for kind in allowed]
    parts += ["entered"] if entered else []
    parts += ["its table"] if at_table else []
    parts += ["its game"] if by_link else []
    parts += ["own player" if action is Action.MANAGE_OWN_PLAYER else "own game"] if own else []
    return ", ".join(parts) or "–"


def _scopes(action: Action) -> list[str]:
    owner = ACTORS["owner"]
    club_id = None if action in _OF_SITE else _HERE
    cells = [
        may(replace(owner, scopes=frozenset({scope})), action, club_id=club_id, visibility=Visibility.PRIVATE)
        for scope in Scope
    ]
    return [f"`{action.value}`", *("yes" if cell else "–" for cell in cells)]


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *others = rows
    lines = [head, ["---"] * len(head), *others]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
