"""Rulings: what each changes, that its preview says so, and that taking it back restores what stood."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as example_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from courtpiece.accounts.models import AuditEntry, Role
from courtpiece.accounts.permissions import SERVER, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Award, Outcome, Score, Team
from scoring import operations as scoring
from scoring.auditing import audit_scoresheets, scoresheet_ids
from scoring.models import Deal
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments.domain.effects import Effect, Pairing, RankMove
from tournaments.errors import (
    ActReused,
    AppealRefused,
    CannotTakeBack,
    ChangedMeanwhile,
    NothingToRule,
    ReasonNeeded,
    TournamentIsFinal,
    UnknownState,
)
from tournaments.models import AppealStep, Entry, Forfeit, Match, Round, Ruling, RulingKind, Tournament
from tournaments.operations import appeals, rulings
from tournaments.operations.decisions import (
    AdjustMatch,
    AwardCourt,
    CancelCourt,
    CorrectDeal,
    Decision,
    Disqualify,
    GiveMatchAway,
    Penalise,
    ReplaceFinding,
    TakeBack,
    VoidDeal,
)
from tournaments.operations.rulings import NewRuling
from tournaments.operations.standings import derive_standings
from tournaments.queries import rulings as queries
from tournaments.queries.footnotes import footnotes_of

pytestmark = pytest.mark.django_db

LATER = AT + timedelta(minutes=5)
UNKNOWN = UUID(int=1)


def an_evening(**new: Any) -> Tournament:
    """Make four pairs' round robin with the first round played: the first pair by a court, the second by a deal."""
    tournament = a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk, **new)
    upload(
        a_match(["NS 7-0 court", "NS 7-4", "EW 7-5"], ns=ASIF, ew=GITA, round="1", table="1"),
        a_match(["NS 7-4"], ns=CHAND, ew=ERUM, round="1", table="2"),
    )
    return tournament


def the_match(number: int = 1, table: str = "1") -> Match:
    return Match.objects.get(round__number=number, table=table, round__tournament__slug="rang")


def the_deal(number: int = 1) -> Deal:
    return Deal.objects.get(scoresheet=the_match().scoresheet, number=number)


def decide(decision: Decision, **facts: Any) -> int:
    asked = {"reason": "As seen.", "law": "10.1", **facts}
    at = asked.pop("at", LATER)
    actor = asked.pop("actor", SERVER)
    act_id = asked.pop("act_id", None)
    return rulings.make_ruling(
        actor=actor, slug="rang", new=NewRuling(decision=decision, **asked), at=at, act_id=act_id
    )


def look_at(decision: Decision, at: datetime = LATER) -> Effect:
    return rulings.preview_ruling(
        actor=SERVER, slug="rang", new=NewRuling(decision=decision, reason=""), at=at
    )


def rows() -> list[tuple[int, int, int | str, int, int, int | str]]:
    """Return the standings as they are now: entry, rank, points, courts for and against, penalty."""
    computed = derive_standings(collection_id=Tournament.objects.get().collection_id, now=LATER)
    assert computed is not None
    return [
        (
            row["entry"],
            row["rank"],
            row["match_points"],
            row["courts_for"],
            row["courts_against"],
            row["penalty"],
        )
        for row in computed.table["rows"]
    ]


def cancel() -> CancelCourt:
    return CancelCourt(deal=the_deal().uid, base_revision=the_deal().revision)


def award(number: int = 3, team: Team = Team.EW) -> AwardCourt:
    return AwardCourt(deal=the_deal(number).uid, base_revision=the_deal(number).revision, team=team)


def adjust(ns: int = 0, ew: int = 3) -> AdjustMatch:
    return AdjustMatch(match=the_match().uid, version=the_match().version, courts_ns=ns, courts_ew=ew)


def give_away(by: Forfeit = Forfeit.NS) -> GiveMatchAway:
    return GiveMatchAway(match=the_match().uid, version=the_match().version, by=by)


def penalise(penalty: int = 1, entry: int = 1) -> Penalise:
    return Penalise(entry=entry, version=Entry.objects.get(number=entry).version, penalty=penalty)


def disqualify(entry: int = 1) -> Disqualify:
    return Disqualify(entry=entry, version=Entry.objects.get(number=entry).version)


# -- what each does


