"""A deal's replay as the page shows it: every step of it at once, so that turning them needs no server."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.project import words
from courtpiece.project.words import code_of, word_for

SUIT_ORDER: Final = "SHDC"
RANK_ORDER: Final = "AKQJT98765432"
TO_THE_RIGHT: Final = "SENW"
"""The seats in the order of play (law 1.2)."""
TRICKS_OF_A_DEAL: Final = 13


def part_of(value: object, name: str, default: object = "") -> object:
    """Return a part of a value, whether it is a mapping or has attributes."""
    if isinstance(value, Mapping):
        return value.get(name, default)
    return getattr(value, name, default)


def text_of(value: object, name: str) -> str:
    """Return a part of a value as the text or code it is written with; empty where there is none."""
    return code_of(part_of(value, name))


def count_of(value: object, name: str) -> int | None:
    """Return a part of a value that is a number, or None."""
    found = part_of(value, name, None)
    return found if isinstance(found, int) else None


def items_of(value: object, name: str) -> Sequence[object]:
    """Return a part of a value that is a list; empty where there is none."""
    found = part_of(value, name, ())
    return tuple(found) if isinstance(found, Iterable) and not isinstance(found, str) else ()


def card_name(card: str) -> str:
    """Return a card in words."""
    names = {"rank": word_for(words.RANKS, card[1]), "suit": word_for(words.SUITS, card[0])}
    # Translators: a card, for example "Ten of Hearts".
    return _("%(rank)s of %(suit)s") % names


def suits_of(cards: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return cards by suit, spades first, high to low; ``cards`` is a holding, ``K85..9.J72``, or codes."""
    if isinstance(cards, str) and "." in cards:
        holdings = zip(SUIT_ORDER, cards.split("."), strict=True)
        return tuple((suit, tuple(suit + rank for rank in ranks)) for suit, ranks in holdings)
    codes = [str(card) for card in cards] if isinstance(cards, Iterable) else []
    codes.sort(key=lambda code: RANK_ORDER.index(code[1]))
    return tuple((suit, tuple(code for code in codes if code[0] == suit)) for suit in SUIT_ORDER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A card of a hand. ``index`` counts plays from 1 and is None for a card never played."""

    card: str
    index: int | None
    gone: bool
    now: bool
    covered: bool
    """Whether it lies face down beside the hand from the start, so that the hand does not tell it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The cards of one suit in a hand."""

    suit: str
    cards: tuple[Held, ...]

    @property
    def is_void(self) -> bool:
        """Whether no card of it is in the hand while one lies face down."""
        return all(held.covered for held in self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One side of the table."""

    seat: str
    name: str
    role: str
    rows: tuple[Row, ...]
    has_laid: bool
    """Whether its trump card lies face down at first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """From which step to before which one trump was so. ``suit`` is empty where it is not known, or there is none."""

    first: int
    after: int
    suit: str
    covered: bool
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A card on the table."""

    index: int
    seat: str
    card: str
    taken_back: tuple[str, ...]
    reveal: bool
    face_down: bool
    revoked: tuple[str, ...]
    """The cards of this turn that were revokes."""
    winning: bool
    shown: bool

    @property
    def has_revoked(self) -> bool:
        """Whether the card that stands is a revoke."""
        return self.card in self.revoked


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """A trick and the plays of it; ``shown`` at this step.

    One that did not count was taken by nobody: of an established revoke (law 8.5), or after a decision (9.5).
    """

    number: int
    first: int
    last: int
    winner: str
    team: str
    counted: bool
    note: str
    shown: bool
    whole: bool
    """Whether its last card lies there at this step."""
    plays: tuple[Play, ...]
    ns: int | None
    """This and the next two: after the trick, as in its last step."""
    ew: int | None
    pile: int | None

    @property
    def leader(self) -> str:
        """The seat that led."""
        return self.plays[0].seat

    @property
    def by_seat(self) -> Mapping[str, Play]:
        """Its plays by who played them."""
        return {play.seat: play for play in self.plays}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is said of one step. ``ns``, ``ew`` and ``pile`` are None where the replay does not count them."""

    at: int
    text: str
    note: str
    ns: int | None
    ew: int | None
    pile: int | None
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A deal at a step, and all its other steps."""

    at: int
    last: int
    places: tuple[Place, ...]
    tricks: tuple[Trick, ...]
    steps: tuple[Step, ...]
    spells: tuple[Spell, ...]
    """How trump was, from the first step to the last."""
    revealed: int
    """The step at which the trump card that lay face down is turned up; the one after the last if it never is."""
    gathers: bool
    """Whether tricks lie in the centre until they are gathered."""
    seats: str
    """The caller and the others in their turn."""

    @property
    def now(self) -> Step:
        """The step that is shown."""
        return self.steps[self.at]

    @property
    def is_covered(self) -> bool:
        """Whether a trump card lies face down at this step."""
        return self.at < self.revealed

    @property
    def counters(self) -> tuple[int, ...]:
        """One for each trick that a side can take."""
        return tuple(range(1, TRICKS_OF_A_DEAL + 1))

    @property
    def before(self) -> int:
        """The step before this one."""
        return max(self.at - 1, 0)

    @property
    def after(self) -> int:
        """The step after this one."""
        return min(self.at + 1, self.last)


def board_of(replay: object) -> Board:
    """Return the board of ``replay``, which has the parts that ``templates/components/README.md`` names."""
    plays = items_of(replay, "plays")
    last = len(plays)
    at = min(max(count_of(replay, "at") or 0, 0), last)
    tricks = tuple(_trick(trick, plays, at) for trick in items_of(replay, "tricks"))
    caller = text_of(replay, "caller")
    turn = TO_THE_RIGHT.find(caller)
    return Board(
        at=at,
        last=last,
        places=tuple(_place(hand, replay, plays, at) for hand in items_of(replay, "hands")),
        tricks=tricks,
        steps=(_before_the_first(replay, at), *(_step(play, tricks, at) for play in plays)),
        spells=_spells(replay, plays, at),
        revealed=_revealed(replay, last),
        gathers=bool(part_of(replay, "gathers", default=False)),
        seats=TO_THE_RIGHT[turn:] + TO_THE_RIGHT[:turn],
    )


def _revealed(replay: object, last: int) -> int:
    """Return until which step a trump card lies face down: 0 where none does."""
    if not text_of(replay, "indicator"):
        return 0
    return count_of(replay, "revealed") or last + 1


def _spells(replay: object, plays: Sequence[object], at: int) -> tuple[Spell, ...]:
    """Return how trump was from step to step, what did not change taken together."""
    first = (text_of(replay, "trump_at_start"), bool(text_of(replay, "indicator")))
    told = [
        first,
        *((text_of(play, "trump"), bool(part_of(play, "covered", default=False))) for play in plays),
    ]
    starts = [step for step, now in enumerate(told) if step == 0 or now != told[step - 1]]
    return tuple(
        Spell(first=start, after=end, suit=told[start][0], covered=told[start][1], shown=start <= at < end)
        for start, end in zip(starts, [*starts[1:], len(told)], strict=True)
    )


def _place(hand: object, replay: object, plays: Sequence[object], at: int) -> Place:
    seat = text_of(hand, "seat")
    played = {
        text_of(play, "card"): count_of(play, "index") or 0 for play in plays if text_of(play, "seat") == seat
    }
    laid = text_of(replay, "indicator")
    rows = tuple(
        Row(suit=suit, cards=tuple(_held(card, played.get(card), at, laid) for card in cards))
        for suit, cards in suits_of(part_of(hand, "holding"))
    )
    has_laid = any(held.covered for row in rows for held in row.cards)
    return Place(
        seat=seat, name=text_of(hand, "name"), role=_role(seat, replay), rows=rows, has_laid=has_laid
    )


def _held(card: str, index: int | None, at: int, laid: str) -> Held:
    gone = index is not None and index < at
    return Held(card=card, index=index, gone=gone, now=index == at and at > 0, covered=card == laid)


def _role(seat: str, replay: object) -> str:
    if seat == text_of(replay, "dealer"):
        return _("dealer")
    return _("caller") if seat == text_of(replay, "caller") else ""


def _trick(trick: object, plays: Sequence[object], at: int) -> Trick:
    first, last = count_of(trick, "first") or 0, count_of(trick, "last") or 0
    counted = bool(part_of(trick, "counted", default=True))
    return Trick(
        number=count_of(trick, "number") or 0,
        first=first,
        last=last,
        winner=text_of(trick, "winner") if counted else "",
        team=text_of(trick, "team") if counted else "",
        counted=counted,
        note=text_of(trick, "note"),
        shown=first <= at <= last,
        whole=at == last,
        plays=tuple(_play(play, at, counted=counted) for play in plays[first - 1 : last]),
        ns=count_of(plays[last - 1], "ns"),
        ew=count_of(plays[last - 1], "ew"),
        pile=count_of(plays[last - 1], "pile"),
    )


def _play(play: object, at: int, *, counted: bool) -> Play:
    index = count_of(play, "index") or 0
    return Play(
        index=index,
        seat=text_of(play, "seat"),
        card=text_of(play, "card"),
        taken_back=tuple(map(str, items_of(play, "taken_back"))),
        reveal=bool(part_of(play, "reveal", False)),
        face_down=bool(part_of(play, "face_down", False)),
        revoked=tuple(map(str, items_of(play, "revoked"))),
        winning=counted and bool(part_of(play, "winning", default=False)),
        shown=index <= at,
    )


def _before_the_first(replay: object, at: int) -> Step:
    caller = word_for(words.SEATS, text_of(replay, "caller"))
    text = _("Before the first card. %(seat)s leads.") % {"seat": caller}
    return Step(at=0, text=text, note="", ns=0, ew=0, pile=None, shown=at == 0)


def _step(play: object, tricks: Sequence[Trick], at: int) -> Step:
    index = count_of(play, "index") or 0
    trick = next((one for one in tricks if one.first <= index <= one.last), None)
    return Step(
        at=index,
        text=_sentence(play, trick),
        note=trick.note if trick is not None and index == trick.last else "",
        ns=count_of(play, "ns"),
        ew=count_of(play, "ew"),
        pile=count_of(play, "pile"),
        shown=at == index,
    )


def _sentence(play: object, trick: Trick | None) -> str:
    names = {"seat": word_for(words.SEATS, text_of(play, "seat")), "card": card_name(text_of(play, "card"))}
    said = [_manner(play) % names]
    if text_of(play, "card") in items_of(play, "revoked"):
        said.append(_("That is a revoke."))
    if taken_back := items_of(play, "taken_back"):
        cards = ", ".join(card_name(str(card)) for card in taken_back)
        said.append(_("Taken back before: %(cards)s.") % {"cards": cards})
    if trick is not None and trick.winner and count_of(play, "index") == trick.last:
        said.append(_("%(seat)s takes the trick.") % {"seat": word_for(words.SEATS, trick.winner)})
    return " ".join(said)


def _manner(play: object) -> str:
    if part_of(play, "face_down", False):
        return _("%(seat)s plays face down: %(card)s.")
    if part_of(play, "reveal", False):
        return _("The hidden trump is shown, and %(seat)s plays the %(card)s.")
    return _("%(seat)s plays the %(card)s.")
