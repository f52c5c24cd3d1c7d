"""What of a record is held back from whom: the one place that decides it, for pages, files and the API alike.

A scoresheet says for how long after it was recorded a deal's cards are kept from spectators (``cards_delay``). Until
then its record is shown in its result form: who dealt and what it came to, which counts in standings at once.
Scorers and directors of the club, and the scoresheet's own table link, see everything.

Nothing is written when the time is over: it is over for whoever asks after that moment. So nothing that is read here
may be kept under a version.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.models import (
    BooleanField,
    Exists,
    Expression,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    Subquery,
    Value,
)

from courtpiece.accounts.permissions import Action, Actor, clubs_where, may, require
from courtpiece.engine import result_text
from courtpiece.notation import Record, read
from scoring.models import Deal, Level, Revision, Scoresheet

NO_DELAY: Final = timedelta(0)

_KEPT_TAGS: Final = frozenset(
    {"Event", "Site", "Date", "Round", "Table", "Deal", "NS", "EW", "Rules", "Dealer", "Courts"}
)
"""What the result form keeps of a record as it is written; ``Result`` is what the engine found."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads at a moment; without one everything that is ever held back is."""

    actor: Actor
    now: datetime | None

    def sees_cards(self, sheet: Scoresheet) -> bool:
        """Return whether nothing of the scoresheet is held back from the reader, whenever it was recorded."""
        return sheet.cards_delay <= NO_DELAY or may(
            self.actor, Action.VIEW_HELD_CARDS, club_id=sheet.club_id, scoresheet_id=sheet.pk
        )

    def held_until(self, sheet: Scoresheet, recorded_at: datetime) -> datetime | None:
        """Return when the cards of what was recorded then are shown to the reader; None where they are now."""
        if self.sees_cards(sheet):
            return None
        until = recorded_at + sheet.cards_delay
        return until if self.now is None or self.now < until else None


def require_cards(actor: Actor, sheet: Scoresheet) -> None:
    """Do nothing if cards of the scoresheet are kept from nobody, or not from the actor.

    :raises Forbidden: if they are.
    """
    if sheet.cards_delay > NO_DELAY:
        require(actor, Action.VIEW_HELD_CARDS, club_id=sheet.club_id, scoresheet_id=sheet.pk)


def held_deals(reader: Reader, deals: Iterable[Deal]) -> dict[int, datetime]:
    """Return the deals whose current cards are held back from the reader, by id, with until when.

    The scoresheets are loaded. One query, none where nothing can be held back.
    """
    asked = [deal for deal in deals if not reader.sees_cards(deal.scoresheet)]
    if not asked:
        return {}
    current = Revision.objects.filter(
        deal__in=[deal.pk for deal in asked], number=F("deal__revision")
    ).annotate(first_at=_FIRST_AT)
    recorded_at = dict(current.values_list("deal", "first_at"))
    found = ((deal.pk, reader.held_until(deal.scoresheet, recorded_at[deal.pk])) for deal in asked)
    return {pk: until for pk, until in found if until is not None}


_FIRST_AT: Final = Subquery(
    Revision.objects.filter(deal=OuterRef("deal"), pcn=OuterRef("pcn"))
    .order_by("number")
    .values("made_at")[:1]
)
"""When the same text was first recorded of the deal: a ruling on it, or making it void, brings no cards."""


def held_revisions(
    reader: Reader, sheet: Scoresheet, revisions: Iterable[Revision]
) -> Mapping[int, datetime]:
    """Return the revisions of one deal whose cards are held back from the reader, by number, with until when.

    All revisions of the deal, the first one first. No query.
    """
    first_at: dict[str, datetime] = {}
    found = {}
    for revision in revisions:
        until = reader.held_until(sheet, first_at.setdefault(revision.pcn, revision.made_at))
        if until is not None:
            found[revision.number] = until
    return found


def is_held(reader: Reader) -> Q:
    """Return the condition that something of a deal may be held back from the reader.

    For lists that ask for what the cards tell: what is held back answers to no such question.
    """
    clubs = clubs_where(reader.actor, Action.VIEW_HELD_CARDS)
    if clubs is None:
        return Q(pk__in=[])
    delayed = Q(scoresheet__cards_delay__gt=NO_DELAY) & ~Q(scoresheet__club__in=clubs)
    if reader.now is None:
        return delayed
    fresh = Revision.objects.filter(
        deal=OuterRef("pk"),
        number=OuterRef("revision"),
        made_at__gt=reader.now - F("deal__scoresheet__cards_delay"),
    )
    return delayed & Q(Exists(fresh))


def is_fresh(reader: Reader) -> Expression:
    """Return whether what was called in a scoresheet's deals may be held back from the reader, as a column.

    Of scoresheets that are joined with their figures: until nothing was written to one for as long as its cards
    are kept back. Figures leave out what was called there meanwhile: of few deals they would tell the trump.
    """
    clubs = clubs_where(reader.actor, Action.VIEW_HELD_CARDS)
    if clubs is None:
        return Value(value=False, output_field=BooleanField())
    condition = Q(cards_delay__gt=NO_DELAY)
    if clubs:
        condition &= ~Q(club__in=clubs)
    if reader.now is not None:
        condition &= Q(figures__recorded_at__gt=reader.now - F("cards_delay"))
    return ExpressionWrapper(condition, BooleanField())


def result_form(record: Record, *, until: datetime) -> Record:
    """Return the record without its cards: what it came to, and until when the rest is held back."""
    tags = [tag for tag in record.tags if tag[0] in _KEPT_TAGS]
    outcome = record.finding().outcome
    if outcome is not None:
        tags.append(("Result", result_text(outcome)))
    elif (stated := record.text("Result")) is not None:
        tags.append(("Result", stated))
    tags.append(("Note", f"cards from {until.astimezone(UTC):%Y-%m-%d %H:%M} UTC"))
    text = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags)
    found = next(read(text)).record
    if found is None:
        raise LookupError("a record cannot be reduced to its result")
    return found


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


SHOWN_LEVEL: Final = Level.RESULT.value
"""How much is told of a deal that is held back."""
