"""Matches as people play and write them down: for demonstrations, tests and measurements.

Which card a player wants comes from ``playing``, all that the laws say from the engine: a deal is one
replay, stepped through. Chance is the generator's ``random()`` alone: a seed gives the same matches on every
Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from courtpiece.engine.adjudication import outcome_of, result_text
from courtpiece.engine.cards import BITS, CARD_NAMES, HAND_SIZE, PACK_SIZE, SUIT_SET_OF, SUIT_SETS, SUITS
from courtpiece.engine.deal import DealFacts, Hands
from courtpiece.engine.finding import Level, Outcome
from courtpiece.engine.gathering import ALL_TRICKS, WINNING_TRICKS, new_tally
from courtpiece.engine.ledger import MatchState
from courtpiece.engine.play import CARD_BITS, FACE_DOWN, REVEAL, Claim, join_code
from courtpiece.engine.replay import Replay
from courtpiece.engine.rules import Gather, Rules, TrumpMethod
from courtpiece.engine.seats import SEATS, Award, Seat
from courtpiece.engine.trump import Trump
from courtpiece.notation.building import build_record
from courtpiece.notation.playing import (
    ABOVE,
    Look,
    choose_card,
    discard_for_trump,
    lowest,
    make_trump,
    sure_winners,
)
from courtpiece.notation.record import Record
from courtpiece.notation.values import ValueCache, hands_text, trump_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How people at the tables play and write. Everything but ``levels`` is a chance, from 0 to 1."""

    revoke: float = 0.001
    """To play as if void, whenever somebody could follow suit and holds other cards too."""
    corrected: float = 0.6
    """That a revoke is seen before the trick is turned over (law 8.2)."""
    unnoticed: float = 0.2
    """That a revoke which was not corrected is never claimed: only a full record tells of it (law 8.4)."""
    void: float = 0.004
    """That a deal is given up: a misdeal, cards exposed (law 9.6)."""
    wrong_dealer: float = 0.0
    """That the player to the right of the right dealer deals (law 12.4)."""
    states_result: float = 0.95
    """That a full record has its ``Result``; one with a revoke that nobody noticed never has."""
    states_courts: float = 0.6
    """That the records of a match have ``Courts``."""
    states_first_five: float = 0.15
    """That a full record has ``FirstFive``."""
    levels: Sequence[Level] = (Level.FULL,)
    """Each deal is recorded at one of these; one that stands here twice is twice as likely."""


class Heading(NamedTuple):
    """What stands at the top of a scoresheet; None: not written."""

    event: str | None = None
    site: str | None = None
    date: str | None = None
    round: str | None = None
    table: str | None = None
    ns: str | None = None
    """The two partners as the notation joins them, N before S."""
    ew: str | None = None
    """E before W."""


USUAL: Final = Habits()
NO_HEADING: Final = Heading()


def simulate_match(
    *,
    rng: Random,
    rules: Rules,
    heading: Heading = NO_HEADING,
    deals: int | None = None,
    courts: int | None = None,
    first_dealer: Seat | None = None,
    habits: Habits = USUAL,
) -> tuple[Record, ...]:
    """Return the records of one match, the same for the same seed.

    :param deals: how many are played, void ones included.
    :param courts: how many a team needs for the match to end (law 13.1). With both, whichever comes first.
    :raises ValueError: if neither is given, for then the match would not end.
    """
    if deals is None and courts is None:
        raise ValueError("expected a number of deals or of courts, or the match has no end")
    match = _Match(rng, rules, _tags_of_match(heading, rules), habits)
    dealer = SEATS[_below(len(SEATS), rng)] if first_dealer is None else first_dealer
    records: list[Record] = []
    while len(records) != deals and (courts is None or max(match.state.courts) < courts):
        records.append(match.play(len(records) + 1, dealer))
        dealer = match.next_dealer()
    return tuple(records)


def simulate_evening(
    *,
    rng: Random,
    rules: Rules,
    rounds: Sequence[Sequence[tuple[str, str]]],
    heading: Heading = NO_HEADING,
    deals: tuple[int, int] = (6, 12),
    habits: Habits = USUAL,
) -> tuple[Record, ...]:
    """Return the records of an evening, round by round and table by table, the same for the same seed.

    :param rounds: who plays whom, NS and EW, at each table of each round; both are numbered from 1.
    :param deals: the fewest and the most deals of a match.
    """
    fewest, most = deals
    records: list[Record] = []
    for round_number, tables in enumerate(rounds, start=1):
        for table, (ns, ew) in enumerate(tables, start=1):
            records += simulate_match(
                rng=rng,
                rules=rules,
                heading=heading._replace(round=str(round_number), table=str(table), ns=ns, ew=ew),
                deals=fewest + _below(most - fewest + 1, rng),
                habits=habits,
            )
    return tuple(records)


