"""Judgments and what hangs on them can only be added, says the database itself.

CREATE TRIGGER keeps writers (not readers) away from a table for the moment that it takes.
"""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

# Tables, and how the judgments are found of whose rows there `gone` are the deleted ones.
KEPT = {
    "judgments_judgment": "SELECT id AS judgment_id FROM gone",
    **{
        f"judgments_{name}": "SELECT judgment_id FROM gone"
        for name in ("rating", "preference", "errorspan", "postedit", "answer", "alignmentlink")
    },
    "judgments_grade": (
        "SELECT answer.judgment_id FROM gone"
        " LEFT JOIN judgments_answer AS answer ON answer.id = gone.answer_id"
    ),
}
# Nothing is ever deleted from these.
LOGS = ("judgments_seal", "judgments_erasure", "judgments_erasedjudgment")

FUNCTIONS = """
CREATE FUNCTION judgments_refuse() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
BEGIN
    RAISE EXCEPTION 'Rows of % are only ever added: % refused.', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'A revision is another judgment. A person''s data are erased with '
                     'manage.py erase_annotator.';
END $$;
CREATE FUNCTION judgments_refuse_unlisted() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
DECLARE
    unlisted boolean;
BEGIN
    EXECUTE format(
        'SELECT EXISTS (SELECT FROM (%s) AS gone LEFT JOIN judgments_erasedjudgment AS listed'
        ' USING (judgment_id) WHERE listed.judgment_id IS NULL)', TG_ARGV[0]
    ) INTO unlisted;
    IF unlisted THEN
        RAISE EXCEPTION 'Rows of % are only ever added: DELETE refused.', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation',
                  HINT = 'A person''s data are erased with manage.py erase_annotator.';
    END IF;
    RETURN NULL;
END $$;
"""
NO_FUNCTIONS = "DROP FUNCTION judgments_refuse; DROP FUNCTION judgments_refuse_unlisted;"


def kept(table: str, found: str) -> migrations.RunSQL:
    """Triggers of whole statements, none of which looks at an INSERT."""
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER only_added BEFORE UPDATE OR TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();
        CREATE TRIGGER only_erased AFTER DELETE ON {table} REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse_unlisted('{found}');
        """,
        f"DROP TRIGGER only_added ON {table}; DROP TRIGGER only_erased ON {table};",
    )


def log(table: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();",
        f"DROP TRIGGER only_added ON {table};",
    )


# A chain's row goes on, and nothing else. The condition is looked at without calling the function.
CHAINS = """
CREATE TRIGGER only_added BEFORE DELETE OR TRUNCATE ON judgments_chain
    FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();
CREATE TRIGGER only_longer BEFORE UPDATE ON judgments_chain FOR EACH ROW
    WHEN (NEW.length <= OLD.length OR (NEW.task_id, NEW.campaign_id) <> (OLD.task_id, OLD.campaign_id))
    EXECUTE FUNCTION judgments_refuse();
"""
NO_CHAINS = """
DROP TRIGGER only_added ON judgments_chain; DROP TRIGGER only_longer ON judgments_chain;
"""


class Migration(migrations.Migration):
    dependencies = [("judgments", "0006_spending")]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("account", models.BigIntegerField()),
                ("erased_by", models.CharField(max_length=150)),
                ("reason", models.TextField()),
                ("erased_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("judgments", models.JSONField(default=dict)),
                ("others", models.JSONField(default=dict)),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="Chain",
            fields=[
                ("task_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("length", models.PositiveIntegerField()),
                ("head", models.BinaryField(max_length=32)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chains",
                        to="judgments.campaign",
                    ),
                ),
            ],
            options={"ordering": ["campaign", "task_id"]},
        ),
        migrations.CreateModel(
            name="ErasedJudgment",
            fields=[
                ("judgment_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("digest", models.BinaryField(max_length=32)),
                (
                    "erasure",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erased",
                        to="judgments.erasure",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="Seal",
            fields=[
                ("judgment_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("task_id", models.BigIntegerField()),
                ("place", models.PositiveIntegerField()),
                ("hash", models.BinaryField(max_length=32)),
            ],
            options={
                "ordering": ["task_id", "place"],
                "constraints": [
                    models.UniqueConstraint(fields=("task_id", "place"), name="seal_place_once")
                ],
            },
        ),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        *(kept(table, found) for table, found in KEPT.items()),
        *(log(table) for table in LOGS),
        migrations.RunSQL(CHAINS, NO_CHAINS),
    ]
