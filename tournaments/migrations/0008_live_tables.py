"""How late spectators follow the tables, and what tables show of the deals that go on."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted

GUARDS = import_module("tournaments.migrations.0003_what_is_final_is_kept").GUARDS

class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0007_confirmations'),
    ]

    operations = [
        lifted(GUARDS),
        migrations.AddField(
            model_name='tournament',
            name='live_delay',
            field=models.PositiveIntegerField(default=0, verbose_name='delay of the cards, in minutes'),
        ),
        guarded(GUARDS),
        migrations.CreateModel(
            name='LiveState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device', models.UUIDField(verbose_name='device')),
                ('sequence', models.PositiveBigIntegerField(verbose_name='sequence')),
                ('deal', models.PositiveIntegerField(verbose_name='deal')),
                ('pcn', models.TextField(blank=True, verbose_name='record so far')),
                ('received_at', models.DateTimeField(verbose_name='received at')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='live_states', to='tournaments.match')),
            ],
            options={
                'verbose_name': 'live state of a table',
                'verbose_name_plural': 'live states of tables',
                'indexes': [models.Index(fields=['match', 'received_at'], name='live_states_of_match'), models.Index(fields=['received_at'], name='live_states_by_age')],
                'constraints': [models.UniqueConstraint(fields=('match', 'device', 'sequence'), name='live_sequence_once'), models.CheckConstraint(condition=models.Q(('deal__gte', 1)), name='live_deal_from_one')],
            },
        ),
    ]
