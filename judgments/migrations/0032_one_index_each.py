"""Columns that an index of several begins with have no other index of their own: each one makes
storing a row dearer, and finds nothing that the longer one does not."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from mteval_site.postgresql.foreign_keys import DropForeignKeyIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('judgments', '0031_sentence_steps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        DropForeignKeyIndex(
            model_name='alignmentlink',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='links', to='judgments.judgment'),
        ),
        DropForeignKeyIndex(
            model_name='answer',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='judgments.judgment'),
        ),
        DropForeignKeyIndex(
            model_name='apitoken',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL),
        ),
        DropForeignKeyIndex(
            model_name='clashmark',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='clash_marks', to='judgments.campaign'),
        ),
        DropForeignKeyIndex(
            model_name='devicemark',
            name='membership',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='judgments.membership'),
        ),
        DropForeignKeyIndex(
            model_name='document',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='judgments.testset'),
        ),
        DropForeignKeyIndex(
            model_name='item',
            name='task',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='judgments.task'),
        ),
        DropForeignKeyIndex(
            model_name='itemoutput',
            name='item',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='shown', to='judgments.item'),
        ),
        DropForeignKeyIndex(
            model_name='judgment',
            name='item',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to='judgments.item'),
        ),
        DropForeignKeyIndex(
            model_name='mediafile',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='media', to='judgments.testset'),
        ),
        DropForeignKeyIndex(
            model_name='membership',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='judgments.campaign'),
        ),
        DropForeignKeyIndex(
            model_name='notice',
            name='rule',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='judgments.noticerule'),
        ),
        DropForeignKeyIndex(
            model_name='output',
            name='system',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='judgments.system'),
        ),
        DropForeignKeyIndex(
            model_name='postedit',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='edits', to='judgments.judgment'),
        ),
        DropForeignKeyIndex(
            model_name='practice',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='practices', to='judgments.campaign'),
        ),
        DropForeignKeyIndex(
            model_name='preference',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='preferences', to='judgments.judgment'),
        ),
        DropForeignKeyIndex(
            model_name='prefilledlink',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prefilled_links', to='judgments.campaign'),
        ),
        DropForeignKeyIndex(
            model_name='question',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='judgments.campaign'),
        ),
        DropForeignKeyIndex(
            model_name='rating',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='judgments.judgment'),
        ),
        DropForeignKeyIndex(
            model_name='reference',
            name='segment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='references', to='judgments.segment'),
        ),
        DropForeignKeyIndex(
            model_name='segment',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='judgments.testset'),
        ),
        DropForeignKeyIndex(
            model_name='system',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='systems', to='judgments.testset'),
        ),
        DropForeignKeyIndex(
            model_name='targetedreference',
            name='output',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='targeted_references', to='judgments.output'),
        ),
        DropForeignKeyIndex(
            model_name='task',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='judgments.campaign'),
        ),
        DropForeignKeyIndex(
            model_name='uploadpiece',
            name='upload',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='judgments.upload'),
        ),
    ]
