"""Whatever is done to a scoresheet, what is kept is what its records come to from scratch."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import Award, Outcome, Rules, Score, Seat, Team, derive_ledger
from scoring import operations
from scoring.auditing import audit_scoresheets
from scoring.models import Deal, Revision, Scoresheet
from scoring.operations import Ruling
from tests.scoring.builders import AT, LATER, a_club, a_record, a_sheet

pytestmark = pytest.mark.django_db(transaction=True)

RESULTS = ["NS 7-4", "EW 7-6", "NS 7-0 court", "EW 7-0 court", "NS 13-0 bavney", "EW 3-2 revoke", "void"]
OUTCOMES = [
    None,
    Outcome.void(),
    Outcome(Team.NS, Award.COURT, Score(7, 0), Score(1, 0)),
    Outcome(Team.EW, Award.WIN, Score(4, 7), Score(0, 2)),
    Outcome(Team.NS, Award.REVOKE, Score(2, 1), Score(1, 0)),
]

NUMBERS = st.integers(1, 9)
RECORDS = st.builds(
    lambda number, dealer, result: a_record(number, dealer=dealer, result=result),
    NUMBERS,
    st.sampled_from("NESW"),
    st.sampled_from(RESULTS),
)
Step = Callable[[Scoresheet], object]


def recorded(text: str) -> Step:
    return lambda sheet: operations.record_deal(
        actor=SERVER, scoresheet_id=sheet.pk, text=text, operation_id=uuid4(), at=AT
    )


def changed(place: int, change: Callable[[Deal], object]) -> Step:
    def step(sheet: Scoresheet) -> object:
        deals = list(Deal.objects.filter(scoresheet=sheet).order_by("number"))
        return change(deals[place % len(deals)]) if deals else None

    return step


def corrected(place: int, dealer: str, result: str) -> Step:
    return changed(
        place,
        lambda deal: operations.correct_deal(
            actor=SERVER,
            deal_uid=deal.uid,
            base_revision=deal.revision,
            text=a_record(deal.number, dealer=dealer, result=result),
            reason="Paper.",
            operation_id=uuid4(),
            at=LATER,
        ),
    )


def voided(place: int) -> Step:
    return changed(
        place,
        lambda deal: operations.void_deal(
            actor=SERVER,
            deal_uid=deal.uid,
            base_revision=deal.revision,
            reason="Exposed.",
            operation_id=uuid4(),
            at=LATER,
        ),
    )


def ruled(place: int, outcome: Outcome | None) -> Step:
    return changed(
        place,
        lambda deal: operations.rule_deal(
            actor=SERVER,
            deal_uid=deal.uid,
            base_revision=deal.revision,
            ruling=Ruling(reason="So decided.", outcome=outcome),
            operation_id=uuid4(),
            at=LATER,
        ),
    )


STEPS = st.lists(
    st.one_of(
        st.builds(recorded, RECORDS),
        st.builds(recorded, RECORDS),
        st.builds(corrected, NUMBERS, st.sampled_from("NESW"), st.sampled_from(RESULTS)),
        st.builds(voided, NUMBERS),
        st.builds(ruled, NUMBERS, st.sampled_from(OUTCOMES)),
    ),
    max_size=14,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, rules=st.sampled_from(["court-piece", "court-piece streak=2 goon=3"]))
def test_what_is_kept_is_what_the_records_come_to(steps: list[Step], rules: str) -> None:
    club = a_club(f"club-{uuid4().hex}")
    sheet = a_sheet(club, rules=rules)

    for step in steps:
        try:
            step(sheet)
        except Refused:
            continue

    sheet.refresh_from_db()
    deals = list(Deal.objects.filter(scoresheet=sheet).order_by("number"))
    lines = derive_ledger(
        Rules.parse(rules), [(deal.number, Seat[deal.dealer], _outcome(deal)) for deal in deals]
    )
    assert [(deal.match_courts_ns, deal.match_courts_ew) for deal in deals] == [line.courts for line in lines]
    assert [(deal.match_runs_ns, deal.match_runs_ew) for deal in deals] == [line.runs for line in lines]
    assert (sheet.courts_ns, sheet.courts_ew) == (lines[-1].courts if lines else (0, 0))
    assert sheet.version == Revision.objects.filter(deal__scoresheet=sheet).count()
    assert audit_scoresheets([sheet.pk]) == ()


def _outcome(deal: Deal) -> Outcome:
    """Return what the deal's latest revision says that it counts for."""
    revision = Revision.objects.filter(deal=deal).latest("number")
    return Outcome(
        Team[revision.winner] if revision.winner else None,
        Award(revision.award),
        Score(revision.tricks_ns, revision.tricks_ew),
        Score(revision.courts_ns, revision.courts_ew),
    )
