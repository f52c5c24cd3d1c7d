"""What must not matter to standings: the way in, the order, names, tables, and what was taken back."""

from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random
from uuid import uuid4

import pytest

from courtpiece.accounts.models import User
from courtpiece.accounts.permissions import SERVER
from courtpiece.engine import Award, Seat, Team
from scoring.models import Player
from tests.accounts.builders import AT, a_club, a_user
from tests.api.builders import a_program, send_pcn
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments import queries
from tournaments.domain.slips import SlipLine
from tournaments.models import Entry, Match, Tournament
from tournaments.operations.decisions import Penalise, TakeBack
from tournaments.operations.matches import set_match_state
from tournaments.operations.rulings import NewRuling, make_ruling
from tournaments.operations.slips import enter_results
from tournaments.operations.standings import bring_up_to_date

pytestmark = pytest.mark.django_db

RESULTS = {
    (1, "1"): ["NS 7-0 court", "EW 7-5", "NS 7-2"],
    (1, "2"): ["EW 13-0 bavney", "NS 7-6"],
    (2, "1"): ["NS 7-4", "EW 7-0 court"],
    (2, "2"): ["EW 7-3", "EW 7-1", "NS 7-0 court"],
}
Way = Callable[[Match, list[str]], None]


def a_tournament(slug: str) -> Tournament:
    return a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, slug=slug, club_id=a_club(f"club-of-{slug}").pk)


def a_scorer() -> User:
    return User.objects.filter(display_name="Sana").first() or a_user("Sana", is_site_admin=True)


def names_of(match: Match) -> tuple[str, str]:
    pairs = queries.entries_of(match.round.tournament_id)
    return pairs[match.ns_id].pair.name, pairs[match.ew_id].pair.name


def by_file(match: Match, results: list[str]) -> None:
    ns, ew = names_of(match)
    text = a_match(results, ns=ns, ew=ew, round=str(match.round.number), table=match.table)
    upload(text, slug=match.round.tournament.slug)


def by_program(match: Match, results: list[str]) -> None:
    program = a_program(user=a_scorer())
    text = a_match(results, ns="", ew="")
    answer = send_pcn(program, f"scoresheets/{match.scoresheet.uid}/deals", text, key=str(uuid4()))
    assert answer.status_code == 201, answer.content
    set_match_state(actor=SERVER, uid=match.uid, state="finished", at=AT)


def by_slip(match: Match, results: list[str]) -> None:
    lines = [a_slip_line(number, result) for number, result in enumerate(results, start=1)]
    enter_results(actor=SERVER, uid=match.uid, lines=lines, act_id=uuid4(), at=AT, finish=True)


def a_slip_line(number: int, result: str) -> SlipLine:
    team, tricks, *award = result.split()
    won, lost = map(int, tricks.split("-"))
    made = {"court": Award.COURT, "bavney": Award.BAVNEY}.get(award[0] if award else "")
    return SlipLine(
        number=number,
        winner=Team[team],
        won=won,
        lost=lost,
        award=None if made in {None, Award.COURT} else made,
        dealer=Seat.N if number == 1 else None,
        is_void=False,
    )


def play(tournament: Tournament, ways: Sequence[Way], chance: Random | None = None) -> None:
    """Record every match, by the ways in turn, in an order by chance."""
    matches = list(
        Match.objects.filter(round__tournament=tournament, round__number__lte=2)
        .select_related("round__tournament", "scoresheet")
        .order_by("pk")
    )
    if chance is not None:
        matches = chance.sample(matches, k=len(matches))
    for way, match in zip(cycle(ways), matches, strict=False):
        way(match, RESULTS[match.round.number, match.table])


def rows(slug: str = "rang") -> list[tuple[object, ...]]:
    bring_up_to_date(slug=slug, now=AT)
    answer = queries.standings_answer(slug, actor=SERVER)
    told = ("rank", "entry", "played", "won", "drawn", "lost", "match_points", "courts_for", "courts_against")
    more = ("bavneys", "goon_courts", "deals_won", "deals_lost", "penalty", "tiebreaks", "decided_by")
    return [tuple(dict(row)[name] for name in (*told, *more)) for row in answer["rows"]]


@pytest.fixture
def expected() -> list[tuple[object, ...]]:
    """Give the standings of the results sent in by files, one match after the other."""
    play(a_tournament("expected"), [by_file])
    return rows("expected")


WAYS: tuple[Way, ...] = (by_file, by_program, by_slip)


@pytest.mark.parametrize("way", WAYS)
def test_the_way_in_does_not_matter(expected: list[tuple[object, ...]], way: Way) -> None:
    play(a_tournament("rang"), [way])

    assert rows() == expected


@pytest.mark.parametrize("seed", range(3))
def test_neither_does_the_order_nor_a_mixture_of_ways(expected: list[tuple[object, ...]], seed: int) -> None:
    play(a_tournament("rang"), WAYS[seed:] + WAYS[:seed], Random(seed))

    assert rows() == expected


def test_nor_do_the_names(expected: list[tuple[object, ...]]) -> None:
    tournament = a_tournament("rang")
    play(tournament, [by_slip])
    for number, player in enumerate(Player.objects.filter(club=tournament.club_id).order_by("-pk")):
        player.name = f"Somebody {number}"
        player.save()

    assert rows() == expected


def test_nor_do_the_numbers_of_the_tables(expected: list[tuple[object, ...]]) -> None:
    tournament = a_tournament("rang")
    play(tournament, [by_slip])
    for match in Match.objects.filter(round__tournament=tournament):
        Match.objects.filter(pk=match.pk).update(table=f"t{3 - int(match.table)}")

    assert rows() == expected


def test_nor_does_a_penalty_that_was_taken_back(expected: list[tuple[object, ...]]) -> None:
    play(a_tournament("rang"), [by_slip])
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
