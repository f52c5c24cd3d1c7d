"""What a deal counts for and why, in sentences that name their laws."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from courtpiece.engine import Award, Finding, Outcome, Revoke, Rules, Score, Seat, Team, result_text
from courtpiece.engine.ledger import dealer_after
from courtpiece.engine.rules import Gather
from scoring.models import SeatLetter, Side, SuitLetter


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the law it rests on; empty without one."""

    text: str
    law: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """A director's ruling in its own words; ``law`` may be empty."""

    reason: str
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """What is to be explained: a deal that counts as ``outcome``, in its match."""

    rules: Rules
    dealer: Seat
    outcome: Outcome
    run_courts: Score
    finding: Finding
    """Of the record; another outcome in it was ruled away."""
    ruling: Decided | None = None
    """None where no ruling stands."""


_WON: Final[dict[Award, str | Promise]] = {
    Award.WIN: gettext_lazy("%(team)s won by %(won)d tricks to %(lost)d."),
    Award.BAVNEY: gettext_lazy("%(team)s won all thirteen tricks: a bavney."),
    Award.REVOKE: gettext_lazy("%(team)s win by the other side's revoke, at %(won)d tricks to %(lost)d."),
}
_COURT: Final = gettext_lazy("%(team)s won the first seven tricks while the other side had none: a court.")
_COURT_OF_ALL: Final = gettext_lazy("%(team)s gathered all thirteen tricks: a court.")
_LAW_OF: Final = {Award.WIN: "9.1", Award.BAVNEY: "10.3", Award.REVOKE: "8.5"}


def explain(deal: Explained) -> tuple[Sentence, ...]:
    """Return what happened in the deal and what it scored, in the order it is asked for."""
    return (
        *(_result(deal.rules, deal.outcome) if deal.ruling is None else _ruled(deal, deal.ruling)),
        *(_revoke(revoke) for revoke in deal.finding.revokes),
        *_scored(deal),
        *(_ruled_away(deal) if deal.ruling is None else ()),
        _next_dealer(deal),
    )


def _ruled(deal: Explained, ruling: Decided) -> Iterator[Sentence]:
    """Yield what was ruled in the director's words, and what the engine says of the record."""
    text = _("Ruled by a director: it counts as %(result)s. Reason: %(reason)s")
    yield Sentence(text % {"result": result_text(deal.outcome), "reason": ruling.reason}, ruling.law)
    found = deal.finding.outcome
    if found is None:
        yield Sentence(_("The record does not show who won."))
        return
    for shown in _result(deal.rules, found):
        yield Sentence(_("The record shows: %(sentence)s") % {"sentence": shown.text}, shown.law)


def _result(rules: Rules, outcome: Outcome) -> Iterator[Sentence]:
    winner = outcome.winner
    if winner is None:
        yield Sentence(_("Nobody won: the deal is void and scores nothing."), "9.6")
        return
    is_court = outcome.award in (Award.COURT, Award.GOON_COURT)
    words = {
        "team": team_name(winner),
        "won": outcome.tricks.of(winner),
        "lost": outcome.tricks.of(winner.other),
    }
    if not is_court:
        yield Sentence(str(_WON[outcome.award]) % words, _LAW_OF[outcome.award])
        return
    is_single = rules.gather is Gather.SINGLE
    yield Sentence(str(_COURT if is_single else _COURT_OF_ALL) % words, "10.1" if is_single else "10.2")
    if outcome.award is Award.GOON_COURT:
        yield Sentence(_("The dealer's side made it: a goon court."), "10.4")


def _revoke(revoke: Revoke) -> Sentence:
    words = {
        "seat": SeatLetter(revoke.seat.letter).label,
        "trick": revoke.trick,
        "card": revoke.card,
        "led": SuitLetter(revoke.led.letter).label if revoke.led is not None else "",
    }
    if revoke.card is None:
        return Sentence(_("%(seat)s revoked in trick %(trick)d.") % words, "8.3")
    if revoke.corrected:
        text = _(
            "%(seat)s did not follow %(led)s in trick %(trick)d with %(card)s, and took it back in time."
        )
        return Sentence(text % words, "8.2")
    text = _("%(seat)s revoked in trick %(trick)d: %(card)s, when %(led)s had been led.")
    return Sentence(text % words, "8.3")


def _scored(deal: Explained) -> Iterator[Sentence]:
    for team in Team:
        courts, run = deal.outcome.courts.of(team), deal.run_courts.of(team)
        if courts:
            text = ngettext("%(team)s score %(n)d court.", "%(team)s score %(n)d courts.", courts)
            yield Sentence(text % {"team": team_name(team), "n": courts})
        if run:
            text = ngettext(
                "%(team)s score %(n)d court for a run of %(deals)d deals.",
                "%(team)s score %(n)d courts for a run of %(deals)d deals.",
                run,
            )
            words = {"team": team_name(team), "n": run, "deals": deal.rules.streak}
            yield Sentence(text % words, "11.1")


def _ruled_away(deal: Explained) -> Iterator[Sentence]:
    found = deal.finding.outcome
    if found is None:
        yield Sentence(_("The engine could not judge the record; a director's ruling decides."))
    elif found != deal.outcome:
        text = _("A director's decision stands above what the engine found: %(found)s.")
        yield Sentence(text % {"found": result_text(found)})


def _next_dealer(deal: Explained) -> Sentence:
    winner = deal.outcome.winner
    scored = winner is not None and bool(deal.outcome.courts.of(winner) + deal.run_courts.of(winner))
    seat = dealer_after(deal.dealer, deal.outcome, winner_scored=scored)
    text = _("%(seat)s deals next.") % {"seat": SeatLetter(seat.letter).label}
    if winner is None:
        return Sentence(text, "9.6")
    if winner is deal.dealer.team:
        return Sentence(text, "12.1")
    return Sentence(text, "12.3" if scored else "12.2")


def team_name(team: Team) -> str:
    """Return the team in words."""
    return str(Side(team.name).label)
