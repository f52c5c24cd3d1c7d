from django.db import migrations

from courtpiece.accounts.guards import append_only, guarded

GUARDS = append_only("accounts_auditentry")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [guarded(GUARDS)]
