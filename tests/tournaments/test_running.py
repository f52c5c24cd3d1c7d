"""Making and running a tournament: what is made, what is refused, what a change does."""

from typing import Any
from uuid import uuid4

import pytest

from courtpiece.accounts.models import AuditEntry, Role
from courtpiece.accounts.names import BadName
from courtpiece.accounts.permissions import SERVER, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from scoring import queries as scoring
from scoring.domain.results import MatchPoints, Ranking, Scheme, TiebreakCode
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.tournaments.builders import (
    ASIF,
    CHAND,
    ERUM,
    GITA,
    a_match,
    a_scheduled_tournament,
    penalise,
    upload,
)
from tournaments import queries
from tournaments.errors import (
    BadPairs,
    BadRules,
    BadScoring,
    BadSlug,
    ReasonNeeded,
    RulesInUse,
    SlugTaken,
    UnknownState,
    UploadTooLarge,
)
from tournaments.models import Bye, Match, PastRegulations, Tournament
from tournaments.operations import creating, matches, running
from tournaments.schemes import DEFAULT_SCHEME, NewTournament, clean_scheme, scheme_of

pytestmark = pytest.mark.django_db

HEAD_TO_HEAD_FIRST = Scheme(tiebreaks=(TiebreakCode.HEAD_TO_HEAD,))


def pairings() -> list[tuple[int, str, int, int]]:
    rows = Match.objects.order_by("round__number", "table")
    return list(rows.values_list("round__number", "table", "ns__number", "ew__number"))


def version() -> int:
    tournament = Tournament.objects.get()
    return scoring.collection_versions([tournament.collection_id])[tournament.collection_id]


def test_a_round_robin_has_all_its_matches_from_the_start() -> None:
    a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)

    assert pairings() == [
        (1, "1", 1, 4),
        (1, "2", 2, 3),
        (2, "1", 4, 3),
        (2, "2", 1, 2),
        (3, "1", 2, 4),
        (3, "2", 3, 1),
    ]
    assert {match.state for match in Match.objects.all()} == {"open"}


def test_an_odd_number_has_byes_and_twice_is_twice() -> None:
    a_scheduled_tournament(ASIF, CHAND, ERUM, club_id=a_club().pk, cycles=2)

    byes = list(Bye.objects.order_by("round__number").values_list("round__number", "entry__number"))
    assert byes == [(1, 1), (2, 3), (3, 2), (4, 1), (5, 3), (6, 2)]
    assert len(pairings()) == 6


def test_one_match_is_made_for_two_pairs() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk, format="single", cycles=2)

    assert pairings() == [(1, "1", 1, 2)]


def test_a_tournament_without_pairs_waits_for_them() -> None:
    tournament = a_scheduled_tournament(club_id=a_club().pk)

    assert (pairings(), tournament.rules_version) == ([], 1)


def test_an_address_is_made_of_the_name_and_is_unique() -> None:
    club_id = a_club().pk

    slugs = [
        a_scheduled_tournament(club_id=club_id, slug="", name=name).slug
        for name in ("Rang!", "Rang", "رنگ", "رنگ")
    ]

    assert slugs == ["rang", "rang-2", "tournament", "tournament-2"]


@pytest.mark.parametrize(
    ("new", "error"),
    [
        ({"name": " "}, BadName),
        ({"slug": "Rang Night"}, BadSlug),
        ({"slug": "a" * 61}, BadSlug),
        ({"slug": "taken"}, SlugTaken),
        ({"rules": "bridge"}, BadRules),
        ({"rules": "court-piece goon=0"}, BadRules),
        ({"format": "single"}, BadPairs),
    ],
)
def test_what_cannot_be_made_is_refused(new: dict[str, Any], error: type[Refused]) -> None:
    club_id = a_club().pk
    a_scheduled_tournament(club_id=club_id, slug="taken")

    with pytest.raises(error):
        a_scheduled_tournament(ASIF, CHAND, ERUM, club_id=club_id, **({"slug": "rang"} | new))


A_HUNDRED_AND_ONE = tuple(f"North {number} & South {number}" for number in range(101))


@pytest.mark.parametrize("pairs", [(ASIF,), (ASIF, ASIF), (ASIF, "Asif Khan & Dev Patel"), A_HUNDRED_AND_ONE])
def test_pairs_that_cannot_play_a_round_robin_are_refused(pairs: tuple[str, ...]) -> None:
    with pytest.raises(BadPairs):
        a_scheduled_tournament(*pairs, club_id=a_club().pk)


def test_who_is_no_director_makes_no_tournament() -> None:
    user = a_user()
    club = a_club(members=[(user, Role.SCORER)])

    with pytest.raises(Forbidden):
        creating.create_tournament(
            actor=as_actor(user), club_id=club.pk, new=NewTournament(name="Rang"), at=AT
        )


