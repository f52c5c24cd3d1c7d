"""A match whose results are typed from its slip, and how it is found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Award, Outcome, Rules, Score, Seat, Team
from courtpiece.engine.rules import Gather
from scoring import queries as scoring
from scoring.queries import DealLine, ScoresheetPage
from tournaments.domain.check_codes import check_code, read_code, shown
from tournaments.domain.keyed_slips import KeyedSlip, read_slip
from tournaments.domain.plans import LengthKind, MatchLength
from tournaments.domain.slips import KnownDeal, ReadLine, SlipLine, read_lines
from tournaments.domain.watching import missing_numbers
from tournaments.errors import BadCheckCode, NoSuchTable
from tournaments.models import Match, MatchState
from tournaments.queries.clocks import agreed_length, current_round, round_tabs
from tournaments.queries.footnotes import RuledMatch, ruled_match
from tournaments.queries.prints import match_by_code, rows_of_slip
from tournaments.queries.room import played_together
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for

FEWEST_LINES = 7
"""On the page when it is opened, where no number of deals was agreed."""
MOST_LINES = 60
"""Taken at once."""


@dataclass(frozen=True, slots=True)
class RoundName:
    """What a round is called."""

    number: int
    label: str
    name: str
    """A key of ``domain.labels``; empty where it has only a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipPage:
    """A match with the deals that are in, for the others to be typed."""

    header: TournamentHeader
    uid: UUID
    table: str
    round: RoundName
    state: str
    version: int
    first_dealer: str
    """The seat's letter; empty where none was drawn."""
    agreed: MatchLength | None
    sheet: ScoresheetPage
    rules: Rules
    ruled: RuledMatch | None
    """What rulings make of it; None where there are none."""

    @property
    def is_open(self) -> bool:
        """Whether it takes results."""
        return self.state == MatchState.OPEN

    @property
    def is_single(self) -> bool:
        """Whether tricks are taken one by one, so that a win is seven to something (law 7.1)."""
        return self.rules.gather is Gather.SINGLE

    @property
    def known(self) -> tuple[KnownDeal, ...]:
        """The deals that are in."""
        return tuple(known_deal(line) for line in self.sheet.deals)

    @property
    def agreed_deals(self) -> int | None:
        """How many deals were agreed (law 13.1); None where the match has another length."""
        is_of_deals = self.agreed is not None and self.agreed.kind is LengthKind.DEALS
        return self.agreed.amount if self.agreed is not None and is_of_deals else None

    def is_beyond(self, numbers: Iterable[int | None]) -> bool:
        """Return whether one of the deals is more than were agreed: they count, and a director should know."""
        most = self.agreed_deals
        return most is not None and any(number is not None and number > most for number in numbers)

    @property
    def has_too_many(self) -> bool:
        """Whether more deals are in than were agreed."""
        return self.is_beyond(line.number for line in self.sheet.deals)

    @property
    def next_numbers(self) -> tuple[int, ...]:
        """The numbers that the first lines of the page have: what is left out, then what follows."""
        recorded = [line.number for line in self.sheet.deals]
        missing = missing_numbers(recorded)
        last = max(recorded, default=0)
        wanted = FEWEST_LINES if self.agreed_deals is None else self.agreed_deals - len(recorded)
        count = min(max(wanted, 1), MOST_LINES)
        return (*missing, *range(last + 1, last + 1 + count))[:count]

    @property
    def keyed_rows(self) -> int:
        """How many rows the slip has on the page on which it is keyed: as many as on paper, and all that are in."""
        last = max((line.number for line in self.sheet.deals), default=0)
        return min(max(rows_of_slip(self.agreed), last), MOST_LINES)

    def read_keys(self, keys: Mapping[int, str]) -> KeyedSlip:
        """Return what comes of the keys, by the numbers of their deals, among the deals that are in."""
        first = Seat[self.first_dealer] if self.first_dealer else None
        return read_slip(self.rules, keys, known=self.known, first_dealer=first)

    def read(self, lines: Sequence[SlipLine]) -> tuple[ReadLine, ...]:
        """Return what the engine says of the lines, among the deals that are in."""
        first = Seat[self.first_dealer] if self.first_dealer else None
        return read_lines(self.rules, lines, known=self.known, first_dealer=first)


