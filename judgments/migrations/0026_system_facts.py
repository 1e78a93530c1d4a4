import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('judgments', '0025_segment_marks')]

    operations = [
        migrations.CreateModel(
            name='SystemFacts',
            fields=[
                (
                    'system',
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name='facts',
                        serialize=False,
                        to='judgments.system',
                    ),
                ),
                ('kind', models.CharField(blank=True, max_length=40)),
                (
                    'parameters',
                    models.BigIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10**15),
                        ],
                    ),
                ),
                (
                    'words_per_second',
                    models.FloatField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1e-6),
                            django.core.validators.MaxValueValidator(10**9),
                        ],
                    ),
                ),
                ('is_human', models.BooleanField(blank=True, null=True)),
                (
                    'post_edited_from',
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name='edited_by_people',
                        to='judgments.system',
                    ),
                ),
            ],
        ),
    ]
