"""The judgments of a campaign in their order: made without a lock, in place of the index of the
campaign alone."""

import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [('judgments', '0033_unfinished_tasks')]

    operations = [
        AddIndexConcurrently(
            model_name='judgment',
            index=models.Index(fields=['campaign', 'id'], name='judgment_of_campaign'),
        ),
        # As an AlterField alone, this would also make the foreign key anew, and read the table
        # under a lock for that.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    'DROP INDEX CONCURRENTLY IF EXISTS "judgments_judgment_campaign_id_c85d6df2"',
                    'CREATE INDEX CONCURRENTLY "judgments_judgment_campaign_id_c85d6df2"'
                    ' ON "judgments_judgment" ("campaign_id")',
                )
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='judgment',
                    name='campaign',
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='judgments',
                        to='judgments.campaign',
                    ),
                ),
            ],
        ),
    ]
