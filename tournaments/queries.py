"""Everything that reads tournaments. What is returned is loaded and cannot query again."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Final, TypedDict
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import (
    Action,
    Actor,
    Visibility,
    clubs_where,
    may,
    require,
)
from courtpiece.accounts.queries import ClubLine, ClubPage, NotFound
from courtpiece.engine import Award, Team
from scoring import queries as scoring
from scoring.domain.results import Exact, MatchPoints, Ranking, Scheme, TiebreakCode
from scoring.domain.tiebreaks import whole_if_possible
from scoring.queries import PairRef, SheetResult, SpecialDeal
from tournaments.domain.standings import (
    EntryNames,
    Heading,
    LineJson,
    MatchCounts,
    PartnershipJson,
    PlayerJson,
    ReasonJson,
    RowJson,
    StandingsTable,
    TournamentJson,
    count_matches,
    standings_table,
)
from tournaments.models import Entry, Format, Match, MatchState, PastRegulations, Round, Standings, Tournament
from tournaments.publishing import StandingsNews

ALL_AT_ONCE: Final = 60
"""Rows up to which a page shows all of something: matches of all rounds, special deals, reasons of ranks."""

NEWEST: Final = 12
"""Tournaments on the first page."""

AWARDS: Final = (
    Award.BAVNEY.value,
    Award.GOON_COURT.value,
    Award.COURT.value,
    Award.REVOKE.value,
)
"""What makes courts, in the order in which a list shows it."""


# -- values


class StandingsAnswer(StandingsTable):
    """The standings as they are answered: the table, and whether nothing was written since."""

    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLine:
    """A tournament as a list shows it."""

    slug: str
    name: str
    club_slug: str
    club_name: str
    format: str
    rules: str
    status: str
    visibility: str
    entries: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentHeader:
    """What every page about a tournament says of it, and what its reader may do there."""

    id: int
    slug: str
    name: str
    club: ClubLine
    collection_id: int
    version: int
    """The collection's, now."""
    format: str
    visibility: str
    status: str
    rules: str
    rules_version: int
    scheme: Scheme
    created_at: datetime
    may_upload: bool
    may_manage: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingLine:
    """What one opponent, or one round without one, gave to a tie-break's value."""

    opponent: str
    """Empty for a bye."""
    rounds: str
    amount: str
    own: str | None
    other: str | None
    again: int
    """Head-to-head: how many times the tied set had been narrowed before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakLine:
    """A tie-break's value for an entry, and how it was worked out."""

    code: str
    value: str | None
    is_deciding: bool
    lines: tuple[WorkingLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedLine:
    """A row of the standings with the reason for its rank."""

    row: RowJson
    level_with: tuple[str, ...]
    """The names of the entries of the same score, whom the tie-breaks were about."""
    tiebreaks: tuple[TiebreakLine, ...]


@dataclass(frozen=True, kw_only=True)
class ShownStandings:
    """The standings as pages show them."""

    answer: StandingsAnswer
    reasons: tuple[ReasonJson, ...]

    @property
    def is_long(self) -> bool:
        """Whether the workings are too much for one page: then each entry has a page for its own."""
        return len(self.reasons) > ALL_AT_ONCE

    @cached_property
    def lines(self) -> tuple[RankedLine, ...]:
        """The rows with their reasons, made when they are first asked for: a page may have its table kept."""
        names = {row["entry"]: row["partnership"]["name"] for row in self.answer["rows"]}
        return tuple(
            _ranked(row, reason, names) for row, reason in zip(self.answer["rows"], self.reasons, strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """An entry."""

    number: int
    pair: PairRef
    state: str
    seed: int | None
    penalty: int
    penalty_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match with what its scoresheet comes to."""

    uid: UUID
    table: str
    state: str
    ns: EntryLine
    ew: EntryLine
    result: SheetResult

    @property
    def winner(self) -> str:
        """``NS``, ``EW``, or empty for a draw and for a match that does not count (law 13.2)."""
        if self.state != MatchState.FINISHED or self.result.courts_ns == self.result.courts_ew:
            return ""
        return (Team.NS if self.result.courts_ns > self.result.courts_ew else Team.EW).name

    @property
    def is_finished(self) -> bool:
        """Whether the match counts."""
        return self.state == MatchState.FINISHED


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round with its matches by table, and who had no opponent."""

    uid: UUID
    number: int
    label: str
    session: int
    matches: tuple[MatchLine, ...]
    byes: tuple[EntryLine, ...]

    @property
    def open(self) -> int:
        """How many of its matches are still open."""
        return sum(match.state == MatchState.OPEN for match in self.matches)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialLine:
    """A deal that is worth pointing at, with where it was played."""

    round: int
    match: MatchLine
    deal: SpecialDeal

    @property
    def winner(self) -> EntryLine | None:
        """Who won the deal; None: nobody did."""
        return {"NS": self.match.ns, "EW": self.match.ew}.get(self.deal.winner)

    @property
    def is_award(self) -> bool:
        """Whether it made courts."""
        return self.deal.award in AWARDS

    @property
    def needs_a_look(self) -> bool:
        """Whether a problem stands, or the deal is not as it was first recorded."""
        return bool(self.deal.problem_codes) or self.deal.is_ruled or self.deal.revision > 1


@dataclass(frozen=True, slots=True)
class SomeLines:
    """Deals worth pointing at, as many as a page shows, and how many more there are."""

    lines: tuple[SpecialLine, ...]
    more: int

    @staticmethod
    def of(lines: Sequence[SpecialLine]) -> "SomeLines":
        """Return the first of the lines, and the number of the others."""
        return SomeLines(tuple(lines[:ALL_AT_ONCE]), max(len(lines) - ALL_AT_ONCE, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPage:
    """A tournament with everything that its page shows."""

    header: TournamentHeader
    format_label: str
    standings: ShownStandings
    rounds: tuple[RoundLine, ...]
    shown: tuple[RoundLine, ...]
    """The rounds whose matches are shown: all of them, or where these are many, one."""
    matches: MatchCounts
    deals: int
    """Deals that count."""
    awards: SomeLines
    """The deals that made courts, bavneys first, then goon courts, courts and revokes."""
    worth_a_look: SomeLines
    """The deals with a problem that stands, warnings included, and those that were corrected or ruled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubTournaments:
    """A club with its tournaments, the newest first."""

    page: ClubPage
    tournaments: tuple[TournamentLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPage:
    """A tournament's standings alone."""

    header: TournamentHeader
    standings: ShownStandings


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    """Why an entry stands where it does."""

    header: TournamentHeader
    standings: ShownStandings
    line: RankedLine


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRegulationsLine:
    """Regulations that were replaced."""

    version: int
    rules: str
    ranking: str
    tiebreaks: tuple[str, ...]
    reason: str
    changed_by: str
    """Empty where the server did it."""
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagePage:
    """What a director can change of a tournament."""

    header: TournamentHeader
    entries: tuple[EntryLine, ...]
    is_frozen: bool
    """Whether a deal was recorded, so that a change of the scoring needs a reason."""
    past: tuple[PastRegulationsLine, ...]


# -- who may see what


def visible_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments that ``actor`` finds in a list."""
    clubs = clubs_where(actor, Action.LIST_TOURNAMENT)
    if clubs is None:
        return Tournament.objects.all()
    seen = Q(visibility=Visibility.PUBLIC) | Q(club__in=clubs)
    if actor.user_id is not None and may(
        actor, Action.LIST_TOURNAMENT, visibility=Visibility.PRIVATE, is_participant=True
    ):
        seen |= Q(pk__in=_entries_of_user(actor.user_id).values("tournament"))
    return Tournament.objects.filter(seen)


def tournament_for(slug: str, *, actor: Actor, action: Action = Action.VIEW_TOURNAMENT) -> Tournament:
    """Return the row of the tournament at that address. One query, one more where it is private.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise NotFound
    require(
        actor,
        action,
        club_id=tournament.club_id,
        visibility=tournament.visibility,
        is_participant=_participates(actor, tournament),
    )
    return tournament


def _participates(actor: Actor, tournament: Tournament) -> bool:
    if actor.user_id is None or tournament.visibility != Visibility.PRIVATE:
        return False
    return _entries_of_user(actor.user_id).filter(tournament=tournament).exists()


def _entries_of_user(user_id: int) -> QuerySet[Entry]:
    return Entry.objects.filter(Q(partnership__first__user=user_id) | Q(partnership__second__user=user_id))


# -- pages


def newest_tournaments(*, actor: Actor, limit: int = NEWEST) -> tuple[TournamentLine, ...]:
    """Return the tournaments made last that the actor may find. Three queries."""
    return _lines(visible_tournaments(actor).order_by("-created_at", "-pk")[:limit])


def club_tournaments(slug: str, *, actor: Actor) -> ClubTournaments:
    """Return a club's page. Three queries, one more for somebody signed in.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see it.
    """
    page = accounts.club_page(slug, actor=actor)
    own = visible_tournaments(actor).filter(club=page.club.id).order_by("-created_at", "-pk")
    return ClubTournaments(page=page, tournaments=_lines(own))


def tournament_page(slug: str, *, actor: Actor, round_number: int | None = None) -> TournamentPage:
    """Return everything that a tournament's page shows. Eleven queries, one more where it is private.

    Where there are many matches it shows those of one round: the one given, or the first that has an open
    one.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = _header(tournament, actor)
    entries = entries_of(tournament.pk)
    results = results_of(tournament.collection_id)
    rounds = _rounds(tournament.pk, entries, results)
    matches = [match for one in rounds for match in one.matches]
    special = _special(tournament.collection_id, rounds)
    awards = (line for line in special if line.is_award)
    return TournamentPage(
        header=header,
        format_label=str(Format(tournament.format).label),
        standings=_standings(header),
        rounds=rounds,
        shown=_shown(rounds, round_number),
        matches=counts_of(match.state for match in matches),
        deals=sum(match.result.deals for match in matches),
        awards=SomeLines.of(sorted(awards, key=lambda line: AWARDS.index(line.deal.award))),
        worth_a_look=SomeLines.of([line for line in special if line.needs_a_look]),
    )


def standings_page(slug: str, *, actor: Actor) -> StandingsPage:
    """Return a tournament's standings. Four queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    header = tournament_header(slug, actor=actor)
    return StandingsPage(header=header, standings=_standings(header))


def entry_page(slug: str, number: int, *, actor: Actor) -> EntryPage:
    """Return why an entry stands where it does. Four queries, one more where it is private.

    :raises NotFound: if there is no such tournament, or no such entry in its standings.
    :raises Forbidden: if the actor may not see it.
    """
    page = standings_page(slug, actor=actor)
    line = next((line for line in page.standings.lines if line.row["entry"] == number), None)
    if line is None:
        raise NotFound
    return EntryPage(header=page.header, standings=page.standings, line=line)


def tournament_header(
    slug: str, *, actor: Actor, action: Action = Action.VIEW_TOURNAMENT
) -> TournamentHeader:
    """Return what every page about a tournament says. Three queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    return _header(tournament_for(slug, actor=actor, action=action), actor)


def club_for(slug: str, *, actor: Actor, action: Action) -> ClubLine:
    """Return the club at that address. One query.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    club = accounts.club_by_slug(slug, actor=actor)
    require(actor, action, club_id=club.id)
    return club


def manage_page(slug: str, *, actor: Actor) -> ManagePage:
    """Return what a director can change of a tournament. Eight queries at most.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    header = tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    return ManagePage(
        header=header,
        entries=tuple(entries_of(header.id).values()),
        is_frozen=is_frozen(header.collection_id),
        past=_past_regulations(header.id),
    )


def _past_regulations(tournament_id: int) -> tuple[PastRegulationsLine, ...]:
    rows = list(PastRegulations.objects.filter(tournament=tournament_id).order_by("-version"))
    names = accounts.display_names([row.changed_by_id for row in rows if row.changed_by_id is not None])
    return tuple(
        PastRegulationsLine(
            version=row.version,
            rules=row.rules,
            ranking=row.ranking,
            tiebreaks=tuple(row.tiebreaks),
            reason=row.reason,
            changed_by=names.get(row.changed_by_id or 0, ""),
            changed_at=row.changed_at,
        )
        for row in rows
    )


def standings_news(slug: str, *, actor: Actor) -> tuple[int, StandingsNews]:
    """Return the tournament's id and which standings it has. Two queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    row = Standings.objects.filter(pk=tournament.pk).defer("reasons").first()
    if row is None:
        return tournament.pk, StandingsNews(version=0, status=tournament.status, computed_at=None)
    news = StandingsNews(
        version=row.version, status=row.table["status"], computed_at=row.table["computed_at"]
    )
    return tournament.pk, news


# -- for operations


def scheme_of(tournament: Tournament) -> Scheme:
    """Return how the tournament turns results into ranks."""
    return Scheme(
        ranking=Ranking(tournament.ranking),
        points=points_from_json(tournament.points),
        tiebreaks=tuple(map(TiebreakCode, tournament.tiebreaks)),
        lot_seed=tournament.lot_seed,
    )


def is_frozen(collection_id: int) -> bool:
    """Return whether a deal was recorded: it freezes the rules, the scoring and the tie-breaks. One query."""
    return any(result.version for result in scoring.match_results(collection_id))


class PointsJson(TypedDict):
    """What a match is worth, as it is stored: each a whole number, or a fraction as text."""

    win: int | str
    draw: int | str
    loss: int | str
    bye: int | str


def points_from_json(points: Mapping[str, int | str]) -> MatchPoints:
    """Return the points that were stored."""
    return MatchPoints(**{name: _exact(points[name]) for name in ("win", "draw", "loss", "bye")})


def points_to_json(points: MatchPoints) -> PointsJson:
    """Return the points as they are stored."""
    return PointsJson(
        win=_stored(points.win), draw=_stored(points.draw), loss=_stored(points.loss), bye=_stored(points.bye)
    )


def _exact(stored: int | str) -> Exact:
    return whole_if_possible(Fraction(stored))


def _stored(number: Exact) -> int | str:
    return number if isinstance(number, int) else str(number)


def entries_of(tournament_id: int) -> dict[int, EntryLine]:
    """Return the tournament's entries by their database id, in the order of their numbers. Two queries."""
    rows = list(Entry.objects.filter(tournament=tournament_id).order_by("number"))
    pairs = scoring.partnerships_by_id(row.partnership_id for row in rows)
    return {row.pk: _entry(row, pairs[row.partnership_id]) for row in rows}


def results_of(collection_id: int) -> dict[int, SheetResult]:
    """Return what each scoresheet of the collection comes to, by its database id. One query."""
    return {result.scoresheet_id: result for result in scoring.match_results(collection_id)}


def counts_of(states: Iterable[str]) -> MatchCounts:
    """Return how many matches are in each state."""
    seen = list(states)
    return count_matches(
        seen.count(MatchState.FINISHED), seen.count(MatchState.OPEN), seen.count(MatchState.VOID)
    )


def partnership_json(pair: PairRef) -> PartnershipJson:
    """Return a partnership in the form of the standings."""
    return PartnershipJson(
        id=str(pair.uid),
        name=pair.name,
        players=[PlayerJson(id=str(player.uid), name=player.name) for player in pair.players],
    )


def entry_names(entries: Iterable[EntryLine]) -> dict[int, EntryNames]:
    """Return who the entries are, by their numbers."""
    return {
        entry.number: EntryNames(state=entry.state, partnership=partnership_json(entry.pair))
        for entry in entries
    }


def tournament_json(tournament: Tournament) -> TournamentJson:
    """Return which tournament it is, in the form of the standings."""
    return TournamentJson(
        slug=tournament.slug,
        name=tournament.name,
        rules=tournament.rules,
        rules_version=tournament.rules_version,
    )


# -- rows into values


def _lines(tournaments: Iterable[Tournament]) -> tuple[TournamentLine, ...]:
    rows = list(tournaments)
    clubs = accounts.clubs_by_id({row.club_id for row in rows})
    entries = _entries_by_tournament([row.pk for row in rows])
    return tuple(_line(row, clubs[row.club_id], entries.get(row.pk, 0)) for row in rows)


def _entries_by_tournament(tournament_ids: Collection[int]) -> dict[int, int]:
    rows = Entry.objects.filter(tournament__in=tournament_ids).values_list("tournament")
    return dict(rows.annotate(entries=Count("pk")))


def _line(row: Tournament, club: ClubLine, entries: int) -> TournamentLine:
    return TournamentLine(
        slug=row.slug,
        name=row.name,
        club_slug=club.slug,
        club_name=club.name,
        format=row.format,
        rules=row.rules,
        status=row.status,
        visibility=row.visibility,
        entries=entries,
        created_at=row.created_at,
    )


def _header(row: Tournament, actor: Actor) -> TournamentHeader:
    return TournamentHeader(
        id=row.pk,
        slug=row.slug,
        name=row.name,
        club=accounts.clubs_by_id([row.club_id])[row.club_id],
        collection_id=row.collection_id,
        version=scoring.collection_versions([row.collection_id])[row.collection_id],
        format=row.format,
        visibility=row.visibility,
        status=row.status,
        rules=row.rules,
        rules_version=row.rules_version,
        scheme=scheme_of(row),
        created_at=row.created_at,
        may_upload=may(actor, Action.UPLOAD, club_id=row.club_id),
        may_manage=may(actor, Action.MANAGE_TOURNAMENT, club_id=row.club_id),
    )


def _entry(row: Entry, pair: PairRef) -> EntryLine:
    return EntryLine(
        number=row.number,
        pair=pair,
        state=row.state,
        seed=row.seed,
        penalty=row.penalty,
        penalty_reason=row.penalty_reason,
    )


def _rounds(
    tournament_id: int, entries: Mapping[int, EntryLine], results: Mapping[int, SheetResult]
) -> tuple[RoundLine, ...]:
    """Return the rounds in their order. Three queries."""
    matches: defaultdict[int, list[MatchLine]] = defaultdict(list)
    for match in Match.objects.filter(round__tournament=tournament_id):
        matches[match.round_id].append(_match(match, entries, results))
    byes: defaultdict[int, list[EntryLine]] = defaultdict(list)
    rows = Round.objects.filter(tournament=tournament_id).order_by("number").select_related("session")
    for round_id, entry_id in rows.filter(byes__isnull=False).values_list("pk", "byes__entry"):
        byes[round_id].append(entries[entry_id])
    return tuple(_round(row, matches[row.pk], byes[row.pk]) for row in rows)


def _round(row: Round, matches: Iterable[MatchLine], byes: Iterable[EntryLine]) -> RoundLine:
    return RoundLine(
        uid=row.uid,
        number=row.number,
        label=row.label,
        session=row.session.number,
        matches=tuple(sorted(matches, key=lambda match: table_key(match.table))),
        byes=tuple(byes),
    )


def _match(row: Match, entries: Mapping[int, EntryLine], results: Mapping[int, SheetResult]) -> MatchLine:
    return MatchLine(
        uid=row.uid,
        table=row.table,
        state=row.state,
        ns=entries[row.ns_id],
        ew=entries[row.ew_id],
        result=results[row.scoresheet_id],
    )


def _shown(rounds: tuple[RoundLine, ...], number: int | None) -> tuple[RoundLine, ...]:
    if number is None and sum(len(one.matches) for one in rounds) <= ALL_AT_ONCE:
        return rounds
    asked = [one for one in rounds if one.number == number]
    begun = [one for one in rounds if one.open] or list(rounds[-1:])
    return tuple((asked or begun)[:1])


def _special(collection_id: int, rounds: Iterable[RoundLine]) -> list[SpecialLine]:
    """Return the deals worth pointing at, by round and table. One query."""
    deals: defaultdict[int, list[SpecialDeal]] = defaultdict(list)
    for deal in scoring.special_deals(collection_id):
        deals[deal.scoresheet_id].append(deal)
    return [
        SpecialLine(round=one.number, match=match, deal=deal)
        for one in rounds
        for match in one.matches
        for deal in deals[match.result.scoresheet_id]
    ]


def table_key(table: str) -> tuple[int, int, str]:
    """Return what tables are sorted by: those with a number by it, then the others by name."""
    return (0, int(table), "") if table.isascii() and table.isdecimal() else (1, 0, table)


def _standings(header: TournamentHeader) -> ShownStandings:
    """Return the standings that were computed last, empty ones where none were. One query."""
    row = Standings.objects.filter(pk=header.id).first()
    if row is None:
        return ShownStandings(answer=_answer(_empty_table(header), current=False), reasons=())
    answer = _answer(row.table, current=row.version == header.version)
    return ShownStandings(answer=answer, reasons=tuple(row.reasons))


def _ranked(row: RowJson, reason: ReasonJson, names: Mapping[int, str]) -> RankedLine:
    return RankedLine(
        row=row,
        level_with=tuple(names[entry] for entry in reason["level_with"]),
        tiebreaks=tuple(
            TiebreakLine(
                code=working["code"],
                value=working["value"],
                is_deciding=working["code"] == row["decided_by"],
                lines=tuple(_working_line(line, names) for line in working["lines"]),
            )
            for working in reason["tiebreaks"]
        ),
    )


def _working_line(line: LineJson, names: Mapping[int, str]) -> WorkingLine:
    return WorkingLine(
        opponent="" if line["opponent"] is None else names[line["opponent"]],
        rounds=", ".join(map(str, line["rounds"])),
        amount=line["amount"],
        own=line["own"],
        other=line["other"],
        again=line["again"],
    )


def _answer(table: StandingsTable, *, current: bool) -> StandingsAnswer:
    """Return the table with ``current`` after its version, where the documents have it."""
    return StandingsAnswer(
        format=table["format"],
        tournament=table["tournament"],
        version=table["version"],
        current=current,
        status=table["status"],
        after_round=table["after_round"],
        computed_at=table["computed_at"],
        timezone=table["timezone"],
        ranking=table["ranking"],
        tiebreaks=table["tiebreaks"],
        lot_seed=table["lot_seed"],
        matches=table["matches"],
        rows=table["rows"],
    )


def _empty_table(header: TournamentHeader) -> StandingsTable:
    heading = Heading(
        tournament=TournamentJson(
            slug=header.slug, name=header.name, rules=header.rules, rules_version=header.rules_version
        ),
        version=0,
        status=header.status,
        after_round=0,
        computed_at=None,
        timezone=header.club.timezone,
        matches=count_matches(0, 0, 0),
    )
    return standings_table(heading, header.scheme, (), {})
