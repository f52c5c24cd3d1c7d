"""Everything that changes players and partnerships."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import club_by_slug
from courtpiece.accounts.refusals import Conflict, Refused
from scoring.models import Partnership, Player
from scoring.names import NearDuplicate, clean_name, near_duplicates, search_key
from scoring.operations.naming import add_name_keys


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
    """Find each pair of names in the club, or make what is missing. Eight queries, however many pairs.

    A player who hides the own name is found by it all the same, and one who was merged by the name it had.

    Opens a transaction or runs in the caller's. Two processes that make the same player at once make one.

    :raises Forbidden: if the actor may not record deals in the club.
    :raises NameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if the two names of a pair are one.
    """
    require(actor, Action.RECORD_DEAL, club_id=club_id)
    return _find_or_make(club_id, [_clean_pair(pair) for pair in names], at)


def _find_or_make(club_id: int, wanted: Sequence[tuple[str, str]], at: datetime) -> PairsFound:
    rows = Player.objects.filter(club=club_id).values_list("name", "hidden_name", "pk", "merged_into")
    public, hidden, persons = {}, {}, {}
    for name, hidden_name, pk, merged_into in rows:
        public[name] = pk
        persons[pk] = pk if merged_into is None else merged_into
        if hidden_name:
            hidden[hidden_name] = pk
    known = hidden | public
    made = [name for name in dict.fromkeys(name for pair in wanted for name in pair) if name not in known]
    ids = known | _make_players(club_id, made, at)
    for one, two in wanted:
        if persons.get(ids[one], ids[one]) == persons.get(ids[two], ids[two]):
            raise SamePlayerTwice(two)
    partnerships, partnerships_made = _find_or_make_rows(club_id, wanted, ids, at)
    return PairsFound(
        pairs=tuple(
            Pair(partnerships[_unordered(ids[one], ids[two])], (ids[one], ids[two])) for one, two in wanted
        ),
        players_made=tuple(made),
        partnerships_made=partnerships_made,
        near_duplicates=_near_duplicates(made, public),
    )


@transaction.atomic
def propose_partnership(*, actor: Actor, club_id: int, names: tuple[str, str], at: datetime) -> PairsFound:
    """Find the pair that a user wants to play in, or make what is missing: the first name is the user's own.

    Where the user has a player in the club, that is the one, whatever the first name. Who calls it has decided that
    it may be done.

    :raises Forbidden: if the actor is nobody.
    :raises NameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if the two names are one.
    :raises AccountTaken: if the first name is a player's who has another account, or one of the names is hidden.
    """
    require(actor, Action.ENTER_TOURNAMENT, club_id=club_id)
    own = Player.objects.filter(club=club_id, user=actor.user_id, user__isnull=False).first()
    wanted = _clean_pair((own.name if own is not None else names[0], names[1]))
    named = Q(name=wanted[0], user__isnull=False) | Q(hidden_name=wanted[0])
    if own is None and Player.objects.filter(named, club=club_id).exists():
        raise AccountTaken(_("“%(name)s” is a player with another account.") % {"name": wanted[0]})
    if Player.objects.filter(club=club_id, hidden_name=wanted[1]).exists():
        # To enter them would tell under which name they are shown.
        raise AccountTaken(_("Ask a director to enter this pair."))
    return _find_or_make(club_id, [wanted], at)


@transaction.atomic(durable=True)
def name_player(*, actor: Actor, club: str, name: str, at: datetime) -> UUID:
    """Return the player of that name in the club at that address, who is made where there is none.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not record deals in the club.
    :raises NameRefused: if it cannot be a name.
    """
    club_id = club_by_slug(club, actor=actor).id
    require(actor, Action.RECORD_DEAL, club_id=club_id)
    kept = clean_name(name)
    hidden = Player.objects.filter(club=club_id, hidden_name=kept).first()
    if hidden is not None:
        return hidden.uid
    (player_id,) = _make_players(club_id, [kept], at).values()
    return Player.objects.get(pk=player_id).uid


@transaction.atomic(durable=True)
def name_partnership(*, actor: Actor, club: str, names: tuple[str, str], at: datetime) -> UUID:
    """Return the partnership of these two in the club at that address; what is missing is made.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not record deals in the club.
    :raises NameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if the two names are one.
    """
    club_id = club_by_slug(club, actor=actor).id
    found = find_or_make_partnerships(actor=actor, club_id=club_id, names=[names], at=at)
    return Partnership.objects.get(pk=found.pairs[0].partnership_id).uid


def _clean_pair(pair: tuple[str, str]) -> tuple[str, str]:
    one, two = clean_name(pair[0]), clean_name(pair[1])
    if one == two:
        raise SamePlayerTwice(one)
    return one, two


def _make_players(club_id: int, names: Sequence[str], at: datetime) -> dict[str, int]:
    if not names:
        return {}
    Player.objects.bulk_create(
        # In one order, or two processes that make the same people would wait for each other.
        (
            Player(club_id=club_id, name=name, search_key=search_key(name), created_at=at)
            for name in sorted(names)
        ),
        ignore_conflicts=True,
    )
    made = dict(Player.objects.filter(club=club_id, name__in=names).values_list("name", "pk"))
    add_name_keys({pk: name for name, pk in made.items()})
    return made


def _find_or_make_rows(
    club_id: int, wanted: Sequence[tuple[str, str]], ids: Mapping[str, int], at: datetime
) -> tuple[dict[tuple[int, int], int], tuple[str, ...]]:
    """Return the partnerships by the ids of their players, the lower first, and the names of those that were made."""
    named = {_unordered(ids[one], ids[two]): (one, two) for one, two in reversed(wanted)}
    known = _rows(club_id, named)
    missing = sorted(pair for pair in named if pair not in known)
    if not missing:
        return known, ()
    Partnership.objects.bulk_create(
        # In one order, as players are made; the two of each in the order in which they were named.
        (
            Partnership(club_id=club_id, first_id=ids[one], second_id=ids[two], created_at=at)
            for one, two in map(named.__getitem__, missing)
        ),
        ignore_conflicts=True,
    )
    return _rows(club_id, named), tuple(sorted(" & ".join(named[pair]) for pair in missing))


def _rows(club_id: int, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    wanted = set(pairs)
    people = {pk for pair in wanted for pk in pair}
    rows = Partnership.objects.filter(club=club_id, first__in=people, second__in=people)
    found = {
        _unordered(first, second): pk for first, second, pk in rows.values_list("first_id", "second_id", "pk")
    }
    return {pair: pk for pair, pk in found.items() if pair in wanted}


def _unordered(one: int, two: int) -> tuple[int, int]:
    return (one, two) if one < two else (two, one)


def _near_duplicates(made: Sequence[str], known: Iterable[str]) -> tuple[NearDuplicate, ...]:
    """Return the near duplicates among the old names and, of two new ones, the later with the earlier."""
    if not made:
        return ()
    place = {name: number for number, name in enumerate(made)}
    found = near_duplicates(made, [*known, *made])
    return tuple(near for near in found if place.get(near.existing, -1) < place[near.name])
