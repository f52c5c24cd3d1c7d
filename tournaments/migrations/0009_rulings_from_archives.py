"""By whom a ruling was made that an archive brought: by a director of the site that it comes from, or its server."""

from importlib import import_module

from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted

GUARDS = tuple(
    guard
    for guard in import_module("tournaments.migrations.0003_what_is_final_is_kept").GUARDS
    if guard.table == "tournaments_ruling" or "tournaments_ruling" in guard.when
)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_live_tables")]

    operations = [
        lifted(GUARDS),
        migrations.AddField(
            model_name="ruling",
            name="by_director_elsewhere",
            field=models.BooleanField(default=False, verbose_name="made by a director of another site"),
        ),
        guarded(GUARDS),
    ]
