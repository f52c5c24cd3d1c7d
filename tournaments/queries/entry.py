"""One entry as a director works on it, and who sits in for its players."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.queries import PlayerOfPair, SheetResult
from tournaments.models import Absence, Draft, Entry, Match, Status
from tournaments.queries.entries import ListedEntry, last_published, listed
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.substitutes import SubstituteLine, substitutes_of

WITHDRAWN: Final = "entry-withdrawn"
"""What it is called in the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPlayer:
    """Who sits for an entry in a match."""

    player: PlayerOfPair
    sits_in_for: SubstituteLine | None
    """None: it is the pair's own player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMatch:
    """A match of an entry, with who sits in it for the entry."""

    uid: UUID
    scoresheet_uid: UUID
    round: int
    table: str
    opponents: str
    seated: tuple[SeatedPlayer, ...]
    has_deals: bool
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorEntry:
    """An entry with all that a director can change of it."""

    header: TournamentHeader
    entry: ListedEntry
    absences: tuple[tuple[int, str], ...]
    """The rounds still to be drawn that it does not play, and why."""
    matches: tuple[EntryMatch, ...]
    published: int
    withdrawn_because: str
    can_be_removed: bool
    is_final: bool

    @property
    def next_round(self) -> int:
        """The number of the round that is drawn next."""
        return self.published + 1

    @property
    def can_be_replaced(self) -> bool:
        """Whether its players can still be others."""
        return not any(match.has_deals for match in self.matches)


def director_entry(slug: str, number: int, *, actor: Actor) -> DirectorEntry:
    """Return an entry with all that a director can change of it. Fifteen queries at most.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = Entry.objects.filter(tournament=tournament, number=number).select_related("entered_by").first()
    if row is None:
        raise NotFound
    published = last_published(tournament.pk)
    (entry,) = listed([row])
    absences = Absence.objects.filter(entry=row, round_number__gt=published).order_by("round_number")
    withdrawn = accounts.last_details(
        club_id=tournament.club_id, what=WITHDRAWN, about={"tournament": slug, "entry": number}
    )
    is_final = tournament.status == Status.FINAL
    is_drafted = Draft.objects.filter(tournament=tournament).exists()
    return DirectorEntry(
        header=header_of(tournament, actor),
        entry=entry,
        absences=tuple(absences.values_list("round_number", "kind")),
        matches=_matches_of(row),
        published=published,
        withdrawn_because=str((withdrawn or {}).get("reason", "")),
        can_be_removed=not (published or is_final or is_drafted or row.penalty),
        is_final=is_final,
    )


def substituted_sides(tournament_id: int) -> dict[int, dict[int, tuple[int, int]]]:
    """Return who sits for the two pairs of each match in which somebody sits in: by match, then by partnership.

    One query, two where there is such a match.
    """
    rows = Match.objects.filter(round__tournament=tournament_id, substitutions__isnull=False)
    matches = {row.pk: row for row in rows.select_related("ns", "ew")}
    if not matches:
        return {}
    seats = scoring.seated_players(row.scoresheet_id for row in matches.values())
    sides: dict[int, dict[int, tuple[int, int]]] = {}
    for pk, row in matches.items():
        north, south, east, west = seats[row.scoresheet_id]
        sides[pk] = {row.ns.partnership_id: (north, south), row.ew.partnership_id: (east, west)}
    return sides


# -- the parts


def _matches_of(entry: Entry) -> tuple[EntryMatch, ...]:
    """Return the entry's matches by round. Six queries."""
    people = ("round", "ns", "ew")
    rows = [
        *Match.objects.filter(ns=entry).select_related(*people),
        *Match.objects.filter(ew=entry).select_related(*people),
    ]
    if not rows:
        return ()
    rows.sort(key=lambda row: row.round.number)
    sheets = {one.scoresheet_id: one for one in scoring.sheet_results(row.scoresheet_id for row in rows)}
    seats = scoring.seated_players(sheets)
    players = scoring.players_by_id(pk for seated in seats.values() for pk in seated)
    substitutes = substitutes_of(row.pk for row in rows)
    others = [row.ew if row.ns_id == entry.pk else row.ns for row in rows]
    names = scoring.pair_names(other.partnership_id for other in others)
    return tuple(
        _entry_match(
            row,
            sheets[row.scoresheet_id],
            names[other.partnership_id],
            [
                _seated(players[pk], substitutes.get(row.pk, ()))
                for pk in _own_seats(row, entry, seats[row.scoresheet_id])
            ],
        )
        for row, other in zip(rows, others, strict=True)
    )


def _entry_match(row: Match, sheet: SheetResult, opponents: str, seated: list[SeatedPlayer]) -> EntryMatch:
    return EntryMatch(
        uid=row.uid,
        scoresheet_uid=sheet.uid,
        round=row.round.number,
        table=row.table,
        opponents=opponents,
        seated=tuple(seated),
        has_deals=sheet.version > 0,
        version=row.version,
    )


def _own_seats(row: Match, entry: Entry, seats: tuple[int, int, int, int]) -> tuple[int, int]:
    north, south, east, west = seats
    return (north, south) if row.ns_id == entry.pk else (east, west)


def _seated(player: PlayerOfPair, substitutes: Iterable[SubstituteLine]) -> SeatedPlayer:
    line = next((one for one in substitutes if one.substitute.id == player.id), None)
    return SeatedPlayer(player=player, sits_in_for=line)