def test_a_cancelled_court_is_a_win_and_the_match_is_derived_again() -> None:
    an_evening()

    number = decide(cancel())

    deal, match = the_deal(), the_match()
    assert (number, deal.award, deal.courts_ns, deal.revision) == (1, "win", 0, 2)
    assert (match.scoresheet.courts_ns, match.scoresheet.courts_ew) == (0, 0)


def test_a_court_awarded_ends_both_runs() -> None:
    an_evening()

    decide(award(2, Team.EW))

    deal = the_deal(2)
    assert (deal.award, deal.courts_ew, deal.match_runs_ns, deal.match_runs_ew) == ("win", 1, 0, 0)


def test_a_void_deal_and_a_correction_and_another_outcome_are_rulings() -> None:
    an_evening()
    text = '[Deal "2"]\n[Dealer "E"]\n[Result "EW 7-3"]\n'

    decide(VoidDeal(deal=the_deal().uid, base_revision=1))
    decide(CorrectDeal(deal=the_deal(2).uid, base_revision=1, text=text))
    decide(
        ReplaceFinding(
            deal=the_deal(3).uid,
            base_revision=1,
            outcome=Outcome(Team.NS, Award.REVOKE, Score(1, 2), Score(1, 0)),
        )
    )

    assert [the_deal(number).award for number in (1, 2, 3)] == ["void", "win", "revoke"]
    assert [the_deal(number).winner for number in (1, 2, 3)] == ["", "EW", "NS"]
    assert list(Ruling.objects.order_by("number").values_list("number", "kind")) == [
        (1, "deal-void"),
        (2, "deal-corrected"),
        (3, "finding-replaced"),
    ]


def test_an_adjusted_match_counts_as_ruled_and_is_finished() -> None:
    an_evening()
    open_match = the_match(2)

    decide(AdjustMatch(match=open_match.uid, version=0, courts_ns=2, courts_ew=5))

    match = the_match(2)
    assert (match.state, match.adjusted_ns, match.adjusted_ew, match.version) == ("finished", 2, 5, 1)
    assert match.finished_at == LATER


def test_a_match_given_away_counts_for_the_other_side() -> None:
    an_evening()

    decide(give_away(Forfeit.NS))

    assert (the_match().forfeit, the_match().state) == ("NS", "finished")
    assert rows()[0][0] == 4 or (4, 1) in [row[:2] for row in rows()]


def test_a_penalty_and_its_reason_stand_with_the_entry() -> None:
    an_evening()

    decide(penalise(2), reason="late twice")

    entry = Entry.objects.get(number=1)
    assert (entry.penalty, entry.penalty_reason, entry.version) == (2, "late twice", 1)


def test_a_disqualified_entry_was_there_until_the_last_round_that_it_played() -> None:
    an_evening()

    effect = look_at(disqualify())
    decide(disqualify())

    entry = Entry.objects.get(number=1)
    assert (entry.state, entry.withdrawn_after) == ("disqualified", 1)
    assert effect.unplayed == (
        Pairing(round=2, table="2", ns=1, ew=2),
        Pairing(round=3, table="2", ns=3, ew=1),
    )


def test_a_ruling_is_kept_with_its_law_its_effect_and_the_time_for_an_appeal() -> None:
    an_evening()

    decide(cancel(), reason="  Law  broken ")

    ruling = Ruling.objects.get()
    assert (ruling.law, ruling.reason, ruling.appeal_until) == (
        "10.1",
        "Law broken",
        LATER + timedelta(minutes=30),
    )
    assert (ruling.match, ruling.deal_number, ruling.entry) == (the_match(), 1, None)
    assert AuditEntry.objects.filter(what="ruling").values_list("detail__ruling", flat=True)[0] == 1


# -- the preview


def test_a_preview_names_deals_the_match_and_the_ranks_that_move() -> None:
    an_evening()

    effect = look_at(cancel())

    first = effect.deals[0]
    assert (first.number, first.before.award, first.after.award) == (1, "goon-court", "win")
    assert [move.number for move in effect.deals] == [1, 2, 3]
    assert effect.match is not None
    assert (effect.match.before_ns, effect.match.after_ns, effect.match.changes_winner) == (1, 0, True)
    assert (
        RankMove(
            entry=1,
            before_rank=1,
            after_rank=1,
            before_points=2,
            after_points=1,
            before_courts=(1, 0),
            after_courts=(0, 0),
            before_penalty=0,
            after_penalty=0,
        )
        in effect.ranks
    )


