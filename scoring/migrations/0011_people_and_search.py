"""What players ask and are merged into, what they and their deals are searched by, filled for those there are."""

import json
from importlib import import_module
from itertools import islice

import django.db.models.deletion
import django.db.models.functions.text
import uuid
from django.conf import settings
from django.db import migrations, models

from courtpiece.accounts.guards import guarded, lifted
from courtpiece.notation import read
from scoring.names import name_keys

GUARDS = tuple(
    guard
    for guard in import_module("scoring.migrations.0006_cards_shown_late").GUARDS
    if guard.table == "scoring_deal" or "scoring_deal" in guard.when
)
AT_ONCE = 2000


def fill_name_keys(apps, schema_editor):
    NameKey = apps.get_model("scoring", "NameKey")
    players = apps.get_model("scoring", "Player").objects.order_by("pk").values_list("pk", "name")
    rows = (NameKey(player_id=pk, key=key) for pk, name in players.iterator(AT_ONCE) for key in sorted(name_keys(name)))
    while chunk := list(islice(rows, AT_ONCE)):
        NameKey.objects.bulk_create(chunk)


def fill_deals(apps, schema_editor):
    deals = apps.get_model("scoring", "Deal").objects.order_by("pk")
    Revision = apps.get_model("scoring", "Revision")
    last = 0
    while current := dict(deals.filter(pk__gt=last).values_list("pk", "revision")[:AT_ONCE]):
        rows = Revision.objects.filter(deal__gt=last, deal__lte=max(current))
        last = max(current)
        told = [
            (*found_of(pcn, revoked, finding), pk)
            for pk, number, pcn, revoked, finding in rows.values_list("deal", "number", "pcn", "revoked", "finding")
            if current[pk] == number
        ]
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE scoring_deal SET cards_s = %s, cards_e = %s, cards_n = %s, cards_w = %s, revoker = %s "
                "WHERE id = %s",
                [one for one in told if any(one[:-1])],
            )


def found_of(pcn, revoked, finding):
    """Return who was dealt what, and the seat whose revoke ended the deal."""
    record = next(read(pcn)).record if "[Hands" in pcn else None
    hands = (record.facts.hands if record is not None else None) or (0, 0, 0, 0)
    finding = json.loads(finding) if isinstance(finding, str) else finding
    seats = (one["seat"] for one in finding.get("revokes", ()) if not one["corrected"])
    return (*hands, next((seat for seat in seats if revoked and seat in revoked), ""))


def nothing(apps, schema_editor):
    """Leave it: the columns go."""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_audit_entries_are_kept'),
        ('scoring', '0010_ratings_and_analyses'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        lifted(GUARDS),
        migrations.CreateModel(
            name='NameKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(db_index=True, max_length=100)),
            ],
            options={
                'verbose_name': 'key of a name',
                'verbose_name_plural': 'keys of names',
            },
        ),
        migrations.CreateModel(
            name='PersonRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('claim', 'this player is me'), ('merge', 'two players are one person'), ('anonymise', 'take the name away for good')], max_length=10)),
                ('asked_at', models.DateTimeField()),
                ('note', models.CharField(blank=True, max_length=300)),
                ('state', models.CharField(choices=[('open', 'waits for an answer'), ('approved', 'approved'), ('declined', 'declined'), ('taken-back', 'taken back'), ('undone', 'undone')], default='open', max_length=10)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'verbose_name': 'request about a player',
                'verbose_name_plural': 'requests about players',
            },
        ),
        migrations.RemoveIndex(
            model_name='deal',
            name='deal_award',
        ),
        migrations.AddField(
            model_name='deal',
            name='cards_e',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='deal',
            name='cards_n',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='deal',
            name='cards_s',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='deal',
            name='cards_w',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='deal',
            name='revoker',
            field=models.CharField(blank=True, choices=[('N', 'North'), ('E', 'East'), ('S', 'South'), ('W', 'West')], max_length=1),
        ),
        migrations.AddField(
            model_name='player',
            name='hidden_name',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name='player',
            name='merged_into',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='duplicates', to='scoring.player'),
        ),
        migrations.AddIndex(
            model_name='deal',
            index=models.Index(condition=models.Q(('award', 'win'), _negated=True), fields=['award', '-scoresheet', 'number'], name='deal_award'),
        ),
        migrations.AddIndex(
            model_name='deal',
            index=models.Index(condition=models.Q(('revoked', ''), _negated=True), fields=['revoked', '-scoresheet', 'number'], name='deal_revoked'),
        ),
        migrations.AddIndex(
            model_name='scoresheet',
            index=models.Index(django.db.models.functions.text.Replace('date', models.Value('?'), models.Value('0')), name='scoresheet_first_day'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('hidden_name', ''), _negated=True), fields=('club', 'hidden_name'), name='player_hidden_name_once_in_a_club'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='player_is_not_merged_into_itself'),
        ),
        migrations.AddField(
            model_name='namekey',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='name_keys', to='scoring.player'),
        ),
        migrations.AddField(
            model_name='personrequest',
            name='answered_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='personrequest',
            name='asked_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='personrequest',
            name='kept',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player'),
        ),
        migrations.AddField(
            model_name='personrequest',
            name='moved_user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='personrequest',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='scoring.player'),
        ),
        migrations.AddConstraint(
            model_name='namekey',
            constraint=models.UniqueConstraint(fields=('player', 'key'), name='name_key_once_a_player'),
        ),
        migrations.AddConstraint(
            model_name='personrequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('kind', 'player', 'asked_by'), name='person_asks_once'),
        ),
        migrations.AddConstraint(
            model_name='personrequest',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'merge'), ('state', 'approved')), fields=('player',), name='player_is_merged_once'),
        ),
        migrations.AddConstraint(
            model_name='personrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='person_request_is_answered_or_open'),
        ),
        migrations.AddConstraint(
            model_name='personrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kept__isnull', False), ('kind', 'merge')), models.Q(models.Q(('kind', 'merge'), _negated=True), ('kept__isnull', True)), _connector='OR'), name='person_request_merges_two'),
        ),
        migrations.RunPython(fill_name_keys, nothing),
        migrations.RunPython(fill_deals, nothing),
        guarded(GUARDS),
    ]
