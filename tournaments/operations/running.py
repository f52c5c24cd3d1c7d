"""Everything that runs a tournament, except its making, its uploads and its standings."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.names import clean_name, clean_text
from courtpiece.accounts.permissions import Action, Actor, Visibility, require, unnarrowed
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Outdated
from scoring.domain.results import Scheme
from scoring.operations import describe_collection
from tournaments import queries
from tournaments.domain.entering import MOST_ENTRIES
from tournaments.domain.scheme_json import points_to_json
from tournaments.errors import (
    BadSlug,
    ReasonNeeded,
    RulesInUse,
    TournamentIsFinal,
    UploadTooLarge,
)
from tournaments.events import Event
from tournaments.models import (
    Entry,
    EntryState,
    Match,
    PastRegulations,
    Status,
    Tournament,
)
from tournaments.operations.log import record_change
from tournaments.queries.listings import detail_mark, tournament_detail
from tournaments.schemes import clean_rules

_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SLUG_LENGTH: Final = 60


@transaction.atomic(durable=True)
def change_tournament(
    *,
    actor: Actor,
    slug: str,
    name: str | None = None,
    at: datetime,
    visibility: str | None = None,
    made_on: str | None = None,
) -> None:
    """Change what a tournament is called and who sees it (None: that stays).

    Its address stays, because others link to it. ``made_on`` is the :func:`detail_mark
    <tournaments.queries.listings.detail_mark>` of what was looked at; None: whatever it is.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises BadName: if the name is empty or too long.
    :raises Outdated: if it was changed since it was looked at.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT, even_final=True)
    if made_on is not None and made_on != detail_mark(tournament_detail(slug, actor=unnarrowed(actor))):
        raise Outdated(_("The tournament was changed meanwhile. Read it again, and look at it first."))
    tournament.name = clean_name(tournament.name if name is None else name)
    tournament.visibility = Visibility(tournament.visibility if visibility is None else visibility)
    tournament.save(update_fields=["name", "visibility"])
    describe_collection(
        actor=actor,
        collection_id=tournament.collection_id,
        visibility=tournament.visibility,
        name=tournament.name,
        path=path_of(tournament.slug),
    )
    record_change(tournament, actor, Event.TOURNAMENT_CHANGED, at, {"name": tournament.name})


@transaction.atomic(durable=True)
def change_regulations(
    *, actor: Actor, slug: str, scheme: Scheme, reason: str, at: datetime, rules: str | None = None
) -> int:
    """Change the rules (None: they stay), the scoring or the tie-breaks, and return their version.

    Before the first deal they are changed in place. From then on they are frozen: what was there is kept, the
    version goes up by one, and there has to be a reason. The same again changes nothing.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises BadRules: if there are no such rules.
    :raises RulesInUse: if the rules would be others than those that matches were made under.
    :raises ReasonNeeded: if a deal was recorded and no reason is given.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    new = {"rules": tournament.rules if rules is None else clean_rules(rules), **_columns_of(scheme)}
    old = {name: getattr(tournament, name) for name in new}
    if new == old:
        return tournament.rules_version
    _check_rules_free(tournament, new["rules"])
    if queries.is_frozen(tournament.collection_id):
        _keep_past_regulations(tournament, old, actor, clean_text(reason), at)
        tournament.rules_version += 1
    for name, value in new.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=[*new, "rules_version"])
    detail: Detail = {"version": tournament.rules_version, "reason": reason}
    record_change(tournament, actor, Event.REGULATIONS_CHANGED, at, detail)
    return tournament.rules_version


# -- parts that uploads use too


def locked(slug: str, *, actor: Actor, action: Action, even_final: bool = False) -> Tournament:
    """Return the tournament's row, locked, so that of two changes the second sees the first.

    The database refuses almost every change to what is final; ``even_final`` is for those that it allows.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not do ``action`` there.
    :raises TournamentIsFinal: if its standings are final.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).filter(slug=slug).first()
    if tournament is None:
        raise NotFound
    require(actor, action, club_id=tournament.club_id, visibility=tournament.visibility)
    if tournament.status == Status.FINAL and not even_final:
        raise TournamentIsFinal
    return tournament


def clean_slug(slug: str) -> str:
    """Return the address.

    :raises BadSlug: if it has anything but small letters, digits and single hyphens between them.
    """
    if len(slug) > _SLUG_LENGTH or not _SLUG.fullmatch(slug):
        raise BadSlug(
            _("Use small letters a to z, digits, and single hyphens between them, at most %(limit)d in all.")
            % {"limit": _SLUG_LENGTH}
        )
    return slug


def free_slug(name: str) -> str:
    """Return an address made of the name that no tournament has."""
    base = slugify(name)[: _SLUG_LENGTH - 6].strip("-") or "tournament"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)


def path_of(slug: str) -> str:
    """Return the address of the tournament's page on this site."""
    return reverse("tournaments:tournament", args=[slug])


def enter_pairs(tournament: Tournament, partnership_ids: Sequence[int]) -> dict[int, Entry]:
    """Enter the partnerships that have not entered, and return the entries of all, by partnership.

    Who only asked to play is accepted by this.

    :raises UploadTooLarge: if that would be more than ``MOST_ENTRIES``.
    """
    entered = {entry.partnership_id: entry for entry in Entry.objects.filter(tournament=tournament)}
    last = max((entry.number for entry in entered.values()), default=0)
    new = [pk for pk in dict.fromkeys(partnership_ids) if pk not in entered]
    asked = Entry.objects.filter(tournament=tournament, partnership__in=partnership_ids)
    asked.filter(state__in=[EntryState.REQUESTED, EntryState.DECLINED]).update(state=EntryState.ACTIVE)
    if new and len(entered) + len(new) > MOST_ENTRIES:
        raise UploadTooLarge(_("A tournament has at most %(most)d pairs.") % {"most": MOST_ENTRIES})
    made = Entry.objects.bulk_create(
        Entry(tournament=tournament, number=number, partnership_id=pk)
        for number, pk in enumerate(new, start=last + 1)
    )
    return entered | {entry.partnership_id: entry for entry in made}


# -- the steps


def _columns_of(scheme: Scheme) -> dict[str, object]:
    return {
        "ranking": scheme.ranking.value,
        "points": dict(points_to_json(scheme.points)),
        "tiebreaks": [code.value for code in scheme.tiebreaks],
        "lot_seed": scheme.lot_seed,
    }


def _check_rules_free(tournament: Tournament, rules: object) -> None:
    if rules != tournament.rules and Match.objects.filter(round__tournament=tournament).exists():
        raise RulesInUse(_("Matches were made under these rules. Make another tournament for other rules."))


def _keep_past_regulations(
    tournament: Tournament, old: Mapping[str, object], actor: Actor, reason: str, at: datetime
) -> None:
    if not reason:
        raise ReasonNeeded(_("A deal was recorded: say why the rules or the scoring are changed."))
    PastRegulations.objects.create(
        tournament=tournament,
        version=tournament.rules_version,
        reason=reason,
        changed_by_id=actor.user_id,
        changed_at=at,
        **old,
    )
