"""Copies of the demo on a public demo server, which leave without a trace.

What else is only ever added may leave with a copy: by a function with the rights of the owner,
which the role that serves may call on a public demo server only (mteval_site/grants.py).
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

LEAVES = """
CREATE OR REPLACE FUNCTION judgments_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_LEVEL = 'STATEMENT'
        AND current_setting('mteval.forgets_demo', true) = 'on'
        AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID)
    THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'Rows of % are only ever added: % refused.', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'A revision is another judgment. A person''s data are erased with '
                     'manage.py erase_annotator.';
END $$;

-- Counts the copies that were forgotten, so that each host empties its kept results.
CREATE SEQUENCE judgments_demo_forgotten MINVALUE 0 START 0;
SELECT nextval('judgments_demo_forgotten');

-- Forgets one copy whose day is over, and only what does not exist any more.
CREATE FUNCTION judgments_forget_demo(
    copy bigint, accounts bigint[], campaigns bigint[], test_sets bigint[]
)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF EXISTS (SELECT FROM judgments_campaign WHERE id = ANY(campaigns))
        OR EXISTS (SELECT FROM judgments_testset WHERE id = ANY(test_sets))
        OR EXISTS (SELECT FROM auth_user WHERE id = ANY(accounts))
    THEN
        RAISE EXCEPTION 'Accounts, campaigns and test sets are deleted before they are forgotten.'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (
        SELECT FROM unnest(campaigns) AS number WHERE NOT EXISTS (
            SELECT FROM judgments_deletedcampaign
            WHERE campaign = number AND test_set = ANY(test_sets)
        )
    ) THEN
        RAISE EXCEPTION 'These are not all deleted campaigns of these test sets.'
            USING ERRCODE = 'restrict_violation';
    END IF;
    DELETE FROM judgments_democopy WHERE id = copy AND ends_at <= clock_timestamp();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no copy % of the demo whose day is over.', copy
            USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM set_config('mteval.forgets_demo', 'on', true);
    DELETE FROM judgments_act
        WHERE "user" = ANY(accounts) OR campaign = ANY(campaigns) OR test_set = ANY(test_sets);
    DELETE FROM judgments_erasedjudgment AS t USING judgments_erasure AS e
        WHERE t.erasure_id = e.id AND e.account = ANY(accounts);
    DELETE FROM judgments_erasure WHERE account = ANY(accounts);
    DELETE FROM judgments_deletedcampaign WHERE campaign = ANY(campaigns);
    PERFORM set_config('mteval.forgets_demo', 'off', true);
    PERFORM nextval('judgments_demo_forgotten');
END $$;
REVOKE ALL ON FUNCTION judgments_forget_demo FROM PUBLIC;

DO $$
DECLARE
    each regprocedure;
BEGIN
    FOR each IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace
        AND proname IN ('judgments_refuse', 'judgments_forget_demo')
    LOOP
        EXECUTE format(
            'ALTER FUNCTION %s SET search_path = %I, pg_temp', each, current_schema()
        );
    END LOOP;
END $$;
"""
STAYS = """
DROP FUNCTION judgments_forget_demo;
DROP SEQUENCE judgments_demo_forgotten;
"""


def leaves(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(LEAVES)


def stays(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(STAYS)


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0072_widths_and_quotes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DemoCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('taken_at', models.DateTimeField(editable=False, null=True)),
                ('ends_at', models.DateTimeField(db_index=True, editable=False, null=True)),
                ('browser', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('annotator', models.OneToOneField(on_delete=django.db.models.deletion.DO_NOTHING, related_name='demo_part', to=settings.AUTH_USER_MODEL)),
                ('manager', models.OneToOneField(on_delete=django.db.models.deletion.DO_NOTHING, related_name='demo_copy', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'demo copies',
                'ordering': ['pk'],
            },
        ),
        migrations.RunPython(leaves, stays),
    ]
