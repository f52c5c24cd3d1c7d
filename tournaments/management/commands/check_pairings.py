"""Draw the rounds of random Swiss tournaments, and check every draw."""

from argparse import ArgumentParser
from time import perf_counter
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from tournaments.domain.random_checks import CheckedRound, check_tournament

BETWEEN_REPORTS: Final = 100


class Command(BaseCommand):
    """``check_pairings [--count N] [--seed N]``."""

    help = (
        "Play random Swiss tournaments of 4 to 60 entries and check every draw by a checker that shares nothing with "
        "what drew it. The exit status is 1 if a draw is wrong. The same seed plays the same tournaments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=500, help="how many (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=0, help="of the first one (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        start = perf_counter()
        rounds: list[CheckedRound] = []
        for done in range(1, options["count"] + 1):
            checked = check_tournament(options["seed"] + done - 1)
            rounds += checked
            for one in checked:
                if not one.is_right:
                    self.stdout.write(_said(one))
            if done % BETWEEN_REPORTS == 0:
                self.stdout.write(f"{done} tournaments, {len(rounds)} rounds, {perf_counter() - start:.0f} s")
        self._sum_up(options["count"], rounds)

    def _sum_up(self, count: int, rounds: list[CheckedRound]) -> None:
        wrong = sum(not one.is_right for one in rounds)
        lines = [
            f"{count} tournaments, {len(rounds)} rounds",
            f"{sum(one.rematches for one in rounds)} rematches that could not be avoided",
            f"{sum(one.refused for one in rounds)} rounds whose wishes left no draw",
            f"{sum(len(one.unproven) for one in rounds)} questions that the checker could not settle",
        ]
        self.stdout.write("\n".join(lines))
        if wrong:
            raise CommandError(f"{wrong} draws are wrong", returncode=1)
        self.stdout.write("no draw is wrong")


def _said(one: CheckedRound) -> str:
    found = [f"{violation.code.value} {list(violation.entries)}" for violation in one.violations]
    if one.refused_wrongly:
        found.append("refused, though it can be drawn")
    return f"seed {one.seed}, round {one.number}, {one.entries} entries: {'; '.join(found)}"
