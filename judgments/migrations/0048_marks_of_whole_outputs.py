"""Instructions of documents, and errors of a whole output. What is stored keeps the new constraint, which is checked without a lock
that keeps writers away; so each operation is a transaction of its own."""

from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models

NO_PLACE = models.Q(side__in=("missing", "output"))


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("judgments", "0047_known_faults")]
    operations = [
        migrations.AddField(
            model_name="document",
            name="instructions",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AlterField(
            model_name="errorspan",
            name="side",
            field=models.CharField(
                choices=[
                    ("target", "Translation"),
                    ("source", "Source"),
                    ("missing", "Missing"),
                    ("output", "Whole output"),
                ],
                default="target",
                max_length=10,
            ),
        ),
        AddConstraintNotValid(
            model_name="errorspan",
            constraint=models.CheckConstraint(
                condition=models.Q(NO_PLACE, start=0, end=0)
                | (~NO_PLACE & models.Q(start__lte=models.F("end"))),
                name="span_has_place",
            ),
        ),
        migrations.RemoveConstraint(model_name="errorspan", name="span_in_order"),
        ValidateConstraint(model_name="errorspan", name="span_has_place"),
    ]
