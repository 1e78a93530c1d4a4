"""manage.py import_questions: questions about the documents of a campaign."""

from judgments.files import questions
from judgments.management.rows import RowsCommand
from judgments.test_sets.questions.importer import QuestionRows


class Command(RowsCommand):
    help = (
        "Add questions to a campaign that asks them, from a table (.tsv, .csv or .jsonl, .gz too). "
        "docs/guide/formats.md describes the columns."
    )
    kind = QuestionRows
    read = questions.from_table
    page = "questions"
    lacking = "asks no questions about documents"
    summary = "{rows:,} question(s) added"
