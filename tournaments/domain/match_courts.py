"""What a match comes to in courts, and who leads it."""

from typing import TypeAlias

from courtpiece.engine import Team

Courts: TypeAlias = tuple[int, int]
"""North-South first."""


def courts_that_count(made: Courts, ruled: tuple[int | None, int | None]) -> Courts:
    """Return the courts of a match: a ruling's, where there is one, in place of those that its deals made."""
    ns, ew = ruled
    return made if ns is None or ew is None else (ns, ew)


def leader_of(courts: Courts) -> Team | None:
    """Return the team with more courts; None where they are equal, none included: then nobody wins (law 13.2)."""
    ns, ew = courts
    if ns == ew:
        return None
    return Team.NS if ns > ew else Team.EW
