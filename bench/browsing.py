"""How fast the pages of a large history are made, by a visitor who has not signed in, without a network in between."""

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final

from courtpiece.notation.bench import Measurement

VISITS: Final = 40
"""Of each kind of page, after three that are not counted."""
PAGE_TARGET: Final = 150
TABLE_TARGET: Final = 1000
STANDINGS_TARGET: Final = 50
UNCHANGED_TARGET: Final = 10


def browsed(seed: int, *, has_targets: bool) -> Iterator[Measurement]:
    """Ask for pages of players, partnerships and clubs of that history, and yield how long each kind took."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "courtpiece.project.settings"
    import django  # noqa: PLC0415 - needs the variables

    django.setup()
    from django.test import override_settings  # noqa: PLC0415 - needs the settings

    warnings.simplefilter("ignore")
    plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    with override_settings(STORAGES=plain, ALLOWED_HOSTS=["testserver"]):
        for name, (paths, most) in _kinds(Random(seed)).items():
            yield from _measured(name, paths, most if has_targets else None)


def _kinds(rng: Random) -> Mapping[str, tuple[Sequence[str], float]]:
    """Return the addresses of each kind, with the most milliseconds that it may take."""
    from scoring.models import Partnership, Player  # noqa: PLC0415 - needs the app registry
    from tournaments.models import Tournament  # noqa: PLC0415 - needs the app registry

    def some(rows: Any) -> list[Any]:
        return rng.sample(list(rows), VISITS)

    players = some(Player.objects.order_by("pk").values_list("uid", "name"))
    pairs = some(Partnership.objects.order_by("pk").values_list("uid", flat=True))
    slugs = rng.choices(list(Tournament.objects.order_by("pk").values_list("slug", flat=True)), k=VISITS)
    words = [name.split()[0] for _uid, name in players]
    pages = {
        "a player": [f"/players/{uid}/" for uid, _name in players],
        "a player's deals": [f"/players/{uid}/?show=deals" for uid, _name in players],
        "a partnership": [f"/partnerships/{uid}/" for uid in pairs],
        "a search by name": [f"/search/?what=deals&name={word}" for word in words],
        "a search for bavneys": ["/search/?what=deals&award=bavney"] * VISITS,
        "a search for a trump": ["/search/?what=deals&trump=S"] * VISITS,
        "a search for cards held": ["/search/?what=deals&held=AS+KS"] * VISITS,
        "figures of all clubs": ["/statistics/"] * VISITS,
        "the hall of fame": ["/statistics/hall-of-fame/"] * VISITS,
        "a club's hall of fame": ["/clubs/club-1/statistics/hall-of-fame/"] * VISITS,
    }
    kinds: dict[str, tuple[Sequence[str], float]] = {
        name: (paths, PAGE_TARGET) for name, paths in pages.items()
    }
    kinds["the table of all players"] = ["/statistics/players/"] * VISITS, TABLE_TARGET
    kinds["standings by the API"] = (
        [f"/api/v1/tournaments/{slug}/standings" for slug in slugs],
        STANDINGS_TARGET,
    )
    return kinds


def _measured(name: str, paths: Sequence[str], most: float | None) -> Iterator[Measurement]:
    from django.test import Client  # noqa: PLC0415 - needs the settings

    client, taken, unchanged = Client(), list[float](), list[float]()
    for visit, path in enumerate([*paths[:3], *paths]):
        begun = perf_counter()
        answer = client.get(path)
        took = perf_counter() - begun
        assert answer.status_code == 200, (path, answer.status_code)
        if visit >= 3:
            taken.append(1000 * took)
        if path.startswith("/api/"):
            begun = perf_counter()
            again = client.get(path, headers={"If-None-Match": answer["ETag"]})
            unchanged.append(1000 * (perf_counter() - begun))
            assert again.status_code == 304, (path, again.status_code)
    yield from _spread(name, taken, most)
    if unchanged:
        target = None if most is None else UNCHANGED_TARGET
        yield from _spread(f"{name}, unchanged (304)", unchanged, target)


def _spread(name: str, taken: Sequence[float], most: float | None) -> Iterator[Measurement]:
    yield Measurement(f"{name}: half", [median(taken)], "ms")
    yield Measurement("… 95 %", [quantiles(taken, n=20)[-1]], "ms", most=most)
