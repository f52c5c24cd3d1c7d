"""A deal step by step: for the live table and the replay page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from courtpiece.engine.adjudication import outcome_of
from courtpiece.engine.cards import BITS, CARDS, SUITS, Card, Suit, card_set, cards_in
from courtpiece.engine.deal import DealFacts, Hands
from courtpiece.engine.dealing import faults_of_deal, faults_of_telling, hands_from_play
from courtpiece.engine.faults import Code, Fault
from courtpiece.engine.finding import Outcome, Revoke
from courtpiece.engine.play import FACE_DOWN, REVEAL, Play, card_indexes, join_code, play_code, play_of
from courtpiece.engine.replay import Replay
from courtpiece.engine.rules import Rules
from courtpiece.engine.seats import SEATS, Score, Seat
from courtpiece.engine.trump import UNKNOWN_DISCARD, Trump
from courtpiece.errors import CourtPieceError


class PlayFault(Enum):
    """Why something may not be done now."""

    DEAL_OVER = "deal-over"
    """The deal is decided, or a revoke ended it (laws 8.4, 9.2, 9.3)."""
    NOT_HELD = "not-held"
    """The card is another player's, or was played."""
    LIES_FACE_DOWN = "lies-face-down"
    """The card is the hidden indicator (law 6.2)."""
    MUST_FOLLOW = "must-follow"
    """Law 5.2."""
    MUST_TRUMP = "must-trump"
    """Laws 6.3 and 6.4."""
    MAY_NOT_REVEAL = "may-not-reveal"
    """Laws 6.3 to 6.5."""
    MAY_NOT_FACE_DOWN = "may-not-face-down"
    """Law 6.8."""
    MAY_NOT_CORRECT = "may-not-correct"
    """Law 8.2."""


class IllegalPlayError(CourtPieceError):
    """The laws do not allow this now. ``fault`` says why, ``seat`` who asked."""

    def __init__(self, message: str, *, seat: Seat, fault: PlayFault) -> None:
        super().__init__(message)
        self.seat = seat
        self.fault = fault


