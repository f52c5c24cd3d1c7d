"""The forms of draws: a draft, a swap, a wish, who is away."""

from typing import Any, ClassVar, Final
from uuid import uuid4

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from tournaments.domain.swapping import Swap
from tournaments.models import AbsenceKind, WishKind
from tournaments.operations.drafts import SwapAsked
from tournaments.operations.draws import MOST_SEED
from tournaments.operations.wishes import NewWish
from tournaments.queries import NamedEntry

MOST_REASON: Final = 200
EVERY_ROUND: Final = "every"
NEXT_ROUND: Final = "next"
PAIR_OF_ENTRIES: Final = 2


class ActForm(forms.Form):
    """What is to happen once, on the version that was looked at."""

    act = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid4)
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)


class DrawForm(ActForm):
    """A round that is to be drawn, or drawn again."""

    seed = forms.IntegerField(
        label=_("Drawn from the number"),
        min_value=0,
        max_value=MOST_SEED,
        help_text=_("Seats and first dealers follow from it: the same number draws the same ones."),
    )
    session = forms.IntegerField(required=False, min_value=1, max_value=999, widget=forms.HiddenInput)


class PublishForm(ActForm):
    """A draft that is to be published."""

    session = forms.IntegerField(min_value=1, max_value=999)
    confirmed = forms.BooleanField(required=False)


class TakeBackForm(ActForm):
    """A round that is to be taken back, as it was looked at."""

    number = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)
    round = forms.UUIDField(widget=forms.HiddenInput)


class NextRoundForm(ActForm):
    """Something about the round that was the next one when it was looked at."""

    round = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)

    def look_again(self, next_round: int) -> None:
        """Be about the round that is the next one now, when what was sent is shown again."""
        self.data = {**{name: self.data.get(name) for name in self.data}, "round": str(next_round)}


class SwapForm(ActForm):
    """Two entries that are to change places, and why."""

    first = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    second = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    what = forms.ChoiceField(choices=[(one.value, one.value) for one in Swap], widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why"), max_length=MOST_REASON, help_text=_("Everybody can read it beside the match.")
    )

    def asked(self) -> SwapAsked:
        """Return what the form asks for."""
        data = self.cleaned_data
        return SwapAsked(first=data["first"], second=data["second"], what=data["what"], reason=data["reason"])


class PickForm(forms.Form):
    """Two entries of a draft that were picked, to see what a swap would change."""

    pick = forms.TypedMultipleChoiceField(coerce=int)
    what = forms.ChoiceField(
        required=False, choices=[(one.value, one.value) for one in Swap], initial=Swap.ENTRIES.value
    )

    def __init__(self, *args: Any, numbers: tuple[int, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        picked = self.fields["pick"]
        assert isinstance(picked, forms.TypedMultipleChoiceField)
        picked.choices = [(number, number) for number in numbers]

    def asked(self) -> SwapAsked | None:
        """Return what was picked; None unless that is two."""
        picked = self.cleaned_data.get("pick", [])
        if len(picked) != PAIR_OF_ENTRIES:
            return None
        return SwapAsked(
            first=picked[0],
            second=picked[1],
            what=self.cleaned_data.get("what") or Swap.ENTRIES.value,
            reason="",
        )


class _Entries(forms.Select):
    """A choice of entries, written in one go: hundreds of them, one template each, would be a slow page."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the choice."""
        chosen = str(value or "")
        options = format_html_join(
            "",
            '<option value="{}"{}>{}</option>',
            (
                (number, SafeString(" selected") if str(number) == chosen else "", label)
                for number, label in self.choices
            ),
        )
        given = self.build_attrs(self.attrs, {**(attrs or {}), "name": name})
        return format_html("<select{}>{}</select>", flatatt(given), options)


class _EntriesForm(NextRoundForm):
    """A form in which entries are chosen."""

    chosen: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, entries: tuple[NamedEntry, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.chosen:
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = [
                ("", _("Choose a pair")),
                *((one.number, f"{one.number}. {one.name}") for one in entries),
            ]


class WishForm(_EntriesForm):
    """Two entries that are wanted together or apart."""

    chosen: ClassVar[tuple[str, ...]] = ("first", "second")
    kind = forms.ChoiceField(label=_("They are to"), choices=WishKind, initial=WishKind.APART)
    first = forms.TypedChoiceField(label=_("One pair"), coerce=int, widget=_Entries)
    second = forms.TypedChoiceField(label=_("The other pair"), coerce=int, widget=_Entries)
    rounds = forms.ChoiceField(
        label=_("When"), choices=[(EVERY_ROUND, _("in every round")), (NEXT_ROUND, _("in the next round"))]
    )
    reason = forms.CharField(label=_("Why"), max_length=MOST_REASON)

    def wish(self) -> NewWish:
        """Return what the form asks for."""
        data = self.cleaned_data
        return NewWish(
            kind=data["kind"],
            first=data["first"],
            second=data["second"],
            round_number=data["round"] if data["rounds"] == NEXT_ROUND else None,
            reason=data["reason"],
        )


class AwayForm(_EntriesForm):
    """An entry that does not play in the next round."""

    chosen: ClassVar[tuple[str, ...]] = ("entry",)
    entry = forms.TypedChoiceField(label=_("Pair"), coerce=int, widget=_Entries)
    kind = forms.ChoiceField(label=_("Because it"), choices=AbsenceKind)
