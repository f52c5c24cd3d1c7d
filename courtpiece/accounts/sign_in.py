"""What allauth is told of signing in; the settings take it from here.

Where the site sends mail, an address is proven by a code before its account opens, a code signs in without a
password, and a forgotten password is set anew. Where it sends none, as on a laptop at the club, whoever has
the password is let in, and nothing is offered that would need a letter.
"""

from typing import Any, Final

_FORMS: Final = {
    "login": "LoginForm",
    "signup": "SignupForm",
    "change_password": "ChangePasswordForm",
    "set_password": "SetPasswordForm",
    "reset_password": "ResetPasswordForm",
    "reset_password_from_key": "ResetPasswordKeyForm",
    "add_email": "AddEmailForm",
    "change_email": "ChangeEmailForm",
    "request_login_code": "RequestLoginCodeForm",
    "confirm_login_code": "ConfirmLoginCodeForm",
    "confirm_email_verification_code": "ConfirmEmailVerificationCodeForm",
    "confirm_password_reset_code": "ConfirmPasswordResetCodeForm",
    "confirm_reauthentication_code": "ConfirmReauthenticationCodeForm",
    "reauthenticate": "ReauthenticateForm",
}
_MFA_FORMS: Final = {
    "authenticate": "AuthenticateForm",
    "reauthenticate": "ReauthenticateWithCodeForm",
    "activate_totp": "ActivateTOTPForm",
}


def sign_in_settings(*, sends_mail: bool, sign_up_is_open: bool) -> dict[str, Any]:
    """Return Django's settings for allauth, all but those of addresses and letters."""
    return {
        "LOGIN_URL": "account_login",
        "LOGIN_REDIRECT_URL": "/",
        "LOGOUT_REDIRECT_URL": "/",
        "AUTHENTICATION_BACKENDS": ["allauth.account.auth_backends.AuthenticationBackend"],
        "ACCOUNT_ADAPTER": "courtpiece.accounts.adapter.AccountAdapter",
        "ACCOUNT_FORMS": _named(_FORMS),
        "ACCOUNT_USER_MODEL_USERNAME_FIELD": None,
        "ACCOUNT_USER_MODEL_EMAIL_FIELD": "email",
        "ACCOUNT_LOGIN_METHODS": {"email"},
        "ACCOUNT_SIGNUP_FIELDS": ["email*", "password1*"],
        "ACCOUNT_SIGNUP_ENABLED": sign_up_is_open,
        "ACCOUNT_CHANGE_EMAIL": True,
        "ACCOUNT_EMAIL_VERIFICATION": "mandatory" if sends_mail else "none",
        "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED": sends_mail,
        "ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND": sends_mail,
        "ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED": True,
        "ACCOUNT_LOGIN_BY_CODE_ENABLED": sends_mail,
        "ACCOUNT_REAUTHENTICATION_METHODS": ["password", "mfa", "code"]
        if sends_mail
        else ["password", "mfa"],
        "ACCOUNT_EMAIL_SUBJECT_PREFIX": "",
        "MFA_ADAPTER": "courtpiece.accounts.adapter.TwoStepAdapter",
        "MFA_FORMS": _named(_MFA_FORMS),
        "MFA_SUPPORTED_TYPES": ["totp", "recovery_codes"],
        "MFA_ALLOW_UNVERIFIED_EMAIL": not sends_mail,
        "MFA_TOTP_ISSUER": "Courtpiece",
    }


def _named(forms: dict[str, str]) -> dict[str, str]:
    return {use: f"courtpiece.accounts.forms.{name}" for use, name in forms.items()}
