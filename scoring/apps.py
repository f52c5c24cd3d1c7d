"""The app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    """What was played, deal by deal."""

    name = "scoring"
    verbose_name = _("Scoring")
