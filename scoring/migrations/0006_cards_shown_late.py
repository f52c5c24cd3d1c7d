"""For so long after it was recorded a deal's cards are kept from spectators."""

import datetime
from importlib import import_module

from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted

GUARDS = import_module("scoring.migrations.0003_what_is_written_is_kept").GUARDS


class Migration(migrations.Migration):
    dependencies = [("scoring", "0005_deals_from_slips")]

    operations = [
        lifted(GUARDS),
        migrations.AddField(
            model_name="collection",
            name="cards_delay",
            field=models.DurationField(default=datetime.timedelta),
        ),
        migrations.AddField(
            model_name="scoresheet",
            name="cards_delay",
            field=models.DurationField(default=datetime.timedelta),
        ),
        guarded(GUARDS),
    ]
