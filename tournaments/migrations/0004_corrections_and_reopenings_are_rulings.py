from importlib import import_module

from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted

GUARDS = import_module("tournaments.migrations.0003_what_is_final_is_kept").GUARDS
KINDS = [
    ("court-awarded", "court awarded"),
    ("court-cancelled", "court cancelled"),
    ("deal-void", "deal made void"),
    ("deal-corrected", "deal corrected"),
    ("finding-replaced", "finding replaced"),
    ("match-adjusted", "match adjusted"),
    ("match-forfeited", "match given away"),
    ("penalty", "penalty"),
    ("disqualified", "disqualified"),
    ("taken-back", "taken back"),
    ("reopened", "standings opened again"),
]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_what_is_final_is_kept")]
    operations = [
        lifted(GUARDS),
        migrations.RemoveConstraint(model_name="ruling", name="tournament_ruling_kind_known"),
        migrations.AlterField(
            model_name="ruling",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=20, verbose_name="kind"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(kind__in=[kind for kind, _word in KINDS]), name="tournament_ruling_kind_known"
            ),
        ),
        guarded(GUARDS),
    ]
