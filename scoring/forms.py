"""The forms of scoring's pages: shape and words. What a value may be is decided by the operations."""

from dataclasses import fields
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.permissions import Visibility
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import Award, Outcome, Score, Team
from courtpiece.engine.rules import NAMED
from scoring.changes import Correction, DealChange, Decision, OutcomeRefused, Ruling, Voiding
from scoring.domain.cards_sought import Holder
from scoring.domain.periods import ALL_TIME, Period
from scoring.models import AwardCode, SeatLetter, Side, SuitLetter
from scoring.operations import GameFacts, SeatNameRefused
from scoring.queries.searching import Sought

NO_REASON_YET = "…"
"""Stands for the reason in a change that is only looked at; never saved."""
FIELD_OF_REASON = {
    "winner": "winner",
    "tricks": "tricks_ns",
    "won": "tricks_ns",
    "courts": "courts_ns",
    "missing": "stands",
}
"""Where the page of a ruling shows why an outcome is refused."""
SEAT_LETTERS = "NSEW"
MOST_BYTES = 64 * 1024
"""The notation's limit for a record."""


class OperationForm(forms.Form):
    """A form that writes: it carries the operation's id, so that sending it twice writes once."""

    operation_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["operation_id"].initial = uuid4

    @property
    def operation(self) -> UUID:
        """The operation's id."""
        value: UUID = self.cleaned_data["operation_id"]
        return value


class ChangeForm(OperationForm):
    """A change to a deal, made on one of its revisions."""

    base_revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, is_preview: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_preview = is_preview

    def clean(self) -> dict[str, Any]:
        """Ask for no reason while a change is only looked at."""
        cleaned = super().clean() or self.cleaned_data
        if self.is_preview:
            self.errors.pop("reason", None)
            cleaned["reason"] = cleaned.get("reason") or NO_REASON_YET
        return cleaned

    def show(self, refusal: Refused) -> None:
        """Put what was refused at the field that it is about, where that is plain."""
        name = FIELD_OF_REASON.get(refusal.reason) if isinstance(refusal, OutcomeRefused) else None
        if name in self.fields:
            self.add_error(name, str(refusal))

    def change(self) -> DealChange:
        """Return the change that the form describes."""
        raise NotImplementedError


class CorrectionForm(ChangeForm):
    """Another record in the place of the one that stands."""

    text = forms.CharField(
        label=_("Record"),
        max_length=MOST_BYTES,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 22, "cols": 80, "dir": "ltr", "spellcheck": "false", "class": "pcn"}
        ),
        help_text=_(
            'In PCN. A deal of which only the result is known has one line for it: [Result "NS 7-4"], [Result "EW 7-0 '
            'court"] or [Result "void"]. A Result, Tricks and Courts that are stated must agree with the cards.'
        ),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("Everyone who reads the deal can see it."),
    )

    is_ruling = forms.BooleanField(
        label=_("As a ruling: save it although it states something else than the cards show"),
        required=False,
    )

    def change(self) -> Correction:
        """Return the correction; as a ruling, what the engine finds stands."""
        reason = self.cleaned_data["reason"]
        ruling = Ruling(reason=reason) if self.cleaned_data["is_ruling"] else None
        return Correction(text=self.cleaned_data["text"], reason=reason, ruling=ruling)


class VoidForm(ChangeForm):
    """A deal made void."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("Everyone who reads the deal can see it."),
    )

    def change(self) -> Voiding:
        """Return what makes the deal void."""
        return Voiding(reason=self.cleaned_data["reason"])


OUTCOME = ("winner", "award", "tricks_ns", "tricks_ew", "courts_ns", "courts_ew")
"""The fields of a ruling that say what counts; a deal's line has them under the same names."""
FINDING = "finding"
OTHER = "other"


