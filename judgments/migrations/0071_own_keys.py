from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("judgments", "0070_releases_with_media"),
    ]

    operations = [
        migrations.AddField(
            model_name="readingsettings",
            name="own_keys",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
    ]
