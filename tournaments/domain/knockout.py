"""Brackets: who meets whom when the losers are out.

A bracket is never stored. It follows from the order of the entries and from the rounds that were drawn: each
tie of a round is looked for among the matches that were really made, so that a director's swap, or a result
that was corrected after the next round was drawn, moves nobody who has played.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scoring.domain.results import ByeKind
from tournaments.domain.labels import FINAL, THIRD_PLACE, knockout_label
from tournaments.domain.pairing import ByeGiven, Draw, Note, Pairing
from tournaments.domain.state import PlayedMatch, PlayedRound
from tournaments.domain.steps import Block, BlockKind

_ADVANCING: Final = {ByeKind.PAIRING, ByeKind.FORFEIT_WIN}


@dataclass(frozen=True, slots=True)
class Tie:
    """Two places of a bracket that meet; None where nobody is in one."""

    first: int | None
    second: int | None
    match: PlayedMatch | None = None
    """What was played; None: nothing yet, or a bye."""
    winner: int | None = None
    settled: bool = False
    """Whether it is known who goes on, if anybody does."""

    @property
    def entries(self) -> tuple[int, ...]:
        """Who is in it."""
        return tuple(entry for entry in (self.first, self.second) if entry is not None)

    @property
    def loser(self) -> int | None:
        """Who is out; None where nobody is, or it is not known."""
        others = [entry for entry in self.entries if entry != self.winner]
        return others[0] if self.winner is not None and others else None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """The ties of a round, in the bracket's order."""

    number: int | None
    """The tournament's; None: it is not drawn."""
    ties: tuple[Tie, ...]
    third_place: Tie | None = None
    """Beside a final."""

    @property
    def label(self) -> str:
        """The key of what it is called."""
        return knockout_label(2 * len(self.ties)).key

    @property
    def all_ties(self) -> tuple[Tie, ...]:
        """Every tie, that for the third place last."""
        return self.ties if self.third_place is None else (*self.ties, self.third_place)


@dataclass(frozen=True, slots=True)
class Bracket:
    """A knockout as far as it is known: the rounds that were drawn, and the next."""

    rounds: tuple[BracketRound, ...]
    """At least one. The last is not drawn yet, or it is the final."""
    size: int
    """How many rounds there are in all."""

    @property
    def next_round(self) -> BracketRound | None:
        """The round to be drawn; None: the last that can be drawn was."""
        return self.rounds[-1] if self.rounds[-1].number is None else None

    @property
    def last_drawn(self) -> BracketRound | None:
        """The last round that was drawn; None before the first."""
        drawn = [one for one in self.rounds if one.number is not None]
        return drawn[-1] if drawn else None


def seed_order(places: int) -> tuple[int, ...]:
    """Return the seeds in the order of a bracket of 2, 4, 8, ... places: the first meets the last.

    As long as the better seeds win, the two best meet in the final, the four best in the semi-finals.

    >>> seed_order(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < places:
        order = [seed for better in order for seed in (better, 2 * len(order) + 1 - better)]
    return tuple(order)


def places_for(entries: int) -> int:
    """Return how many places a bracket of this many entries has."""
    return 1 << max(entries - 1, 1).bit_length()


def follow(order: Sequence[int], drawn: Sequence[PlayedRound], *, third_place: bool) -> Bracket:
    """Return the bracket of the entries, the best seed first, after the rounds that were drawn.

    A round whose ties are not all settled is the last one: what follows is not known.
    """
    rounds, ties, third = _followed(order, drawn, third_place=third_place)
    is_open = bool(rounds) and not all(tie.settled for tie in rounds[-1].all_ties)
    if not is_open and (not rounds or len(rounds[-1].ties) > 1):
        rounds.append(BracketRound(None, ties, third))
    return Bracket(tuple(rounds), places_for(len(order)).bit_length() - 1)


def coming_ties(order: Sequence[int], drawn: Sequence[PlayedRound], *, third_place: bool) -> tuple[Tie, ...]:
    """Return who meets whom after the rounds that were drawn, as far as it is known who goes on."""
    _rounds, ties, third = _followed(order, drawn, third_place=third_place)
    return ties if third is None else (*ties, third)


def _followed(
    order: Sequence[int], drawn: Sequence[PlayedRound], *, third_place: bool
) -> tuple[list[BracketRound], tuple[Tie, ...], Tie | None]:
    """Return the rounds that were drawn, and the ties that follow."""
    places = places_for(len(order))
    ties = _pairs([order[seed - 1] if seed <= len(order) else None for seed in seed_order(places)])
    rounds: list[BracketRound] = []
    third: Tie | None = None
    for played in drawn:
        rounds.append(_drawn_round(ties, played))
        ties = _pairs([tie.winner for tie in rounds[-1].ties])
        third = _for_third_place(rounds[-1]) if third_place else None
    return rounds, ties, third


def draw_ties(next_round: BracketRound, *, number: int, order: Sequence[int], absent: frozenset[int]) -> Draw:
    """Return the draw of a round of the bracket; whoever is ``absent`` gives the match away.

    ``order`` are the entries, the best seed first; who was put into a drawn round from outside stands behind them.
    """
    places = {entry: place for place, entry in enumerate(order)}
    pairings: list[Pairing] = []
    byes: list[ByeGiven] = []
    for tie in next_round.all_ties:
        if len(tie.entries) == 1:
            is_first = 2 * len(next_round.ties) >= len(order)
            byes.append(ByeGiven(entry=tie.entries[0], kind=ByeKind.PAIRING, by_seed=is_first))
        elif tie.entries:
            first, second = sorted(tie.entries, key=lambda entry: (places.get(entry, len(order)), entry))
            pairings.append(
                Pairing(
                    first=first,
                    second=second,
                    notes=(Note.SCHEDULED,),
                    label=_label_of(tie, next_round),
                    given_away_by=tuple(entry for entry in (first, second) if entry in absent),
                )
            )
    return Draw(number=number, pairings=tuple(pairings), byes=tuple(byes), label=next_round.label)


def blocks_of(played: BracketRound) -> tuple[Block, ...]:
    """Return the matches of a drawn round that have no winner, by the bracket's order."""
    return tuple(
        Block(
            kind=_block_kind(tie.match),
            round=played.number,
            table=tie.match.table,
            entries=tie.entries,
        )
        for tie in played.all_ties
        if not tie.settled and tie.match is not None
    )


