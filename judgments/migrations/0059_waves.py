from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0058_projects_have_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='wave',
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False),
        ),
    ]
