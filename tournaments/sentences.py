"""The rules, the format and the scoring of a tournament as sentences, with the laws that they come from.

A sentence has one hole, ``%(value)s``: a page that asks puts a field into it, a page that tells puts the value.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from courtpiece.accounts.permissions import Visibility
from courtpiece.engine import Rules
from courtpiece.engine.rules import Gather, TrumpMethod
from scoring.domain.results import MatchPoints, Ranking, Scheme
from tournaments.domain.plans import (
    OPTIONS,
    FormatName,
    FormatPlan,
    LengthKind,
    MatchLength,
    Option,
    OptionKind,
    PlanError,
    PlanFault,
    format_of,
    plan_to_json,
)

Text = str | Promise
HOLE: Final = "%(value)s"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What holds in a tournament, and which law says so; empty where none does."""

    text: Text
    law: str = ""

    @property
    def before(self) -> str:
        """What stands before the hole."""
        return str(self.text).partition(HOLE)[0]

    @property
    def after(self) -> str:
        """What stands behind it."""
        return str(self.text).partition(HOLE)[2]

    def with_value(self, value: object) -> "Sentence":
        """Return the sentence with the value in its place."""
        return Sentence(str(self.text).replace(HOLE, str(value)), self.law)


RULES: Final[Mapping[str, Text]] = {
    "court-piece": gettext_lazy(
        "Court Piece: trump is called on five cards, and each trick is taken as it is won."
    ),
    "hidden-trump": gettext_lazy(
        "Hidden trump: the caller's trump lies face down until somebody asks for it."
    ),
    "double-sir": gettext_lazy(
        "Double Sir: tricks pile up until one player wins two running and gathers them."
    ),
    "double-sir-ace": gettext_lazy(
        "Double Sir with Ace: as Double Sir, but two aces running gather nothing."
    ),
    "hidden-rung": gettext_lazy(
        "Hidden rung: Double Sir with a hidden trump, gathered from trick 3 to trick 11."
    ),
    "be-ranga": gettext_lazy(
        "Be-ranga: no trump at first; the first card that does not follow suit makes it."
    ),
}
"""The named rules of law 14, each in a sentence."""

RULE_OPTIONS: Final[Mapping[str, Sentence]] = {
    "court": Sentence(gettext_lazy("A court counts %(value)s."), "10.1, 10.2"),
    "goon": Sentence(
        gettext_lazy("A goon court, made by the dealer's side, counts %(value)s courts."), "10.4"
    ),
    "bavney": Sentence(gettext_lazy("A bavney, all thirteen tricks, counts %(value)s courts."), "10.3"),
    "revoke": Sentence(gettext_lazy("An established revoke gives the other side %(value)s courts."), "8.3"),
    "streak": Sentence(gettext_lazy("A side that wins %(value)s deals running has made a run."), "11.1"),
    "streak-court": Sentence(gettext_lazy("A run counts %(value)s courts."), "11.1"),
    "streak-and-court": Sentence(
        gettext_lazy("When the deal that completes a run also makes a court, %(value)s."), "11.3"
    ),
    "gather": Sentence(gettext_lazy("Tricks are gathered so: %(value)s."), "7"),
    "first-claim": Sentence(
        gettext_lazy("A pile can be gathered from the end of trick %(value)s on,"), "7.5"
    ),
    "last-claim": Sentence(
        gettext_lazy("and up to the end of trick %(value)s; the last trick gathers all."), "7.5"
    ),
    "reveal-from": Sentence(gettext_lazy("In the trick in which trump is revealed, %(value)s."), "6.6"),
    "trump": Sentence(gettext_lazy("Trump is made in one of these ways: %(value)s."), "4"),
}
"""The options of law 14, in the order in which a page asks for them."""

