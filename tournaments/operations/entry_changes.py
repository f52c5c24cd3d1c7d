"""Everything that changes an entry that is in the list."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor
from scoring import queries as scoring
from scoring.operations import Pair, find_or_make_partnerships, reseat_scoresheet
from tournaments.domain.entering import NewPair, pair_faults
from tournaments.errors import EntriesRefused, EntryInUse, NearNames, ReasonNeeded, RoundDrawn, WrongState
from tournaments.events import Event
from tournaments.models import (
    Absence,
    AbsenceKind,
    ByeKind,
    Draft,
    Entry,
    EntryState,
    Match,
    Tournament,
    Wish,
)
from tournaments.operations.entries import refused
from tournaments.operations.listing import (
    entry_of,
    listed_entries,
    published_rounds,
    save_entry,
    uid_of_pair,
    write_missed_rounds,
)
from tournaments.operations.log import record_change
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked

LONGEST_REASON = 200


@transaction.atomic(durable=True)
def withdraw_entry(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    reason: str,
    at: datetime,
    version: int | None = None,
    act_id: UUID | None = None,
) -> None:
    """Take an entry out of the rounds that are still to be drawn. What it played stays.

    A match of a round that is published stays as it is: whether it is played or given away is a ruling.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises ReasonNeeded: if there is no reason.
    :raises ChangedMeanwhile: if the entry was changed since the version.
    :raises WrongState: if it does not play now.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    why = _reason(reason, _("Say why the pair leaves."))

    def carry_out() -> Answer:
        row = entry_of(tournament, entry, version=version)
        _check_state(row, EntryState.ACTIVE)
        row.state, row.withdrawn_after = EntryState.WITHDRAWN, published_rounds(tournament)
        save_entry(row, "state", "withdrawn_after")
        _record(
            tournament, actor, Event.ENTRY_WITHDRAWN, at, row, {"reason": why, "after": row.withdrawn_after}
        )
        return {}

    asked = {"entry": entry, "reason": why}
    once(tournament, act_id=act_id, what="entry-withdrawn", asked=asked, at=at, carry_out=carry_out)


@transaction.atomic(durable=True)
def readmit_entry(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    at: datetime,
    version: int | None = None,
    act_id: UUID | None = None,
) -> None:
    """Let an entry that was withdrawn come back: it plays from the next round that is drawn.

    The rounds that were published meanwhile are rounds in which it was not there.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises ChangedMeanwhile: if the entry was changed since the version.
    :raises WrongState: if it is not withdrawn.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry_out() -> Answer:
        row = entry_of(tournament, entry, version=version)
        _check_state(row, EntryState.WITHDRAWN)
        left_after = row.withdrawn_after or 0
        row.state, row.withdrawn_after = EntryState.ACTIVE, None
        save_entry(row, "state", "withdrawn_after")
        write_missed_rounds(
            tournament, [row], after=max(left_after, row.joined_round - 1), kind=ByeKind.ABSENT
        )
        _record(tournament, actor, Event.ENTRY_READMITTED, at, row, {})
        return {}

    once(
        tournament, act_id=act_id, what="entry-readmitted", asked={"entry": entry}, at=at, carry_out=carry_out
    )


@transaction.atomic(durable=True)
def remove_entry(*, actor: Actor, slug: str, entry: int, at: datetime, version: int | None = None) -> None:
    """Take an entry out of the list as if it had never been there: it was typed by mistake.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises EntryInUse: if a round is published or drafted: then it is withdrawn.
    :raises ChangedMeanwhile: if the entry was changed since the version.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = entry_of(tournament, entry, version=version)
    if published_rounds(tournament):
        raise EntryInUse(_("A round is published: withdraw the pair instead."))
    if Draft.objects.filter(tournament=tournament).exists():
        raise EntryInUse(_("A round is drafted with this list. Take the draft back first."))
    if row.penalty or row.rulings.exists():
        raise EntryInUse(_("There is a ruling on this entry: withdraw the pair instead."))
    detail: Detail = {"entry": row.number, "partnership": uid_of_pair(row)}
    Absence.objects.filter(entry=row).delete()
    Wish.objects.filter(first=row).delete()
    Wish.objects.filter(second=row).delete()
    row.delete()
    record_change(tournament, actor, Event.ENTRY_REMOVED, at, detail)


