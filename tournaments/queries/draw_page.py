"""The page on which a director draws rounds."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Action, Actor
from scoring.domain.results import ByeKind, Ranking
from tournaments import words
from tournaments.domain.drawing import schedule_left
from tournaments.domain.pairing import ByeGiven, Draw, PairingError
from tournaments.domain.plans import LeaguePlan, SessionPairing, SwissPlan
from tournaments.domain.seats import Seating, seat_at_numbers
from tournaments.domain.state import TournamentState
from tournaments.domain.steps import Next, NextStep
from tournaments.domain.swapping import Drafted, Remark, remarks
from tournaments.models import Draft, EntryState, Round, Session, Wish
from tournaments.queries.draws import (
    ahead_of,
    drafted_of,
    gone_of,
    has_sessions,
    is_evening_over,
    names_of,
    session_of,
)
from tournaments.queries.draws import times_ns as times_of
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.state import LoadedState, load_state, shown_state


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSide:
    """An entry of a drafted match."""

    number: int
    name: str
    score: str
    """With its unit; empty in formats where the draw asks no score."""
    gives_away: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftCard:
    """A match of a draft."""

    table: str
    """Empty where it needs none."""
    label: str
    """What the format calls it, in words; mostly empty."""
    ns: DraftSide
    ew: DraftSide
    dealer: str
    """A seat's letter."""
    dealer_name: str
    """Who sits there."""
    reasons: tuple[str, ...]
    others: tuple[str, ...]
    """Why not others."""
    others_of: str
    """Whom these would have suited better."""
    warnings: tuple[str, ...]
    is_changed: bool
    """Whether a director changed it by hand."""

    @property
    def sides(self) -> tuple[DraftSide, DraftSide]:
        """Both of them."""
        return self.ns, self.ew


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftBye:
    """An entry without an opponent in a draft."""

    number: int
    name: str
    reason: str
    others: tuple[str, ...]
    warnings: tuple[str, ...]
    can_swap: bool
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnView:
    """A draw as it is shown."""

    cards: tuple[DraftCard, ...]
    byes: tuple[DraftBye, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """The draft as it stands."""

    number: int
    title: str
    version: int
    seed: int
    made_by: str
    made_at: datetime
    session: int | None
    """In a league: the one that it is drawn for."""
    is_behind: bool
    """Whether results or entries changed since it was drawn."""
    gone: str
    """The names of those who will not be there; mostly empty."""
    free: bool
    """Whether who meets whom may be changed."""
    drawn: DrawnView

    @property
    def numbers(self) -> tuple[int, ...]:
        """Those who have a place in it that can be changed."""
        seated = (side.number for card in self.drawn.cards for side in card.sides)
        return (*seated, *(bye.number for bye in self.drawn.byes if bye.can_swap))

    @property
    def must_confirm(self) -> bool:
        """Whether something changed since it was drawn."""
        return self.is_behind or bool(self.gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapView:
    """What a swap would change."""

    before: DrawnView
    """What is touched, as it stands."""
    after: DrawnView
    worse: tuple[str, ...]
    """What would be remarkable and is not now."""
    better: tuple[str, ...]
    """What is remarkable now and would not be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntry:
    """An entry to be chosen."""

    number: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AwayLine:
    """An entry that does not play in the next round."""

    number: int
    name: str
    kind: str
    is_late: bool
    """It comes later, which is not said here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WishLine:
    """Two entries that are wanted together or apart."""

    id: int
    kind: str
    kind_label: str
    first: str
    second: str
    round: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine:
    """A session in which a round can be played."""

    number: int
    place: str
    starts_at: datetime | None
    minutes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPage:
    """Everything that the page for draws shows."""

    header: TournamentHeader
    step: str
    """The value of a ``NextStep``."""
    number: int
    """Of the next round."""
    title: str
    """What the next round is called."""
    blocks: tuple[str, ...]
    left_out: str
    """The names of those for whom there is no place; mostly empty."""
    session: int | None
    """In a league: the one in which the next round is played."""
    schedule_left: int
    """How many rounds can be published at once; 0: none, or it makes no sense."""
    draft: DraftView | None
    sessions: tuple[SessionLine, ...]
    this_session: int
    """The number of the one that goes on."""
    asks_wishes: bool
    wishes: tuple[WishLine, ...]
    away: tuple[AwayLine, ...]
    entries: tuple[NamedEntry, ...]
    """Those that play on."""
    last: int
    """The number of the last round that is published; 0: none."""
    last_uid: UUID | None
    may_take_back: bool
    loaded: LoadedState
    """What all this was made of."""

    @property
    def next_number(self) -> int:
        """The number of the round that is published next."""
        return self.last + 1

    @property
    def draft_version(self) -> int:
        """The draft's version, 0 where there is none."""
        return 0 if self.draft is None else self.draft.version

    @property
    def can_draw(self) -> bool:
        """Whether a round can be drawn now."""
        return self.draft is None and self.step == NextStep.DRAW.value


def draw_page(slug: str, *, actor: Actor, now: datetime) -> DrawPage:
    """Return everything that the page for draws shows.

    Eighteen queries at most, whatever its size, five fewer where it was shown before.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    header = header_of(tournament, actor)
    loaded = shown_state(tournament)
    time_over = is_evening_over(tournament, now)
    draft = Draft.objects.filter(tournament=tournament).first()
    session = None if draft is None else session_of(draft)
    state, ahead = ahead_of(loaded, session=session, time_over=time_over)
    names = names_of(loaded)
    last = Round.objects.filter(tournament=tournament).select_related("clock").order_by("-number").first()
    return DrawPage(
        header=header,
        step=ahead.step.value,
        number=ahead.number,
        title=words.round_text(ahead.number, key=ahead.label),
        blocks=tuple(words.block_text(block, names) for block in ahead.blocks),
        left_out=words.named(ahead.left_out, names),
        session=state.session if has_sessions(loaded.plan) else None,
        schedule_left=_schedule_left(loaded, ahead),
        draft=None if draft is None else _draft_view(draft, loaded, names),
        sessions=_sessions(tournament.pk),
        this_session=state.session,
        asks_wishes=_asks_wishes(loaded),
        wishes=_wishes(tournament.pk, names),
        away=_away(state, names),
        entries=tuple(
            NamedEntry(number=entry.number, name=names[entry.number])
            for entry in loaded.entered
            if entry.state == EntryState.ACTIVE
        ),
        last=0 if last is None else last.number,
        last_uid=None if last is None else last.uid,
        may_take_back=draft is None and last is not None and _is_unused(last, loaded),
        loaded=loaded,
    )


def drawn_view(draw: Draw, drafted: Drafted, names: Mapping[int, str], ranking: Ranking) -> DrawnView:
    """Return a draw as it is shown; ``drafted`` is where its seats are from, if it is that one."""
    found = remarks(draw, drafted.field)
    seats = drafted.seats
    return DrawnView(
        cards=tuple(_card(seating, drafted, found, names, ranking) for seating in seats),
        byes=tuple(_bye(bye, drafted, found, names, ranking) for bye in draw.byes),
        remarks=found,
    )


def swap_view(draft: Draft, after: Draw, loaded: LoadedState) -> SwapView:
    """Return what the swap that makes ``after`` of the draft would change. One query."""
    names = names_of(loaded)
    ranking = loaded.state.scheme.ranking
    drafted = drafted_of(draft, loaded)
    seats = seat_at_numbers(after, seed=draft.seed, times_ns=times_of(loaded.state))
    old = drawn_view(drafted.draw, drafted, names, ranking)
    new = drawn_view(after, replace(drafted, draw=after, seats=seats), names, ranking)
    return SwapView(
        before=_only_changed(old, new),
        after=_only_changed(new, old),
        worse=_texts([one for one in new.remarks if one not in old.remarks], names, ranking),
        better=_texts([one for one in old.remarks if one not in new.remarks], names, ranking),
    )


def draft_for(slug: str, *, actor: Actor) -> tuple[Draft | None, LoadedState]:
    """Return the tournament's draft as it is kept, and the state that it is changed on. Eleven queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    return Draft.objects.filter(tournament=tournament).first(), load_state(tournament)


# -- the parts


def _schedule_left(loaded: LoadedState, ahead: Next) -> int:
    if ahead.step is not NextStep.DRAW:
        return 0
    try:
        left = len(schedule_left(loaded.plan, loaded.state))
    except PairingError:
        return 0
    return left if left > 1 else 0


def _draft_view(draft: Draft, loaded: LoadedState, names: Mapping[int, str]) -> DraftView:
    drafted = drafted_of(draft, loaded)
    made_by = accounts.display_names([draft.made_by_id]) if draft.made_by_id is not None else {}
    return DraftView(
        number=draft.number,
        title=words.round_text(draft.number, key=drafted.draw.label),
        version=draft.version,
        seed=draft.seed,
        made_by=made_by.get(draft.made_by_id or 0, ""),
        made_at=draft.made_at,
        session=session_of(draft),
        is_behind=draft.drawn_on != loaded.version,
        gone=words.named(gone_of(drafted.draw, loaded.state), names),
        free=drafted.free,
        drawn=drawn_view(drafted.draw, drafted, names, loaded.state.scheme.ranking),
    )


def _card(
    seating: Seating,
    drafted: Drafted,
    found: tuple[Remark, ...],
    names: Mapping[int, str],
    ranking: Ranking,
) -> DraftCard:
    pairing = seating.pairing
    scores = dict(zip((pairing.first, pairing.second), pairing.scores, strict=True))
    shows_scores = words.shows_scores(pairing)

    def side(entry: int) -> DraftSide:
        return DraftSide(
            number=entry,
            name=names[entry],
            score=words.amount_text(scores[entry], ranking) if shows_scores else "",
            gives_away=entry in pairing.given_away_by,
        )

    about = [one for one in found if one.entries and {*one.entries} <= {pairing.first, pairing.second}]
    return DraftCard(
        table="" if pairing.given_away_by else seating.table,
        label=words.label_text(pairing.label) if pairing.label else "",
        ns=side(seating.ns),
        ew=side(seating.ew),
        dealer=seating.dealer.letter,
        dealer_name=_seated(seating, names),
        reasons=words.reasons_of(pairing, names, ranking),
        others=words.alternatives_of(pairing.alternatives, names),
        others_of=names[pairing.first],
        warnings=_texts([one for one in about if words.is_warning(one)], names, ranking),
        is_changed=pairing not in drafted.drawn.pairings,
    )


def _seated(seating: Seating, names: Mapping[int, str]) -> str:
    """Return the player of the first dealer's seat: the first of a pair sits North or East."""
    pair = names[seating.ns if seating.dealer.letter in "NS" else seating.ew].split(" & ")
    return pair[0 if seating.dealer.letter in "NE" else -1]


def _bye(
    bye: ByeGiven,
    drafted: Drafted,
    found: tuple[Remark, ...],
    names: Mapping[int, str],
    ranking: Ranking,
) -> DraftBye:
    about = [one for one in found if one.entries == (bye.entry,) and words.is_warning(one)]
    return DraftBye(
        number=bye.entry,
        name=names[bye.entry],
        reason=words.bye_text(bye),
        others=words.alternatives_of(bye.alternatives, names),
        warnings=_texts(about, names, ranking),
        can_swap=bye.kind is ByeKind.PAIRING and drafted.free,
        is_changed=bye not in drafted.drawn.byes,
    )


def _texts(found: list[Remark], names: Mapping[int, str], ranking: Ranking) -> tuple[str, ...]:
    return tuple(words.remark_text(one, names, ranking) for one in found)


def _only_changed(view: DrawnView, other: DrawnView) -> DrawnView:
    """Return what of a draw is otherwise in the other."""
    return replace(
        view,
        cards=tuple(card for card in view.cards if card not in other.cards),
        byes=tuple(bye for bye in view.byes if bye not in other.byes),
    )


def _sessions(tournament_id: int) -> tuple[SessionLine, ...]:
    return tuple(
        SessionLine(number=row.number, place=row.place, starts_at=row.starts_at, minutes=row.minutes)
        for row in Session.objects.filter(tournament=tournament_id).order_by("number")
    )


def _asks_wishes(loaded: LoadedState) -> bool:
    plan = loaded.plan
    is_swiss_league = isinstance(plan, LeaguePlan) and plan.pairing is SessionPairing.SWISS
    return isinstance(plan, SwissPlan) or is_swiss_league


def _wishes(tournament_id: int, names: Mapping[int, str]) -> tuple[WishLine, ...]:
    rows = Wish.objects.filter(tournament=tournament_id).select_related("first", "second").order_by("pk")
    return tuple(
        WishLine(
            id=row.pk,
            kind=row.kind,
            kind_label=row.get_kind_display(),
            first=names.get(row.first.number, str(row.first.number)),
            second=names.get(row.second.number, str(row.second.number)),
            round=row.round_number,
            reason=row.reason,
        )
        for row in rows
    )


def _away(state: TournamentState, names: Mapping[int, str]) -> tuple[AwayLine, ...]:
    return tuple(
        AwayLine(
            number=bye.entry,
            name=names[bye.entry],
            kind=bye.kind.value,
            is_late=bye.kind is ByeKind.LATE,
        )
        for bye in state.away
    )


def _is_unused(last: Round, loaded: LoadedState) -> bool:
    """Return whether nothing was played in the round, as far as this page can tell; the operation looks closer."""
    clock = getattr(last, "clock", None)
    has_begun = clock is not None and clock.started_at is not None
    played = loaded.state.rounds[-1]
    return not has_begun and all(match.is_open or match.given_away_by for match in played.matches)
