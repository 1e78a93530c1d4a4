from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0054_rules_hold'),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='follows',
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
    ]
