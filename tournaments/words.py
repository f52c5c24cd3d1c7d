"""The words for what draws name with keys: rounds, reasons, and what stands in the way of the next round."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from scoring.domain.results import ByeKind, Exact, Ranking
from tournaments.domain.draw_json import ByeWhyJson, WhyJson, bye_why_from_json, why_from_json
from tournaments.domain.labels import Label, LabelKind, read_label
from tournaments.domain.pairing import Against, Alternative, ByeGiven, Note, Pairing, PairingError
from tournaments.domain.steps import Block, BlockKind
from tournaments.domain.swapping import Remark, RemarkKind, SwapError, SwapFault

Names = Mapping[int, str]
"""The partnerships' names, by the numbers of their entries."""

_LABELS: Final[Mapping[LabelKind, str | Promise]] = {
    LabelKind.FINAL: pgettext_lazy("round", "Final"),
    LabelKind.THIRD_PLACE: pgettext_lazy("round", "Third place"),
    LabelKind.SEMI_FINALS: pgettext_lazy("round", "Semi-finals"),
    LabelKind.QUARTER_FINALS: pgettext_lazy("round", "Quarter-finals"),
    LabelKind.ROUND_OF: pgettext_lazy("round", "Round of %(number)d"),
    LabelKind.GROUP: pgettext_lazy("round", "Group %(number)d"),
}

_BYES: Final[Mapping[ByeKind, str | Promise]] = {
    ByeKind.PAIRING: gettext_lazy("Bye: no opponent is left."),
    ByeKind.REQUESTED: gettext_lazy("Asked to sit out."),
    ByeKind.ABSENT: gettext_lazy("Is not there."),
    ByeKind.LATE: gettext_lazy("Comes later."),
    ByeKind.FORFEIT_WIN: gettext_lazy("Won without play."),
    ByeKind.FORFEIT_LOSS: gettext_lazy("Given away."),
}


def isolated(name: str) -> str:
    """Return a name kept apart from the direction of the text around it, for text without markup."""
    return f"\u2068{name}\u2069"


def named(entries: Sequence[int], names: Names) -> str:
    """Return the entries' names in a row."""
    return ", ".join(isolated(names.get(entry, str(entry))) for entry in entries)


# -- Rounds and matches


def label_text(key: str) -> str:
    """Return what a round or a match with this key is called; other text as it is."""
    label = read_label(key)
    return key if label is None else _label_text(label)


def _label_text(label: Label) -> str:
    text = str(_LABELS[label.kind])
    return text if label.number is None else text % {"number": label.number}


def round_text(number: int, *, key: str = "", label: str = "") -> str:
    """Return what a round is called: as records do, as the format does, else by its number."""
    if label:
        return label
    if key:
        return label_text(key)
    return _("Round %(number)d") % {"number": number}


def rounds_text(rounds: Sequence[int]) -> str:
    """Return round numbers in words, as in "round 1" and "rounds 1, 3"."""
    listed = ", ".join(map(str, rounds))
    return ngettext("round %(rounds)s", "rounds %(rounds)s", len(rounds)) % {"rounds": listed}


def amount_text(amount: Exact, ranking: Ranking) -> str:
    """Return a score with its unit."""
    if not isinstance(amount, int):
        text = _("%(amount)s courts") if ranking is Ranking.COURTS else _("%(amount)s points")
        return text % {"amount": amount}
    if ranking is Ranking.COURTS:
        return ngettext("%(amount)d court", "%(amount)d courts", amount) % {"amount": amount}
    return ngettext("%(amount)d point", "%(amount)d points", amount) % {"amount": amount}


# -- Why two meet


def shows_scores(pairing: Pairing) -> bool:
    """Return whether the draw asked for the scores: a schedule and a queue do not."""
    return not {Note.SCHEDULED, Note.QUEUE} & {*pairing.notes}


def reasons_of(pairing: Pairing, names: Names, ranking: Ranking) -> tuple[str, ...]:
    """Return why the two meet, a sentence each."""
    return tuple(_note_text(note, pairing, names, ranking) for note in pairing.notes)


def _note_text(note: Note, pairing: Pairing, names: Names, ranking: Ranking) -> str:
    return _NOTES[note](pairing, names, ranking)


def _same_score(pairing: Pairing, _names: Names, ranking: Ranking) -> str:
    return _("Both have %(score)s.") % {"score": amount_text(pairing.scores[0], ranking)}


