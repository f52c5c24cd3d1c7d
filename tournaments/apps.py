"""The app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Who plays whom, and who stands where."""

    name = "tournaments"
    verbose_name = _("Tournaments")
