"""How an annotator likes long texts: sentence by sentence, or as the campaign says."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('judgments', '0030_media')]

    operations = [
        migrations.AddField(
            model_name='readingsettings',
            name='sentence_steps',
            field=models.CharField(
                blank=True,
                choices=[
                    ('', 'As the campaign says'),
                    ('on', 'Sentence by sentence'),
                    ('off', 'The whole text at once'),
                ],
                db_default='',
                max_length=3,
            ),
        ),
    ]
