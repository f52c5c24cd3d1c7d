"""What the other pair says of a deal, and for how long links are good."""

from importlib import import_module

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from courtpiece.accounts.guards import append_only, guarded, lifted, locked

BEFORE = import_module("tournaments.migrations.0003_what_is_final_is_kept").GUARDS
OF_A_SHEET = (
    "EXISTS (SELECT 1 FROM scoring_scoresheet s JOIN scoring_collection c ON c.id = s.collection_id "
    "WHERE s.id = {row}.scoresheet_id AND c.is_locked)"
)
OF_AN_ENTERED_REVISION = (
    "EXISTS (SELECT 1 FROM tournaments_enteredrevision e JOIN scoring_scoresheet s ON s.id = e.scoresheet_id "
    "JOIN scoring_collection c ON c.id = s.collection_id WHERE e.id = {row}.entered_id AND c.is_locked)"
)
FINAL = "its tournament is final"
GUARDS = (
    *append_only("tournaments_enteredrevision", unique=("deal_uid", "revision")),
    *append_only("tournaments_confirmation", unique=("operation_id",)),
    locked("tournaments_enteredrevision", OF_A_SHEET, message=FINAL, only=("INSERT",)),
    locked("tournaments_confirmation", OF_AN_ENTERED_REVISION, message=FINAL, only=("INSERT",)),
)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0003_what_is_written_is_kept'),
        ('tournaments', '0006_links_of_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        lifted(BEFORE),
        migrations.AddField(
            model_name='tablelink',
            name='extended_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='extended at'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='confirmation',
            field=models.BooleanField(default=False, verbose_name='the other pair confirms each deal'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='link_hours',
            field=models.PositiveIntegerField(blank=True, default=48, null=True, verbose_name='hours for which a table link takes deals'),
        ),
        migrations.CreateModel(
            name='EnteredRevision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deal_uid', models.UUIDField()),
                ('revision', models.PositiveIntegerField(verbose_name='revision')),
                ('device', models.UUIDField(verbose_name='device')),
                ('holder', models.CharField(blank=True, choices=[('NS', 'North–South'), ('EW', 'East–West'), ('table', 'both pairs')], max_length=5, verbose_name='held by')),
                ('made_at', models.DateTimeField(verbose_name='made at')),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.tablelink')),
                ('scoresheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.scoresheet')),
            ],
            options={
                'verbose_name': 'revision entered at a table',
                'verbose_name_plural': 'revisions entered at tables',
            },
        ),
        migrations.CreateModel(
            name='Confirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('operation_id', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('verdict', models.CharField(choices=[('agree', 'agreed'), ('dispute', 'disputed'), ('stands', 'let stand by a director')], max_length=7, verbose_name='verdict')),
                ('holder', models.CharField(blank=True, choices=[('NS', 'North–South'), ('EW', 'East–West'), ('table', 'both pairs')], max_length=5, verbose_name='said by')),
                ('device', models.UUIDField(blank=True, null=True, verbose_name='device')),
                ('pcn', models.TextField(blank=True)),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('made_at', models.DateTimeField(verbose_name='made at')),
                ('link', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.tablelink')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entered', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='confirmations', to='tournaments.enteredrevision')),
            ],
            options={
                'verbose_name': 'confirmation',
                'verbose_name_plural': 'confirmations',
            },
        ),
        migrations.AddConstraint(
            model_name='enteredrevision',
            constraint=models.UniqueConstraint(fields=('deal_uid', 'revision'), name='entered_revision_once'),
        ),
        migrations.AddConstraint(
            model_name='enteredrevision',
            constraint=models.CheckConstraint(condition=models.Q(('holder__in', ['', 'NS', 'EW', 'table'])), name='entered_revision_holder_known'),
        ),
        migrations.AddConstraint(
            model_name='confirmation',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['agree', 'dispute', 'stands'])), name='confirmation_verdict_known'),
        ),
        migrations.AddConstraint(
            model_name='confirmation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('device__isnull', True), ('holder', ''), ('link__isnull', True), ('verdict', 'stands'), models.Q(('reason', ''), _negated=True)), models.Q(models.Q(('verdict', 'stands'), _negated=True), ('device__isnull', False), ('holder__in', ['NS', 'EW', 'table']), ('link__isnull', False)), _connector='OR'), name='confirmation_by_a_device_or_a_director'),
        ),
        migrations.AddConstraint(
            model_name='confirmation',
            constraint=models.CheckConstraint(condition=models.Q(('pcn', ''), ('verdict', 'dispute'), _connector='OR'), name='confirmation_another_version_of_a_dispute'),
        ),
        guarded(BEFORE),
        guarded(GUARDS),
    ]
