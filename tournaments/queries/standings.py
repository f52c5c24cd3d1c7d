"""The standings as they were computed last, and the reason for every rank."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.db.models import Exists, OuterRef

from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.queries import PairRef
from tournaments.domain.standings import (
    EntryNames,
    Heading,
    LineJson,
    PartnershipJson,
    PlayerJson,
    ReasonJson,
    RowJson,
    SessionJson,
    StandingsTable,
    TournamentJson,
    count_matches,
    in_order,
    standings_table,
)
from tournaments.models import Entry, Match, MatchState, Round, Standings, Tournament
from tournaments.publishing import StandingsNews
from tournaments.queries import sizes
from tournaments.queries.footnotes import footnotes_of
from tournaments.queries.parts import EntryLine
from tournaments.queries.sight import TournamentHeader, tournament_for, tournament_header
from tournaments.queries.substitutes import EntrySubstitute, substitutes_of_entry


class StandingsAnswer(StandingsTable):
    """The standings as they are answered: the table, and whether nothing was written since."""

    current: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """Which standings these are: the same mark, the same standings."""

    slug: str
    version: int
    computed_at: str | None
    """None: they never were."""
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingLine:
    """What one opponent, or one round without one, gave to a tie-break's value."""

    opponent: str
    """Empty where there was none."""
    rounds: str
    amount: str
    own: str | None
    other: str | None
    again: int
    """Head-to-head: how many times the tied set had been narrowed before."""
    bye: str
    """Why no match was played in the round, as a kind of bye; empty where one was."""
    is_dummy: bool
    """Whether it is taken to have met a dummy of its own score in the round."""
    cut: str
    """Whether it was left out as the ``lowest`` or the ``highest``; empty where it counts."""
    before: str | None
    """The opponent's score before it was adjusted for rounds without a match."""


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
    footnotes: tuple[int, ...] = ()
    """The numbers of the rulings about the entry, its matches and their deals."""
    sessions: tuple[SessionJson, ...] = ()
    """In a league: those in which it was there."""


