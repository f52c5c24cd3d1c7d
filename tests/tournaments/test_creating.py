"""Making a tournament whole, and changing what it was made with: what is kept, refused, and done once."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from courtpiece.accounts.models import AuditEntry, Role
from courtpiece.accounts.permissions import SERVER, Forbidden
from scoring.domain.results import Ranking, Scheme, TiebreakCode
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_scheduled_tournament
from tournaments import queries
from tournaments.domain.plans import (
    FormatPlan,
    LengthKind,
    MatchLength,
    RoundRobinPlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.errors import (
    ActReused,
    BadPairs,
    BadScoring,
    BadSessions,
    ChangedMeanwhile,
    PlanFrozen,
    SessionInUse,
)
from tournaments.models import Entry, Match, Session, Tournament
from tournaments.operations import closing, creating
from tournaments.presets import PRESETS
from tournaments.queries.creating import moved
from tournaments.schemes import NewSession, NewTournament, plan_fingerprint, sessions_fingerprint

pytestmark = pytest.mark.django_db

KARACHI = ZoneInfo("Asia/Karachi")
TUESDAY = datetime(2026, 12, 8, 14, 30, tzinfo=UTC)
PAIRS = [("Asif Khan", "Bilal Shah"), ("Chand Rao", "Dev Patel"), ("Erum Emerald", "Farah Falcon")]


def make(club_id: int, **new: Any) -> creating.Made:
    given: dict[str, Any] = {"act_id": new.pop("act_id", None), "pairs": new.pop("pairs", ())}
    tournament = NewTournament(name=new.pop("name", "Friday Rang"), **new)
    return creating.create_tournament(actor=SERVER, club_id=club_id, new=tournament, at=AT, **given)


def change_plan(plan: FormatPlan, *, made_on: FormatPlan) -> None:
    creating.change_plan(
        actor=SERVER, slug="friday-rang", plan=plan, made_on=plan_fingerprint(made_on), at=AT
    )


def change_sessions(
    *sessions: NewSession, made_on: tuple[NewSession, ...], slug: str = "friday-rang"
) -> None:
    creating.change_sessions(
        actor=SERVER, slug=slug, sessions=sessions, made_on=sessions_fingerprint(made_on), at=AT
    )


def places() -> list[tuple[int, str]]:
    return list(Session.objects.order_by("number").values_list("number", "place"))


def test_a_tournament_is_made_with_its_plan_and_sessions() -> None:
    length = MatchLength(LengthKind.DEALS, 16)
    sessions = (NewSession(place=" Hall  A ", starts_at=TUESDAY, length=length), NewSession())

    make(a_club().pk, plan=SwissPlan(rounds=3), sessions=sessions, players_may_enter=True, appeal_minutes=45)

    made = Tournament.objects.get()
    first, second = Session.objects.order_by("number")
    assert (made.format, made.plan["rounds"]) == ("swiss", 3)
    assert (made.players_may_enter, made.appeal_minutes) == (True, 45)
    assert (first.place, first.starts_at, first.minutes, first.deals) == ("Hall A", TUESDAY, None, 16)
    assert (second.place, second.starts_at, second.deals) == ("", None, None)


def test_every_preset_can_be_made() -> None:
    club = a_club()

    for preset in PRESETS.values():
        new = preset.new_tournament()
        creating.create_tournament(
            actor=SERVER,
            club_id=club.pk,
            new=NewTournament(name=preset.code, plan=new.plan, scheme=new.scheme, sessions=new.sessions),
            at=AT,
        )

    assert Tournament.objects.count() == len(PRESETS)


def test_the_same_act_makes_one_tournament() -> None:
    club, act_id = a_club(), uuid4()

    first = make(club.pk, act_id=act_id, pairs=PAIRS)
    again = make(club.pk, act_id=act_id, pairs=PAIRS)

    assert (again.id, again.slug) == (first.id, first.slug)
    assert Tournament.objects.count() == 1
    assert AuditEntry.objects.filter(what="tournament-created").count() == 1


@pytest.mark.parametrize("other", [{"name": "Another"}, {"pairs": PAIRS[:2]}, {"visibility": "private"}])
def test_an_act_with_other_values_is_refused(other: dict[str, Any]) -> None:
    club, act_id = a_club(), uuid4()
    make(club.pk, act_id=act_id, pairs=PAIRS)

    with pytest.raises(ActReused):
        make(club.pk, **{"act_id": act_id, "pairs": PAIRS, **other})

    assert Tournament.objects.count() == 1


def test_lots_that_were_drawn_anew_make_no_other_tournament() -> None:
    club, act_id = a_club(), uuid4()

    first, again = (make(club.pk, act_id=act_id, scheme=Scheme(lot_seed=lots)) for lots in (1, 2))

    assert again.id == first.id


def test_an_act_of_another_club_is_refused() -> None:
    act_id = uuid4()
    make(a_club().pk, act_id=act_id)

    with pytest.raises(ActReused):
        make(a_club("karachi").pk, act_id=act_id)


def test_a_round_robin_has_its_rounds_and_a_swiss_its_entries_only() -> None:
    club = a_club()

    make(club.pk, plan=RoundRobinPlan(cycles=2), pairs=PAIRS)
    make(club.pk, plan=SwissPlan(rounds=2), pairs=PAIRS)

    assert Match.objects.count() == 6
    assert Entry.objects.count() == 6


def test_more_pairs_than_a_round_robin_bears_are_refused() -> None:
    pairs = [(f"A {number}", f"B {number}") for number in range(101)]

    with pytest.raises(BadPairs):
        make(a_club().pk, plan=RoundRobinPlan(), pairs=pairs)


def test_more_pairs_than_a_tournament_bears_are_refused() -> None:
    pairs = [(f"A {number}", f"B {number}") for number in range(501)]

    with pytest.raises(BadPairs):
        make(a_club().pk, plan=SwissPlan(), pairs=pairs)


def test_tie_breaks_that_do_not_fit_the_format_are_refused() -> None:
    scheme = Scheme(tiebreaks=(TiebreakCode.BUCHHOLZ,))

    with pytest.raises(BadScoring):
        make(a_club().pk, plan=RoundRobinPlan(), scheme=scheme)

    assert not Tournament.objects.exists()


def test_the_points_of_sessions_rank_a_league_only() -> None:
    with pytest.raises(BadScoring):
        make(a_club().pk, plan=SwissPlan(), scheme=Scheme(ranking=Ranking.SESSION_POINTS))


def test_too_many_sessions_are_refused() -> None:
    with pytest.raises(BadSessions):
        make(a_club().pk, sessions=(NewSession(),) * 201)


def test_making_needs_a_director_of_the_club() -> None:
    director = a_user()
    a_club(members=[(director, Role.DIRECTOR)])
    other = a_club("karachi")

    with pytest.raises(Forbidden):
        creating.create_tournament(
            actor=as_actor(director), club_id=other.pk, new=NewTournament(name="x"), at=AT
        )


def test_publishing_changes_who_sees_it_once() -> None:
    make(a_club().pk, visibility="private")
    act_id = uuid4()

    for _ in range(2):
        creating.publish_tournament(
            actor=SERVER, slug="friday-rang", visibility="public", at=AT, act_id=act_id
        )

    assert Tournament.objects.get().visibility == "public"
    assert AuditEntry.objects.filter(what="tournament-published").count() == 1


def test_a_final_tournament_can_still_be_published() -> None:
    make(a_club().pk, visibility="private")
    Tournament.objects.update(status="official")
    closing.make_final(actor=SERVER, slug="friday-rang", at=AT)

    creating.publish_tournament(actor=SERVER, slug="friday-rang", visibility="public", at=AT, act_id=uuid4())

    assert Tournament.objects.get().visibility == "public"


def test_the_plan_changes_until_a_round_is_drawn() -> None:
    make(a_club().pk, plan=SwissPlan(rounds=3))

    change_plan(WinnerStaysPlan(), made_on=SwissPlan(rounds=3))

    made = Tournament.objects.get()
    assert (made.format, made.plan["tables"]) == ("winner-stays", 1)


def test_with_a_round_the_plan_stays() -> None:
    a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, slug="friday-rang", club_id=a_club().pk)

    with pytest.raises(PlanFrozen):
        change_plan(SwissPlan(), made_on=RoundRobinPlan())


def test_of_two_who_change_the_plan_the_second_sees_what_the_first_did() -> None:
    make(a_club().pk, plan=SwissPlan(rounds=3))
    change_plan(SwissPlan(rounds=4), made_on=SwissPlan(rounds=3))

    with pytest.raises(ChangedMeanwhile):
        change_plan(SwissPlan(rounds=5), made_on=SwissPlan(rounds=3))
    change_plan(SwissPlan(rounds=4), made_on=SwissPlan(rounds=3))

    assert Tournament.objects.get().plan["rounds"] == 4


def test_a_plan_that_the_tie_breaks_do_not_fit_is_refused() -> None:
    make(a_club().pk, plan=SwissPlan(), scheme=Scheme(tiebreaks=(TiebreakCode.BUCHHOLZ,)))

    with pytest.raises(BadScoring):
        change_plan(RoundRobinPlan(), made_on=SwissPlan())

    assert Tournament.objects.get().format == "swiss"


def test_sessions_are_changed_added_and_left_out() -> None:
    make(a_club().pk, sessions=(NewSession(place="A"),))

    change_sessions(NewSession(place="B"), NewSession(place="C"), made_on=(NewSession(place="A"),))
    assert places() == [(1, "B"), (2, "C")]
    change_sessions(NewSession(place="B"), made_on=(NewSession(place="B"), NewSession(place="C")))

    assert places() == [(1, "B")]


def test_of_two_who_change_the_sessions_the_second_sees_what_the_first_did() -> None:
    make(a_club().pk, sessions=(NewSession(place="A"),))
    change_sessions(NewSession(place="B"), made_on=(NewSession(place="A"),))

    with pytest.raises(ChangedMeanwhile):
        change_sessions(NewSession(place="C"), made_on=(NewSession(place="A"),))


def test_a_session_with_rounds_stays() -> None:
    a_scheduled_tournament(
        ASIF, CHAND, club_id=a_club().pk, sessions=(NewSession(place="A"), NewSession(place="B"))
    )
    round_one = Tournament.objects.get().rounds.get(number=1)
    round_one.session = Session.objects.get(number=2)
    round_one.save(update_fields=["session"])

    with pytest.raises(SessionInUse):
        change_sessions(
            NewSession(place="A"), made_on=(NewSession(place="A"), NewSession(place="B")), slug="rang"
        )


def test_who_may_enter_is_changed() -> None:
    make(a_club().pk)

    creating.change_entering(
        actor=SERVER, slug="friday-rang", players_may_enter=True, appeal_minutes=10, at=AT
    )

    made = Tournament.objects.get()
    assert (made.players_may_enter, made.appeal_minutes) == (True, 10)


def test_a_copy_has_everything_but_lots_and_readers() -> None:
    club = a_club()
    scheme = Scheme(tiebreaks=(TiebreakCode.DRAW_OF_LOTS,), lot_seed=7)
    make(club.pk, plan=SwissPlan(rounds=3), scheme=scheme, rules="double-sir goon=3", pairs=PAIRS)

    copy = queries.copy_of(
        "friday-rang", actor=SERVER, club_id=club.pk, zone=KARACHI, starts_on=None, with_pairs=True
    )

    assert copy.new == NewTournament(
        name="Friday Rang",
        format="swiss",
        rules="double-sir goon=3",
        visibility="private",
        scheme=Scheme(tiebreaks=(TiebreakCode.DRAW_OF_LOTS,)),
        plan=SwissPlan(rounds=3),
        sessions=(NewSession(),),
    )
    assert copy.pairs == ("Asif Khan & Bilal Shah", "Chand Rao & Dev Patel", "Erum Emerald & Farah Falcon")


def test_the_sessions_of_a_copy_keep_their_time_of_day_across_a_change_of_the_clocks() -> None:
    london = ZoneInfo("Europe/London")
    winter = datetime(2026, 3, 24, 19, 30, tzinfo=london)
    sessions = (NewSession(starts_at=winter), NewSession(starts_at=winter.replace(day=25)), NewSession())

    shifted = moved(sessions, date(2026, 3, 31), london)

    assert [one.starts_at and one.starts_at.isoformat() for one in shifted] == [
        "2026-03-31T19:30:00+01:00",
        "2026-04-01T19:30:00+01:00",
        None,
    ]


def test_without_a_date_a_copy_says_nothing_of_when_it_is() -> None:
    assert moved((NewSession(place="A", starts_at=TUESDAY),), None, KARACHI) == (NewSession(place="A"),)


def test_first_dealers_of_rounds_made_with_the_tournament_are_drawn_from_the_seed() -> None:
    pairs = [("A A", "B B"), ("C C", "D D"), ("E E", "F F"), ("G G", "H H")]
    new = NewTournament(name="Friday Rang", slug="friday")

    creating.create_tournament(actor=SERVER, club_id=a_club().pk, new=new, pairs=pairs, seed=7, at=AT)

    assert {match.first_dealer for match in Match.objects.all()} <= set("NESW")
    assert set(Match.objects.values_list("round__seed", flat=True)) == {7}
