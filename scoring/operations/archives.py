"""Everything that takes in what an archive has of people and scoresheets: as it was written, with its ids.

Who calls it has verified the archive, and runs it in one transaction: what is refused leaves nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.names import BadName, clean_name
from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.refusals import Conflict
from courtpiece.engine import Team
from courtpiece.notation import Reading
from scoring import figures
from scoring.bulk import insert
from scoring.domain.archived import (
    ArchivedDeal,
    ArchivedPartnership,
    ArchivedPlayer,
    ArchivedRevision,
    ArchivedSheet,
    ArchivedTotals,
    BySide,
)
from scoring.domain.ledgers import counts
from scoring.models import (
    Collection,
    Deal,
    Operation,
    Partnership,
    Player,
    Revision,
    RevisionKind,
    Scoresheet,
)
from scoring.models import Ruling as RulingRow
from scoring.names import search_key
from scoring.operations.naming import add_name_keys
from scoring.plans import FOUND_COLUMNS, OUTCOME_COLUMNS, found_values, outcome_values
from scoring.records import RecordProblem, read_kept, trump_method

SHEETS_AT_ONCE: Final = 50
"""That are in memory together."""


class ArchivedPersonElsewhere(Conflict):
    """Somebody of the archive cannot be told from somebody else whom the club knows. ``id`` is the archive's."""

    def __init__(self, message: str, *, id: UUID) -> None:  # noqa: A002 - the archive's word
        super().__init__(message)
        self.id = id


class ArchivedBefore(Conflict):
    """A scoresheet or a deal of the archive is on this site already. ``id`` is whose."""

    def __init__(self, id: UUID) -> None:  # noqa: A002 - the archive's word
        super().__init__(
            _("What has the id %(id)s in the archive is on this site already. An archive is taken in once.")
            % {"id": id}
        )
        self.id = id


@dataclass(frozen=True, slots=True)
class TakenPeople:
    """The people of an archive, by their ids, as this site has them."""

    players: Mapping[UUID, int]
    partnerships: Mapping[UUID, int]


# -- people


@transaction.atomic
def take_people(
    *,
    actor: Actor,
    club_id: int,
    players: Sequence[ArchivedPlayer],
    partnerships: Sequence[ArchivedPartnership],
    at: datetime,
) -> TakenPeople:
    """Find each player and partnership by its id in the club, or make it, in their order. Eight queries.

    Whom the club knows keeps the name that it has here.

    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises ArchivedPersonElsewhere: if the id is another club's, or the name or the two players are another's here.
    """
    require(actor, Action.MANAGE_TOURNAMENT, club_id=club_id)
    people = _take_players(club_id, players, at)
    return TakenPeople(people, _take_partnerships(club_id, partnerships, people, at))


def _take_players(club_id: int, players: Sequence[ArchivedPlayer], at: datetime) -> dict[UUID, int]:
    known = {row.uid: row for row in Player.objects.filter(uid__in=[player.id for player in players])}
    for row in known.values():
        if row.club_id != club_id:
            raise ArchivedPersonElsewhere(
                _("The player with the id %(id)s is another club's: take the archive in there.")
                % {"id": row.uid},
                id=row.uid,
            )
    new = [player for player in players if player.id not in known]
    _check_names(club_id, new)
    made = [_player(club_id, player, at) for player in new]
    Player.objects.bulk_create(made)
    ids = dict(Player.objects.filter(uid__in=[player.id for player in players]).values_list("uid", "pk"))
    add_name_keys({ids[player.id]: player.name for player in new})
    return ids


def _check_names(club_id: int, new: Sequence[ArchivedPlayer]) -> None:
    taken = dict(
        Player.objects.filter(club=club_id, name__in=[player.name for player in new]).values_list(
            "name", "uid"
        )
    )
    for player in new:
        if player.name in taken:
            message = _(
                "The club has another player of the name “%(name)s” (id %(other)s; in the archive %(id)s). Rename "
                "one of them, or take the archive in at a club of its own."
            )
            facts = {"name": player.name, "other": taken[player.name], "id": player.id}
            raise ArchivedPersonElsewhere(message % facts, id=player.id)


def _player(club_id: int, player: ArchivedPlayer, at: datetime) -> Player:
    try:
        is_kept_so = clean_name(player.name) == player.name
    except BadName:
        is_kept_so = False
    if not is_kept_so:
        message = _("“%(name)s” (id %(id)s) cannot be a player's name.") % {
            "name": player.name,
            "id": player.id,
        }
        raise ArchivedPersonElsewhere(message, id=player.id)
    return Player(
        uid=player.id,
        club_id=club_id,
        name=player.name,
        search_key=search_key(player.name),
        created_at=at,
        anonymised_at=at if player.anonymised else None,
    )


