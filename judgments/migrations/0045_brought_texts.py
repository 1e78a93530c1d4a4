from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("judgments", "0044_deleting_functions"),
    ]

    operations = [
        migrations.AlterField(
            model_name="alteredoutput",
            name="rule",
            field=models.CharField(
                max_length=20,
                choices=[
                    ("wmt16", "Phrase replaced, lengths of WMT16"),
                    ("appraise", "Phrase replaced, lengths of Appraise"),
                    ("crowd-alone", "Phrase deleted, lengths of Graham et al. (2015)"),
                    ("loud", "Check that says so"),
                    ("silent", "Check: another text's translation"),
                    ("brought", "Brought with judgments"),
                ],
            ),
        ),
    ]
