"""manage.py import_suggestions: errors that annotators of a campaign start from."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.formats import ImportProblem, prefilled_spans
from judgments.importing.prefilled_spans import import_prefilled_spans
from judgments.models import Campaign
from judgments.protocols import protocol_of


class Command(BaseCommand):
    help = (
        "Put errors that a program proposes in the place of those a campaign starts from. From "
        "a table (.tsv or .jsonl, .gz too); docs/guide/formats.md describes the columns."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, help="number of the campaign, as in its address")
        parser.add_argument("table", type=Path)

    def handle(self, *args, campaign, table, **options):
        found = Campaign.objects.filter(pk=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign {campaign}.")
        if not protocol_of(found).has_page("suggestions"):
            raise CommandError(f"Campaign {campaign} does not use suggestions.")
        try:
            added = import_prefilled_spans(found, prefilled_spans.read(table))
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        self.stdout.write(
            f"Campaign {found.pk}: {added.spans:,} suggested error(s) in {added.outputs:,} "
            "translation(s)."
        )