def _take_partnerships(
    club_id: int, partnerships: Sequence[ArchivedPartnership], people: Mapping[UUID, int], at: datetime
) -> dict[UUID, int]:
    uids = [pair.id for pair in partnerships]
    known = {row.uid: row for row in Partnership.objects.filter(uid__in=uids)}
    wanted = {pair.id: (people[pair.players[0]], people[pair.players[1]]) for pair in partnerships}
    everyone = {pk for players in wanted.values() for pk in players}
    rows = Partnership.objects.filter(first__in=everyone, second__in=everyone)
    there = {frozenset(pair): uid for *pair, uid in rows.values_list("first_id", "second_id", "uid")}
    for uid, players in wanted.items():
        _check_pair(uid, players, known.get(uid), there.get(frozenset(players)))
    made = [
        Partnership(uid=uid, club_id=club_id, first_id=first, second_id=second, created_at=at)
        for uid, (first, second) in wanted.items()
        if uid not in known
    ]
    Partnership.objects.bulk_create(made)
    return dict(Partnership.objects.filter(uid__in=uids).values_list("uid", "pk"))


def _check_pair(uid: UUID, players: tuple[int, int], row: Partnership | None, other: UUID | None) -> None:
    if row is not None and {row.first_id, row.second_id} != set(players):
        message = _("The partnership with the id %(id)s has other players on this site.") % {"id": uid}
        raise ArchivedPersonElsewhere(message, id=uid)
    if row is None and other is not None:
        message = _(
            "Two players of the archive are a partnership of this site with another id (%(other)s; in the archive "
            "%(id)s). Take the archive in at a club of its own."
        )
        raise ArchivedPersonElsewhere(message % {"other": other, "id": uid}, id=uid)


# -- scoresheets


@transaction.atomic
def take_sheets(
    *,
    actor: Actor,
    collection_id: int,
    sheets: Iterable[ArchivedSheet],
    people: TakenPeople,
) -> dict[UUID, int]:
    """Write scoresheets with their deals and revisions as they are, and return their ids by the public ones.

    They come one after another and are written fifty at a time, with ten queries. The collection's version stays.

    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises ArchivedBefore: if one of them, or a deal, is on this site already.
    """
    collection = Collection.objects.select_for_update().get(pk=collection_id)
    require(actor, Action.MANAGE_TOURNAMENT, club_id=collection.club_id)
    ids: dict[UUID, int] = {}
    waiting = iter(sheets)
    while chunk := list(islice(waiting, SHEETS_AT_ONCE)):
        _check_new(chunk)
        ids |= _write(collection, chunk, people)
    return ids


@transaction.atomic
def set_collection_version(*, collection_id: int, version: int) -> None:
    """Say at which version a collection is that was just taken in. Who calls it has decided that it may be done."""
    Collection.objects.filter(pk=collection_id).update(version=version)


def _check_new(sheets: Sequence[ArchivedSheet]) -> None:
    taken = list(
        Scoresheet.objects.filter(uid__in=[sheet.id for sheet in sheets]).values_list("uid", flat=True)[:1]
    )
    deals = [deal.id for sheet in sheets for deal in sheet.deals]
    taken += Deal.objects.filter(uid__in=deals).values_list("uid", flat=True)[:1]
    if taken:
        raise ArchivedBefore(taken[0])


def _write(collection: Collection, sheets: Sequence[ArchivedSheet], people: TakenPeople) -> dict[UUID, int]:
    rows = [_sheet_row(collection, sheet, people) for sheet in sheets]
    Scoresheet.objects.bulk_create(rows)
    written = [
        (row, sheet, _operation(row, sheet)) for row, sheet in zip(rows, sheets, strict=True) if sheet.deals
    ]
    insert(Operation, [operation for _row, _sheet, operation in written])
    deals = [
        (_deal_row(row, deal), deal, operation) for row, sheet, operation in written for deal in sheet.deals
    ]
    insert(Deal, [row for row, _deal, _operation in deals])
    revisions = [
        (_revision_row(row, revision, operation), revision)
        for row, deal, operation in deals
        for revision in deal.revisions
    ]
    insert(Revision, [row for row, _revision in revisions])
    insert(
        RulingRow,
        [
            RulingRow(revision=row, law=revision.ruling.law, reason=revision.ruling.reason)
            for row, revision in revisions
            if revision.ruling is not None
        ],
    )
    deals_of: defaultdict[int, list[Deal]] = defaultdict(list)
    for row, *_rest in deals:
        deals_of[row.scoresheet_id].append(row)
    recorded_at = {operation.scoresheet_id: operation.made_at for *_rest, operation in written}
    counted = [
        figures.CountedSheet(
            row.pk, row.date, recorded_at.get(row.pk, row.created_at), figures.counted_rows(deals_of[row.pk])
        )
        for row in rows
        if row.version > 0
    ]
    figures.keep(counted, are_new=True)
    return {row.uid: row.pk for row in rows}


