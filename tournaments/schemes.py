"""What a tournament is made of: as people write it, as it is stored, and as the ranking takes it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Visibility
from courtpiece.engine import Rules
from courtpiece.engine.rules import RulesError
from scoring.domain.objections import Objection, objection_to_tiebreaks
from scoring.domain.results import MatchPoints, Ranking, Scheme, TiebreakCode
from tournaments.domain.plans import (
    FormatPlan,
    LengthKind,
    MatchLength,
    plan_to_json,
)
from tournaments.domain.scheme_json import stored_scheme
from tournaments.errors import BadRules, BadScoring
from tournaments.models import Format, Session, Tournament

DEFAULT_TIEBREAKS: Final = (
    TiebreakCode.COURTS_DIFFERENCE,
    TiebreakCode.COURTS_FOR,
    TiebreakCode.HEAD_TO_HEAD,
    TiebreakCode.DEALS_WON,
)
DEFAULT_SCHEME: Final = Scheme(tiebreaks=DEFAULT_TIEBREAKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session as a director says it."""

    place: str = ""
    starts_at: datetime | None = None
    length: MatchLength | None = None
    """The agreed length of a match in it (law 13.1); None: as the plan says."""


LONGEST_DELAY: Final = 240
"""Minutes, by which spectators follow the tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTournament:
    """A tournament to be made. Without a ``slug`` one is made of the name."""

    name: str
    slug: str = ""
    format: str = Format.ROUND_ROBIN
    rules: str = "court-piece"
    visibility: str = Visibility.PUBLIC
    scheme: Scheme = DEFAULT_SCHEME
    plan: FormatPlan | None = None
    """None: the usual one of ``format``, which is not asked where there is a plan."""
    sessions: tuple[NewSession, ...] = ()
    """Without any there is one of which nothing is known."""
    players_may_enter: bool = False
    appeal_minutes: int = 30
    confirmation: bool = False
    """Whether the other pair confirms each deal that is entered at a table."""
    link_hours: int | None = 48
    """For how long links take deals after the last thing that happened in their session; None: for ever."""
    live_delay: int = 0
    """Minutes: see ``Tournament.live_delay``."""


def clean_rules(rules: str) -> str:
    """Return the canonical text of rules.

    :raises BadRules: if there are none of that name, or an option is not as law 14 says.
    """
    try:
        return str(Rules.parse(" ".join(rules.split()) or "court-piece"))
    except RulesError as error:
        raise BadRules(str(error)) from error


def clean_scheme(
    *,
    ranking: str,
    tiebreaks: Sequence[str],
    points: Mapping[str, int] | None = None,
    lot_seed: int | None = None,
) -> Scheme:
    """Return the scoring that these words name; without ``points`` the usual ones.

    :raises BadScoring: if one of them is not known, or a tie-break stands twice.
    """
    try:
        codes = tuple(TiebreakCode(code) for code in tiebreaks)
        order = Ranking(ranking)
    except ValueError as error:
        raise BadScoring(_("There is no such ranking or tie-break.")) from error
    if len(set(codes)) < len(codes):
        raise BadScoring(_("A tie-break can stand only once."))
    worth = MatchPoints(**points) if points else MatchPoints()
    return Scheme(ranking=order, points=worth, tiebreaks=codes, lot_seed=lot_seed)


def check_ranking(format_name: str, scheme: Scheme) -> None:
    """Refuse a ranking that does not go with the format.

    :raises BadScoring: if the points of sessions should rank what has no sessions of its own.
    """
    if scheme.ranking is Ranking.SESSION_POINTS and format_name != Format.LEAGUE:
        raise BadScoring(_("Only a league is ranked by the points of its sessions."))


def check_tiebreaks(format_name: str, scheme: Scheme) -> None:
    """Refuse tie-breaks that do not go with the format.

    :raises BadScoring: if one of them says nothing in it.
    """
    found = objection_to_tiebreaks(format_name, scheme.tiebreaks)
    if found is not None:
        raise BadScoring(_objections()[found.objection] % {"tiebreak": found.code.value})


def _objections() -> dict[Objection, str]:
    return {
        Objection.SAME_OPPONENTS: _(
            "%(tiebreak)s does not go with this format: everybody meets the same opponents."
        ),
        Objection.UNEQUAL_MATCHES: _(
            "%(tiebreak)s does not go with this format: not everybody plays as many matches."
        ),
        Objection.NOBODY_STAYS: _("%(tiebreak)s goes with winner stays only."),
    }


def scheme_of(tournament: Tournament) -> Scheme:
    """Return how the tournament turns results into ranks."""
    return stored_scheme(
        format_name=tournament.format,
        ranking=tournament.ranking,
        points=tournament.points,
        tiebreaks=tournament.tiebreaks,
        lot_seed=tournament.lot_seed,
    )


def plan_fingerprint(plan: FormatPlan) -> str:
    """Return what a form carries to say which plan it was made on."""
    return _fingerprint(plan_to_json(plan))


def sessions_of(rows: Iterable[Session]) -> tuple[NewSession, ...]:
    """Return the sessions as a director says them."""
    return tuple(NewSession(place=row.place, starts_at=row.starts_at, length=_length_of(row)) for row in rows)


def sessions_fingerprint(sessions: Sequence[NewSession]) -> str:
    """Return what a form carries to say which sessions it was made on."""
    return _fingerprint([repr(session) for session in sessions])


def _fingerprint(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _length_of(row: Session) -> MatchLength | None:
    agreed = (
        (LengthKind.MINUTES, row.minutes),
        (LengthKind.DEALS, row.deals),
        (LengthKind.COURTS, row.courts),
    )
    return next((MatchLength(kind, amount) for kind, amount in agreed if amount), None)
