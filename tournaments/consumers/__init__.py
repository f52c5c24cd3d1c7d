"""The sockets of tournaments."""

from tournaments.consumers.table import TableConsumer
from tournaments.consumers.tournament import NowhereConsumer, TournamentConsumer

__all__ = ["NowhereConsumer", "TableConsumer", "TournamentConsumer"]