class ImpossibleDealError(CourtPieceError):
    """The record cannot be replayed. ``faults`` says where and why."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = tuple(faults)


class PlayedCard(NamedTuple):
    """A card that stands on the table."""

    seat: Seat
    play: Play

    @property
    def card(self) -> Card:
        """The card that stands."""
        return self.play.card


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal after some of its cards. Every change returns a new one; each costs a replay of the deal so far.

    What happened is kept (``facts``) and the rest derived by the engine's replay. A revoke in the last complete
    trick counts as established until it is corrected: the record could end there (law 8.3).
    """

    facts: DealFacts
    asked: bool = False
    """Whether the player to move has just had the indicator turned up (law 6.3)."""
    _replay: Replay = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        hands = self.facts.hands
        if hands is None:
            raise ImpossibleDealError(faults_of_deal(self.facts, has_cards=True))
        replay = Replay(self.facts.rules, self.facts.dealer.right, hands, self.facts.trump or UNKNOWN_DISCARD)
        replay.run(self.facts.tricks or ())
        if replay.fault is not None:
            raise ImpossibleDealError([replay.fault])
        if self.asked:
            replay.turn_up_indicator()
        object.__setattr__(self, "_replay", replay)

    @staticmethod
    def start(
        *,
        rules: Rules,
        dealer: Seat,
        hands: Mapping[Seat, Sequence[Card]],
        trump: Trump,
        first_five: Sequence[Card] | None = None,
    ) -> DealState:
        """Return a deal before the first lead.

        :raises ImpossibleDealError: if the hands are not 13 different cards each, or trump was not made as the
            rules allow (laws 2, 3.3, 4.8 and 14).
        """
        sets = [card_set(hands.get(seat, ())) for seat in SEATS]
        known: Hands = (sets[0], sets[1], sets[2], sets[3])
        five = None if first_five is None else tuple(first_five)
        return _state_of(DealFacts(rules, dealer, known, five, trump, tricks=()))

    # -- what is so ---------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the deal."""
        return self.facts.rules

    @property
    def dealer(self) -> Seat:
        """The dealer."""
        return self.facts.dealer

    @property
    def caller(self) -> Seat:
        """The seat that made trump and led first (law 3.2)."""
        return self.facts.dealer.right

    @property
    def turn(self) -> Seat:
        """The seat to play next."""
        return SEATS[self._replay.turn]

    @property
    def trump(self) -> Suit | None:
        """The suit that is trump now; None while there is none or nobody but the caller can know it."""
        return SUITS[self._replay.trump] if self._replay.trump >= 0 else None

    @property
    def trump_known(self) -> bool:
        """Whether there is a trump that everybody knows."""
        return self._replay.trump >= 0

    @property
    def indicator(self) -> Card | None:
        """The card that lies face down (law 6.1); None when there is none, or it was revealed."""
        return CARDS[self._replay.indicator] if self._replay.indicator >= 0 else None

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards that ``seat`` still holds, a hidden indicator not included (law 6.2)."""
        return tuple(cards_in(self._replay.hands[seat]))

    @property
    def trick_number(self) -> int:
        """The trick being played, or the next one, counted from 1; 14 after the last."""
        return self._replay.trick + 1

    @property
    def current_trick(self) -> tuple[PlayedCard, ...]:
        """The cards of the trick being played; empty before a lead."""
        if not self._replay.cards:
            return ()
        return self._played(len(self._tricks) - 1)

    @property
    def best_place(self) -> int:
        """The place in the trick being played, from 0, of the card that wins it so far; 0 before a lead."""
        return self._replay.best_place() if self._replay.cards else 0

    @property
    def last_trick(self) -> tuple[PlayedCard, ...]:
        """The last complete trick; empty before there is one."""
        return self._played(self._replay.trick - 1) if self._replay.trick else ()

    @property
    def table_winners(self) -> tuple[Seat, ...]:
        """Who won each complete trick at the table, those after the deal was over included."""
        return tuple(SEATS[seat] for seat in self._replay.winners)

    @property
    def tricks(self) -> Score:
        """The tricks that each team has won or gathered (law 7.8)."""
        return Score(*self._replay.tally.taken)

    @property
    def pile(self) -> int:
        """Tricks that lie in the centre, gathered by nobody yet (law 7.2); always 0 in Single Sir."""
        return self._replay.tally.pile

    @property
    def is_over(self) -> bool:
        """Whether the deal is decided or ended by a revoke; nothing played after it has an effect."""
        return self._replay.over

    @property
    def may_carry_on(self) -> bool:
        """Whether a team has taken the first seven and may play for all thirteen (law 9.4)."""
        return not self.is_over and self._replay.tally.court_team >= 0

    @property
    def outcome(self) -> Outcome | None:
        """What the deal counts for if it ends here; None while nobody has won."""
        if not self.is_over and not self._replay.tally.may_end:
            return None
        return outcome_of(self.facts, self._replay)

    @property
    def revokes(self) -> tuple[Revoke, ...]:
        """The revokes of complete tricks, corrected or not, up to the one that ended the deal."""
        return tuple(
            Revoke(SEATS[seen.seat], seen.trick, CARDS[seen.card], SUITS[seen.led], seen.corrected)
            for seen in self._replay.revokes
        )

    # -- playing a card -----------------------------------------------------------------------------------

    def legal_plays(self) -> frozenset[Card]:
        """Return the cards that ``turn`` may play now without revoking (laws 5, 6); empty once the deal is over.

        Empty too for a caller whose only card is the indicator: it must be revealed first (law 6.5).
        """
        if self.is_over:
            return frozenset()
        return frozenset(cards_in(self._replay.allowed(asked=self.asked)))

    def check_play(self, card: Card, *, face_down: bool = False) -> None:
        """Say nothing if ``turn`` may play the card now.

        :raises IllegalPlayError: if not, with the reason.
        """
        if self.is_over:
            raise self._illegal(PlayFault.DEAL_OVER, "the deal is over (law 9)")
        if card not in self.legal_plays():
            raise self._why_not(card)
        objection = self._replay.objection_to_face_down() if face_down else ""
        if objection:
            raise self._illegal(PlayFault.MAY_NOT_FACE_DOWN, objection)

    def play(self, card: Card, *, face_down: bool = False) -> DealState:
        """Return the deal after ``turn`` has played the card.

        :raises IllegalPlayError: if the laws do not allow it now.
        """
        self.check_play(card, face_down=face_down)
        return self.record(Play((card,), reveal=self.asked, face_down=face_down))

    def record(self, play: Play) -> DealState:
        """Return the deal after a turn as it really happened, a revoke included, and after the end too.

        :raises ImpossibleDealError: if nobody could have played so.
        """
        return self._with_code(play_code(play))

    # -- the indicator ------------------------------------------------------------------------------------

    def may_reveal(self) -> bool:
        """Return whether the indicator may be turned up now: asked for by ``turn``, or shown by the caller."""
        return not self.is_over and not self.asked and not self._replay.objection_to_reveal()

    def check_reveal(self) -> None:
        """Say nothing if the indicator may be turned up now.

        :raises IllegalPlayError: if not, with the reason (laws 6.1 to 6.5).
        """
        if self.is_over:
            raise self._illegal(PlayFault.DEAL_OVER, "the deal is over (law 9)")
        objection = "it was just turned up" if self.asked else self._replay.objection_to_reveal()
        if objection:
            raise self._illegal(PlayFault.MAY_NOT_REVEAL, objection)

    def reveal(self) -> DealState:
        """Return the deal with the indicator turned up, ``turn`` still to play.

        :raises IllegalPlayError: if the laws do not allow it now.
        """
        self.check_reveal()
        return DealState(self.facts, asked=True)

    # -- corrections (law 8.2) ----------------------------------------------------------------------------

    def may_correct(self, seat: Seat, card: Card) -> bool:
        """Return whether ``seat`` may take back its card of the trick not yet turned over and play ``card``."""
        try:
            self.correct(seat, card)
        except IllegalPlayError:
            return False
        return True

    def correct(self, seat: Seat, card: Card) -> DealState:
        """Return the deal after ``seat`` took back its card of the trick not yet turned over and played ``card``.

        :raises IllegalPlayError: if the card taken back was no revoke, and no revoke before it in the trick was
            corrected; if ``seat`` has not played to the trick; or if the new card is not held (law 8.2).
        """
        place = next((at for at, played in enumerate(self._open_trick()) if played.seat is seat), None)
        if place is None:
            raise self._illegal(PlayFault.MAY_NOT_CORRECT, f"{seat.letter} has no card in this trick", seat)
        tricks = self._tricks
        code = tricks[-1][place]
        new_code = join_code([*card_indexes(code), card.index], code & (REVEAL | FACE_DOWN))
        changed = (*tricks[-1][:place], new_code, *tricks[-1][place + 1 :])
        try:
            return DealState(self.facts._replace(tricks=(*tricks[:-1], changed)))
        except ImpossibleDealError as impossible:
            code_of_fault = impossible.faults[0].code
            fault = PlayFault.MAY_NOT_CORRECT if code_of_fault is Code.BAD_CORRECTION else PlayFault.NOT_HELD
            raise self._illegal(fault, str(impossible), seat) from impossible

    def _open_trick(self) -> tuple[PlayedCard, ...]:
        return self.current_trick or self.last_trick

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _tricks(self) -> tuple[tuple[int, ...], ...]:
        return self.facts.tricks or ()

    def _played(self, trick: int) -> tuple[PlayedCard, ...]:
        leader = SEATS[self._replay.winners[trick - 1]] if trick else self.caller
        return tuple(
            PlayedCard(SEATS[(leader + place) & 3], play_of(code))
            for place, code in enumerate(self._tricks[trick])
        )

    def _with_code(self, code: int) -> DealState:
        tricks = self._tricks
        tricks = (*tricks[:-1], (*tricks[-1], code)) if self._replay.cards else (*tricks, (code,))
        return DealState(self.facts._replace(tricks=tricks))

    def _why_not(self, card: Card) -> IllegalPlayError:
        if card == self.indicator and self.turn is self.caller:
            return self._illegal(
                PlayFault.LIES_FACE_DOWN, f"{card} lies face down until it is revealed (law 6.2)"
            )
        if not self._replay.hands[self.turn] & BITS[card.index]:
            return self._illegal(PlayFault.NOT_HELD, f"{self.turn.letter} does not hold {card}")
        if self.asked:
            return self._illegal(PlayFault.MUST_TRUMP, "having turned up the trump, play one (laws 6.3, 6.4)")
        led = self.current_trick[0].card.suit
        return self._illegal(PlayFault.MUST_FOLLOW, f"follow suit with {led.name.lower()} (law 5.2)")

    def _illegal(self, fault: PlayFault, message: str, seat: Seat | None = None) -> IllegalPlayError:
        return IllegalPlayError(message, seat=self.turn if seat is None else seat, fault=fault)


def _state_of(facts: DealFacts) -> DealState:
    faults = faults_of_deal(facts, has_cards=True)
    if faults:
        raise ImpossibleDealError(faults)
    return DealState(facts)


def deal_states(facts: DealFacts) -> Iterator[DealState]:
    """Yield the deal before its first card, then after each turn of its record.

    :raises ImpossibleDealError: if the record has no play section, or cannot be replayed.
    """
    tricks = facts.tricks or ()
    if facts.hands is None:
        faults = faults_of_telling(facts, tricks)
        if faults:
            raise ImpossibleDealError(faults)
        facts = facts._replace(hands=hands_from_play(facts, tricks))
    state = _state_of(facts._replace(tricks=(), misnumbered=None))
    yield state
    for plays in tricks:
        for code in plays:
            state = state._with_code(code)  # noqa: SLF001 - the same module
            yield state
