"""Who has taken which tricks, and whether that decides the deal (laws 7, 9 and 10)."""

from __future__ import annotations

from collections.abc import Sequence

from courtpiece.engine.rules import Gather, Rules
from courtpiece.engine.seats import Award

WINNING_TRICKS = 7
ALL_TRICKS = 13
_ACE = 12
# Bound once: a member of an enum costs four times a name of the module.
_SINGLE = Gather.SINGLE
_WIN = Award.WIN


class SingleTally:
    """Single Sir: the winner's team takes each trick as it is won (law 7.1)."""

    __slots__ = ("court_team", "decided", "pile", "taken")

    minds_cards = False
    """Whether it matters which cards won: never."""

    def __init__(self) -> None:
        self.taken = [0, 0]
        self.pile = 0
        """Tricks in the centre; always 0 here."""
        self.decided = False
        self.court_team = -1
        """The team that took the first seven, and may carry on (law 9.4)."""

    def take(self, seats: Sequence[int], cards: Sequence[int], *, trump_known: bool) -> int:
        """Give the next tricks to their winners' teams, and return how many of them counted.

        What they were won with, and whether trump was known, does not matter here.
        """
        of_ew = seats.count(1) + seats.count(3)
        taken = [self.taken[0] + len(seats) - of_ew, self.taken[1] + of_ew]
        if max(taken) < WINNING_TRICKS:
            self.taken = taken
            return len(seats)
        last = seats[-1] & 1
        if taken[last] == WINNING_TRICKS and 0 < taken[1 - last] < WINNING_TRICKS:
            self.taken, self.decided = taken, True  # by the last of these tricks, as most deals are (law 9.2)
            return len(seats)
        return self._take_one_by_one(seats)

    def _take_one_by_one(self, seats: Sequence[int]) -> int:
        for counted, seat in enumerate(seats, start=1):
            team = seat & 1
            self.taken[team] += 1
            if self.taken[team] >= WINNING_TRICKS or self.court_team >= 0:
                self._settle(team)
                if self.decided:
                    return counted
        return len(seats)

    def _settle(self, team: int) -> None:
        """Say what it means that ``team`` took a trick when it has seven or more, or the other has a court."""
        if self.court_team >= 0:
            self.decided = team != self.court_team or self.taken[team] == ALL_TRICKS  # law 9.4
        elif self.taken[1 - team]:
            self.decided = True  # law 9.2
        else:
            self.court_team = team

    @property
    def may_end(self) -> bool:
        """Whether a record may end here: decided, or seven to nil and not carried on (law 9.4)."""
        return self.decided or self.court_team >= 0

    def verdict(self, dealers: int) -> tuple[int, Award]:
        """Return the team that won the deal, once it may end, and what that was (laws 9.1, 10.1, 10.3, 10.4).

        :param dealers: the dealer's team.
        """
        team = self.court_team
        if team < 0:
            return (1 if self.taken[1] >= WINNING_TRICKS else 0), _WIN
        if self.taken[team] == ALL_TRICKS:
            return team, Award.BAVNEY
        return team, Award.GOON_COURT if team == dealers else Award.COURT


class PileTally:
    """Double Sir, with or without the ace: piles wait in the centre until gathered (laws 7.2 to 7.7)."""

    __slots__ = (
        "_first",
        "_last",
        "_pair_ace",
        "_pair_known",
        "_pair_seat",
        "_trick",
        "decided",
        "minds_cards",
        "taken",
    )

    court_team = -1
    """Seven are no court here, so nobody carries on (law 10.2)."""

    def __init__(self, rules: Rules) -> None:
        self.taken = [0, 0]
        self.decided = False
        self.minds_cards = rules.gather is Gather.ACE
        """Whether it matters which cards won (law 7.6)."""
        self._first = rules.first_claim
        self._last = rules.last_claim
        self._trick = 0
        # The win that the next one can make a pair with; seat -1 for none.
        self._pair_seat = -1
        self._pair_ace = False
        self._pair_known = False

    def take(self, seats: Sequence[int], cards: Sequence[int], *, trump_known: bool) -> int:
        """Put the next tricks on the pile, give it to whoever gathers it, and return how many of them counted.

        ``cards`` are what the tricks were won with, by their place in the pack, if they matter; ``trump_known``
        is whether trump was known when they were played (law 7.7).
        """
        for counted, seat in enumerate(seats, start=1):
            self._trick += 1
            with_ace = self.minds_cards and cards[counted - 1] % 13 == _ACE
            if self._trick == ALL_TRICKS:
                self._gather(seat)  # law 7.4
            elif seat != self._pair_seat:
                self._pair_seat, self._pair_ace, self._pair_known = seat, with_ace, trump_known
            else:
                self._pair_up(seat, with_ace=with_ace, trump_known=trump_known)
            if self.decided:
                return counted
        return len(seats)

    def _pair_up(self, seat: int, *, with_ace: bool, trump_known: bool) -> None:
        """Take the second of two tricks running."""
        if with_ace and self._pair_ace:
            self._pair_seat = -1  # law 7.6
        elif self._pair_known and self._first <= self._trick <= self._last:
            self._gather(seat)
        else:
            self._pair_ace, self._pair_known = with_ace, trump_known

    def _gather(self, seat: int) -> None:
        self.taken[seat & 1] += self.pile
        self._pair_seat = -1  # law 7.3
        ns, ew = self.taken
        is_won = max(ns, ew) >= WINNING_TRICKS and min(ns, ew) > 0
        self.decided = is_won or self._trick == ALL_TRICKS  # law 9.3

    @property
    def pile(self) -> int:
        """Tricks in the centre."""
        return self._trick - self.taken[0] - self.taken[1]

    @property
    def may_end(self) -> bool:
        """Whether a record may end here: only when decided (law 9.3)."""
        return self.decided

    def verdict(self, dealers: int) -> tuple[int, Award]:
        """Return the team that won the deal, once it may end, and what that was (laws 9.1, 10.2 to 10.4).

        :param dealers: the dealer's team.
        """
        team = 1 if self.taken[1] >= WINNING_TRICKS else 0
        if self.taken[team] < ALL_TRICKS:
            return team, _WIN
        return team, Award.GOON_COURT if team == dealers else Award.COURT


def new_tally(rules: Rules) -> SingleTally | PileTally:
    """Return the tally that the rules' way of gathering asks for, before the first trick."""
    return SingleTally() if rules.gather is _SINGLE else PileTally(rules)
