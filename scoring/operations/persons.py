"""Everything that says who a player is: whose account, which two are one person, whether the name is shown."""

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import write_entry
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor, may, require
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict, Refused
from scoring import versions
from scoring.events import Event
from scoring.models import PersonRequest, Player, RequestKind, RequestState, Scoresheet
from scoring.operations.naming import rename
from scoring.operations.people import AccountTaken
from scoring.queries.above import collections_above
from scoring.queries.lists import visible_players
from scoring.queries.sight import seated

MOST_OPEN_REQUESTS: Final = 20
"""Of a user, at any time: directors have other things to read."""
LONGEST_NOTE: Final = 300


class NameGone(Conflict):
    """The player's name was taken away for good: nothing more is said of who it was."""

    def __init__(self) -> None:
        super().__init__(_("This player’s name was taken away for good."))


class AlreadyMerged(Conflict):
    """One of the two is merged already, or the merge is undone already."""


class PlayedTogether(Refused):
    """The two sat at one table: they are two people."""

    field: ClassVar[str] = "kept"


class SamePlayer(Refused):
    """A player cannot be merged with the same player."""

    field: ClassVar[str] = "kept"


class RequestAnswered(Conflict):
    """Somebody answered the request before, or who asked took it back."""

    def __init__(self) -> None:
        super().__init__(_("This request was answered before, or taken back."))


class TooManyRequests(Refused):
    """So many requests wait for an answer already."""


class NameTakenMeanwhile(Conflict):
    """Another player of the club has the name by now."""


# -- what is asked


@transaction.atomic
def claim_player(*, actor: Actor, player_uid: UUID, note: str, at: datetime) -> UUID:
    """Ask the directors of the player's club that the player be the actor's own. Asked again it is the same request.

    :raises NotFound: if there is no such player for the actor.
    :raises Forbidden: if the actor is nobody, or comes with a token.
    :raises NameGone: if the name was taken away.
    :raises AccountTaken: if the player has an account, or the actor another player in the club.
    :raises TooManyRequests: if too many of the actor's wait.
    """
    player = _seen(actor, player_uid)
    require(actor, Action.CLAIM_PLAYER, club_id=player.club_id)
    # Who was merged is the other: that one is claimed.
    player = player.merged_into or player
    _require_named(player)
    if player.user_id is not None:
        raise AccountTaken(_("This player has an account already. A director of the club can put it right."))
    if Player.objects.filter(club=player.club_id, user=actor.user_id).exists():
        raise AccountTaken(
            _(
                "You have a player in this club already. If both are you, ask on your page of players that they be "
                "merged."
            )
        )
    return _ask(actor, RequestKind.CLAIM, player, None, note, at)


@transaction.atomic
def ask_for_merge(*, actor: Actor, duplicate_uid: UUID, kept_uid: UUID, note: str, at: datetime) -> UUID:
    """Ask that another player of the club be merged into the actor's own. Asked again it is the same request.

    :raises NotFound: if one of the two does not exist for the actor.
    :raises Forbidden: if the other one is not the actor's own player.
    :raises SamePlayer: if they are one already, or of two clubs.
    :raises PlayedTogether: if they sat at one table.
    :raises AlreadyMerged: if one of them is merged already.
    :raises AccountTaken: if the other player has an account of somebody else.
    :raises TooManyRequests: if too many of the actor's wait.
    """
    kept, duplicate = _seen(actor, kept_uid), _seen(actor, duplicate_uid)
    require(actor, Action.MANAGE_OWN_PLAYER, club_id=kept.club_id, owner_id=kept.user_id)
    _require_mergeable(duplicate, kept)
    return _ask(actor, RequestKind.MERGE, duplicate, kept, note, at)


@transaction.atomic
def ask_for_anonymity(*, actor: Actor, player_uid: UUID, note: str, at: datetime) -> UUID:
    """Ask that the name of the actor's own player be taken away for good. Asked again it is the same request.

    :raises NotFound: if there is no such player for the actor.
    :raises Forbidden: if it is not the actor's own.
    :raises NameGone: if that was done.
    """
    player = _seen(actor, player_uid)
    require(actor, Action.MANAGE_OWN_PLAYER, club_id=player.club_id, owner_id=player.user_id)
    _require_named(player)
    return _ask(actor, RequestKind.ANONYMISE, player, None, note, at)


