"""The sockets of tournaments."""

from tournaments.consumers.room import RoomConsumer
from tournaments.consumers.table import TableConsumer
from tournaments.consumers.tournament import NowhereConsumer, TournamentConsumer

__all__ = ["NowhereConsumer", "RoomConsumer", "TableConsumer", "TournamentConsumer"]
