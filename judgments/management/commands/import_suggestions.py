"""manage.py import_suggestions: errors as a starting point for annotators of a campaign."""

from judgments.files import prefilled_spans
from judgments.management.rows import RowsCommand
from judgments.test_sets.prefilled_spans import SuggestedErrors


class Command(RowsCommand):
    help = (
        "Replace the errors that a campaign starts from with those that a program proposes. From "
        "a table (.tsv, .csv or .jsonl, .gz too); docs/guide/formats.md describes the columns."
    )
    kind = SuggestedErrors
    read = prefilled_spans.from_table
    page = "suggestions"
    lacking = "does not use suggestions"
    summary = "{rows:,} suggested error(s) in {groups:,} translation(s)"
