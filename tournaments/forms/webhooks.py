"""The forms of webhooks: their shape and words."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.queries.webhooks import KINDS

ACTS: Final = ("renew", "pause", "resume", "remove", "test", "again")


class WebhookForm(forms.Form):
    """Where events are sent, and which."""

    url = forms.CharField(
        label=_("Address"),
        help_text=_("The address of your program, as in https://example.org/hook."),
        max_length=500,
        widget=forms.TextInput(attrs={"dir": "ltr", "inputmode": "url", "autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Events"),
        choices=list(KINDS.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )


class ActForm(forms.Form):
    """What is to be done with a webhook, or with one of its deliveries."""

    do = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    delivery = forms.UUIDField(required=False)
