from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("judgments", "0019_plans_and_controls"),
    ]

    operations = [
        migrations.AddField(
            model_name="qualityrule",
            name=name,
            field=models.FloatField(blank=True, null=True),
        )
        for name in ("degraded_level", "least_checks", "least_references", "most_deviation")
    ]
