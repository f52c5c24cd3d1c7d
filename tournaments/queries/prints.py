"""What is printed of a tournament: slips, table cards, draws, standings, certificates."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from courtpiece.accounts.permissions import Action, Actor
from tournaments.domain.check_codes import check_code, read_code, shown
from tournaments.domain.plans import LengthKind, MatchLength
from tournaments.domain.standings import RowJson
from tournaments.errors import NoSuchRound
from tournaments.models import Match, Session, Substitution, Tournament
from tournaments.queries.clocks import agreed_length, current_round, round_tabs
from tournaments.queries.links import paths_of_links
from tournaments.queries.parts import ByeLine, MatchLine, RoundLine, entries_of, results_of, rounds_of
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.standings import ShownStandings, shown_standings
from tournaments.queries.state import plan_of
from tournaments.words import label_text

MOST_MATCHES: Final = 300
"""On one print: a session of more is printed round by round."""
SPARE_LINES: Final = 3
"""Of a slip, under those of the agreed deals: for void deals, and where a match is played on."""
SHORT_SLIP: Final = 14
"""Lines of a slip of which two stand on a page."""
LONG_SLIP: Final = 34
"""Lines of a slip that has a page to itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedMatch:
    """A match as paper needs it."""

    uid: UUID
    scoresheet: UUID
    round_name: str
    table: str
    ns: str
    ew: str
    north_south: tuple[str, str]
    """The players at N and S."""
    east_west: tuple[str, str]
    """The players at E and W."""
    ns_number: int
    ew_number: int
    first_dealer: str
    """A seat's letter; empty where none was drawn."""
    label: str
    """What the format calls it; mostly empty."""
    code: str
    rows: int
    """Lines of its slip."""
    link: str = ""
    """The address, on this site, by which its table sends deals; empty where it has none."""
    agreed: MatchLength | None = None
    """The agreed length (law 13.1)."""
    sits_in: Mapping[str, str] = field(default_factory=dict)
    """The names of players who are not there, by those of who sits in for them."""

    @property
    def is_long(self) -> bool:
        """Whether its slip has a page to itself."""
        return self.rows > SHORT_SLIP

    @property
    def agreed_deals(self) -> int | None:
        """How many deals were agreed; None where it was not deals, or nothing."""
        is_of_deals = self.agreed is not None and self.agreed.kind is LengthKind.DEALS
        return self.agreed.amount if self.agreed is not None and is_of_deals else None

    @property
    def lines(self) -> tuple[tuple[int, bool], ...]:
        """The numbers of the deals that its slip has a line for, each with whether it is a spare one."""
        most = self.agreed_deals or self.rows
        return tuple((number, number > most) for number in range(1, self.rows + 1))

    @property
    def seats(self) -> tuple[tuple[str, str, str], ...]:
        """Each seat's letter with who sits there, and for whom, or an empty text; North and South first."""
        names = {
            **dict(zip("NS", self.north_south, strict=True)),
            **dict(zip("EW", self.east_west, strict=True)),
        }
        absent = {name: substitute for substitute, name in self.sits_in.items()}
        return tuple(
            (seat, absent[name], name) if name in absent else (seat, name, "") for seat, name in names.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRound:
    """A round as paper needs it."""

    number: int
    name: str
    session: int
    matches: tuple[PrintedMatch, ...]
    byes: tuple[ByeLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundName:
    """A round to be chosen."""

    number: int
    name: str
    """Empty where it has only a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintsPage:
    """What can be printed."""

    header: TournamentHeader
    rounds: tuple[RoundName, ...]
    current: int | None
    """The number of the round that is played; None without rounds."""
    sessions: tuple[int, ...]
    """The numbers of those that have rounds, where there are several."""
    prizes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsPrint:
    """Rounds to be printed."""

    header: TournamentHeader
    rounds: tuple[PrintedRound, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What a pair has won."""

    rank: int
    shared: bool
    names: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPrint:
    """Standings to be printed, and who has a prize."""

    header: TournamentHeader
    standings: ShownStandings
    certificates: tuple[Certificate, ...]
    played_on: date | None
    """The day of the last session, by the clock there."""


def prints_page(slug: str, *, actor: Actor) -> PrintsPage:
    """Return what can be printed. Four queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    row = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    rounds = round_tabs(row)
    sessions = tuple(dict.fromkeys(one.session for one in rounds))
    played = current_round(rounds)
    return PrintsPage(
        header=header_of(row, actor),
        rounds=tuple(RoundName(number=one.number, name=label_text(one.label or one.name)) for one in rounds),
        current=None if played is None else played.number,
        sessions=sessions if len(sessions) > 1 else (),
        prizes=plan_of(row).prizes,
    )


def rounds_print(
    slug: str, *, actor: Actor, round_number: int | None = None, session: int | None = None
) -> RoundsPrint:
    """Return one round, or all of a session; without either the one that is played. Eleven queries at most.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    :raises NoSuchRound: if it has no such round, or the session none.
    """
    row = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    rounds, open_rounds = _rounds(row)
    links = paths_of_links(row)
    wanted = round_number
    if wanted is None and session is None:
        wanted = next(iter(open_rounds), rounds[-1].number if rounds else None)
    found = tuple(_with_links(one, links) for one in rounds if one.number == wanted or one.session == session)
    if not found:
        raise NoSuchRound(wanted or 1)
    return RoundsPrint(header=header_of(row, actor), rounds=found)


def standings_print(slug: str, *, actor: Actor) -> StandingsPrint:
    """Return the standings that were computed last. Five queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    row = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    header = header_of(row, actor)
    standings = shown_standings(header)
    starts = (
        Session.objects.filter(tournament=row, starts_at__isnull=False)
        .order_by("-starts_at")
        .values_list("starts_at", flat=True)
        .first()
    )
    zone = ZoneInfo(header.club.timezone or "UTC")
    return StandingsPrint(
        header=header,
        standings=standings,
        certificates=certificates_of(standings.answer["rows"], plan_of(row).prizes),
        played_on=starts.astimezone(zone).date() if starts else None,
    )


def certificates_of(rows: Iterable[RowJson], prizes: int) -> tuple[Certificate, ...]:
    """Return who has won what; who shares the last place that has a prize has one too."""
    return tuple(
        Certificate(
            rank=row["rank"],
            shared=row["tied"],
            names=(row["partnership"]["players"][0]["name"], row["partnership"]["players"][1]["name"]),
        )
        for row in rows
        if row["rank"] <= prizes and row["state"] == "active"
    )


def match_by_code(tournament_id: int, text: str) -> UUID | None:
    """Return the match of the tournament whose slip has this check code; None where none has. One query."""
    code = read_code(text)
    if code is None:
        return None
    uids = Match.objects.filter(round__tournament=tournament_id).values_list("uid", flat=True)
    found = [uid for uid in uids if check_code(uid) == code]
    return found[0] if len(found) == 1 else None


def _rounds(row: Tournament) -> tuple[tuple[PrintedRound, ...], list[int]]:
    """Return the rounds, and the numbers of those with an open match."""
    entries = entries_of(row.pk)
    lines = rounds_of(row.pk, entries, results_of(row.collection_id))
    agreed = {
        session.number: agreed_length(session, row) for session in Session.objects.filter(tournament=row)
    }
    sat_in: defaultdict[UUID, dict[str, str]] = defaultdict(dict)
    people = ("match__uid", "substitute__name", "absent__name")
    for uid, substitute, absent in Substitution.objects.filter(match__round__tournament=row).values_list(
        *people
    ):
        sat_in[uid][substitute] = absent
    return tuple(_round(line, agreed, sat_in) for line in lines), [line.number for line in lines if line.open]


def _round(
    line: RoundLine,
    agreed: Mapping[int, MatchLength | None],
    sat_in: Mapping[UUID, Mapping[str, str]],
) -> PrintedRound:
    name = label_text(line.label or line.name)
    length = agreed.get(line.session)
    return PrintedRound(
        number=line.number,
        name=name,
        session=line.session,
        matches=tuple(_match(match, name, length, sat_in.get(match.uid, {})) for match in line.matches),
        byes=line.byes,
    )


def _with_links(one: PrintedRound, links: Mapping[tuple[int, str], str]) -> PrintedRound:
    matches = (replace(match, link=links.get((one.session, match.table), "")) for match in one.matches)
    return replace(one, matches=tuple(matches))


def _match(
    match: MatchLine, round_name: str, agreed: MatchLength | None, sits_in: Mapping[str, str]
) -> PrintedMatch:
    (north, south), (east, west) = (
        (match.ns.pair.players[0].name, match.ns.pair.players[1].name),
        (match.ew.pair.players[0].name, match.ew.pair.players[1].name),
    )
    return PrintedMatch(
        uid=match.uid,
        scoresheet=match.result.uid,
        round_name=round_name,
        table=match.table,
        ns=match.ns.pair.name,
        ew=match.ew.pair.name,
        north_south=(north, south),
        east_west=(east, west),
        ns_number=match.ns.number,
        ew_number=match.ew.number,
        first_dealer=match.first_dealer,
        label=label_text(match.name),
        code=shown(check_code(match.uid)),
        rows=rows_of_slip(agreed),
        agreed=agreed,
        sits_in=sits_in,
    )


def rows_of_slip(agreed: MatchLength | None) -> int:
    """Return how many lines the slip of a match of that length has."""
    if agreed is None or agreed.kind is not LengthKind.DEALS:
        return SHORT_SLIP
    most = SHORT_SLIP if agreed.amount <= SHORT_SLIP else LONG_SLIP
    return min(agreed.amount + SPARE_LINES, most)
