"""Triggers that keep the audit trail append-only, and the table in which failed sign-ins are counted.

A later migration that alters these tables on SQLite makes them anew: it has to call `install` again.
"""

from django.core.management import call_command
from django.db import migrations

from sfumato.web.accounts.audit_trail import triggers


def _install(apps, schema_editor):
    triggers.install(schema_editor.connection)
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def _remove(apps, schema_editor):
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_initial")]
    operations = [migrations.RunPython(_install, _remove)]
