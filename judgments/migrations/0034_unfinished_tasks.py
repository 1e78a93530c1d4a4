"""What can be claimed is found without the batches that are done, and an annotator's tasks of one
campaign without those of others. Tasks are few beside judgments: their table is rewritten."""

from django.db import migrations, models
from django.db.models import ExpressionWrapper, F, Q


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0033_media_lengths'),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='is_unfinished',
            field=models.GeneratedField(
                expression=ExpressionWrapper(
                    Q(n_judged__lt=F('n_items')), output_field=models.BooleanField()
                ),
                output_field=models.BooleanField(),
                db_persist=True,
            ),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(fields=['annotator', 'campaign'], name='task_of_annotator'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(
                fields=['campaign', 'batch', 'seat'],
                condition=Q(is_unfinished=True),
                name='task_unfinished',
            ),
        ),
    ]