def test_before_the_first_deal_the_scoring_is_changed_in_place() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)

    made = running.change_regulations(actor=SERVER, slug="rang", scheme=HEAD_TO_HEAD_FIRST, reason="", at=AT)

    assert (made, PastRegulations.objects.count()) == (1, 0)
    assert Tournament.objects.get().tiebreaks == ["head-to-head"]


def test_after_the_first_deal_it_needs_a_reason_and_the_old_is_kept() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    upload(a_match(["NS 7-4"], round="1", table="1"))
    with pytest.raises(ReasonNeeded):
        running.change_regulations(actor=SERVER, slug="rang", scheme=HEAD_TO_HEAD_FIRST, reason=" ", at=AT)

    made = running.change_regulations(
        actor=SERVER, slug="rang", scheme=HEAD_TO_HEAD_FIRST, reason="as announced", at=AT
    )

    (past,) = queries.manage_page("rang", actor=SERVER).past
    assert (made, past.version, past.reason) == (2, 1, "as announced")
    assert past.tiebreaks == tuple(code.value for code in DEFAULT_SCHEME.tiebreaks)


def test_the_same_scoring_again_changes_nothing() -> None:
    tournament = a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    before = version()

    running.change_regulations(actor=SERVER, slug="rang", scheme=scheme_of(tournament), reason="", at=AT)

    assert version() == before


def test_other_rules_than_those_matches_were_made_under_are_refused() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)

    with pytest.raises(RulesInUse):
        running.change_regulations(
            actor=SERVER, slug="rang", scheme=DEFAULT_SCHEME, rules="double-sir", reason="x", at=AT
        )


def test_rules_can_be_changed_while_there_is_no_match() -> None:
    a_scheduled_tournament(club_id=a_club().pk)

    running.change_regulations(
        actor=SERVER, slug="rang", scheme=DEFAULT_SCHEME, rules="double-sir goon=3", reason="", at=AT
    )

    assert Tournament.objects.get().rules == "double-sir goon=3"


@pytest.mark.parametrize(
    ("ranking", "tiebreaks"), [("goals", []), ("courts", ["luck"]), ("courts", ["wins", "wins"])]
)
def test_a_scoring_that_is_none_is_refused(ranking: str, tiebreaks: list[str]) -> None:
    with pytest.raises(BadScoring):
        clean_scheme(ranking=ranking, tiebreaks=tiebreaks)


def test_a_scoring_is_read_as_people_write_it() -> None:
    scheme = clean_scheme(
        ranking="courts", tiebreaks=["wins"], points={"win": 3, "draw": 1, "loss": 0, "bye": 1}
    )

    assert scheme == Scheme(
        ranking=Ranking.COURTS,
        points=MatchPoints(win=3, draw=1, loss=0, bye=1),
        tiebreaks=(TiebreakCode.WINS,),
    )


def test_every_change_takes_the_version_up_and_is_written_down() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    before = version()
    match = Match.objects.get()

    penalise(1, 1)
    matches.set_match_state(actor=SERVER, uid=match.uid, state="void", at=AT)
    running.change_tournament(actor=SERVER, slug="rang", name="New name", visibility="unlisted", at=AT)

    assert version() == before + 3
    written = AuditEntry.objects.order_by("pk").values_list("what", flat=True)
    assert list(written) == [
        "tournament-created",
        "ruling",
        "match-state",
        "tournament-changed",
    ]


def test_what_stays_the_same_is_not_written_down() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    before = version()

    matches.set_match_state(actor=SERVER, uid=Match.objects.get().uid, state="open", at=AT)

    assert version() == before


def test_states_that_there_are_not_are_refused() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)

    with pytest.raises(UnknownState):
        matches.set_match_state(actor=SERVER, uid=Match.objects.get().uid, state="lost", at=AT)
    with pytest.raises(NotFound):
        matches.set_match_state(actor=SERVER, uid=uuid4(), state="open", at=AT)


def test_a_scorer_finishes_a_match_and_only_a_director_makes_it_void() -> None:
    user = a_user()
    club = a_club(members=[(user, Role.SCORER)])
    a_scheduled_tournament(ASIF, CHAND, club_id=club.pk)
    uid = Match.objects.get().uid

    assert matches.set_match_state(actor=as_actor(user), uid=uid, state="finished", at=AT) == "rang"
    with pytest.raises(Forbidden):
        matches.set_match_state(actor=as_actor(user), uid=uid, state="void", at=AT)
    matches.set_match_state(actor=SERVER, uid=uid, state="void", at=AT)
    with pytest.raises(Forbidden):
        matches.set_match_state(actor=as_actor(user), uid=uid, state="open", at=AT)


def test_hiding_a_tournament_hides_its_scoresheets() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)

    running.change_tournament(actor=SERVER, slug="rang", name="Rang", visibility="private", at=AT)

    with pytest.raises(Forbidden):
        scoring.scoresheet_page(Match.objects.get().scoresheet.uid, actor=as_actor(a_user()))


def test_a_tournament_has_a_bounded_number_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_ENTRIES", 1)

    with pytest.raises(UploadTooLarge):
        a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
