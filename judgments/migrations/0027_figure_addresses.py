"""The short links under figures."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('judgments', '0026_system_facts')]

    operations = [
        migrations.CreateModel(
            name='FigureAddress',
            fields=[
                ('code', models.CharField(max_length=16, primary_key=True, serialize=False)),
                ('page', models.CharField(blank=True, max_length=50)),
                ('slug', models.CharField(blank=True, max_length=200)),
                ('query', models.TextField(blank=True)),
                ('version', models.CharField(max_length=40)),
                ('seed', models.BigIntegerField()),
                ('fingerprint', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                (
                    'campaign',
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name='figure_addresses',
                        to='judgments.campaign',
                    ),
                ),
            ],
            options={'ordering': ['created_at', 'code']},
        ),
    ]
