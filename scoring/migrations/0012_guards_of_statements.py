"""The guards of what is inserted, set anew: PostgreSQL looks at them once a statement (``accounts.guards``)."""

from importlib import import_module

from django.db import migrations

from courtpiece.accounts.guards import guarded

GUARDS = import_module("scoring.migrations.0006_cards_shown_late").GUARDS


class Migration(migrations.Migration):
    dependencies = [("scoring", "0011_people_and_search")]

    operations = [guarded(GUARDS)]
