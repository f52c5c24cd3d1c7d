"""Play a whole Swiss by the simulator."""

from argparse import ArgumentParser
from random import Random
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.queries import NotFound, club_by_slug
from courtpiece.errors import CourtPieceError
from tournaments.operations.rehearsal import (
    Event,
    close_event,
    draw_next,
    enter_event,
    record_matches,
    simulate_round,
)
from tournaments.operations.standings import bring_up_to_date


class Command(BaseCommand):
    """``simulate_event --club SLUG [--slug SLUG] [--entries N] [--rounds N] [--deals N] [--seed N]``."""

    help = (
        "Play a Swiss from its entries to final standings by the simulator, through the operations that the pages use, "
        "and print how long each step takes. The tournament stays: use a club, or a database, that is made for it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, help="the address of the club that it is made in")
        parser.add_argument(
            "--slug", default="rehearsal", help="the tournament's address (default: %(default)s)"
        )
        parser.add_argument("--entries", type=int, default=200, help="pairs (default: %(default)s)")
        parser.add_argument("--rounds", type=int, default=9, help="(default: %(default)s)")
        parser.add_argument("--deals", type=int, default=20, help="of a match (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="of everything (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            club_id = club_by_slug(options["club"], actor=SERVER).id
        except NotFound as error:
            raise CommandError(f"there is no club {options['club']}") from error
        event = Event(
            slug=options["slug"], entries=options["entries"], rounds=options["rounds"], deals=options["deals"]
        )
        try:
            self._play(club_id, event, Random(options["seed"]))  # noqa: S311 - cards for show
        except CourtPieceError as error:
            raise CommandError(str(error)) from error

    def _play(self, club_id: int, event: Event, rng: Random) -> None:
        slug = self._timed(
            "entered", lambda: enter_event(actor=SERVER, club_id=club_id, event=event, at=timezone.now())
        )
        for round_number in range(1, event.rounds + 1):
            seed = rng.getrandbits(32)
            number = self._timed(
                f"round {round_number} drawn and published",
                lambda seed=seed: draw_next(actor=SERVER, slug=slug, seed=seed, at=timezone.now()),
            )
            played = simulate_round(slug=slug, number=number, event=event, rng=rng, actor=SERVER)
            self._timed(
                f"round {round_number} recorded, {sum(len(match.texts) for match in played)} deals",
                lambda played=played: record_matches(actor=SERVER, matches=played, at=timezone.now()),
            )
            self._timed("standings", lambda: bring_up_to_date(slug=slug, now=timezone.now()))
        self._timed(
            "closed, official and final", lambda: close_event(actor=SERVER, slug=slug, at=timezone.now())
        )
        self.stdout.write(f"The tournament is at /tournaments/{slug}/")

    def _timed(self, what: str, step: Any) -> Any:
        begun = perf_counter()
        answer = step()
        self.stdout.write(f"{perf_counter() - begun:8.3f} s  {what}")
        return answer
