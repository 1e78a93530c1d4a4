"""Few items are controls: partial indexes, made without a lock."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [('judgments', '0023_watching')]

    operations = [
        AddIndexConcurrently(
            model_name='item',
            index=models.Index(
                fields=['control_output'],
                condition=Q(control_output__isnull=False),
                name='item_control_output',
            ),
        ),
        AddIndexConcurrently(
            model_name='itemoutput',
            index=models.Index(
                fields=['altered'],
                condition=Q(altered__isnull=False),
                name='shown_altered',
            ),
        ),
    ]
