"""What is written down of players; deals have their revisions. The words for people are in `project.words`."""

from enum import StrEnum


class Event(StrEnum):
    """Something that was done to a player, as the log of the club keeps it."""

    PLAYER_ANONYMISED = "player-anonymised"
    PLAYER_LINKED = "player-linked"
