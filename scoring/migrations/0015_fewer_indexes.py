"""Three indexes less to write with every deal.

Two constraints have indexes that begin with the same column, and nothing is looked up by an operation.
"""

import django.db.models.deletion
from django.db import migrations, models

DROPPED = (
    ("scoring_deal_scoresheet_id_e66a058a", "scoring_deal", "scoresheet_id"),
    ("scoring_revision_deal_id_a50e28c9", "scoring_revision", "deal_id"),
    ("scoring_revision_operation_id_31072346", "scoring_revision", "operation_id"),
)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0014_pairs_as_they_are_named")]

    operations = [
        migrations.SeparateDatabaseAndState(
            # SQLite would make the whole tables anew, and lose their guards.
            database_operations=[
                migrations.RunSQL(f"DROP INDEX IF EXISTS {name}", f"CREATE INDEX {name} ON {table} ({column})")
                for name, table, column in DROPPED
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="deal",
                    name="scoresheet",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deals",
                        to="scoring.scoresheet",
                    ),
                ),
                migrations.AlterField(
                    model_name="revision",
                    name="deal",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
                        to="scoring.deal",
                    ),
                ),
                migrations.AlterField(
                    model_name="revision",
                    name="operation",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
                        to="scoring.operation",
                    ),
                ),
            ],
        )
    ]
