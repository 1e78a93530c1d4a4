"""Whether the screen goes on by itself, as each annotator likes it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('judgments', '0027_figure_addresses')]

    operations = [
        migrations.AddField('readingsettings', 'goes_on', models.BooleanField(default=True)),
    ]
