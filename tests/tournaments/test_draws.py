"""Rounds that are drawn, published and played, in every format."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError

from courtpiece.accounts.models import AuditEntry
from courtpiece.accounts.permissions import SERVER
from scoring.models import Scoresheet
from tests.accounts.builders import AT
from tests.tournaments.drawn import (
    SLUG,
    a_round,
    a_tournament,
    byes_of,
    draft,
    failing,
    finish,
    finish_all,
    pairs_of,
    publish,
)
from tournaments.errors import (
    CannotDraw,
    ChangedMeanwhile,
    DraftInTheWay,
    NoPairing,
    ResultsChanged,
    RoundInUse,
    TournamentIsFinal,
)
from tournaments.models import Absence, Bye, Draft, Entry, Forfeit, Match, Round, RoundClock, Tournament
from tournaments.operations import draws, matches, rulings, schedules, wishes
from tournaments.operations.decisions import GiveMatchAway
from tournaments.queries import load_state

pytestmark = pytest.mark.django_db


def test_a_draft_is_published_whole() -> None:
    a_tournament("swiss", 5, rounds=3)

    drafted = draft(seed=7)
    number = publish()

    assert (drafted.number, drafted.version, number) == (1, 1, 1)
    assert Draft.objects.count() == 0
    assert Round.objects.get().seed == 7
    assert RoundClock.objects.get().length == 30 * 60
    assert [match.table for match in Match.objects.order_by("table")] == ["1", "2"]
    assert byes_of(Round.objects.get()) == {5: "pairing"}
    assert all(match.first_dealer in "NESW" for match in Match.objects.all())
    assert Match.objects.filter(table="1").get().drawn["notes"] == ["same-score"]
    assert list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))[-2:] == [
        "round-drafted",
        "round-published",
    ]


def test_the_same_seed_gives_the_same_seats_and_dealers() -> None:
    a_tournament("swiss", 8, rounds=3)
    first = a_round(seed=11)
    drawn = list(Match.objects.order_by("table").values_list("table", "ns", "ew", "first_dealer"))
    schedules.take_back_round(actor=SERVER, slug=SLUG, number=first.number, act_id=uuid4(), at=AT)

    a_round(seed=11)

    again = list(Match.objects.order_by("table").values_list("table", "ns", "ew", "first_dealer"))
    assert again == drawn


def test_twelve_pairs_play_three_swiss_rounds_and_nobody_meets_anybody_twice() -> None:
    tournament = a_tournament("swiss", 12, rounds=3)

    met = []
    for _number in range(3):
        one = a_round()
        met += list(pairs_of(one))
        finish_all(one)

    assert len(met) == len(set(met)) == 18
    with pytest.raises(CannotDraw, match="no round left"):
        draft()
    state = load_state(tournament).state
    assert [len(one.results) for one in state.rounds] == [6, 6, 6]


def test_what_is_not_finished_blocks_and_is_named() -> None:
    a_tournament("swiss", 4, rounds=2)
    one = a_round()
    finish(Match.objects.select_related("ns", "ew", "scoresheet").get(round=one, table="1"))

    with pytest.raises(CannotDraw) as refused:
        draft()

    other = Match.objects.get(round=one, table="2")
    assert "Round 1, table \u20682\u2069 is not finished" in str(refused.value)
    assert f"Player {other.ns.number}A & Player {other.ns.number}B" in str(refused.value)
    assert Draft.objects.count() == 0


def test_byes_say_why() -> None:
    a_tournament("swiss", 7, rounds=3)
    entries = {entry.number: entry for entry in Entry.objects.all()}
    Absence.objects.create(entry=entries[2], round_number=1, kind="requested")
    Absence.objects.create(entry=entries[3], round_number=1, kind="absent")
    Entry.objects.filter(number=4).update(joined_round=2)

    one = a_round()

    assert byes_of(one) == {2: "requested", 3: "absent", 4: "late"}
    assert Match.objects.count() == 2


def test_a_draw_that_is_not_possible_names_those_at_fault_and_leaves_nothing() -> None:
    a_tournament("swiss", 2, rounds=1)
    apart = wishes.NewWish(kind="apart", first=1, second=2, round_number=None, reason="they share a car")
    wishes.add_wish(actor=SERVER, slug=SLUG, wish=apart, act_id=uuid4(), at=AT)

    with pytest.raises(NoPairing) as refused:
        draft()

    assert "Player 1A & Player 1B" in str(refused.value)
    assert "Lift a wish" in str(refused.value)
    assert (Draft.objects.count(), Round.objects.count()) == (0, 0)


def test_the_second_who_drafts_is_told_of_the_first() -> None:
    a_tournament("swiss", 4, rounds=2)
    draft()

    with pytest.raises(DraftInTheWay, match="Round 1 is drafted already"):
        draft()

    assert Draft.objects.get().version == 1


def test_an_act_sent_twice_has_one_effect() -> None:
    a_tournament("swiss", 4, rounds=2)
    act = uuid4()

    first = draws.draft_round(actor=SERVER, slug=SLUG, act_id=act, seed=7, at=AT)
    again = draws.draft_round(actor=SERVER, slug=SLUG, act_id=act, seed=7, at=AT)
    act = uuid4()
    one = draws.publish_round(actor=SERVER, slug=SLUG, version=1, session=1, act_id=act, at=AT)
    other = draws.publish_round(actor=SERVER, slug=SLUG, version=1, session=1, act_id=act, at=AT)

    assert first == again
    assert one == other == 1
    assert (Round.objects.count(), Match.objects.count(), Scoresheet.objects.count()) == (1, 2, 2)


def test_a_draft_that_was_changed_or_published_is_not_published_from_an_old_page() -> None:
    a_tournament("swiss", 4, rounds=2)
    draft()
    draws.redraw_round(actor=SERVER, slug=SLUG, version=1, act_id=uuid4(), seed=8, at=AT)

    with pytest.raises(ChangedMeanwhile, match="changed meanwhile"):
        publish(version=1)
    publish(version=2)
    with pytest.raises(ChangedMeanwhile, match="last round published is round 1"):
        publish(version=2)

    assert Round.objects.get().seed == 8


def test_a_draft_thrown_away_leaves_nothing() -> None:
    tournament = a_tournament("swiss", 4, rounds=2)
    before = load_state(tournament)
    draft()

    draws.discard_draft(actor=SERVER, slug=SLUG, version=1, at=AT)
    draws.discard_draft(actor=SERVER, slug=SLUG, version=1, at=AT)

    assert load_state(tournament) == before
    assert (Draft.objects.count(), Round.objects.count(), Scoresheet.objects.count()) == (0, 0, 0)


def test_a_page_of_a_draft_that_was_thrown_away_does_nothing_to_the_next_one() -> None:
    a_tournament("swiss", 4, rounds=2)
    seen = draft(seed=7).version
    gone: dict[str, Any] = {"actor": SERVER, "slug": SLUG, "version": seen, "act_id": uuid4(), "at": AT}
    draws.discard_draft(**gone)
    drawn = draft(seed=8)

    draws.discard_draft(**gone)
    with pytest.raises(ChangedMeanwhile, match="changed meanwhile"):
        draws.discard_draft(**{**gone, "act_id": uuid4()})
    with pytest.raises(ChangedMeanwhile, match="changed meanwhile"):
        publish(version=seen)
    with pytest.raises(ChangedMeanwhile, match="changed meanwhile"):
        draws.redraw_round(**{**gone, "act_id": uuid4()}, seed=9)

    assert Draft.objects.get().version == drawn.version
    assert Round.objects.count() == 0


def test_a_round_that_was_published_anew_is_not_taken_back_from_an_old_page() -> None:
    a_tournament("swiss", 4, rounds=2)
    seen = a_round().uid
    schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, act_id=uuid4(), at=AT)
    there = a_round()

    with pytest.raises(ChangedMeanwhile, match="taken back meanwhile, and published anew"):
        schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, round_uid=seen, act_id=uuid4(), at=AT)

    assert Round.objects.get() == there


def test_results_that_changed_since_the_draft_are_to_be_confirmed() -> None:
    a_tournament("swiss", 4, rounds=3)
    one = a_round()
    finish_all(one)
    draft()
    match = Match.objects.filter(round=one).first()
    assert match is not None
    matches.set_match_state(actor=SERVER, uid=match.uid, state="void", at=AT)

    with pytest.raises(ResultsChanged, match="changed since the round was drawn"):
        publish()
    draws.publish_round(
        actor=SERVER,
        slug=SLUG,
        version=Draft.objects.get().version,
        session=1,
        act_id=uuid4(),
        at=AT,
        confirmed=True,
    )

    assert Round.objects.count() == 2


def test_who_will_not_be_there_is_named_before_a_draft_is_published() -> None:
    a_tournament("swiss", 4, rounds=3)
    draft()
    Absence.objects.create(entry=Entry.objects.get(number=2), round_number=1, kind="absent")

    with pytest.raises(ResultsChanged, match="Player 2A & Player 2B"):
        publish()


def test_nothing_is_drawn_once_the_standings_are_final() -> None:
    a_tournament("swiss", 4, rounds=2)
    Tournament.objects.update(status="final")

    with pytest.raises(TournamentIsFinal):
        draft()


@pytest.mark.parametrize("table", ["tournaments_match", "tournaments_bye", "tournaments_roundclock"])
def test_a_failure_at_any_step_leaves_no_half_round(table: str) -> None:
    a_tournament("swiss", 5, rounds=3)
    draft()
    act = uuid4()

    with failing("INSERT INTO", table), pytest.raises(DatabaseError):
        draws.publish_round(actor=SERVER, slug=SLUG, version=1, session=1, act_id=act, at=AT)

    assert (Round.objects.count(), Match.objects.count(), Scoresheet.objects.count()) == (0, 0, 0)
    assert (Bye.objects.count(), RoundClock.objects.count(), Draft.objects.get().version) == (0, 0, 1)
    assert draws.publish_round(actor=SERVER, slug=SLUG, version=1, session=1, act_id=act, at=AT) == 1


def test_a_round_without_deals_is_taken_back() -> None:
    tournament = a_tournament("swiss", 4, rounds=3)
    before = load_state(tournament).state
    a_round()

    schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, act_id=uuid4(), at=AT)

    assert load_state(tournament).state == before
    assert Scoresheet.objects.count() == 0
    assert AuditEntry.objects.filter(what="round-taken-back").count() == 1


def test_a_round_in_which_something_was_recorded_stays() -> None:
    a_tournament("swiss", 4, rounds=3)
    one = a_round()
    finish(Match.objects.select_related("ns", "ew", "scoresheet").get(round=one, table="1"))

    with pytest.raises(RoundInUse, match="Something was recorded"):
        schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, act_id=uuid4(), at=AT)

    assert Match.objects.count() == 2


def test_a_round_stays_whose_clock_was_started_or_after_which_one_was_drafted() -> None:
    a_tournament("swiss", 4, rounds=3)
    one = a_round()
    RoundClock.objects.update(started_at=AT)

    with pytest.raises(RoundInUse, match="clock"):
        schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, act_id=uuid4(), at=AT)
    RoundClock.objects.update(started_at=None)
    finish_all(one)
    draft()
    with pytest.raises(RoundInUse, match="drafted"):
        schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, act_id=uuid4(), at=AT)
    publish()
    with pytest.raises(RoundInUse, match="later round"):
        schedules.take_back_round(actor=SERVER, slug=SLUG, number=1, act_id=uuid4(), at=AT)


# -- the other formats


def test_a_round_robin_is_published_round_by_round_or_all_at_once() -> None:
    a_tournament("round-robin", 5, cycles=2)
    first = a_round()

    rounds = schedules.publish_schedule(actor=SERVER, slug=SLUG, session=1, act_id=uuid4(), seed=3, at=AT)

    assert (first.number, rounds, Round.objects.count()) == (1, 9, 10)
    met = [pair for one in Round.objects.all() for pair in pairs_of(one)]
    assert (len(met), len(set(met))) == (20, 10)
    assert Bye.objects.count() == 10
    with pytest.raises(CannotDraw):
        schedules.publish_schedule(actor=SERVER, slug=SLUG, session=1, act_id=uuid4(), seed=3, at=AT)


def test_a_schedule_waits_for_a_draft_that_is_there() -> None:
    a_tournament("round-robin", 4)
    draft()

    with pytest.raises(DraftInTheWay):
        schedules.publish_schedule(actor=SERVER, slug=SLUG, session=1, act_id=uuid4(), seed=3, at=AT)


def test_who_is_gone_gives_its_matches_of_a_schedule_away() -> None:
    a_tournament("round-robin", 4)
    finish_all(a_round())
    Entry.objects.filter(number=4).update(state="withdrawn", withdrawn_after=1)

    schedules.publish_schedule(actor=SERVER, slug=SLUG, session=1, act_id=uuid4(), seed=3, at=AT)

    given = Match.objects.exclude(forfeit="")
    assert given.count() == 2
    assert {match.state for match in given} == {"finished"}
    assert all({match.ns.number, match.ew.number} & {4} for match in given)
    assert [match.forfeit == "NS" for match in given] == [match.ns.number == 4 for match in given]


def test_a_knockout_goes_from_its_winners_to_the_final() -> None:
    a_tournament("knockout", 6, third_place=True)

    quarter = a_round()
    finish_all(quarter)
    semi = a_round()
    finish_all(semi)
    final = a_round()

    assert [one.name for one in (quarter, semi, final)] == ["quarter-finals", "semi-finals", "final"]
    assert byes_of(quarter) == {1: "pairing", 2: "pairing"}
    assert pairs_of(semi) == {frozenset({1, 4}), frozenset({2, 3})}
    names = {frozenset((m.ns.number, m.ew.number)): m.name for m in Match.objects.filter(round=final)}
    assert names == {frozenset({1, 2}): "final", frozenset({3, 4}): "third-place"}


def test_a_level_match_of_a_knockout_is_named() -> None:
    a_tournament("knockout", 4)
    one = a_round()
    level, other = Match.objects.filter(round=one).select_related("ns", "ew", "scoresheet")
    finish(other)
    Match.objects.filter(pk=level.pk).update(state="finished", finished_at=AT)

    with pytest.raises(CannotDraw, match="is level"):
        draft()


def test_groups_lead_to_a_knockout() -> None:
    a_tournament("groups-knockout", 8, groups=2, qualifiers=2)
    rounds = schedules.publish_schedule(actor=SERVER, slug=SLUG, session=1, act_id=uuid4(), seed=3, at=AT)
    for one in Round.objects.order_by("number"):
        finish_all(one)

    semi = a_round()

    assert rounds == 3
    assert semi.name == "semi-finals"
    assert frozenset().union(*pairs_of(semi)) == {1, 2, 3, 4}


def test_a_league_goes_from_session_to_session() -> None:
    a_tournament("league", 4, sessions=2, rounds=1)

    first = a_round()
    finish_all(first)
    second = a_round()

    assert (first.session.number, second.session.number) == (1, 2)
    assert second.number == 2


def test_where_the_winner_stays_the_next_pair_sits_down_at_once() -> None:
    a_tournament("winner-stays", 4)
    one = a_round()
    match = Match.objects.select_related("ns", "ew", "scoresheet").get(round=one)

    finish(match, by_lower=False)

    following = Match.objects.get(round__number=2)
    assert {following.ns.number, following.ew.number} == {2, 3}
    assert following.table == "1"
    assert RoundClock.objects.get().length == 180 * 60
    assert AuditEntry.objects.filter(what="round-published").count() == 2


def test_a_match_finished_twice_seats_nobody_twice() -> None:
    a_tournament("winner-stays", 4)
    match = Match.objects.select_related("ns", "ew", "scoresheet").get(round=a_round())
    finish(match)

    matches.set_match_state(actor=SERVER, uid=match.uid, state="open", at=AT)
    matches.set_match_state(actor=SERVER, uid=match.uid, state="finished", at=AT)

    assert Match.objects.count() == 2


def test_a_match_given_away_seats_the_next_too() -> None:
    a_tournament("winner-stays", 4)
    match = Match.objects.get(round=a_round())
    given = GiveMatchAway(match=match.uid, version=match.version, by=Forfeit.NS)

    rulings.make_ruling(
        actor=SERVER, slug=SLUG, new=rulings.NewRuling(decision=given, reason="they left"), at=AT
    )

    following = Match.objects.get(round__number=2)
    assert match.ew_id in (following.ns_id, following.ew_id)


def test_nobody_sits_down_once_the_evening_is_over() -> None:
    a_tournament("winner-stays", 4)
    match = Match.objects.select_related("ns", "ew", "scoresheet").get(round=a_round())
    RoundClock.objects.update(started_at=AT, ended_at=AT)

    finish(match)

    assert Match.objects.count() == 1
    with pytest.raises(CannotDraw):
        draft()


def test_one_match_is_drawn_and_over() -> None:
    a_tournament("single", 2)

    one = a_round()
    finish_all(one)

    assert pairs_of(one) == {frozenset({1, 2})}
    with pytest.raises(CannotDraw):
        draft()
