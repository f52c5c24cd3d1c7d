"""Everything that computes standings: derived from the database, at a version, as often as anybody likes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db import IntegrityError, transaction

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.domain.ranking import rank_entries
from scoring.domain.results import Bye, Entrant, MatchResult, Side
from scoring.queries import SheetResult
from tournaments import queries
from tournaments.domain.standings import (
    Heading,
    ReasonJson,
    StandingsTable,
    complete_rounds,
    reasons,
    standings_table,
)
from tournaments.errors import NoSuchRound
from tournaments.jobs import COMPUTE_STANDINGS, enqueue_after_commit
from tournaments.models import Bye as ByeRow
from tournaments.models import Match, MatchState, Round, Standings, Tournament
from tournaments.publishing import StandingsNews, publish_after_commit, timestamp
from tournaments.queries import EntryLine, StandingsAnswer
from tournaments.schemes import scheme_of

TRIES = 3
"""How often standings are computed again because something was written meanwhile, which queues them too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedStandings:
    """What a tournament's standings are at a version."""

    tournament_id: int
    version: int
    table: StandingsTable
    reasons: list[ReasonJson]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """A match with the number of its round and what its scoresheet comes to."""

    round: int
    state: str
    ns: int
    ew: int
    result: SheetResult


R = TypeVar("R", _Played, Bye)


def compute_standings(*, collection_id: int, now: datetime) -> bool:
    """Compute the standings of the collection's tournament at its version, and save them if they are newer.

    Safe to run twice, late, at the same time as itself, and out of order: an older version never overwrites a
    newer one. Returns whether something was saved; a collection of no tournament has nothing to save.
    """
    for _attempt in range(TRIES):
        computed = derive_standings(collection_id=collection_id, now=now)
        if computed is None:
            return False
        if scoring.collection_versions([collection_id])[collection_id] == computed.version:
            return _save(computed, now)
    return False


def bring_up_to_date(*, slug: str, now: datetime) -> None:
    """Compute the standings of the tournament at that address here, if there is one."""
    for collection_id in Tournament.objects.filter(slug=slug).values_list("collection_id", flat=True):
        compute_standings(collection_id=collection_id, now=now)


def sweep_standings() -> int:
    """Queue every tournament whose standings are behind, and return how many there are."""
    collections = dict(Tournament.objects.values_list("collection_id", "pk"))
    computed = dict(Standings.objects.values_list("pk", "version"))
    versions = scoring.collection_versions(collections)
    behind = [pk for pk, version in versions.items() if computed.get(collections[pk], -1) < version]
    for collection_id in behind:
        enqueue_after_commit(COMPUTE_STANDINGS, collection_id=collection_id)
    return len(behind)


def standings_after(*, slug: str, round_number: int, actor: Actor, now: datetime) -> StandingsAnswer:
    """Return the standings as the rounds up to that one make them, by all that is known now. Ten queries.

    They are derived and not saved: what was corrected later is corrected in them too.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    :raises NoSuchRound: if the tournament has no such round.
    """
    tournament = queries.tournament_for(slug, actor=actor)
    if not Round.objects.filter(tournament=tournament, number=round_number).exists():
        raise NoSuchRound(round_number)
    computed = derive_standings(collection_id=tournament.collection_id, now=now, last_round=round_number)
    if computed is None:
        raise NotFound
    return queries.answer_of(computed.table, current=True)


def derive_standings(
    *, collection_id: int, now: datetime, last_round: int | None = None
) -> ComputedStandings | None:
    """Return what the standings of the collection's tournament are now, None where there is no tournament.

    With ``last_round`` they are those of the rounds up to it. Eight queries. The version is read first:
    whoever saves this looks whether it still is that one.
    """
    tournament = Tournament.objects.filter(collection=collection_id).first()
    if tournament is None:
        return None
    version = scoring.collection_versions([collection_id])[collection_id]
    entries = queries.entries_of(tournament.pk)
    results = queries.results_of(collection_id)
    played = _until(last_round, _played(tournament.pk, entries, results))
    byes = _until(last_round, _byes(tournament.pk, entries))
    scheme = scheme_of(tournament)
    rows = rank_entries(
        [Entrant(number=entry.number, penalty=entry.penalty) for entry in entries.values()],
        [_result(match) for match in played if match.state == MatchState.FINISHED],
        _given(byes, played),
        scheme=scheme,
    )
    heading = Heading(
        tournament=queries.tournament_json(tournament),
        version=version,
        status=tournament.status,
        after_round=complete_rounds(_open_by_round(played)),
        computed_at=timestamp(now),
        timezone=accounts.clubs_by_id([tournament.club_id])[tournament.club_id].timezone,
        matches=queries.counts_of(match.state for match in played),
    )
    return ComputedStandings(
        tournament_id=tournament.pk,
        version=version,
        table=standings_table(heading, scheme, rows, queries.entry_names(entries.values())),
        reasons=reasons(scheme, rows),
    )


