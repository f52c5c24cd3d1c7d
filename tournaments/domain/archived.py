"""What an archive has of a tournament: everything that everybody may read of it, and nothing else.

The classes are the form of the file: :mod:`scoring.domain.typed_json` reads, writes and describes them.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal, NotRequired, TypeAlias
from uuid import UUID

from scoring.domain.archived import (
    MOST,
    ONE_LINE,
    ArchivedPartnership,
    ArchivedPlayer,
    ArchivedSheet,
    BySide,
    Count,
    Digest,
    Line,
    Name,
    Number,
    Place,
    Reason,
    SeatName,
    Version,
    Word,
)
from scoring.domain.results import Ranking, TiebreakCode
from scoring.domain.typed_json import Between, JsonObject, Longest, Matching, Says
from tournaments.domain.draw_json import ByeWhyJson, WhyJson
from tournaments.domain.effects import Effect
from tournaments.domain.plans import FormatName
from tournaments.domain.scheme_json import PointsJson
from tournaments.domain.standings import StandingsTable

FORMAT: Final = 1
"""The version of the form."""

MatchStateName: TypeAlias = Literal["open", "finished", "void"]
ForfeitName: TypeAlias = Literal["NS", "EW", "both"]
GivenReason: TypeAlias = Annotated[str, Longest(20_000, least=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedClub:
    """The club that ran the tournament."""

    slug: Annotated[str, Longest(50, least=1)]
    name: Name
    timezone: Annotated[str, Longest(64, least=1), Says("A name of the IANA database.")]
    city: Annotated[str, Longest(80), ONE_LINE]
    country: Annotated[str, Longest(80), ONE_LINE]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRules:
    """The rules, the scoring and the tie-breaks before they were changed."""

    version: Number
    rules: Line
    ranking: Ranking
    points: PointsJson
    tiebreaks: tuple[TiebreakCode, ...]
    lot_seed: Version | None
    reason: GivenReason
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSeeding:
    """How the seeds came about."""

    method: Literal["rating", "hand", "draw"]
    drawn_from: Annotated[int | None, Says("The number that they were drawn from.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedTournament:
    """The tournament: what it is, and by which rules it was played."""

    slug: Annotated[str, Matching("[a-z0-9]+(?:-[a-z0-9]+)*"), Longest(60)]
    name: Name
    format: FormatName
    plan: Annotated[JsonObject, Says("What the director chose of the format; what is left out is as usual.")]
    visibility: Literal["public", "unlisted", "private"]
    status: Literal["provisional", "official", "final"]
    rules: Annotated[str, Longest(200)]
    rules_version: Number
    ranking: Ranking
    points: PointsJson
    tiebreaks: tuple[TiebreakCode, ...]
    lot_seed: Version | None
    past_rules: Annotated[tuple[PastRules, ...], Says("By version; those that hold are not among them.")]
    seeding: Annotated[ArchivedSeeding | None, Says("Null: nobody gave seeds, or it is not known.")]
    players_may_enter: bool
    appeal_minutes: Count
    appeals_until: datetime | None
    live_delay: Annotated[int, Between(0, MOST), Says("Minutes by which spectators see the cards late.")]
    confirmation: bool
    link_hours: Count | None
    created_at: datetime
    version: Annotated[Version, Says("Counts the writes to anything in it; the standings are of it.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedEntry:
    """A partnership in the tournament. Who only asked to play is not here."""

    number: Number
    partnership: UUID
    seed: Count | None
    group: Number | None
    state: Literal["active", "withdrawn", "disqualified"]
    joined_round: Number
    withdrawn_after: Count | None
    penalty: Count
    penalty_reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSession:
    """One sitting. The agreed length of a match is one of three, or none."""

    id: UUID
    number: Number
    place: Place
    starts_at: datetime | None
    minutes: Count | None
    deals: Count | None
    courts: Count | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedClock:
    """The clock of a round: what it showed follows from these."""

    length: Annotated[Count, Says("Seconds.")]
    added: Annotated[int, Between(-MOST, MOST), Says("Seconds.")]
    ran: Annotated[Version, Says("Microseconds before the last pause.")]
    running_since: datetime | None
    started_at: datetime | None
    last_deal_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSubstitution:
    """A player who sat in for another in one match, by the ids of players."""

    absent: UUID
    substitute: UUID
    reason: Annotated[str, Longest(200, least=1)]
    made_at: datetime


class DrawnJson(WhyJson):
    """Why two entries met; ``first`` is the one whom scores and alternatives are about."""

    first: NotRequired[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMatch:
    """Two entries, by their numbers, at one table in one round."""

    id: UUID
    table: Annotated[str, Longest(40, least=1), ONE_LINE]
    ns: Number
    ew: Number
    scoresheet: UUID
    state: MatchStateName
    name: Annotated[Word, Says("What the format calls it, as a code.")]
    first_dealer: SeatName | None
    drawn: Annotated[DrawnJson | None, Says("Why they meet; null where no draw was made.")]
    forfeit: ForfeitName | None
    adjusted: Annotated[BySide | None, Says("The courts that a ruling put in place of the scoresheet's.")]
    finished_at: datetime | None
    substitutions: tuple[ArchivedSubstitution, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedBye:
    """An entry without an opponent."""

    entry: Number
    kind: Literal["pairing", "requested", "absent", "late"]
    drawn: ByeWhyJson


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRound:
    """A round that was published; its matches in the order in which they were made."""

    id: UUID
    number: Number
    session: Number
    label: Word
    name: Word
    state: Literal["published", "closed"]
    seed: Annotated[Version | None, Says("From which tables, seats and first dealers were drawn.")]
    published_at: datetime | None
    closed_at: datetime | None
    clock: ArchivedClock | None
    matches: tuple[ArchivedMatch, ...]
    byes: tuple[ArchivedBye, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStands:
    """What stands of a match."""

    state: MatchStateName
    forfeit: ForfeitName | Literal[""]
    adjusted_ns: Count | None
    adjusted_ew: Count | None
    finished_at: Annotated[str, Longest(40)] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyStands:
    """What stands of an entry's penalty."""

    penalty: Count
    penalty_reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryStands:
    """What stands of an entry."""

    state: Literal["requested", "declined", "active", "withdrawn", "disqualified"]
    withdrawn_after: Count | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledDeal:
    """The deal that a ruling is about."""

    id: UUID
    number: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealStep:
    """A step of an appeal."""

    number: Number
    kind: Literal["lodged", "allowed", "dismissed", "withdrawn"]
    entry: Annotated[Number | None, Says("Who appealed.")]
    reason: GivenReason
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRuling:
    """A decision, with what it set and what stood before. Who made it is said by role, as on the site."""

    id: UUID
    number: Number
    kind: Literal[
        "court-awarded",
        "court-cancelled",
        "deal-void",
        "deal-corrected",
        "finding-replaced",
        "match-adjusted",
        "match-forfeited",
        "penalty",
        "disqualified",
        "taken-back",
        "reopened",
    ]
    match: UUID | None
    entry: Number | None
    deal: RuledDeal | None
    law: Word
    reason: GivenReason
    decided: Annotated[
        JsonObject, Says("`before` and `after`: a revision, or columns of the match or of the entry.")
    ]
    effect: Effect
    takes_back: Annotated[Number | None, Says("The number of the ruling that it takes back.")]
    made_by: Literal["director", "server"]
    made_at: datetime
    appeal_until: datetime | None
    appeal: tuple[AppealStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsDigests:
    """What tells standings from others."""

    rows: Annotated[Digest, Says("Of the canonical JSON of `table.rows`.")]
    reasons: Annotated[
        Digest, Says("Of the canonical JSON of the workings of all tie-breaks, which are not here.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedStandings:
    """The standings as the API has them, without the moment at which they were computed."""

    after_round: Annotated[Count, Says("Made by the rounds up to this one; of the whole, the last one.")]
    table: StandingsTable
    sha256: StandingsDigests


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A tournament in one file, with everything that everybody may read of it.

    It is written with its keys in this order, each on a line of its own, and so is each item of a list, in canonical
    JSON; docs/archive.md says the rest.
    """

    format: Annotated[int, Between(FORMAT, FORMAT)]
    club: ArchivedClub
    tournament: ArchivedTournament
    players: tuple[ArchivedPlayer, ...]
    partnerships: tuple[ArchivedPartnership, ...]
    entries: tuple[ArchivedEntry, ...]
    sessions: tuple[ArchivedSession, ...]
    rounds: tuple[ArchivedRound, ...]
    scoresheets: tuple[ArchivedSheet, ...]
    rulings: tuple[ArchivedRuling, ...]
    standings: ArchivedStandings
    standings_after: tuple[ArchivedStandings, ...]
    sha256: Digest
