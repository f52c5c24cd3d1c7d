"""The pages of players and partnerships."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet, Sum

from courtpiece.accounts.parts import Asked, PartOf, read_part
from courtpiece.accounts.permissions import Action, Actor, may
from courtpiece.accounts.queries import NotFound
from scoring.models import Deal, Partnership, Player, Scoresheet
from scoring.queries.refs import (
    CollectionRef,
    PageOf,
    PairRef,
    PersonRef,
    collection_of,
    page_of,
    person,
    seated_pair,
)
from scoring.queries.results import RESULT_COLUMNS, partnerships_by_id
from scoring.queries.sight import counting_deals, visible_scoresheets


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What somebody did in a number of matches."""

    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    courts_for: int = 0
    courts_against: int = 0
    deals_won: int = 0
    deals_lost: int = 0
    bavneys: int = 0
    goon_courts: int = 0
    revokes: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in _TALLY_FIELDS})


_TALLY_FIELDS: Final = tuple(Tally.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class PairTally:
    """What was done with, or against, a partnership."""

    pair: PairRef
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match as a list of somebody's matches shows it: ``mine`` is the side of whose list it is."""

    uid: UUID
    collection: CollectionRef | None
    event: str
    date: str
    round: str
    table: str
    rules: str
    mine: PairRef
    theirs: PairRef
    courts_for: int
    courts_against: int
    deals_won: int
    deals_lost: int
    result: str
    """``won``, ``drawn`` or ``lost``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDealLine:
    """A deal as a list of somebody's deals shows it, seen from their side."""

    uid: UUID
    number: int
    event: str
    date: str
    mine: PairRef
    theirs: PairRef
    award: str
    result: str
    """``won`` or ``lost``."""
    tricks_for: int
    tricks_against: int
    courts_for: int
    courts_against: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """A player: what was played, with whom, against whom, with what success."""

    uid: UUID
    name: str
    club_name: str
    club_slug: str
    tally: Tally
    partners: tuple[PairTally, ...]
    opponents: tuple[PairTally, ...]
    """The ten met most often."""
    matches: PageOf[MatchLine] | None
    deals: PageOf[PlayedDealLine] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerHistory:
    """A player with all partners and opponents, and a part of the matches."""

    player: PersonRef
    tally: Tally
    partners: tuple[PairTally, ...]
    opponents: tuple[PairTally, ...]
    matches: PartOf[MatchLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipPage:
    """A partnership: what it played, against whom, with what success."""

    pair: PairRef
    club_name: str
    club_slug: str
    tally: Tally
    opponents: tuple[PairTally, ...]
    matches: PageOf[MatchLine] | None
    deals: PageOf[PlayedDealLine] | None


SidedSheets = QuerySet[Any]
"""Scoresheets that say with ``is_ns`` on which side somebody sat, which no type of Django's can."""


def player_page(uid: UUID, *, actor: Actor, page: int = 1, show: str = "matches") -> PlayerPage:
    """Return the player with a page of the matches, or with ``show="deals"`` of the deals. Five queries.

    Only what the actor finds in lists is counted, and a player of whom nothing is found does not exist for
    somebody who may not see the club's members.

    :raises NotFound: if there is none.
    """
    player = Player.objects.select_related("club").filter(uid=uid).first()
    if player is None:
        raise NotFound
    sheets = _sheets_of_player(player, actor)
    encounters = _encounters(sheets)
    _require_person(actor, player.club_id, encounters, {player.user_id})
    names = partnerships_by_id(pk for met in encounters for pk in (met.mine, met.theirs))
    return PlayerPage(
        uid=player.uid,
        name=player.name,
        club_name=player.club.name,
        club_slug=player.club.slug,
        tally=_sum(met.tally for met in encounters),
        partners=_by_pair(((met.mine, met.tally) for met in encounters), names),
        opponents=_by_pair(((met.theirs, met.tally) for met in encounters), names)[:OPPONENTS_SHOWN],
        matches=None if show == "deals" else _matches(sheets, page),
        deals=_played_deals(sheets, page) if show == "deals" else None,
    )


def player_history(uid: UUID, *, actor: Actor, asked: Asked) -> PlayerHistory:
    """Return the player with a part of the matches, the latest first. Four queries.

    What is counted, and for whom the player exists, is as on the player's page.

    :raises NotFound: if there is no such player.
    :raises BadCursor: if the cursor is none of this list.
    """
    player = Player.objects.filter(uid=uid).first()
    if player is None:
        raise NotFound
    sheets = _sheets_of_player(player, actor)
    encounters = _encounters(sheets)
    _require_person(actor, player.club_id, encounters, {player.user_id})
    names = partnerships_by_id(pk for met in encounters for pk in (met.mine, met.theirs))
    return PlayerHistory(
        player=person(player),
        tally=_sum(met.tally for met in encounters),
        partners=_by_pair(((met.mine, met.tally) for met in encounters), names),
        opponents=_by_pair(((met.theirs, met.tally) for met in encounters), names),
        matches=read_part(
            sheets.select_related("collection", *_PEOPLE), ("-date", "-pk"), _match_lines, asked=asked
        ),
    )


def _match_lines(sheets: Sequence[Any]) -> list[MatchLine]:
    return list(map(_match_line, sheets))


def _sheets_of_player(player: Player, actor: Actor) -> SidedSheets:
    whose = _Whose(ns=Q(north=player) | Q(south=player), ew=Q(east=player) | Q(west=player))
    return whose.sheets(actor)


def partnership_page(uid: UUID, *, actor: Actor, page: int = 1, show: str = "matches") -> PartnershipPage:
    """Return the partnership with a page of its matches, or with ``show="deals"`` of its deals. Five queries.

    Only what the actor finds in lists is counted, as of a player.

    :raises NotFound: if there is none.
    """
    pair = Partnership.objects.select_related("club", "first", "second").filter(uid=uid).first()
    if pair is None:
        raise NotFound
    sheets = _Whose(ns=Q(ns=pair), ew=Q(ew=pair)).sheets(actor)
    encounters = _encounters(sheets)
    _require_person(actor, pair.club_id, encounters, {pair.first.user_id, pair.second.user_id})
    names = partnerships_by_id(met.theirs for met in encounters)
    return PartnershipPage(
        pair=PairRef(pair.uid, (person(pair.first), person(pair.second))),
        club_name=pair.club.name,
        club_slug=pair.club.slug,
        tally=_sum(met.tally for met in encounters),
        opponents=_by_pair(((met.theirs, met.tally) for met in encounters), names),
        matches=None if show == "deals" else _matches(sheets, page),
        deals=_played_deals(sheets, page) if show == "deals" else None,
    )


OPPONENTS_SHOWN: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whose:
    """Whose matches: those in which they sat North and South, and those in which they sat East and West."""

    ns: Q
    ew: Q

    def sheets(self, actor: Actor) -> SidedSheets:
        """Return what the actor finds in lists of the matches with a deal that counts."""
        sheets = visible_scoresheets(actor).filter(self.ns | self.ew, deals_count__gt=0)
        return sheets.annotate(is_ns=ExpressionWrapper(self.ns, BooleanField()))


@dataclass(frozen=True, slots=True)
class _Encounter:
    """All matches of one partnership against another, by ids."""

    mine: int
    theirs: int
    tally: Tally


def _encounters(sheets: SidedSheets) -> tuple[_Encounter, ...]:
    """Return the matches by partnerships. One query, a row for each two that met."""
    rows = sheets.values("is_ns", "ns_id", "ew_id").annotate(
        matches=Count("pk"),
        ahead_ns=Count("pk", filter=Q(courts_ns__gt=F("courts_ew"))),
        ahead_ew=Count("pk", filter=Q(courts_ew__gt=F("courts_ns"))),
        **{f"sum_{name}": Sum(name) for name in RESULT_COLUMNS},
    )
    return tuple(_encounter(row) for row in rows.order_by())


def _encounter(row: Mapping[str, Any]) -> _Encounter:
    mine, theirs = ("ns", "ew") if row["is_ns"] else ("ew", "ns")
    won, lost = row[f"ahead_{mine}"], row[f"ahead_{theirs}"]
    tally = Tally(
        matches=row["matches"],
        won=won,
        drawn=row["matches"] - won - lost,
        lost=lost,
        courts_for=row[f"sum_courts_{mine}"],
        courts_against=row[f"sum_courts_{theirs}"],
        deals_won=row[f"sum_deals_{mine}"],
        deals_lost=row[f"sum_deals_{theirs}"],
        bavneys=row[f"sum_bavneys_{mine}"],
        goon_courts=row[f"sum_goon_courts_{mine}"],
        revokes=row[f"sum_revokes_{mine}"],
    )
    return _Encounter(row[f"{mine}_id"], row[f"{theirs}_id"], tally)


def _sum(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def _by_pair(tallies: Iterable[tuple[int, Tally]], names: Mapping[int, PairRef]) -> tuple[PairTally, ...]:
    """Return the sums by partnership, those with most matches first, equals by name."""
    sums: defaultdict[int, Tally] = defaultdict(Tally)
    for pair_id, tally in tallies:
        sums[pair_id] += tally
    lines = (PairTally(names[pair_id], tally) for pair_id, tally in sums.items())
    return tuple(sorted(lines, key=lambda line: (-line.tally.matches, line.pair.name)))


def _require_person(
    actor: Actor, club_id: int, encounters: Sequence[_Encounter], user_ids: Collection[int | None]
) -> None:
    """Do nothing if the actor finds something of the person, or may know the club's people, or is the person.

    :raises NotFound: otherwise.
    """
    is_self = actor.user_id is not None and actor.user_id in user_ids
    if not (encounters or is_self or may(actor, Action.VIEW_MEMBERS, club_id=club_id)):
        raise NotFound


_PEOPLE: Final = ("ns", "ew", "north", "south", "east", "west")


def _matches(sheets: SidedSheets, page: int) -> PageOf[MatchLine]:
    rows = sheets.select_related("collection", *_PEOPLE).order_by("-date", "-pk")
    return page_of(rows, page, _match_line)


def _played_deals(sheets: SidedSheets, page: int) -> PageOf[PlayedDealLine]:
    rows = counting_deals().filter(scoresheet__in=sheets.values("pk"))
    people = rows.select_related("scoresheet", *(f"scoresheet__{name}" for name in _PEOPLE))
    found = page_of(people.order_by("-scoresheet__date", "-scoresheet", "-number"), page, _itself)
    ids = {deal.scoresheet_id for deal in found.items}
    is_ns = dict(sheets.filter(pk__in=ids).values_list("pk", "is_ns"))
    lines = tuple(_played_deal_line(deal, is_ns=is_ns[deal.scoresheet_id]) for deal in found.items)
    return PageOf(items=lines, number=found.number, num_pages=found.num_pages, count=found.count)


def _itself(deal: Deal) -> Deal:
    return deal


def _sides(sheet: Scoresheet, *, is_ns: bool) -> tuple[PairRef, PairRef]:
    ns, ew = seated_pair(sheet, "ns"), seated_pair(sheet, "ew")
    return (ns, ew) if is_ns else (ew, ns)


def _match_line(sheet: Any) -> MatchLine:
    mine, theirs = _sides(sheet, is_ns=sheet.is_ns)
    side, other = ("ns", "ew") if sheet.is_ns else ("ew", "ns")
    courts_for, courts_against = getattr(sheet, f"courts_{side}"), getattr(sheet, f"courts_{other}")
    return MatchLine(
        uid=sheet.uid,
        collection=collection_of(sheet),
        event=sheet.event,
        date=sheet.date,
        round=sheet.round,
        table=sheet.table,
        rules=sheet.rules,
        mine=mine,
        theirs=theirs,
        courts_for=courts_for,
        courts_against=courts_against,
        deals_won=getattr(sheet, f"deals_{side}"),
        deals_lost=getattr(sheet, f"deals_{other}"),
        result="drawn" if courts_for == courts_against else "won" if courts_for > courts_against else "lost",
    )


def _played_deal_line(deal: Deal, *, is_ns: bool) -> PlayedDealLine:
    mine, theirs = _sides(deal.scoresheet, is_ns=is_ns)
    side, other = ("ns", "ew") if is_ns else ("ew", "ns")
    return PlayedDealLine(
        uid=deal.uid,
        number=deal.number,
        event=deal.scoresheet.event,
        date=deal.scoresheet.date,
        mine=mine,
        theirs=theirs,
        award=deal.award,
        result="won" if deal.winner == side.upper() else "lost",
        tricks_for=getattr(deal, f"tricks_{side}"),
        tricks_against=getattr(deal, f"tricks_{other}"),
        courts_for=getattr(deal, f"courts_{side}") + getattr(deal, f"run_courts_{side}"),
        courts_against=getattr(deal, f"courts_{other}") + getattr(deal, f"run_courts_{other}"),
    )
