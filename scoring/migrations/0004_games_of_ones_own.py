import django.db.models.deletion
import uuid
from importlib import import_module

from django.conf import settings
from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted

GUARDS = import_module("scoring.migrations.0003_what_is_written_is_kept").GUARDS


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_audit_entries_are_kept'),
        ('scoring', '0003_what_is_written_is_kept'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        lifted(GUARDS),
        migrations.CreateModel(
            name='GameLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('made_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'link of a game',
                'verbose_name_plural': 'links of games',
            },
        ),
        migrations.CreateModel(
            name='GameOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('offered_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('open', 'waits for an answer'), ('taken', 'taken'), ('declined', 'declined'), ('taken-back', 'taken back')], default='open', max_length=10)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
            ],
            options={
                'verbose_name': 'offered game',
                'verbose_name_plural': 'offered games',
            },
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='east_name',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='north_name',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='owner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='put_away_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='south_name',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='west_name',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AlterField(
            model_name='scoresheet',
            name='club',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='scoresheets', to='accounts.club'),
        ),
        migrations.AlterField(
            model_name='scoresheet',
            name='east',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player'),
        ),
        migrations.AlterField(
            model_name='scoresheet',
            name='ew',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.partnership', verbose_name='East–West'),
        ),
        migrations.AlterField(
            model_name='scoresheet',
            name='north',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player'),
        ),
        migrations.AlterField(
            model_name='scoresheet',
            name='ns',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.partnership', verbose_name='North–South'),
        ),
        migrations.AlterField(
            model_name='scoresheet',
            name='south',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player'),
        ),
        migrations.AlterField(
            model_name='scoresheet',
            name='west',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('club__isnull', False), ('east__isnull', False), ('ew__isnull', False), ('north__isnull', False), ('ns__isnull', False), ('south__isnull', False), ('west__isnull', False)), models.Q(('club__isnull', True), ('collection__isnull', True), ('east__isnull', True), ('ew__isnull', True), ('north__isnull', True), ('ns__isnull', True), ('owner__isnull', False), ('south__isnull', True), ('visibility', 'private'), ('west__isnull', True), models.Q(('north_name', ''), _negated=True), models.Q(('south_name', ''), _negated=True), models.Q(('east_name', ''), _negated=True), models.Q(('west_name', ''), _negated=True)), _connector='OR'), name='scoresheet_is_a_clubs_or_somebodys_own'),
        ),
        migrations.AddField(
            model_name='gamelink',
            name='made_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='gamelink',
            name='scoresheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='scoring.scoresheet'),
        ),
        migrations.AddField(
            model_name='gameoffer',
            name='answered_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='gameoffer',
            name='club',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.club'),
        ),
        migrations.AddField(
            model_name='gameoffer',
            name='offered_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='gameoffer',
            name='scoresheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='offers', to='scoring.scoresheet'),
        ),
        migrations.AddConstraint(
            model_name='gamelink',
            constraint=models.UniqueConstraint(condition=models.Q(('revoked_at__isnull', True)), fields=('scoresheet',), name='game_has_one_good_link'),
        ),
        migrations.AddConstraint(
            model_name='gameoffer',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('scoresheet',), name='game_is_offered_to_one_club'),
        ),
        migrations.AddConstraint(
            model_name='gameoffer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='game_offer_is_answered_or_open'),
        ),
        guarded(GUARDS),
    ]
