"""Drafts that are changed by hand, and wishes about who meets whom."""

from uuid import UUID, uuid4

import pytest

from courtpiece.accounts.models import AuditEntry
from courtpiece.accounts.permissions import SERVER
from tests.accounts.builders import AT
from tests.tournaments.drawn import SLUG, a_round, a_tournament, draft, finish_all, pairs_of, publish
from tournaments.domain.pairing import Note
from tournaments.errors import BadWish, ChangedMeanwhile, NoSwap, ReasonNeeded, WishInTheWay
from tournaments.models import Draft, Match, Round, Wish
from tournaments.operations import drafts, wishes
from tournaments.queries import draw_of

pytestmark = pytest.mark.django_db


def swap(
    first: int,
    second: int,
    *,
    what: str = "entries",
    reason: str = "they asked for it",
    version: int = 1,
    act: UUID | None = None,
) -> int:
    asked = drafts.SwapAsked(first=first, second=second, what=what, reason=reason)
    return drafts.swap_in_draft(
        actor=SERVER, slug=SLUG, version=version, asked=asked, act_id=act or uuid4(), at=AT
    ).version


def keep_apart(first: int, second: int, *, round_number: int | None = None, kind: str = "apart") -> int:
    wish = wishes.NewWish(
        kind=kind, first=first, second=second, round_number=round_number, reason="they are partners at work"
    )
    return wishes.add_wish(actor=SERVER, slug=SLUG, wish=wish, act_id=uuid4(), at=AT)


def drafted() -> list[tuple[int, int]]:
    return [(one.first, one.second) for one in draw_of(Draft.objects.get()).pairings]


def test_two_pairs_change_places_and_the_matches_say_why() -> None:
    a_tournament("swiss", 6, rounds=3)
    draft()
    assert drafted() == [(1, 4), (2, 5), (3, 6)]

    version = swap(4, 5)

    assert version == 2
    assert drafted() == [(1, 5), (2, 4), (3, 6)]
    changed, *_others = draw_of(Draft.objects.get()).pairings
    assert (changed.notes, changed.reason) == ((Note.SAME_SCORE, Note.FORCED), "they asked for it")
    publish(version=2)
    assert pairs_of(Round.objects.get()) == {frozenset({1, 5}), frozenset({2, 4}), frozenset({3, 6})}
    assert Match.objects.get(table="1").drawn["reason"] == "they asked for it"
    assert AuditEntry.objects.get(what="draft-changed").detail["first"] == 4


def test_swapping_back_leaves_the_draw_as_it_was_made() -> None:
    a_tournament("swiss", 7, rounds=3)
    draft()
    before = Draft.objects.get().draw

    swap(4, 7)
    swap(4, 7, version=2)

    assert Draft.objects.get().draw == before


def test_a_pair_changes_places_with_the_bye() -> None:
    a_tournament("swiss", 5, rounds=3)
    draft()

    swap(1, 5)

    draw = draw_of(Draft.objects.get())
    assert [(bye.entry, bye.reason) for bye in draw.byes] == [(1, "they asked for it")]
    assert {frozenset(pair) for pair in drafted()} == {frozenset({3, 5}), frozenset({2, 4})}


def test_two_of_one_match_change_seats_and_nobody_elses_lot() -> None:
    a_tournament("swiss", 6, rounds=3)
    a_round()
    before = {frozenset((m.ns.number, m.ew.number)): m.ns.number for m in Match.objects.all()}
    Match.objects.all().delete()
    Round.objects.get().byes.all().delete()
    Round.objects.get().clock.delete()
    Round.objects.all().delete()
    drawn = draft()

    swap(1, 4, version=drawn.version)
    publish()

    after = {frozenset((m.ns.number, m.ew.number)): m.ns.number for m in Match.objects.all()}
    assert after == before | {frozenset({1, 4}): 5 - before[frozenset({1, 4})]}


def test_two_matches_change_tables() -> None:
    a_tournament("swiss", 6, rounds=3)
    draft()

    swap(1, 6, what="tables")

    assert drafted() == [(3, 6), (2, 5), (1, 4)]