CHOICES: Final[Mapping[str, Mapping[str, Text]]] = {
    "streak-and-court": {
        "one": gettext_lazy("the court counts and the run does not"),
        "both": gettext_lazy("both count"),
    },
    "gather": {
        "single": gettext_lazy("each trick is taken by the side that wins it"),
        "double": gettext_lazy("a player gathers the pile on winning two tricks running"),
        "ace": gettext_lazy(
            "a player gathers the pile on winning two tricks running, but not both with aces"
        ),
    },
    "reveal-from": {
        "card": gettext_lazy("cards of its suit are trumps from the reveal on"),
        "trick": gettext_lazy("every card of its suit is a trump"),
    },
    "trump": {
        TrumpMethod.ANNOUNCED.value: gettext_lazy("the caller names a suit (law 4.1)"),
        TrumpMethod.CARD.value: gettext_lazy("the caller lays a card face up (law 4.2)"),
        TrumpMethod.TURNED.value: gettext_lazy("a card of the second batch is turned up (law 4.3)"),
        TrumpMethod.NAMED.value: gettext_lazy("the caller names a later card (law 4.4)"),
        TrumpMethod.HIDDEN.value: gettext_lazy("the caller lays a card face down (law 4.5)"),
        TrumpMethod.BLIND.value: gettext_lazy("a card is laid face down unseen (law 4.6)"),
        TrumpMethod.DISCARD.value: gettext_lazy("the first card that cannot follow suit makes it (law 4.7)"),
    },
    "level_match": {"further-deals": gettext_lazy("further deals until a court decide it")},
    "pairing": {
        "swiss": gettext_lazy("as a Swiss: equals meet"),
        "round-robin": gettext_lazy("as a round robin"),
    },
    "points": {
        "match-points": gettext_lazy("the match points made in it"),
        "places": gettext_lazy("points for the places in it"),
    },
}
"""What a choice says in its sentence."""

_GATHERED: Final[Mapping[Gather, Sentence]] = {
    Gather.SINGLE: Sentence(gettext_lazy("Each trick is taken by the side that wins it."), "7.1"),
    Gather.DOUBLE: Sentence(
        gettext_lazy("Tricks pile up; a player gathers the pile on winning two tricks running."), "7.2"
    ),
    Gather.ACE: Sentence(
        gettext_lazy("A player gathers the pile on winning two tricks running, but not both with aces."),
        "7.6",
    ),
}


def rules_sentences(rules: Rules) -> Iterator[Sentence]:
    """Yield how the game is played and what it counts."""
    yield _GATHERED[rules.gather]
    methods = ", ".join(str(CHOICES["trump"][method.value]) for method in rules.trump)
    yield RULE_OPTIONS["trump"].with_value(methods)
    if any(method.is_hidden for method in rules.trump):
        yield RULE_OPTIONS["reveal-from"].with_value(CHOICES["reveal-from"][rules.reveal_from.value])
    if rules.gather is Gather.SINGLE:
        yield Sentence(
            ngettext(
                "A court is the first seven tricks in a row; it counts %(count)d.",
                "A court is the first seven tricks in a row; it counts %(count)d courts.",
                rules.court,
            )
            % {"count": rules.court},
            "10.1",
        )
        yield RULE_OPTIONS["bavney"].with_value(rules.bavney)
    else:
        yield _claims(rules)
        yield Sentence(
            ngettext(
                "A court is all thirteen tricks gathered; it counts %(count)d.",
                "A court is all thirteen tricks gathered; it counts %(count)d courts.",
                rules.court,
            )
            % {"count": rules.court},
            "10.2",
        )
    yield from _courts_apart(rules)


def _claims(rules: Rules) -> Sentence:
    text = _("A pile can be gathered at the end of tricks %(first)d to %(last)d; the last trick gathers all.")
    return Sentence(text % {"first": rules.first_claim, "last": rules.last_claim}, "7.5")


def _courts_apart(rules: Rules) -> Iterator[Sentence]:
    counted = (
        (
            rules.goon,
            "10.4",
            ngettext(
                "A goon court, one made by the dealer's side, counts %(count)d.",
                "A goon court, one made by the dealer's side, counts %(count)d courts.",
                rules.goon,
            ),
        ),
        (
            rules.revoke,
            "8.3",
            ngettext(
                "A revoke that is not corrected in time gives the other side %(count)d court, and the deal.",
                "A revoke that is not corrected in time gives the other side %(count)d courts, and the deal.",
                rules.revoke,
            ),
        ),
    )
    for amount, law, text in counted:
        yield Sentence(text % {"count": amount}, law)
    yield Sentence(
        ngettext(
            "%(deals)d deals won running count %(count)d court.",
            "%(deals)d deals won running count %(count)d courts.",
            rules.streak_court,
        )
        % {"deals": rules.streak, "count": rules.streak_court},
        "11.1",
    )
    yield RULE_OPTIONS["streak-and-court"].with_value(
        CHOICES["streak-and-court"][rules.streak_and_court.value]
    )


