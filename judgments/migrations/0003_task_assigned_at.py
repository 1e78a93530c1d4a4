"""Tasks have the time at which they became their annotator's, by which their work is ordered."""

import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models

# Those that were not claimed came last in the order so far, and get the time of the migration.
CLAIMED = "UPDATE judgments_task SET assigned_at = claimed_at WHERE claimed_at IS NOT NULL"


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0002_jobs'),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='assigned_at',
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(),
                default=django.utils.timezone.now,
                editable=False,
            ),
        ),
        migrations.RunSQL(CLAIMED, migrations.RunSQL.noop),
    ]