def _sheet_row(collection: Collection, sheet: ArchivedSheet, people: TakenPeople) -> Scoresheet:
    seats = sheet.seats
    return Scoresheet(
        uid=sheet.id,
        club_id=collection.club_id,
        collection=collection,
        visibility=collection.visibility,
        cards_delay=collection.cards_delay,
        ns_id=people.partnerships[sheet.ns],
        ew_id=people.partnerships[sheet.ew],
        north_id=people.players[seats.N],
        east_id=people.players[seats.E],
        south_id=people.players[seats.S],
        west_id=people.players[seats.W],
        rules=sheet.rules,
        event=sheet.event,
        site=sheet.site,
        date=sheet.date,
        round=sheet.round,
        table=sheet.table,
        source=sheet.source,
        created_at=sheet.created_at,
        version=sheet.version,
        **_total_columns(sheet.totals),
    )


def _total_columns(totals: ArchivedTotals) -> dict[str, Any]:
    return {
        "deals_count": totals.deals,
        "problem_deals": totals.problem_deals,
        "next_dealer": totals.next_dealer or "",
        **_sides("courts", totals.courts),
        **_sides("deals", totals.deals_won),
        **_sides("bavneys", totals.bavneys),
        **_sides("goon_courts", totals.goon_courts),
        **_sides("revokes", totals.revokes),
        **_sides("runs", totals.runs),
    }


def _sides(name: str, pair: BySide) -> dict[str, int]:
    return {f"{name}_ns": pair.NS, f"{name}_ew": pair.EW}


def _operation(row: Scoresheet, sheet: ArchivedSheet) -> Operation:
    """Return the one operation by which all of a scoresheet came: an archive has not the ids that its clients made."""
    return Operation(
        pk=uuid5(sheet.id, "archive"),
        scoresheet=row,
        kind=RevisionKind.RECORD.value,
        fingerprint=sheet.sha256,
        answer={"deals": []},
        made_at=max(revision.made_at for deal in sheet.deals for revision in deal.revisions),
    )


def _deal_row(sheet: Scoresheet, deal: ArchivedDeal) -> Deal:
    current = deal.current
    return Deal(
        uid=deal.id,
        scoresheet=sheet,
        number=deal.number,
        revision=current.number,
        kind=current.kind,
        is_ruled=current.ruling is not None,
        counts=counts(current.outcome.value),
        problems=[
            RecordProblem(code=one.code, kind=one.kind, message=one.message).as_standing()
            for one in deal.problems
        ],
        **_record_columns(read_kept(current.pcn), Team[current.revoked] if current.revoked else None),
        **_outcome_columns(current),
        **_sides("run_courts", deal.ledger.run_courts),
        **_sides("match_courts", deal.ledger.courts),
        **_sides("match_runs", deal.ledger.runs),
    )


def _record_columns(reading: Reading, revoked: Team | None) -> dict[str, Any]:
    """Return what a deal's row keeps of its record."""
    record, finding = reading.record, reading.finding()
    if record is None or finding is None:
        raise LookupError("the record cannot be read")
    return {
        "level": record.level.value,
        "dealer": record.dealer.letter,
        "trump": finding.trump.letter if finding.trump is not None else "",
        "trump_method": trump_method(record),
        **dict(zip(FOUND_COLUMNS, found_values(record, finding, revoked), strict=True)),
    }


def _outcome_columns(revision: ArchivedRevision) -> dict[str, Any]:
    values = outcome_values(revision.outcome.value, None)
    return {**dict(zip(OUTCOME_COLUMNS, values, strict=True)), "revoked": revision.revoked or ""}


def _revision_row(deal: Deal, revision: ArchivedRevision, operation: Operation) -> Revision:
    return Revision(
        deal=deal,
        number=revision.number,
        kind=revision.kind,
        operation=operation,
        pcn=revision.pcn,
        finding=revision.finding,
        problems=[problem.as_json() for problem in _problems(revision)],
        made_by_name=revision.made_by,
        made_via=revision.made_via,
        made_at=revision.made_at,
        reason=revision.reason,
        source=revision.source,
        **_outcome_columns(revision),
    )


def _problems(revision: ArchivedRevision) -> Iterator[RecordProblem]:
    for one in revision.problems:
        yield RecordProblem(
            code=one.code,
            kind=one.kind,
            message=one.message,
            file=one.file,
            record=one.record,
            line=one.line,
            column=one.column,
        )
