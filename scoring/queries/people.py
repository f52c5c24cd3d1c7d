"""The pages of players and partnerships."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper

from courtpiece.accounts.parts import Asked, PartOf, read_part
from courtpiece.accounts.permissions import Action, Actor, Visibility, may
from courtpiece.accounts.queries import NotFound
from scoring.domain.periods import ALL_TIME, Period
from scoring.models import Deal, Partnership, Player, Scoresheet
from scoring.queries.encounters import (
    Encounter,
    PairTally,
    PlayerTally,
    SidedSheets,
    Tally,
    by_pair,
    by_player,
    encounters,
    sum_of,
)
from scoring.queries.figures import FigureSet, RunLine, Whose, figure_set, in_period, longest_runs
from scoring.queries.holding import Reader
from scoring.queries.refs import (
    CollectionRef,
    PageOf,
    PairRef,
    PersonRef,
    collection_of,
    page_of,
    page_of_deals,
    person,
    persons_ref,
    seated_pair,
)
from scoring.queries.results import partnerships_by_id
from scoring.queries.sight import counting_deals, visible_scoresheets
from scoring.queries.whose import opponent_of, person_of, whose_pair, whose_player


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
    hidden_name: str
    """The own name that is hidden, for who may see it; else empty."""
    is_anonymised: bool
    is_own: bool
    """Whether it is the reader's own player."""
    has_account: bool
    club_name: str
    club_slug: str
    figures: FigureSet
    longest: tuple[RunLine, ...]
    """The matches with the longest run of deals won."""
    against: PersonRef | PairRef | None
    """The player or the partnership against which all of it was played, where that was asked."""
    tally: Tally
    partners: tuple[PairTally, ...]
    opponents: tuple[PairTally, ...]
    """The ten met most often."""
    opposing_players: tuple[PlayerTally, ...]
    """The same of single players, whoever their partners were."""
    matches: PageOf[MatchLine] | None
    deals: PageOf[PlayedDealLine] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerHistory:
    """A player with all partners and opponents, and a part of the matches."""

    player: PersonRef
    figures: FigureSet
    longest: tuple[RunLine, ...]
    against: PersonRef | PairRef | None
    tally: Tally
    partners: tuple[PairTally, ...]
    opponents: tuple[PairTally, ...]
    opposing_players: tuple[PlayerTally, ...]
    matches: PartOf[MatchLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipPage:
    """A partnership: what it played, against whom, with what success."""

    pair: PairRef
    club_name: str
    club_slug: str
    figures: FigureSet
    longest: tuple[RunLine, ...]
    against: PersonRef | PairRef | None
    """As of a player."""
    tally: Tally
    opponents: tuple[PairTally, ...]
    matches: PageOf[MatchLine] | None
    deals: PageOf[PlayedDealLine] | None


def player_page(
    uid: UUID,
    *,
    actor: Actor,
    page: int = 1,
    show: str = "matches",
    period: Period = ALL_TIME,
    against: UUID | None = None,
    now: datetime | None = None,
) -> PlayerPage:
    """Return the player with a page of the matches, or with ``show="deals"`` of the deals. Nine queries.

    Only what the actor finds in lists is counted, and a player of whom nothing is found does not exist for
    somebody who may not see the club's members. Two or three queries more ``against`` a player or a partnership, where
    all is of the matches in which they sat on the other side. What is called in deals whose cards are held back is as
    they are ``now``; without it, it is left out. Of a player who was merged it is the page of the other.

    :raises NotFound: if there is none, or no such opponents.
    """
    player = person_of(uid)
    seen = _seen(whose_player(player), _Asked(actor, period, against, now))
    _require_person(actor, player.club_id, seen, {player.user_id})
    names = partnerships_by_id(pk for met in seen.encounters for pk in (met.mine, met.theirs))
    return PlayerPage(
        uid=player.uid,
        name=player.name,
        hidden_name=_hidden_name(player, actor),
        is_anonymised=player.anonymised_at is not None,
        is_own=actor.is_signed_in and player.user_id == actor.user_id,
        has_account=player.user_id is not None,
        club_name=player.club.name,
        club_slug=player.club.slug,
        figures=seen.figures,
        longest=seen.longest,
        against=seen.against,
        tally=sum_of(met.tally for met in seen.encounters),
        partners=by_pair(((met.mine, met.tally) for met in seen.encounters), names),
        opponents=by_pair(((met.theirs, met.tally) for met in seen.encounters), names)[:OPPONENTS_SHOWN],
        opposing_players=by_player(seen.encounters)[:OPPONENTS_SHOWN],
        matches=None if show == "deals" else _matches(seen.sheets, page),
        deals=_played_deals(seen.sheets, page) if show == "deals" else None,
    )


def player_history(
    uid: UUID,
    *,
    actor: Actor,
    asked: Asked,
    period: Period = ALL_TIME,
    against: UUID | None = None,
    now: datetime | None = None,
) -> PlayerHistory:
    """Return the player with a part of the matches, the latest first. Eight queries.

    What is counted, ``against`` whom, and for whom the player exists, is as on the player's page.

    :raises NotFound: if there is no such player, or no such opponents.
    :raises BadCursor: if the cursor is none of this list.
    """
    player = person_of(uid)
    seen = _seen(whose_player(player), _Asked(actor, period, against, now))
    _require_person(actor, player.club_id, seen, {player.user_id})
    names = partnerships_by_id(pk for met in seen.encounters for pk in (met.mine, met.theirs))
    return PlayerHistory(
        player=person(player),
        figures=seen.figures,
        longest=seen.longest,
        against=seen.against,
        tally=sum_of(met.tally for met in seen.encounters),
        partners=by_pair(((met.mine, met.tally) for met in seen.encounters), names),
        opponents=by_pair(((met.theirs, met.tally) for met in seen.encounters), names),
        opposing_players=by_player(seen.encounters),
        matches=read_part(
            seen.sheets.select_related("collection", *_PEOPLE), ("-date", "-pk"), _match_lines, asked=asked
        ),
    )


def _match_lines(sheets: Sequence[Any]) -> list[MatchLine]:
    return list(map(_match_line, sheets))


def _hidden_name(player: Player, actor: Actor) -> str:
    """Return the own name of a player who hides it, for themselves and for directors of the club; else nothing."""
    is_own = actor.is_signed_in and player.user_id == actor.user_id
    may_see = is_own or may(actor, Action.VIEW_HIDDEN_NAMES, club_id=player.club_id)
    return player.hidden_name if may_see else ""


def partnership_page(
    uid: UUID,
    *,
    actor: Actor,
    page: int = 1,
    show: str = "matches",
    period: Period = ALL_TIME,
    against: UUID | None = None,
    now: datetime | None = None,
) -> PartnershipPage:
    """Return the partnership with a page of its matches, or with ``show="deals"`` of its deals. Eight queries.

    Only what the actor finds in lists is counted, as of a player. Two or three more ``against`` somebody. What the same
    two persons played under other names, which were merged, counts too; one query more then.

    :raises NotFound: if there is none, or no such opponents.
    """
    tree = ("club", "first__merged_into", "second__merged_into")
    pair = Partnership.objects.select_related(*tree).filter(uid=uid).first()
    if pair is None:
        raise NotFound
    seen = _seen(whose_pair(pair), _Asked(actor, period, against, now))
    _require_person(actor, pair.club_id, seen, {pair.first.user_id, pair.second.user_id})
    names = partnerships_by_id(met.theirs for met in seen.encounters)
    return PartnershipPage(
        pair=persons_ref(pair),
        club_name=pair.club.name,
        club_slug=pair.club.slug,
        figures=seen.figures,
        longest=seen.longest,
        against=seen.against,
        tally=sum_of(met.tally for met in seen.encounters),
        opponents=by_pair(((met.theirs, met.tally) for met in seen.encounters), names),
        matches=None if show == "deals" else _matches(seen.sheets, page),
        deals=_played_deals(seen.sheets, page) if show == "deals" else None,
    )


OPPONENTS_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of somebody: by whom, of what time, against whom, and when."""

    actor: Actor
    period: Period
    against: UUID | None
    now: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What the reader finds of somebody's matches."""

    figures: FigureSet
    longest: tuple[RunLine, ...]
    encounters: tuple[Encounter, ...]
    sheets: SidedSheets
    """Those of the period, with ``is_ns``."""
    against: PersonRef | PairRef | None


def _seen(whose: Whose, asked: _Asked) -> _Seen:
    """Return what the reader finds of the matches with a deal that counts. Three queries, with ``against`` five or six.

    :raises NotFound: if it is asked against somebody whom they did not meet, as far as the reader finds.
    """
    opponents = None if asked.against is None else opponent_of(asked.against)
    if opponents is not None:
        whose = whose.against(opponents.whose)
    sheets = visible_scoresheets(asked.actor).filter(whose.seated, deals_count__gt=0)
    figures = figure_set(sheets, Reader(asked.actor, asked.now), asked.period, whose)
    if opponents is not None and not figures.has_any:
        raise NotFound
    sided = sheets.filter(in_period(asked.period)).annotate(is_ns=ExpressionWrapper(whose.ns, BooleanField()))
    return _Seen(
        figures=figures,
        longest=longest_runs(sheets, whose, asked.period),
        encounters=encounters(sided),
        sheets=sided,
        against=None if opponents is None else opponents.ref,
    )


def _require_person(actor: Actor, club_id: int, seen: _Seen, user_ids: Collection[int | None]) -> None:
    """Do nothing if the actor finds something of the person, or may know the club's people, or is the person.

    :raises NotFound: otherwise.
    """
    is_self = (
        actor.user_id is not None
        and actor.user_id in user_ids
        and may(actor, Action.VIEW_TOURNAMENT, visibility=Visibility.PRIVATE, is_participant=True)
    )
    if not (seen.figures.has_any or is_self or may(actor, Action.VIEW_MEMBERS, club_id=club_id)):
        raise NotFound


_PEOPLE: Final = ("ns", "ew", "north", "south", "east", "west")


def _matches(sheets: SidedSheets, page: int) -> PageOf[MatchLine]:
    rows = sheets.select_related("collection", *_PEOPLE).order_by("-date", "-pk")
    return page_of(rows, page, _match_line)


def _played_deals(sheets: SidedSheets, page: int) -> PageOf[PlayedDealLine]:
    rows = counting_deals().filter(scoresheet__in=sheets.values("pk"))
    found = page_of_deals(rows, page, _itself)
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