def _floated(pairing: Pairing, names: Names, ranking: Ranking) -> str:
    high, low = (pairing.first, pairing.second), pairing.scores
    if low[0] < low[1]:
        high, low = high[::-1], low[::-1]
    return _("%(higher)s floats down with %(more)s, %(lower)s floats up with %(less)s.") % {
        "higher": isolated(names[high[0]]),
        "lower": isolated(names[high[1]]),
        "more": amount_text(low[0], ranking),
        "less": amount_text(low[1], ranking),
    }


def _forced(pairing: Pairing, _names: Names, _ranking: Ranking) -> str:
    if not pairing.reason:
        return _("The director wanted it.")
    return _("The director wanted it: %(reason)s") % {"reason": isolated(pairing.reason)}


def _unless_forced(plain: str | Promise, drawn: str | Promise) -> Callable[[Pairing, Names, Ranking], str]:
    """Return the plain words for what a director did, the others for what the draw preferred it to.

    A draw weighs the whole round, one criterion before the other (:mod:`tournaments.domain.swiss`): what it says of a
    pair it says of the number of such pairs, and only within what comes before.
    """

    def either(pairing: Pairing, _names: Names, _ranking: Ranking) -> str:
        return str(plain if Note.FORCED in pairing.notes else drawn)

    return either


def _fixed(text: str | Promise) -> Callable[[Pairing, Names, Ranking], str]:
    def always(_pairing: Pairing, _names: Names, _ranking: Ranking) -> str:
        return str(text)

    return always


_NOTES: Final[Mapping[Note, Callable[[Pairing, Names, Ranking], str]]] = {
    Note.SAME_SCORE: _same_score,
    Note.FLOATED: _floated,
    Note.FORCED: _forced,
    Note.REMATCH: _unless_forced(
        gettext_lazy("They have met before."),
        gettext_lazy("They have met before: no round with byes as fair has fewer rematches."),
    ),
    Note.FLOATED_AGAIN: _unless_forced(
        gettext_lazy("One of them floats the same way twice running."),
        gettext_lazy(
            "One of them floats the same way twice running: "
            "no round as good in byes, rematches and scores has fewer such floats."
        ),
    ),
    Note.SCHEDULED: _fixed(gettext_lazy("The schedule of the format says so.")),
    Note.QUEUE: _fixed(gettext_lazy("It is their turn.")),
}


def alternatives_of(alternatives: Sequence[Alternative], names: Names) -> tuple[str, ...]:
    """Return why not the others, a sentence each."""
    return tuple(_against_text(one, names) for one in alternatives)


def _against_text(one: Alternative, names: Names) -> str:
    name = isolated(names.get(one.entry, str(one.entry)))
    if one.against is Against.MET and one.rounds:
        return _("Not %(name)s: already met in %(rounds)s.") % {
            "name": name,
            "rounds": rounds_text(one.rounds),
        }
    return str(_AGAINST[one.against]) % {"name": name}


_AGAINST: Final[Mapping[Against, str | Promise]] = {
    Against.MET: gettext_lazy("Not %(name)s: they have met."),
    Against.FORBIDDEN: gettext_lazy("Not %(name)s: the director keeps them apart."),
    Against.FORCED_ELSEWHERE: gettext_lazy("Not %(name)s: the director wanted it elsewhere."),
    Against.HAD_BYE: gettext_lazy("Not %(name)s: it had more byes."),
    Against.COSTS_MORE: gettext_lazy("Not %(name)s: the round as a whole would be worse."),
}


def bye_text(bye: ByeGiven) -> str:
    """Return why an entry has no opponent."""
    if bye.reason:
        return _("The director gave it the bye: %(reason)s") % {"reason": isolated(bye.reason)}
    return _("Bye by its seed: the bracket is not full.") if bye.by_seed else str(_BYES[bye.kind])


# -- Changes by hand


def remark_text(remark: Remark, names: Names, ranking: Ranking) -> str:
    """Return what is remarkable about a draw, in a sentence."""
    return str(_REMARKS[remark.kind]) % {
        "entries": named(remark.entries, names),
        "amount": amount_text(remark.amount, ranking),
        "rounds": rounds_text(remark.rounds),
    }


