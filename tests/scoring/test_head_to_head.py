"""Head to head: what somebody did against a player, whoever the partners were, or against a partnership."""

import html
import re
from collections import Counter
from datetime import date, timedelta
from itertools import permutations
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.parts import Asked
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Actor
from courtpiece.accounts.queries import NotFound
from courtpiece.notation import check
from scoring import operations, queries
from scoring.domain.periods import Period
from scoring.models import Partnership, Player, Scoresheet
from tests.scoring.builders import (
    AT,
    LATER,
    a_club,
    a_collection,
    a_record,
    a_sheet,
    an_actor,
    pair_of,
    player_at,
    record_file,
)

pytestmark = pytest.mark.django_db

ASIF, BILAL, CHAND, DEV, ERUM, FARAH = (
    *("Asif Khan", "Bilal Shah", "Chand Rao", "Dev Patel"),
    *("Erum Ali", "Farah Zia"),
)
KAHN = "Asif Kahn"
"""Asif, as somebody wrote it once."""


def the_player(name: str) -> Player:
    return Player.objects.get(name=name)


def played(club: Club, ns: tuple[str, str], ew: tuple[str, str], *results: str, **more: Any) -> Scoresheet:
    """Return a scoresheet of these deals, East the dealer of each."""
    sheet = a_sheet(club, names=(ns, ew), **more)
    record_file(sheet, [a_record(number, result=result) for number, result in enumerate(results, start=1)])
    return Scoresheet.objects.get(pk=sheet.pk)


def an_evening(club: Club) -> list[Scoresheet]:
    """Return Asif against Chand with three partners, from both sides, and once with Chand as his partner."""
    return [
        played(club, (ASIF, BILAL), (CHAND, DEV), "NS 7-0 court", "EW 7-4"),
        played(club, (ERUM, CHAND), (FARAH, ASIF), "EW 7-3", "EW 7-5", "NS 7-2"),
        played(club, (ASIF, CHAND), (BILAL, DEV), "NS 7-3"),
        played(club, (ASIF, BILAL), (ERUM, FARAH), "NS 7-3"),
    ]


def met(
    name: str, other: str | UUID, *, actor: Actor = ANONYMOUS, period: Period | None = None, **more: Any
) -> queries.PlayerPage:
    against = the_player(other).uid if isinstance(other, str) else other
    asked: dict[str, Any] = {} if period is None else {"period": period}
    return queries.player_page(the_player(name).uid, actor=actor, against=against, **asked, **more)


# -- what is counted


def test_all_matches_of_two_players_on_opposing_sides_are_counted_whoever_their_partners_were() -> None:
    an_evening(a_club())

    page = met(ASIF, CHAND)

    figures = page.figures.figures
    assert (figures.matches, figures.deals, figures.deals_won) == (2, 5, 3)
    assert (page.tally.matches, page.tally.won, page.tally.drawn) == (2, 1, 1)
    assert (page.tally.courts_for, page.tally.courts_against) == (figures.courts_for, figures.courts_against)
    assert page.against is not None
    assert (page.against.name, page.against.uid) == (CHAND, the_player(CHAND).uid)


def test_each_sees_the_same_matches_from_the_own_side() -> None:
    an_evening(a_club())

    mine, theirs = met(ASIF, CHAND), met(CHAND, ASIF)

    assert mine.figures.figures.deals_won == theirs.figures.figures.deals - theirs.figures.figures.deals_won
    assert (mine.tally.won, mine.tally.courts_for) == (theirs.tally.lost, theirs.tally.courts_against)
    assert mine.figures.theirs.deals_won == theirs.figures.figures.deals_won


@pytest.mark.parametrize("other", [ASIF, "Gita Rao"])
def test_who_never_sat_on_the_other_side_was_not_met(other: str) -> None:
    club = a_club()
    an_evening(club)
    operations.find_or_make_player(actor=SERVER, club_id=club.pk, name="Gita Rao", at=AT)

    with pytest.raises(NotFound):
        met(ASIF, other)
    with pytest.raises(NotFound):
        met(ASIF, UUID(int=1))


def test_a_partner_who_was_never_an_opponent_was_not_met() -> None:
    played(a_club(), (ASIF, BILAL), (CHAND, DEV), "NS 7-3")

    with pytest.raises(NotFound):
        met(ASIF, BILAL)


def test_matches_and_deals_are_listed_of_these_only() -> None:
    one, two, *_others = an_evening(a_club())

    matches, deals = met(ASIF, CHAND).matches, met(ASIF, CHAND, show="deals").deals

    assert matches is not None
    assert deals is not None
    assert {line.uid for line in matches.items} == {one.uid, two.uid}
    assert deals.count == 5


