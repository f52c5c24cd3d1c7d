"""The sockets of tournaments."""

from tournaments.consumers.events import EventsConsumer
from tournaments.consumers.room import RoomConsumer
from tournaments.consumers.table import TableConsumer
from tournaments.consumers.tournament import NowhereConsumer, TournamentConsumer

__all__ = ["EventsConsumer", "NowhereConsumer", "RoomConsumer", "TableConsumer", "TournamentConsumer"]
