"""Who may do what: the table that permissions.py promises, for a person to read."""

from dataclasses import replace

import pytest

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import (
    ANONYMOUS,
    SERVER,
    Action,
    Actor,
    Forbidden,
    Scope,
    clubs_where,
    may,
    require,
    require_user,
)

CLUB, OTHER_CLUB = 1, 2

ACTORS = {
    "anybody": ANONYMOUS,
    "stranger": Actor(user_id=1),
    "elsewhere": Actor(user_id=2, roles={OTHER_CLUB: Role.OWNER}),
    "player": Actor(user_id=3, roles={CLUB: Role.PLAYER}),
    "scorer": Actor(user_id=4, roles={CLUB: Role.SCORER}),
    "director": Actor(user_id=5, roles={CLUB: Role.DIRECTOR}),
    "owner": Actor(user_id=6, roles={CLUB: Role.OWNER}),
    "admin": Actor(user_id=7, is_site_admin=True),
    "server": SERVER,
}

# "elsewhere" owns another club. Entered: the user has entered the tournament, whatever their role.
TABLE = """
                               anybody stranger elsewhere player scorer director owner admin server
create-club                    no      yes      yes       yes    yes    yes      yes   yes   yes
view-club                      yes     yes      yes       yes    yes    yes      yes   yes   yes
view-members                   no      no       no        no     no     yes      yes   yes   yes
manage-club                    no      no       no        no     no     no       yes   yes   yes
list-tournament public         yes     yes      yes       yes    yes    yes      yes   yes   yes
list-tournament unlisted       no      no       no        no     yes    yes      yes   yes   yes
list-tournament private        no      no       no        no     yes    yes      yes   yes   yes
list-tournament entered        no      yes      yes       yes    yes    yes      yes   yes   yes
view-tournament public         yes     yes      yes       yes    yes    yes      yes   yes   yes
view-tournament unlisted       yes     yes      yes       yes    yes    yes      yes   yes   yes
view-tournament private        no      no       no        no     yes    yes      yes   yes   yes
view-tournament entered        no      yes      yes       yes    yes    yes      yes   yes   yes
view-tournament no-such-word   no      no       no        no     yes    yes      yes   yes   yes
view-held-cards public         no      no       no        no     yes    yes      yes   yes   yes
view-held-cards entered        no      no       no        no     yes    yes      yes   yes   yes
manage-tournament public       no      no       no        no     no     yes      yes   yes   yes
manage-tournament entered      no      no       no        no     no     yes      yes   yes   yes
enter-tournament               no      yes      yes       yes    yes    yes      yes   yes   yes
reopen-tournament public       no      no       no        no     no     no       yes   yes   yes
reopen-tournament entered      no      no       no        no     no     no       yes   yes   yes
manage-webhooks private        no      no       no        no     no     yes      yes   yes   yes
record-deal public             no      no       no        no     yes    yes      yes   yes   yes
record-deal entered            no      no       no        no     yes    yes      yes   yes   yes
upload public                  no      no       no        no     yes    yes      yes   yes   yes
correct-deal public            no      no       no        no     no     yes      yes   yes   yes
correct-deal entered           no      no       no        no     no     yes      yes   yes   yes
rule public                    no      no       no        no     no     yes      yes   yes   yes
rule entered                   no      no       no        no     no     yes      yes   yes   yes
record-game                    no      yes      yes       yes    yes    yes      yes   yes   yes
manage-game private            no      no       no        no     no     no       no    yes   yes
take-game private              no      no       no        no     no     yes      yes   yes   yes
claim-player                   no      yes      yes       yes    yes    yes      yes   yes   yes
manage-own-player              no      no       no        no     no     no       no    yes   yes
manage-people                  no      no       no        no     no     yes      yes   yes   yes
view-hidden-names              no      no       no        no     no     yes      yes   yes   yes
use-account                    no      yes      yes       yes    yes    yes      yes   yes   no
manage-site                    no      no       no        no     no     no       no    yes   yes
"""