# -- the format

FORMATS: Final[Mapping[FormatName, Text]] = {
    FormatName.SINGLE: gettext_lazy("One match between two pairs."),
    FormatName.WINNER_STAYS: gettext_lazy(
        "Winner stays: who loses gives up the seats to the next pair in the queue."
    ),
    FormatName.ROUND_ROBIN: gettext_lazy("Round robin: everybody meets everybody."),
    FormatName.SWISS: gettext_lazy(
        "Swiss: in every round pairs with equal scores meet, and no two meet twice."
    ),
    FormatName.KNOCKOUT: gettext_lazy("Knockout: who loses is out."),
    FormatName.GROUPS_KNOCKOUT: gettext_lazy(
        "Groups, then knockout: a round robin in each group; the best go on."
    ),
    FormatName.LEAGUE: gettext_lazy("League: many sessions, each with rounds of its own."),
}
"""Every format in a sentence."""

PLAN_OPTIONS: Final[Mapping[str, Sentence]] = {
    "match": Sentence(gettext_lazy("A match lasts %(value)s."), "13.1"),
    "prizes": Sentence(gettext_lazy("The first %(value)s places have a prize.")),
    "cut": Sentence(gettext_lazy("The first %(value)s places lead on to something else (0: none).")),
    "cycles": Sentence(gettext_lazy("Every two pairs meet %(value)s times.")),
    "rounds": Sentence(gettext_lazy("There are %(value)s rounds.")),
    "tables": Sentence(gettext_lazy("It is played at %(value)s tables.")),
    "minutes": Sentence(gettext_lazy("The evening lasts %(value)s minutes."), "13.3"),
    "third_place": Sentence(
        gettext_lazy("%(value)s The losers of the semi-finals play for the third place.")
    ),
    "level_match": Sentence(gettext_lazy("When a match is level, %(value)s."), "13.2"),
    "groups": Sentence(gettext_lazy("There are %(value)s groups.")),
    "qualifiers": Sentence(gettext_lazy("The first %(value)s of each group go on.")),
    "sessions": Sentence(gettext_lazy("The league has %(value)s sessions.")),
    "pairing": Sentence(gettext_lazy("A session is drawn %(value)s.")),
    "points": Sentence(gettext_lazy("A session is worth %(value)s.")),
    "place_points": Sentence(gettext_lazy("The places of a session are worth %(value)s, the best first.")),
    "best_of": Sentence(gettext_lazy("The best %(value)s sessions of a pair count (0: all).")),
}
"""Every option of a format, as a sentence to be filled in."""


def plan_sentences(plan: FormatPlan) -> Iterator[Sentence]:
    """Yield what was chosen of the format."""
    name = format_of(plan)
    values = plan_to_json(plan)
    yield Sentence(FORMATS[name])
    for option in OPTIONS[name]:
        told = _TOLD.get(option.name)
        text = told(values[option.name]) if told else _as_asked(option, values[option.name])
        if option.name == "match":
            text = PLAN_OPTIONS["match"].with_value(length_text(plan.match)).text
        if text:
            yield Sentence(text, PLAN_OPTIONS[option.name].law)


def length_text(length: MatchLength) -> str:
    """Return the agreed length of a match in words (law 13.1)."""
    if length.kind is LengthKind.MINUTES:
        text = ngettext("%(amount)d minute", "%(amount)d minutes", length.amount)
    elif length.kind is LengthKind.DEALS:
        text = ngettext("%(amount)d deal", "%(amount)d deals", length.amount)
    else:
        text = ngettext(
            "until a side has %(amount)d court", "until a side has %(amount)d courts", length.amount
        )
    return text % {"amount": length.amount}


def plan_fault(error: PlanError, option: Option | None) -> str:
    """Return what is wrong with an option of a plan, and what would do."""
    if error.fault is PlanFault.OUT_OF_RANGE and option is not None and option.kind is OptionKind.NUMBER:
        return _("Choose %(least)d to %(most)d.") % {"least": option.least, "most": option.most}
    return fault_text(error.fault)


