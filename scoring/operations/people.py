"""Everything that changes players and partnerships."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import write_entry
from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict, Refused
from scoring import versions
from scoring.events import Event
from scoring.models import Partnership, Player, Scoresheet
from scoring.names import NearDuplicate, clean_name, near_duplicates, search_key


class SamePlayerTwice(Refused):
    """One player would sit at a table twice. ``name`` is the player's."""

    def __init__(self, name: str) -> None:
        super().__init__(
            _("“%(name)s” stands there twice; a table has four different players.") % {"name": name}
        )
        self.name = name


class AccountTaken(Conflict):
    """The account is another player's of the same club."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A partnership as it was named: ``player_ids`` in that order, N or E first."""

    partnership_id: int
    player_ids: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsFound:
    """The pairs that were asked for, in their order, and what had to be made for them."""

    pairs: tuple[Pair, ...]
    players_made: tuple[str, ...]
    partnerships_made: tuple[str, ...]
    """As they were first named."""
    near_duplicates: tuple[NearDuplicate, ...]
    """Of the players made: the names the club had, or got with them, that may be the same person."""


@transaction.atomic
def find_or_make_partnerships(
    *, actor: Actor, club_id: int, names: Iterable[tuple[str, str]], at: datetime
) -> PairsFound:
    """Find each pair of names in the club, or make what is missing. Seven queries, however many pairs.

    Opens a transaction or runs in the caller's. Two processes that make the same player at once make one.

    :raises Forbidden: if the actor may not record deals in the club.
    :raises NameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if the two names of a pair are one.
    """
    require(actor, Action.RECORD_DEAL, club_id=club_id)
    return _find_or_make(club_id, [_clean_pair(pair) for pair in names], at)


def _find_or_make(club_id: int, wanted: Sequence[tuple[str, str]], at: datetime) -> PairsFound:
    known = dict(Player.objects.filter(club=club_id).values_list("name", "pk"))
    made = [name for name in dict.fromkeys(name for pair in wanted for name in pair) if name not in known]
    ids = known | _make_players(club_id, made, at)
    partnerships, partnerships_made = _find_or_make_rows(club_id, wanted, ids, at)
    return PairsFound(
        pairs=tuple(
            Pair(partnerships[_unordered(ids[one], ids[two])], (ids[one], ids[two])) for one, two in wanted
        ),
        players_made=tuple(made),
        partnerships_made=partnerships_made,
        near_duplicates=_near_duplicates(made, known),
    )


@transaction.atomic
def propose_partnership(*, actor: Actor, club_id: int, names: tuple[str, str], at: datetime) -> PairsFound:
    """Find the pair that a user wants to play in, or make what is missing: the first name is the user's own.

    Where the user has a player in the club, that is the one, whatever the first name. Who calls it has decided that
    it may be done.

    :raises Forbidden: if the actor is nobody.
    :raises NameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if the two names are one.
    :raises AccountTaken: if the first name is a player's who has another account.
    """
    require(actor, Action.ENTER_TOURNAMENT, club_id=club_id)
    own = Player.objects.filter(club=club_id, user=actor.user_id, user__isnull=False).first()
    wanted = _clean_pair((own.name if own is not None else names[0], names[1]))
    if own is None and Player.objects.filter(club=club_id, name=wanted[0], user__isnull=False).exists():
        raise AccountTaken(_("“%(name)s” is a player with another account.") % {"name": wanted[0]})
    return _find_or_make(club_id, [wanted], at)


def _clean_pair(pair: tuple[str, str]) -> tuple[str, str]:
    one, two = clean_name(pair[0]), clean_name(pair[1])
    if one == two:
        raise SamePlayerTwice(one)
    return one, two


