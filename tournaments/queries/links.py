"""The links of tables: the director's page of them, their addresses, and what one that is sent stands for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import UUIDField
from django.urls import reverse

from courtpiece.accounts.permissions import Action, Actor, TableGrant
from courtpiece.accounts.prepared import Prepared
from tournaments.errors import LinkRevoked
from tournaments.link_secrets import secret_of, uid_of
from tournaments.models import DeviceReport, Match, Session, TableLink, Tournament
from tournaments.publishing import timestamp
from tournaments.queries.link_times import LastHeard, good_until, last_of_sessions
from tournaments.queries.parts import table_key
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for

# -- the director's page


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLine:
    """A table of a session, with its link."""

    table: str
    path: str
    """Its address on this site, secret and all; empty where it has no link that is good."""
    made_at: datetime | None
    """None without a link that is good."""
    was_revoked: bool
    """Whether it had one before."""
    until: datetime | None = None
    """Until when it takes new deals; None: no end is set."""
    is_expired: bool = False
    """Whether that is over."""

    @property
    def has_link(self) -> bool:
        """Whether there is a link that is good."""
        return bool(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLinks:
    """The tables of a session."""

    number: int
    place: str
    starts_at: datetime | None
    tables: tuple[LinkLine, ...]

    @property
    def expired(self) -> int:
        """How many links take no new deals any more."""
        return sum(line.is_expired for line in self.tables)

    @property
    def missing(self) -> int:
        """How many tables have no link."""
        return sum(not line.has_link for line in self.tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksPage:
    """The tables of a tournament with their links."""

    header: TournamentHeader
    sessions: tuple[SessionLinks, ...]
    """Those that have tables."""
    hours: int | None
    """For how long a link takes deals after the last thing that happened; None: for ever."""


def links_page(slug: str, *, actor: Actor, now: datetime) -> LinksPage:
    """Return every table with its link. Nine queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    row = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    tables = tables_of_sessions(row)
    links: defaultdict[tuple[int, str], list[TableLink]] = defaultdict(list)
    for link in TableLink.objects.filter(session__tournament=row).order_by("pk"):
        links[link.session_id, link.table].append(link)
    rows = list(Session.objects.filter(tournament=row).order_by("number"))
    last = last_of_sessions([session.pk for session in rows])
    sessions = (
        SessionLinks(
            number=session.number,
            place=session.place,
            starts_at=session.starts_at,
            tables=tuple(
                _line(table, links[session.pk, table], last[session.pk], row.link_hours, now)
                for table in tables.get(session.pk, ())
            ),
        )
        for session in rows
    )
    return LinksPage(
        header=header_of(row, actor),
        sessions=tuple(one for one in sessions if one.tables),
        hours=row.link_hours,
    )


def _line(
    table: str, links: Iterable[TableLink], last: LastHeard, hours: int | None, now: datetime
) -> LinkLine:
    good = next((link for link in links if link.revoked_at is None), None)
    moments = () if good is None else (good.made_at, good.extended_at)
    until = good_until(hours=hours, link_at=moments, session=last) if moments else None
    return LinkLine(
        table=table,
        path="" if good is None else path_of_link(good.uid),
        made_at=None if good is None else good.made_at,
        was_revoked=any(link.revoked_at is not None for link in links),
        until=until,
        is_expired=until is not None and until < now,
    )


def tables_of_sessions(tournament: Tournament) -> dict[int, tuple[str, ...]]:
    """Return the tables at which matches are, in their order, by the session's database id. One query."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    rows = Match.objects.filter(round__tournament=tournament).order_by()
    for session_id, table in rows.values_list("round__session", "table").distinct():
        found[session_id].add(table)
    return {session_id: tuple(sorted(tables, key=table_key)) for session_id, tables in found.items()}


# -- addresses


def path_of_link(uid: UUID) -> str:
    """Return the address of a link on this site.

    The secret stands in the fragment, which browsers send nowhere: neither in a log nor in a ``Referer`` is it.
    """
    return f"{reverse('tournaments:table_shell')}#{secret_of(uid)}"


def paths_of_links(tournament: Tournament) -> Mapping[tuple[int, str], str]:
    """Return the addresses of the links that are good, by the session's number and the table. One query."""
    rows = TableLink.objects.filter(session__tournament=tournament, revoked_at=None)
    found = rows.values_list("session__number", "table", "uid")
    return {(session, table): path_of_link(uid) for session, table, uid in found}


# -- what is sent


def grant_of(secret: str) -> TableGrant | None:
    """Return what the link with this secret stands for; None if there is none. One query or none.

    :raises LinkRevoked: if it was revoked.
    """
    uid = uid_of(secret)
    if uid is None:
        return None
    # Every request of a phone begins here. The row comes once for each match of the session, at whatever table.
    found = _GRANT.rows(uid)
    if not found:
        return None
    link_id, table, revoked_at, club_id, *_match = found[0]
    if revoked_at is not None:
        raise LinkRevoked
    return TableGrant(
        link_id=link_id,
        name=f"table {table}, link {uid.hex[:8]}",
        club_id=club_id,
        scoresheet_ids=frozenset(sheet for *_link, played_at, sheet in found if played_at == table),
    )


_GRANT: Final = Prepared(
    lambda uid: TableLink.objects.filter(uid=uid).values_list(
        *("pk", "table", "revoked_at", "session__tournament__club"),
        *("session__rounds__matches__table", "session__rounds__matches__scoresheet"),
    ),
    UUIDField(),
)


# -- what devices say


@dataclass(frozen=True, slots=True)
class Unsent:
    """Deals that are on devices at a table and nowhere else, by what these said last."""

    deals: int
    heard_at: datetime
    """When the one of them was heard that has been silent longest."""

    @property
    def heard_iso(self) -> str:
        """The moment for machines."""
        return timestamp(self.heard_at)


def unsent_of_tables(round_ids: Iterable[int]) -> dict[tuple[int, str], Unsent]:
    """Return the tables with deals that are not yet sent, by the round and the table. One query.

    A device that was given a new link counts with what it said last; one whose link was revoked still counts.
    """
    rows = DeviceReport.objects.filter(link__session__rounds__in=list(round_ids)).order_by("heard_at")
    newest: defaultdict[tuple[int, str], dict[UUID, Unsent]] = defaultdict(dict)
    for round_id, table, device, unsent, heard_at in rows.values_list(
        "link__session__rounds", "link__table", "device", "unsent", "heard_at"
    ):
        newest[round_id, table][device] = Unsent(unsent, heard_at)
    found = {}
    for place, devices in newest.items():
        waiting = [one for one in devices.values() if one.deals]
        if waiting:
            found[place] = Unsent(sum(one.deals for one in waiting), min(one.heard_at for one in waiting))
    return found
