"""Judgments from before there were chains get theirs, some tasks at a time.

What is hashed is frozen (`judgments/models/chains/content.py`), which is why this may import it. It
can be ended and run again. It runs once: judgments that somebody puts in later are not taken for
old ones.
"""

from django.db import migrations


def seal_all(apps, schema_editor):
    from judgments.models.chains.sealing import seal_all

    seal_all()


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("judgments", "0007_append_only")]
    operations = [migrations.RunPython(seal_all, migrations.RunPython.noop)]