def test_a_period_and_the_longest_run_are_of_these_only() -> None:
    one, two, *_others = an_evening(a_club())
    Scoresheet.objects.filter(pk=one.pk).update(date="2025.06.01")
    operations.renew_figures([one.pk])

    year = met(ASIF, CHAND, period=Period.of_year(2026))
    until = met(ASIF, CHAND, period=Period(last=date(2025, 6, 1)))

    assert (year.figures.figures.deals, year.figures.years) == (3, (2026, 2025))
    assert [line.uid for line in year.longest] == [two.uid]
    assert (until.figures.figures.deals, until.tally.matches) == (2, 1)


def test_a_substitute_is_met_and_not_who_was_sat_in_for() -> None:
    club = a_club()
    sheet = played(club, (ASIF, BILAL), (CHAND, DEV), "NS 7-3")
    erum = operations.find_or_make_player(actor=SERVER, club_id=club.pk, name=ERUM, at=AT)
    Scoresheet.objects.filter(pk=sheet.pk).update(west=erum)

    page = met(ASIF, ERUM)

    assert page.tally.matches == 1
    assert {line.player.name for line in page.opposing_players} == {CHAND, ERUM}
    assert met(ASIF, pair_of(sheet, "ew").uid).tally.matches == 1
    with pytest.raises(NotFound):
        met(ASIF, DEV)


def test_a_partnership_meets_a_player_too() -> None:
    first, *_others = an_evening(a_club())

    page = queries.partnership_page(
        pair_of(first, "ns").uid, actor=ANONYMOUS, against=the_player(ERUM).uid, now=AT
    )

    assert (page.tally.matches, page.figures.figures.deals_won) == (1, 1)
    assert page.against is not None
    assert page.against.name == ERUM


# -- who was met


def test_opposing_players_are_listed_by_how_often_they_were_met() -> None:
    an_evening(a_club())

    lines = queries.player_page(the_player(ASIF).uid, actor=ANONYMOUS).opposing_players

    assert [(line.player.name, line.tally.matches) for line in lines] == [
        (CHAND, 2),
        (DEV, 2),
        (ERUM, 2),
        (BILAL, 1),
        (FARAH, 1),
    ]
    assert lines[0].tally == met(ASIF, CHAND).tally


def test_the_ten_met_most_often_are_shown_and_all_of_them_told_to_programs() -> None:
    club = a_club()
    for number in range(6):
        played(club, (ASIF, BILAL), (f"Player {number}", f"Other {number}"), "NS 7-3")

    page = queries.player_page(the_player(ASIF).uid, actor=ANONYMOUS)
    history = queries.player_history(the_player(ASIF).uid, actor=ANONYMOUS, asked=Asked())

    assert (len(page.opposing_players), len(history.opposing_players)) == (10, 12)


@pytest.mark.parametrize("count", [1, 3])
def test_head_to_head_takes_as_many_queries_for_more(count: int, django_assert_num_queries: Any) -> None:
    club = a_club()
    for number in range(count):
        played(club, (ASIF, f"Player {number}"), (CHAND, f"Other {number}"), "NS 7-3")
    asif, chand = the_player(ASIF).uid, the_player(CHAND).uid
    pair = Partnership.objects.get(second=the_player("Other 0")).uid

    with django_assert_num_queries(12):
        queries.player_page(asif, actor=ANONYMOUS, against=chand)
    with django_assert_num_queries(11):
        queries.player_page(asif, actor=ANONYMOUS, against=pair)


# -- who is whom, and who sees what


def test_whoever_was_merged_is_met_as_the_one_that_stayed() -> None:
    club = a_club()
    an_evening(club)
    played(club, (KAHN, ERUM), (CHAND, DEV), "EW 7-3")
    kahn = the_player(KAHN).uid
    merge = operations.merge_players(actor=SERVER, duplicate_uid=kahn, kept_uid=the_player(ASIF).uid, at=AT)

    by_either = [met(CHAND, ASIF), met(CHAND, kahn)]
    listed = [line for line in by_either[0].opposing_players if line.player.name.startswith("Asif")]
    mine = met(ASIF, CHAND)
    operations.undo_merge(actor=SERVER, request_uid=merge, reason="", at=LATER)

    assert [page.tally.matches for page in by_either] == [3, 3]
    assert [page.against and page.against.name for page in by_either] == [ASIF, ASIF]
    assert [(line.player.name, line.tally.matches) for line in listed] == [(ASIF, 3)]
    assert mine.figures.figures.matches == 3
    assert (met(CHAND, ASIF).tally.matches, met(CHAND, KAHN).tally.matches) == (2, 1)


