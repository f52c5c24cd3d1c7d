"""What must not matter to standings: the way in, the order, names, tables, and what was taken back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from random import Random
from uuid import uuid4

import pytest

from courtpiece.accounts.models import User
from courtpiece.accounts.permissions import SERVER
from courtpiece.engine import Award, MatchState, Rules, Seat, Team
from scoring.models import Player
from scoring.operations import find_or_make_partnerships
from tests.accounts.builders import AT, a_club, a_user
from tests.api.builders import a_program, send_pcn
from tests.tournaments.builders import a_record, outcome_of, upload
from tournaments import queries
from tournaments.domain.pairing import Draw
from tournaments.domain.random_tournament import TournamentHabits, play_swiss
from tournaments.domain.seats import seat_at_numbers
from tournaments.domain.slips import SlipLine
from tournaments.models import Entry, Match, Tournament
from tournaments.operations.creating import make_tournament
from tournaments.operations.decisions import Penalise, TakeBack
from tournaments.operations.matches import set_match_state
from tournaments.operations.publishing_rounds import DrawnRound, entered_pairs, make_rounds
from tournaments.operations.rulings import NewRuling, make_ruling
from tournaments.operations.running import enter_pairs
from tournaments.operations.slips import enter_results
from tournaments.operations.standings import bring_up_to_date
from tournaments.schemes import NewTournament

pytestmark = pytest.mark.django_db

Deals = tuple[tuple[int, Seat, str], ...]
"""The deals of a match: each number, its dealer, and what it comes to, in the order in which they are entered."""
Way = Callable[[Match, Deals], None]

RESULTS = ("7-0 court", "7-0 court", "7-2", "7-4", "7-5", "7-6", "13-0 bavney")
WITHOUT_COURTS = ("7-2", "7-4", "7-5")
LONG = 9
"""Deals of a match in which one team wins nearly all: long enough for a run of seven (law 11.1)."""
HABITS = TournamentHabits(requested=0.1, absences=0.1)


@dataclass(frozen=True, slots=True)
class Evening:
    """A small tournament by chance: who entered, the rounds as they were drawn, and each match deal by deal."""

    pairs: tuple[str, ...]
    draws: tuple[Draw, ...]
    deals: Mapping[tuple[int, int, int], Deals]
    """By the round and the entries, North-South first."""


def an_evening(seed: int) -> Evening:
    """Draw a Swiss of the product's own generator, and play its matches at random."""
    chance = Random(seed)
    habits = replace(HABITS, entries=chance.randint(4, 7), rounds=chance.randint(2, 3))
    draws = tuple(one.draw for one in play_swiss(chance, habits))
    seated = [
        (draw.number, seating.ns, seating.ew)
        for draw in draws
        for seating in seat_at_numbers(draw, seed=seed)
    ]
    pairs = tuple(f"Player {number}A & Player {number}B" for number in range(1, habits.entries + 1))
    return Evening(pairs, draws, {match: random_deals(chance) for match in seated})


def random_deals(chance: Random) -> Deals:
    """Return the deals of a match, each dealt by whom law 12 says."""
    match, dealer, deals = MatchState(Rules.parse("court-piece")), Seat.N, []
    count = chance.choice((1, 2, 3, LONG))
    likely = 0.95 if count == LONG else 0.5
    for number in range(1, count + 1):
        winner = "NS" if chance.random() < likely else "EW"
        result = f"{winner} {chance.choice(WITHOUT_COURTS if count == LONG else RESULTS)}"
        deals.append((number, dealer, result))
        match, line = match.after(number=number, dealer=dealer, outcome=outcome_of(result, match.rules))
        dealer = line.next_dealer or dealer
    return tuple(deals)


def a_tournament(slug: str, evening: Evening, seed: int) -> Tournament:
    club = a_club(f"club-of-{slug}")
    new = NewTournament(name="Rang", slug=slug, format="swiss")
    tournament = make_tournament(actor=SERVER, club_id=club.pk, new=new, at=AT)
    names = [tuple(pair.split(" & ")) for pair in evening.pairs]
    found = find_or_make_partnerships(
        actor=SERVER, club_id=club.pk, names=[(one, two) for one, two in names], at=AT
    )
    enter_pairs(tournament, [pair.partnership_id for pair in found.pairs])
    session = tournament.sessions.get()
    make_rounds(
        actor=SERVER,
        tournament=tournament,
        plan=queries.plan_of(tournament),
        rounds=[DrawnRound(draw=draw, session=session, seed=seed) for draw in evening.draws],
        pairs=entered_pairs(tournament.pk),
        at=AT,
    )
    return tournament


def a_scorer() -> User:
    return User.objects.filter(display_name="Sana").first() or a_user("Sana", is_site_admin=True)


def names_of(match: Match) -> tuple[str, str]:
    pairs = queries.entries_of(match.round.tournament_id)
    return pairs[match.ns_id].pair.name, pairs[match.ew_id].pair.name


def records_of(match: Match, deals: Deals) -> list[str]:
    ns, ew = names_of(match)
    place = {"round": str(match.round.number), "table": match.table}
    return [a_record(number, dealer, result, ns=ns, ew=ew, **place) for number, dealer, result in deals]


def by_file(match: Match, deals: Deals) -> None:
    upload("\n".join(records_of(match, deals)), slug=match.round.tournament.slug)


def by_program(match: Match, deals: Deals) -> None:
    program = a_program(user=a_scorer())
    for number, dealer, result in deals:
        text = a_record(number, dealer, result)
        answer = send_pcn(program, f"scoresheets/{match.scoresheet.uid}/deals", text, key=str(uuid4()))
        assert answer.status_code == 201, answer.content
    set_match_state(actor=SERVER, uid=match.uid, state="finished", at=AT)


