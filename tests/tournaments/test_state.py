"""What pages keep of a tournament's state: after every act it is the state as it is read afresh."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeAlias
from uuid import uuid4

import pytest

from courtpiece.accounts.permissions import SERVER
from scoring.models import Deal
from scoring.operations import void_deal
from tests.accounts.builders import AT
from tests.tournaments.drawn import SLUG, a_round, a_tournament, draft, finish, publish
from tournaments.domain.entering import NewPair
from tournaments.models import Entry, Forfeit, Match, Round
from tournaments.operations import entries, entry_changes, matches, rulings, schedules, wishes
from tournaments.operations.decisions import AdjustMatch, Decision, Disqualify, GiveMatchAway, Penalise
from tournaments.queries.state import load_state, shown_state

pytestmark = pytest.mark.django_db

Act: TypeAlias = tuple[str, Callable[[], object]]


def match(table: str, number: int = 1) -> Match:
    return Match.objects.select_related("ns", "ew", "scoresheet").get(round__number=number, table=table)


def rule(decision: Decision) -> None:
    new = rulings.NewRuling(decision=decision, reason="as was seen")
    rulings.make_ruling(actor=SERVER, slug=SLUG, new=new, at=AT)


def state(table: str, new: str, number: int = 1) -> None:
    matches.set_match_state(actor=SERVER, uid=match(table, number).uid, state=new, at=AT)


def version(entry: int) -> int:
    return Entry.objects.get(number=entry).version


def everybody(**more: Any) -> dict[str, Any]:
    """Return what every operation is told, and more."""
    return {"actor": SERVER, "slug": SLUG, "at": AT, **more}


def before_the_first() -> Iterator[Act]:
    """Yield what is done before a deal is in."""
    yield "absence", lambda: entry_changes.set_absence(**everybody(entry=5, round_number=1, kind="absent"))
    yield "draft", draft
    yield "publish", publish
    yield "take back", lambda: schedules.take_back_round(**everybody(number=1, act_id=uuid4()))
    yield "another round", a_round


def at_the_tables() -> Iterator[Act]:
    """Yield what is written of the first round."""
    yield "deals", lambda: finish(match("1"))
    yield "open again", lambda: state("1", "open")
    yield "finished", lambda: state("1", "finished")
    yield "void deal", void_a_deal
    yield "void match", lambda: state("2", "void")
    row = match("1")
    yield "adjusted", lambda: rule(AdjustMatch(match=row.uid, version=row.version, courts_ns=2, courts_ew=5))
    yield "penalty", lambda: rule(Penalise(entry=1, version=version(1), penalty=2))


def of_the_second_round() -> Iterator[Act]:
    """Yield what changes who plays, and a match that was not played."""
    late = [NewPair(row=1, names=("Omar Onyx", "Pari Pearl"))]
    yield "late", lambda: entries.take_entries(**everybody(pairs=late))
    apart = wishes.NewWish(kind="apart", first=1, second=6, round_number=None, reason="they share a car")
    yield "wish", lambda: wishes.add_wish(**everybody(wish=apart, act_id=uuid4()))
    yield "second round", a_round
    row = match("1", 2)
    yield "given away", lambda: rule(GiveMatchAway(match=row.uid, version=row.version, by=Forfeit.NS))
    yield "withdrawn", lambda: entry_changes.withdraw_entry(**everybody(entry=2, reason="ill"))
    yield "readmitted", lambda: entry_changes.readmit_entry(**everybody(entry=2, version=version(2)))
    yield "disqualified", lambda: rule(Disqualify(entry=3, version=version(3)))


def void_a_deal() -> None:
    deal = Deal.objects.first()
    assert deal is not None
    how: dict[str, Any] = {"base_revision": 1, "reason": "misdealt", "operation_id": uuid4()}
    void_deal(actor=SERVER, deal_uid=deal.uid, at=AT, **how)


def test_a_page_shows_the_state_as_it_is_after_every_act() -> None:
    tournament = a_tournament("swiss", 5, rounds=3)
    shown = shown_state(tournament)
    done = []

    for name, act in chain(before_the_first(), at_the_tables(), of_the_second_round()):
        act()
        before, shown = shown, shown_state(tournament)
        assert shown == load_state(tournament), name
        done += [name] * (shown != before)

    assert Round.objects.count() == 2
    assert {"publish", "take back", "deals", "open again", "void match", "adjusted", "given away"} <= {*done}