def _make_players(club_id: int, names: Sequence[str], at: datetime) -> dict[str, int]:
    if not names:
        return {}
    Player.objects.bulk_create(
        (Player(club_id=club_id, name=name, search_key=search_key(name), created_at=at) for name in names),
        ignore_conflicts=True,
    )
    return dict(Player.objects.filter(club=club_id, name__in=names).values_list("name", "pk"))


def _find_or_make_rows(
    club_id: int, wanted: Sequence[tuple[str, str]], ids: Mapping[str, int], at: datetime
) -> tuple[dict[tuple[int, int], int], tuple[str, ...]]:
    """Return the partnerships by the ids of their players, and the names of those that were made."""
    names = {_unordered(ids[one], ids[two]): f"{one} & {two}" for one, two in reversed(wanted)}
    known = _rows(club_id, names)
    missing = [pair for pair in names if pair not in known]
    if not missing:
        return known, ()
    Partnership.objects.bulk_create(
        (Partnership(club_id=club_id, first_id=one, second_id=two, created_at=at) for one, two in missing),
        ignore_conflicts=True,
    )
    return _rows(club_id, names), tuple(sorted(names[pair] for pair in missing))


def _rows(club_id: int, pairs: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], int]:
    firsts = {first for first, _second in pairs}
    rows = Partnership.objects.filter(club=club_id, first__in=firsts)
    found = {(first, second): pk for first, second, pk in rows.values_list("first_id", "second_id", "pk")}
    return {pair: pk for pair, pk in found.items() if pair in pairs}


def _unordered(one: int, two: int) -> tuple[int, int]:
    return (one, two) if one < two else (two, one)


def _near_duplicates(made: Sequence[str], known: Iterable[str]) -> tuple[NearDuplicate, ...]:
    """Return the near duplicates among the old names and, of two new ones, the later with the earlier."""
    if not made:
        return ()
    place = {name: number for number, name in enumerate(made)}
    found = near_duplicates(made, [*known, *made])
    return tuple(near for near in found if place.get(near.existing, -1) < place[near.name])


@transaction.atomic
def anonymise_player(*, actor: Actor, player_id: int, at: datetime) -> None:
    """Take a player's name and account away for good; what was played stays. Doing it again changes nothing.

    :raises NotFound: if there is no such player.
    :raises Forbidden: if the actor does not manage the club.
    """
    player = Player.objects.select_for_update().filter(pk=player_id).first()
    if player is None:
        raise NotFound
    require(actor, Action.MANAGE_CLUB, club_id=player.club_id)
    if player.anonymised_at is not None:
        return
    name = f"Player {player.uid.hex[:8]}"
    Player.objects.filter(pk=player_id).update(
        name=name, search_key=search_key(name), user=None, anonymised_at=at
    )
    seated = Q(north=player) | Q(south=player) | Q(east=player) | Q(west=player)
    versions.advance(Scoresheet.objects.filter(seated).values_list("collection", flat=True))
    write_entry(
        actor=actor,
        what=Event.PLAYER_ANONYMISED,
        at=at,
        club_id=player.club_id,
        detail={"player": str(player.uid)},
    )


@transaction.atomic
def link_player(*, actor: Actor, player_id: int, user_id: int | None, at: datetime) -> None:
    """Say which account a player has, or None.

    :raises NotFound: if there is no such player.
    :raises Forbidden: if the actor does not manage the club.
    :raises AccountTaken: if the account is another player's of the club.
    """
    player = Player.objects.select_for_update().filter(pk=player_id).first()
    if player is None:
        raise NotFound
    require(actor, Action.MANAGE_CLUB, club_id=player.club_id)
    others = Player.objects.filter(club=player.club_id, user=user_id).exclude(pk=player_id)
    if user_id is not None and others.exists():
        raise AccountTaken(_("Another player of the club has this account."))
    Player.objects.filter(pk=player_id).update(user=user_id)
    detail = {"player": str(player.uid), "user": user_id}
    write_entry(actor=actor, what=Event.PLAYER_LINKED, at=at, club_id=player.club_id, detail=detail)
