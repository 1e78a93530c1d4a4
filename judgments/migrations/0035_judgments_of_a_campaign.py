"""The judgments of a campaign in their order: made without a lock, in place of the index of the
campaign alone; and the tasks of an annotator without theirs."""

import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

from mteval_site.postgresql.foreign_keys import DropForeignKeyIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('judgments', '0034_unfinished_tasks'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='judgment',
            index=models.Index(fields=['campaign', 'id'], name='judgment_of_campaign'),
        ),
        DropForeignKeyIndex(
            model_name='judgment',
            name='campaign',
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name='judgments',
                to='judgments.campaign',
            ),
        ),
        DropForeignKeyIndex(
            model_name='task',
            name='annotator',
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name='tasks',
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
