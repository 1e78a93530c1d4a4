"""Which systems are controls of known weakness."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("judgments", "0036_word_links"),
    ]

    operations = [
        migrations.AddField(
            model_name='systemfacts',
            name='is_control',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