def _ask(
    actor: Actor, kind: RequestKind, player: Player, kept: Player | None, note: str, at: datetime
) -> UUID:
    mine = PersonRequest.objects.filter(asked_by=actor.user_id, state=RequestState.OPEN)
    before = mine.filter(kind=kind, player=player).first()
    if before is not None:
        return before.uid
    if mine.count() >= MOST_OPEN_REQUESTS:
        raise TooManyRequests(
            _("%(most)d requests of yours wait for an answer. Take one back, or wait.")
            % {"most": MOST_OPEN_REQUESTS}
        )
    asked = PersonRequest.objects.create(
        kind=kind,
        player=player,
        kept=kept,
        asked_by_id=actor.user_id,
        asked_at=at,
        note=clean_text(note)[:LONGEST_NOTE],
    )
    _note(actor, Event.PERSON_ASKED, player, at, request=kind.value)
    return asked.uid


@transaction.atomic
def take_request_back(*, actor: Actor, request_uid: UUID, at: datetime) -> None:
    """Take back what the actor asked.

    :raises NotFound: if the actor asked no such thing.
    :raises RequestAnswered: if it was answered.
    """
    asked = _locked_request(request_uid)
    if actor.user_id is None or asked.asked_by_id != actor.user_id:
        raise NotFound
    _settle(asked, RequestState.TAKEN_BACK, actor, at)
    _note(actor, Event.PERSON_ASKED_NO_MORE, asked.player, at, request=asked.kind)


# -- what is answered


@transaction.atomic
def approve_request(*, actor: Actor, request_uid: UUID, at: datetime) -> None:
    """Do what was asked.

    :raises NotFound: if there is no such request.
    :raises Forbidden: if the actor does not direct the player's club.
    :raises RequestAnswered: if it was answered or taken back.
    :raises AccountTaken: if the player, or who asks, has another by now.
    :raises PlayedTogether: if the two sat at one table.
    :raises AlreadyMerged: if one of the two is merged by now.
    :raises NameGone: if the name was taken away by now.
    """
    asked = _managed_request(actor, request_uid)
    match RequestKind(asked.kind):
        case RequestKind.CLAIM:
            _link(actor, asked.player, asked.asked_by_id, at)
        case RequestKind.MERGE:
            if asked.kept is None:
                raise LookupError(f"{asked} merges nobody")
            asked.moved_user_id = _merge(actor, asked.player, asked.kept, at)
        case RequestKind.ANONYMISE:
            _anonymise(actor, asked.player, at)
            asked.note = ""
    _settle(asked, RequestState.APPROVED, actor, at)


@transaction.atomic
def decline_request(*, actor: Actor, request_uid: UUID, reason: str, at: datetime) -> None:
    """Leave everything as it is, and tell who asked why.

    :raises NotFound: if there is no such request.
    :raises Forbidden: if the actor does not direct the player's club.
    :raises RequestAnswered: if it was answered or taken back.
    """
    asked = _managed_request(actor, request_uid)
    _settle(asked, RequestState.DECLINED, actor, at, reason=reason)
    _note(actor, Event.PERSON_DECLINED, asked.player, at, request=asked.kind)


def _managed_request(actor: Actor, request_uid: UUID) -> PersonRequest:
    asked = _locked_request(request_uid)
    require(actor, Action.MANAGE_PEOPLE, club_id=asked.player.club_id)
    return asked


def _locked_request(request_uid: UUID) -> PersonRequest:
    rows = PersonRequest.objects.select_for_update(of=("self",)).select_related("player", "kept")
    asked = rows.filter(uid=request_uid).first()
    if asked is None:
        raise NotFound
    return asked


