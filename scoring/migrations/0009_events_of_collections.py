"""What happens in a collection is written down with a number, for programs that follow it."""

import django.db.models.deletion
from django.db import migrations, models

from courtpiece.accounts.guards import AddFieldUnderGuards, append_only, guarded

GUARDS = append_only("scoring_streamevent", unique=("collection_id", "number"))


class Migration(migrations.Migration):
    dependencies = [("scoring", "0008_revisions_from_archives")]

    operations = [
        AddFieldUnderGuards(
            model_name="collection",
            name="events",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="StreamEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField()),
                ("kind", models.CharField(max_length=32)),
                ("version", models.PositiveBigIntegerField()),
                ("data", models.JSONField()),
                ("made_at", models.DateTimeField()),
                (
                    "collection",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="stream",
                        to="scoring.collection",
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("collection", "number"), name="stream_number_once_in_a_collection"
                    )
                ],
            },
        ),
        guarded(GUARDS),
    ]
