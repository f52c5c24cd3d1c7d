"""What an archive has of a tournament, its scoresheets and standings apart."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

from courtpiece.accounts import queries as accounts
from scoring import queries as scoring
from scoring.domain.archived import ArchivedPartnership, ArchivedPlayer, BySide
from scoring.domain.results import Ranking, TiebreakCode
from tournaments.domain.archived import (
    AppealStep,
    ArchivedBye,
    ArchivedClock,
    ArchivedClub,
    ArchivedEntry,
    ArchivedMatch,
    ArchivedRound,
    ArchivedRuling,
    ArchivedSeeding,
    ArchivedSession,
    ArchivedSubstitution,
    ArchivedTournament,
    PastRules,
    RuledDeal,
)
from tournaments.domain.plans import FormatName
from tournaments.models import (
    ACCEPTED,
    Bye,
    Entry,
    Match,
    PastRegulations,
    Round,
    RoundClock,
    Ruling,
    Session,
    Substitution,
    Tournament,
)
from tournaments.models import AppealStep as StepRow
from tournaments.queries.entries import seeding_of
from tournaments.queries.rulings import effect_from_json


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedFacts:
    """A tournament without its scoresheets and its standings."""

    club: ArchivedClub
    tournament: ArchivedTournament
    players: tuple[ArchivedPlayer, ...]
    partnerships: tuple[ArchivedPartnership, ...]
    entries: tuple[ArchivedEntry, ...]
    sessions: tuple[ArchivedSession, ...]
    rounds: tuple[ArchivedRound, ...]
    rulings: tuple[ArchivedRuling, ...]


def archived_facts(tournament: Tournament) -> ArchivedFacts:
    """Return what everybody may read of the tournament. Twenty queries, for who has looked whether it may be seen.

    The version is read first: whoever reads on can see whether something was written meanwhile.
    """
    version = scoring.collection_versions([tournament.collection_id])[tournament.collection_id]
    entries = list(Entry.objects.filter(tournament=tournament, state__in=ACCEPTED).order_by("number"))
    pairs = scoring.partnerships_by_id(entry.partnership_id for entry in entries)
    substitutions = list(
        Substitution.objects.filter(match__round__tournament=tournament).order_by("match", "pk")
    )
    named = {pk for one in substitutions for pk in (one.absent_id, one.substitute_id)}
    people = scoring.archived_people(
        tournament.collection_id,
        partnership_ids={entry.partnership_id for entry in entries},
        player_ids=named,
    )
    numbers = {entry.pk: entry.number for entry in entries}
    return ArchivedFacts(
        club=_club(tournament),
        tournament=_tournament(tournament, version),
        players=people.players,
        partnerships=people.partnerships,
        entries=tuple(_entry(entry, _uid(pairs[entry.partnership_id].uid)) for entry in entries),
        sessions=tuple(
            _session(row) for row in Session.objects.filter(tournament=tournament).order_by("number")
        ),
        rounds=_rounds(tournament, numbers, _substitutions(substitutions, named)),
        rulings=_rulings(tournament, numbers),
    )


def _uid(uid: UUID | None) -> UUID:
    if uid is None:
        raise LookupError("a partnership of a club has an id")
    return uid


def _club(tournament: Tournament) -> ArchivedClub:
    club = accounts.clubs_by_id([tournament.club_id])[tournament.club_id]
    return ArchivedClub(
        slug=club.slug, name=club.name, timezone=club.timezone, city=club.city, country=club.country
    )


def _tournament(row: Tournament, version: int) -> ArchivedTournament:
    seeding = seeding_of(row)
    past = PastRegulations.objects.filter(tournament=row).order_by("version")
    return ArchivedTournament(
        slug=row.slug,
        name=row.name,
        format=FormatName(row.format),
        plan=row.plan,
        visibility=cast(Any, row.visibility),
        status=cast(Any, row.status),
        rules=row.rules,
        rules_version=row.rules_version,
        ranking=Ranking(row.ranking),
        points=row.points,
        tiebreaks=tuple(map(TiebreakCode, row.tiebreaks)),
        lot_seed=row.lot_seed,
        past_rules=tuple(
            PastRules(
                version=one.version,
                rules=one.rules,
                ranking=Ranking(one.ranking),
                points=one.points,
                tiebreaks=tuple(map(TiebreakCode, one.tiebreaks)),
                lot_seed=one.lot_seed,
                reason=one.reason,
                changed_at=one.changed_at,
            )
            for one in past
        ),
        seeding=None
        if seeding is None
        else ArchivedSeeding(method=cast(Any, seeding.method), drawn_from=seeding.drawn_from),
        players_may_enter=row.players_may_enter,
        appeal_minutes=row.appeal_minutes,
        appeals_until=row.appeals_until,
        live_delay=row.live_delay,
        confirmation=row.confirmation,
        link_hours=row.link_hours,
        created_at=row.created_at,
        version=version,
    )


def _entry(row: Entry, partnership: UUID) -> ArchivedEntry:
    return ArchivedEntry(
        number=row.number,
        partnership=partnership,
        seed=row.seed,
        group=row.group,
        state=cast(Any, row.state),
        joined_round=row.joined_round,
        withdrawn_after=row.withdrawn_after,
        penalty=row.penalty,
        penalty_reason=row.penalty_reason,
    )


def _session(row: Session) -> ArchivedSession:
    return ArchivedSession(
        id=row.uid,
        number=row.number,
        place=row.place,
        starts_at=row.starts_at,
        minutes=row.minutes,
        deals=row.deals,
        courts=row.courts,
    )


# -- rounds


def _substitutions(
    rows: Collection[Substitution], named: Collection[int]
) -> Mapping[int, list[ArchivedSubstitution]]:
    """Return who sat in for whom, by the id of the match."""
    people = scoring.players_by_id(named)
    found: defaultdict[int, list[ArchivedSubstitution]] = defaultdict(list)
    for row in rows:
        found[row.match_id].append(
            ArchivedSubstitution(
                absent=people[row.absent_id].uid,
                substitute=people[row.substitute_id].uid,
                reason=row.reason,
                made_at=row.made_at,
            )
        )
    return found


def _rounds(
    tournament: Tournament,
    numbers: Mapping[int, int],
    substitutions: Mapping[int, list[ArchivedSubstitution]],
) -> tuple[ArchivedRound, ...]:
    matches: defaultdict[int, list[ArchivedMatch]] = defaultdict(list)
    rows = list(Match.objects.filter(round__tournament=tournament).order_by("pk"))
    sheets = scoring.scoresheet_uids(row.scoresheet_id for row in rows)
    for row in rows:
        matches[row.round_id].append(
            _match(row, numbers, sheets[row.scoresheet_id], substitutions.get(row.pk, ()))
        )
    byes: defaultdict[int, list[ArchivedBye]] = defaultdict(list)
    for bye in Bye.objects.filter(round__tournament=tournament).order_by("entry__number"):
        byes[bye.round_id].append(
            ArchivedBye(entry=numbers[bye.entry_id], kind=cast(Any, bye.kind), drawn=bye.drawn)
        )
    clocks = {clock.pk: clock for clock in RoundClock.objects.filter(round__tournament=tournament)}
    rounds = Round.objects.filter(tournament=tournament).select_related("session").order_by("number")
    return tuple(_round(one, matches[one.pk], byes[one.pk], clocks.get(one.pk)) for one in rounds)


def _round(
    row: Round,
    matches: Collection[ArchivedMatch],
    byes: Collection[ArchivedBye],
    clock: RoundClock | None,
) -> ArchivedRound:
    return ArchivedRound(
        id=row.uid,
        number=row.number,
        session=row.session.number,
        label=row.label,
        name=row.name,
        state=cast(Any, row.state),
        seed=row.seed,
        published_at=row.published_at,
        closed_at=row.closed_at,
        clock=None if clock is None else _clock(clock),
        matches=tuple(matches),
        byes=tuple(byes),
    )


def _clock(row: RoundClock) -> ArchivedClock:
    return ArchivedClock(
        length=row.length,
        added=row.added,
        ran=row.ran // timedelta(microseconds=1),
        running_since=row.running_since,
        started_at=row.started_at,
        last_deal_at=row.last_deal_at,
        ended_at=row.ended_at,
    )


def _match(
    row: Match, numbers: Mapping[int, int], sheet: UUID, substitutions: Collection[ArchivedSubstitution]
) -> ArchivedMatch:
    adjusted = None
    if row.adjusted_ns is not None and row.adjusted_ew is not None:
        adjusted = BySide(NS=row.adjusted_ns, EW=row.adjusted_ew)
    return ArchivedMatch(
        id=row.uid,
        table=row.table,
        ns=numbers[row.ns_id],
        ew=numbers[row.ew_id],
        scoresheet=sheet,
        state=cast(Any, row.state),
        name=row.name,
        first_dealer=cast(Any, row.first_dealer or None),
        drawn=row.drawn or None,
        forfeit=cast(Any, row.forfeit or None),
        adjusted=adjusted,
        finished_at=row.finished_at,
        substitutions=tuple(substitutions),
    )


# -- rulings


def _rulings(tournament: Tournament, numbers: Mapping[int, int]) -> tuple[ArchivedRuling, ...]:
    steps: defaultdict[int, list[AppealStep]] = defaultdict(list)
    for step in StepRow.objects.filter(ruling__tournament=tournament).order_by("number"):
        steps[step.ruling_id].append(_step(step, numbers))
    rows = Ruling.objects.filter(tournament=tournament).select_related("match", "takes_back")
    return tuple(_ruling(row, numbers, steps[row.pk]) for row in rows.order_by("number"))


def _step(row: StepRow, numbers: Mapping[int, int]) -> AppealStep:
    return AppealStep(
        number=row.number,
        kind=cast(Any, row.kind),
        entry=None if row.entry_id is None else numbers[row.entry_id],
        reason=row.reason,
        made_at=row.made_at,
    )


def _ruling(row: Ruling, numbers: Mapping[int, int], steps: Collection[AppealStep]) -> ArchivedRuling:
    deal = None
    if row.deal_uid is not None and row.deal_number is not None:
        deal = RuledDeal(id=row.deal_uid, number=row.deal_number)
    by_server = row.made_by_id is None and not row.by_director_elsewhere
    return ArchivedRuling(
        id=row.uid,
        number=row.number,
        kind=cast(Any, row.kind),
        match=None if row.match is None else row.match.uid,
        entry=None if row.entry_id is None else numbers[row.entry_id],
        deal=deal,
        law=row.law,
        reason=row.reason,
        decided=row.decided,
        effect=effect_from_json(row.effect),
        takes_back=None if row.takes_back is None else row.takes_back.number,
        made_by="server" if by_server else "director",
        made_at=row.made_at,
        appeal_until=row.appeal_until,
        appeal=tuple(steps),
    )