def test_a_partnership_is_met_as_the_two_persons_that_it_is() -> None:
    club = a_club()
    first = played(club, (ASIF, BILAL), (CHAND, DEV), "NS 7-3")
    again = played(club, (KAHN, BILAL), (CHAND, DEV), "NS 7-3")
    operations.merge_players(
        actor=SERVER, duplicate_uid=the_player(KAHN).uid, kept_uid=the_player(ASIF).uid, at=AT
    )

    pages = [met(CHAND, pair_of(sheet, "ns").uid) for sheet in (first, again)]

    assert [page.tally.matches for page in pages] == [2, 2]
    assert [page.against and page.against.name for page in pages] == [f"{ASIF} & {BILAL}"] * 2


def test_what_is_private_is_counted_for_who_may_find_it_only() -> None:
    club = a_club()
    played(club, (ASIF, BILAL), (CHAND, DEV), "NS 7-3")
    played(club, (ASIF, ERUM), (CHAND, FARAH), "NS 7-3", visibility="private")
    scorer = an_actor(club, Role.SCORER)

    assert (met(ASIF, CHAND).tally.matches, met(ASIF, CHAND, actor=scorer).tally.matches) == (1, 2)
    assert {line.player.name for line in met(ASIF, CHAND).opposing_players} == {CHAND, DEV}
    assert met(ASIF, FARAH, actor=scorer).tally.matches == 1
    with pytest.raises(NotFound):
        met(ASIF, FARAH)


def test_a_name_that_is_hidden_is_met_under_the_made_one() -> None:
    an_evening(a_club())
    chand = the_player(CHAND).uid
    operations.hide_name(actor=SERVER, player_uid=chand, at=AT)

    page = met(ASIF, chand)

    assert page.against is not None
    assert page.against.name == Player.objects.get(uid=chand).name != CHAND
    assert CHAND not in {line.player.name for line in page.opposing_players}


def test_what_was_called_stays_out_while_the_cards_are_kept_back() -> None:
    club = a_club()
    collection = a_collection(club)
    operations.delay_cards(actor=SERVER, collection_id=collection.pk, delay=timedelta(hours=2))
    sheet = a_sheet(club, names=((ASIF, BILAL), (CHAND, DEV)), collection=collection)
    record_file(sheet, [a_record(1, more='[Trump "H"]')])

    def calls(hours: int) -> int:
        return sum(met(ASIF, CHAND, now=AT + timedelta(hours=hours)).figures.figures.calls.made)

    assert (calls(1), calls(3)) == (0, 1)


# -- counted again from the records

RESULTS = ("NS 7-4", "EW 7-5", "NS 7-0 court", "EW 7-0 goon-court", "EW 13-0 bavney", "NS 13-0 bavney")


def counted_again(one: frozenset[int], other: frozenset[int]) -> Counter[str]:
    """Return what the checker finds in the files of the scoresheets at which the two sat on opposing sides."""
    found: Counter[str] = Counter()
    for sheet in Scoresheet.objects.order_by("pk"):
        sides = {"NS": {sheet.north_id, sheet.south_id}, "EW": {sheet.east_id, sheet.west_id}}
        for mine, theirs in permutations(sides):
            if not (sides[mine] & one and sides[theirs] & other):
                continue
            *deals, match = check(queries.scoresheet_pcn(sheet.uid, actor=SERVER))
            courts: Any = match["courts"]
            bavneys: Any = match["bavneys"]
            found["matches"] += 1
            found["won"] += courts[mine] > courts[theirs]
            found["deals"] += len(deals)
            found["deals_won"] += sum(deal["winner"] == mine for deal in deals)
            found["courts_for"] += courts[mine]
            found["courts_against"] += courts[theirs]
            found["bavneys"] += bavneys[mine]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_figures_are_what_the_records_say(seed: int) -> None:
    rng, club = Random(seed), a_club()
    names = [ASIF, BILAL, CHAND, DEV, ERUM, FARAH]
    for name in names:
        operations.find_or_make_player(actor=SERVER, club_id=club.pk, name=name, at=AT)
    for number in range(16):
        a, b, c, d = rng.sample(names, k=4)
        north = KAHN if a == ASIF and number % 2 else a
        sheet = played(club, (north, b), (c, d), *rng.choices(RESULTS, k=rng.randint(1, 4)))
        if number % 5 == 0:
            (substitute,) = rng.sample([name for name in names if name not in {ASIF, a, b, c, d}], k=1)
            Scoresheet.objects.filter(pk=sheet.pk).update(west=the_player(substitute))
    kahn = Player.objects.filter(name=KAHN).first()
    if kahn is not None:
        operations.merge_players(actor=SERVER, duplicate_uid=kahn.uid, kept_uid=the_player(ASIF).uid, at=AT)
    ids = {name: frozenset({the_player(name).pk}) for name in names}
    ids[ASIF] |= frozenset() if kahn is None else {kahn.pk}

    for one, other in permutations(names, 2):
        again = counted_again(ids[one], ids[other])
        if not again["matches"]:
            with pytest.raises(NotFound):
                met(one, other)
            continue
        page = met(one, other)
        figures = page.figures.figures
        told = {name: getattr(figures, name) for name in ("deals", "courts_for", "courts_against")}
        told |= {name: getattr(figures, name) for name in ("matches", "won", "deals_won", "bavneys")}
        assert told == {name: again[name] for name in told}
        assert (page.tally.matches, page.tally.deals_won) == (again["matches"], again["deals_won"])


