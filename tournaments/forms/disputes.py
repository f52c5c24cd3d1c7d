"""The form by which a director settles a dispute."""

from django import forms
from django.utils.translation import gettext_lazy as _


class SettleForm(forms.Form):
    """What is recorded stands, and why. The act's id makes it happen once."""

    act = forms.UUIDField(required=False, widget=forms.HiddenInput)
    revision = forms.IntegerField(min_value=1, max_value=10**9, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why it stands"),
        help_text=_("Both pairs read it on their phones."),
        max_length=500,
    )
