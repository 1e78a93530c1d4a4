from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("metrics", "0002_comparisons_and_corpora")]

    operations = [
        migrations.AddField(
            model_name="scoringpart",
            name="attempts",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="scoringpart",
            name="is_slow",
            field=models.BooleanField(default=False),
        ),
    ]
