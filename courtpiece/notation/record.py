"""A record of one deal, as it was read."""

from __future__ import annotations

from typing import NamedTuple

from courtpiece.engine.adjudication import adjudicate
from courtpiece.engine.deal import DealFacts
from courtpiece.engine.finding import Finding, Level
from courtpiece.engine.play import Claim, Play, play_of
from courtpiece.engine.rules import Rules
from courtpiece.engine.seats import Score, Seat
from courtpiece.engine.state import DealState, deal_states


class Comment(NamedTuple):
    """A comment of the play section, and the token it follows.

    ``trick`` and ``play`` count from 1. Play 0 is the trick's number; trick 0 stands for before the first card, and a
    trick one past the last for the end (``*`` or the claim).
    """

    trick: int
    play: int
    text: str


class Record(NamedTuple):
    """One deal: its tags in the written order and form, and the facts they and the play section tell."""

    tags: tuple[tuple[str, str], ...]
    deal: int
    """The deal's number in its match, from 1."""
    facts: DealFacts
    stated_courts: Score | None = None
    comments: tuple[Comment, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules the deal was played under; ``court-piece`` where the record names none."""
        return self.facts.rules

    @property
    def dealer(self) -> Seat:
        """The dealer."""
        return self.facts.dealer

    @property
    def level(self) -> Level:
        """How much of the deal the record tells."""
        if self.facts.tricks is not None:
            return Level.FULL
        return Level.TRICKS if self.facts.winners is not None else Level.RESULT

    @property
    def event(self) -> str | None:
        """The event; None where absent or ``?``."""
        return self.text("Event")

    @property
    def site(self) -> str | None:
        """The place; None where absent or ``?``."""
        return self.text("Site")

    @property
    def date(self) -> str | None:
        """The date, ``YYYY.MM.DD`` with ``??`` for unknown parts; None where absent or ``?``."""
        return self.text("Date")

    @property
    def round(self) -> str | None:
        """The round; None where absent or ``?``."""
        return self.text("Round")

    @property
    def table(self) -> str | None:
        """The table; None where absent or ``?``."""
        return self.text("Table")

    @property
    def note(self) -> str | None:
        """The note; None where absent or ``?``."""
        return self.text("Note")

    @property
    def ns(self) -> tuple[str, str] | None:
        """The names of North and South; None where not known."""
        return self._pair("NS")

    @property
    def ew(self) -> tuple[str, str] | None:
        """The names of East and West; None where not known."""
        return self._pair("EW")

    @property
    def claim(self) -> Claim | None:
        """The claim of a revoke that ended the play section."""
        return self.facts.claim

    @property
    def tricks(self) -> tuple[tuple[Play, ...], ...] | None:
        """The plays of each trick; None without a play section."""
        if self.facts.tricks is None:
            return None
        return tuple(tuple(play_of(code) for code in plays) for plays in self.facts.tricks)

    def text(self, name: str) -> str | None:
        """Return the value of the tag ``name``; None where it is absent or ``?``."""
        value = next((value for tag, value in self.tags if tag == name), None)
        return None if value == "?" else value

    def match_key(self) -> tuple[str | Rules | None, ...]:
        """Return what the records of one match have in common."""
        wanted = dict(self.tags)
        return (
            *[None if wanted.get(name) == "?" else wanted.get(name) for name in _MATCH_TAGS],
            self.facts.rules,
        )

    def finding(self) -> Finding:
        """Return what the engine finds in the deal by itself."""
        return adjudicate(self.facts)

    def states(self) -> tuple[DealState, ...]:
        """Return the deal before its first card, then after each turn: one replay for each.

        :raises ImpossibleDealError: if the record has no play section, or cannot be replayed.
        """
        return tuple(deal_states(self.facts))

    def _pair(self, tag: str) -> tuple[str, str] | None:
        value = self.text(tag)
        if value is None:
            return None
        first, _, second = value.partition(" & ")
        return first, second


_MATCH_TAGS = ("Event", "Date", "Round", "Table", "NS", "EW")
