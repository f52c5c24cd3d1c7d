"""Everything that makes and revokes the links of tables."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.permissions import Action, Actor
from tournaments import queries
from tournaments.errors import NoSuchTable
from tournaments.events import Event
from tournaments.models import Session, TableLink, Tournament
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked


@transaction.atomic(durable=True)
def make_table_links(*, actor: Actor, slug: str, session: int, at: datetime) -> int:
    """Make a link for every table of a session that has none, and return how many were made.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises NoSuchTable: if it has no such session.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = _session(tournament, session)
    tables = queries.tables_of_sessions(tournament).get(row.pk, ())
    good = TableLink.objects.filter(session=row, revoked_at=None)
    there = frozenset(good.values_list("table", flat=True))
    missing = [table for table in tables if table not in there]
    if not missing:
        return 0
    TableLink.objects.bulk_create(
        TableLink(session=row, table=table, made_by_id=actor.user_id, made_at=at) for table in missing
    )
    write_down(tournament, actor, Event.TABLE_LINKS_MADE, at, {"session": session, "tables": missing})
    return len(missing)


@transaction.atomic(durable=True)
def revoke_table_link(
    *, actor: Actor, slug: str, session: int, table: str, at: datetime, act_id: UUID | None = None
) -> bool:
    """Take the link of a table back, and return whether there was one. Nothing more is taken by it.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises NoSuchTable: if the session has no such table.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT, even_final=True)
    row = _session_with(tournament, session, table)
    answer = once(
        tournament,
        act_id=act_id,
        what="revoke-table-link",
        asked={"session": session, "table": table},
        at=at,
        carry_out=lambda: _revoke(tournament, actor, row, table, at),
    )
    return bool(answer["revoked"])


@transaction.atomic(durable=True)
def renew_table_link(
    *, actor: Actor, slug: str, session: int, table: str, at: datetime, act_id: UUID | None = None
) -> UUID:
    """Give a table a new link in the place of the one it has, which is revoked; return the id of the new one.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises NoSuchTable: if the session has no such table.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = _session_with(tournament, session, table)
    answer = once(
        tournament,
        act_id=act_id,
        what="renew-table-link",
        asked={"session": session, "table": table},
        at=at,
        carry_out=lambda: _renew(tournament, actor, row, table, at),
    )
    return UUID(str(answer["link"]))


@transaction.atomic(durable=True)
def extend_table_links(
    *, actor: Actor, slug: str, session: int, at: datetime, act_id: UUID | None = None
) -> int:
    """Let the good links of a session take deals for the tournament's hours from now; return how many there are.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises TournamentIsFinal: if the standings are final.
    :raises NoSuchTable: if it has no such session.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = _session(tournament, session)

    def carry_out() -> Answer:
        extended = TableLink.objects.filter(session=row, revoked_at=None).update(extended_at=at)
        if extended:
            write_down(tournament, actor, Event.TABLE_LINKS_EXTENDED, at, {"session": session})
        return {"extended": extended}

    asked = {"session": session}
    answer = once(
        tournament, act_id=act_id, what="extend-table-links", asked=asked, at=at, carry_out=carry_out
    )
    return int(str(answer["extended"]))


def _session(tournament: Tournament, number: int) -> Session:
    row = Session.objects.filter(tournament=tournament, number=number).first()
    if row is None:
        raise NoSuchTable(_("This tournament has no session %(number)d.") % {"number": number})
    return row


def _session_with(tournament: Tournament, number: int, table: str) -> Session:
    """Return the session, in which the table is, or had a link."""
    row = _session(tournament, number)
    tables = queries.tables_of_sessions(tournament).get(row.pk, ())
    if table not in tables and not TableLink.objects.filter(session=row, table=table).exists():
        raise NoSuchTable(_("This session has no table “%(table)s”.") % {"table": table})
    return row


def _revoke(tournament: Tournament, actor: Actor, session: Session, table: str, at: datetime) -> Answer:
    if not _take_back(actor, session, table, at):
        return {"revoked": False}
    detail: Detail = {"session": session.number, "table": table}
    write_down(tournament, actor, Event.TABLE_LINK_REVOKED, at, detail)
    return {"revoked": True}


def _renew(tournament: Tournament, actor: Actor, session: Session, table: str, at: datetime) -> Answer:
    _take_back(actor, session, table, at)
    link = TableLink.objects.create(session=session, table=table, made_by_id=actor.user_id, made_at=at)
    detail: Detail = {"session": session.number, "table": table}
    write_down(tournament, actor, Event.TABLE_LINK_RENEWED, at, detail)
    return {"link": str(link.uid)}


def _take_back(actor: Actor, session: Session, table: str, at: datetime) -> bool:
    good = TableLink.objects.filter(session=session, table=table, revoked_at=None)
    return bool(good.update(revoked_at=at, revoked_by=actor.user_id))
