"""What makes a change to a tournament happen once, however often it is sent."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.errors import ActReused
from tournaments.models import Act, Tournament

Answer: TypeAlias = Mapping[str, str | int | bool | list[str] | list[int] | None]
"""What an operation answers, in a form that is kept."""


def once(
    tournament: Tournament,
    *,
    act_id: UUID | None,
    what: str,
    asked: Mapping[str, object],
    at: datetime,
    carry_out: Callable[[], Answer],
) -> Answer:
    """Carry it out and keep the answer; the same id again gets that answer, and nothing is done.

    Runs in the caller's transaction, with the tournament's row locked, so that two of the same id come one
    after the other. Without an id it is simply carried out.

    :raises ActReused: if the id was used for something else, or with other values, in any tournament.
    """
    if act_id is None:
        return carry_out()
    fingerprint = fingerprint_of(what, asked)
    known = Act.objects.filter(pk=act_id).first()
    if known is not None:
        if known.tournament_id != tournament.pk or known.fingerprint != fingerprint:
            raise ActReused(
                _("This was sent before with other values. Load the page again, and look at it first.")
            )
        kept: Answer = known.answer
        return kept
    with transaction.atomic():
        answer = carry_out()
        keep(
            Act(
                id=act_id,
                tournament=tournament,
                what=what,
                fingerprint=fingerprint,
                answer=dict(answer),
                made_at=at,
            )
        )
    return answer


def fingerprint_of(what: str, asked: Mapping[str, object]) -> str:
    """Return what is another whenever something else is asked."""
    return sha256(json.dumps([what, asked], sort_keys=True, default=str).encode()).hexdigest()


def keep(act: Act) -> None:
    """Keep that it was done, in the caller's transaction.

    :raises ActReused: if at this moment the same id was used in another tournament, whose row is another's to lock.
    """
    try:
        with transaction.atomic():
            act.save(force_insert=True)
    except IntegrityError as error:
        raise ActReused(_("This was sent before for something else. Load the page again.")) from error
