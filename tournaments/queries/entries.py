"""The list of entries: as a director works on it, and as everybody reads it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db.models import Max, Q

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor, require
from scoring import queries as scoring
from scoring.names import NearDuplicate
from scoring.queries import PlayerOfPair
from tournaments.domain.entering import may_ask, takes_late_entries
from tournaments.domain.plans import FormatName
from tournaments.events import Event
from tournaments.models import (
    Absence,
    Entry,
    EntryState,
    Round,
    Status,
    Tournament,
)
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntry:
    """An entry as a list of entries shows it."""

    number: int
    players: tuple[PlayerOfPair, PlayerOfPair]
    state: str
    seed: int | None
    rating: int | None
    group: int | None
    joined_round: int
    withdrawn_after: int | None
    checked_in_at: datetime | None
    asked_by: str
    """The name of the account that asked to play; empty where nobody did."""
    note: str
    version: int

    @property
    def name(self) -> str:
        """``First & Second``."""
        return f"{self.players[0].name} & {self.players[1].name}"

    @property
    def is_late(self) -> bool:
        """Whether it came after the first round."""
        return self.joined_round > 1

    @property
    def is_active(self) -> bool:
        """Whether it plays."""
        return self.state == EntryState.ACTIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A pair that asked to play, beside the known players whose names are nearly theirs."""

    entry: ListedEntry
    near: tuple[NearDuplicate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeding:
    """How the seeds came about."""

    method: str
    drawn_from: int | None
    """The number that they were drawn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList:
    """The entries of a tournament, and what can be done with the list now."""

    header: TournamentHeader
    entries: tuple[ListedEntry, ...]
    """Those that play or did, by number."""
    requests: tuple[Request, ...]
    declined: tuple[ListedEntry, ...]
    away: Mapping[int, str]
    """Who does not play in the next round, and why, by the number of the entry."""
    published: int
    """How many rounds are published."""
    seeding: Seeding | None
    is_final: bool
    takes_late_entries: bool
    players_may_enter: bool
    version: str
    """What a form that changes all the seeds is made on: :func:`list_version`."""

    @property
    def active(self) -> tuple[ListedEntry, ...]:
        """Those that play."""
        return tuple(entry for entry in self.entries if entry.is_active)

    @property
    def by_seed(self) -> tuple[ListedEntry, ...]:
        """Those that play, the best seed first."""
        return tuple(sorted(self.active, key=lambda one: (one.seed is None, one.seed or 0, one.number)))

    @property
    def checked_in(self) -> int:
        """How many of those that play are checked in."""
        return sum(entry.checked_in_at is not None for entry in self.active)

    @property
    def next_round(self) -> int:
        """The number of the round that is drawn next."""
        return self.published + 1

    @property
    def is_open(self) -> bool:
        """Whether pairs can still be entered."""
        return not self.is_final and (not self.published or self.takes_late_entries)

    @property
    def missing(self) -> tuple[ListedEntry, ...]:
        """Those that are neither checked in nor said to be away."""
        return tuple(one for one in self.active if one.checked_in_at is None and one.number not in self.away)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPage:
    """What a player sees who wants to play."""

    header: TournamentHeader
    is_open: bool
    own_name: str
    """The name of the player with the user's account in the club, else the user's."""
    is_known: bool
    """Whether the club has a player with the user's account, whose name it is then."""
    mine: tuple[ListedEntry, ...]
    """What the user asked for, or plays in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What the typed text may become: ``text`` in the field, a whole pair or its first half."""

    text: str
    name: str
    """Of whom was found."""
    partners: tuple[str, ...]
    is_whole: bool


def collections_entered(player_ids: Collection[int]) -> list[int]:
    """Return the collections of the tournaments in whose lists one of the players stands, played or not. One query.

    Named in the settings: whoever is called otherwise is called so there, too.
    """
    of_players = Q(partnership__first__in=player_ids) | Q(partnership__second__in=player_ids)
    found = Entry.objects.filter(of_players).order_by().distinct()
    return list(found.values_list("tournament__collection_id", flat=True))


def entry_list(slug: str, *, actor: Actor) -> EntryList:
    """Return the list as a director works on it. Ten queries, one more where pairs ask to play.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    return _entry_list(tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT), actor)


def public_entry_list(slug: str, *, actor: Actor) -> EntryList:
    """Return the list as everybody may read it: without the pairs that only asked. Nine queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    return _entry_list(tournament_for(slug, actor=actor), actor, with_requests=False)


def ask_page(slug: str, *, actor: Actor) -> AskPage:
    """Return what a player sees who wants to play. Nine queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it, or is nobody.
    """
    tournament = tournament_for(slug, actor=actor)
    require(actor, Action.ENTER_TOURNAMENT, club_id=tournament.club_id)
    user_id = actor.user_id or 0
    player = scoring.player_of_user(tournament.club_id, user_id)
    rows = list(Entry.objects.filter(tournament=tournament).select_related("entered_by").order_by("number"))
    lines = listed(rows)
    asked = {row.number for row in rows if row.entered_by_id == user_id}
    mine = tuple(
        entry
        for entry in lines
        if any(one.user_id == user_id for one in entry.players)
        or (entry.number in asked and _is_request(entry))
    )
    return AskPage(
        header=header_of(tournament, actor),
        is_open=may_ask(
            players_may_enter=tournament.players_may_enter,
            published_rounds=last_published(tournament.pk),
            is_over=tournament.status == Status.FINAL,
        ),
        own_name=player.name if player else accounts.display_names([user_id]).get(user_id, ""),
        is_known=player is not None,
        mine=mine,
    )


def suggest_pairs(slug: str, text: str, *, actor: Actor) -> tuple[Suggestion, ...]:
    """Return what a director may mean who has typed so much of a pair. Five queries at most.

    Before an ``&`` it looks for the first player, after it for the partner: known partners of the first come first.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    first, joined, second = (part.strip() for part in clean_text(text).partition("&"))
    if not joined:
        return _first_players(tournament.club_id, first)
    known = scoring.partners_of(tournament.club_id, first)
    if not second:
        return tuple(
            Suggestion(text=f"{first} & {name}", name=name, partners=(), is_whole=True) for name in known
        )
    found = scoring.find_players(tournament.club_id, second, without=[first])
    order = sorted(found, key=lambda player: player.name not in known)
    return tuple(
        Suggestion(text=f"{first} & {one.name}", name=one.name, partners=one.partners, is_whole=True)
        for one in order
    )


def suggest_players(slug: str, text: str, *, actor: Actor) -> tuple[Suggestion, ...]:
    """Return which one player a director may mean who has typed so much of a name. Four queries at most.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    return tuple(
        Suggestion(text=one.name, name=one.name, partners=one.partners, is_whole=True)
        for one in scoring.find_players(tournament.club_id, clean_text(text))
    )


# -- the parts


def _entry_list(tournament: Tournament, actor: Actor, *, with_requests: bool = True) -> EntryList:
    rows = list(Entry.objects.filter(tournament=tournament).select_related("entered_by").order_by("number"))
    lines = listed(rows)
    published = last_published(tournament.pk)
    asked = [entry for entry in lines if entry.state == EntryState.REQUESTED] if with_requests else []
    declined = [entry for entry in lines if entry.state == EntryState.DECLINED] if with_requests else []
    return EntryList(
        header=header_of(tournament, actor),
        entries=tuple(entry for entry in lines if not _is_request(entry)),
        requests=_requests(tournament.club_id, asked),
        declined=tuple(declined),
        away=dict(
            Absence.objects.filter(entry__tournament=tournament, round_number=published + 1).values_list(
                "entry__number", "kind"
            )
        ),
        published=published,
        seeding=seeding_of(tournament),
        is_final=tournament.status == Status.FINAL,
        takes_late_entries=takes_late_entries(FormatName(tournament.format)),
        players_may_enter=tournament.players_may_enter,
        version=list_version(row for row in rows if row.state == EntryState.ACTIVE),
    )


def list_version(rows: Iterable[Entry]) -> str:
    """Return what stands for who is in the list with what seeds: another text once one of these is another."""
    facts = sorted((row.number, row.seed, row.rating, row.partnership_id) for row in rows)
    return sha256(repr(facts).encode()).hexdigest()[:16]


def _is_request(entry: ListedEntry) -> bool:
    return entry.state in {EntryState.REQUESTED, EntryState.DECLINED}


def listed(entries: Iterable[Entry]) -> tuple[ListedEntry, ...]:
    """Return the entries, whose accounts are loaded. One query, and that of the entries."""
    rows = list(entries)
    pairs = scoring.players_of_pairs(row.partnership_id for row in rows)
    return tuple(
        ListedEntry(
            number=row.number,
            players=pairs[row.partnership_id],
            state=row.state,
            seed=row.seed,
            rating=row.rating,
            group=row.group,
            joined_round=row.joined_round,
            withdrawn_after=row.withdrawn_after,
            checked_in_at=row.checked_in_at,
            asked_by=row.entered_by.display_name if row.entered_by is not None else "",
            note=row.note,
            version=row.version,
        )
        for row in rows
    )


def _requests(club_id: int, asked: list[ListedEntry]) -> tuple[Request, ...]:
    if not asked:
        return ()
    names = [player.name for entry in asked for player in entry.players]
    near: defaultdict[str, list[NearDuplicate]] = defaultdict(list)
    for one in scoring.likenesses(club_id, names):
        near[one.name].append(one)
    return tuple(
        Request(entry=entry, near=tuple(one for player in entry.players for one in near[player.name]))
        for entry in asked
    )


def last_published(tournament_id: int) -> int:
    """Return the number of the last round that is published, 0 before the first. One query."""
    last = Round.objects.filter(tournament=tournament_id).aggregate(last=Max("number"))["last"]
    return int(last or 0)


def seeding_of(tournament: Tournament) -> Seeding | None:
    """Return how the seeds came about; None where nobody gave any. One query."""
    found = accounts.last_details(
        club_id=tournament.club_id, what=Event.ENTRIES_SEEDED, about={"tournament": tournament.slug}
    )
    if found is None:
        return None
    return Seeding(method=str(found.get("method", "")), drawn_from=found.get("seed"))


def _first_players(club_id: int, text: str) -> tuple[Suggestion, ...]:
    """Return the players who fit, each with the pairs that the club knows of the first of them."""
    lines: list[Suggestion] = []
    for one in scoring.find_players(club_id, text):
        lines += [
            Suggestion(text=f"{one.name} & {partner}", name=one.name, partners=(partner,), is_whole=True)
            for partner in one.partners
        ]
        lines.append(Suggestion(text=f"{one.name} & ", name=one.name, partners=(), is_whole=False))
    return tuple(lines[:12])