def test_a_preview_writes_nothing_and_needs_no_reason() -> None:
    an_evening()
    before = rows()

    look_at(cancel())
    look_at(penalise())
    look_at(adjust())

    assert (rows(), Ruling.objects.count(), the_deal().revision) == (before, 0, 1)
    assert (the_match().version, AuditEntry.objects.filter(what="ruling").count()) == (0, 0)


def test_later_matches_that_were_paired_by_the_old_result_are_listed_and_kept() -> None:
    an_evening()
    assert look_at(cancel()).later == ()
    Tournament.objects.update(format="swiss")

    effect = look_at(cancel())

    assert effect.later == (
        Pairing(round=2, table="1", ns=4, ew=3),
        Pairing(round=2, table="2", ns=1, ew=2),
        Pairing(round=3, table="1", ns=2, ew=4),
        Pairing(round=3, table="2", ns=3, ew=1),
    )


def test_a_round_robin_that_is_kept_as_it_was_drawn_lists_nothing_in_a_league_either() -> None:
    an_evening()
    Tournament.objects.update(format="league", plan={"pairing": "round-robin"})

    assert look_at(cancel()).later == ()


def test_a_penalty_that_is_taken_back_lists_what_was_paired_by_it_and_nothing_paired_before() -> None:
    """The second round was published before the penalty, and the third after it."""
    an_evening()
    Tournament.objects.update(format="swiss", plan={})
    decide(penalise())
    Round.objects.filter(number=2).update(published_at=LATER - timedelta(minutes=1))
    Round.objects.filter(number=3).update(published_at=LATER + timedelta(minutes=1))

    effect = look_at(TakeBack(ruling=1))

    assert {one.round for one in effect.later} == {3}
    assert Pairing(round=3, table="2", ns=3, ew=1) in effect.later


def test_what_is_kept_is_what_the_preview_said() -> None:
    an_evening()
    said = look_at(cancel())

    decide(cancel())

    assert queries.effect_from_json(Ruling.objects.get().effect) == said


DECISIONS = (cancel, award, adjust, give_away, penalise, disqualify)


class Previews(TestCase):
    """Any rulings, one after the other, each looked at first."""

    @given(
        chosen=st.lists(st.integers(0, len(DECISIONS) - 1), min_size=1, max_size=3, unique=True),
        courts=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    )
    @example_settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
    def test_saving_does_what_the_preview_said_and_taking_all_back_restores_everything(
        self, chosen: list[int], courts: tuple[int, int]
    ) -> None:
        an_evening()
        decide(adjust(*courts), reason="to begin with")
        first = rows()
        made = []
        for place in chosen:
            decision = DECISIONS[place]()
            before = {row[0]: row for row in rows()}
            try:
                said = look_at(decision)
            except NothingToRule:
                continue
            made.append(decide(decision))
            after = {row[0]: row for row in rows()}
            moved = {entry for entry, row in after.items() if row != before[entry]}
            assert {move.entry for move in said.ranks} == moved
            assert all(after[move.entry][1:3] == (move.after_rank, move.after_points) for move in said.ranks)

        for number in reversed(made):
            decide(TakeBack(ruling=number))

        assert rows() == first
        assert audit_scoresheets(scoresheet_ids()) == ()


# -- taking back


@pytest.mark.parametrize("decision", DECISIONS)
def test_what_is_taken_back_is_as_before(decision: Any) -> None:
    an_evening()
    before = rows()
    number = decide(decision())

    back = decide(TakeBack(ruling=number), reason="on second thoughts")

    assert rows() == before
    assert Ruling.objects.get(number=back).takes_back == Ruling.objects.get(number=number)
    assert (the_match().forfeit, the_match().adjusted_ns, the_deal().award) == ("", None, "goon-court")
    assert Entry.objects.get(number=1).state == "active"


def test_a_deal_goes_back_to_the_ruling_or_the_void_that_stood() -> None:
    an_evening()
    decide(VoidDeal(deal=the_deal().uid, base_revision=1))
    other = ReplaceFinding(
        deal=the_deal().uid, base_revision=2, outcome=Outcome(Team.EW, Award.WIN, Score(1, 7), Score())
    )
    third = ReplaceFinding(
        deal=the_deal().uid, base_revision=3, outcome=Outcome(Team.NS, Award.WIN, Score(7, 1), Score())
    )
    decide(other)
    decide(third)

    decide(TakeBack(ruling=3))
    after_third = (the_deal().winner, the_deal().is_ruled)
    decide(TakeBack(ruling=2))

    assert after_third == ("EW", True)
    assert (the_deal().kind, the_deal().award, the_deal().revision) == ("void", "void", 6)
    assert audit_scoresheets(scoresheet_ids()) == ()


