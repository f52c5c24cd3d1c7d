"""The command that checks the draws of random tournaments."""

from dataclasses import replace
from functools import partial
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tournaments.domain.pairing import Draw, Field
from tournaments.domain.random_checks import check_tournament
from tournaments.domain.swiss import draw_swiss
from tournaments.management.commands import check_pairings


def test_it_sums_up_what_it_found() -> None:
    out = StringIO()
    rounds = [one for seed in (1, 2, 3) for one in check_tournament(seed)]

    call_command("check_pairings", count=3, seed=1, stdout=out)

    assert out.getvalue().splitlines() == [
        f"3 tournaments, {len(rounds)} rounds",
        f"{sum(one.rematches for one in rounds)} rematches that could not be avoided",
        f"{sum(one.refused for one in rounds)} rounds whose wishes left no draw",
        "0 questions that the checker could not settle",
        "no draw is wrong",
    ]


def test_it_names_each_wrong_draw_and_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    monkeypatch.setattr(check_pairings, "check_tournament", partial(check_tournament, draw=without_the_last))

    with pytest.raises(CommandError) as ended:
        call_command("check_pairings", count=1, seed=1, stdout=out)

    assert ended.value.returncode == 1
    first = out.getvalue().splitlines()[0]
    size = check_tournament(1)[0].entries
    assert first.startswith(f"seed 1, round 1, {size} entries: left-out [")


def without_the_last(field: Field) -> Draw:
    draw = draw_swiss(field)
    return replace(draw, pairings=draw.pairings[:-1])
