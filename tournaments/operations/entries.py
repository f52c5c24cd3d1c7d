"""Everything by which pairs come into a tournament: by a director's hand or file, or because they asked."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor, unnarrowed
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.operations import find_or_make_partnerships, propose_partnership
from tournaments import queries
from tournaments.domain.entering import (
    MOST_ENTRIES,
    NewPair,
    PairFault,
    may_ask,
    pair_faults,
    player_faults,
    takes_late_entries,
)
from tournaments.domain.plans import FormatName
from tournaments.entry_rows import in_a_sentence
from tournaments.errors import AlreadyAsked, EntriesClosed, EntriesRefused, NearNames, WrongState
from tournaments.events import Event
from tournaments.models import ByeKind, Entry, EntryState, Status, Tournament
from tournaments.operations.listing import (
    entry_of,
    listed_entries,
    next_number,
    published_rounds,
    save_entry,
    uid_of_pair,
    write_missed_rounds,
)
from tournaments.operations.log import record_change
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked

LONGEST_NOTE = 200


@transaction.atomic(durable=True)
def take_entries(
    *,
    actor: Actor,
    slug: str,
    pairs: Sequence[NewPair],
    at: datetime,
    others: Collection[str] = (),
    act_id: UUID | None = None,
) -> tuple[int, ...]:
    """Enter the pairs, all of them or none, and return their numbers in the order of the pairs.

    ``others`` are new names that are nearly ones the club has, and are other people's all the same. Once rounds are
    published the pairs come late: they play from the next round that is drawn. A pair that asked to play is accepted
    by this.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises EntriesClosed: if its format has no place for a pair that comes late.
    :raises EntriesRefused: if something is wrong with one of them; it names everything.
    :raises NearNames: if a new name is nearly a known one, and not one of the ``others``.
    :raises NameRefused: if a name cannot be one.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    asked = {"pairs": [[*pair.names, pair.seed, pair.rating, pair.group] for pair in pairs]}

    def carry_out() -> Answer:
        _check_takes_entries(tournament)
        check_pairs(tournament, pairs, others)
        return {"entries": _enter(tournament, actor, pairs, at)}

    answer = once(tournament, act_id=act_id, what="entries-taken", asked=asked, at=at, carry_out=carry_out)
    return _numbers(answer)


def check_pairs(tournament: Tournament, pairs: Sequence[NewPair], others: Collection[str]) -> None:
    """Do nothing where these pairs can enter as they are. Three queries, however many.

    :raises EntriesRefused: if something is wrong with one of them; it names everything.
    :raises NearNames: if a new name is nearly a known one, and not one of the ``others``.
    """
    faults = pair_faults(pairs, listed_entries(tournament))
    if faults:
        raise refused(faults)
    names = [name for pair in pairs for name in pair.names]
    near = scoring.near_names(tournament.club_id, names, decided=others)
    if near:
        raise NearNames(near)


def refused(faults: tuple[PairFault, ...]) -> EntriesRefused:
    """Return the refusal of pairs with these faults."""
    if len(faults) == 1:
        return EntriesRefused(in_a_sentence(faults[0]), faults=faults)
    message = ngettext("%(count)d thing is wrong.", "%(count)d things are wrong.", len(faults))
    return EntriesRefused(message % {"count": len(faults)}, faults=faults)


# -- players who ask