def test_a_ruling_is_taken_back_once_and_not_itself_taken_back() -> None:
    an_evening()
    decide(cancel())
    decide(TakeBack(ruling=1))

    for number in (1, 2):
        with pytest.raises(CannotTakeBack):
            decide(TakeBack(ruling=number))
    with pytest.raises(NotFound):
        decide(TakeBack(ruling=9))


def test_what_was_changed_since_is_not_taken_back() -> None:
    an_evening()
    decide(cancel())
    decide(award(1, Team.EW))
    decide(adjust(1, 1))
    decide(adjust(2, 2))

    for number in (1, 3):
        with pytest.raises(CannotTakeBack):
            decide(TakeBack(ruling=number))


def test_a_penalty_is_taken_back_whatever_else_became_of_the_pair() -> None:
    an_evening()
    decide(penalise())
    decide(disqualify())

    decide(TakeBack(ruling=1))

    assert (Entry.objects.get(number=1).penalty, Entry.objects.get(number=1).state) == (0, "disqualified")


# -- refusals


def test_rulings_made_on_what_is_no_longer_so_are_conflicts_that_say_what_is() -> None:
    an_evening()
    old_deal, old_match, old_entry = cancel(), adjust(), penalise()
    decide(award(1, Team.EW))
    decide(adjust(2, 2))
    decide(penalise(5))

    with pytest.raises(scoring.RevisionConflict):
        decide(old_deal)
    with pytest.raises(ChangedMeanwhile, match="finished, adjusted to 2 – 2 courts"):
        decide(old_match)
    with pytest.raises(ChangedMeanwhile, match="active, with a penalty of 5"):
        decide(old_entry)


@pytest.mark.parametrize(
    "decision",
    [
        CancelCourt(deal=UNKNOWN, base_revision=1),
        AdjustMatch(match=UNKNOWN, version=0, courts_ns=0, courts_ew=0),
        Penalise(entry=9, version=0, penalty=1),
    ],
)
def test_what_is_not_of_the_tournament_is_not_found(decision: Decision) -> None:
    an_evening()

    with pytest.raises(NotFound):
        decide(decision)


def test_a_deal_of_another_tournament_is_not_found() -> None:
    an_evening()
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club("goa").pk, slug="goa")

    with pytest.raises(NotFound):
        rulings.make_ruling(actor=SERVER, slug="goa", new=NewRuling(decision=cancel(), reason="x"), at=LATER)


def test_rulings_that_change_nothing_or_cannot_be_are_refused() -> None:
    an_evening()
    decide(cancel())

    with pytest.raises(scoring.NothingToChange):
        decide(cancel())
    for decision in (penalise(0), penalise(1000), adjust(-1, 0), adjust(10_000, 0)):
        with pytest.raises(NothingToRule):
            decide(decision)
    decide(give_away())
    with pytest.raises(NothingToRule):
        decide(give_away())


def test_a_ruling_needs_a_reason_and_a_director() -> None:
    scorer = a_user()
    an_evening()
    Tournament.objects.get().club.memberships.create(user=scorer, role=Role.SCORER, created_at=AT)

    with pytest.raises(ReasonNeeded):
        decide(cancel(), reason="  ")
    with pytest.raises(Forbidden):
        decide(cancel(), actor=as_actor(scorer))


def test_the_same_act_rules_once_and_is_not_used_for_another() -> None:
    an_evening()
    act = uuid4()
    asked = penalise()

    first = decide(asked, act_id=act)
    again = decide(asked, act_id=act)

    assert (first, again, Ruling.objects.count(), Entry.objects.get(number=1).version) == (1, 1, 1, 1)
    with pytest.raises(ActReused):
        decide(penalise(5), act_id=act)


def test_what_is_final_is_not_ruled() -> None:
    an_evening()
    Tournament.objects.update(status="final")

    with pytest.raises(TournamentIsFinal):
        decide(cancel())


# -- appeals


def lodge(ruling: int = 1, at: datetime = LATER, reason: str = "We saw it.", entry: int = 1) -> int:
    return appeals.lodge_appeal(actor=SERVER, slug="rang", ruling=ruling, entry=entry, reason=reason, at=at)


