"""Everything that writes a tournament into an archive, and takes one in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import IO, Final
from uuid import UUID

from django.db import DataError, IntegrityError, transaction
from django.utils.translation import gettext as _

from courtpiece.accounts import operations as accounts
from courtpiece.accounts.auditing import Detail, write_entry
from courtpiece.accounts.names import clean_name
from courtpiece.accounts.permissions import Action, Actor, require
from scoring import operations as scoring
from scoring import queries as scoring_queries
from scoring.domain.archived import ArchivedSheet
from scoring.operations import TakenPeople
from tournaments import queries
from tournaments.archive_words import contradiction, refusal_of_differences, refusal_of_fault
from tournaments.domain.archive_contents import Contents
from tournaments.domain.archive_file import ArchiveFault, ArchiveSource, lines_of, read_parts
from tournaments.domain.archive_standings import standings_after, standings_of
from tournaments.domain.archive_verifying import verify
from tournaments.domain.archived import (
    ArchivedEntry,
    ArchivedMatch,
    ArchivedRound,
    ArchivedRuling,
    ArchivedTournament,
)
from tournaments.domain.scheme_json import stored_scheme
from tournaments.errors import ArchivedHere, CardsHeldBack, SlugTaken
from tournaments.events import Event
from tournaments.jobs import COMPUTE_STANDINGS, enqueue_after_commit
from tournaments.models import (
    AppealStep,
    Bye,
    Entry,
    Match,
    PastRegulations,
    Round,
    RoundClock,
    Ruling,
    Session,
    Status,
    Substitution,
    Tournament,
)
from tournaments.operations.one_moment import at_one_moment
from tournaments.operations.running import path_of
from tournaments.operations.standings import facts_of_standings
from tournaments.queries.archives import archived_facts
from tournaments.schemes import check_ranking, check_tiebreaks, clean_rules

UPLOAD_BYTES: Final = 16 * 1024 * 1024
"""Of an archive that is sent to the site: some nine thousand deals, card by card."""
COMMAND_BYTES: Final = 4 * 1024 * 1024 * 1024


# -- out


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenArchive:
    """An archive that was written."""

    slug: str
    version: int
    sha256: str
    """What its last line says."""
    size: int
    """In bytes."""


def write_archive(*, slug: str, actor: Actor, file: IO[bytes], now: datetime) -> WrittenArchive:
    """Write everything that everybody may read of a tournament: the same for all, as it is at one moment.

    Some thirty queries, and four for each fifty scoresheets, which come one after another. The same state gives the
    same bytes; ``now`` decides only whether cards are still kept from the actor. The file is written from the start.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    :raises CardsHeldBack: if cards of it are still kept from the actor.
    """
    tournament = queries.tournament_for(slug, actor=actor)
    collection_id = tournament.collection_id
    until = scoring_queries.cards_held_until(collection_id, actor=actor, now=now)
    if until is not None:
        raise CardsHeldBack(until, words=queries.moment_there(tournament, until))

    def write() -> WrittenArchive:
        file.seek(0)
        file.truncate()
        return _write(Tournament.objects.get(pk=tournament.pk), file)

    return at_one_moment(collection_id, write, version_of=lambda written: written.version)


def _write(tournament: Tournament, file: IO[bytes]) -> WrittenArchive:
    facts = archived_facts(tournament)
    progress, about = facts_of_standings(tournament)
    source = ArchiveSource(
        club=facts.club,
        tournament=facts.tournament,
        players=facts.players,
        partnerships=facts.partnerships,
        entries=facts.entries,
        sessions=facts.sessions,
        rounds=facts.rounds,
        scoresheets=scoring_queries.archived_sheets(tournament.collection_id),
        rulings=facts.rulings,
        standings=standings_of(progress, about),
        standings_after=standings_after(progress, about),
    )
    size = 0
    line = b""
    for line in lines_of(source):
        size += file.write(line)
    seal = line.decode().split('"')[3]
    return WrittenArchive(slug=tournament.slug, version=facts.tournament.version, sha256=seal, size=size)


# -- in


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedArchive:
    """A tournament that was taken in."""

    slug: str
    entries: int
    matches: int
    deals: int
    revisions: int


def import_archive(
    *,
    actor: Actor,
    club: str,
    file: IO[bytes],
    at: datetime,
    most_bytes: int = UPLOAD_BYTES,
    create: bool = False,
) -> ImportedArchive:
    """Take the tournament of an archive into a club, with its ids and its history, once it was found to be true.

    Players and partnerships are those of the same ids; whom the club does not know is made. All of it is written in one
    transaction, or nothing. ``file`` can be read twice. With ``create`` the club is made where there is none.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises ArchiveTooLarge: if it has more than ``most_bytes``.
    :raises ArchiveRefused: if it is no archive, is damaged, or does not agree with its own records.
    :raises ArchivedHere: if the tournament is on this site already.
    :raises SlugTaken: if another tournament has its address.
    :raises ArchivedBefore: if a scoresheet or a deal of it is on this site already.
    :raises ArchivedPersonElsewhere: if somebody of it cannot be told from somebody else whom the club knows.
    :raises Refused: whatever is refused of a tournament that is made.
    """
    if not create:
        queries.club_for(club, actor=actor, action=Action.MANAGE_TOURNAMENT)
    contents = _verified(file, most_bytes)
    try:
        return _import(actor, club, file, contents, at, create=create)
    except (IntegrityError, DataError) as error:
        raise contradiction(str(error)) from error


def _verified(file: IO[bytes], most_bytes: int) -> Contents:
    try:
        verified = verify(file, most_bytes=most_bytes)
    except ArchiveFault as fault:
        raise refusal_of_fault(fault) from fault
    if not verified.agrees:
        raise refusal_of_differences(verified.differences, verified.count)
    return verified.contents


@transaction.atomic(durable=True)
def _import(
    actor: Actor, club: str, file: IO[bytes], contents: Contents, at: datetime, *, create: bool
) -> ImportedArchive:
    club_id = _club(actor, club, contents, at, create=create)
    require(actor, Action.MANAGE_TOURNAMENT, club_id=club_id)
    _check_new(actor, contents)
    people = scoring.take_people(
        actor=actor,
        club_id=club_id,
        players=contents.players,
        partnerships=contents.partnerships,
        at=at,
    )
    tournament = _make_tournament(actor, club_id, contents.tournament)
    sheets = scoring.take_sheets(
        actor=actor, collection_id=tournament.collection_id, sheets=_sheets(file), people=people
    )
    _make_parts(tournament, contents, people, sheets)
    _settle(actor, tournament, contents, at)
    return ImportedArchive(
        slug=tournament.slug,
        entries=len(contents.entries),
        matches=len(sheets),
        deals=contents.deal_count,
        revisions=contents.revision_count,
    )


def _club(actor: Actor, slug: str, contents: Contents, at: datetime, *, create: bool) -> int:
    """Return the id of the club, which is made as the archive has it where it is missing and that is wanted."""
    if create and not queries.is_club(slug):
        club = contents.club
        return accounts.make_club(
            actor=actor,
            name=club.name,
            slug=slug,
            timezone=club.timezone,
            city=club.city,
            country=club.country,
            at=at,
        )
    return queries.club_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT).id


def _check_new(actor: Actor, contents: Contents) -> None:
    """Refuse a tournament that is here, as a whole or in part."""
    slug = contents.tournament.slug
    sessions = [one.id for one in contents.sessions]
    here = Session.objects.filter(uid__in=sessions).values_list("tournament__slug", flat=True).first()
    if here == slug:
        message = _("This tournament is on this site already, at %(address)s: an archive is taken in once.")
        raise ArchivedHere(message % {"address": path_of(slug)})
    if Tournament.objects.filter(slug=slug).exists():
        message = _("Another tournament of this site has the address “%(slug)s”, which this one has too.")
        raise SlugTaken(message % {"slug": slug})
    if here is not None or _is_partly_here(contents):
        raise ArchivedHere(
            _(
                "Parts of this tournament are on this site already, under another address: it is taken in once."
            )
        )


def _is_partly_here(contents: Contents) -> bool:
    matches = [match.id for _one, match in contents.matches]
    return (
        Round.objects.filter(uid__in=[one.id for one in contents.rounds]).exists()
        or Match.objects.filter(uid__in=matches).exists()
        or Ruling.objects.filter(uid__in=[ruling.id for ruling in contents.rulings]).exists()
    )


def _sheets(file: IO[bytes]) -> Iterator[ArchivedSheet]:
    """Yield the scoresheets of a file that was verified, to its end: if it is another one now, nothing is taken in."""
    file.seek(0)
    try:
        for part in read_parts(file, most_bytes=COMMAND_BYTES):
            if isinstance(part.value, ArchivedSheet):
                yield part.value
    except ArchiveFault as fault:
        raise refusal_of_fault(fault) from fault


def _make_tournament(actor: Actor, club_id: int, archived: ArchivedTournament) -> Tournament:
    scheme = stored_scheme(
        format_name=archived.format.value,
        ranking=archived.ranking.value,
        points={},
        tiebreaks=[code.value for code in archived.tiebreaks],
        lot_seed=archived.lot_seed,
    )
    check_ranking(archived.format.value, scheme)
    check_tiebreaks(archived.format.value, scheme)
    name = clean_name(archived.name)
    collection_id = scoring.create_collection(
        actor=actor,
        club_id=club_id,
        visibility=archived.visibility,
        name=name,
        path=path_of(archived.slug),
        cards_delay=timedelta(minutes=archived.live_delay),
    )
    return Tournament.objects.create(
        slug=archived.slug,
        club_id=club_id,
        name=name,
        collection_id=collection_id,
        format=archived.format.value,
        plan=archived.plan,
        visibility=archived.visibility,
        rules=clean_rules(archived.rules),
        rules_version=archived.rules_version,
        ranking=archived.ranking.value,
        points=dict(archived.points),
        tiebreaks=[code.value for code in archived.tiebreaks],
        lot_seed=archived.lot_seed,
        players_may_enter=archived.players_may_enter,
        appeal_minutes=archived.appeal_minutes,
        appeals_until=archived.appeals_until,
        live_delay=archived.live_delay,
        confirmation=archived.confirmation,
        link_hours=archived.link_hours,
        created_by_id=actor.user_id,
        created_at=archived.created_at,
    )


def _make_parts(
    tournament: Tournament, contents: Contents, people: TakenPeople, sheets: Mapping[UUID, int]
) -> None:
    _make_past_rules(tournament, contents.tournament)
    entries = _make_entries(tournament, contents.entries, people)
    rounds = _make_rounds(tournament, contents)
    matches = _make_matches(contents, rounds, entries, sheets)
    _make_substitutions(contents, matches, people)
    _make_byes(contents.rounds, rounds, entries)
    _make_rulings(tournament, contents.rulings, matches, entries)


def _make_past_rules(tournament: Tournament, archived: ArchivedTournament) -> None:
    PastRegulations.objects.bulk_create(
        PastRegulations(
            tournament=tournament,
            version=past.version,
            rules=past.rules,
            ranking=past.ranking.value,
            points=dict(past.points),
            tiebreaks=[code.value for code in past.tiebreaks],
            lot_seed=past.lot_seed,
            reason=past.reason,
            changed_at=past.changed_at,
        )
        for past in archived.past_rules
    )


def _make_entries(
    tournament: Tournament, archived: Sequence[ArchivedEntry], people: TakenPeople
) -> dict[int, Entry]:
    rows = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            number=entry.number,
            partnership_id=people.partnerships[entry.partnership],
            seed=entry.seed,
            group=entry.group,
            state=entry.state,
            joined_round=entry.joined_round,
            withdrawn_after=entry.withdrawn_after,
            penalty=entry.penalty,
            penalty_reason=entry.penalty_reason,
        )
        for entry in archived
    )
    return {row.number: row for row in rows}


def _make_rounds(tournament: Tournament, contents: Contents) -> dict[int, Round]:
    sessions = Session.objects.bulk_create(
        Session(
            uid=one.id,
            tournament=tournament,
            number=one.number,
            place=one.place,
            starts_at=one.starts_at,
            minutes=one.minutes,
            deals=one.deals,
            courts=one.courts,
        )
        for one in contents.sessions
    )
    session_of = {row.number: row for row in sessions}
    rows = Round.objects.bulk_create(
        Round(
            uid=one.id,
            tournament=tournament,
            session=session_of[one.session],
            number=one.number,
            label=one.label,
            name=one.name,
            state=one.state,
            seed=one.seed,
            published_at=one.published_at,
            closed_at=one.closed_at,
        )
        for one in contents.rounds
    )
    RoundClock.objects.bulk_create(
        _clock(row, one) for row, one in zip(rows, contents.rounds, strict=True) if one.clock is not None
    )
    return {row.number: row for row in rows}


def _clock(row: Round, one: ArchivedRound) -> RoundClock:
    clock = one.clock
    if clock is None:
        raise LookupError("the round has no clock")
    return RoundClock(
        round=row,
        length=clock.length,
        added=clock.added,
        ran=timedelta(microseconds=clock.ran),
        running_since=clock.running_since,
        started_at=clock.started_at,
        last_deal_at=clock.last_deal_at,
        ended_at=clock.ended_at,
    )


def _make_matches(
    contents: Contents, rounds: Mapping[int, Round], entries: Mapping[int, Entry], sheets: Mapping[UUID, int]
) -> dict[UUID, Match]:
    rows = Match.objects.bulk_create(
        _match(match, rounds[one.number], entries, sheets[match.scoresheet])
        for one, match in contents.matches
    )
    return {row.uid: row for row in rows}


def _match(match: ArchivedMatch, row: Round, entries: Mapping[int, Entry], sheet_id: int) -> Match:
    adjusted = match.adjusted
    return Match(
        uid=match.id,
        round=row,
        table=match.table,
        ns=entries[match.ns],
        ew=entries[match.ew],
        scoresheet_id=sheet_id,
        state=match.state,
        name=match.name,
        first_dealer=match.first_dealer or "",
        drawn=dict(match.drawn or {}),
        forfeit=match.forfeit or "",
        adjusted_ns=None if adjusted is None else adjusted.NS,
        adjusted_ew=None if adjusted is None else adjusted.EW,
        finished_at=match.finished_at,
    )


def _make_substitutions(contents: Contents, matches: Mapping[UUID, Match], people: TakenPeople) -> None:
    Substitution.objects.bulk_create(
        Substitution(
            match=matches[match.id],
            absent_id=people.players[one.absent],
            substitute_id=people.players[one.substitute],
            reason=one.reason,
            made_at=one.made_at,
        )
        for _round, match in contents.matches
        for one in match.substitutions
    )


def _make_byes(
    archived: Sequence[ArchivedRound], rounds: Mapping[int, Round], entries: Mapping[int, Entry]
) -> None:
    Bye.objects.bulk_create(
        Bye(round=rounds[one.number], entry=entries[bye.entry], kind=bye.kind, drawn=dict(bye.drawn))
        for one in archived
        for bye in one.byes
    )


def _make_rulings(
    tournament: Tournament,
    archived: Sequence[ArchivedRuling],
    matches: Mapping[UUID, Match],
    entries: Mapping[int, Entry],
) -> None:
    made: dict[int, Ruling] = {}
    for ruling in archived:
        row = Ruling.objects.create(
            uid=ruling.id,
            tournament=tournament,
            number=ruling.number,
            kind=ruling.kind,
            match=None if ruling.match is None else matches[ruling.match],
            entry=None if ruling.entry is None else entries[ruling.entry],
            deal_uid=None if ruling.deal is None else ruling.deal.id,
            deal_number=None if ruling.deal is None else ruling.deal.number,
            law=ruling.law,
            reason=ruling.reason,
            decided=ruling.decided,
            effect=asdict(ruling.effect),
            takes_back=None if ruling.takes_back is None else made[ruling.takes_back],
            by_director_elsewhere=ruling.made_by == "director",
            made_at=ruling.made_at,
            appeal_until=ruling.appeal_until,
        )
        made[ruling.number] = row
        AppealStep.objects.bulk_create(
            AppealStep(
                ruling=row,
                number=step.number,
                kind=step.kind,
                entry=None if step.entry is None else entries[step.entry],
                reason=step.reason,
                made_at=step.made_at,
            )
            for step in ruling.appeal
        )


def _settle(actor: Actor, tournament: Tournament, contents: Contents, at: datetime) -> None:
    """Write down where the tournament came from, and close what is final."""
    archived = contents.tournament
    about: Detail = {"tournament": tournament.slug}
    if archived.seeding is not None:
        drawn: Detail = {} if archived.seeding.drawn_from is None else {"seed": archived.seeding.drawn_from}
        detail: Detail = {**about, "method": archived.seeding.method, **drawn}
        write_entry(actor=actor, what=Event.ENTRIES_SEEDED, at=at, club_id=tournament.club_id, detail=detail)
    write_entry(
        actor=actor,
        what=Event.TOURNAMENT_IMPORTED,
        at=at,
        club_id=tournament.club_id,
        detail={**about, "from": contents.club.slug, "rows": contents.standings.sha256.rows},
    )
    collection_id = tournament.collection_id
    scoring.set_collection_version(collection_id=collection_id, version=archived.version)
    Tournament.objects.filter(pk=tournament.pk).update(status=archived.status)
    if archived.status == Status.FINAL.value:
        scoring.lock_collection(collection_id=collection_id)
    enqueue_after_commit(COMPUTE_STANDINGS, collection_id=collection_id, version=archived.version)