def _settle(
    asked: PersonRequest, state: RequestState, actor: Actor, at: datetime, *, reason: str = ""
) -> None:
    if asked.state != RequestState.OPEN:
        raise RequestAnswered
    asked.state, asked.answered_by_id, asked.answered_at = state, actor.user_id, at
    asked.reason = clean_text(reason)[:LONGEST_NOTE]
    asked.save(update_fields=["state", "answered_by", "answered_at", "reason", "note", "moved_user"])


# -- whose account


@transaction.atomic
def link_player(*, actor: Actor, player_id: int, user_id: int | None, at: datetime) -> None:
    """Say which account a player has, or None.

    :raises NotFound: if there is no such player.
    :raises Forbidden: if the actor does not direct the club.
    :raises AccountTaken: if the account is another player's of the club.
    """
    player = _locked(Player.objects.filter(pk=player_id))
    require(actor, Action.MANAGE_PEOPLE, club_id=player.club_id)
    others = Player.objects.filter(club=player.club_id, user=user_id).exclude(pk=player_id)
    if user_id is not None and others.exists():
        raise AccountTaken(_("Another player of the club has this account."))
    Player.objects.filter(pk=player_id).update(user=user_id)
    _note(actor, Event.PLAYER_LINKED, player, at, user=user_id)


def _link(actor: Actor, player: Player, user_id: int | None, at: datetime) -> None:
    player = _locked(Player.objects.filter(pk=player.merged_into_id or player.pk))
    _require_named(player)
    if player.user_id is not None:
        raise AccountTaken(_("This player has an account already."))
    link_player(actor=actor, player_id=player.pk, user_id=user_id, at=at)


# -- which two are one


@transaction.atomic
def merge_players(*, actor: Actor, duplicate_uid: UUID, kept_uid: UUID, at: datetime) -> UUID:
    """Say that two players of a club are one person. What was recorded of either stays as it was recorded.

    The duplicate's matches count for the other from now on, wherever somebody's matches are counted; its own page is
    the other's. :func:`undo_merge` takes it back.

    :raises NotFound: if one of the two does not exist.
    :raises Forbidden: if the actor does not direct the club.
    :raises SamePlayer: if they are one already, or of two clubs.
    :raises PlayedTogether: if they sat at one table.
    :raises AlreadyMerged: if one of them is merged already.
    :raises AccountTaken: if they have two accounts.
    """
    duplicate = _locked(Player.objects.filter(uid=duplicate_uid))
    require(actor, Action.MANAGE_PEOPLE, club_id=duplicate.club_id)
    kept = Player.objects.filter(uid=kept_uid, club=duplicate.club_id).first()
    if kept is None:
        raise NotFound
    moved = _merge(actor, duplicate, kept, at)
    made = PersonRequest.objects.create(
        kind=RequestKind.MERGE,
        player=duplicate,
        kept=kept,
        asked_by_id=actor.user_id,
        asked_at=at,
        state=RequestState.APPROVED,
        answered_by_id=actor.user_id,
        answered_at=at,
        moved_user_id=moved,
    )
    return made.uid


@transaction.atomic
def undo_merge(*, actor: Actor, request_uid: UUID, reason: str, at: datetime) -> None:
    """Make two players of two who were merged, each with what it had; an account that was moved goes back.

    :raises NotFound: if there is no such merge.
    :raises Forbidden: if the actor does not direct the club.
    :raises AlreadyMerged: if it is undone already, or was never made.
    """
    made = _managed_request(actor, request_uid)
    if made.kind != RequestKind.MERGE:
        raise NotFound
    if made.state != RequestState.APPROVED:
        raise AlreadyMerged(_("This merge is undone already, or was never made."))
    duplicate = _locked(Player.objects.filter(pk=made.player_id))
    moves_back = made.moved_user_id is not None and duplicate.anonymised_at is None
    if moves_back:
        Player.objects.filter(duplicates=duplicate, user=made.moved_user_id).update(user=None)
        is_free = not Player.objects.filter(club=duplicate.club_id, user=made.moved_user_id).exists()
        duplicate.user_id = made.moved_user_id if is_free else None
    duplicate.merged_into = None
    duplicate.save(update_fields=["merged_into", "user"])
    made.state, made.answered_by_id, made.answered_at = RequestState.UNDONE, actor.user_id, at
    made.reason = clean_text(reason)[:LONGEST_NOTE]
    made.save(update_fields=["state", "answered_by", "answered_at", "reason"])
    _refresh([duplicate, *([made.kept] if made.kept else [])])
    _note(actor, Event.PLAYERS_PARTED, duplicate, at, into=str(made.kept.uid) if made.kept else None)


