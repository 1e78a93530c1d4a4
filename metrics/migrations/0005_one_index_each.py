"""Columns that an index of several begins with have no other index of their own: each one makes
storing a row dearer, and finds nothing that the longer one does not."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from mteval_site.postgresql.foreign_keys import DropForeignKeyIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('judgments', '0032_one_index_each'),
        ('metrics', '0004_levels'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        DropForeignKeyIndex(
            model_name='comparison',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='comparisons', to='judgments.testset'),
        ),
        DropForeignKeyIndex(
            model_name='metricscore',
            name='system',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='metric_scores', to='judgments.system'),
        ),
        DropForeignKeyIndex(
            model_name='metricscore',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='metric_scores', to='judgments.testset'),
        ),
        DropForeignKeyIndex(
            model_name='monolingualcorpus',
            name='owner',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='monolingual_corpora', to=settings.AUTH_USER_MODEL),
        ),
        DropForeignKeyIndex(
            model_name='scoringpart',
            name='job',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='metrics.scoringjob'),
        ),
    ]
