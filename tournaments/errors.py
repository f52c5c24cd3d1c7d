"""What tournaments refuse, each with what a person can do about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.utils.translation import gettext as _

from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict, Refused
from scoring.names import NearDuplicate
from tournaments.domain.entering import PairFault
from tournaments.domain.slips import ReadLine


class SlugTaken(Conflict):
    """Another tournament of this site has that address."""

    field: ClassVar[str] = "slug"


class BadSlug(Refused):
    """The text cannot be a tournament's address."""

    field: ClassVar[str] = "slug"


class BadRules(Refused):
    """The text names no rules of law 14."""

    field: ClassVar[str] = "rules"


class BadScoring(Refused):
    """The ranking, the points or the tie-breaks are not known ones."""

    field: ClassVar[str] = "tiebreaks"


class BadPairs(Refused):
    """The pairs do not fit the format, or are not written as ``First & Second``."""

    field: ClassVar[str] = "pairs"


class BadSessions(Refused):
    """There are too many sessions."""

    field: ClassVar[str] = "sessions"


class SessionInUse(Conflict):
    """A session that would be gone has rounds."""

    field: ClassVar[str] = "sessions"


class PlanFrozen(Conflict):
    """A round is drawn, so that the format stays as it is."""

    field: ClassVar[str] = "format"


class ReasonNeeded(Refused):
    """Something is changed that was frozen with the first deal, without saying why."""

    field: ClassVar[str] = "reason"


class RulesInUse(Conflict):
    """Matches were made under the tournament's rules."""

    field: ClassVar[str] = "rules"


class FewerThanAgreed(Refused):
    """A match is to be finished with fewer deals or courts than were agreed, and nobody said that it shall be."""

    field: ClassVar[str] = "state"

    def __init__(self, message: str, *, made: int) -> None:
        super().__init__(message)
        self.made = made


class UnknownState(Refused):
    """There is no such state of a match or status of standings."""

    field: ClassVar[str] = "state"


class UploadTooLarge(Refused):
    """The files are too many or too large."""

    field: ClassVar[str] = "files"


class ArchiveTooLarge(UploadTooLarge):
    """The archive is larger than is taken here."""

    field: ClassVar[str] = "file"


@dataclass(frozen=True, slots=True)
class ArchiveProblem:
    """Something wrong with an archive."""

    code: str
    place: str
    """Where: ``scoresheets[3].deals[0].number``, or ``scoresheet UID, deal 3``; empty: nowhere in particular."""
    message: str
    line: int = 0
    """From 1; 0: no line."""

    def as_json(self) -> dict[str, str | int]:
        """Return the problem as the API has it."""
        return {"code": self.code, "line": self.line, "pointer": self.place, "message": self.message}


class ArchiveRefused(Refused):
    """The file is no archive, or is not what its own records say. ``problems`` says what is wrong and where."""

    field: ClassVar[str] = "file"

    def __init__(self, message: str, problems: Sequence[ArchiveProblem]) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class ArchivedHere(Conflict):
    """The tournament of the archive, or a part of it, is on this site already."""

    field: ClassVar[str] = "file"


class CardsHeldBack(Conflict):
    """An archive is whole or it is none: while cards are kept from spectators they get none. ``until`` is when."""

    def __init__(self, until: datetime, *, words: str) -> None:
        super().__init__(
            _(
                "Cards of this tournament are still kept from spectators, and an archive has all of them. "
                "Ask again after %(until)s."
            )
            % {"until": words}
        )
        self.until = until


class NothingUploaded(Refused):
    """No file was given, or none of them holds a record."""

    field: ClassVar[str] = "files"


class TournamentIsFinal(Conflict):
    """The tournament's standings are final: it takes no change any more."""

    field: ClassVar[str] = "tournament"

    def __init__(self) -> None:
        super().__init__(
            _(
                "The standings of this tournament are final, so nothing of it is changed any more. "
                "An owner of the club can open it again, with a reason."
            )
        )


