"""A deal's replay as values: what lies where after each card, as the library's states tell it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courtpiece.engine import DealState, Finding, Gather, Revoke, Seat, Team
from courtpiece.engine.cards import suit_ranks
from courtpiece.engine.state import ImpossibleDealError, PlayedCard
from courtpiece.notation import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayHand:
    """A hand as it was dealt."""

    seat: str
    name: str
    """The player's; empty where not known."""
    holding: str
    """Spades, hearts, diamonds, clubs: ``K852.T763.98.J72``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPlay:
    """A turn, and what stands after it. ``index`` and ``trick`` count from 1."""

    index: int
    trick: int
    seat: str
    card: str
    """The card that stands."""
    taken_back: tuple[str, ...]
    reveal: bool
    face_down: bool
    revoked: tuple[str, ...]
    """The cards of the turn that were revokes: the one that stands, or some that were taken back (law 8)."""
    winning: bool
    """Whether it took its trick."""
    trump: str
    """The suit that everybody knows to be trump; empty where there is none, or it lies face down."""
    covered: bool
    """Whether the trump card lies face down (law 6)."""
    ns: int
    """Tricks won or gathered."""
    ew: int
    pile: int
    """Tricks that lie in the centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayTrick:
    """A trick. ``first`` and ``last`` are the indexes of its plays."""

    number: int
    leader: str
    winner: str
    """Empty for a trick that was not finished."""
    team: str
    first: int
    last: int
    counted: bool
    """Whether it had an effect: it came before the deal was over."""
    note: str
    """What happened at its end, in words; mostly empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A deal at step ``at``: 0 is before the first card, ``last`` after the last."""

    at: int
    last: int
    dealer: str
    caller: str
    trump: str
    """As the ``Trump`` tag has it; empty without one."""
    trump_at_start: str
    """The suit that everybody knows to be trump before the first card; empty where there is none."""
    indicator: str
    """The trump card that was laid face down (law 6.1); empty where none was."""
    revealed: int
    """The index of the play at which it was turned up; 0 where it never was."""
    gathers: bool
    """Whether tricks lie in the centre until somebody gathers them (law 7.2)."""
    hands: tuple[ReplayHand, ...]
    plays: tuple[ReplayPlay, ...]
    tricks: tuple[ReplayTrick, ...]

    @property
    def revealed_in(self) -> int:
        """The number of the trick in which the trump card was turned up; 0 where none was."""
        return self.plays[self.revealed - 1].trick if self.revealed else 0


def replay_of(record: Record, finding: Finding, *, names: Mapping[Seat, str], at: int) -> Replay | None:
    """Return the replay of a record with cards; None where it has none, or they cannot be replayed.

    A step before the first is the first, one past the last is the last.
    """
    try:
        states = record.states()
    except ImpossibleDealError:
        return None
    turns = states[1:]
    tricks = _tricks(states, counted=len(finding.trick_winners or ()))
    winners = {_winning_index(trick, turns) for trick in tricks if trick.winner}
    start = states[0]
    return Replay(
        at=min(max(at, 0), len(turns)),
        last=len(turns),
        dealer=record.dealer.letter,
        caller=record.dealer.right.letter,
        trump=record.text("Trump") or "",
        trump_at_start=_suit(start),
        indicator=str(start.indicator or ""),
        revealed=_revealed(states),
        gathers=record.rules.gather is not Gather.SINGLE,
        hands=tuple(_hand(start, seat, names.get(seat, "")) for seat in Seat),
        plays=tuple(
            _play(index, state, states[-1].revokes, is_winning=index in winners)
            for index, state in enumerate(turns, start=1)
        ),
        tricks=tricks,
    )


def _hand(start: DealState, seat: Seat, name: str) -> ReplayHand:
    hands = start.facts.hands or (0, 0, 0, 0)
    holding = ".".join(suit_ranks(hands[seat], suit) for suit in range(4))
    return ReplayHand(seat=seat.letter, name=name, holding=holding)


