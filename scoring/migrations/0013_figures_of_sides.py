"""The figures of each side of a scoresheet, counted here of all that is recorded already."""

import django.db.models.deletion
from django.db import migrations, models

from scoring import figures

SHEETS_AT_ONCE = 500


def count_all(apps, schema_editor):
    """Keep the figures of all scoresheets: a million deals take a minute or two."""
    side_figures = apps.get_model("scoring", "SideFigures")
    names = [field.attname for field in side_figures._meta.concrete_fields if field.name != "id"]
    counting = apps.get_model("scoring", "Deal").objects.filter(counts=True)
    sheets = apps.get_model("scoring", "Scoresheet").objects.filter(version__gt=0).order_by("pk")
    last = 0
    while ids := list(sheets.filter(pk__gt=last).values_list("pk", flat=True)[:SHEETS_AT_ONCE]):
        side_figures.objects.bulk_create(
            side_figures(**{name: getattr(row, name) for name in names})
            for sheet in figures.counted_sheets(ids, counting)
            for row in figures.rows_of(sheet)
        )
        last = ids[-1]


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0012_guards_of_statements'),
    ]

    operations = [
        migrations.CreateModel(
            name='SideFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(choices=[('NS', 'North–South'), ('EW', 'East–West')], max_length=2)),
                ('played_first', models.DateField(blank=True, null=True)),
                ('played_last', models.DateField(blank=True, null=True)),
                ('recorded_at', models.DateTimeField()),
                ('deals', models.PositiveSmallIntegerField()),
                ('deals_won', models.PositiveSmallIntegerField()),
                ('called', models.PositiveSmallIntegerField()),
                ('called_won', models.PositiveSmallIntegerField()),
                ('courts_for', models.PositiveIntegerField()),
                ('courts_against', models.PositiveIntegerField()),
                ('courts', models.PositiveSmallIntegerField()),
                ('goon_courts', models.PositiveSmallIntegerField()),
                ('bavneys', models.PositiveSmallIntegerField()),
                ('full_runs', models.PositiveSmallIntegerField()),
                ('revokes', models.PositiveSmallIntegerField()),
                ('longest_run', models.PositiveSmallIntegerField()),
                ('run_first', models.PositiveIntegerField()),
                ('run_last', models.PositiveIntegerField()),
                ('first_spades', models.PositiveSmallIntegerField()),
                ('first_hearts', models.PositiveSmallIntegerField()),
                ('first_diamonds', models.PositiveSmallIntegerField()),
                ('first_clubs', models.PositiveSmallIntegerField()),
                ('first_spades_won', models.PositiveSmallIntegerField()),
                ('first_hearts_won', models.PositiveSmallIntegerField()),
                ('first_diamonds_won', models.PositiveSmallIntegerField()),
                ('first_clubs_won', models.PositiveSmallIntegerField()),
                ('second_spades', models.PositiveSmallIntegerField()),
                ('second_hearts', models.PositiveSmallIntegerField()),
                ('second_diamonds', models.PositiveSmallIntegerField()),
                ('second_clubs', models.PositiveSmallIntegerField()),
                ('second_spades_won', models.PositiveSmallIntegerField()),
                ('second_hearts_won', models.PositiveSmallIntegerField()),
                ('second_diamonds_won', models.PositiveSmallIntegerField()),
                ('second_clubs_won', models.PositiveSmallIntegerField()),
                ('scoresheet', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='figures', to='scoring.scoresheet')),
            ],
            options={
                'verbose_name': 'figures of a side',
                'verbose_name_plural': 'figures of sides',
                'indexes': [models.Index(fields=['-longest_run'], name='figures_longest_run'), models.Index(fields=['-courts_for'], name='figures_courts_for'), models.Index(fields=['played_first'], name='figures_played_first')],
                'constraints': [models.UniqueConstraint(fields=('scoresheet', 'side'), name='figures_once_for_a_side')],
            },
        ),
        migrations.RunPython(count_all, migrations.RunPython.noop, elidable=True),
    ]
