"""What a tournament is made with, as people write it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Visibility
from courtpiece.engine import Rules
from courtpiece.engine.rules import RulesError
from scoring.domain.results import MatchPoints, Ranking, Scheme, TiebreakCode
from tournaments.errors import BadRules, BadScoring
from tournaments.models import Format

DEFAULT_TIEBREAKS: Final = (
    TiebreakCode.COURTS_DIFFERENCE,
    TiebreakCode.COURTS_FOR,
    TiebreakCode.HEAD_TO_HEAD,
    TiebreakCode.DEALS_WON,
)
DEFAULT_SCHEME: Final = Scheme(tiebreaks=DEFAULT_TIEBREAKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTournament:
    """A tournament to be made. Without a ``slug`` one is made of the name."""

    name: str
    slug: str = ""
    format: str = Format.ROUND_ROBIN
    rules: str = "court-piece"
    visibility: str = Visibility.PUBLIC
    scheme: Scheme = DEFAULT_SCHEME


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