class NothingToRule(Refused):
    """Just that stands already."""

    field: ClassVar[str] = "kind"


class CannotTakeBack(Conflict):
    """The ruling was taken back before, or something that came after it stands on it."""

    field: ClassVar[str] = "ruling"


class AppealRefused(Conflict):
    """The time for an appeal is over, one is open already, or there is none to decide."""

    field: ClassVar[str] = "appeal"


class NotYet(Conflict):
    """Something has to be done first: the message names it."""

    field: ClassVar[str] = "status"


class ActReused(Conflict):
    """The id of a change was used for another one."""

    field: ClassVar[str] = "act"


class ChangedMeanwhile(Conflict):
    """Somebody else changed what this change was made on. The message says what it is now."""

    field: ClassVar[str] = "version"


class NoSuchRound(NotFound):
    """The tournament has no round of that number."""

    def __init__(self, number: int) -> None:
        super().__init__(_("This tournament has no round %(number)d.") % {"number": number})
        self.number = number


class OtherClub(Conflict):
    """The tournament is another club's than was said."""

    field: ClassVar[str] = "tournament"


class CannotDraw(Conflict):
    """Something must happen before a round can be drawn. The message names it."""


class NoPairing(Refused):
    """No round can be drawn of who is there and what the director wants. The message names those at fault."""

    field: ClassVar[str] = "seed"


class DraftInTheWay(ChangedMeanwhile):
    """A round is drafted already: it is published or thrown away before another one is drawn."""


class ResultsChanged(Conflict):
    """Results changed since the round was drawn, and nobody said that it is to stay as it is."""

    field: ClassVar[str] = "confirmed"


class NoSwap(Refused):
    """The two cannot change places. The message says why."""

    field: ClassVar[str] = "second"


class RoundInUse(Conflict):
    """A round that has begun is not taken back."""


class BadWish(Refused):
    """The two entries cannot be wanted together or apart."""

    field: ClassVar[str] = "second"


class BadSpreadsheet(Refused):
    """The file is no table that can be read. The message says what would do."""

    field: ClassVar[str] = "file"


class EntriesRefused(Refused):
    """Something is wrong with pairs that are to enter: ``faults`` names everything, row by row."""

    field: ClassVar[str] = "pair"

    def __init__(self, message: str, *, faults: tuple[PairFault, ...]) -> None:
        super().__init__(message)
        self.faults = faults


class NearNames(Refused):
    """New names are nearly others of the club, and nobody has said who is who: ``near`` has each with the other."""

    field: ClassVar[str] = "pair"

    def __init__(self, near: tuple[NearDuplicate, ...]) -> None:
        super().__init__(_("The club knows players with nearly these names. Say who is meant."))
        self.near = near


class EntriesClosed(Conflict):
    """The list of entries takes no more: the message says why."""


class AlreadyAsked(Conflict):
    """Who asks to play is in the list already, or asked before."""


class SeedsInUse(Conflict):
    """A round was drawn by the seeds."""


class SeedRepeated(Refused):
    """Two entries were given one seed."""

    field: ClassVar[str] = "seeds"


class EntryInUse(Conflict):
    """The entry has played, or is in a round that is published or drafted."""


class WrongState(Conflict):
    """The entry is not in the state that this can be done in."""


class RoundDrawn(Conflict):
    """The round is published: who does not play in it is no longer a matter of the list of entries."""

    field: ClassVar[str] = "round_number"


class SitsElsewhere(Refused):
    """The substitute plays in the same round already, or the player who is replaced does not sit at the table."""

    field: ClassVar[str] = "substitute"


class ClockRefused(Conflict):
    """The clock of a round does not allow that now, or not so many minutes."""

    field: ClassVar[str] = "minutes"


class LevelMatch(Conflict):
    """A match that must have a winner is level (law 13.2)."""

    field: ClassVar[str] = "state"


class MatchGivenAway(Conflict):
    """A ruling gave the match away: it is opened again by taking that back."""

    field: ClassVar[str] = "state"


