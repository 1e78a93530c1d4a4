"""manage.py import_questions: questions about the documents of a campaign."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.formats import ImportProblem
from judgments.formats.questions import from_table
from judgments.importing.questions import Frozen, import_questions
from judgments.models import Campaign
from judgments.protocols import protocol_of


class Command(BaseCommand):
    help = (
        "Add questions to a campaign that asks them, from a table (.tsv or .jsonl, .gz too). "
        "docs/guide/formats.md describes the columns."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, help="number of the campaign, as in its address")
        parser.add_argument("table", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace the existing questions")

    def handle(self, *args, campaign, table, replace, **options):
        found = Campaign.objects.filter(pk=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign {campaign}.")
        if not protocol_of(found).has_page("questions"):
            raise CommandError(f"Campaign {campaign} asks no questions about documents.")
        try:
            n = import_questions(found, from_table(table), replace=replace)
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        except Frozen:
            raise CommandError("There are judgments, so the questions cannot be changed.") from None
        self.stdout.write(f"Campaign {found.pk}: {n:,} question(s) added.")
