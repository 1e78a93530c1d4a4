"""What was pressed while a recording played: rows are only added, and leave with their judgments."""

import django.db.models.deletion
from django.db import migrations, models

# In the functions that delete, beside what they delete of another kind of observation.
LINKS = {
    'judgments_delete_campaign': """DELETE FROM judgments_alignmentlink AS t USING judgments_judgment AS j
        WHERE t.judgment_id = j.id AND j.campaign_id = which;""",
    'judgments_erase': 'DELETE FROM judgments_alignmentlink WHERE judgment_id = ANY(ids);',
}
GUARD = """
CREATE TRIGGER only_added BEFORE UPDATE OR TRUNCATE ON judgments_press
    FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();
CREATE TRIGGER only_erased AFTER DELETE ON judgments_press REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse_unlisted(
        'SELECT gone.judgment_id, judgment.campaign_id FROM gone'
        ' LEFT JOIN judgments_judgment AS judgment ON judgment.id = gone.judgment_id');
"""


def presses(statement):
    return statement.replace('alignmentlink', 'press')


def rewrite(schema_editor, altered):
    with schema_editor.connection.cursor() as cursor:
        for function, links in LINKS.items():
            cursor.execute('SELECT pg_get_functiondef(%s::regproc)', [function])
            (before,) = cursor.fetchone()
            after = altered(before, links)
            assert after != before, function
            cursor.execute(after)


def guard(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(GUARD)
    rewrite(schema_editor, lambda text, links: text.replace(links, f'{links}\n    {presses(links)}'))


def unguard(apps, schema_editor):
    rewrite(schema_editor, lambda text, links: text.replace(f'\n    {presses(links)}', ''))


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0068_stars'),
    ]

    operations = [
        migrations.CreateModel(
            name='Press',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at_ms', models.PositiveIntegerField()),
                ('value', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('clock_ms', models.BigIntegerField(blank=True, null=True)),
                ('judgment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='presses', to='judgments.judgment')),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='presses', to='judgments.output')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('judgment', 'output', 'at_ms'), name='press_once')],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]