_REMARKS: Final[Mapping[RemarkKind, str | Promise]] = {
    RemarkKind.FORBIDDEN: gettext_lazy("%(entries)s are to be kept apart."),
    RemarkKind.FORCED_APART: gettext_lazy("%(entries)s are to play each other and do not."),
    RemarkKind.REMATCH: gettext_lazy("%(entries)s have met before, in %(rounds)s."),
    RemarkKind.SECOND_BYE: gettext_lazy("%(entries)s had a bye before, in %(rounds)s."),
    RemarkKind.DIFFERENCE: gettext_lazy("%(entries)s are %(amount)s apart."),
    RemarkKind.FLOATED_AGAIN: gettext_lazy("%(entries)s floats the same way as in the round before."),
}


def is_warning(remark: Remark) -> bool:
    """Return whether it is to be pointed at: that the scores differ the reasons say already."""
    return remark.kind is not RemarkKind.DIFFERENCE


def no_swap_text(error: SwapError, names: Names) -> str:
    """Return why two entries cannot change places."""
    return str(_NO_SWAPS[error.fault]) % {"entries": named(error.entries, names)}


_NO_SWAPS: Final[Mapping[SwapFault, str | Promise]] = {
    SwapFault.SAME: gettext_lazy("Choose two pairs that are not at the same place."),
    SwapFault.NOT_THERE: gettext_lazy(
        "%(entries)s: not in this round, so nothing can change places with it."
    ),
    SwapFault.BOTH_BYES: gettext_lazy("Neither of %(entries)s has a match: there is nothing to swap."),
    SwapFault.NO_TABLE: gettext_lazy("One of %(entries)s has no table in this round."),
    SwapFault.SCHEDULED: gettext_lazy(
        "The schedule says who meets whom: only seats and tables can be swapped. Chosen: %(entries)s."
    ),
}


# -- What stands in the way


def block_text(block: Block, names: Names) -> str:
    """Return what must happen before a round can be drawn."""
    return str(_BLOCKS[block.kind]) % {
        "round": block.round or 0,
        "table": isolated(block.table),
        "entries": named(block.entries, names),
    }


_BLOCKS: Final[Mapping[BlockKind, str | Promise]] = {
    BlockKind.OPEN_MATCH: gettext_lazy("Round %(round)d, table %(table)s is not finished: %(entries)s."),
    BlockKind.LEVEL_MATCH: gettext_lazy(
        "Round %(round)d, table %(table)s is level: %(entries)s play further deals until a court (law 13.2)."
    ),
    BlockKind.VOID_MATCH: gettext_lazy(
        "Round %(round)d, table %(table)s is void and needs a winner: %(entries)s."
    ),
    BlockKind.TOO_FEW_ENTRIES: gettext_lazy("There are too few pairs for a round: enter more."),
}


def no_draw_text(error: PairingError, names: Names) -> str:
    """Return why no round can be drawn, and what can be done."""
    if not error.entries:
        return _("No round can be drawn of the pairs that are there. Look at who is away, and at the wishes.")
    return _(
        "No round can be drawn: %(entries)s cannot be paired. Lift a wish about them, or an absence."
    ) % {"entries": named(error.entries, names)}


# -- Why, as it was kept with a match and a bye


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why two meet, or why an entry has no opponent, a sentence each."""

    reasons: tuple[str, ...]
    others: tuple[str, ...]
    """Why not others."""


def why_of_match(drawn: Mapping[str, Any], *, ns: int, ew: int, names: Names, ranking: Ranking) -> Why | None:
    """Return why the two of a match meet; None where nothing was drawn."""
    if not drawn.get("notes"):
        return None
    first = drawn.get("first", ns)
    stored = WhyJson(
        notes=drawn["notes"],
        scores=drawn["scores"],
        alternatives=drawn.get("alternatives", []),
        reason=drawn.get("reason", ""),
    )
    pairing = why_from_json(stored, first=first, second=ew if first == ns else ns)
    return Why(
        reasons=reasons_of(pairing, names, ranking), others=alternatives_of(pairing.alternatives, names)
    )


def why_of_bye(drawn: Mapping[str, Any], *, entry: int, kind: str, names: Names) -> Why:
    """Return why an entry has no opponent."""
    stored = ByeWhyJson(
        alternatives=drawn.get("alternatives", []),
        reason=drawn.get("reason", ""),
        by_seed=drawn.get("by_seed", False),
    )
    bye = bye_why_from_json(stored, entry=entry, kind=ByeKind(kind))
    return Why(reasons=(bye_text(bye),), others=alternatives_of(bye.alternatives, names))