class RulingForm(ChangeForm):
    """A director's decision on a deal."""

    reason = forms.CharField(
        label=_("Reason"), max_length=500, help_text=_("Everyone who reads the deal can see it.")
    )
    law = forms.CharField(
        label=_("Law"),
        max_length=60,
        required=False,
        help_text=_("By its number, for example 8.4; several with commas."),
    )
    stands = forms.ChoiceField(
        label=_("What counts"),
        choices=[
            (FINDING, _("What the engine found, whatever the record states")),
            (OTHER, _("The outcome below")),
        ],
        widget=forms.RadioSelect,
        initial=OTHER,
    )
    winner = forms.ChoiceField(label=_("Winner"), choices=[("", "–"), *Side.choices], required=False)
    award = forms.ChoiceField(
        label=_("Award"),
        choices=[("", "–"), *(choice for choice in AwardCode.choices if choice[0] != AwardCode.VOID)],
        required=False,
    )
    tricks_ns = forms.IntegerField(label=_("Tricks, North–South"), min_value=0, max_value=13, required=False)
    tricks_ew = forms.IntegerField(label=_("Tricks, East–West"), min_value=0, max_value=13, required=False)
    courts_ns = forms.IntegerField(label=_("Courts, North–South"), min_value=0, max_value=999, required=False)
    courts_ew = forms.IntegerField(label=_("Courts, East–West"), min_value=0, max_value=999, required=False)

    def change(self) -> Decision:
        """Return the decision."""
        ruling = Ruling(
            reason=self.cleaned_data["reason"], law=self.cleaned_data["law"], outcome=self._outcome()
        )
        return Decision(ruling=ruling)

    def _outcome(self) -> Outcome | None:
        if self.cleaned_data["stands"] == FINDING:
            return None
        return Outcome(
            Team[self.cleaned_data["winner"]],
            Award(self.cleaned_data["award"]),
            self._score("tricks"),
            self._score("courts"),
        )

    def _score(self, name: str) -> Score:
        return Score(self.cleaned_data[f"{name}_ns"], self.cleaned_data[f"{name}_ew"])

    def clean(self) -> dict[str, Any]:
        """Ask for the whole outcome where it is not the engine's."""
        cleaned = super().clean()
        if cleaned.get("stands") == OTHER:
            for name in OUTCOME:
                if cleaned.get(name) in (None, "") and name not in self.errors:
                    self.add_error(name, self.fields[name].error_messages["required"])
        return cleaned


class RecordForm(OperationForm):
    """A new deal, as its record."""

    text = forms.CharField(
        label=_("Record"),
        max_length=MOST_BYTES,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 16, "cols": 80, "dir": "ltr", "spellcheck": "false", "class": "pcn"}
        ),
        help_text=_("In PCN, of one deal: card by card, trick by trick, or the result only."),
    )
    ruling = forms.CharField(
        label=_("Ruling"),
        max_length=500,
        required=False,
        help_text=_(
            "A director's reason to record it although it states something else than the cards show."
        ),
    )

    @property
    def given_ruling(self) -> Ruling | None:
        """The ruling, None without one."""
        reason = self.cleaned_data["ruling"]
        return Ruling(reason=reason) if reason else None


# -- games that were recorded at home


class GameForm(forms.Form):
    """Who played a game, when and where."""

    N = forms.CharField(label=_("North"), max_length=80)
    S = forms.CharField(label=_("South"), max_length=80)
    E = forms.CharField(label=_("East"), max_length=80)
    W = forms.CharField(label=_("West"), max_length=80)
    event = forms.CharField(label=_("What it was"), max_length=200, required=False)
    site = forms.CharField(label=_("Where"), max_length=200, required=False)
    date = forms.CharField(
        label=_("When"),
        max_length=10,
        required=False,
        widget=forms.TextInput(attrs={"dir": "ltr", "placeholder": "2026.11.30"}),
        help_text=_("Year, month and day with dots between them."),
    )

    @property
    def facts(self) -> GameFacts:
        """What was entered, as the operation takes it."""
        data = self.cleaned_data
        names = {seat: data[seat] for seat in SEAT_LETTERS}
        return GameFacts(names=names, event=data["event"], site=data["site"], date=data["date"])

    def show(self, refusal: Refused) -> None:
        """Put what was refused at the field that it is about."""
        seat = refusal.seat if isinstance(refusal, SeatNameRefused) else refusal.field
        self.add_error(seat if seat in self.fields else None, str(refusal))


class DoForm(forms.Form):
    """One of the things that a page does at the press of a button."""

    do = forms.CharField(max_length=20)


class OfferForm(DoForm):
    """The club that a game is offered to; none to take an offer back."""

    club = forms.SlugField(max_length=100, required=False)


class TakeForm(forms.Form):
    """An offered game's players as the club knows them, and who sees it."""

    N = forms.CharField(label=_("North"), max_length=80)
    S = forms.CharField(label=_("South"), max_length=80)
    E = forms.CharField(label=_("East"), max_length=80)
    W = forms.CharField(label=_("West"), max_length=80)
    visibility = forms.ChoiceField(
        label=_("Who sees it"), choices=Visibility.choices, initial=Visibility.PUBLIC
    )
    sure = forms.BooleanField(label=_("The new names are other people"), required=False)

    @property
    def names(self) -> dict[str, str]:
        """The names by seat letter."""
        return {seat: self.cleaned_data[seat] for seat in SEAT_LETTERS}


class DeclineForm(forms.Form):
    """Why a club does not take a game."""

    reason = forms.CharField(label=_("Reason"), max_length=500, required=False)


