"""The one replay of a deal, plain integers inside: for the checker, the site, the live table and the audit.

Tricks in which nothing happens (four cards without a sign, each held, each following suit or unable to) take the
quick road, ``Replay._run_quietly``; every other one is played card by card in ``Replay._play``, where the laws
are written. The tests hold the two roads to each other by switching the quick one off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from courtpiece.engine.cards import BITS, CARD_NAMES, PACK_SIZE, SUIT_LETTERS, SUIT_OF, SUIT_SET_OF, SUIT_SETS
from courtpiece.engine.faults import Code, Fault, Where
from courtpiece.engine.gathering import ALL_TRICKS, new_tally
from courtpiece.engine.play import CARD_BITS, FACE_DOWN, PLAIN, REVEAL, card_indexes
from courtpiece.engine.rules import HIDDEN_METHODS, RevealFrom, Rules, TrumpMethod
from courtpiece.engine.seats import SEAT_LETTERS
from courtpiece.engine.trump import STRENGTHS, Trump, winning_place

_NOT_KNOWN: Final = 4
_CARDS_OF_A_TRICK: Final = 4
# Bound once: a member of an enum costs four times a name of the module.
_DISCARD: Final = TrumpMethod.DISCARD
_HIDDEN: Final = TrumpMethod.HIDDEN
_FROM_TRICK: Final = RevealFrom.TRICK
_STILL_REPORTED: Final = frozenset({Code.CARD_REPEATED, Code.CARD_NOT_HELD, Code.BAD_TRICK})


class RevokeSeen(NamedTuple):
    """A revoke in the play (law 8.1), as integers. Tricks count from 1, plays and cards of a play from 0."""

    seat: int
    trick: int
    card: int
    led: int
    corrected: bool
    play: int
    place: int


class ImpossiblePlay(Exception):  # noqa: N818 - it carries a fault and never leaves the engine
    """A play that no player could have made."""

    def __init__(self, code: Code, where: Where, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(code, where, message)


class Replay:
    """A deal as it is played. Make one, give it tricks with ``run``, read its attributes; never share it."""

    counted = -1
    """How many tricks counted, once the deal is over."""
    over = False
    """Whether the deal was decided or ended by a revoke: what follows has no effect (laws 8.4, 9.5)."""
    fault: Fault | None = None
    """The first impossible play; the replay stopped there."""
    indicator = -1
    """The trump card that lies face down, or -1."""
    trump = -1
    """The suit that is trump now; -1 while there is none or it is hidden."""
    trump_at_end = -1
    """The trump after the last trick that counted, or that ended the deal (law 4.7)."""
    _trump_set = 0
    _known_from = 0
    """The place in the trick being played from which trump is known to all (law 7.7)."""
    _making = False
    """Whether trump is still to be made by discard."""
    _turn_known = True
    _turned_up = False
    standing: Sequence[RevokeSeen] = ()
    """The established revokes of the trick that ended the deal, the first one played first."""
    revokes: Sequence[RevokeSeen] = ()
    """All revokes of complete tricks, corrected or not, up to the one that ended the deal."""
    revokes_later: Sequence[RevokeSeen] = ()
    """Revokes that stood in complete tricks after a revoke had ended the deal."""
    # Of the trick being played:
    _in_trick: Sequence[RevokeSeen] = ()
    _corrections = 0
    _face_down_at = -1
    _trump_from = 0

    def __init__(
        self, rules: Rules, caller: int, hands: Sequence[int], trump: Trump, *, quick: bool = True
    ) -> None:
        self.caller = caller
        self.leader = caller
        self.hands = list(hands)
        """The cards each seat can play, as sets; the caller's without a hidden indicator (law 6.2)."""
        self.cards: list[int] = []
        """The cards that stand in the trick being played, in the order played."""
        self.winners: list[int] = []
        """Who won each complete trick at the table, the ones that did not count included."""
        self.tally = new_tally(rules)
        self._rules = rules
        self._method = trump.method
        self._quick = quick
        if trump.method is _DISCARD:
            self._making = True
            self._known_from = _NOT_KNOWN
        elif trump.card is not None and trump.method in HIDDEN_METHODS:
            self.indicator = trump.card.index
            self.hands[caller] &= ~BITS[self.indicator]
            self._known_from = _NOT_KNOWN
        elif trump.suit is not None:
            self.trump = self.trump_at_end = trump.suit
            self._trump_set = SUIT_SETS[self.trump]

    @property
    def trick(self) -> int:
        """How many tricks are complete."""
        return len(self.winners)

    @property
    def turn(self) -> int:
        """The seat to play next."""
        return self.leader + len(self.cards) & 3

    def run(self, tricks: Sequence[Sequence[int]], misnumbered: int | None = None) -> None:
        """Play all the tricks, or as far as they are possible: then ``fault`` says what was not.

        :param misnumbered: the first trick, from 0, that was written under a wrong number.
        """
        if not self._quick or misnumbered is not None or len(tricks) > ALL_TRICKS:
            self._run_with_care(tricks, misnumbered)
            return
        while self._run_quietly(tricks):
            trick = len(self.winners)
            is_last = trick == len(tricks) - 1
            if not self._take_trick(tricks[trick], is_last=is_last) or is_last:
                return
            if not self._turn_known:
                self._run_with_care(tricks, None)
                return

    def _run_quietly(self, tricks: Sequence[Sequence[int]]) -> bool:  # noqa: C901, PLR0912, PLR0915 - one pass
        """Play the tricks up to the first in which something happens; return whether there is one.

        Whether the cards were held is looked at once, in the end: what exclusive or takes out of a hand that does
        not have it, it puts in, and then more cards are left than there should be.
        """
        done = len(self.winners)
        leader, making, strengths = self.leader, self._making, STRENGTHS[self.trump]
        # The hands of the leader and of those to the right, whoever leads.
        hand_1, hand_2, hand_3, hand_4 = self.hands[leader:] + self.hands[:leader]
        left = PACK_SIZE - 4 * done - (self.indicator >= 0)
        winners: list[int] = []
        try:
            for first, second, third, fourth in tricks[done:] if done else tricks:
                strength = strengths[first]
                best, strength_2 = strength[first], strength[second]
                strength_3, strength_4 = strength[third], strength[fourth]
                if not strength_2 & strength_3 & strength_4 & 1:  # somebody did not follow suit
                    suit = SUIT_SET_OF[first]
                    if (
                        making
                        or (not strength_2 & 1 and hand_2 & suit)
                        or (not strength_3 & 1 and hand_3 & suit)
                        or (not strength_4 & 1 and hand_4 & suit)
                    ):
                        break
                hand_1 ^= BITS[first]
                hand_2 ^= BITS[second]
                hand_3 ^= BITS[third]
                hand_4 ^= BITS[fourth]
                place = 0
                if strength_2 > best:
                    best, place = strength_2, 1
                if strength_3 > best:
                    best, place = strength_3, 2
                if strength_4 > best:
                    hand_1, hand_2, hand_3, hand_4 = hand_4, hand_1, hand_2, hand_3
                    leader = leader + 3 & 3
                elif place == 1:
                    hand_1, hand_2, hand_3, hand_4 = hand_2, hand_3, hand_4, hand_1
                    leader = leader + 1 & 3
                elif place:
                    hand_1, hand_2, hand_3, hand_4 = hand_3, hand_4, hand_1, hand_2
                    leader = leader + 2 & 3
                winners.append(leader)
        except (ValueError, IndexError):  # not four cards; a sign, or a card taken back
            pass
        if not winners:
            return done < len(tricks)
        if (
            hand_1.bit_count() + hand_2.bit_count() + hand_3.bit_count() + hand_4.bit_count()
            != left - 4 * len(winners)
        ):
            self._run_with_care(tricks, None)
            return False
        hands = [hand_1, hand_2, hand_3, hand_4]
        self.hands = hands[4 - leader :] + hands[: 4 - leader]
        self._keep(winners, tricks[done:])
        return len(self.winners) < len(tricks)

    def _keep(self, winners: list[int], tricks: Sequence[Sequence[int]]) -> None:
        """Keep who won the next tricks, and tally them."""
        if not self.over:
            tally = self.tally
            cards = self._cards_that_won(winners, tricks) if tally.minds_cards else ()
            counted = tally.take(winners, cards, trump_known=self.trump >= 0)
            if tally.decided:
                self._end(len(self.winners) + counted)
        self.winners += winners
        self.leader = winners[-1]

    def _cards_that_won(self, winners: list[int], tricks: Sequence[Sequence[int]]) -> list[int]:
        leaders = [self.leader, *winners]
        return [
            plays[winner - leader & 3]
            for plays, winner, leader in zip(tricks, winners, leaders, strict=False)
        ]

    # -- one trick, law by law ------------------------------------------------------------------------

    def _run_with_care(self, tricks: Sequence[Sequence[int]], misnumbered: int | None) -> None:
        """Play the tricks that were not played yet, card by card."""
        for trick in range(len(self.winners), len(tricks)):
            is_last = trick == len(tricks) - 1
            if not self._take_trick(tricks[trick], is_last=is_last, misnumbered=trick == misnumbered):
                return

    def _take_trick(self, plays: Sequence[int], *, is_last: bool, misnumbered: bool = False) -> bool:
        """Play the next trick with care; False where it was impossible."""
        trick = len(self.winners)
        if trick >= ALL_TRICKS:
            self._refuse_trick("a deal has thirteen tricks; found one more")
        elif misnumbered:
            self._refuse_trick(f"expected the number of trick {trick + 1}; found another")
        elif len(plays) > _CARDS_OF_A_TRICK or (len(plays) < _CARDS_OF_A_TRICK and not is_last):
            self._refuse_trick(
                f"trick {trick + 1} has {len(plays)} card{'' if len(plays) == 1 else 's'}; expected four"
            )
        else:
            self._play_trick(plays)
        return self.fault is None

    def _refuse_trick(self, message: str) -> None:
        self.fault = Fault(Code.BAD_TRICK, Where.at_trick(len(self.winners)), message)

    def step(self, code: int) -> None:
        """Play one turn more; a trick's fourth card completes it. ``fault`` says if nobody could play so.

        Whoever steps looks at the state between the turns, where ``run`` takes a whole record.
        """
        self._play_trick((code,))

    def _play_trick(self, plays: Sequence[int]) -> None:
        """Play the turns of a trick, or the next ones of it."""
        before = len(self.cards)
        try:
            if self._turn_known:
                for code in plays:
                    self._play(code)
        except ImpossiblePlay as impossible:
            if not self.over or impossible.fault.code in _STILL_REPORTED:
                self.fault = impossible.fault
                return
            self._turn_known = False
        for code in plays[len(self.cards) - before :]:
            self._spend(code)
            if self.fault is not None:
                return
        if len(self.cards) == _CARDS_OF_A_TRICK:
            self._complete_trick()

    def _play(self, code: int) -> None:
        """Play one turn of the player whose turn it is."""
        place = len(self.cards)
        seat = self.leader + place & 3
        if code < PLAIN and BITS[code] & self.allowed():
            self._stand(seat, code, place)
        else:
            self._play_oddly(code, seat, place)

    def _play_oddly(self, code: int, seat: int, place: int) -> None:
        """Play a turn with a sign, a card taken back, or a card against the laws."""
        asked = bool(code & REVEAL)
        if asked and not self._turned_up:
            self._reveal(seat, place)
        allowed = self.allowed(asked=asked)
        cards = card_indexes(code)
        corrections = self._corrections
        for number, card in enumerate(cards):
            self._check_held(seat, card, number)
            broke = not BITS[card] & allowed
            stands = number == len(cards) - 1
            if broke and not place:
                raise self._impossible(
                    Code.BAD_REVEAL,
                    number,
                    f"{_at(seat)} showed the trump card on lead and must lead a trump (law 6.4)",
                )
            if not stands:
                corrections = self._take_back(cards, number, broke=broke, allowance=corrections)
            if broke:
                led = SUIT_OF[self.cards[0]]
                seen = RevokeSeen(seat, self.trick + 1, card, led, not stands, place, number)
                self._in_trick = [*self._in_trick, seen]
        if code & FACE_DOWN:
            self._put_face_down(place)
        self._stand(seat, cards[-1], place)

    def _stand(self, seat: int, card: int, place: int) -> None:
        if self._making and place and SUIT_OF[card] != SUIT_OF[self.cards[0]]:  # law 4.7
            self._making = False
            self._turn_up(SUIT_OF[card], place)
            self._trump_from = place
        self.hands[seat] &= ~BITS[card]
        self.cards.append(card)
        self._turned_up = False

    def _turn_up(self, suit: int, place: int) -> None:
        self.trump = suit
        self._trump_set = SUIT_SETS[suit]
        self._known_from = place

    def _reveal(self, seat: int, place: int) -> None:
        objection = self.objection_to_reveal()
        if objection:
            raise self._impossible(Code.BAD_REVEAL, 0, objection)
        self.hands[self.caller] |= BITS[self.indicator]
        self._turn_up(SUIT_OF[self.indicator], place)
        self._trump_from = 0 if self._rules.reveal_from is _FROM_TRICK else place  # law 6.6
        self.indicator = -1

    def _put_face_down(self, place: int) -> None:
        objection = self.objection_to_face_down()
        if objection:
            raise self._impossible(Code.BAD_REVEAL, 0, objection)
        self._face_down_at = place

    def _check_held(self, seat: int, card: int, number: int) -> None:
        if self.hands[seat] & BITS[card]:
            return
        name = CARD_NAMES[card]
        if card == self.indicator:
            if seat == self.caller:
                message = f"{name} lies face down; {_at(seat)} must reveal it (^) before playing it (law 6.2)"
                raise self._impossible(Code.BAD_REVEAL, number, message)
        elif not self._unplayed() & BITS[card]:
            raise self._impossible(Code.CARD_REPEATED, number, f"{name} was played before")
        raise self._impossible(
            Code.CARD_NOT_HELD, number, f"expected a card of {_at(seat)}; {name} is not one"
        )

    def _take_back(self, cards: list[int], number: int, *, broke: bool, allowance: int) -> int:
        """Take back a card (law 8.2), and return how many more may be taken back that were no revoke.

        A card that was no revoke may be taken back once for each revoke corrected earlier in the trick.
        """
        if cards[number] == cards[number + 1]:
            raise self._impossible(
                Code.BAD_CORRECTION, number, "expected another card in place of the one taken back (law 8.2)"
            )
        if broke:
            self._corrections += 1
            return allowance
        if not allowance:
            message = f"{CARD_NAMES[cards[number]]} was no revoke and may not be taken back (law 8.2)"
            raise self._impossible(Code.BAD_CORRECTION, number, message)
        return allowance - 1

    def _impossible(self, code: Code, number: int, message: str) -> ImpossiblePlay:
        return ImpossiblePlay(code, Where.at_play(self.trick, len(self.cards), number), message)

    def _unplayed(self) -> int:
        north_south, east_west = self.hands[0] | self.hands[2], self.hands[1] | self.hands[3]
        hidden = BITS[self.indicator] if self.indicator >= 0 else 0
        return north_south | east_west | hidden

    def _spend(self, code: int) -> None:
        """Put away a card of nobody knows whom, after the deal was over: it may still be a repeated one."""
        card = code & CARD_BITS
        if not self._unplayed() & BITS[card]:
            where = Where.at_play(self.trick, len(self.cards), len(card_indexes(code)) - 1)
            self.fault = Fault(Code.CARD_REPEATED, where, f"{CARD_NAMES[card]} was played before")
            return
        self.hands = [hand & ~BITS[card] for hand in self.hands]
        self.indicator = -1 if card == self.indicator else self.indicator
        self.cards.append(card)

    def _start_trick(self) -> None:
        self.cards = []
        self._in_trick = ()
        self._corrections = 0
        self._face_down_at = -1
        self._trump_from = 0
        self._known_from = 0 if self.trump >= 0 else _NOT_KNOWN

    def best_place(self) -> int:
        """Return the place in the trick being played, from 0, of the card that wins it so far."""
        return winning_place(
            self.cards, trump=self.trump, trump_from=self._trump_from, face_down=self._face_down_at
        )

    def _complete_trick(self) -> None:
        place = self.best_place()
        seat = self.leader + place & 3
        self.winners.append(seat)
        stood = [revoke for revoke in self._in_trick if not revoke.corrected]
        if not self.over:
            self.revokes = [*self.revokes, *self._in_trick]
            self.trump_at_end = self.trump
            if stood:  # laws 8.3 to 8.5: the trick is taken by nobody
                self.standing = stood
                self._end(self.trick - 1)
            else:
                self.tally.take([seat], [self.cards[place]], trump_known=place >= self._known_from)
                if self.tally.decided:
                    self._end(self.trick)
        elif self.standing:
            self.revokes_later = [*self.revokes_later, *stood]
        self.leader = seat
        self._start_trick()

    def _end(self, counted: int) -> None:
        self.over = True
        self.counted = counted

    # -- what the player to move may do ----------------------------------------------------------------

    def allowed(self, *, asked: bool = False) -> int:
        """Return the cards that ``turn`` may play without revoking, as a set.

        :param asked: whether the player had the indicator turned up before this card.
        """
        held = self.hands[self.leader + len(self.cards) & 3]
        if not self.cards:
            return held & self._trump_set if asked else held  # laws 5.1, 6.4
        must = self._trump_set if asked else SUIT_SET_OF[self.cards[0]]  # laws 6.3, 5.2
        return held & must or held

    def turn_up_indicator(self) -> None:
        """Turn up the indicator for ``turn``, whose next step bears the sign; only where nothing objects to it."""
        self._reveal(self.turn, len(self.cards))
        self._turned_up = True

    def objection_to_reveal(self) -> str:
        """Return why the indicator may not be turned up now (laws 6.3 to 6.5), or an empty text."""
        if self.indicator < 0:
            return "no trump card lies face down (law 6.1)"
        if not self.cards:
            return "" if self.turn == self.caller else "only the caller may reveal on lead (law 6.4)"
        if self.hands[self.turn] & SUIT_SET_OF[self.cards[0]]:
            return f"{_at(self.turn)} can follow suit and may not ask for the trump (law 6.3)"
        return ""

    def objection_to_face_down(self) -> str:
        """Return why ``turn`` may not discard face down now (law 6.8), or an empty text."""
        if self._method is not _HIDDEN or self.indicator < 0:
            return "a card is played face down only in a hidden game, before the reveal (law 6.8)"
        if self.turn != self.caller:
            return "only the caller may play face down (law 6.8)"
        if not self.cards or self.hands[self.turn] & SUIT_SET_OF[self.cards[0]]:
            return "a caller may play face down only when unable to follow suit (law 6.8)"
        return ""


def _at(seat: int) -> str:
    return SEAT_LETTERS[seat]


def suit_letter(suit: int) -> str | None:
    """Return the letter of a suit's number, None for -1."""
    return SUIT_LETTERS[suit] if suit >= 0 else None
