"""What annotators may do, logged: rows are only added, and leave with their campaign."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


FUNCTION = 'judgments_delete_campaign'
DECISIONS = 'DELETE FROM judgments_decision WHERE campaign_id = which;'
STATES = 'DELETE FROM judgments_annotatorstate WHERE campaign_id = which;'
GUARD = """
CREATE TRIGGER only_added BEFORE UPDATE OR TRUNCATE ON judgments_annotatorstate
    FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();
CREATE TRIGGER only_deleted AFTER DELETE ON judgments_annotatorstate REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse_undeleted('SELECT campaign_id FROM gone');
"""


def guard(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(GUARD)
        cursor.execute('SELECT pg_get_functiondef(%s::regproc)', [FUNCTION])
        cursor.execute(cursor.fetchone()[0].replace(DECISIONS, f'{DECISIONS}\n    {STATES}'))


def unguard(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute('SELECT pg_get_functiondef(%s::regproc)', [FUNCTION])
        cursor.execute(cursor.fetchone()[0].replace(STATES, ''))


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0052_files_of_projects_say_what_they_hold'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AnnotatorState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('working', 'Works'), ('held', 'Held'), ('replaced', 'Replaced')], max_length=10)),
                ('reason', models.TextField()),
                ('decided_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='annotator_states', to='judgments.campaign')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['campaign', 'annotator', '-id'], name='state_of_annotator')],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]
