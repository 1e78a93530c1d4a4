"""Requests for links, files and imports have the same status and message as every other job."""

import django.utils.timezone
from django.db import migrations, models

STATUSES = [('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')]
# An upload that was read has the status "done" as an imported one; `keeps` says which it is.
NAMES = """
UPDATE judgments_alignerrun SET status = 'queued' WHERE status = 'waiting';
UPDATE judgments_download SET status = 'queued' WHERE status = 'waiting';
UPDATE judgments_upload SET
    keeps = CASE status WHEN 'done' THEN true WHEN 'found' THEN false ELSE keeps END,
    status = CASE status WHEN 'waiting' THEN 'queued' WHEN 'found' THEN 'done' ELSE status END;
"""


def job(model):
    """Return the operations for one model, whose `state` was renamed to `status`."""
    return [
        migrations.AlterField(
            model_name=model,
            name='status',
            field=models.CharField(choices=STATUSES, default='queued', max_length=10),
        ),
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
        ('judgments', '0001_squashed_0074_words'),
    ]

    operations = [
        *(migrations.RenameField(model, 'state', 'status') for model in ('alignerrun', 'download', 'upload')),
        *(migrations.RenameField(model, 'problem', 'message') for model in ('alignerrun', 'download')),
        migrations.AddField('upload', 'message', models.TextField(blank=True, default='')),
        migrations.RunSQL(NAMES, migrations.RunSQL.noop),
        *job('alignerrun'),
        *job('download'),
        *job('upload'),
    ]