@transaction.atomic(durable=True)
def ask_to_play(
    *,
    actor: Actor,
    slug: str,
    own_name: str,
    partner: str,
    at: datetime,
    note: str = "",
    act_id: UUID | None = None,
) -> int:
    """Ask for a place for oneself and a partner, and return the number of the entry that waits for an answer.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it, or is nobody.
    :raises EntriesClosed: if players cannot ask to play here, or not any more.
    :raises AlreadyAsked: if the user or the pair asked before.
    :raises EntriesRefused: if one of the two is in the list already.
    :raises NameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if the two names are one.
    :raises AccountTaken: if the first name is a player's who has another account.
    :raises ActReused: if the act was another one.
    """
    queries.tournament_for(slug, actor=actor)
    tournament = locked(slug, actor=actor, action=Action.ENTER_TOURNAMENT)
    kept = clean_text(note)[:LONGEST_NOTE]

    def carry_out() -> Answer:
        _check_may_ask(tournament, actor)
        found = propose_partnership(actor=actor, club_id=tournament.club_id, names=(own_name, partner), at=at)
        return {"entries": [_write_request(tournament, actor, found.pairs[0].partnership_id, kept, at)]}

    asked = {"names": [own_name, partner], "note": kept}
    answer = once(tournament, act_id=act_id, what="entry-asked", asked=asked, at=at, carry_out=carry_out)
    return _numbers(answer)[0]


@transaction.atomic(durable=True)
def take_back_request(*, actor: Actor, slug: str, at: datetime) -> None:
    """Take back what the actor asked for. The row goes; that it was there stays in the log.

    :raises NotFound: if there is no such tournament, or the actor has asked for nothing there.
    :raises Forbidden: if the actor may not see it, or is nobody.
    """
    queries.tournament_for(slug, actor=actor)
    tournament = locked(slug, actor=actor, action=Action.ENTER_TOURNAMENT)
    row = _asked_by(tournament, actor).filter(state=EntryState.REQUESTED).first()
    if row is None:
        raise NotFound
    detail: Detail = {"entry": row.number, "partnership": uid_of_pair(row)}
    row.delete()
    record_change(tournament, actor, Event.REQUEST_TAKEN_BACK, at, detail)


