from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0058_projects_have_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='choice',
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
