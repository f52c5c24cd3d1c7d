"""What a search asks for, as conditions on rows: people by name in any script, dates, rules, revokes, cards held.

People are found by keys that were written when they were named (``models.NameKey``); few remain, and these are compared
by sound in full. Deals are found by columns of their own. Of cards held there is an index in no database that holds at
this size, so such a search looks through so many deals and says where it stopped.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import ClassVar, Final

from django.db.models import F, Q, QuerySet
from django.db.models.lookups import Exact, GreaterThanOrEqual, LessThanOrEqual
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, clubs_where
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import Seat
from scoring.domain.cards_sought import Holder, NoCards, caller_of, cards_of
from scoring.models import FIRST_DAY, Deal, NameKey, Player, Scoresheet
from scoring.names import is_found, keys_typed

MOST_CANDIDATES: Final = 2000
"""Names that are compared with what was typed."""
MOST_PEOPLE: Final = 100
"""Of whom matches and deals are looked for at a time."""
DEALS_LOOKED_THROUGH: Final = 25_000
"""For cards held, in one part of a list."""
SEATS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}
_DATE: Final = re.compile(r"(\d{4})(?:[.-](\d\d)(?:[.-](\d\d))?)?")


class BadDateAsked(Refused):
    """A date is not written as one. ``field`` says which."""

    def __init__(self, field: str) -> None:
        super().__init__(_("Write a date as 2026.11.30, or a month as 2026.11, or a year."))
        self.field = field  # type: ignore[misc]


class BadCardsAsked(Refused):
    """What is to be held is no cards."""

    field: ClassVar[str] = "held"


class TooManyPeople(Refused):
    """So many players have such a name that no deals of theirs are looked for."""

    field: ClassVar[str] = "name"


class NoPlayerNamed(Refused):
    """Something is asked of a player, and none is named."""

    field: ClassVar[str] = "name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What is asked of matches or deals beyond their own columns; what is None does not matter."""

    name: str | None = None
    """Somebody at the table, by a name in any script."""
    partner: str | None = None
    """With whom; the same."""
    date_from: str | None = None
    """``2026.11.30``, ``2026-11-30``, ``2026.11`` or ``2026``; both ends are included."""
    date_to: str | None = None
    game: str | None = None
    """Rules by their name alone, whatever their options."""
    revoke_by: str | None = None
    """``any``, a seat's letter, or ``player``: who is named."""
    held: str | None = None
    """Cards, as a person writes them."""
    held_by: str | None = None
    """A value of ``Holder``."""

    @property
    def tells_of_cards(self) -> bool:
        """Whether it is answered by what cards tell."""
        return self.held is not None or self.revoke_by is not None


@dataclass(frozen=True, slots=True)
class People:
    """The players who are named, by ids; None where nobody is."""

    named: tuple[int, ...] | None
    partners: tuple[int, ...] | None


# -- people


def named_players(typed: str, *, actor: Actor, club: str | None = None) -> tuple[int, ...]:
    """Return the ids of the players in whose name every word that was typed begins a word, or sounds so, by name.

    Whom somebody was merged into is found by either name, and both rows are given. Hidden names are found by those who
    may see them. One query, one more for a director. Takes at most ``MOST_CANDIDATES`` names.
    """
    players = Player.objects.all() if club is None else Player.objects.filter(club__slug=club)
    keys = keys_typed(typed)
    if not keys:
        return ()
    rows = players
    for beginnings in keys:
        begins = Q()
        for beginning in sorted(beginnings):
            begins |= Q(key__startswith=beginning)
        rows = rows.filter(pk__in=NameKey.objects.filter(begins).values("player"))
    candidates = rows.order_by("name", "pk").values_list("pk", "name")[:MOST_CANDIDATES]
    found = [pk for pk, name in candidates if is_found(name, typed)]
    clubs = clubs_where(actor, Action.VIEW_HIDDEN_NAMES)
    if clubs is None or clubs:
        hidden = players.exclude(hidden_name="")
        if clubs is not None:
            hidden = hidden.filter(club__in=clubs)
        known = frozenset(found)
        names = hidden.order_by("hidden_name", "pk").values_list("pk", "hidden_name")
        found += [pk for pk, name in names if pk not in known and is_found(name, typed)]
    return tuple(found)


def persons_of(player_ids: Collection[int]) -> tuple[int, ...]:
    """Return all rows of the persons that these players are: whom they are merged into, and all merged. One query."""
    if not player_ids:
        return ()
    mine = Q(pk__in=player_ids) | Q(duplicates__in=player_ids)
    roots = Player.objects.filter(mine).values_list("pk", "merged_into")
    ids = {pk if into is None else into for pk, into in roots} | set(player_ids)
    merged = Player.objects.filter(merged_into__in=ids).values_list("pk", flat=True)
    return tuple(sorted(ids | set(merged)))


def people_sought(sought: Sought, *, actor: Actor, club: str | None) -> People:
    """Return who is named. Three queries for each name, none without.

    :raises TooManyPeople: if so many have such a name that it tells nothing.
    """
    return People(
        _persons(sought.name, actor, club, "name"), _persons(sought.partner, actor, club, "partner")
    )


