"""Forms that make, fill and change a tournament."""

from django import forms
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.names import MAX_NAME_LENGTH
from tournaments import sentences
from tournaments.forms.plans import PlanForm
from tournaments.forms.regulations import RulesForm


class UploadForm(forms.Form):
    """An evening's files, or a text that somebody sent."""

    text = forms.CharField(
        label=_("Or paste the text"),
        help_text=_("As a phone at a table shows it, or as it came in a message."),
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "ltr", "spellcheck": "false", "autocomplete": "off"}),
        max_length=4 * 1024 * 1024,
    )
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
