"""What an archive has of people and scoresheets, read for whoever may see what they are counted in."""

from collections import defaultdict
from collections.abc import Collection as Ids
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from django.db.models import Exists, Max, OuterRef

from courtpiece.accounts.permissions import Action, Actor, may
from scoring.domain.archive_checks import sealed
from scoring.domain.archived import (
    ArchivedDeal,
    ArchivedLine,
    ArchivedPartnership,
    ArchivedPlayer,
    ArchivedRevision,
    ArchivedSheet,
    ArchivedTotals,
    BySide,
    DealRuling,
    PlacedProblem,
    Seats,
    StandingProblem,
    archived_outcome,
)
from scoring.models import Collection, Deal, Partnership, Player, Revision, Scoresheet
from scoring.queries.holding import NO_DELAY
from scoring.sheets import stored_outcome

SHEETS_AT_ONCE: Final = 50
"""That are in memory together."""


@dataclass(frozen=True, slots=True)
class ArchivedPeople:
    """Everybody whom an archive names, in the order in which the club knew them."""

    players: tuple[ArchivedPlayer, ...]
    partnerships: tuple[ArchivedPartnership, ...]


def archived_people(collection_id: int, *, partnership_ids: Ids[int], player_ids: Ids[int]) -> ArchivedPeople:
    """Return these people, and those of the collection's scoresheets. Three queries."""
    columns = ("ns", "ew", "north", "south", "east", "west")
    rows = Scoresheet.objects.filter(collection=collection_id).values_list(*columns)
    pairs, people = set(partnership_ids), set(player_ids)
    for ns, ew, *seated in rows:
        pairs |= {cast(int, ns), cast(int, ew)}
        people |= {cast(int, one) for one in seated}
    partnerships = list(Partnership.objects.filter(pk__in=pairs).order_by("pk"))
    people |= {pk for row in partnerships for pk in (row.first_id, row.second_id)}
    players = list(Player.objects.filter(pk__in=people).order_by("pk"))
    uids = {row.pk: row.uid for row in players}
    return ArchivedPeople(
        players=tuple(
            ArchivedPlayer(id=row.uid, name=row.name, anonymised=row.anonymised_at is not None)
            for row in players
        ),
        partnerships=tuple(
            ArchivedPartnership(id=row.uid, players=(uids[row.first_id], uids[row.second_id]))
            for row in partnerships
        ),
    )


def archived_sheets(collection_id: int) -> Iterator[ArchivedSheet]:
    """Yield the collection's scoresheets in the order in which they were made, some at a time in memory.

    One query, and four for each fifty.
    """
    ids = list(
        Scoresheet.objects.filter(collection=collection_id).order_by("pk").values_list("pk", flat=True)
    )
    for start in range(0, len(ids), SHEETS_AT_ONCE):
        yield from _sheets(ids[start : start + SHEETS_AT_ONCE])


def cards_held_until(collection_id: int, *, actor: Actor, now: datetime) -> datetime | None:
    """Return until when cards of the collection are held back from the actor; None where none are. Two queries at most.

    What was written before is no news: the text of a revision that a ruling repeats was shown before.
    """
    collection = Collection.objects.get(pk=collection_id)
    delay = collection.cards_delay
    if delay <= NO_DELAY or may(actor, Action.VIEW_HELD_CARDS, club_id=collection.club_id):
        return None
    fresh = Revision.objects.filter(deal__scoresheet__collection=collection_id, made_at__gt=now - delay)
    earlier = Revision.objects.filter(
        deal=OuterRef("deal"), pcn=OuterRef("pcn"), number__lt=OuterRef("number")
    )
    last = fresh.exclude(Exists(earlier)).aggregate(last=Max("made_at"))["last"]
    return None if last is None else cast(datetime, last) + delay


# -- rows to values


def _sheets(ids: Sequence[int]) -> Iterator[ArchivedSheet]:
    tree = ("ns", "ew", "north", "south", "east", "west")
    deals: defaultdict[int, list[Deal]] = defaultdict(list)
    for deal in Deal.objects.filter(scoresheet__in=ids).order_by("number"):
        deals[deal.scoresheet_id].append(deal)
    revisions: defaultdict[int, list[Revision]] = defaultdict(list)
    written = Revision.objects.filter(deal__scoresheet__in=ids).select_related("ruling", "made_by")
    for revision in written.order_by("number"):
        revisions[revision.deal_id].append(revision)
    for row in Scoresheet.objects.filter(pk__in=ids).select_related(*tree).order_by("pk"):
        yield sealed(_sheet(row, [_deal(deal, revisions[deal.pk]) for deal in deals[row.pk]]))


def _sheet(row: Scoresheet, deals: Iterable[ArchivedDeal]) -> ArchivedSheet:
    # A scoresheet of a collection is a club's, and has its people.
    pairs = cast("tuple[Partnership, Partnership]", (row.ns, row.ew))
    seated = cast("tuple[Player, Player, Player, Player]", (row.north, row.east, row.south, row.west))
    north, east, south, west = (player.uid for player in seated)
    return ArchivedSheet(
        id=row.uid,
        ns=pairs[0].uid,
        ew=pairs[1].uid,
        seats=Seats(N=north, E=east, S=south, W=west),
        rules=row.rules,
        event=row.event,
        site=row.site,
        date=row.date,
        round=row.round,
        table=row.table,
        source=row.source,
        created_at=row.created_at,
        version=row.version,
        deals=tuple(deals),
        totals=_totals(row),
        sha256="",
    )


def _by_side(row: Any, name: str) -> BySide:
    return BySide(NS=getattr(row, f"{name}_ns"), EW=getattr(row, f"{name}_ew"))


def _totals(row: Scoresheet) -> ArchivedTotals:
    return ArchivedTotals(
        deals=row.deals_count,
        problem_deals=row.problem_deals,
        courts=_by_side(row, "courts"),
        deals_won=_by_side(row, "deals"),
        bavneys=_by_side(row, "bavneys"),
        goon_courts=_by_side(row, "goon_courts"),
        revokes=_by_side(row, "revokes"),
        runs=_by_side(row, "runs"),
        next_dealer=cast(Any, row.next_dealer or None),
    )


def _deal(row: Deal, revisions: Iterable[Revision]) -> ArchivedDeal:
    return ArchivedDeal(
        id=row.uid,
        number=row.number,
        revisions=tuple(_revision(one) for one in revisions),
        ledger=ArchivedLine(
            run_courts=_by_side(row, "run_courts"),
            courts=_by_side(row, "match_courts"),
            runs=_by_side(row, "match_runs"),
        ),
        problems=tuple(
            StandingProblem(code=one["code"], kind=one["kind"], message=one["message"])
            for one in row.problems
        ),
    )


def _revision(row: Revision) -> ArchivedRevision:
    ruling = getattr(row, "ruling", None)
    return ArchivedRevision(
        number=row.number,
        kind=cast(Any, row.kind),
        pcn=row.pcn,
        finding=row.finding,
        problems=tuple(
            PlacedProblem(
                code=one["code"],
                kind=one["kind"],
                message=one["message"],
                file=one["file"],
                record=one["record"],
                line=one["line"],
                column=one["column"],
            )
            for one in row.problems
        ),
        outcome=archived_outcome(stored_outcome(row)),
        revoked=cast(Any, row.revoked or None),
        ruling=None if ruling is None else DealRuling(law=ruling.law, reason=ruling.reason),
        made_by=row.made_by_name if row.made_by is None else row.made_by.display_name,
        made_via=cast(Any, row.made_via),
        made_at=row.made_at,
        reason=row.reason,
        source=row.source,
    )
