"""The forms of the pages: their shape and words. What a value may be is decided by the operations."""

from typing import Any

from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.models import Role
from courtpiece.accounts.names import MAX_NAME_LENGTH, BadName, clean_name
from courtpiece.accounts.permissions import Scope


class LoginForm(AllauthLoginForm):  # type: ignore[misc]  # allauth has no types
    """Sign in with an e-mail address and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("E-mail address")
        self.fields["password"].label = _("Password")
        self.fields["password"].help_text = ""
        if "remember" in self.fields:
            self.fields["remember"].label = _("Stay signed in on this device")
        _without_placeholders(self)


class SignupForm(AllauthSignupForm):  # type: ignore[misc]  # allauth has no types
    """Make an account: the name that others see, an e-mail address, a password."""

    display_name = forms.CharField(
        label=_("Your name, as others see it"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ["display_name", "email", "password1"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address")
        self.fields["password1"].label = _("Password")
        _without_placeholders(self)

    def clean_display_name(self) -> str:
        """Return the name as it is kept."""
        try:
            return clean_name(self.cleaned_data["display_name"])
        except BadName as error:
            raise ValidationError(str(error)) from error


class ProfileForm(forms.Form):
    """One's own name and language."""

    display_name = forms.CharField(
        label=_("Your name, as others see it"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=lambda: [("", _("As my browser asks")), *settings.LANGUAGES],
    )


class ClubForm(forms.Form):
    """What a club says of itself."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    city = forms.CharField(label=_("City"), max_length=MAX_NAME_LENGTH, required=False)
    country = forms.CharField(label=_("Country"), max_length=MAX_NAME_LENGTH, required=False)
    timezone = forms.CharField(
        label=_("Time zone"),
        help_text=_("The times of the club's sessions are shown in it. Write it as in Asia/Karachi."),
        max_length=64,
        widget=forms.TextInput(attrs={"list": "timezones", "autocomplete": "off", "dir": "ltr"}),
    )


class NewClubForm(ClubForm):
    """The same of a club that is being made, with its address."""

    slug = forms.CharField(
        label=_("Address"),
        help_text=_("A short word that stays in the club's links, as in lahore-gymkhana."),
        max_length=50,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "dir": "ltr"}),
    )
    field_order = ["name", "slug", "city", "country", "timezone"]


class MemberForm(forms.Form):
    """A new member."""

    email = forms.CharField(
        label=_("E-mail address of their account"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        label=_("Name"), help_text=_("What it is for, so that you know it again."), max_length=MAX_NAME_LENGTH
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple
    )


def _without_placeholders(form: forms.BaseForm) -> None:
    """Take allauth's placeholders away: they repeat the labels, in English."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
