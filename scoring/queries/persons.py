"""Who players are: one's own players, what was asked about them, and a club's players for its directors."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from courtpiece.accounts.parts import Asked, PartOf, read_part
from courtpiece.accounts.permissions import Action, Actor, may, require, require_user
from courtpiece.accounts.queries import ClubLine, NotFound, club_by_slug
from scoring.models import PersonRequest, Player, RequestKind, RequestState
from scoring.queries.refs import PersonRef, person
from scoring.queries.searching import named_players, persons_of

MOST_SHOWN: Final = 100
"""Requests and merges on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedLine:
    """A request about a player, and what became of it."""

    uid: UUID
    kind: str
    kind_label: str
    player: PersonRef
    player_name: str
    """The own name, where the reader may see it."""
    kept: PersonRef | None
    kept_name: str
    club_name: str
    club_slug: str
    timezone: str
    """The club's."""
    asked_by: str
    asked_at: datetime
    note: str
    state: str
    state_label: str
    answered_by: str
    answered_at: datetime | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLine:
    """A player as its club's directors, or the player, see it."""

    uid: UUID
    name: str
    """What everybody sees."""
    own_name: str
    club_name: str
    club_slug: str
    is_hidden: bool
    is_anonymised: bool
    account: str
    """The name of the account; empty without one."""
    duplicates: tuple[str, ...]
    """The names of the players that were merged into this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MyPeople:
    """The reader's own players, and what the reader asked, the newest first."""

    players: tuple[PersonLine, ...]
    asked: tuple[AskedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPeople:
    """A club's players, what waits for an answer, the oldest first, and its merges, the newest first."""

    club: ClubLine
    open: tuple[AskedLine, ...]
    players: PartOf[PersonLine]
    merges: tuple[AskedLine, ...]
    may_manage_club: bool


_REQUEST: Final = ("player__club", "kept", "asked_by", "answered_by")


def my_people(*, actor: Actor) -> MyPeople:
    """Return the actor's own players and requests. Three queries.

    :raises Forbidden: if the actor is no user, or comes with a token.
    """
    user_id = require_user(actor)
    rows = Player.objects.filter(user=user_id).select_related("club", "user").order_by("club__name", "pk")
    asked = PersonRequest.objects.filter(asked_by=user_id).select_related(*_REQUEST).order_by("-pk")
    return MyPeople(
        players=_lines(list(rows)),
        asked=tuple(_asked_line(row, user_id=user_id) for row in asked[:MOST_SHOWN]),
    )


def club_people(slug: str, *, actor: Actor, typed: str, asked: Asked) -> ClubPeople:
    """Return the players of a club in whose name the words begin, all without any, by name. Five queries; nine at most.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor does not direct it.
    :raises BadCursor: if the cursor is none of this list.
    """
    club = club_by_slug(slug, actor=actor)
    require(actor, Action.MANAGE_PEOPLE, club_id=club.id)
    rows = Player.objects.filter(club=club.id, merged_into=None).select_related("club", "user")
    if typed:
        rows = rows.filter(pk__in=persons_of(named_players(typed, actor=actor, club=slug)))
    requests = PersonRequest.objects.filter(player__club=club.id).select_related(*_REQUEST)
    merges = requests.filter(kind=RequestKind.MERGE, state__in=(RequestState.APPROVED, RequestState.UNDONE))
    return ClubPeople(
        club=club,
        open=tuple(map(_seen_whole, requests.filter(state=RequestState.OPEN).order_by("pk")[:MOST_SHOWN])),
        players=read_part(rows, ("name", "pk"), _lines, asked=asked),
        merges=tuple(map(_seen_whole, merges.order_by("-answered_at", "-pk")[:MOST_SHOWN])),
        may_manage_club=may(actor, Action.MANAGE_CLUB, club_id=club.id),
    )


def require_people(slug: str, *, actor: Actor) -> None:
    """Do nothing if the actor manages the players of the club at that address. One query.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor does not direct it.
    """
    require(actor, Action.MANAGE_PEOPLE, club_id=club_by_slug(slug, actor=actor).id)


def club_of_request(uid: UUID, *, actor: Actor) -> str:
    """Return the slug of the club that a request is answered in. One query.

    :raises NotFound: if there is no such request.
    :raises Forbidden: if the actor does not direct the club.
    """
    row = PersonRequest.objects.select_related("player__club").filter(uid=uid).first()
    if row is None:
        raise NotFound
    require(actor, Action.MANAGE_PEOPLE, club_id=row.player.club_id)
    return row.player.club.slug


def managed_player(uid: UUID, *, actor: Actor) -> tuple[int, str]:
    """Return the id of a player whose club the actor owns, and the club's slug. One query.

    :raises NotFound: if there is no such player.
    :raises Forbidden: if the actor does not manage the club.
    """
    row = Player.objects.select_related("club").filter(uid=uid).first()
    if row is None:
        raise NotFound
    require(actor, Action.MANAGE_CLUB, club_id=row.club_id)
    return row.pk, row.club.slug


def own_player_in(club_slug: str, *, actor: Actor) -> PersonRef | None:
    """Return the actor's own player in the club; None without one. One query, none for nobody."""
    if actor.user_id is None:
        return None
    row = Player.objects.filter(club__slug=club_slug, user=actor.user_id).first()
    return None if row is None else person(row)


def _lines(rows: Sequence[Player]) -> tuple[PersonLine, ...]:
    """Return the players as lines. One query."""
    merged: dict[int, list[str]] = {}
    duplicates = Player.objects.filter(merged_into__in=[row.pk for row in rows]).order_by("name", "pk")
    for duplicate in duplicates:
        merged.setdefault(duplicate.merged_into_id or 0, []).append(duplicate.hidden_name or duplicate.name)
    return tuple(
        PersonLine(
            uid=row.uid,
            name=row.name,
            own_name=row.hidden_name or row.name,
            club_name=row.club.name,
            club_slug=row.club.slug,
            is_hidden=bool(row.hidden_name),
            is_anonymised=row.anonymised_at is not None,
            account=row.user.display_name if row.user is not None else "",
            duplicates=tuple(merged.get(row.pk, ())),
        )
        for row in rows
    )


def _seen_whole(row: PersonRequest) -> AskedLine:
    return _asked_line(row, user_id=None)


def _asked_line(row: PersonRequest, *, user_id: int | None) -> AskedLine:
    """Return the request as directors see it; for a user, with the hidden names of the user's own players only."""

    def own_name(player: Player | None) -> str:
        if player is None:
            return ""
        return player.hidden_name or player.name if user_id in (None, player.user_id) else player.name

    return AskedLine(
        uid=row.uid,
        kind=row.kind,
        kind_label=row.get_kind_display(),
        player=person(row.player),
        player_name=own_name(row.player),
        kept=person(row.kept) if row.kept is not None else None,
        kept_name=own_name(row.kept),
        club_name=row.player.club.name,
        club_slug=row.player.club.slug,
        timezone=row.player.club.timezone,
        asked_by=row.asked_by.display_name if row.asked_by is not None else "",
        asked_at=row.asked_at,
        note=row.note,
        state=row.state,
        state_label=row.get_state_display(),
        answered_by=row.answered_by.display_name if row.answered_by is not None else "",
        answered_at=row.answered_at,
        reason=row.reason,
    )
