"""The Celery app that the workers and beat load."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courtpiece.project.settings")

app = Celery("courtpiece")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
