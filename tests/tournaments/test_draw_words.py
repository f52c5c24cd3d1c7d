"""What a draw says of a pairing holds within the order of its criteria, and no further."""

from collections.abc import Sequence

import pytest

from scoring.domain.results import Ranking
from tests.tournaments_domain.fields import contestant, field
from tournaments.domain.pairing import Float, Note, Pairing
from tournaments.domain.swiss import draw_swiss
from tournaments.words import reasons_of

NAMES = {1: "Asif & Bilal", 2: "Chand & Dev", 3: "Erum & Farah", 4: "Gita & Hema"}


def said(notes: Sequence[Note]) -> tuple[str, ...]:
    pairing = Pairing(first=1, second=2, notes=tuple(notes), scores=(4, 4))
    return reasons_of(pairing, NAMES, Ranking.MATCH_POINTS)


def test_a_second_float_that_scores_further_apart_would_avoid_is_not_said_to_be_unavoidable() -> None:
    """1 against 3 and 2 against 4 would have two such floats less, and those of 6 points meet those of 2."""
    down, up = (Float.DOWN,), (Float.UP,)
    drawn = draw_swiss(
        field(
            2,
            contestant(1, 6, floats=down),
            contestant(2, 4, floats=up),
            contestant(3, 2, floats=down),
            contestant(4, 0, floats=up),
        )
    )

    assert Note.FLOATED_AGAIN in drawn.pairings[0].notes
    assert reasons_of(drawn.pairings[0], NAMES, Ranking.MATCH_POINTS)[-1] == (
        "One of them floats the same way twice running: "
        "no round as good in byes, rematches and scores has fewer such floats."
    )


@pytest.mark.parametrize(
    ("notes", "last"),
    [
        ([Note.SAME_SCORE, Note.REMATCH], "no round with byes as fair has fewer rematches."),
        ([Note.SAME_SCORE, Note.FORCED, Note.REMATCH], "They have met before."),
        ([Note.FLOATED, Note.FORCED, Note.FLOATED_AGAIN], "One of them floats the same way twice running."),
    ],
)
def test_what_the_draw_did_has_its_reason_and_what_the_director_did_has_none(
    notes: Sequence[Note], last: str
) -> None:
    assert said(notes)[-1].endswith(last)
