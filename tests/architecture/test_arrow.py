"""The arrow, where import-linter cannot see it: in foreign keys, migrations and names of jobs."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Final

import pytest
from django.apps import apps
from django.conf import settings
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from courtpiece.project.celery import app

UPWARDS: Final = ("accounts", "scoring", "tournaments")
"""Our apps, from the ground up."""


def height(label: str) -> int:
    """Return how far up an app stands; what is not ours is below all."""
    return UPWARDS.index(label) if label in UPWARDS else -1


def foreign_keys() -> Iterator[tuple[type[Model], type[Model]]]:
    for label in UPWARDS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            for field in model._meta.get_fields():
                if not field.auto_created and isinstance(field.related_model, type):
                    yield model, field.related_model


def test_every_app_of_ours_is_on_the_arrow() -> None:
    ours = {
        config.label
        for config in apps.get_app_configs()
        if config.name.partition(".")[0] in ("courtpiece", "scoring", "tournaments")
    }

    assert ours == {*UPWARDS, "project"}


def test_foreign_keys_point_down() -> None:
    upward = [
        f"{source._meta.label} -> {target._meta.label}"
        for source, target in foreign_keys()
        if height(target._meta.app_label) > height(source._meta.app_label)
    ]

    assert upward == []


def test_migrations_point_down() -> None:
    loader = MigrationLoader(None)

    upward = [
        f"{label}.{name} -> {other}"
        for (label, name), migration in loader.disk_migrations.items()
        for other in (*migration.dependencies, *migration.run_before)
        if label in UPWARDS and height(other[0]) > height(label)
    ]

    assert upward == []


def job_names() -> dict[str, str]:
    """Return each name of a background job, with where it is written."""
    modules = [importlib.import_module(f"{package}.jobs") for package in packages_with_jobs()]
    named = {
        value: module.__name__
        for module in modules
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str)
    }
    beat = {str(entry["task"]): "settings" for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    return named | beat


def packages_with_jobs() -> list[str]:
    packages = ("courtpiece.accounts", "scoring", "tournaments")
    return [
        package
        for package in packages
        if any(
            found.name == "jobs" for found in pkgutil.iter_modules(importlib.import_module(package).__path__)
        )
    ]


def test_every_job_name_has_a_task() -> None:
    app.loader.import_default_modules()

    unknown = {name: place for name, place in job_names().items() if name not in app.tasks}

    assert unknown == {}


@pytest.mark.parametrize("package", ["courtpiece.accounts", "scoring", "tournaments"])
def test_no_app_listens_to_signals(package: str) -> None:
    """Signals are control flow that nobody sees; what reacts to a change is called by the operation."""
    from django.db.models import signals

    receivers = [
        repr(receiver)
        for signal in (signals.pre_save, signals.post_save, signals.pre_delete, signals.post_delete)
        for _, reference, *_ in signal.receivers
        if (receiver := reference() if callable(reference) else reference) is not None
        and getattr(receiver, "__module__", "").startswith(package)
    ]

    assert receivers == []