def by_slip(match: Match, deals: Deals) -> None:
    """Enter a slip in parts, a deal at a time, and finish the match with the last."""
    for place, deal in enumerate(deals, start=1):
        lines = [a_slip_line(*deal)]
        enter_results(
            actor=SERVER, uid=match.uid, lines=lines, act_id=uuid4(), at=AT, finish=place == len(deals)
        )


def a_slip_line(number: int, dealer: Seat, result: str) -> SlipLine:
    team, tricks, *award = result.split()
    won, lost = map(int, tricks.split("-"))
    made = {"court": Award.COURT, "bavney": Award.BAVNEY}.get(award[0] if award else "")
    return SlipLine(
        number=number,
        winner=Team[team],
        won=won,
        lost=lost,
        award=None if made in {None, Award.COURT} else made,
        dealer=dealer,
        is_void=False,
    )


def play(tournament: Tournament, evening: Evening, ways: Sequence[Way], chance: Random | None = None) -> None:
    """Record every match, by the ways in turn, the matches and the deals of each in an order by chance."""
    matches = list(
        Match.objects.filter(round__tournament=tournament)
        .select_related("round__tournament", "scoresheet", "ns", "ew")
        .order_by("pk")
    )
    if chance is not None:
        matches = chance.sample(matches, k=len(matches))
    for way, match in zip(cycle(ways), matches, strict=False):
        deals = evening.deals[match.round.number, match.ns.number, match.ew.number]
        way(match, deals if chance is None else tuple(chance.sample(deals, k=len(deals))))


def rows(slug: str = "rang") -> list[tuple[object, ...]]:
    bring_up_to_date(slug=slug, now=AT)
    answer = queries.standings_answer(slug, actor=SERVER)
    told = ("rank", "entry", "played", "won", "drawn", "lost", "match_points", "courts_for", "courts_against")
    more = ("bavneys", "goon_courts", "deals_won", "deals_lost", "penalty", "tiebreaks", "decided_by")
    return [tuple(dict(row)[name] for name in (*told, *more)) for row in answer["rows"]]


SEEDS = (1, 2, 3)
WAYS: tuple[Way, ...] = (by_file, by_program, by_slip)


@pytest.fixture(params=SEEDS)
def seed(request: pytest.FixtureRequest) -> int:
    """Give what the evening is drawn from."""
    return int(request.param)


@pytest.fixture
def evening(seed: int) -> Evening:
    """Give an evening by chance."""
    return an_evening(seed)


@pytest.fixture
def expected(evening: Evening, seed: int) -> list[tuple[object, ...]]:
    """Give the standings of the results sent in by files, one match after the other."""
    play(a_tournament("expected", evening, seed), evening, [by_file])
    return rows("expected")


def test_the_evenings_have_byes_and_courts_that_hang_on_the_deals_before() -> None:
    evenings = [an_evening(seed) for seed in SEEDS]

    assert any(draw.byes for one in evenings for draw in one.draws)
    assert any(run_courts(deals) for one in evenings for deals in one.deals.values())


def run_courts(deals: Deals) -> int:
    match, courts = MatchState(Rules.parse("court-piece")), 0
    for number, dealer, result in deals:
        match, line = match.after(number=number, dealer=dealer, outcome=outcome_of(result, match.rules))
        courts += sum(line.run_courts)
    return courts


@pytest.mark.parametrize("way", WAYS)
def test_neither_the_way_in_nor_the_order_of_matches_and_of_the_deals_within_one_matters(
    expected: list[tuple[object, ...]], evening: Evening, seed: int, way: Way
) -> None:
    play(a_tournament("rang", evening, seed), evening, [way], Random(seed))

    assert rows() == expected


def test_neither_does_a_mixture_of_ways(
    expected: list[tuple[object, ...]], evening: Evening, seed: int
) -> None:
    play(a_tournament("rang", evening, seed), evening, WAYS, Random(seed + 1))

    assert rows() == expected


def test_nor_do_the_names(expected: list[tuple[object, ...]], evening: Evening, seed: int) -> None:
    tournament = a_tournament("rang", evening, seed)
    play(tournament, evening, [by_slip])
    for number, player in enumerate(Player.objects.filter(club=tournament.club_id).order_by("-pk")):
        player.name = f"Somebody {number}"
        player.save()

    assert rows() == expected


def test_nor_do_the_numbers_of_the_tables(
    expected: list[tuple[object, ...]], evening: Evening, seed: int
) -> None:
    tournament = a_tournament("rang", evening, seed)
    play(tournament, evening, [by_slip])
    for match in Match.objects.filter(round__tournament=tournament):
        Match.objects.filter(pk=match.pk).update(table=f"t{9 - int(match.table)}")

    assert rows() == expected


def test_nor_does_a_penalty_that_was_taken_back(
    expected: list[tuple[object, ...]], evening: Evening, seed: int
) -> None:
    play(a_tournament("rang", evening, seed), evening, [by_slip])
    number = rule(
        Penalise(entry=1, version=Entry.objects.get(tournament__slug="rang", number=1).version, penalty=2)
    )
    assert rows() != expected

    rule(TakeBack(ruling=number))

    assert rows() == expected


def rule(decision: Penalise | TakeBack) -> int:
    return make_ruling(
        actor=SERVER, slug="rang", new=NewRuling(decision=decision, reason="They came late."), at=AT
    )