def _merge(actor: Actor, duplicate: Player, kept: Player, at: datetime) -> int | None:
    """Merge the two, and return the account that went from the duplicate to the other."""
    ids = sorted((duplicate.pk, kept.pk))
    rows = {row.pk: row for row in Player.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
    duplicate, kept = rows[duplicate.pk], rows[kept.pk]
    _require_mergeable(duplicate, kept)
    moved = duplicate.user_id if kept.user_id is None else None
    duplicate.merged_into, duplicate.user = kept, None
    duplicate.save(update_fields=["merged_into", "user"])
    if moved is not None:
        kept.user_id = moved
        kept.save(update_fields=["user"])
    _note(actor, Event.PLAYERS_MERGED, duplicate, at, into=str(kept.uid))
    if kept.hidden_name or duplicate.hidden_name:
        # They are one person now: the name of the one would tell who the other is.
        _hide(kept, actor, at)
    # Both: their ratings are one, and so may be those of their partnerships.
    _refresh([duplicate, kept])
    return moved


def _require_mergeable(duplicate: Player, kept: Player) -> None:
    _require_named(duplicate)
    _require_named(kept)
    if duplicate.pk == kept.pk or duplicate.club_id != kept.club_id:
        raise SamePlayer(_("Choose two different players of one club."))
    if duplicate.merged_into_id is not None or kept.merged_into_id is not None:
        raise AlreadyMerged(_("One of them is merged with somebody already. Undo that first."))
    if duplicate.duplicates.exists():
        raise AlreadyMerged(
            _("“%(name)s” stands for other players already. Merge the two the other way round.")
            % {"name": duplicate.name}
        )
    if duplicate.user_id is not None and kept.user_id not in (None, duplicate.user_id):
        raise AccountTaken(
            _("The two have different accounts: they are two people, or one account is wrong.")
        )
    everyone = [kept.pk, *kept.duplicates.values_list("pk", flat=True)]
    if Scoresheet.objects.filter(seated([duplicate.pk])).filter(seated(everyone)).exists():
        raise PlayedTogether(_("They sat at one table together, so they are two people."))


# -- whether the name is shown


@transaction.atomic
def hide_name(*, actor: Actor, player_uid: UUID, at: datetime) -> None:
    """Show a made name for a player wherever there is one, but to directors of the club. Again it changes nothing.

    :raises NotFound: if there is no such player.
    :raises Forbidden: if it is not the actor's own and the actor does not direct the club.
    :raises NameGone: if the name was taken away.
    """
    player = _own_or_managed(actor, player_uid)
    _require_named(player)
    _hide(player, actor, at)


def _hide(player: Player, actor: Actor, at: datetime) -> None:
    rows = [row for row in _with_duplicates(player) if not row.hidden_name]
    for row in rows:
        row.hidden_name = row.name
        rename(row, _made_name(row))
        row.save(update_fields=["name", "search_key", "hidden_name"])
    if rows:
        _refresh(rows)
        _note(actor, Event.PLAYER_HIDDEN, player, at)


@transaction.atomic
def show_name(*, actor: Actor, player_uid: UUID, at: datetime) -> None:
    """Show a name again that was hidden. Again it changes nothing.

    :raises NotFound: if there is no such player.
    :raises Forbidden: if it is not the actor's own and the actor does not direct the club.
    :raises NameTakenMeanwhile: if another player of the club has that name now.
    """
    player = _own_or_managed(actor, player_uid)
    rows = [row for row in _with_duplicates(player) if row.hidden_name]
    taken = Player.objects.filter(club=player.club_id, name__in=[row.hidden_name for row in rows])
    if other := taken.first():
        raise NameTakenMeanwhile(
            _("Another player of the club is called “%(name)s” by now. Merge the two first, or ask for help.")
            % {"name": other.name}
        )
    for row in rows:
        rename(row, row.hidden_name)
        row.hidden_name = ""
        row.save(update_fields=["name", "search_key", "hidden_name"])
    if rows:
        _refresh(rows)
        _note(actor, Event.PLAYER_SHOWN, player, at)


@transaction.atomic
def anonymise_player(*, actor: Actor, player_id: int, at: datetime) -> None:
    """Take a player's name and account away for good; what was played stays. Doing it again changes nothing.

    :raises NotFound: if there is no such player.
    :raises Forbidden: if the actor does not manage the club.
    """
    player = _locked_person(Player.objects.filter(pk=player_id))
    require(actor, Action.MANAGE_CLUB, club_id=player.club_id)
    if player.anonymised_at is None:
        _anonymise(actor, player, at)


def _anonymise(actor: Actor, player: Player, at: datetime) -> None:
    """Take the names of the player and of the duplicates away, with whatever was said in asking about them."""
    _require_named(player)
    rows = _with_duplicates(player)
    for row in rows:
        rename(row, row.name if row.hidden_name else _made_name(row))
        row.hidden_name, row.user, row.anonymised_at = "", None, at
        row.save(update_fields=["name", "search_key", "hidden_name", "user", "anonymised_at"])
    ids = [row.pk for row in rows]
    unlocked = Q(collection__isnull=True) | Q(collection__is_locked=False)
    for seat in ("north", "east", "south", "west"):
        typed = Scoresheet.objects.filter(unlocked, **{f"{seat}__in": ids}).exclude(**{f"{seat}_name": ""})
        typed.update(**{f"{seat}_name": ""})
    PersonRequest.objects.filter(Q(player__in=ids) | Q(kept__in=ids)).update(
        note="", reason="", moved_user=None
    )
    _refresh(rows)
    _note(actor, Event.PLAYER_ANONYMISED, player, at)


def _own_or_managed(actor: Actor, player_uid: UUID) -> Player:
    player = _locked_person(Player.objects.filter(uid=player_uid))
    if not may(actor, Action.MANAGE_OWN_PLAYER, club_id=player.club_id, owner_id=player.user_id):
        require(actor, Action.MANAGE_PEOPLE, club_id=player.club_id)
    return player


def _with_duplicates(player: Player) -> list[Player]:
    return [player, *Player.objects.select_for_update().filter(merged_into=player).order_by("pk")]


def _made_name(player: Player) -> str:
    """Return a name that tells nothing, and that no player of the club has."""
    digits = player.uid.hex
    made = [f"Player {digits[:length]}" for length in range(8, len(digits) + 1)]
    taken = Player.objects.filter(club=player.club_id, name__in=made).exclude(pk=player.pk)
    names = frozenset(taken.values_list("name", flat=True))
    return next(name for name in made if name not in names)


def _refresh(players: Iterable[Player]) -> None:
    """Let whatever is kept of the matches that the players sat at, or are to sit at, be made anew."""
    ids = [player.pk for player in players]
    sheets = Scoresheet.objects.filter(seated(ids))
    versions.advance([*sheets.values_list("collection", flat=True), *collections_above(ids)])


# -- everywhere


def _seen(actor: Actor, player_uid: UUID) -> Player:
    player = visible_players(actor).filter(uid=player_uid).first()
    if player is None:
        raise NotFound
    return player


def _locked(rows: QuerySet[Player]) -> Player:
    player = rows.select_for_update().first()
    if player is None:
        raise NotFound
    return player


def _locked_person(rows: QuerySet[Player]) -> Player:
    """Return the player, or the one that they were merged into: nobody is hidden or taken away by half."""
    player = _locked(rows)
    return (
        player if player.merged_into_id is None else _locked(Player.objects.filter(pk=player.merged_into_id))
    )


def _require_named(player: Player) -> None:
    if player.anonymised_at is not None:
        raise NameGone


def _note(actor: Actor, what: Event, player: Player, at: datetime, **more: str | int | None) -> None:
    write_entry(
        actor=actor, what=what, at=at, club_id=player.club_id, detail={"player": str(player.uid), **more}
    )
