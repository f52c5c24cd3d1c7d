"""A tournament counts the versions of its drafts, from that of the one it has."""

from importlib import import_module

from django.db import migrations, models
from django.db.migrations.state import StateApps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from courtpiece.accounts.guards import guarded, lifted

GUARDS = import_module("tournaments.migrations.0003_what_is_final_is_kept").GUARDS


def count_on(apps: StateApps, _schema: BaseDatabaseSchemaEditor) -> None:
    """Go on from the drafts that are there."""
    tournaments = apps.get_model("tournaments", "Tournament")
    drafts = apps.get_model("tournaments", "Draft").objects.values_list("tournament_id", "version")
    for tournament_id, version in drafts:
        tournaments.objects.filter(pk=tournament_id).update(draft_version=version)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_corrections_and_reopenings_are_rulings"),
    ]

    operations = [
        lifted(GUARDS),
        migrations.AddField(
            model_name="tournament",
            name="draft_version",
            field=models.PositiveIntegerField(default=0, verbose_name="version of the draft"),
        ),
        migrations.RunPython(count_on, migrations.RunPython.noop),
        guarded(GUARDS),
    ]
