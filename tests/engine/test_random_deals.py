"""What must hold of every deal, played at random under any rules."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from courtpiece.engine import (
    Card,
    DealState,
    Finding,
    IllegalPlayError,
    Outcome,
    Play,
    Rules,
    Score,
    Seat,
    Suit,
    Team,
    Trump,
    TrumpMethod,
    adjudicate,
)
from courtpiece.engine.deal import DealFacts
from courtpiece.engine.faults import Code
from courtpiece.engine.play import card_indexes, join_code, play_of
from courtpiece.engine.replay import Replay
from courtpiece.engine.trump import UNKNOWN_DISCARD
from tests.engine.deals import RULES_NAMES, as_record, play_out, random_rules, random_start, steps

SEEDS = st.integers(0, 2**32)
NAMES = st.sampled_from(RULES_NAMES)
seldom = settings(max_examples=40)


def a_deal(seed: int, name: str, *, slips: float = 0.05) -> DealState:
    rng = Random(seed)
    return play_out(rng, random_rules(rng, name), slips=slips)


@given(seed=SEEDS, name=NAMES)
def test_the_record_of_a_deal_shows_what_stepping_through_it_says(seed: int, name: str) -> None:
    deal = a_deal(seed, name)

    finding = as_record(deal).finding()

    expected = deal.outcome or Outcome.void(deal.tricks)
    assert finding.faults == ()
    assert finding.outcome == expected
    assert finding.revokes == deal.revokes
    assert finding.trick_winners is not None
    assert finding.trick_winners == deal.table_winners[: len(finding.trick_winners)]
    assert expected.tricks == deal.tricks


@given(seed=SEEDS, name=NAMES)
def test_the_quick_road_and_the_careful_one_come_to_the_same(seed: int, name: str) -> None:
    facts = a_deal(seed, name).facts

    quick, careful = (replayed(facts, quick=quick) for quick in (True, False))

    assert state_of(quick) == state_of(careful)


def replayed(facts: DealFacts, *, quick: bool) -> Replay:
    assert facts.hands is not None
    replay = Replay(facts.rules, facts.dealer.right, facts.hands, facts.trump or UNKNOWN_DISCARD, quick=quick)
    replay.run(facts.tricks or ())
    return replay


def state_of(replay: Replay) -> tuple[object, ...]:
    return (
        replay.winners,
        replay.hands,
        replay.cards,
        replay.leader,
        (replay.trump, replay.trump_at_end, replay.indicator),
        (replay.over, replay.counted, replay.fault and replay.fault[:2]),
        (replay.tally.taken, replay.tally.pile, replay.tally.decided),
        [list(seen) for seen in (replay.revokes, replay.standing, replay.revokes_later)],
    )


@given(seed=SEEDS, name=NAMES)
def test_the_two_roads_agree_on_what_is_impossible_too(seed: int, name: str) -> None:
    rng = Random(seed)
    facts = mangled(a_deal(seed, name).facts, rng)

    quick, careful = (replayed(facts, quick=quick) for quick in (True, False))

    assert state_of(quick) == state_of(careful)


def mangled(facts: DealFacts, rng: Random) -> DealFacts:
    """Return the deal with one card of its play another one."""
    tricks = [list(plays) for plays in facts.tricks or () if plays]
    if tricks:
        plays = rng.choice(tricks)
        at = rng.randrange(len(plays))
        indexes = card_indexes(plays[at])
        indexes[rng.randrange(len(indexes))] = rng.randrange(52)
        plays[at] = join_code(indexes, plays[at] & 0xC0)
    return facts._replace(tricks=tuple(map(tuple, tricks)))


@given(seed=SEEDS, name=NAMES)
@seldom
def test_what_stepping_allows_is_never_a_revoke_and_what_it_refuses_always_is(seed: int, name: str) -> None:
    rng = Random(seed)

    for deal in states(rng, name):
        legal = deal.legal_plays()
        held = set(deal.hand(deal.turn))
        assert legal <= held
        if not deal.is_over and deal.current_trick:
            for card in rng.sample(sorted(held), k=min(3, len(held))):
                assert revokes_with(deal, card, rng) is (card not in legal)


def states(rng: Random, name: str) -> list[DealState]:
    """Return a few states of one deal, some with the indicator just turned up."""
    start = random_start(rng, random_rules(rng, name))
    chosen = [state for state in steps(start, rng) if rng.random() < 0.2]
    return [state.reveal() if state.may_reveal() and rng.random() < 0.5 else state for state in chosen]


def revokes_with(deal: DealState, card: Card, rng: Random) -> bool:
    """Return whether the player to move has revoked by this card, once the trick is complete."""
    seat, trick = deal.turn, deal.trick_number
    deal = deal.record(Play((card,), reveal=deal.asked))
    while deal.current_trick:
        deal = next(steps(deal, rng))
    return (seat, trick) in {(revoke.seat, revoke.trick) for revoke in deal.revokes}


@given(seed=SEEDS, name=NAMES)
@seldom
def test_the_three_doors_agree(seed: int, name: str) -> None:
    rng = Random(seed)

    for deal in states(rng, name):
        for card in rng.sample(list(deal.hand(deal.turn)) or [Card.of("SA")], k=1):
            if card in deal.legal_plays():
                deal.check_play(card)
                assert deal.play(card) == deal.record(Play((card,), reveal=deal.asked))
            else:
                with pytest.raises(IllegalPlayError) as caught:
                    deal.check_play(card)
                assert caught.value.seat is deal.turn
        if deal.may_reveal():
            deal.check_reveal()
        else:
            with pytest.raises(IllegalPlayError):
                deal.reveal()


@given(seed=SEEDS, name=NAMES)
@seldom
def test_every_card_is_in_a_hand_or_on_the_table_or_face_down(seed: int, name: str) -> None:
    rng = Random(seed)
    start = random_start(rng, random_rules(rng, name))

    for deal in (start, *steps(start, rng, slips=0.05)):
        held = [card for seat in Seat for card in deal.hand(seat)]
        face_down = [deal.indicator] if deal.indicator is not None else []
        played = [play.card for plays in deal.facts.tricks or () for play in plays_of(plays)]
        assert sorted([*held, *face_down, *played]) == sorted(set(held) | set(face_down) | set(played))
        assert len(held) + len(face_down) + len(played) == 52


def plays_of(codes: tuple[int, ...]) -> list[Play]:
    return [play_of(code) for code in codes]


@given(seed=SEEDS, name=NAMES)
def test_tricks_are_taken_or_lie_in_the_centre_while_the_deal_goes_on(seed: int, name: str) -> None:
    rng = Random(seed)
    start = random_start(rng, random_rules(rng, name))

    for deal in steps(start, rng):
        if not deal.is_over:
            assert sum(deal.tricks) + deal.pile == deal.trick_number - 1


# -- symmetry ---------------------------------------------------------------------------------------------


@given(seed=SEEDS, name=NAMES, places=st.integers(1, 3))
def test_turning_the_table_turns_what_is_found(seed: int, name: str, places: int) -> None:
    facts = as_record(a_deal(seed, name)).facts

    found = adjudicate(facts._replace(result=None))

    assert adjudicate(turned(facts, places)._replace(result=None)) == turned_finding(found, places)


def turned(facts: DealFacts, places: int) -> DealFacts:
    """Return the deal as it would be with everybody that many seats to the right."""
    hands = facts.hands
    assert hands is not None
    south, east, north, west = (hands[(seat - places) % 4] for seat in range(4))
    claim = facts.claim
    return facts._replace(
        dealer=seat_after(facts.dealer, places),
        hands=(south, east, north, west),
        claim=claim and claim._replace(seat=seat_after(claim.seat, places)),
    )


def turned_finding(finding: Finding, places: int) -> Finding:
    revokes = [revoke._replace(seat=seat_after(revoke.seat, places)) for revoke in finding.revokes]
    winners = finding.trick_winners
    return finding._replace(
        dealer=seat_after(finding.dealer, places),
        outcome=finding.outcome and turned_outcome(finding.outcome, places),
        trick_winners=winners and tuple(seat_after(seat, places) for seat in winners),
        revokes=tuple(revokes),
    )


def turned_outcome(outcome: Outcome, places: int) -> Outcome:
    if places % 2 == 0:
        return outcome
    winner = None if outcome.winner is None else outcome.winner.other
    return Outcome(winner, outcome.award, Score(*outcome.tricks[::-1]), Score(*outcome.courts[::-1]))


def seat_after(seat: Seat, places: int) -> Seat:
    return list(Seat)[(seat + places) % 4]


@given(seed=SEEDS, name=NAMES, order=st.permutations(list(Suit)))
def test_no_suit_is_worth_more_than_another(seed: int, name: str, order: list[Suit]) -> None:
    facts = as_record(a_deal(seed, name)).facts._replace(result=None, first_five=None)

    found = adjudicate(facts)

    renamed = adjudicate(with_suits(facts, order))
    assert (renamed.outcome, renamed.trick_winners) == (found.outcome, found.trick_winners)
    assert [fault.code for fault in renamed.faults] == [fault.code for fault in found.faults]


def with_suits(facts: DealFacts, order: list[Suit]) -> DealFacts:
    """Return the deal with each suit called another."""
    assert facts.hands is not None
    south, east, north, west = (
        sum(((held >> 13 * suit) & 0x1FFF) << 13 * order[suit] for suit in Suit) for held in facts.hands
    )
    tricks = [
        tuple(
            join_code([13 * order[i // 13] + i % 13 for i in card_indexes(code)], code & 0xC0)
            for code in plays
        )
        for plays in facts.tricks or ()
    ]
    return facts._replace(
        hands=(south, east, north, west), tricks=tuple(tricks), trump=_renamed(facts.trump, order)
    )


def _renamed(trump: Trump | None, order: list[Suit]) -> Trump | None:
    if trump is None or trump.suit is None:
        return trump
    card = trump.card and Card(order[trump.card.suit], trump.card.rank)
    return Trump(trump.method, order[trump.suit], card, trump.number)


def test_the_deals_are_of_every_kind() -> None:
    deals = [a_deal(seed, name) for name in RULES_NAMES for seed in range(60)]

    awards = {deal.outcome.award.value for deal in deals if deal.outcome is not None}
    methods = {deal.facts.trump.method for deal in deals if deal.facts.trump is not None}
    plays = [play for deal in deals for plays in deal.facts.tricks or () for play in plays_of(plays)]

    assert awards == {"win", "court", "goon-court", "bavney", "revoke"}
    assert methods == set(TrumpMethod)
    assert any(play.reveal for play in plays)
    assert any(play.face_down for play in plays)
    assert any(len(play.cards) > 2 for play in plays)
    assert any(deal.outcome is None for deal in deals)


def test_a_record_that_states_another_result_is_refused_by_every_rule() -> None:
    for name in RULES_NAMES:
        deal = play_out(Random(1), Rules.parse(name))
        other = Team.EW if deal.outcome is not None and deal.outcome.winner is Team.NS else Team.NS

        finding = as_record(deal, Result=f"{other.name} 7-6").finding()

        assert Code.RESULT_MISMATCH in [fault.code for fault in finding.faults]
