"""Columns that an index of several begins with have no other index of their own: each one makes
storing a row dearer, and finds nothing that the longer one does not."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0031_sentence_steps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='alignmentlink',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='links', to='judgments.judgment'),
        ),
        migrations.AlterField(
            model_name='answer',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='judgments.judgment'),
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='clashmark',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='clash_marks', to='judgments.campaign'),
        ),
        migrations.AlterField(
            model_name='devicemark',
            name='membership',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='judgments.membership'),
        ),
        migrations.AlterField(
            model_name='document',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='judgments.testset'),
        ),
        migrations.AlterField(
            model_name='item',
            name='task',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='judgments.task'),
        ),
        migrations.AlterField(
            model_name='itemoutput',
            name='item',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='shown', to='judgments.item'),
        ),
        migrations.AlterField(
            model_name='judgment',
            name='item',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to='judgments.item'),
        ),
        migrations.AlterField(
            model_name='mediafile',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='media', to='judgments.testset'),
        ),
        migrations.AlterField(
            model_name='membership',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='judgments.campaign'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='rule',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='judgments.noticerule'),
        ),
        migrations.AlterField(
            model_name='output',
            name='system',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='judgments.system'),
        ),
        migrations.AlterField(
            model_name='postedit',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='edits', to='judgments.judgment'),
        ),
        migrations.AlterField(
            model_name='practice',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='practices', to='judgments.campaign'),
        ),
        migrations.AlterField(
            model_name='preference',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='preferences', to='judgments.judgment'),
        ),
        migrations.AlterField(
            model_name='prefilledlink',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prefilled_links', to='judgments.campaign'),
        ),
        migrations.AlterField(
            model_name='question',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='judgments.campaign'),
        ),
        migrations.AlterField(
            model_name='rating',
            name='judgment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='judgments.judgment'),
        ),
        migrations.AlterField(
            model_name='reference',
            name='segment',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='references', to='judgments.segment'),
        ),
        migrations.AlterField(
            model_name='segment',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='judgments.testset'),
        ),
        migrations.AlterField(
            model_name='system',
            name='test_set',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='systems', to='judgments.testset'),
        ),
        migrations.AlterField(
            model_name='targetedreference',
            name='output',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='targeted_references', to='judgments.output'),
        ),
        migrations.AlterField(
            model_name='task',
            name='campaign',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='judgments.campaign'),
        ),
        migrations.AlterField(
            model_name='uploadpiece',
            name='upload',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='judgments.upload'),
        ),
    ]
