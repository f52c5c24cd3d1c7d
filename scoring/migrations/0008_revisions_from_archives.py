"""Who made a revision where it was made: in an archive it comes with a name, and with no account of this site."""

from importlib import import_module

from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted

GUARDS = tuple(
    guard
    for guard in import_module("scoring.migrations.0006_cards_shown_late").GUARDS
    if guard.table == "scoring_revision" or "scoring_revision" in guard.when
)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0006_cards_shown_late")]

    operations = [
        lifted(GUARDS),
        migrations.AddField(
            model_name="revision",
            name="made_by_name",
            field=models.CharField(blank=True, max_length=80),
        ),
        guarded(GUARDS),
    ]
