from django.db import migrations, models
from django.db.models.functions import Greatest, Least


class Migration(migrations.Migration):
    dependencies = [("scoring", "0013_figures_of_sides")]

    operations = [
        migrations.RemoveConstraint("partnership", name="partnership_of_two_once"),
        migrations.RemoveConstraint("partnership", name="partnership_first_is_lower"),
        migrations.AddConstraint(
            "partnership",
            models.UniqueConstraint(
                Least("first", "second"), Greatest("first", "second"), name="partnership_of_two_once"
            ),
        ),
        migrations.AddConstraint(
            "partnership",
            models.CheckConstraint(
                condition=models.Q(("first", models.F("second")), _negated=True), name="partnership_is_of_two"
            ),
        ),
    ]
