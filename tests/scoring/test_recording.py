"""Deals are recorded once, judged by the library, and all or nothing for each scoresheet."""

import pytest

from tests.scoring.builders import *

pytestmark = pytest.mark.django_db


def test_smoke():
    club = a_club()
    c = a_collection(club)
    sheet = a_sheet_with(
        club,
        [
            a_full_record(1),
            a_record(2, dealer="N", result="NS 7-0 court"),
            a_record(3, dealer="E", result="EW 7-4"),
        ],
        collection=c,
    )
    for d in Deal.objects.filter(scoresheet=sheet).order_by("number"):
        print({k: v for k, v in d.__dict__.items()})
    for d in Revision.objects.all():
        print({k: v for k, v in d.__dict__.items()})
    print(sheet.__dict__)
    correct(sheet, 2, a_record(2, dealer="N", result="NS 7-3"))
    for d in Deal.objects.filter(scoresheet=sheet).order_by("number"):
        print({k: v for k, v in d.__dict__.items()})
    assert 0
