"""The project as a Django app: it brings commands, tasks and template tags, and no table."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

# Whatever process loads the site, jobs are sent through this app; without one loaded Celery makes up another.
from courtpiece.project.celery import app as celery_app

__all__ = ["ProjectConfig", "celery_app"]


class ProjectConfig(AppConfig):
    """The site itself."""

    name = "courtpiece.project"
    label = "project"
    verbose_name = _("Court Piece")
