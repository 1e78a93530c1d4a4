"""Word links by an aligner, and which hints a screen showed. What was shown is only added, as
observations are (0007, 0015)."""

import django.db.models.deletion
from django.db import migrations, models

HINTS = """
CREATE TRIGGER only_added BEFORE UPDATE OR TRUNCATE ON judgments_shownhints
    FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse();
CREATE TRIGGER only_erased AFTER DELETE ON judgments_shownhints REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION judgments_refuse_unlisted(
        'SELECT gone.judgment_id, judgment.campaign_id FROM gone
        LEFT JOIN judgments_judgment AS judgment ON judgment.id = gone.judgment_id');
"""
NO_HINTS = """
DROP TRIGGER only_added ON judgments_shownhints; DROP TRIGGER only_erased ON judgments_shownhints;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("judgments", "0035_judgments_of_a_campaign"),
    ]

    operations = [
        migrations.CreateModel(
            name="AlignerRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("proposal", "Links to begin with"),
                            ("reading", "Links for readers"),
                            ("comparison", "Links to compare people with"),
                        ],
                        max_length=12,
                    ),
                ),
                ("model", models.CharField(blank=True, max_length=20)),
                ("method", models.CharField(blank=True, max_length=30)),
                ("turn", models.PositiveIntegerField(default=1)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("problem", models.TextField(blank=True)),
                ("n_pairs", models.PositiveIntegerField(default=0)),
                ("n_given", models.PositiveIntegerField(default=0)),
                ("n_cut", models.PositiveIntegerField(default=0)),
                ("n_texts", models.PositiveIntegerField(default=0)),
                ("n_done", models.PositiveIntegerField(default=0)),
                ("moved_at", models.DateTimeField(auto_now=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aligner_runs",
                        to="judgments.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["campaign", "purpose"],
            },
        ),
        migrations.CreateModel(
            name="OutputLinks",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("method", models.CharField(max_length=30)),
                ("links", models.TextField(blank=True)),
                ("hints", models.TextField(blank=True)),
                ("digest", models.CharField(max_length=16)),
                (
                    "altered",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="judgments.alteredoutput",
                    ),
                ),
                (
                    "output",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="judgments.output",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="linked",
                        to="judgments.alignerrun",
                    ),
                ),
            ],
            options={
                "ordering": ["run", "output", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ShownHints",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("places", models.TextField(blank=True)),
                (
                    "judgment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hints",
                        to="judgments.judgment",
                    ),
                ),
                (
                    "output",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="judgments.output",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="alignerrun",
            constraint=models.UniqueConstraint(
                fields=("campaign", "purpose"), name="aligner_run_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="outputlinks",
            constraint=models.UniqueConstraint(
                condition=models.Q(("altered", None)),
                fields=("run", "output", "method"),
                name="output_links_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="outputlinks",
            constraint=models.UniqueConstraint(
                condition=models.Q(("altered__isnull", False)),
                fields=("run", "altered", "method"),
                name="altered_links_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="shownhints",
            constraint=models.UniqueConstraint(
                fields=("judgment", "output"), name="shown_hints_once"
            ),
        ),
        migrations.RunSQL(HINTS, NO_HINTS),
    ]
