"""How often the mail of an invitation was tried."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("judgments", "0041_first_records"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="mail_tries",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
