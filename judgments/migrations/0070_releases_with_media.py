from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0069_presses'),
    ]

    operations = [
        migrations.AlterField(
            model_name='download',
            name='kind',
            field=models.CharField(choices=[('archive', 'archive.zip'), ('all-results', 'campaign.json'), ('release', 'release.zip'), ('release-media', 'release.zip, with sound, pictures and videos'), ('release-hashes', 'release.zip, with hashes in place of the texts')], max_length=20),
        ),
    ]