@dataclass(frozen=True, kw_only=True)
class ShownStandings:
    """The standings as pages show them."""

    answer: StandingsAnswer
    reasons: tuple[ReasonJson, ...]
    footnotes: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The numbers of the rulings about entries, their matches and deals, by the entry's number."""

    @property
    def is_long(self) -> bool:
        """Whether the workings are too much for one page: then each entry has a page for its own."""
        return len(self.reasons) > sizes.ALL_AT_ONCE

    @cached_property
    def lines(self) -> tuple[RankedLine, ...]:
        """The rows with their reasons, made when they are first asked for: a page may have its table kept."""
        return tuple(self._lines(self.answer["rows"]))

    def line_of(self, entry: int) -> RankedLine | None:
        """Return the line of an entry, None where it has none: the others are not made."""
        return next(self._lines(row for row in self.answer["rows"] if row["entry"] == entry), None)

    def _lines(self, wanted: Iterable[RowJson]) -> Iterator[RankedLine]:
        names = {row["entry"]: row["partnership"]["name"] for row in self.answer["rows"]}
        reasons = {reason["entry"]: reason for reason in self.reasons}
        for row in wanted:
            line = _ranked(row, reasons[row["entry"]], names)
            yield replace(line, footnotes=self.footnotes.get(row["entry"], ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPage:
    """A tournament's standings alone."""

    header: TournamentHeader
    standings: ShownStandings
    round_number: int | None = None
    """After which round they are shown; None: as they are now."""
    rounds: tuple[int, ...] = ()
    """After which rounds they can be asked for: those in which something is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    """Why an entry stands where it does."""

    header: TournamentHeader
    standings: ShownStandings
    line: RankedLine
    substitutes: tuple[EntrySubstitute, ...] = ()
    """Who sat in for its players."""


def standings_page(slug: str, *, actor: Actor) -> StandingsPage:
    """Return a tournament's standings as they are now. Six queries, one more where it is private.

    Those after a round: :func:`tournaments.operations.standings.standings_page_after`.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    header = tournament_header(slug, actor=actor)
    return page_of_standings(header, shown_standings(header))


def page_of_standings(
    header: TournamentHeader, shown: ShownStandings, *, round_number: int | None = None
) -> StandingsPage:
    """Return the page on which these standings are shown, those after a round with its footnotes only. Two queries."""
    over = Match.objects.filter(round=OuterRef("pk")).exclude(state=MatchState.OPEN)
    begun = Round.objects.filter(Exists(over), tournament=header.id)
    return StandingsPage(
        header=header,
        standings=replace(shown, footnotes=footnotes_of(header.id, until_round=round_number).by_entry),
        round_number=round_number,
        rounds=tuple(begun.order_by("number").values_list("number", flat=True)),
    )


def standings_answer(slug: str, *, actor: Actor) -> StandingsAnswer:
    """Return a tournament's standings without the reasons. Four queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    header = tournament_header(slug, actor=actor)
    row = Standings.objects.filter(pk=header.id).defer("reasons").first()
    if row is None:
        return answer_of(_empty_table(header), current=False)
    return _answer_now(row, header.id, current=row.version == header.version)


def standings_mark(slug: str, *, actor: Actor) -> Mark:
    """Return which standings a tournament has, as :func:`mark_of` them. Three queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    row = Standings.objects.filter(pk=tournament.pk).values_list("version", "table__computed_at").first()
    if row is None:
        return Mark(slug, 0, None, is_current=False)
    version = scoring.collection_versions([tournament.collection_id])[tournament.collection_id]
    return Mark(slug, *row, is_current=row[0] == version)


def mark_of(answer: StandingsAnswer) -> Mark:
    """Return what is another whenever a tournament's standings say something else."""
    return Mark(
        answer["tournament"]["slug"], answer["version"], answer["computed_at"], is_current=answer["current"]
    )


def entry_page(slug: str, number: int, *, actor: Actor) -> EntryPage:
    """Return why an entry stands where it does. Five queries, one more where somebody sat in, or it is private.

    :raises NotFound: if there is no such tournament, or no such entry in its standings.
    :raises Forbidden: if the actor may not see it.
    """
    page = standings_page(slug, actor=actor)
    line = page.standings.line_of(number)
    if line is None:
        raise NotFound
    return EntryPage(
        header=page.header,
        standings=page.standings,
        line=line,
        substitutes=substitutes_of_entry(page.header.id, number),
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


def shown_standings(header: TournamentHeader) -> ShownStandings:
    """Return the standings that were computed last, empty ones where none were. One query."""
    row = Standings.objects.filter(pk=header.id).first()
    if row is None:
        return ShownStandings(answer=answer_of(_empty_table(header), current=False), reasons=())
    answer = _answer_now(row, header.id, current=row.version == header.version)
    return ShownStandings(answer=answer, reasons=tuple(row.reasons))


def _answer_now(row: Standings, tournament_id: int, *, current: bool) -> StandingsAnswer:
    """Return what was computed; where it is behind, with the names of now: one may have been hidden.

    Who was taken out of the list since is left out. Two queries.
    """
    answer = answer_of(row.table, current=current)
    if current:
        return answer
    pairs = entered_pairs(tournament_id)
    answer["rows"] = [
        {**line, "partnership": partnership_json(pairs[line["entry"]])}
        for line in answer["rows"]
        if line["entry"] in pairs
    ]
    return answer


def entered_pairs(tournament_id: int) -> dict[int, PairRef]:
    """Return the partnerships by the numbers of their entries, as they are called now. Two queries."""
    entries = dict(Entry.objects.filter(tournament=tournament_id).values_list("number", "partnership_id"))
    pairs = scoring.partnerships_by_id(entries.values())
    return {number: pairs[pk] for number, pk in entries.items()}


def _ranked(row: RowJson, reason: ReasonJson, names: Mapping[int, str]) -> RankedLine:
    return RankedLine(
        row=row,
        level_with=tuple(names[entry] for entry in reason["level_with"] if entry in names),
        tiebreaks=tuple(
            TiebreakLine(
                code=working["code"],
                value=working["value"],
                is_deciding=working["code"] == row["decided_by"],
                lines=tuple(_working_line(line, names) for line in working["lines"]),
            )
            for working in reason["tiebreaks"]
        ),
        sessions=tuple(reason.get("sessions", ())),
    )


def _working_line(line: LineJson, names: Mapping[int, str]) -> WorkingLine:
    return WorkingLine(
        opponent="" if line["opponent"] is None else names[line["opponent"]],
        rounds=", ".join(map(str, line["rounds"])),
        amount=line["amount"],
        own=line.get("own"),
        other=line.get("other"),
        again=line.get("again", 0),
        bye=line.get("bye", "pairing" if line["opponent"] is None else ""),
        is_dummy=line.get("dummy", False),
        cut=line.get("cut", ""),
        before=line.get("before"),
    )


def answer_of(table: StandingsTable, *, current: bool) -> StandingsAnswer:
    """Return the table with its keys as the documents order them, ``current`` after the version."""
    table = in_order(table)
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
