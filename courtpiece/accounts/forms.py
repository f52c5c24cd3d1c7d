"""The forms of the pages: their shape and words. What a value may be is decided by the operations."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from allauth.account import forms as account_forms
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.totp import forms as totp_forms
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.models import Role
from courtpiece.accounts.names import MAX_NAME_LENGTH, BadName, clean_name
from courtpiece.accounts.permissions import Scope
from courtpiece.accounts.refusals import Refused

_LABELS: Final[dict[str, Any]] = {
    "login": _("E-mail address"),
    "email": _("E-mail address"),
    "password": _("Password"),
    "remember": _("Stay signed in on this device"),
    "oldpassword": _("Present password"),
    "password1": _("New password"),
    "password2": _("New password again"),
    "code": _("Code"),
}
"""Our words for allauth's fields: it has none in Urdu and Hindi."""


@contextmanager
def refusals_in(form: forms.Form) -> Iterator[None]:
    """Put what an operation refuses beside the field at fault, above the form where it has none such, and go on."""
    try:
        yield
    except Refused as refused:
        form.add_error(refused.field if refused.field in form.fields else None, str(refused))


class _OurWords(forms.Form):
    """Gives allauth's fields our labels, and takes away placeholders that repeat theirs."""

    labels: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = {**_LABELS, **self.labels}.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)


class LoginForm(_OurWords, account_forms.LoginForm):  # type: ignore[misc]  # allauth has no types
    """Sign in with an e-mail address and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class SignupForm(_OurWords, account_forms.SignupForm):  # type: ignore[misc]  # allauth has no types
    """Make an account: the name that others see, an e-mail address, a password."""

    display_name = forms.CharField(
        label=_("Your name, as others see it"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ["display_name", "email", "password1"]
    labels = {"password1": _("Password")}

    def clean_display_name(self) -> str:
        """Return the name as it is kept."""
        try:
            return clean_name(self.cleaned_data["display_name"])
        except BadName as error:
            raise ValidationError(str(error)) from error


class ChangePasswordForm(_OurWords, account_forms.ChangePasswordForm):  # type: ignore[misc]  # see above
    """Another password, by who knows the present one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].help_text = ""


class SetPasswordForm(_OurWords, account_forms.SetPasswordForm):  # type: ignore[misc]  # see above
    """A first password."""


class ResetPasswordForm(_OurWords, account_forms.ResetPasswordForm):  # type: ignore[misc]  # see above
    """Whose password was forgotten."""


class ResetPasswordKeyForm(_OurWords, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]  # see above
    """Another password, by who has the code."""


class AddEmailForm(_OurWords, account_forms.AddEmailForm):  # type: ignore[misc]  # see above
    """Another e-mail address."""


class ChangeEmailForm(_OurWords, account_forms.ChangeEmailForm):  # type: ignore[misc]  # see above
    """Another e-mail address, before the first one is proven."""


class RequestLoginCodeForm(_OurWords, account_forms.RequestLoginCodeForm):  # type: ignore[misc]  # see above
    """Where to send a code."""


class ConfirmLoginCodeForm(_OurWords, account_forms.ConfirmLoginCodeForm):  # type: ignore[misc]  # see above
    """The code that signs in."""


class ConfirmEmailVerificationCodeForm(
    _OurWords,
    account_forms.ConfirmEmailVerificationCodeForm,  # type: ignore[misc]  # see above
):
    """The code that proves an address."""


class ConfirmPasswordResetCodeForm(
    _OurWords,
    account_forms.ConfirmPasswordResetCodeForm,  # type: ignore[misc]  # see above
):
    """The code that allows another password."""


class ConfirmReauthenticationCodeForm(
    _OurWords,
    account_forms.ConfirmReauthenticationCodeForm,  # type: ignore[misc]  # see above
):
    """The code that says it is you."""


class ReauthenticateForm(_OurWords, account_forms.ReauthenticateForm):  # type: ignore[misc]  # see above
    """The password once more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class AuthenticateForm(_OurWords, mfa_forms.AuthenticateForm):  # type: ignore[misc]  # see above
    """The second step."""


class ReauthenticateWithCodeForm(_OurWords, mfa_forms.ReauthenticateForm):  # type: ignore[misc]  # see above
    """The code once more."""


class ActivateTOTPForm(_OurWords, totp_forms.ActivateTOTPForm):  # type: ignore[misc]  # see above
    """The first code of the app."""


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