def test_a_schedule_lets_only_seats_and_tables_change() -> None:
    a_tournament("round-robin", 4)
    draft()
    (first, second), (third, _fourth) = drafted()

    with pytest.raises(NoSwap, match="only seats and tables"):
        swap(first, third)

    assert swap(first, second) == 2
    assert swap(first, third, what="tables", version=2) == 3


@pytest.mark.parametrize(
    ("first", "second", "what", "words"),
    [
        (1, 1, "entries", "not at the same place"),
        (1, 99, "entries", "not in this round"),
        (1, 4, "tables", "not at the same place"),
        (1, 7, "tables", "no table"),
        (1, 2, "chairs", "cannot change places"),
    ],
)
def test_what_cannot_change_places_is_refused_in_words(
    first: int, second: int, what: str, words: str
) -> None:
    a_tournament("swiss", 7, rounds=3)
    draft()

    with pytest.raises(NoSwap, match=words):
        swap(first, second, what=what)

    assert Draft.objects.get().version == 1


def test_a_swap_needs_a_reason_and_the_draft_that_was_looked_at() -> None:
    a_tournament("swiss", 6, rounds=3)
    draft()

    with pytest.raises(ReasonNeeded):
        swap(4, 5, reason="  ")
    swap(4, 5)
    with pytest.raises(ChangedMeanwhile):
        swap(4, 6)


def test_a_swap_sent_twice_has_one_effect() -> None:
    a_tournament("swiss", 6, rounds=3)
    draft()
    act = uuid4()

    assert swap(4, 5, act=act) == swap(4, 5, act=act) == 2
    assert drafted() == [(1, 5), (2, 4), (3, 6)]


def test_nobody_is_swapped_to_whom_a_wish_keeps_apart_until_it_is_lifted() -> None:
    a_tournament("swiss", 6, rounds=3)
    wish = keep_apart(1, 5)
    draft()

    with pytest.raises(WishInTheWay, match="kept apart"):
        swap(4, 5)
    wishes.lift_wish(actor=SERVER, slug=SLUG, wish_id=wish, at=AT)

    assert swap(4, 5) == 2


def test_the_consequences_of_a_swap_are_shown_before_it() -> None:
    a_tournament("swiss", 4, rounds=3)
    one = a_round()
    finish_all(one)
    drawn = draft()
    assert {frozenset(pair) for pair in drafted()} == {frozenset({1, 2}), frozenset({3, 4})}

    asked = drafts.SwapAsked(first=2, second=3, what="entries", reason="")
    shown = drafts.preview_swap(actor=SERVER, slug=SLUG, asked=asked)

    assert len(shown.after.cards) == 2
    assert sum("have met before, in round 1" in text for text in shown.worse) == 2
    assert sum("2 points apart" in text for text in shown.worse) == 2
    assert shown.better == ()
    assert Draft.objects.get().version == drawn.version


def test_wishes_are_kept_to() -> None:
    a_tournament("swiss", 6, rounds=3)
    keep_apart(1, 4)
    keep_apart(2, 3, kind="together", round_number=1)

    draft()

    pairs = {frozenset(pair) for pair in drafted()}
    assert frozenset({2, 3}) in pairs
    assert frozenset({1, 4}) not in pairs


def test_a_wish_for_one_round_is_not_asked_in_another() -> None:
    a_tournament("swiss", 6, rounds=3)
    keep_apart(1, 4, round_number=2)

    draft()

    assert drafted()[0] == (1, 4)


def test_wishes_that_make_no_sense_are_refused() -> None:
    a_tournament("swiss", 6, rounds=3)

    with pytest.raises(BadWish, match="two different"):
        keep_apart(1, 1)
    with pytest.raises(BadWish, match="one round only"):
        keep_apart(1, 2, kind="together")
    with pytest.raises(BadWish, match="no such wish"):
        keep_apart(1, 2, kind="near")
    with pytest.raises(BadWish, match="does not play"):
        keep_apart(1, 99)
    keep_apart(1, 2)
    with pytest.raises(BadWish, match="already"):
        keep_apart(2, 1)

    assert Wish.objects.count() == 1
