"""What is wrong with an archive, in words."""

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.domain.differences import Difference
from tournaments.domain.archive_file import ArchiveFault, FaultCode
from tournaments.errors import ArchiveProblem, ArchiveRefused, ArchiveTooLarge

MOST_IN_A_MESSAGE: Final = 3
LONGEST_VALUE: Final = 120
"""Characters of a value that are shown."""

_WORDS: Final[dict[FaultCode, Promise]] = {
    FaultCode.NO_ARCHIVE: gettext_lazy("This is no archive of a tournament: it does not begin as one."),
    FaultCode.NEWER_FORMAT: gettext_lazy(
        "The archive has format %(found)s; this site reads %(expected)s. A newer version of the software wrote it: "
        "take it in there, or bring this site up to date."
    ),
    FaultCode.TOO_LARGE: gettext_lazy(
        "Line %(line)d: the archive is larger than is taken here. `manage.py import_archive` takes larger ones."
    ),
    FaultCode.CUT_SHORT: gettext_lazy(
        "Line %(line)d: the archive ends in the middle. Fetch it again, whole."
    ),
    FaultCode.OTHER_LINE: gettext_lazy(
        "Line %(line)d: expected %(expected)s; found %(found)s. The file was changed or damaged: fetch it again."
    ),
    FaultCode.BAD_VALUE: gettext_lazy(
        "Line %(line)d, %(place)s: expected %(expected)s; found %(found)s. The file was changed or damaged: "
        "fetch it again."
    ),
    FaultCode.NOT_CANONICAL: gettext_lazy(
        "Line %(line)d, %(place)s: this is not written as an archive writes it. Take the file as it came, "
        "without formatting it."
    ),
    FaultCode.DAMAGED: gettext_lazy(
        "The archive is not what its last line says: it was changed or damaged. Fetch it again."
    ),
}


def refusal_of_fault(fault: ArchiveFault) -> ArchiveRefused | ArchiveTooLarge:
    """Return the refusal of a file that cannot be read."""
    facts = {"line": fault.line, "place": fault.place, "expected": fault.expected, "found": fault.found}
    message = str(_WORDS[fault.code]) % facts
    if fault.code is FaultCode.TOO_LARGE:
        return ArchiveTooLarge(message)
    problem = ArchiveProblem(fault.code.value, fault.place, message, line=fault.line)
    return ArchiveRefused(message, [problem])


def refusal_of_differences(differences: Sequence[Difference], count: int) -> ArchiveRefused:
    """Return the refusal of an archive that does not agree with its own records."""
    problems = [
        ArchiveProblem("disagrees", f"{one.where}, {one.what}", _words_of(one)) for one in differences
    ]
    head = ngettext(
        "The archive does not agree with its own records in %(count)d place, so nothing was taken in.",
        "The archive does not agree with its own records in %(count)d places, so nothing was taken in.",
        count,
    )
    told = [head % {"count": count}, *(problem.message for problem in problems[:MOST_IN_A_MESSAGE])]
    return ArchiveRefused(" ".join(told), problems)


def _words_of(one: Difference) -> str:
    return _("%(where)s, %(what)s: it says %(stored)s; by its records %(derived)s.") % {
        "where": one.where,
        "what": one.what,
        "stored": shortened(one.stored),
        "derived": shortened(one.derived),
    }


def shortened(text: str) -> str:
    """Return the beginning of a value, in one line."""
    line = " ".join(text.split()) or "–"
    return line if len(line) <= LONGEST_VALUE else f"{line[:LONGEST_VALUE]}…"


def contradiction(detail: str) -> ArchiveRefused:
    """Return the refusal of an archive that the database does not take: rows that cannot stand beside each other."""
    message = _("The archive contradicts itself or what is on this site, so nothing was taken in: %(detail)s")
    told = message % {"detail": shortened(detail)}
    return ArchiveRefused(told, [ArchiveProblem("contradiction", "", told)])