def _below(limit: int, rng: Random) -> int:
    return int(rng.random() * limit)


# -- the match --------------------------------------------------------------------------------------------


def _tags_of_match(heading: Heading, rules: Rules) -> dict[str, str]:
    tags = {
        "Event": heading.event,
        "Site": heading.site,
        "Date": heading.date,
        "Round": heading.round,
        "Table": heading.table,
        "NS": heading.ns,
        "EW": heading.ew,
        "Rules": str(rules),
    }
    return {name: text for name, text in tags.items() if text is not None}


class _Match:
    """A match while it is played and written down."""

    def __init__(self, rng: Random, rules: Rules, tags: dict[str, str], habits: Habits) -> None:
        self.state = MatchState(rules)
        self._rng = rng
        self._habits = habits
        self._tags = tags
        self._values = ValueCache()
        self._states_courts = rng.random() < habits.states_courts

    def play(self, number: int, dealer: Seat) -> Record:
        """Play the next deal, and return its record."""
        level = self._habits.levels[_below(len(self._habits.levels), self._rng)]
        deal = _Table(
            self._rng, self.state.rules, dealer, self._habits, cards_are_written=level is Level.FULL
        )
        deal.play_out()
        outcome = deal.outcome()
        self.state, line = self.state.after(number=number, dealer=dealer, outcome=outcome)
        tags = self._tags | {"Deal": str(number), "Dealer": dealer.letter}
        tags |= _tags_of_deal(deal, outcome, level, self._habits, self._rng)
        if self._states_courts:
            tags["Courts"] = f"NS {line.courts.ns} EW {line.courts.ew}"
        values = [self._values[tag] for tag in tags.items()]
        if level is Level.FULL:
            return build_record(values, tricks=tuple(deal.tricks), claim=deal.claim())
        return build_record(values)

    def next_dealer(self) -> Seat:
        """Return who deals next: the right player, or one who takes the cards by mistake."""
        right = self.state.next_dealer
        assert right is not None
        return right.right if self._rng.random() < self._habits.wrong_dealer else right


# -- the deal ---------------------------------------------------------------------------------------------

_CARDS_OF_A_TRICK: Final = 4
_NEVER: Final = 99
_MANY_TRUMPS: Final = 3
_MOST_TRICKS_UNTIL_CLAIMED: Final = 3

# Chances, from 0 to 1.
_SEEN_LATE: Final = 0.5
"""That a revoke with a trump is seen only when the next players have played to it."""
_FACE_DOWN: Final = 0.6
_ASKS: Final = 0.75
_ASKS_WHEN_LEADER_WINS: Final = 0.95
_ASKS_THOUGH_PARTNER_WINS: Final = 0.08
_SHOWS: Final = 0.4
"""That a caller shows the indicator rather than throw a card away."""
_SHOWS_ON_LEAD: Final = 0.2


class _Mistake(NamedTuple):
    """A card that revoked and lay there for a while before it was taken back."""

    card: int
    seat: int


