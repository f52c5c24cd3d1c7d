"""Everything that computes standings: derived from the database, at a version, as often as anybody likes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256

from django.core.cache import cache
from django.db import transaction

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.bulk import upsert
from tournaments import queries
from tournaments.domain.assembling import About, derived
from tournaments.domain.standings import EntryNames, ReasonJson, StandingsTable
from tournaments.errors import NoSuchRound
from tournaments.events import Happening
from tournaments.jobs import COMPUTE_STANDINGS, enqueue_after_commit
from tournaments.models import Round, RoundStandings, Standings, Tournament
from tournaments.operations.happenings import tell
from tournaments.operations.one_moment import at_one_moment
from tournaments.publishing import StandingsNews, publish_after_commit, timestamp
from tournaments.queries import LoadedState, ShownStandings, StandingsAnswer, StandingsPage, load_state

PATIENCE = 10
"""Seconds after which nobody is thought to compute any more: so few that the second sweep after a worker's death, at
the latest, finds nobody at work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedStandings:
    """What a tournament's standings are at a version."""

    tournament_id: int
    version: int
    table: StandingsTable
    reasons: list[ReasonJson]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Derivation:
    """Everything that the standings of a tournament are made of, read at one version."""

    tournament: Tournament
    loaded: LoadedState
    about: About


def compute_standings(*, collection_id: int, now: datetime, wanted: int | None = None) -> bool:
    """Compute the standings of the collection's tournament at its version, and save them if they are newer.

    Nothing is done where those that are saved are at the version ``wanted``, or a newer one; None: at the
    collection's. So whoever computes satisfies everybody who asked before, and a long queue is soon empty.

    Safe to run twice, late, at the same time as itself, and out of order: an older version never overwrites a
    newer one. Those after each round are kept too, and computed only where something of them has changed; all of it
    is saved at once, so that a worker that dies leaves what was there. Returns whether something was saved; a
    collection of no tournament has nothing to save.
    """
    if _is_saved(collection_id, wanted):
        return False
    derivation = _read(collection_id)
    if derivation is None:
        return False
    computed = _computed(derivation, derivation.loaded, now)
    after_rounds = _after_rounds(derivation, computed, now)
    with transaction.atomic():
        saved = _save(computed, now)
        _keep_rounds(derivation, after_rounds, now)
        if saved:
            # Last: from here until the commit whoever records a deal waits.
            told: dict[str, object] = {"version": computed.version, "status": computed.table["status"]}
            tell(collection_id, Happening.STANDINGS_CHANGED, now, {"standings": told})
    return saved


def _is_saved(collection_id: int, wanted: int | None) -> bool:
    """Return whether standings of the version, or of a newer one, are saved."""
    version = scoring.collection_versions([collection_id])[collection_id] if wanted is None else wanted
    return Standings.objects.filter(tournament__collection=collection_id, version__gte=version).exists()


def keep_current(*, collection_id: int, clock: Callable[[], datetime], wanted: int | None = None) -> None:
    """Compute the standings of the collection's tournament until they are current, unless somebody does already.

    For the many hints of a hall in which every table writes: one worker computes, and computes again for what was
    written meanwhile; the others leave it alone. Who finds somebody at work was seen by them: they look once more when
    they have let go. A worker that dies at it is forgotten after ``PATIENCE`` seconds, and the sweep asks again.
    """
    key = f"computing:{collection_id}"
    while not _is_saved(collection_id, wanted) and cache.add(key, 1, timeout=PATIENCE):
        try:
            compute_standings(collection_id=collection_id, now=clock())
        finally:
            cache.delete(key)
        wanted = None
        if not Tournament.objects.filter(collection=collection_id).exists():
            return


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
        enqueue_after_commit(COMPUTE_STANDINGS, collection_id=collection_id, version=versions[collection_id])
    return len(behind)


def standings_after(*, slug: str, round_number: int, actor: Actor, now: datetime) -> StandingsAnswer:
    """Return the standings as the rounds up to that one make them, by all that is known now.

    Four queries where they are kept at the version that holds, fourteen where they are behind and derived here:
    what was corrected later is corrected in them too.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    :raises NoSuchRound: if the tournament has no such round.
    """
    return _after(queries.tournament_for(slug, actor=actor), round_number, now).answer


def standings_page_after(*, slug: str, round_number: int, actor: Actor, now: datetime) -> StandingsPage:
    """Return the page of the standings as the rounds up to that one make them, by all that is known now.

    Nine queries at most where they are kept at the version that holds, nineteen where they are derived here.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    :raises NoSuchRound: if the tournament has no such round.
    """
    tournament = queries.tournament_for(slug, actor=actor)
    header = queries.header_of(tournament, actor)
    shown = _after(tournament, round_number, now)
    return queries.page_of_standings(header, shown, round_number=round_number)


def _after(tournament: Tournament, round_number: int, now: datetime) -> ShownStandings:
    if not Round.objects.filter(tournament=tournament, number=round_number).exists():
        raise NoSuchRound(round_number)
    version = scoring.collection_versions([tournament.collection_id])[tournament.collection_id]
    kept = RoundStandings.objects.filter(tournament=tournament, round_number=round_number, version=version)
    row = kept.first()
    if row is not None:
        table: StandingsTable = row.table
        answer = queries.answer_of(StandingsTable(**{**table, "version": row.version}), current=True)
        return ShownStandings(answer=answer, reasons=tuple(row.reasons))
    computed = derive_standings(collection_id=tournament.collection_id, now=now, last_round=round_number)
    if computed is None:
        raise NotFound
    return ShownStandings(
        answer=queries.answer_of(computed.table, current=True), reasons=tuple(computed.reasons)
    )


