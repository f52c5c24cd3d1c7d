"""The standings of an archive: made of a tournament's progress, or of the archive's own facts."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from scoring.domain.archived import ArchivedPartnership, ArchivedPlayer, SheetNumbers
from scoring.domain.results import Bye, ByeKind
from scoring.domain.typed_json import digest, to_json
from tournaments.domain.archived import (
    ArchivedClub,
    ArchivedEntry,
    ArchivedRound,
    ArchivedStandings,
    ArchivedTournament,
    StandingsDigests,
)
from tournaments.domain.assembling import (
    About,
    EntryFacts,
    MatchFacts,
    Progress,
    derived,
    participants,
    played_matches,
    played_rounds,
    progress_of,
)
from tournaments.domain.plans import plan_from_json
from tournaments.domain.scheme_json import as_mapping, stored_scheme
from tournaments.domain.standings import EntryNames, PartnershipJson, PlayerJson, TournamentJson
from tournaments.domain.state import TournamentState


def standings_of(progress: Progress, about: About) -> ArchivedStandings:
    """Return the standings as everything that is there makes them."""
    table, why = derived(progress, about, computed_at=None)
    sums = StandingsDigests(rows=digest(to_json(table["rows"])), reasons=digest(to_json(why)))
    return ArchivedStandings(after_round=progress.state.last_number, table=table, sha256=sums)


def standings_after(progress: Progress, about: About) -> tuple[ArchivedStandings, ...]:
    """Return the standings as they were after each round that is complete, by all that is known now."""
    numbers = [one.number for one in progress.state.rounds if one.number <= progress.complete]
    return tuple(standings_of(progress.until(number), about) for number in numbers)


# -- from an archive's own facts


def progress_in(
    tournament: ArchivedTournament,
    entries: Iterable[ArchivedEntry],
    rounds: Iterable[ArchivedRound],
    numbers: Mapping[UUID, SheetNumbers],
) -> Progress:
    """Return what the tournament has come to; ``numbers`` are what each scoresheet comes to.

    :raises PlanError: if the plan is none.
    :raises LookupError: if a match has a scoresheet that is not there.
    """
    drawn = tuple(rounds)
    played = played_rounds(
        [(one.number, one.session) for one in drawn],
        played_matches(
            {
                match.scoresheet: _match_facts(one, place)
                for one in drawn
                for place, match in enumerate(one.matches)
            },
            numbers,
        ),
        {
            one.number: [Bye(round=one.number, entry=bye.entry, kind=ByeKind(bye.kind)) for bye in one.byes]
            for one in drawn
        },
    )
    return progress_of(
        plan_from_json({**tournament.plan, "format": tournament.format.value}),
        TournamentState(
            entries=participants([_entry_facts(entry) for entry in entries]),
            scheme=stored_scheme(
                format_name=tournament.format.value,
                ranking=tournament.ranking.value,
                points=as_mapping(tournament.points),
                tiebreaks=[code.value for code in tournament.tiebreaks],
                lot_seed=tournament.lot_seed,
            ),
            rounds=played,
            session=played[-1].session if played else 1,
        ),
    )


def _entry_facts(entry: ArchivedEntry) -> EntryFacts:
    return EntryFacts(
        number=entry.number,
        seed=entry.seed,
        state=entry.state,
        joined_round=entry.joined_round,
        group=entry.group,
        penalty=entry.penalty,
    )


def _match_facts(one: ArchivedRound, place: int) -> MatchFacts:
    match = one.matches[place]
    adjusted = match.adjusted
    return MatchFacts(
        round_number=one.number,
        table=match.table,
        ns=match.ns,
        ew=match.ew,
        state=match.state,
        name=match.name,
        forfeit=match.forfeit or "",
        adjusted_ns=None if adjusted is None else adjusted.NS,
        adjusted_ew=None if adjusted is None else adjusted.EW,
        finished_at=match.finished_at,
    )


def about_in(
    club: ArchivedClub,
    tournament: ArchivedTournament,
    players: Iterable[ArchivedPlayer],
    partnerships: Iterable[ArchivedPartnership],
    entries: Iterable[ArchivedEntry],
) -> About:
    """Return whose standings they are.

    :raises LookupError: if an entry's partnership, or a player of one, is not there.
    """
    names = {player.id: player.name for player in players}
    pairs = {pair.id: pair for pair in partnerships}
    return About(
        tournament=TournamentJson(
            slug=tournament.slug,
            name=tournament.name,
            rules=tournament.rules,
            rules_version=tournament.rules_version,
        ),
        status=tournament.status,
        version=tournament.version,
        timezone=club.timezone,
        names={
            entry.number: EntryNames(
                state=entry.state, partnership=_partnership(pairs[entry.partnership], names)
            )
            for entry in entries
        },
    )


def _partnership(pair: ArchivedPartnership, names: Mapping[UUID, str]) -> PartnershipJson:
    first, second = pair.players
    return PartnershipJson(
        id=str(pair.id),
        name=f"{names[first]} & {names[second]}",
        players=[PlayerJson(id=str(one), name=names[one]) for one in pair.players],
    )