# What an owner's token may do in its club by each scope, beyond what everybody may.
SCOPES = """
                          read deals:write tournaments:write clubs:write none
create-club               no   no          no                yes         no
view-club                 yes  yes         yes               yes         yes
view-members              yes  no          no                no          no
manage-club               no   no          no                yes         no
list-tournament private   yes  no          no                no          no
view-tournament public    yes  yes         yes               yes         yes
view-tournament private   yes  no          no                no          no
view-held-cards public    yes  no          no                no          no
manage-tournament private no   no          yes               no          no
enter-tournament          no   no          yes               no          no
reopen-tournament private no   no          yes               no          no
manage-webhooks private   no   no          no                no          no
record-deal private       no   yes         no                no          no
upload private            no   yes         no                no          no
correct-deal private      no   yes         no                no          no
rule private              no   yes         no                no          no
record-game               no   yes         no                no          no
manage-game private       no   no          no                no          no
take-game private         no   yes         no                no          no
claim-player              no   no          no                no          no
manage-own-player         no   no          no                no          no
manage-people             no   no          no                yes         no
view-hidden-names         yes  no          no                no          no
use-account               no   no          no                no          no
manage-site               no   no          no                no          no
"""


def _read(table: str) -> dict[tuple[str, str], bool]:
    head, *rows = table.strip("\n").splitlines()
    columns = head.split()
    return {
        (" ".join(row.split()[: -len(columns)]), column): cell == "yes"
        for row in rows
        for column, cell in zip(columns, row.split()[-len(columns) :], strict=True)
    }


def _may(actor: Actor, row: str) -> bool:
    action, _, kind = row.partition(" ")
    visibility = "private" if kind == "entered" else kind or "public"
    return may(actor, Action(action), club_id=CLUB, visibility=visibility, is_participant=kind == "entered")


def _scopes(column: str) -> frozenset[Scope]:
    return frozenset() if column == "none" else frozenset({Scope(column)})


def test_the_table_of_roles() -> None:
    assert {(row, column): _may(ACTORS[column], row) for row, column in _read(TABLE)} == _read(TABLE)


def test_the_table_of_scopes() -> None:
    owner = ACTORS["owner"]

    allowed = {
        (row, column): _may(replace(owner, scopes=_scopes(column)), row) for row, column in _read(SCOPES)
    }

    assert allowed == _read(SCOPES)


def test_a_token_never_gives_a_right_that_its_user_lacks() -> None:
    every_scope = {name: replace(actor, scopes=frozenset(Scope)) for name, actor in ACTORS.items()}

    too_much = [
        (row, column)
        for (row, column), allowed in _read(TABLE).items()
        if _may(every_scope[column], row) and not allowed
    ]

    assert too_much == []


def test_every_action_has_a_row() -> None:
    for table in (TABLE, SCOPES):
        assert {row.split()[0] for row, _ in _read(table)} == {action.value for action in Action}


def test_what_is_forbidden_says_nothing_of_what_is_there() -> None:
    with pytest.raises(Forbidden) as caught:
        require(ACTORS["stranger"], Action.VIEW_TOURNAMENT, club_id=CLUB, visibility="private")

    assert str(caught.value) == "There is nothing here, or you may not see it."
    assert caught.value.action is Action.VIEW_TOURNAMENT
    assert caught.value.needs_scope is None


def test_only_a_user_with_the_right_is_told_which_scope_the_token_lacks() -> None:
    owner = replace(ACTORS["owner"], scopes=frozenset({Scope.READ}))
    stranger = replace(ACTORS["stranger"], scopes=frozenset({Scope.READ}))

    with pytest.raises(Forbidden) as told:
        require(owner, Action.RECORD_DEAL, club_id=CLUB)
    with pytest.raises(Forbidden) as not_told:
        require(stranger, Action.RECORD_DEAL, club_id=CLUB)

    assert told.value.needs_scope is Scope.DEALS_WRITE
    assert str(told.value) == "The token lacks the scope “deals:write”."
    assert not_told.value.needs_scope is None


def test_require_is_silent_where_it_is_allowed() -> None:
    require(ACTORS["scorer"], Action.RECORD_DEAL, club_id=CLUB)


def test_the_clubs_of_a_list_are_those_where_the_role_allows_it() -> None:
    both = Actor(user_id=1, roles={CLUB: Role.SCORER, OTHER_CLUB: Role.PLAYER})

    assert clubs_where(both, Action.LIST_TOURNAMENT) == {CLUB}
    assert clubs_where(both, Action.MANAGE_TOURNAMENT) == set()
    assert clubs_where(replace(both, scopes=frozenset()), Action.LIST_TOURNAMENT) == set()
    assert clubs_where(ANONYMOUS, Action.LIST_TOURNAMENT) == set()
    assert clubs_where(SERVER, Action.LIST_TOURNAMENT) is None


def test_only_a_user_in_person_uses_an_account() -> None:
    assert require_user(ACTORS["player"]) == 3
    for other in (ANONYMOUS, SERVER, replace(ACTORS["player"], scopes=frozenset(Scope))):
        with pytest.raises(Forbidden):
            require_user(other)