class MatchIsOver(Conflict):
    """The match is finished or void: it takes no more deals from a slip."""

    field: ClassVar[str] = "state"


class LinkRevoked(Refused):
    """The link of the table was revoked: nothing is taken by it any more."""

    def __init__(self) -> None:
        super().__init__(
            _("This link of the table was revoked. Ask the director for the new one; nothing is lost.")
        )


class LinkExpired(Refused):
    """The session of the table's link is long over: nothing new is taken by it until a director says so."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "The time of this table’s link is over. Nothing is lost: keep the deal, and ask the director to extend "
                "the link (“Table links”, in the room). Then it is taken as it is."
            )
        )


class NotAsked(Conflict):
    """The tournament does not ask the other pair to confirm deals."""

    def __init__(self) -> None:
        super().__init__(_("In this tournament the other pair does not confirm deals."))


class NothingToConfirm(Conflict):
    """The revision that stands was not entered at the table, or before the tournament asked."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This was not entered at the table by a phone, so that nobody has to confirm it. Talk to the director."
            )
        )


class SaidOut(Conflict):
    """One side has said so much of a revision that no more is kept."""

    def __init__(self) -> None:
        super().__init__(_("This pair has said enough of this deal. Talk to the director."))


class NoSuchDeal(NotFound):
    """There is no such deal at this table."""

    def __init__(self) -> None:
        super().__init__(_("There is no such deal at this table."))


class OwnEntry(Refused):
    """Who entered a deal confirms it: it takes another device, of the other pair."""

    field: ClassVar[str] = "device"


class SameVersion(Refused):
    """The version of who disputes says just what is recorded."""

    field: ClassVar[str] = "pcn"

    def __init__(self) -> None:
        super().__init__(_("This says just what is recorded. Agree, or say what was different."))


class NotDisputed(Conflict):
    """The deal is not disputed, or not any more."""

    def __init__(self) -> None:
        super().__init__(_("This deal is not disputed any more."))


class DealsDisputed(Refused):
    """A match is to be finished with deals on which its table does not agree, and nobody said that it shall be."""

    field: ClassVar[str] = "state"


class NoSuchTable(Refused):
    """No table of the round or session has that number, and no slip that code."""

    field: ClassVar[str] = "place"


class BadCheckCode(Refused):
    """What was typed is no check code, or that of no slip of the tournament."""

    field: ClassVar[str] = "code"


class SlipRefused(Refused):
    """Lines of a slip cannot be taken. ``lines`` says why, line by line."""

    field: ClassVar[str] = "lines"

    def __init__(self, lines: Sequence[ReadLine]) -> None:
        super().__init__(_("Some lines cannot be taken as they stand. Nothing was saved."))
        self.lines = tuple(lines)


class SlipDisagrees(Refused):
    """A slip as it was keyed cannot be saved: a line is at fault, or a total is not what the deals come to."""

    field: ClassVar[str] = "lines"


class SlipConflict(Conflict):
    """A line of a slip says something else than is recorded of its deal."""

    field: ClassVar[str] = "lines"


class ResultsRefused(Conflict):
    """Rows of a file of results cannot be taken as they stand now."""

    field: ClassVar[str] = "file"


class WishInTheWay(Conflict):
    """Two would meet whom the director wants apart."""

    field: ClassVar[str] = "second"


class PdfMissing(Refused):
    """What makes a PDF is not installed."""


class PdfBusy(Refused):
    """Another PDF is being made."""


class BadWebhookAddress(Refused):
    """Nothing may be sent to that address."""

    field: ClassVar[str] = "url"


class NoEventChosen(Refused):
    """No event is named, or one that there is not."""

    field: ClassVar[str] = "kinds"


class TooManyWebhooks(Conflict):
    """The club has as many webhooks as it may have."""


class WebhookIsPaused(Conflict):
    """Nothing is sent to the webhook for the time being."""
