"""The Django app of users and clubs."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Register the app under the label ``accounts``."""

    name = "courtpiece.accounts"
    label = "accounts"
    verbose_name = _("accounts and clubs")
    default_auto_field = "django.db.models.BigAutoField"
