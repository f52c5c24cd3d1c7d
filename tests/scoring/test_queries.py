"""Reads are loaded values, in a fixed number of queries, and show only what may be seen."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.notation import check
from scoring import operations, queries
from scoring.changes import Correction, Voiding
from scoring.models import Scoresheet
from scoring.queries import Tally
from tests.scoring.builders import (
    AT,
    NAMES,
    a_club,
    a_collection,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    a_user,
    an_actor,
    correct,
    pair_of,
    player_at,
    record_file,
    the_deal,
)

pytestmark = pytest.mark.django_db

MISSING = UUID(int=7)


def some_matches(club: Club, count: int) -> list[Scoresheet]:
    collection = a_collection(club)
    return [
        a_sheet_with(
            club, [a_record(1), a_record(2, dealer="N", result="NS 7-0 court")], collection=collection
        )
        for _match in range(count)
    ]


# -- results for standings


def test_results_are_what_the_scoresheets_come_to() -> None:
    club = a_club()
    collection = a_collection(club)
    sheet = a_sheet_with(
        club,
        [a_record(1, result="NS 13-0 bavney"), a_record(2, dealer="W", result="NS 3-2 revoke")],
        collection=collection,
    )

    (result,) = queries.match_results(collection.pk)

    assert (result.scoresheet_id, result.uid, result.ns_id, result.ew_id) == (
        sheet.pk,
        sheet.uid,
        sheet.ns_id,
        sheet.ew_id,
    )
    assert (result.courts_ns, result.courts_ew, result.deals_ns, result.deals_ew) == (53, 0, 2, 0)
    assert (result.bavneys_ns, result.revokes_ns, result.revokes_ew) == (1, 0, 1)
    assert (result.deals, result.problems, result.version) == (2, 0, 1)


def test_an_empty_scoresheet_has_a_result_of_zeros() -> None:
    club = a_club()
    collection = a_collection(club)
    a_sheet(club, collection=collection)

    (result,) = queries.match_results(collection.pk)

    assert (result.deals, result.courts_ns, result.version) == (0, 0, 0)


@pytest.mark.parametrize("count", [1, 3])
def test_results_take_one_query(count: int, django_assert_num_queries: Any) -> None:
    club = a_club()
    collection = some_matches(club, count)[0].collection_id
    assert collection is not None

    with django_assert_num_queries(1):
        results = queries.match_results(collection)

    assert len(results) == count


def test_special_deals_are_those_worth_telling() -> None:
    club = a_club()
    collection = a_collection(club)
    sheet = a_sheet_with(
        club,
        [a_record(1), a_record(2, dealer="N", result="NS 7-0 court"), a_record(3, dealer="W"), a_record(5)],
        collection=collection,
    )
    correct(sheet, 3, a_record(3, dealer="W", result="EW 7-3"))

    awards = queries.award_deals(collection.pk, awards=["bavney", "goon-court"], limit=9)
    doubtful = queries.doubtful_deals(collection.pk, limit=1)

    assert [(deal.number, deal.award) for deal in awards.deals] == [(2, "goon-court")]
    assert [(deal.number, deal.revision, deal.problem_codes) for deal in doubtful.deals] == [(3, 2, ())]
    assert (awards.total, doubtful.total) == (1, 2)
    assert [deal.number for deal in queries.revised_deals(collection.pk)] == [3]


def test_void_deals_do_not_count() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1), a_record(2, dealer="N", result="void")])

    assert list(queries.counting_deals().values_list("number", flat=True)) == [1]
    assert sheet.deals_count == 1


# -- pages


@pytest.mark.parametrize("count", [1, 3])
def test_a_scoresheet_takes_two_queries(count: int, django_assert_num_queries: Any) -> None:
    sheet = a_sheet_with(a_club(), [a_record(number) for number in range(1, count + 1)])

    with django_assert_num_queries(2):
        page = queries.scoresheet_page(sheet.uid, actor=ANONYMOUS)

    assert [line.number for line in page.deals] == list(range(1, count + 1))


def test_a_scoresheet_names_its_people_and_totals() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1, result="NS 7-0 court")], collection=a_collection(club))

    page = queries.scoresheet_page(sheet.uid, actor=ANONYMOUS)

    assert (page.ns.pair.name, page.ew.pair.name) == ("Asif Khan & Bilal Shah", "Chand Rao & Dev Patel")
    assert (page.ns.courts, page.ew.courts, page.winner) == (1, 0, "NS")
    assert (page.header.north.name, page.header.west.name) == ("Asif Khan", "Dev Patel")
    assert page.header.collection == queries.CollectionRef("Tuesday Rang", "/tournaments/rang/")
    assert not page.header.may_correct


@pytest.mark.parametrize("count", [1, 3])
def test_a_deal_takes_three_queries(count: int, django_assert_num_queries: Any) -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1)] + [a_record(number) for number in range(2, count + 1)])
    for time in range(count - 1):
        correct(sheet, 1, a_full_record(1).replace("*", f"{{{time}}} *"))

    uid = the_deal(sheet, 1).uid

    with django_assert_num_queries(3):
        page = queries.deal_page(uid, actor=ANONYMOUS, at=5)

    assert [revision.number for revision in page.revisions] == list(range(count, 0, -1))


def test_a_deal_tells_what_stood_before_it() -> None:
    records = [a_full_record(1), a_record(2, dealer="N", result="NS 7-0 court"), a_record(3, dealer="W")]
    sheet = a_sheet_with(a_club(), records)

    pages = [queries.deal_page(the_deal(sheet, number).uid, actor=ANONYMOUS) for number in (1, 2, 3)]

    assert [(page.before.total_ns, page.before.total_ew) for page in pages] == [(0, 0), (0, 0), (1, 0)]
    assert [(page.before.run_ns, page.before.run_ew) for page in pages] == [(0, 0), (0, 1), (0, 0)]
    assert [(page.line.earned_ns, page.line.earned_ew) for page in pages] == [(0, 0), (1, 0), (0, 0)]


@pytest.mark.parametrize("count", [1, 3])
def test_a_position_takes_two_queries(count: int, django_assert_num_queries: Any) -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1)] + [a_record(number) for number in range(2, count + 1)])
    for time in range(count - 1):
        correct(sheet, 1, a_full_record(1).replace("*", f"{{{time}}} *"))
    uid = the_deal(sheet, 1).uid

    with django_assert_num_queries(2):
        position = queries.deal_position(uid, actor=ANONYMOUS, at=5)

    assert position.replay is not None
    assert position.replay.at == 5


def test_a_deal_tells_why_it_counts_what_it_counts() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1), a_record(2, dealer="N", result="NS 7-0 court")])

    page = queries.deal_page(the_deal(sheet, 2).uid, actor=ANONYMOUS)

    assert [(sentence.text, sentence.law) for sentence in page.sentences] == [
        ("North–South won the first seven tricks while the other side had none: a court.", "10.1"),
        ("The dealer's side made it: a goon court.", "10.4"),
        ("North–South score 1 court.", ""),
        ("West deals next.", "12.1"),
    ]
    assert page.previous is not None
    assert (page.previous.number, page.next, page.replay) == (1, None, None)


def test_a_deals_text_has_the_tags_of_its_match() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1)])

    text = queries.deal_pcn(the_deal(sheet, 1).uid, actor=ANONYMOUS)

    assert text.startswith('% PCN 1\n\n[Event "Tuesday Rang"]\n[Site "Lahore PAK"]\n[Date "2026.11.29"]\n')
    assert '[Deal "1"]\n[NS "Asif Khan & Bilal Shah"]\n[EW "Chand Rao & Dev Patel"]\n[Rules' in text


def test_a_scoresheets_text_is_one_match_for_the_checker() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1), a_record(2, dealer="N", result="NS 7-0 court")])

    lines = list(check(queries.scoresheet_pcn(sheet.uid, actor=ANONYMOUS)))

    assert [line["type"] for line in lines] == ["deal", "deal", "match"]
    assert (lines[-1]["deals"], lines[-1]["courts"]) == (2, {"NS": 1, "EW": 0})


def test_a_text_given_out_is_a_duplicate_when_it_comes_back() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1), a_record(2, dealer="N")])
    text = queries.scoresheet_pcn(sheet.uid, actor=ANONYMOUS)

    answer = record_file(sheet, [text.removeprefix("% PCN 1\n\n")])

    assert answer.became is operations.Became.DUPLICATE


def test_the_problems_of_a_deal_stand_at_their_places_in_the_text_shown() -> None:
    sheet = a_sheet_with(a_club(), [a_record(2, more='[Note "late"]')])

    page = queries.deal_page(the_deal(sheet, 2).uid, actor=ANONYMOUS)

    (problem,) = page.problems
    assert (problem.code, page.pcn.splitlines()[problem.line - 1]) == ("deal-gap", '[Deal "2"]')


@pytest.mark.parametrize("show", ["matches", "deals"])
@pytest.mark.parametrize("count", [1, 3])
def test_a_player_takes_as_many_queries_for_more(
    count: int, show: str, django_assert_num_queries: Any
) -> None:
    club = a_club()
    north = player_at(some_matches(club, count)[0], "north")

    with django_assert_num_queries(9 if show == "matches" else 11):
        page = queries.player_page(north.uid, actor=ANONYMOUS, show=show)

    listed = page.matches or page.deals
    assert listed is not None
    assert listed.count == (count if show == "matches" else 2 * count)


@pytest.mark.parametrize("show", ["matches", "deals"])
@pytest.mark.parametrize("count", [1, 3])
def test_a_partnership_takes_as_many_queries_for_more(
    count: int, show: str, django_assert_num_queries: Any
) -> None:
    club = a_club()
    pair = pair_of(some_matches(club, count)[0], "ew")

    with django_assert_num_queries(8 if show == "matches" else 10):
        page = queries.partnership_page(pair.uid, actor=ANONYMOUS, show=show)

    assert page.tally.matches == count


def test_figures_are_seen_from_the_players_side() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1, result="NS 7-0 court"), a_record(2, dealer="W", result="EW 7-4")])
    turned = a_sheet(club, names=(NAMES[1], NAMES[0]))
    record_file(turned, [a_record(1, result="EW 7-0 court")])

    of_north = queries.player_page(player_at(sheet, "north").uid, actor=ANONYMOUS)
    of_west = queries.player_page(player_at(sheet, "west").uid, actor=ANONYMOUS)

    assert of_north.tally == Tally(matches=2, won=2, courts_for=2, deals_won=2, deals_lost=1, goon_courts=1)
    assert of_west.tally == Tally(matches=2, lost=2, courts_against=2, deals_won=1, deals_lost=2)
    assert [line.pair.name for line in of_north.partners] == ["Asif Khan & Bilal Shah"]
    assert [line.tally.won for line in of_west.opponents] == [0]
    assert of_north.matches is not None
    assert [match.result for match in of_north.matches.items] == ["won", "won"]


def test_equal_courts_are_a_draw() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    page = queries.player_page(player_at(sheet, "south").uid, actor=ANONYMOUS)

    assert (page.tally.won, page.tally.drawn, page.tally.lost) == (0, 1, 0)


@pytest.mark.parametrize("number", [0, 1, 99])
def test_a_page_that_is_not_there_is_the_nearest(number: int) -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    page = queries.player_page(player_at(sheet, "north").uid, actor=ANONYMOUS, page=number)

    assert page.matches is not None
    assert (page.matches.number, page.matches.num_pages, page.matches.has_other_pages) == (1, 1, False)


@pytest.mark.parametrize(
    "read",
    [
        queries.scoresheet_page,
        queries.scoresheet_pcn,
        queries.deal_page,
        queries.deal_pcn,
        queries.player_page,
        queries.partnership_page,
    ],
)
def test_what_is_not_there_is_not_found(read: Callable[..., object]) -> None:
    with pytest.raises(NotFound):
        read(MISSING, actor=SERVER)


# -- who sees what


def a_private_sheet(club: Club) -> Scoresheet:
    sheet = a_sheet(club, collection=a_collection(club, visibility="private"))
    record_file(sheet, [a_record(1)])
    return sheet


def sees(actor: Actor, sheet: Scoresheet) -> tuple[bool, bool]:
    """Return whether the actor sees the scoresheet at its address, and in lists."""
    try:
        queries.scoresheet_page(sheet.uid, actor=actor)
        by_address = True
    except Forbidden:
        by_address = False
    return by_address, queries.visible_scoresheets(actor).filter(pk=sheet.pk).exists()


def test_private_scoresheets_are_for_those_who_run_the_club_and_those_who_played() -> None:
    club = a_club()
    sheet = a_private_sheet(club)
    director, member = an_actor(club), an_actor(club, Role.PLAYER)
    stranger = an_actor(a_club("goa"), Role.OWNER)
    asif = a_user("Asif")
    operations.link_player(actor=SERVER, player_id=player_at(sheet, "north").pk, user_id=asif.pk, at=AT)

    assert sees(director, sheet) == (True, True)
    assert sees(Actor(user_id=asif.pk), sheet) == (True, True)
    assert [sees(actor, sheet) for actor in (member, stranger, ANONYMOUS)] == [(False, False)] * 3


def test_who_played_in_a_private_collection_sees_all_of_it() -> None:
    club = a_club()
    sheet = a_private_sheet(club)
    other = a_sheet(club, names=(("E Khan", "F Khan"), ("G Rao", "H Rao")), collection=sheet.collection)
    asif = a_user("Asif")
    operations.link_player(actor=SERVER, player_id=player_at(sheet, "north").pk, user_id=asif.pk, at=AT)

    assert sees(Actor(user_id=asif.pk), other) == (True, True)
    assert queries.collections_of_user(asif.pk) == {sheet.collection_id}


def test_unlisted_scoresheets_are_for_who_has_the_address() -> None:
    club = a_club()
    sheet = a_sheet(club, visibility="unlisted")

    assert sees(ANONYMOUS, sheet) == (True, False)


def test_a_collection_that_becomes_private_takes_its_scoresheets_along() -> None:
    club = a_club()
    collection = a_collection(club)
    sheet = a_sheet(club, collection=collection)

    operations.describe_collection(
        actor=SERVER, collection_id=collection.pk, visibility="private", name="R", path="/r/"
    )

    assert sees(ANONYMOUS, sheet) == (False, False)


def test_private_matches_are_in_nobody_elses_figures() -> None:
    club = a_club()
    sheet = a_private_sheet(club)
    record_file(a_sheet(club), [a_record(1)])

    assert queries.player_page(player_at(sheet, "north").uid, actor=ANONYMOUS).tally.matches == 1
    assert queries.player_page(player_at(sheet, "north").uid, actor=an_actor(club)).tally.matches == 2


def test_a_player_of_private_matches_alone_is_not_there_for_strangers() -> None:
    club = a_club()
    sheet = a_private_sheet(club)

    with pytest.raises(NotFound):
        queries.player_page(player_at(sheet, "north").uid, actor=ANONYMOUS)
    with pytest.raises(NotFound):
        queries.partnership_page(pair_of(sheet, "ns").uid, actor=an_actor(a_club("goa"), Role.OWNER))

    assert queries.player_page(player_at(sheet, "north").uid, actor=an_actor(club)).name == "Asif Khan"


# -- previews


def test_a_preview_shows_what_would_change_and_writes_nothing() -> None:
    sheet = a_sheet_with(
        a_club(),
        [a_record(1, courts="NS 0 EW 0"), a_record(2, dealer="N", result="NS 7-4"), a_record(3, dealer="W")],
    )
    change = Correction(text=a_record(1, result="NS 7-0 court"), reason="Paper.")

    preview = queries.preview_change(the_deal(sheet, 1).uid, change, actor=SERVER)

    assert [line.after.number for line in preview.lines] == [1, 2, 3]
    assert (preview.courts_before, preview.courts_after) == ((0, 0), (1, 0))
    assert (preview.winner_before, preview.winner_after, preview.changes_result) == ("", "NS", True)
    assert [problem.code for problem in preview.lines[1].after.problems] == ["wrong-dealer"]
    assert preview.refusals == ()
    assert the_deal(sheet, 1).revision == 1


def test_a_preview_tells_why_it_would_be_refused() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    change = Correction(text=a_record(1, result="NS 7-4", courts="NS 9 EW 0"), reason="Paper.")

    preview = queries.preview_change(the_deal(sheet, 1).uid, change, actor=SERVER)

    assert [problem.code for problem in preview.refusals] == ["courts-mismatch"]


def test_only_who_may_change_a_deal_sees_what_a_change_brings() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])

    with pytest.raises(Forbidden):
        queries.preview_change(
            the_deal(sheet, 1).uid, Voiding(reason="No."), actor=an_actor(club, Role.SCORER)
        )
