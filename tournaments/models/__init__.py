"""The tables of tournaments.

What was played belongs to scoring: a match points at its scoresheet, a tournament at the collection that
counts them, and its standings are derived from both, never entered.
"""

from tournaments.models.confirmations import Confirmation, EnteredRevision, Holder, Verdict
from tournaments.models.entries import ACCEPTED, Absence, AbsenceKind, Entry, EntryState, Wish, WishKind
from tournaments.models.links import DeviceReport, TableLink
from tournaments.models.live import LiveState
from tournaments.models.rounds import (
    Bye,
    ByeKind,
    Draft,
    Forfeit,
    Match,
    MatchState,
    Round,
    RoundClock,
    RoundState,
    Substitution,
)
from tournaments.models.rulings import (
    Act,
    AppealStep,
    AppealStepKind,
    Ruling,
    RulingKind,
)
from tournaments.models.tournament import (
    Format,
    PastRegulations,
    RankedBy,
    RoundStandings,
    Session,
    Standings,
    Status,
    Tournament,
)
from tournaments.models.webhooks import (
    DeliveryFault,
    DeliveryState,
    PauseReason,
    Webhook,
    WebhookDelivery,
    WebhookPlace,
)

__all__ = [
    "ACCEPTED",
    "Absence",
    "AbsenceKind",
    "Act",
    "AppealStep",
    "AppealStepKind",
    "Bye",
    "ByeKind",
    "Confirmation",
    "DeliveryFault",
    "DeliveryState",
    "DeviceReport",
    "Draft",
    "EnteredRevision",
    "Entry",
    "EntryState",
    "Forfeit",
    "Format",
    "Holder",
    "LiveState",
    "Match",
    "MatchState",
    "PastRegulations",
    "PauseReason",
    "RankedBy",
    "Round",
    "RoundClock",
    "RoundStandings",
    "RoundState",
    "Ruling",
    "RulingKind",
    "Session",
    "Standings",
    "Status",
    "Substitution",
    "TableLink",
    "Tournament",
    "Verdict",
    "Webhook",
    "WebhookDelivery",
    "WebhookPlace",
    "Wish",
    "WishKind",
]
