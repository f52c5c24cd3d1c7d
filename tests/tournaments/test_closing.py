"""Closing rounds and the tournament: what blocks, what each step brings, and who opens it again."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from courtpiece.accounts.models import AuditEntry, Role
from courtpiece.accounts.permissions import SERVER, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from scoring import operations as scoring
from scoring.models import Collection, Deal
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.scoring.builders import player_at
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments.errors import NotYet, ReasonNeeded, TournamentIsFinal
from tournaments.models import Draft, Entry, Match, Round, RoundClock, Ruling, Standings, Tournament
from tournaments.operations import appeals, closing, rulings, running, standings
from tournaments.operations.clocks import ClockTurn, turn_clock
from tournaments.operations.decisions import Penalise
from tournaments.operations.rulings import NewRuling

pytestmark = pytest.mark.django_db

SOON = AT + timedelta(minutes=10)
THEN = AT + timedelta(minutes=31)


def an_evening(*, members: Any = ()) -> Tournament:
    """Make four pairs' round robin with the first round played."""
    tournament = a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club(members=members).pk)
    upload(
        a_match(["NS 7-0 court"], ns=ASIF, ew=GITA, round="1", table="1"),
        a_match(["NS 7-4"], ns=CHAND, ew=ERUM, round="1", table="2"),
    )
    return tournament


def a_finished_evening(*, members: Any = ()) -> Tournament:
    tournament = an_evening(members=members)
    Match.objects.filter(state="open").update(state="void")
    return tournament


def state_of(number: int) -> str:
    return Round.objects.get(number=number).state


def status() -> str:
    return Tournament.objects.get().status


def asked(usual: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    return usual | facts


def close(**facts: Any) -> Any:
    return closing.close_for_results(**asked({"actor": SERVER, "slug": "rang", "at": AT}, facts))


def make_official(**facts: Any) -> None:
    closing.make_official(**asked({"actor": SERVER, "slug": "rang", "at": THEN}, facts))


def make_final(**facts: Any) -> None:
    closing.make_final(**asked({"actor": SERVER, "slug": "rang", "at": THEN}, facts))


def reopen(**facts: Any) -> None:
    closing.reopen_tournament(
        **asked({"actor": SERVER, "slug": "rang", "at": THEN, "reason": "A deal is missing."}, facts)
    )


def finish() -> None:
    close()
    make_official()
    make_final()


def penalise(at: Any = AT) -> int:
    entry = Entry.objects.get(number=1)
    new = NewRuling(
        decision=Penalise(entry=1, version=entry.version, penalty=entry.penalty + 1), reason="late"
    )
    return rulings.make_ruling(actor=SERVER, slug="rang", new=new, at=at)


def test_a_round_is_closed_when_its_matches_are_over() -> None:
    an_evening()

    closing.close_round(actor=SERVER, slug="rang", number=1, at=SOON)

    row = Round.objects.get(number=1)
    assert (row.state, row.closed_at) == ("closed", SOON)


def test_a_round_with_open_matches_stays_open_and_its_tables_are_named() -> None:
    an_evening()

    with pytest.raises(NotYet, match="round 2 table 1, round 2 table 2"):
        closing.close_round(actor=SERVER, slug="rang", number=2, at=SOON)

    assert state_of(2) == "published"


def test_a_closed_round_is_opened_again_for_a_reason() -> None:
    an_evening()
    closing.close_round(actor=SERVER, slug="rang", number=1, at=SOON)
    with pytest.raises(ReasonNeeded):
        closing.reopen_round(actor=SERVER, slug="rang", number=1, reason=" ", at=SOON)

    closing.reopen_round(actor=SERVER, slug="rang", number=1, reason="a slip was found", at=SOON)

    assert (state_of(1), Round.objects.get(number=1).closed_at) == ("published", None)
    written = AuditEntry.objects.get(what="round-reopened")
    assert written.detail == {"tournament": "rang", "round": 1, "reason": "a slip was found"}


def test_there_is_no_round_nine() -> None:
    an_evening()

    with pytest.raises(NotFound):
        closing.close_round(actor=SERVER, slug="rang", number=9, at=SOON)


def test_closing_for_results_closes_the_rounds_and_begins_the_time_for_appeals() -> None:
    a_finished_evening()

    until = close()

    tournament = Tournament.objects.get()
    assert (until, tournament.appeals_until) == (AT + timedelta(minutes=30), until)
    assert {state_of(number) for number in (1, 2, 3)} == {"closed"}
    assert tournament.status == "provisional"
    with pytest.raises(NotYet):
        closing.reopen_round(actor=SERVER, slug="rang", number=1, reason="x", at=SOON)


def test_closing_ends_the_clocks_that_run_and_writes_it_down() -> None:
    a_finished_evening()
    for number in (1, 2):
        turn = ClockTurn(action="start", version=0, minutes=20)
        turn_clock(actor=SERVER, slug="rang", round_number=number, turn=turn, at=AT)

    close(at=SOON)
    close(at=THEN)

    clocks = RoundClock.objects.exclude(started_at=None).order_by("round__number")
    assert list(clocks.values_list("round__number", "ended_at")) == [(1, SOON), (2, SOON)]
    ends = AuditEntry.objects.filter(what="clock", detail__action="end")
    assert sorted(ends.values_list("detail__round", flat=True)) == [1, 2]


def test_closing_twice_keeps_the_first_time() -> None:
    a_finished_evening()

    first, again = close(), close(at=SOON)

    assert again == first


def test_open_matches_and_a_draft_block_closing() -> None:
    tournament = an_evening()
    with pytest.raises(NotYet, match="round 3 table 2"):
        close()
    Match.objects.filter(state="open").update(state="void")
    Draft.objects.create(tournament=tournament, number=4, drawn_on=1, seed=1, draw={}, drawn={}, made_at=AT)

    with pytest.raises(NotYet, match="drawn and not published"):
        close()


def test_the_steps_come_in_their_order() -> None:
    a_finished_evening()

    with pytest.raises(NotYet, match="Close the tournament for results first"):
        make_official()
    with pytest.raises(NotYet, match="official first"):
        make_final()
    close()
    with pytest.raises(NotYet, match=r"until 29 November 2026, 23:30\. Wait"):
        make_official(at=SOON)
    make_official()
    assert status() == "official"
    make_final()
    assert (status(), Collection.objects.get().is_locked) == ("final", True)


def test_an_open_appeal_blocks_and_is_named() -> None:
    a_finished_evening()
    penalise()
    number = penalise()
    close()
    appeals.lodge_appeal(actor=SERVER, slug="rang", ruling=number, entry=1, reason="no", at=SOON)

    with pytest.raises(NotYet, match="against ruling 2"):
        make_official()

    appeals.decide_appeal(actor=SERVER, slug="rang", ruling=2, outcome="dismissed", reason="heard", at=THEN)
    make_official()
    assert status() == "official"


def test_the_time_for_an_appeal_against_a_late_ruling_blocks_too() -> None:
    a_finished_evening()
    close()
    penalise(at=THEN)

    with pytest.raises(NotYet):
        make_official()

    make_official(at=THEN + timedelta(minutes=31))
    assert status() == "official"


def test_doing_it_again_changes_nothing() -> None:
    a_finished_evening()
    act = uuid4()
    finish()
    written = AuditEntry.objects.count()

    make_final(act_id=act)
    make_final(act_id=act)

    assert AuditEntry.objects.count() == written


def test_only_an_owner_opens_what_is_final_and_everybody_reads_why() -> None:
    director, owner = a_user("Director"), a_user("Owner")
    a_finished_evening(members=[(director, Role.DIRECTOR), (owner, Role.OWNER)])
    finish()
    with pytest.raises(Forbidden):
        reopen(actor=as_actor(director))
    with pytest.raises(ReasonNeeded):
        reopen(actor=as_actor(owner), reason="")

    reopen(actor=as_actor(owner))

    tournament = Tournament.objects.get()
    assert (tournament.status, tournament.appeals_until, Collection.objects.get().is_locked) == (
        "provisional",
        None,
        False,
    )
    assert Ruling.objects.values_list("kind", "reason").get() == ("reopened", "A deal is missing.")
    assert AuditEntry.objects.get(what="tournament-reopened").detail["was"] == "final"


def test_a_director_opens_what_is_closed_or_official() -> None:
    director = a_user("Director")
    a_finished_evening(members=[(director, Role.DIRECTOR)])
    close()
    reopen(actor=as_actor(director))
    assert (Tournament.objects.get().appeals_until, Ruling.objects.count()) == (None, 0)
    close()
    make_official()

    reopen(actor=as_actor(director))

    assert (status(), Ruling.objects.get().kind) == ("provisional", "reopened")


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SCORER])
def test_only_directors_close(role: Role) -> None:
    user = a_user()
    a_finished_evening(members=[(user, role)])
    actor: Actor = as_actor(user)

    for step in (close, make_official, make_final, reopen):
        with pytest.raises(Forbidden):
            step(actor=actor)
    with pytest.raises(Forbidden):
        closing.close_round(actor=actor, slug="rang", number=1, at=AT)


