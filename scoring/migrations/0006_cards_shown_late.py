"""For so long after it was recorded a deal's cards are kept from spectators."""

import datetime
from importlib import import_module

from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted, locked

BEFORE = import_module("scoring.migrations.0003_what_is_written_is_kept")
SHEETS = locked(
    "scoring_scoresheet",
    BEFORE.SHEETS,
    message=BEFORE.LOCKED,
    columns=(
        *BEFORE.SHEET_COLUMNS, "owner_id", "north_name", "south_name", "east_name", "west_name", "put_away_at",
    ),
)
# All but the visibility and the delay: what is final can still be shown or hidden.
GUARDS = tuple(SHEETS if guard.name == SHEETS.name else guard for guard in BEFORE.GUARDS)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0005_deals_from_slips")]

    operations = [
        lifted(BEFORE.GUARDS),
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