class _Table:
    """Four people with one deal."""

    def __init__(
        self, rng: Random, rules: Rules, dealer: Seat, habits: Habits, *, cards_are_written: bool
    ) -> None:
        pack = sorted(range(PACK_SIZE), key=lambda _card: rng.random())
        self.rules = rules
        self.dealer = dealer
        self.caller = dealer.right
        self.dealt = pack[HAND_SIZE * self.caller : HAND_SIZE * (self.caller + 1)]
        """The caller's cards in the order dealt."""
        self.hands = _hands_of(pack)
        self.trump = make_trump(rules.trump, self.dealt, rng)
        self.replay = Replay(rules, self.caller, self.hands, self.trump)
        self.tricks: list[tuple[int, ...]] = []
        self.is_given_up = False
        self._rng = rng
        self._habits = habits
        self._piles_up = rules.gather is not Gather.SINGLE
        self._suit_laid = SUIT_SET_OF[self.trump.card.index] if self.trump.card is not None else 0
        self._all_is_noticed = not cards_are_written
        self._given_up_after = _below(ALL_TRICKS, rng) if rng.random() < habits.void else _NEVER
        self._claimed_after = _NEVER
        """After how many tricks a revoke is claimed."""
        self._mistake: _Mistake | None = None
        self._carries_on: bool | None = None

    def play_out(self) -> None:
        """Play until the four are done with the deal."""
        while not self._is_done():
            plays = []
            self._mistake = None
            for _place in range(_CARDS_OF_A_TRICK):
                code = self._turn()
                self.replay.step(code)
                plays.append(code)
            self.tricks.append(tuple(plays))

    def outcome(self) -> Outcome:
        """Return what the deal counts for."""
        if self.is_given_up:
            return Outcome.void()
        return outcome_of(DealFacts(self.rules, self.dealer), self.replay)

    def claim(self) -> Claim | None:
        """Return the claim that ended the deal; None where nobody claimed."""
        if not self.replay.standing or self._claimed_after == _NEVER:
            return None
        first = self.replay.standing[0]
        return Claim(SEATS[first.seat], first.trick)

    # -- when it ends ---------------------------------------------------------------------------------

    def _is_done(self) -> bool:
        replay = self.replay
        if replay.standing:
            return len(self.tricks) >= self._claimed_after or self._looks_decided()
        if replay.over:
            return True
        if replay.tally.court_team >= 0:
            return not self._plays_for_all()
        self.is_given_up = len(self.tricks) >= self._given_up_after
        return self.is_given_up

    def _looks_decided(self) -> bool:
        """Return whether the deal is decided for people who do not know of the revoke in it."""
        winners = self.replay.winners
        leaders = [self.caller, *winners]
        cards = [
            plays[winner - leader & 3] & CARD_BITS
            for plays, winner, leader in zip(self.tricks, winners, leaders, strict=False)
        ]
        tally = new_tally(self.rules)
        tally.take(winners, cards, trump_known=True)
        return tally.may_end or len(winners) == ALL_TRICKS

    def _plays_for_all(self) -> bool:
        """Return whether the team that took the first seven carries on (law 9.4); the leader decides once."""
        if self._carries_on is None:
            held = self.replay.hands[self.replay.leader]
            unseen = self._unplayed() & ~held
            trumps = SUIT_SETS[self.replay.trump] if self.replay.trump >= 0 else 0
            sure = len(sure_winners(held, unseen)) + (0 if trumps & unseen else (trumps & held).bit_count())
            self._carries_on = self._rng.random() < sure / (ALL_TRICKS - WINNING_TRICKS)
        return self._carries_on

    # -- a turn ---------------------------------------------------------------------------------------

    def _turn(self) -> int:
        """Return what the player to move does, as the code of a play."""
        replay = self.replay
        sign = self._sign() if replay.indicator >= 0 else 0
        held = replay.hands[replay.turn]
        allowed = replay.allowed(asked=sign == REVEAL)
        look = self._look(allowed)
        if allowed != held and replay.cards and not sign and self._rng.random() < self._habits.revoke:
            return self._revoke(look, held & ~allowed)
        card = self._card(look)
        if self._mistake is None:
            return card | sign
        first = self._card(_as_it_lay(look, self._mistake, replay.turn))
        return card if first == card else join_code([first, card], 0)

    def _look(self, allowed: int) -> Look:
        replay = self.replay
        seat, cards = replay.turn, replay.cards
        best, partner_wins, may_gather = -1, False, False
        if cards:
            place = replay.best_place()
            best = cards[place]
            partner_wins = replay.leader + place & 3 == seat ^ 2
            may_gather = self._piles_up and not place and bool(self.tricks)
        return Look(
            allowed,
            self._unplayed() & ~replay.hands[seat],
            SUIT_SETS[replay.trump] if replay.trump >= 0 else 0,
            best,
            partner_wins,
            _CARDS_OF_A_TRICK - 1 - len(cards),
            not (seat ^ self.caller) & 1,
            may_gather,
        )

    def _unplayed(self) -> int:
        """Return the cards that were not played yet, as a set: everybody can remember those that were."""
        south, east, north, west = self.replay.hands
        face_down = BITS[self.replay.indicator] if self.replay.indicator >= 0 else 0
        return south | east | north | west | face_down

    def _card(self, look: Look) -> int:
        replay = self.replay
        if replay.trump < 0 and replay.cards and not look.allowed & SUIT_SET_OF[replay.cards[0]]:
            if replay.indicator < 0:
                return discard_for_trump(look.allowed)
            kept = self._suit_laid if replay.turn == self.caller else 0
            return lowest(look.allowed & ~kept or look.allowed)
        return choose_card(look, self._rng)

    # -- revokes --------------------------------------------------------------------------------------

    def _revoke(self, look: Look, others: int) -> int:
        """Return the play of somebody who overlooks the cards of the suit led (law 8.1)."""
        replay, habits, rng = self.replay, self._habits, self._rng
        card = self._card(look._replace(allowed=others))
        if rng.random() < habits.corrected:
            if BITS[card] & look.trumps and rng.random() < _SEEN_LATE:
                self._mistake = _Mistake(card, replay.turn)
            return join_code([card, self._card(look)], 0)
        if not replay.standing and (self._all_is_noticed or rng.random() >= habits.unnoticed):
            wait = 1 + _below(_MOST_TRICKS_UNTIL_CLAIMED, rng)
            self._claimed_after = min(self._claimed_after, len(self.tricks) + wait)
        return card

    # -- hidden trump (law 6) -------------------------------------------------------------------------

    def _sign(self) -> int:
        """Return the sign of the next play, having turned up the indicator where it is that of a reveal."""
        replay = self.replay
        if replay.objection_to_reveal():
            return 0
        if not replay.hands[replay.turn] or self._rng.random() < self._wish_to_reveal():
            replay.turn_up_indicator()
            return REVEAL
        if self._rng.random() < _FACE_DOWN and not replay.objection_to_face_down():
            return FACE_DOWN
        return 0

    def _wish_to_reveal(self) -> float:
        """Return the chance that a player who may have the indicator turned up does."""
        replay = self.replay
        if not replay.cards:
            trumps = replay.hands[self.caller] & self._suit_laid
            return _SHOWS_ON_LEAD if trumps.bit_count() >= _MANY_TRUMPS else 0.0
        place = replay.best_place()
        if replay.leader + place & 3 == replay.turn ^ 2:
            return _ASKS_THOUGH_PARTNER_WINS
        if replay.turn == self.caller:
            return _SHOWS
        return _ASKS if place else _ASKS_WHEN_LEADER_WINS


