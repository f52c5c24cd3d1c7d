"""Tournaments, sessions, rounds and matches read part by part, and what each says alone: for programs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from courtpiece.accounts.parts import Asked, M, PartOf, read_part
from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from tournaments.domain.standings import MatchCounts
from tournaments.models import Bye, Entry, Match, Round, Session
from tournaments.queries.lists import TournamentLine, tournament_lines
from tournaments.queries.parts import (
    ByeLine,
    EntryLine,
    MatchLine,
    RoundLine,
    counts_of,
    entries_of,
    entry_lines,
    match_line,
    results_of,
    rounds_of,
)
from tournaments.queries.sight import (
    TournamentHeader,
    tournament_for,
    tournament_header,
    visible_tournaments,
)
from tournaments.queries.standings import ShownStandings, shown_standings
from tournaments.schemes import NewSession, sessions_fingerprint, sessions_of

# -- values


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine:
    """A session."""

    uid: UUID
    tournament: str
    """A slug, as in the lines below."""
    number: int
    place: str
    starts_at: datetime | None
    minutes: int | None
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRound:
    """A round as a list shows it."""

    uid: UUID
    tournament: str
    session_uid: UUID
    session: int
    number: int
    label: str
    matches: MatchCounts
    name: str
    state: str
    byes: tuple[ByeLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMatch:
    """A match as a list shows it, with where it stands."""

    tournament: str
    session: int
    round_uid: UUID
    round: int
    round_label: str
    line: MatchLine


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentDetail:
    """A tournament with its entries."""

    header: TournamentHeader
    entries: tuple[EntryLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable:
    """All that a table of everybody against everybody is made of."""

    header: TournamentHeader
    standings: ShownStandings
    entries: tuple[EntryLine, ...]
    rounds: tuple[RoundLine, ...]


# -- what may be asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFilter:
    """Which tournaments are wanted; what is None does not matter."""

    club: str | None = None
    format: str | None = None
    status: str | None = None
    rules: str | None = None
    search: str | None = None
    """A part of the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceFilter:
    """Which sessions, rounds or matches are wanted; what is None does not matter."""

    tournament: str | None = None
    """A slug. Who names a tournament has its address."""
    session: UUID | None = None
    round: UUID | None = None
    state: str | None = None
    partnership: UUID | None = None


TOURNAMENT_ORDERS: Final = {"created": ("pk",), "name": ("name", "pk")}
PLACE_ORDERS: Final = {"created": ("tournament_id", "number"), "number": ("number", "tournament_id")}
MATCH_ORDERS: Final = {"created": ("pk",), "table": ("table", "pk")}


# -- tournaments


def list_tournaments(*, actor: Actor, wanted: TournamentFilter, asked: Asked) -> PartOf[TournamentLine]:
    """Return a part of the tournaments, the newest first. Three queries.

    :raises BadCursor: if the cursor is none of this list.
    """
    given = {
        "club__slug": wanted.club,
        "format": wanted.format,
        "status": wanted.status,
        "rules": wanted.rules,
        "name__icontains": wanted.search,
    }
    rows = visible_tournaments(actor).filter(**_without_none(given))
    return read_part(rows, ("-pk",), tournament_lines, asked=asked, orders=TOURNAMENT_ORDERS)


def tournament_detail(slug: str, *, actor: Actor) -> TournamentDetail:
    """Return a tournament with its entries. Five queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    header = tournament_header(slug, actor=actor)
    return TournamentDetail(header=header, entries=tuple(entries_of(header.id).values()))


def detail_mark(detail: TournamentDetail) -> str:
    """Return what is another whenever a tournament says something else of itself and its entries."""
    header = replace(detail.header, version=0, may_upload=False, may_manage=False)
    return sha256(repr((header, detail.entries)).encode()).hexdigest()[:32]


def sessions_mark(slug: str, *, actor: Actor) -> tuple[tuple[NewSession, ...], str]:
    """Return the tournament's sessions as a director says them, and what is another whenever they are others.

    Two queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    rows = Session.objects.filter(tournament=tournament_for(slug, actor=actor)).order_by("number")
    sessions = sessions_of(rows)
    return sessions, sessions_fingerprint(sessions)


def slug_of_round(uid: UUID) -> tuple[str, int]:
    """Return the address of the round's tournament, and the round's number in it. One query.

    :raises NotFound: if there is none.
    """
    row = _found(Round.objects.select_related("tournament").filter(uid=uid))
    return row.tournament.slug, row.number


def round_at(slug: str, number: int, *, actor: Actor) -> ListedRound:
    """Return the round of that number. Seven queries at most.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    row = _found(_rounds().filter(tournament=tournament_for(slug, actor=actor), number=number))
    return _round_lines([row])[0]


def crosstable(slug: str, *, actor: Actor) -> Crosstable:
    """Return the tournament's entries, matches and standings. Ten queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    header = tournament_header(slug, actor=actor)
    entries = entries_of(header.id)
    rounds = rounds_of(header.id, entries, results_of(header.collection_id))
    return Crosstable(
        header=header, standings=shown_standings(header), entries=tuple(entries.values()), rounds=rounds
    )


def collection_of(slug: str, *, actor: Actor) -> int:
    """Return what the tournament's scoresheets are counted in. One query, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    return tournament_for(slug, actor=actor).collection_id


# -- sessions


def list_sessions(*, actor: Actor, wanted: PlaceFilter, asked: Asked) -> PartOf[SessionLine]:
    """Return a part of the sessions, of the newest tournament first. One query, two with a tournament.

    :raises NotFound: if the tournament that is named is none, or none for the actor.
    :raises BadCursor: if the cursor is none of this list.
    """
    rows = _sessions().filter(_of_tournament(wanted, actor))
    return read_part(rows, ("-tournament_id", "number"), _session_lines, asked=asked, orders=PLACE_ORDERS)


def session(uid: UUID, *, actor: Actor) -> SessionLine:
    """Return a session. Two queries, one more where it is private.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    row = _found(_sessions().filter(uid=uid))
    tournament_for(row.tournament.slug, actor=actor)
    return _session_lines([row])[0]


