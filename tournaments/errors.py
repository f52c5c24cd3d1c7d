"""What tournaments refuse, each with what a person can do about it."""

from typing import ClassVar

from django.utils.translation import gettext as _

from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict, Refused


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


class UnknownState(Refused):
    """There is no such state of a match or status of standings."""

    field: ClassVar[str] = "state"


class UploadTooLarge(Refused):
    """The files are too many or too large."""

    field: ClassVar[str] = "files"


class NothingUploaded(Refused):
    """No file was given, or none of them holds a record."""

    field: ClassVar[str] = "files"


class TournamentIsFinal(Conflict):
    """The tournament's standings are final: it takes no more deals."""

    field: ClassVar[str] = "tournament"


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