def _suit(state: DealState) -> str:
    return state.trump.letter if state.trump is not None else ""


def _revealed(states: Sequence[DealState]) -> int:
    """Return the index of the play at which the trump card was turned up; 0 where none lay, or it never was."""
    if states[0].indicator is None:
        return 0
    return next((index for index, state in enumerate(states) if state.indicator is None), 0)


def _played_last(state: DealState) -> PlayedCard:
    return (state.current_trick or state.last_trick)[-1]


def _trick_played(state: DealState) -> int:
    """Return the number of the trick that the last card was played to."""
    return state.trick_number if state.current_trick else state.trick_number - 1


def _play(index: int, state: DealState, revokes: Sequence[Revoke], *, is_winning: bool) -> ReplayPlay:
    """Return the turn after which the deal is so; ``revokes`` are all of the deal."""
    seat, play = _played_last(state)
    trick = _trick_played(state)
    own = {revoke.card for revoke in revokes if (revoke.seat, revoke.trick) == (seat, trick)}
    return ReplayPlay(
        index=index,
        trick=trick,
        seat=seat.letter,
        card=str(play.card),
        taken_back=tuple(map(str, play.cards[:-1])),
        reveal=play.reveal,
        face_down=play.face_down,
        revoked=tuple(str(card) for card in play.cards if card in own),
        winning=is_winning,
        trump=_suit(state),
        covered=state.indicator is not None,
        ns=state.tricks.ns,
        ew=state.tricks.ew,
        pile=state.pile,
    )


def _tricks(states: Sequence[DealState], *, counted: int) -> tuple[ReplayTrick, ...]:
    """Return the tricks of a deal from its states, the one before the first card included."""
    tricks = []
    first = 1
    for index, state in enumerate(states[1:], start=1):
        is_last = index == len(states) - 1
        if state.current_trick and not is_last:
            continue
        tricks.append(_trick(state, first, index, states[first - 1], counted))
        first = index + 1
    return tuple(tricks)


def _trick(state: DealState, first: int, last: int, before: DealState, counted: int) -> ReplayTrick:
    number = _trick_played(state)
    cards = state.current_trick or state.last_trick
    winner = None if state.current_trick else state.table_winners[number - 1]
    return ReplayTrick(
        number=number,
        leader=cards[0].seat.letter,
        winner=winner.letter if winner is not None else "",
        team=winner.team.name if winner is not None else "",
        first=first,
        last=last,
        counted=number <= counted,
        note=_note(before, state) if number <= counted + 1 else "",
    )


def _winning_index(trick: ReplayTrick, turns: Sequence[DealState]) -> int:
    """Return the index of the play that took a trick."""
    indexes = range(trick.first, trick.last + 1)
    return next(index for index in indexes if _played_last(turns[index - 1]).seat.letter == trick.winner)


def _note(before: DealState, after: DealState) -> str:
    """Return what a trick brought, beyond its winner: a pile gathered, a revoke, the end."""
    said = [*_gathering(before, after), *_revokes(before, after)]
    if after.is_over and not before.is_over and not said:
        said.append(_("The deal is decided."))
    return " ".join(said)


def _gathering(before: DealState, after: DealState) -> list[str]:
    if not before.pile and not after.pile:
        return []
    taken = {team: after.tricks.of(team) - before.tricks.of(team) for team in Team}
    return [
        ngettext("%(team)s gather %(tricks)d trick.", "%(team)s gather %(tricks)d tricks.", tricks)
        % {"team": team.name, "tricks": tricks}
        for team, tricks in taken.items()
        if tricks
    ]


def _revokes(before: DealState, after: DealState) -> list[str]:
    new = after.revokes[len(before.revokes) :]
    return [
        _("%(seat)s revoked with %(card)s and took it back.")
        % {"seat": revoke.seat.letter, "card": revoke.card}
        if revoke.corrected
        else _("%(seat)s revoked with %(card)s: the revoke is established.")
        % {"seat": revoke.seat.letter, "card": revoke.card}
        for revoke in new
    ]
