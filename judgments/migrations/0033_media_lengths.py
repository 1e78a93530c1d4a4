from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0032_one_index_each'),
    ]

    operations = [
        migrations.AddField(
            model_name='mediafile',
            name='seconds',
            field=models.FloatField(blank=True, null=True),
        ),
    ]