def settle(outcome: str, ruling: int = 1, reason: str = "Heard.") -> int | None:
    return appeals.decide_appeal(
        actor=SERVER, slug="rang", ruling=ruling, outcome=outcome, reason=reason, at=LATER
    )


def test_an_appeal_that_is_allowed_takes_the_ruling_back() -> None:
    an_evening()
    before = rows()
    decide(cancel())
    lodge()

    footnote = settle("allowed")

    assert (footnote, rows()) == (2, before)
    assert list(AppealStep.objects.order_by("number").values_list("number", "kind", "entry__number")) == [
        (1, "lodged", 1),
        (2, "allowed", 1),
    ]
    assert Ruling.objects.get(number=2).kind == RulingKind.TAKEN_BACK


@pytest.mark.parametrize("outcome", ["dismissed", "withdrawn"])
def test_an_appeal_that_is_not_leaves_the_ruling(outcome: str) -> None:
    an_evening()
    decide(cancel())
    lodge()

    assert (settle(outcome), the_deal().award) == (None, "win")


def test_an_appeal_comes_in_time_once_against_what_stands_by_somebody_who_plays() -> None:
    an_evening()
    decide(cancel())
    decide(penalise())
    decide(TakeBack(ruling=2))
    lodge()

    for ruling, at in ((1, LATER), (2, LATER), (3, LATER)):
        with pytest.raises(AppealRefused):
            lodge(ruling, at)
    decide(penalise(3))
    with pytest.raises(AppealRefused, match=r"ended at 29 November 2026, 23:35\."):
        lodge(4, LATER + timedelta(minutes=31))
    with pytest.raises(ReasonNeeded):
        lodge(4, reason=" ")
    with pytest.raises(NotFound):
        lodge(4, entry=9)
    with pytest.raises(NotFound):
        lodge(9)


def test_only_an_open_appeal_is_decided_and_in_one_of_three_ways() -> None:
    an_evening()
    decide(cancel())

    with pytest.raises(AppealRefused):
        settle("dismissed")
    lodge()
    with pytest.raises(UnknownState):
        settle("lodged")
    settle("dismissed")
    with pytest.raises(AppealRefused):
        settle("allowed")


# -- what is read


def test_the_list_says_what_was_ruled_and_how_it_stands() -> None:
    an_evening()
    decide(cancel())
    decide(penalise())
    lodge(2)
    decide(TakeBack(ruling=1))

    page = queries.rulings_page("rang", actor=SERVER)

    assert [(line.number, line.kind, line.taken_back_by, line.appeal_state) for line in page.rulings] == [
        (1, "court-cancelled", 3, ""),
        (2, "penalty", None, "lodged"),
        (3, "taken-back", None, ""),
    ]
    assert [line.number for line in page.open_appeals] == [2]
    assert [line.can_be_appealed(LATER) for line in page.rulings] == [False, False, False]


def test_footnotes_are_found_by_what_they_are_about() -> None:
    an_evening()
    decide(cancel())
    decide(penalise())
    decide(adjust())

    notes = footnotes_of(Tournament.objects.get().pk)

    assert notes.by_match == {the_match().uid: (1, 3)}
    assert notes.by_deal == {the_deal().uid: (1,)}
    assert (notes.by_entry, notes.general) == ({1: (1, 2, 3), 4: (1, 3)}, ())
    assert notes.count == 3


def test_a_table_after_a_round_has_no_footnotes_of_later_matches() -> None:
    tournament = an_evening()
    later = the_match(2, "1")
    decide(penalise())
    decide(AdjustMatch(match=later.uid, version=later.version, courts_ns=1, courts_ew=0))

    entries = {later.ns.number, later.ew.number}
    after = [footnotes_of(tournament.pk, until_round=number).by_entry for number in (1, 2)]

    assert after[0] == {1: (1,)}
    assert {number for number, found in after[1].items() if 2 in found} == entries


def test_a_correction_that_is_no_ruling_here_is_listed_too() -> None:
    an_evening()
    scoring.void_deal(
        actor=SERVER,
        deal_uid=the_deal().uid,
        base_revision=1,
        reason="by a program",
        operation_id=uuid4(),
        at=LATER,
    )

    (corrected,) = queries.rulings_page("rang", actor=SERVER).corrected

    assert (corrected.uid, corrected.round, corrected.table, corrected.number) == (the_deal().uid, 1, "1", 1)