def _until(last_round: int | None, rounds: Iterable[R]) -> list[R]:
    """Return the matches or byes of the rounds up to one; None: of all."""
    return [one for one in rounds if last_round is None or one.round <= last_round]


def _played(
    tournament_id: int, entries: Mapping[int, EntryLine], results: Mapping[int, SheetResult]
) -> list[_Played]:
    rows = Match.objects.filter(round__tournament=tournament_id).values_list(
        "round__number", "state", "ns_id", "ew_id", "scoresheet_id"
    )
    return [
        _Played(
            round=number,
            state=state,
            ns=entries[ns_id].number,
            ew=entries[ew_id].number,
            result=results[scoresheet_id],
        )
        for number, state, ns_id, ew_id, scoresheet_id in rows
    ]


def _byes(tournament_id: int, entries: Mapping[int, EntryLine]) -> list[Bye]:
    rows = ByeRow.objects.filter(round__tournament=tournament_id).values_list("round__number", "entry_id")
    return [Bye(round=number, entry=entries[entry_id].number) for number, entry_id in rows]


def _given(byes: Iterable[Bye], played: Iterable[_Played]) -> list[Bye]:
    """Return the byes that count: those of rounds of which a match is finished."""
    begun = {match.round for match in played if match.state == MatchState.FINISHED}
    return [bye for bye in byes if bye.round in begun]


def _open_by_round(played: Iterable[_Played]) -> dict[int, int]:
    open_matches: defaultdict[int, int] = defaultdict(int)
    for match in played:
        open_matches[match.round] += match.state == MatchState.OPEN
    return dict(open_matches)


def _result(match: _Played) -> MatchResult:
    sheet = match.result
    ns = Side(
        entry=match.ns,
        courts=sheet.courts_ns,
        deals_won=sheet.deals_ns,
        bavneys=sheet.bavneys_ns,
        goon_courts=sheet.goon_courts_ns,
        revokes=sheet.revokes_ns,
    )
    ew = Side(
        entry=match.ew,
        courts=sheet.courts_ew,
        deals_won=sheet.deals_ew,
        bavneys=sheet.bavneys_ew,
        goon_courts=sheet.goon_courts_ew,
        revokes=sheet.revokes_ew,
    )
    return MatchResult(round=match.round, sides=(ns, ew))


@transaction.atomic
def _save(computed: ComputedStandings, now: datetime) -> bool:
    if not (_update_older(computed, now) or _insert_first(computed, now) or _update_older(computed, now)):
        return False
    table = computed.table
    news = StandingsNews(version=computed.version, status=table["status"], computed_at=table["computed_at"])
    publish_after_commit(tournament_id=computed.tournament_id, news=news)
    return True


def _update_older(computed: ComputedStandings, now: datetime) -> bool:
    older = Standings.objects.filter(pk=computed.tournament_id, version__lt=computed.version)
    changed = older.update(
        version=computed.version, table=computed.table, reasons=computed.reasons, computed_at=now
    )
    return changed == 1


def _insert_first(computed: ComputedStandings, now: datetime) -> bool:
    if Standings.objects.filter(pk=computed.tournament_id).exists():
        return False
    try:
        with transaction.atomic():
            Standings.objects.create(
                tournament_id=computed.tournament_id,
                version=computed.version,
                table=computed.table,
                reasons=computed.reasons,
                computed_at=now,
            )
    except IntegrityError:
        return False
    return True