def fault_text(fault: PlanFault) -> str:
    """Return what is wrong with a plan, in words that name no number."""
    return {
        PlanFault.OUT_OF_RANGE: _("That is too small or too large."),
        PlanFault.WRONG_KIND: _("Write whole numbers."),
        PlanFault.NOT_A_CHOICE: _("That does not go with this format."),
        PlanFault.TOO_FEW_QUALIFIERS: _("One pair alone plays no knockout: let two or more go on."),
        PlanFault.TOO_FEW_SESSIONS: _("More sessions would count than there are."),
        PlanFault.TOO_FEW_ENTRIES: _("There are too few pairs for this format."),
        PlanFault.TOO_MANY_ENTRIES: _("One match is between two pairs."),
        PlanFault.TOO_MANY_ROUNDS: _(
            "Somebody would have to meet the same opponents again: choose fewer rounds."
        ),
        PlanFault.TOO_MANY_QUALIFIERS: _("The smallest group has fewer pairs than go on."),
    }.get(fault, _("That cannot be done."))


def _as_asked(option: Option, value: object) -> Text:
    if option.kind is OptionKind.CHOICE:
        value = CHOICES[option.name][str(value)]
    return PLAN_OPTIONS[option.name].with_value(value).text


def _count(one: str, many: str, value: object) -> str:
    assert isinstance(value, int)
    return ngettext(one, many, value) % {"count": value}


_TOLD: Final[Mapping[str, Callable[[object], Text]]] = {
    "prizes": lambda value: (
        _count("The first place has a prize.", "The first %(count)d places have prizes.", value)
        if value
        else ""
    ),
    "cut": lambda value: (
        _count("The first place leads on.", "The first %(count)d places lead on.", value) if value else ""
    ),
    "cycles": lambda value: (
        _("Every two pairs meet twice.") if value == 2 else _("Every two pairs meet once.")
    ),
    "rounds": lambda value: _count("There is one round.", "There are %(count)d rounds.", value),
    "tables": lambda value: _count("It is played at one table.", "It is played at %(count)d tables.", value),
    "third_place": lambda value: (
        _("The losers of the semi-finals play for the third place.") if value else ""
    ),
    "best_of": lambda value: (
        _count("The best session of a pair counts.", "The best %(count)d sessions of a pair count.", value)
        if value
        else _("All sessions count.")
    ),
    "place_points": lambda value: (
        PLAN_OPTIONS["place_points"]
        .with_value(", ".join(str(one) for one in value) if isinstance(value, list) else value)
        .text
    ),
}
"""The sentences that read otherwise when told than when asked; empty where there is nothing to say."""


# -- the scoring and the readers


def scoring_sentences(scheme: Scheme) -> Iterator[Sentence]:
    """Yield how results become ranks, but for the tie-breaks."""
    yield Sentence(RANKINGS[scheme.ranking.value])
    if scheme.ranking is not Ranking.COURTS:
        yield Sentence(points_text(scheme.points), "13.2")
    if scheme.lot_seed is not None:
        yield Sentence(
            _("Lots are drawn from the seed %(seed)d, which is on record from now on.")
            % {"seed": scheme.lot_seed}
        )


RANKINGS: Final[Mapping[str, Text]] = {
    "match-points": gettext_lazy("The standings are ordered by match points."),
    "courts": gettext_lazy("The standings are ordered by courts made."),
    "session-points": gettext_lazy("The standings are ordered by the points of the sessions."),
}


def points_text(points: MatchPoints) -> str:
    """Return what a match is worth."""
    return _("A win is worth %(win)s, a draw %(draw)s, a loss %(loss)s, a bye %(bye)s.") % {
        "win": points.win,
        "draw": points.draw,
        "loss": points.loss,
        "bye": points.bye,
    }


READERS: Final[Mapping[str, Text]] = {
    Visibility.PRIVATE.value: gettext_lazy(
        "A private draft: only its players and the club's scorers, directors and owners see it."
    ),
    Visibility.UNLISTED.value: gettext_lazy("Unlisted: whoever has the link sees it, and no list shows it."),
    Visibility.PUBLIC.value: gettext_lazy("Public: everybody finds it, and reads its standings and deals."),
}
"""What publishing in each way means."""
