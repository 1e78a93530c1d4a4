from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0062_choice_of_systems'),
    ]

    operations = [
        migrations.AddField(
            model_name='payment',
            name='sent_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='payment',
            name='prolific',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=64),
        ),
    ]
