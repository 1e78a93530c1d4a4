"""Every job has a time of its last progress, at first that of the request."""

import django.utils.timezone
from django.db import migrations, models

TIMES = """
UPDATE metrics_scoringjob SET moved_at = created_at WHERE moved_at IS NULL;
UPDATE metrics_baselinejob SET moved_at = created_at WHERE moved_at IS NULL;
"""


def job(model):
    return [
        migrations.AlterField(
            model_name=model,
            name='message',
            field=models.TextField(blank=True, default=''),
        ),
        migrations.AlterField(
            model_name=model,
            name='moved_at',
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
    ]


class Migration(migrations.Migration):

    dependencies = [
        ('metrics', '0001_squashed_0008_metric_spans'),
    ]

    operations = [
        migrations.RunSQL(TIMES, migrations.RunSQL.noop),
        *job('scoringjob'),
        *job('linkedtexts'),
        *job('baselinejob'),
    ]
