from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0061_the_tutorial_is_a_test'),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='choice',
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