def _persons(typed: str | None, actor: Actor, club: str | None, field: str) -> tuple[int, ...] | None:
    if typed is None:
        return None
    found = named_players(typed, actor=actor, club=club)
    if len(found) > MOST_PEOPLE:
        refusal = TooManyPeople(
            _("More than %(most)d players have such a name. Write more of it, or choose the club.")
            % {"most": MOST_PEOPLE}
        )
        refusal.field = field  # type: ignore[misc]
        raise refusal
    return persons_of(found)


# -- matches


def sheets_sought(rows: QuerySet[Scoresheet], sought: Sought, people: People) -> QuerySet[Scoresheet]:
    """Return those of the scoresheets that are asked for.

    :raises BadDateAsked: if a date is none.
    """
    if sought.date_from is not None:
        rows = rows.filter(GreaterThanOrEqual(FIRST_DAY, _first_day(sought.date_from)))
    if sought.date_to is not None:
        rows = rows.filter(LessThanOrEqual(FIRST_DAY, _last_day(sought.date_to))).exclude(date="")
    if sought.game is not None:
        rows = rows.filter(Q(rules=sought.game) | Q(rules__startswith=f"{sought.game} "))
    if people.partners is not None and people.named is not None:
        return rows.filter(_together(people.named, people.partners))
    for ids in (people.named, people.partners):
        if ids is not None:
            rows = rows.filter(_at_the_table(ids))
    return rows


def _at_the_table(ids: Sequence[int]) -> Q:
    return Q(north__in=ids) | Q(south__in=ids) | Q(east__in=ids) | Q(west__in=ids)


def _together(ones: Sequence[int], others: Sequence[int]) -> Q:
    """Return the condition that one of each sat on one side."""
    found = Q()
    for one, other in (("north", "south"), ("east", "west")):
        found |= Q(**{f"{one}__in": ones, f"{other}__in": others})
        found |= Q(**{f"{one}__in": others, f"{other}__in": ones})
    return found


def _first_day(text: str) -> str:
    """Return the day from which on is asked; the first of a month begins with the days that are not known."""
    year, month, day = _parts(text, "date_from")
    day = "00" if day in (None, "01") else day
    month = "00" if month is None or (month, day) == ("01", "00") else month
    return f"{year}.{month}.{day}"


def _last_day(text: str) -> str:
    year, month, day = _parts(text, "date_to")
    return f"{year}.{month or '99'}.{day or '99'}"


def _parts(text: str, field: str) -> tuple[str, str | None, str | None]:
    match = _DATE.fullmatch(text.strip())
    if match is None or not match[0].isascii():
        raise BadDateAsked(field)
    return match[1], match[2], match[3]


# -- deals


def deals_sought(rows: QuerySet[Deal], sought: Sought, people: People) -> QuerySet[Deal]:
    """Return those of the deals that are asked for, by what they keep of revokes and cards.

    :raises BadCardsAsked: if the cards are none.
    :raises NoPlayerNamed: if it is asked of a player, and none is named.
    """
    if sought.revoke_by is not None:
        rows = rows.filter(_revoked_by(sought.revoke_by, people))
    if sought.held is None:
        return rows
    return rows.filter(_holds(Holder(sought.held_by or Holder.ANY), _mask(sought.held), people))


def _revoked_by(whom: str, people: People) -> Q:
    if whom in SEATS:
        return ~Q(revoked="") & Q(revoker=whom)
    if whom != Holder.PLAYER:
        return ~Q(revoked="")
    seats = _seats_of(people)
    mine = Q()
    for seat, ids in seats:
        mine |= Q(revoker=seat, **{f"scoresheet__{SEATS[seat]}__in": ids})
    return ~Q(revoked="") & mine


def _holds(holder: Holder, mask: int, people: People) -> Q:
    held = {seat: Q(Exact(F(f"cards_{seat.lower()}").bitand(mask), mask)) for seat in SEATS}
    if holder.value in SEATS:
        return held[holder.value]
    return reduce(or_, _ways_to_hold(holder, held, people))


def _ways_to_hold(holder: Holder, held: Mapping[str, Q], people: People) -> Iterator[Q]:
    if holder is Holder.ANY:
        yield from held.values()
    elif holder is Holder.PLAYER:
        for seat, ids in _seats_of(people):
            yield Q(**{f"scoresheet__{SEATS[seat]}__in": ids}) & held[seat]
    else:
        for dealer in Seat:
            whose = caller_of(dealer) if holder is Holder.CALLER else dealer
            yield Q(dealer=dealer.letter) & held[whose.letter]


def _seats_of(people: People) -> list[tuple[str, Sequence[int]]]:
    if people.named is None:
        raise NoPlayerNamed(_("Name the player whom you ask about."))
    return [(seat, people.named) for seat in SEATS]


def _mask(text: str) -> int:
    try:
        return cards_of(text)
    except NoCards as error:
        message = (
            _("“%(word)s” is no card. Write cards as AS KS: rank, then suit (S H D C).")
            if error.word
            else _("A hand has thirteen cards.")
        )
        raise BadCardsAsked(message % {"word": error.word[:20]} if error.word else message) from error