def slip_page(uid: UUID, *, actor: Actor) -> SlipPage:
    """Return the match for its results to be typed. Seven queries, one more where it is private.

    :raises NotFound: if there is no such match.
    :raises Forbidden: if the actor may not record deals there.
    """
    match = Match.objects.select_related("round__session", "round__tournament").filter(uid=uid).first()
    if match is None:
        raise NotFound
    tournament = match.round.tournament
    require(actor, Action.RECORD_DEAL, club_id=tournament.club_id)
    sheet_uid = scoring.scoresheet_uids([match.scoresheet_id])[match.scoresheet_id]
    sheet = scoring.scoresheet_page(sheet_uid, actor=actor)
    return SlipPage(
        header=header_of(tournament, actor),
        uid=match.uid,
        table=match.table,
        round=RoundName(match.round.number, match.round.label, match.round.name),
        state=match.state,
        version=match.version,
        first_dealer=match.first_dealer,
        agreed=agreed_length(match.round.session, tournament),
        sheet=sheet,
        rules=Rules.parse(sheet.header.rules),
        ruled=ruled_match(match, tournament.slug),
    )


def known_deal(line: DealLine) -> KnownDeal:
    """Return a deal of the ledger as the reading of a slip takes it."""
    outcome = Outcome(
        Team[line.winner] if line.winner else None,
        Award(line.award),
        Score(line.tricks_ns, line.tricks_ew),
        Score(line.courts_ns, line.courts_ew),
    )
    is_ruled = line.is_ruled or line.voided
    return KnownDeal(number=line.number, dealer=Seat[line.dealer], outcome=outcome, is_ruled=is_ruled)


def find_match(slug: str, text: str, *, actor: Actor, round_number: int | None = None) -> UUID:
    """Return the match at the table that was typed, of the round given or the one that is played; or by its code.

    A slip's code is one of any round. Four queries, or three.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not record deals there.
    :raises NoSuchTable: if the round has no such table, and no slip such a code.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.RECORD_DEAL)
    rounds = round_tabs(tournament)
    shown = next((one for one in rounds if one.number == round_number), current_round(rounds))
    table = clean_text(text)
    alone = () if shown is None else (shown,)
    together = () if shown is None or round_number is not None else played_together(tournament, rounds, shown)
    found = Match.objects.filter(round__in=[one.id for one in together or alone], table=table)
    typed = found.order_by("-round__number").values_list("uid", flat=True).first()
    uid = typed or match_by_code(tournament.pk, table)
    if uid is None:
        raise NoSuchTable(
            _("This round has no table “%(table)s”, and no slip has that as its code.") % {"table": table}
        )
    return uid


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSlip:
    """A match whose slip is not in: it is open."""

    uid: UUID
    round: RoundName
    table: str
    code: str
    ns: str
    ew: str
    deals: int
    """That are recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipsPage:
    """Where slips are keyed, one after another: those that are not in."""

    header: TournamentHeader
    slips: tuple[OpenSlip, ...]
    is_more: bool
    """Whether there are more than are shown."""


MOST_SLIPS = 60
"""On the page on which slips are found by their codes."""


def slips_page(slug: str, *, actor: Actor) -> SlipsPage:
    """Return the slips of open matches, by round and table. Six queries at most.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not record deals there.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.RECORD_DEAL)
    matches = list(
        Match.objects.filter(round__tournament=tournament, state=MatchState.OPEN)
        .select_related("round", "ns", "ew")
        .order_by("round__number", "pk")[: MOST_SLIPS + 1]
    )
    shown_now = sorted(matches[:MOST_SLIPS], key=lambda one: (one.round.number, len(one.table), one.table))
    results = {
        one.scoresheet_id: one for one in scoring.sheet_results([match.scoresheet_id for match in shown_now])
    }
    pairs = [entry.partnership_id for match in shown_now for entry in (match.ns, match.ew)]
    names = scoring.pair_names(pairs)
    return SlipsPage(
        header=header_of(tournament, actor),
        slips=tuple(
            OpenSlip(
                uid=match.uid,
                round=RoundName(match.round.number, match.round.label, match.round.name),
                table=match.table,
                code=shown(check_code(match.uid)),
                ns=names[match.ns.partnership_id],
                ew=names[match.ew.partnership_id],
                deals=results[match.scoresheet_id].deals,
            )
            for match in shown_now
        ),
        is_more=len(matches) > MOST_SLIPS,
    )


def match_of_code(slug: str, text: str, *, actor: Actor) -> UUID:
    """Return the match whose slip has the check code that was typed. Three queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not record deals there.
    :raises BadCheckCode: if it is no code, or that of no slip of the tournament.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.RECORD_DEAL)
    typed = clean_text(text)
    code = read_code(typed)
    if code is None:
        raise BadCheckCode(
            _("“%(code)s” is no check code: a letter is wrong or missing, or two changed places.")
            % {"code": typed}
        )
    uid = match_by_code(tournament.pk, code)
    if uid is None:
        raise BadCheckCode(
            _(
                "“%(code)s” is the code of no slip of this tournament: the slip is of another one, or its round was "
                "taken back."
            )
            % {"code": shown(code)}
        )
    return uid