class PeriodForm(forms.Form):
    """Of what time figures are asked for: ``year``, or ``from`` and ``to``; nothing is all time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["year"] = forms.IntegerField(
            label=_("Year"), required=False, min_value=1, max_value=9999, widget=forms.HiddenInput
        )
        for name, label in (("from", _("From")), ("to", _("To"))):
            self.fields[name] = forms.DateField(
                label=label,
                required=False,
                input_formats=["%Y-%m-%d"],
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
                error_messages={"invalid": _("Write a date as year-month-day: 2026-11-30.")},
            )

    def clean(self) -> dict[str, Any]:
        """Refuse a period that ends before it begins."""
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("from"), cleaned.get("to")
        if first is not None and last is not None and last < first:
            self.add_error("to", _("The period ends before it begins."))
        return cleaned

    @property
    def period(self) -> Period:
        """The period that is asked for; all time where it is not one."""
        if not self.is_valid():
            return ALL_TIME
        year = self.cleaned_data["year"]
        if year is not None:
            return Period.of_year(year)
        return Period(self.cleaned_data["from"], self.cleaned_data["to"])


# -- players


class PersonForm(forms.Form):
    """What is asked about a player, or answered; whatever is no text is none."""

    do = forms.CharField(max_length=20, required=False)
    note = forms.CharField(max_length=300, required=False)
    reason = forms.CharField(max_length=300, required=False)
    club = forms.SlugField(max_length=100, required=False)
    with_player = forms.UUIDField(required=False)

    @classmethod
    def of(cls, data: Any) -> "PersonForm":
        """Return the form of what was sent, read."""
        form = cls(data)
        form.full_clean()
        return form

    def text(self, name: str) -> str:
        """Return what was sent under that name."""
        return str(self.cleaned_data.get(name) or "")

    @property
    def other(self) -> UUID | None:
        """The other player."""
        other: UUID | None = self.cleaned_data.get("with_player")
        return other


class MergeForm(forms.Form):
    """Two players who are one."""

    duplicate = forms.UUIDField()
    kept = forms.UUIDField()


# -- searching


ANYTHING: Final = ("", _("any"))


class SearchForm(forms.Form):
    """What is searched for. Every field may be empty."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        required=False,
        help_text=_("The beginning of each word will do, in any order and any script."),
        widget=forms.TextInput(attrs={"type": "search", "dir": "auto"}),
    )
    partner = forms.CharField(
        label=_("Partner"), max_length=100, required=False, widget=forms.TextInput(attrs={"dir": "auto"})
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=100,
        required=False,
        help_text=_("The last part of the club’s address."),
        widget=forms.TextInput(attrs={"dir": "ltr"}),
    )
    date_from = forms.CharField(
        label=_("From"),
        max_length=10,
        required=False,
        widget=forms.TextInput(attrs={"dir": "ltr", "placeholder": "2026.11.01"}),
    )
    date_to = forms.CharField(
        label=_("To"),
        max_length=10,
        required=False,
        widget=forms.TextInput(attrs={"dir": "ltr", "placeholder": "2026.11"}),
    )
    game = forms.ChoiceField(
        label=_("Rules"), choices=[ANYTHING, *((name, name) for name in NAMED)], required=False
    )
    award = forms.ChoiceField(
        label=_("Award"),
        choices=[ANYTHING, *((value, label) for value, label in AwardCode.choices)],
        required=False,
    )
    trump = forms.ChoiceField(label=_("Trump"), choices=[ANYTHING, *SuitLetter.choices], required=False)
    revoke_by = forms.ChoiceField(
        label=_("Revoke by"),
        choices=[
            ("", "–"),
            ("any", _("anybody")),
            ("player", _("the player named above")),
            *SeatLetter.choices,
        ],
        required=False,
    )
    held = forms.CharField(
        label=_("Cards held"),
        max_length=100,
        required=False,
        help_text=_("In one hand, as AS KS: rank, then suit."),
        widget=forms.TextInput(attrs={"dir": "ltr", "placeholder": "AS KS"}),
    )
    held_by = forms.ChoiceField(
        label=_("In whose hand"),
        choices=[
            (Holder.ANY.value, _("anybody’s")),
            (Holder.CALLER.value, _("the caller’s")),
            (Holder.DEALER.value, _("the dealer’s")),
            (Holder.PLAYER.value, _("the player’s named above")),
            *SeatLetter.choices,
        ],
        required=False,
    )

    @property
    def given(self) -> dict[str, str]:
        """What was filled in, by field."""
        return {name: value for name, value in self.cleaned_data.items() if value and name in self.fields}

    @property
    def sought(self) -> Sought:
        """What is asked of matches, and of deals beyond their own columns."""
        names = {field.name for field in fields(Sought)}
        return Sought(**{name: value for name, value in self.given.items() if name in names})

    def show(self, refusal: Refused) -> None:
        """Put what was refused at the field that it is about."""
        self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal))
