"""The forms of the links of tables."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

CHANGES: Final = (("revoke", _("Revoke")), ("renew", _("New link")))


class SessionForm(forms.Form):
    """A session whose tables are to have links."""

    session = forms.IntegerField(label=_("Session"), min_value=1, max_value=9999, widget=forms.HiddenInput)


class ExtendForm(SessionForm):
    """A session whose links are to be good for longer. The act's id makes it happen once."""

    act = forms.UUIDField(required=False, widget=forms.HiddenInput)


class LinkForm(SessionForm):
    """A table's link that is to be revoked, or renewed. The act's id makes it happen once."""

    act = forms.UUIDField(required=False, widget=forms.HiddenInput)
    table = forms.CharField(max_length=40, strip=False, widget=forms.HiddenInput)
    do = forms.ChoiceField(choices=CHANGES)
