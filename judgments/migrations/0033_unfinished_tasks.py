"""What can be claimed is found without the batches that are done, and an annotator's tasks of one
campaign without those of others. Tasks are few beside judgments: their table is rewritten."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import ExpressionWrapper, F, Q


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0032_one_index_each'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
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
        migrations.AlterField(
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
