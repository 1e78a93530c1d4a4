from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0060_adjudications'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='n_tutorial_asked',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='membership',
            name='n_tutorial_right',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='membership',
            name='n_tutorial_tries',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='membership',
            name='qualified_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
