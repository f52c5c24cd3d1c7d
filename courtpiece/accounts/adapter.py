"""What allauth asks of this site."""

from dataclasses import replace
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts import operations
from courtpiece.accounts.models import User
from courtpiece.accounts.permissions import actor_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Keeps the name that was entered, writes down who came, follows the language preference."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account was closed."),
        "email_password_mismatch": _("The e-mail address or the password is wrong."),
        "email_taken": _("There is an account with this e-mail address."),
        "enter_current_password": _("Enter your present password."),
        "incorrect_code": _("The code is wrong."),
        "incorrect_password": _("The password is wrong."),
        "rate_limited": _("That was too often. Wait a moment and try again."),
        "too_many_login_attempts": _("That failed too often. Wait some minutes and try again."),
    }

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:  # noqa: FBT001, FBT002 - allauth's
        """Save who signs up, under the name that was entered."""
        user.display_name = form.cleaned_data["display_name"]
        super().save_user(request, user, form, commit=commit)
        if commit:
            actor = replace(actor_of(request), user_id=user.pk)
            operations.record_sign_up(actor=actor, at=timezone.now())  # noqa: TID251 - an entry point
        return user

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Answer whoever signed in, from here on in the user's language."""
        operations.record_sign_in(actor=actor_of(request), at=timezone.now())  # noqa: TID251 - an entry point
        response: HttpResponse = super().post_login(request, user, **kwargs)
        remember_language(response, user.language)
        return response


class TwoStepAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Says in our words what is wrong in two-step sign-in."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("Switch two-step sign-in on first."),
        "incorrect_code": _("The code is wrong."),
        "unverified_email": _("Prove your e-mail address first."),
    }


def remember_language(response: HttpResponse, language: str) -> None:
    """Make the browser ask for ``language`` from now on; an empty one leaves it what it asks for itself."""
    if language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=60 * 60 * 24 * 365,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