def stages_of(bracket: Bracket) -> dict[int, int]:
    """Return how far each entry of the bracket came: more is better, and equals went out in one round.

    Twice the last round (from 1) in which it sits, where who won in the last that was drawn reached one more: who is
    made the winner of an earlier one by a correction has not got into a round that others played. The match for the
    third place is of the round before: its winner has 1 more than its loser.
    """
    stages: dict[int, int] = {}
    for reached, one in enumerate(bracket.rounds, start=1):
        for tie in one.ties:
            stages |= dict.fromkeys(tie.entries, 2 * reached)
            if tie.winner is not None and one is bracket.last_drawn:
                stages[tie.winner] = 2 * reached + 2
        if one.third_place is not None:
            stages |= dict.fromkeys(one.third_place.entries, 2 * reached - 2)
            if one.third_place.winner is not None:
                stages[one.third_place.winner] = 2 * reached - 1
    return stages


def _pairs(entries: Sequence[int | None]) -> tuple[Tie, ...]:
    return tuple(Tie(first, second) for first, second in zip(entries[::2], entries[1::2], strict=False))


def _for_third_place(semi_finals: BracketRound) -> Tie | None:
    losers = [tie.loser for tie in semi_finals.ties]
    return Tie(losers[0], losers[1]) if len(losers) == 2 and None not in losers else None


def _label_of(tie: Tie, one: BracketRound) -> str:
    if tie is one.third_place:
        return THIRD_PLACE.key
    return FINAL.key if len(one.ties) == 1 else ""


def _block_kind(match: PlayedMatch) -> BlockKind:
    if match.void:
        return BlockKind.VOID_MATCH
    return BlockKind.OPEN_MATCH if match.is_open else BlockKind.LEVEL_MATCH


# -- finding the ties of a bracket among the matches that were made


def _drawn_round(expected: Sequence[Tie], played: PlayedRound) -> BracketRound:
    made = [_tie_of_match(match) for match in played.matches if match.label != THIRD_PLACE.key]
    made += [_tie_of_bye(bye.entry, bye.kind) for bye in played.byes]
    thirds = [_tie_of_match(match) for match in played.matches if match.label == THIRD_PLACE.key]
    return BracketRound(played.number, _in_order(expected, made), thirds[0] if thirds else None)


def _tie_of_match(match: PlayedMatch) -> Tie:
    settled = match.winner is not None or bool(match.given_away_by)
    return Tie(match.first, match.second, match, match.winner, settled)


def _tie_of_bye(entry: int, kind: ByeKind) -> Tie:
    return Tie(entry, None, None, entry if kind in _ADVANCING else None, settled=True)


def _in_order(expected: Sequence[Tie], made: Sequence[Tie]) -> tuple[Tie, ...]:
    """Return the ties that were made, each at the place of the one that was expected with an entry of it."""
    tie_of = {entry: index for index, tie in enumerate(made) for entry in tie.entries}
    left = dict(enumerate(made))
    placed: dict[int, Tie] = {}
    for place, tie in enumerate(expected):
        found = next((tie_of[entry] for entry in tie.entries if tie_of.get(entry) in left), None)
        if found is not None:
            placed[place] = left.pop(found)
    empty = Tie(None, None, settled=True)
    unplaced = iter(left.values())
    return tuple(placed.get(place) or next(unplaced, empty) for place in range(len(expected)))
