"""Which systems are controls of known weakness."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0035_judgments_of_a_campaign'),
    ]

    operations = [
        migrations.AddField(
            model_name='systemfacts',
            name='is_control',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
