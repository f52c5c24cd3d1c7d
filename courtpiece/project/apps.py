"""The project as a Django app: it brings commands, tasks and template tags, and no table."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProjectConfig(AppConfig):
    """The site itself."""

    name = "courtpiece.project"
    label = "project"
    verbose_name = _("Court Piece")
