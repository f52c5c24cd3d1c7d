"""Everything that gives the entries their seeds."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor
from tournaments.domain.seeding import Rated, SeedTwice, seeds_by_hand, seeds_by_rating, seeds_drawn
from tournaments.errors import ChangedMeanwhile, SeedRepeated, SeedsInUse
from tournaments.events import Event
from tournaments.models import Entry, EntryState, Tournament
from tournaments.operations.listing import published_rounds
from tournaments.operations.log import record_change
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked
from tournaments.queries.entries import list_version


class SeedingMethod(StrEnum):
    """How the seeds come about."""

    RATING = "rating"
    HAND = "hand"
    DRAW = "draw"


@transaction.atomic(durable=True)
def seed_entries(
    *,
    actor: Actor,
    slug: str,
    method: SeedingMethod,
    at: datetime,
    given: Mapping[int, int | None] | None = None,
    draw_seed: int | None = None,
    version: str | None = None,
    act_id: UUID | None = None,
) -> None:
    """Give every active entry its seed: by the ratings, as ``given`` by number, or drawn from ``draw_seed``.

    The number from which they are drawn is written down, so that anybody can draw the same again.

    :raises NotFound: if there is no such tournament, or an entry is given that it has not.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises SeedsInUse: if a round is published.
    :raises SeedRepeated: if two entries are given one seed.
    :raises ChangedMeanwhile: if the list was changed since the version, as ``queries.entries.list_version`` gives it.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry_out() -> Answer:
        if published_rounds(tournament):
            raise SeedsInUse(_("A round is published: the seeds stay as they are."))
        rows = list(Entry.objects.filter(tournament=tournament, state=EntryState.ACTIVE).order_by("number"))
        if version is not None and version != list_version(rows):
            raise ChangedMeanwhile(
                _("Somebody changed the entries in the meantime. This is how they are now.")
            )
        _save(rows, _seeds(method, rows, given or {}, draw_seed))
        _record(tournament, actor, at, method, draw_seed)
        return {}

    asked = {"method": method.value, "given": sorted((given or {}).items()), "version": version}
    once(tournament, act_id=act_id, what=Event.ENTRIES_SEEDED, asked=asked, at=at, carry_out=carry_out)


def _seeds(
    method: SeedingMethod, rows: list[Entry], given: Mapping[int, int | None], draw_seed: int | None
) -> Mapping[int, int | None]:
    if method is SeedingMethod.RATING:
        return seeds_by_rating(Rated(row.number, row.rating) for row in rows)
    if method is SeedingMethod.DRAW:
        return seeds_drawn((row.number for row in rows), seed=draw_seed or 0)
    try:
        return seeds_by_hand({row.number: given.get(row.number) for row in rows})
    except SeedTwice as error:
        first, second = error.entries
        raise SeedRepeated(
            _("Entries %(first)d and %(second)d both have seed %(seed)d.")
            % {"first": first, "second": second, "seed": error.seed}
        ) from error


def _save(rows: list[Entry], seeds: Mapping[int, int | None]) -> None:
    changed = [row for row in rows if row.seed != seeds[row.number]]
    for row in changed:
        row.seed = seeds[row.number]
        row.version += 1
    Entry.objects.bulk_update(changed, ["seed", "version"])


def _record(
    tournament: Tournament, actor: Actor, at: datetime, method: SeedingMethod, draw_seed: int | None
) -> None:
    drawn = {"seed": draw_seed} if method is SeedingMethod.DRAW else {}
    record_change(tournament, actor, Event.ENTRIES_SEEDED, at, {"method": method.value, **drawn})