def _as_it_lay(look: Look, mistake: _Mistake, seat: int) -> Look:
    """Return what a player saw before the trump that revoked was taken back."""
    beats = ABOVE[look.best] if BITS[look.best] & look.trumps else look.trumps
    if not BITS[mistake.card] & beats:
        return look
    return look._replace(best=mistake.card, partner_wins=mistake.seat == seat ^ 2)


def _hands_of(pack: Sequence[int]) -> Hands:
    south, east, north, west = (
        sum([BITS[card] for card in pack[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]]) for seat in range(4)
    )
    return south, east, north, west


# -- the record -------------------------------------------------------------------------------------------

_STATES_TRUMP: Final = 0.6
_KNOWS_CARD: Final = 0.5
_WHY_VOID: Final = ("Misdeal", "Cards exposed", "Interrupted")


def _tags_of_deal(
    table: _Table, outcome: Outcome, level: Level, habits: Habits, rng: Random
) -> dict[str, str]:
    """Return what a scorer writes of the deal, but for number, dealer, courts and cards."""
    tags = _TAGS_OF_LEVEL[level](table, habits, rng)
    is_void = outcome.award is Award.VOID
    if level is not Level.FULL or is_void or _states_result(table, habits, rng):
        tags["Result"] = result_text(outcome)
    if level is not Level.FULL and table.replay.standing:
        first = table.replay.standing[0]
        tags["Revoke"] = f"{SEATS[first.seat].letter} {first.trick}"
    if is_void:
        tags["Note"] = _WHY_VOID[_below(len(_WHY_VOID), rng)]
    return tags


def _states_result(table: _Table, habits: Habits, rng: Random) -> bool:
    if table.replay.standing and table.claim() is None:
        return False
    return rng.random() < habits.states_result


def _tags_with_cards(table: _Table, habits: Habits, rng: Random) -> dict[str, str]:
    tags = {"Hands": hands_text(table.hands, table.caller)}
    if rng.random() < habits.states_first_five:
        tags["FirstFive"] = " ".join([CARD_NAMES[card] for card in table.dealt[:5]])
    is_understood = table.rules.trump == (TrumpMethod.DISCARD,)
    if not is_understood or rng.random() < _STATES_TRUMP:
        tags["Trump"] = trump_text(_trump_as_known(table))
    return tags


def _trump_as_known(table: _Table) -> Trump:
    """Return how trump was made; one by discard as it was in the end."""
    suit = table.replay.trump_at_end
    if table.trump.method is not TrumpMethod.DISCARD or suit < 0:
        return table.trump
    return Trump(TrumpMethod.DISCARD, SUITS[suit])


def _tags_without_cards(table: _Table, _habits: Habits, rng: Random) -> dict[str, str]:
    if rng.random() >= _STATES_TRUMP:
        return {}
    trump = _trump_as_known(table)
    if trump.method.is_hidden and rng.random() >= _KNOWS_CARD:
        trump = Trump(trump.method, trump.suit)
    return {"Trump": trump_text(trump)}


def _tags_with_tricks(table: _Table, habits: Habits, rng: Random) -> dict[str, str]:
    tags = _tags_without_cards(table, habits, rng)
    replay = table.replay
    counted = replay.winners[: replay.counted] if replay.over else replay.winners
    if counted:
        tags["Tricks"] = " ".join([SEATS[seat].letter for seat in counted])
    return tags


_TAGS_OF_LEVEL: Final[dict[Level, Callable[[_Table, Habits, Random], dict[str, str]]]] = {
    Level.FULL: _tags_with_cards,
    Level.TRICKS: _tags_with_tricks,
    Level.RESULT: _tags_without_cards,
}