@transaction.atomic(durable=True)
def answer_request(
    *,
    actor: Actor,
    slug: str,
    entry: int,
    accept: bool,
    at: datetime,
    version: int | None = None,
    act_id: UUID | None = None,
) -> None:
    """Accept a pair that asked to play, or do not; one that was not accepted can still be.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises EntriesClosed: if its format has no place for a pair that comes late.
    :raises EntriesRefused: if one of the two is in the list already, or the list is full.
    :raises ChangedMeanwhile: if the entry was changed since the version.
    :raises WrongState: if the entry does not wait for an answer.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry_out() -> Answer:
        row = entry_of(tournament, entry, version=version)
        if row.state not in {EntryState.REQUESTED, EntryState.DECLINED}:
            raise WrongState(_("This pair was answered already."))
        if accept:
            _accept(tournament, actor, row, at)
        else:
            row.state = EntryState.DECLINED
            save_entry(row, "state")
            record_change(
                tournament,
                actor,
                Event.REQUEST_DECLINED,
                at,
                {"entry": row.number, "partnership": uid_of_pair(row)},
            )
        return {}

    asked = {"entry": entry, "accept": accept}
    once(tournament, act_id=act_id, what="request-answered", asked=asked, at=at, carry_out=carry_out)


# -- the steps


def _check_takes_entries(tournament: Tournament) -> int:
    """Return how many rounds are published.

    :raises TournamentIsFinal: if the standings are final.
    :raises EntriesClosed: if a round is published and the format has no place for who comes late.
    """
    published = published_rounds(tournament)
    if published and not takes_late_entries(FormatName(tournament.format)):
        raise EntriesClosed(
            _("In this format everything follows from the first draw: no pair can enter after it.")
        )
    return published


def _enter(tournament: Tournament, actor: Actor, pairs: Sequence[NewPair], at: datetime) -> list[int]:
    found = find_or_make_partnerships(
        actor=unnarrowed(actor), club_id=tournament.club_id, names=[pair.names for pair in pairs], at=at
    )
    joined = published_rounds(tournament) + 1
    ids = [pair.partnership_id for pair in found.pairs]
    waiting = {
        row.partnership_id: row for row in Entry.objects.filter(tournament=tournament, partnership__in=ids)
    }
    number = next_number(tournament)
    rows: list[Entry] = []
    for pair, pk in zip(pairs, ids, strict=True):
        row = waiting.get(pk)
        if row is None:
            row = Entry(tournament=tournament, number=number, partnership_id=pk)
            number += 1
        row.state = EntryState.ACTIVE
        row.seed, row.rating, row.group = pair.seed, pair.rating, pair.group
        row.joined_round, row.entered_at = joined, at
        row.entered_by_id = row.entered_by_id or actor.user_id
        row.version += 1 if row.pk else 0
        rows.append(row)
    _save_rows(rows)
    write_missed_rounds(tournament, rows, after=0, kind=ByeKind.LATE)
    numbers = [row.number for row in rows]
    made = scoring.partnerships_by_id(ids)
    detail: Detail = {
        "entries": [str(number) for number in numbers],
        "partnerships": [str(made[pk].uid) for pk in ids],
    }
    record_change(tournament, actor, Event.ENTRIES_TAKEN, at, detail)
    return numbers


def _save_rows(rows: Sequence[Entry]) -> None:
    fields = ["state", "seed", "rating", "group", "joined_round", "entered_at", "entered_by", "version"]
    Entry.objects.bulk_create([row for row in rows if not row.pk])
    Entry.objects.bulk_update([row for row in rows if row.version], fields)


def _accept(tournament: Tournament, actor: Actor, row: Entry, at: datetime) -> None:
    published = _check_takes_entries(tournament)
    listed = listed_entries(tournament)
    players = scoring.players_of_pairs([row.partnership_id])[row.partnership_id]
    faults = player_faults([player.name for player in players], listed)
    if faults:
        raise refused(faults)
    if listed.count >= MOST_ENTRIES:
        raise EntriesClosed(_("A tournament has at most %(most)d pairs.") % {"most": MOST_ENTRIES})
    row.state, row.joined_round = EntryState.ACTIVE, published + 1
    save_entry(row, "state", "joined_round")
    write_missed_rounds(tournament, [row], after=0, kind=ByeKind.LATE)
    record_change(
        tournament, actor, Event.REQUEST_ACCEPTED, at, {"entry": row.number, "partnership": uid_of_pair(row)}
    )


def _check_may_ask(tournament: Tournament, actor: Actor) -> None:
    is_open = may_ask(
        players_may_enter=tournament.players_may_enter,
        published_rounds=published_rounds(tournament),
        is_over=tournament.status == Status.FINAL,
    )
    if not is_open:
        raise EntriesClosed(
            _("Players cannot ask to play here, or not any more. Ask a director of the club.")
        )
    if _asked_by(tournament, actor).exists():
        raise AlreadyAsked(_("You asked to play in this tournament before."))
    if Entry.objects.filter(tournament=tournament).count() >= MOST_ENTRIES:
        raise EntriesClosed(_("A tournament has at most %(most)d pairs.") % {"most": MOST_ENTRIES})


def _asked_by(tournament: Tournament, actor: Actor) -> QuerySet[Entry]:
    states = [EntryState.REQUESTED, EntryState.DECLINED]
    return Entry.objects.filter(tournament=tournament, entered_by=actor.user_id, state__in=states)


def _write_request(tournament: Tournament, actor: Actor, partnership_id: int, note: str, at: datetime) -> int:
    players = scoring.players_of_pairs([partnership_id])[partnership_id]
    faults = player_faults([player.name for player in players], listed_entries(tournament))
    if faults:
        raise refused(faults)
    if Entry.objects.filter(tournament=tournament, partnership=partnership_id).exists():
        raise AlreadyAsked(_("This pair asked to play before."))
    row = Entry.objects.create(
        tournament=tournament,
        number=next_number(tournament),
        partnership_id=partnership_id,
        state=EntryState.REQUESTED,
        entered_at=at,
        entered_by_id=actor.user_id,
        note=note,
    )
    record_change(
        tournament, actor, Event.ENTRY_ASKED, at, {"entry": row.number, "partnership": uid_of_pair(row)}
    )
    return row.number


def _numbers(answer: Answer) -> tuple[int, ...]:
    found = answer["entries"]
    assert isinstance(found, list)
    return tuple(int(number) for number in found)
