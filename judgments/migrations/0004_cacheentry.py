"""A cache that all hosts share."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0003_task_assigned_at'),
    ]

    operations = [
        migrations.CreateModel(
            name='CacheEntry',
            fields=[
                ('cache_key', models.CharField(max_length=255, primary_key=True, serialize=False)),
                ('value', models.TextField()),
                ('expires', models.DateTimeField(db_index=True)),
            ],
            options={
                'verbose_name_plural': 'cache entries',
            },
        ),
    ]
