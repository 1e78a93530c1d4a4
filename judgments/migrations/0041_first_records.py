"""Campaigns from before there were records get their first one, some tasks at a time.

What is recorded is frozen (`judgments/models/chains/record_kinds.py`), which is why this may import
it. It can be ended and run again. It runs once: a record that somebody removes later is not made
again.
"""

from django.db import migrations


def begin_all(apps, schema_editor):
    from judgments.models.chains.record import begin_all

    begin_all("as found at the upgrade")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("judgments", "0040_append_only_decisions")]
    operations = [migrations.RunPython(begin_all, migrations.RunPython.noop)]
