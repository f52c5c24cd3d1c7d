"""What every change of a list of entries is made on: its rows, its numbers, and what is written down of it."""

from collections.abc import Iterable

from django.db.models import Max
from django.utils.translation import gettext as _

from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from tournaments.domain.entering import COUNTS_MISSED_ROUNDS, ListedEntries
from tournaments.domain.plans import FormatName
from tournaments.errors import ChangedMeanwhile
from tournaments.models import ACCEPTED, Bye, ByeKind, Entry, EntryState, Round, Tournament


def published_rounds(tournament: Tournament) -> int:
    """Return the number of the last round that is published, 0 before the first. One query."""
    last = Round.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"]
    return int(last or 0)


def listed_entries(tournament: Tournament, *, without: int | None = None) -> ListedEntries:
    """Return who is in the list; the entry of the number ``without`` is left out. Two queries."""
    rows = Entry.objects.filter(tournament=tournament, state__in=ACCEPTED).order_by("number")
    entries = [row for row in rows if row.number != without]
    pairs = scoring.players_of_pairs(row.partnership_id for row in entries)
    return ListedEntries(
        count=len(entries),
        players={player.name: row.number for row in entries for player in pairs[row.partnership_id]},
        seeds={row.seed: row.number for row in entries if row.seed is not None},
    )


def entry_of(tournament: Tournament, number: int, *, version: int | None) -> Entry:
    """Return the entry as the form knew it; without a version as it is.

    :raises NotFound: if there is no such entry.
    :raises ChangedMeanwhile: if it was changed since.
    """
    row = Entry.objects.filter(tournament=tournament, number=number).first()
    if row is None:
        raise NotFound
    check_version(row, version)
    return row


def check_version(row: Entry, version: int | None) -> None:
    """Do nothing where the entry is at the version, or none is asked for.

    :raises ChangedMeanwhile: if it was changed since.
    """
    if version is not None and row.version != version:
        raise ChangedMeanwhile(_what_it_is_now(row))


def save_entry(row: Entry, *fields: str) -> None:
    """Save these columns of the entry, which is at its next version then."""
    row.version += 1
    row.save(update_fields=[*fields, "version"])


def next_number(tournament: Tournament) -> int:
    """Return the number of the next entry."""
    last = Entry.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"]
    return int(last or 0) + 1


def write_missed_rounds(
    tournament: Tournament, entries: Iterable[Entry], *, after: int, kind: ByeKind
) -> None:
    """Write down the published rounds after that one as rounds without a match, where the format counts them."""
    if FormatName(tournament.format) not in COUNTS_MISSED_ROUNDS:
        return
    missed = Round.objects.filter(tournament=tournament, number__gt=after)
    Bye.objects.bulk_create(
        (Bye(round=one, entry=entry, kind=kind) for one in missed for entry in entries), ignore_conflicts=True
    )


def name_of(row: Entry) -> str:
    """Return the partnership's name. One query."""
    return scoring.pair_names([row.partnership_id])[row.partnership_id]


def uid_of_pair(row: Entry) -> str:
    """Return by what the log knows the partnership: names are not kept there. One query."""
    return str(scoring.partnerships_by_id([row.partnership_id])[row.partnership_id].uid)


def _what_it_is_now(row: Entry) -> str:
    return _("Somebody changed this entry in the meantime. It is now: %(number)d. %(name)s, %(state)s.") % {
        "number": row.number,
        "name": name_of(row),
        "state": EntryState(row.state).label,
    }