def test_what_is_final_says_so_to_whoever_changes_it() -> None:
    a_finished_evening()
    finish()
    deal = Deal.objects.order_by("pk").first()
    assert deal is not None

    with pytest.raises(TournamentIsFinal):
        closing.close_round(actor=SERVER, slug="rang", number=1, at=THEN)
    with pytest.raises(TournamentIsFinal):
        upload(a_match(["NS 7-0 court"], ns=ASIF, ew=CHAND, round="2", table="2"))
    with pytest.raises(scoring.CollectionLocked):
        scoring.void_deal(
            actor=SERVER, deal_uid=deal.uid, base_revision=1, reason="x", operation_id=uuid4(), at=THEN
        )
    with pytest.raises(scoring.CollectionLocked):
        scoring.record_deal(
            actor=SERVER,
            scoresheet_id=deal.scoresheet_id,
            text='[Deal "2"]\n[Dealer "E"]\n[Result "EW 7-3"]\n',
            operation_id=uuid4(),
            at=THEN,
        )


def test_what_is_final_can_still_be_renamed_hidden_anonymised_and_computed() -> None:
    tournament = a_finished_evening()
    finish()
    player = player_at(Deal.objects.order_by("pk")[0].scoresheet, "north")

    running.change_tournament(actor=SERVER, slug="rang", name="Rang 2026", visibility="private", at=THEN)
    scoring.anonymise_player(actor=SERVER, player_id=player.pk, at=THEN)
    computed = standings.compute_standings(collection_id=tournament.collection_id, now=THEN)

    kept = Standings.objects.get()
    assert (computed, kept.table["status"], kept.table["tournament"]["name"]) == (True, "final", "Rang 2026")
    assert player.name not in str(kept.table)


def test_what_is_open_again_takes_rulings() -> None:
    a_finished_evening()
    finish()
    reopen()

    assert penalise(at=THEN) == 2