def _sessions() -> QuerySet[Any]:
    return Session.objects.select_related("tournament").annotate(rounds_count=Count("rounds"))


def _session_lines(rows: Sequence[Any]) -> list[SessionLine]:
    return [
        SessionLine(
            uid=row.uid,
            tournament=row.tournament.slug,
            number=row.number,
            place=row.place,
            starts_at=row.starts_at,
            minutes=row.minutes,
            rounds=row.rounds_count,
        )
        for row in rows
    ]


# -- rounds


def list_rounds(*, actor: Actor, wanted: PlaceFilter, asked: Asked) -> PartOf[ListedRound]:
    """Return a part of the rounds, of the newest tournament first. Five queries, six with a tournament.

    :raises NotFound: if the tournament that is named is none, or none for the actor.
    :raises BadCursor: if the cursor is none of this list.
    """
    rows = _rounds().filter(_of_tournament(wanted, actor), **_without_none({"session__uid": wanted.session}))
    return read_part(rows, ("-tournament_id", "number"), _round_lines, asked=asked, orders=PLACE_ORDERS)


def round_(uid: UUID, *, actor: Actor) -> ListedRound:
    """Return a round. Six queries, one more where it is private.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    row = _found(_rounds().filter(uid=uid))
    tournament_for(row.tournament.slug, actor=actor)
    return _round_lines([row])[0]


def _rounds() -> QuerySet[Round]:
    return Round.objects.select_related("tournament", "session")


def _round_lines(rows: Sequence[Round]) -> list[ListedRound]:
    ids = [row.pk for row in rows]
    states = _states_by_round(ids)
    byes = _byes_by_round(ids)
    return [
        ListedRound(
            uid=row.uid,
            tournament=row.tournament.slug,
            session_uid=row.session.uid,
            session=row.session.number,
            number=row.number,
            label=row.label,
            matches=counts_of(states[row.pk].elements()),
            name=row.name,
            state=row.state,
            byes=tuple(byes[row.pk]),
        )
        for row in rows
    ]


def _states_by_round(round_ids: Collection[int]) -> Mapping[int, Counter[str]]:
    states: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for round_id, state in Match.objects.filter(round__in=round_ids).values_list("round_id", "state"):
        states[round_id][state] += 1
    return states


def _byes_by_round(round_ids: Collection[int]) -> Mapping[int, list[ByeLine]]:
    rows = list(Bye.objects.filter(round__in=round_ids).order_by("entry__number"))
    entries = entry_lines(Entry.objects.filter(pk__in={row.entry_id for row in rows}))
    byes: defaultdict[int, list[ByeLine]] = defaultdict(list)
    for row in rows:
        byes[row.round_id].append(ByeLine(entry=entries[row.entry_id], kind=row.kind, drawn=row.drawn))
    return byes


# -- matches


def list_matches(*, actor: Actor, wanted: PlaceFilter, asked: Asked) -> PartOf[ListedMatch]:
    """Return a part of the matches, of the newest tournament first. Four queries, five with a tournament.

    :raises NotFound: if the tournament that is named is none, or none for the actor.
    :raises BadCursor: if the cursor is none of this list.
    """
    given = {"round__uid": wanted.round, "round__session__uid": wanted.session, "state": wanted.state}
    rows = _matches().filter(_of_tournament(wanted, actor, "round__"), **_without_none(given))
    if wanted.partnership is not None:
        mine = Q(partnership__uid=wanted.partnership)
        entries = Entry.objects.filter(mine).values("pk")
        rows = rows.filter(Q(ns__in=entries) | Q(ew__in=entries))
    return read_part(
        rows,
        ("-round__tournament_id", "round__number", "pk"),
        _match_lines,
        asked=asked,
        orders=MATCH_ORDERS,
    )


def match(uid: UUID, *, actor: Actor) -> ListedMatch:
    """Return a match. Five queries, one more where it is private.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    row = _found(_matches().filter(uid=uid))
    tournament_for(row.round.tournament.slug, actor=actor)
    return _match_lines([row])[0]


def _matches() -> QuerySet[Match]:
    return Match.objects.select_related("round__tournament", "round__session")


def _match_lines(rows: Sequence[Match]) -> list[ListedMatch]:
    entries = entry_lines(Entry.objects.filter(pk__in={pk for row in rows for pk in (row.ns_id, row.ew_id)}))
    found = scoring.sheet_results(row.scoresheet_id for row in rows)
    results = {result.scoresheet_id: result for result in found}
    return [
        ListedMatch(
            tournament=row.round.tournament.slug,
            session=row.round.session.number,
            round_uid=row.round.uid,
            round=row.round.number,
            round_label=row.round.label,
            line=match_line(row, entries, results),
        )
        for row in rows
    ]


# -- all of them


def _of_tournament(wanted: PlaceFilter, actor: Actor, prefix: str = "") -> Q:
    if wanted.tournament is not None:
        return Q(**{f"{prefix}tournament": tournament_for(wanted.tournament, actor=actor)})
    return Q(**{f"{prefix}tournament__in": visible_tournaments(actor)})


def _without_none(conditions: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in conditions.items() if value is not None}


def _found(rows: QuerySet[M]) -> M:
    row = rows.first()
    if row is None:
        raise NotFound
    return row