# -- pages and the API


def test_the_page_of_a_player_leads_to_each_meeting_and_back(client: Client) -> None:
    an_evening(a_club())
    asif, chand = the_player(ASIF).uid, the_player(CHAND).uid

    page = client.get(f"/players/{asif}/?year=2026").content.decode()
    links = [html.unescape(link) for link in re.findall(r'href="(\?[^"]*against=[^"]+)"', page)]
    answers = [client.get(f"/players/{asif}/{link}") for link in links]
    meeting = client.get(f"/players/{asif}/?year=2026&against={chand}").content.decode()

    assert f"?year=2026&against={chand}" in links
    assert len(links) == 4 + 5
    assert {answer.status_code for answer in answers} == {200}
    assert f'<a href="/players/{chand}/">' in meeting
    assert "Head to head: only what was played against" in meeting
    assert f'name="against" value="{chand}"' in meeting
    assert 'href="?year=2026"' in meeting


def test_the_address_of_who_was_merged_leads_to_the_same_meeting(client: Client) -> None:
    club = a_club()
    an_evening(club)
    played(club, (KAHN, ERUM), (CHAND, DEV), "EW 7-3")
    kahn, asif, chand = the_player(KAHN).uid, the_player(ASIF).uid, the_player(CHAND).uid
    operations.merge_players(actor=SERVER, duplicate_uid=kahn, kept_uid=asif, at=AT)

    moved = client.get(f"/players/{kahn}/?against={chand}")
    met_by_old_id = client.get(f"/players/{chand}/?against={kahn}").content.decode()

    assert (moved.status_code, moved["Location"]) == (302, f"/players/{asif}/?against={chand}")
    assert f'<a href="/players/{asif}/">' in met_by_old_id


@pytest.mark.parametrize("against", ["x", "00000000-0000-0000-0000-000000000001"])
def test_somebody_who_is_not_there_was_not_met(client: Client, against: str) -> None:
    an_evening(a_club())
    asif = the_player(ASIF).uid

    assert client.get(f"/players/{asif}/?against={against}").status_code == 404
    answer = client.get(f"/api/v1/players/{asif}/history?against={against}")
    assert answer.status_code == (400 if against == "x" else 404)


def test_programs_read_head_to_head(client: Client) -> None:
    first, *_others = an_evening(a_club())
    asif, chand = the_player(ASIF).uid, the_player(CHAND).uid

    alone = client.get(f"/api/v1/players/{asif}/history").json()
    meeting = client.get(f"/api/v1/players/{asif}/history?against={chand}&year=2026").json()
    of_pair = client.get(f"/api/v1/partnerships/{pair_of(first, 'ns').uid}/record?against={chand}").json()
    with_pair = client.get(f"/api/v1/players/{asif}/history?against={pair_of(first, 'ew').uid}").json()

    assert alone["against"] is None
    assert [line["player"]["name"] for line in alone["opposing_players"]] == [CHAND, DEV, ERUM, BILAL, FARAH]
    assert meeting["against"] == {
        "id": str(chand),
        "name": CHAND,
        "players": [{"id": str(chand), "name": CHAND}],
    }
    assert (meeting["record"]["matches"], len(meeting["results"])) == (2, 2)
    assert (meeting["figures"]["figures"]["deals"], meeting["figures"]["figures"]["deals_won"]) == (5, 3)
    assert of_pair["record"]["matches"] == 1
    assert of_pair["against"]["name"] == CHAND
    assert with_pair["against"]["name"] == f"{CHAND} & {DEV}"
    assert [one["name"] for one in with_pair["against"]["players"]] == [CHAND, DEV]


def test_programs_read_a_long_meeting_part_by_part(client: Client) -> None:
    club = a_club()
    for _match in range(3):
        played(club, (ASIF, BILAL), (CHAND, DEV), "NS 7-3")
    asif, chand = the_player(ASIF).uid, the_player(CHAND).uid

    first = client.get(f"/api/v1/players/{asif}/history?against={chand}&limit=2").json()
    second = client.get(first["next"]).json()

    assert (len(first["results"]), len(second["results"]), second["next"]) == (2, 1, None)
    assert second["record"] == first["record"]


def test_the_seats_are_those_of_the_scoresheet() -> None:
    sheet = played(a_club(), (ASIF, BILAL), (CHAND, DEV), "NS 7-3")

    found = {line.player.uid for line in met(ASIF, CHAND).opposing_players}

    assert found == {player_at(sheet, seat).uid for seat in ("east", "west")}
