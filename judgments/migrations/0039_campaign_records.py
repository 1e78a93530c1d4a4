"""The record of what a campaign's judgments are of. Its rows are only ever added, and leave with
their campaign."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def only_added(table: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER only_added BEFORE UPDATE OR TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();
        CREATE TRIGGER only_deleted AFTER DELETE ON {table} REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT
            EXECUTE FUNCTION judgments_refuse_undeleted('SELECT campaign_id FROM gone');
        """,
        f"DROP TRIGGER only_added ON {table}; DROP TRIGGER only_deleted ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [("judgments", "0038_refusals")]

    operations = [
        migrations.AddField(
            model_name="deletedcampaign",
            name="record",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AlterField(
            model_name="consentrecord",
            name="membership",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="consents",
                to="judgments.membership",
            ),
        ),
        migrations.CreateModel(
            name="CampaignRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("campaign_id", models.BigIntegerField()),
                ("task_id", models.BigIntegerField(db_default=0, default=0)),
                ("place", models.PositiveIntegerField()),
                ("act", models.CharField(max_length=60)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("parts", models.JSONField()),
                ("hash", models.BinaryField(max_length=32)),
            ],
            options={
                "ordering": ["campaign_id", "task_id", "place"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign_id", "task_id", "place"), name="record_place_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RecordedPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("campaign_id", models.BigIntegerField()),
                ("record_id", models.BigIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("object_id", models.BigIntegerField()),
                ("content", models.TextField(blank=True)),
            ],
            options={
                "ordering": ["campaign_id", "kind", "object_id", "record_id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign_id", "kind", "object_id", "record_id"),
                        name="recorded_once",
                    )
                ],
            },
        ),
        *map(only_added, ("judgments_campaignrecord", "judgments_recordedpart")),
    ]