def derive_standings(
    *, collection_id: int, now: datetime, last_round: int | None = None
) -> ComputedStandings | None:
    """Return what the standings of the collection's tournament are now, None where there is no tournament.

    With ``last_round`` they are those of the rounds up to it. Eleven queries, all of them at one moment of the
    database.
    """
    derivation = _read(collection_id)
    if derivation is None:
        return None
    loaded = derivation.loaded if last_round is None else derivation.loaded.until(last_round)
    return _computed(derivation, loaded, now)


def _read(collection_id: int) -> _Derivation | None:
    """Return what the standings are made of, all of it as it was at one moment; None where nothing is to be read."""
    return at_one_moment(
        collection_id,
        partial(_read_now, collection_id),
        version_of=lambda derivation: None if derivation is None else derivation.loaded.version,
    )


def _read_now(collection_id: int) -> _Derivation | None:
    tournament = Tournament.objects.filter(collection=collection_id).first()
    if tournament is None:
        return None
    loaded, about = facts_of_standings(tournament)
    return _Derivation(tournament=tournament, loaded=loaded, about=about)


def facts_of_standings(tournament: Tournament) -> tuple[LoadedState, About]:
    """Return what the standings of the tournament are made of, as it is read now. Ten queries."""
    loaded = load_state(tournament)
    pairs = scoring.partnerships_by_id(entry.partnership_id for entry in loaded.entered)
    about = About(
        tournament=queries.tournament_json(tournament),
        status=tournament.status,
        version=loaded.version,
        timezone=accounts.clubs_by_id([tournament.club_id])[tournament.club_id].timezone,
        names={
            entry.number: EntryNames(
                state=entry.state, partnership=queries.partnership_json(pairs[entry.partnership_id])
            )
            for entry in loaded.entered
        },
    )
    return loaded, about


def _computed(derivation: _Derivation, loaded: LoadedState, now: datetime) -> ComputedStandings:
    table, why = derived(loaded, derivation.about, computed_at=timestamp(now))
    return ComputedStandings(
        tournament_id=derivation.tournament.pk, version=loaded.version, table=table, reasons=why
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _AfterRounds:
    """What is to be kept of the standings after each round."""

    complete: int
    """The last round that is complete; 0: none. Those after one that goes on are derived when somebody asks."""
    same: list[int]
    """The rounds of which nothing has changed."""
    changed: list[tuple[int, str, ComputedStandings]]
    """The others, each with its fingerprint."""


def _after_rounds(derivation: _Derivation, latest: ComputedStandings, now: datetime) -> _AfterRounds:
    """Compute the standings after each round that is complete, where anything has changed.

    Those after the last round of all are the ``latest``.
    """
    loaded = derivation.loaded
    complete = loaded.complete
    kept = RoundStandings.objects.filter(tournament=derivation.tournament)
    known = dict(kept.values_list("round_number", "fingerprint"))
    prints = {number: found for number, found in _fingerprints(derivation) if number <= complete}
    same = [number for number, found in prints.items() if known.get(number) == found]
    return _AfterRounds(
        complete=complete,
        same=same,
        changed=[
            (
                number,
                prints[number],
                latest
                if number == loaded.state.last_number
                else _computed(derivation, loaded.until(number), now),
            )
            for number in sorted(prints.keys() - set(same))
        ],
    )


def _keep_rounds(derivation: _Derivation, after: _AfterRounds, now: datetime) -> None:
    """Save them in the caller's transaction, and none in place of newer ones."""
    version = derivation.loaded.version
    kept = RoundStandings.objects.filter(tournament=derivation.tournament)
    kept.filter(round_number__in=after.same, version__lt=version).update(version=version)
    rows = [
        RoundStandings(
            tournament=derivation.tournament,
            round_number=number,
            fingerprint=fingerprint,
            version=computed.version,
            table=computed.table,
            reasons=computed.reasons,
            computed_at=now,
        )
        for number, fingerprint, computed in after.changed
    ]
    upsert(RoundStandings, rows, unique=("tournament_id", "round_number"), over=("version", "<="))
    kept.filter(version__lt=version, round_number__gt=after.complete).delete()


def _fingerprints(derivation: _Derivation) -> Iterator[tuple[int, str]]:
    """Yield each round with what stands for everything that its standings are made of."""
    loaded, about = derivation.loaded, derivation.about
    state = loaded.state
    heading = (about.tournament, about.status, about.timezone)
    digest = sha256(repr((heading, loaded.plan, state.scheme, state.entries, about.names)).encode())
    for one in state.rounds:
        digest.update(repr(one).encode())
        yield one.number, digest.hexdigest()


@transaction.atomic
def _save(computed: ComputedStandings, now: datetime) -> bool:
    row = Standings(
        tournament_id=computed.tournament_id,
        version=computed.version,
        table=computed.table,
        reasons=computed.reasons,
        computed_at=now,
    )
    if not upsert(Standings, [row], unique=("tournament_id",), over=("version", "<")):
        return False
    table = computed.table
    news = StandingsNews(version=computed.version, status=table["status"], computed_at=table["computed_at"])
    publish_after_commit(tournament_id=computed.tournament_id, news=news)
    return True