@transaction.atomic(durable=True)
def change_entry(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    rating: int | None,
    group: int | None,
    at: datetime,
    version: int | None = None,
) -> None:
    """Say another rating or group of an entry; the seeds stay as they are until they are given again.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises EntryInUse: if the group would be another one, and a round is published.
    :raises ChangedMeanwhile: if the entry was changed since the version.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = entry_of(tournament, entry, version=version)
    if (row.rating, row.group) == (rating, group):
        return
    if row.group != group and published_rounds(tournament):
        raise EntryInUse(_("A round is published: the groups stay as they are."))
    row.rating, row.group = rating, group
    save_entry(row, "rating", "group")
    _record(tournament, actor, Event.ENTRY_CHANGED, at, row, {"rating": rating, "group": group})


@transaction.atomic(durable=True)
def replace_pair(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    names: tuple[str, str],
    at: datetime,
    others: Collection[str] = (),
    version: int | None = None,
    act_id: UUID | None = None,
) -> None:
    """Say that other players are the pair of an entry, which has played nothing yet.

    A name was wrong, or a partner changed before the start. Matches that are published are seated anew.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises EntryInUse: if a deal of the entry is recorded, or a substitute sits in for it.
    :raises EntriesRefused: if a player is in another entry, or the pair asked to play in another one.
    :raises NearNames: if a new name is nearly a known one, and not one of the ``others``.
    :raises NameRefused: if a name cannot be one.
    :raises ChangedMeanwhile: if the entry was changed since the version.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry_out() -> Answer:
        row = entry_of(tournament, entry, version=version)
        _check_pair(tournament, row, names, others)
        matches = _unplayed_matches(row)
        (pair,) = find_or_make_partnerships(
            actor=actor, club_id=tournament.club_id, names=[names], at=at
        ).pairs
        if pair.partnership_id == row.partnership_id:
            return {}
        before = uid_of_pair(row)
        _take_over(tournament, row, pair)
        for match in matches:
            _seat(actor, match, row, pair)
        _record(tournament, actor, Event.ENTRY_REPLACED, at, row, {"before": before})
        return {}

    asked = {"entry": entry, "names": list(names)}
    once(tournament, act_id=act_id, what="entry-replaced", asked=asked, at=at, carry_out=carry_out)


@transaction.atomic(durable=True)
def set_absence(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    round_number: int,
    kind: str | None,
    at: datetime,
    act_id: UUID | None = None,
) -> None:
    """Say that an entry does not play in a round that is still to be drawn, and why; None: it does play.

    The same again changes nothing.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises RoundDrawn: if the round is published.
    :raises WrongState: if the entry does not play now.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = entry_of(tournament, entry, version=None)

    def carry_out() -> Answer:
        _check_state(row, EntryState.ACTIVE)
        if round_number <= published_rounds(tournament):
            raise RoundDrawn(_("Round %(number)d is published already.") % {"number": round_number})
        known = Absence.objects.filter(entry=row, round_number=round_number)
        if (known.values_list("kind", flat=True).first() or None) == kind:
            return {}
        known.delete()
        if kind is not None:
            Absence.objects.create(entry=row, round_number=round_number, kind=AbsenceKind(kind))
        detail: Detail = {"round": round_number, "kind": kind or "plays"}
        _record(tournament, actor, Event.ENTRY_ABSENCE, at, row, detail)
        return {}

    asked = {"entry": entry, "round": round_number, "kind": kind}
    once(tournament, act_id=act_id, what="entry-absence", asked=asked, at=at, carry_out=carry_out)


# -- the steps


def _reason(text: str, ask: str) -> str:
    why = clean_text(text)[:LONGEST_REASON]
    if not why:
        raise ReasonNeeded(ask)
    return why


def _check_state(row: Entry, state: EntryState) -> None:
    if row.state != state:
        raise WrongState(_("This entry is %(state)s.") % {"state": EntryState(row.state).label})


def _check_pair(tournament: Tournament, row: Entry, names: tuple[str, str], others: Collection[str]) -> None:
    faults = pair_faults([NewPair(row=1, names=names)], listed_entries(tournament, without=row.number))
    if faults:
        raise refused(faults)
    near = scoring.near_names(tournament.club_id, names, decided=others)
    if near:
        raise NearNames(near)


def _unplayed_matches(row: Entry) -> list[Match]:
    """Return the entry's matches.

    :raises EntryInUse: if a deal of one is recorded, or a substitute sits in one.
    """
    matches = [*Match.objects.filter(ns=row), *Match.objects.filter(ew=row)]
    results = scoring.sheet_results(match.scoresheet_id for match in matches)
    if any(result.version for result in results):
        raise EntryInUse(_("The pair has played: let a substitute sit in for a match, or withdraw it."))
    if any(match.substitutions.exists() for match in matches):
        raise EntryInUse(_("A substitute sits in for this pair. Take the substitute back first."))
    return matches


def _take_over(tournament: Tournament, row: Entry, pair: Pair) -> None:
    """Make the pair that of the entry; if it only asked to play in another one, that request is met by this."""
    asked = Entry.objects.filter(tournament=tournament, partnership=pair.partnership_id)
    if asked.exclude(state__in=[EntryState.REQUESTED, EntryState.DECLINED]).exists():
        raise EntriesRefused(_("This pair is in the list already."), faults=())
    asked.delete()
    row.partnership_id = pair.partnership_id
    save_entry(row, "partnership")


def _seat(actor: Actor, match: Match, row: Entry, pair: Pair) -> None:
    """Put the pair into the match's seats; the other pair keeps its own."""
    north, south, east, west = scoring.seated_players([match.scoresheet_id])[match.scoresheet_id]
    entries = Entry.objects.in_bulk([match.ns_id, match.ew_id])
    ns = Pair(entries[match.ns_id].partnership_id, (north, south))
    ew = Pair(entries[match.ew_id].partnership_id, (east, west))
    reseat_scoresheet(
        actor=actor,
        scoresheet_id=match.scoresheet_id,
        ns=pair if match.ns_id == row.pk else ns,
        ew=pair if match.ew_id == row.pk else ew,
    )


def _record(
    tournament: Tournament,
    actor: Actor,
    event: Event,
    at: datetime,
    row: Entry,
    detail: Detail,
) -> None:
    record_change(
        tournament, actor, event, at, {"entry": row.number, "partnership": uid_of_pair(row), **detail}
    )
