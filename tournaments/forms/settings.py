"""Forms that make, fill and change a tournament."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.names import MAX_NAME_LENGTH
from tournaments import sentences
from tournaments.forms.plans import PlanForm
from tournaments.forms.regulations import RulesForm
from tournaments.models import Status
from tournaments.queries import EntryLine


class UploadForm(forms.Form):
    """An evening's files."""

    unfinished = forms.BooleanField(
        label=_("These matches go on: leave them open, so that they do not count in the standings yet"),
        required=False,
    )


class NameForm(forms.Form):
    """What a tournament is called."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)


class ReadersForm(forms.Form):
    """Who sees a tournament: to publish it is to choose another answer."""

    act = forms.UUIDField(required=False, widget=forms.HiddenInput)
    visibility = forms.ChoiceField(
        label=_("Who may see it"), choices=list(sentences.READERS.items()), widget=forms.RadioSelect
    )


class ChangedRulesForm(RulesForm):
    """The rules, with the reason that a change needs after the first deal."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Needed after the first deal, and kept with what was changed."),
        required=False,
        max_length=500,
    )


class ChangedPlanForm(PlanForm):
    """The format, and which one the page was made on."""

    made_on = forms.CharField(max_length=64, widget=forms.HiddenInput)


class MadeOnForm(forms.Form):
    """What the page was made on."""

    made_on = forms.CharField(max_length=64, widget=forms.HiddenInput)


class StatusForm(forms.Form):
    """How sure the standings are."""

    status = forms.ChoiceField(label=_("The standings are"), choices=Status)


class PenaltyForm(forms.Form):
    """Points that an entry loses."""

    entry = forms.TypedChoiceField(label=_("Pair"), coerce=int)
    penalty = forms.IntegerField(label=_("Takes away"), min_value=0, max_value=999)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=500)

    def __init__(self, *args: Any, entries: Iterable[EntryLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(entry.number, entry.pair.name) for entry in entries]
        self.fields["entry"] = forms.TypedChoiceField(label=_("Pair"), coerce=int, choices=choices)
