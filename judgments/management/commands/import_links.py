"""manage.py import_links: word links that annotators of a campaign start from."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.formats import ImportProblem, prefilled_links
from judgments.importing.prefilled_links import import_prefilled_links
from judgments.models import Campaign
from judgments.pages.word_alignment import has_links

from .import_testset import named_files


class Command(BaseCommand):
    help = (
        "Put the links of an automatic aligner in the place of those that a campaign starts from. "
        "Plain text in Pharaoh's format, one file for each system, or one table (.tsv or .jsonl); "
        ".gz too. docs/guide/formats.md describes both."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, help="number of the campaign, as in its address")
        parser.add_argument("--system", action="append", default=[], metavar="[NAME=]FILE")
        parser.add_argument("--table", type=Path, help="one .tsv or .jsonl instead")

    def handle(self, *args, campaign, system, table, **options):
        found = Campaign.objects.filter(pk=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign {campaign}.")
        if not has_links(found):
            raise CommandError(f"Campaign {campaign} is not about word alignment.")
        if bool(table) == bool(system):
            raise CommandError("Give either --table or --system, once for each file.")
        if table:
            rows = prefilled_links.from_table(table)
        else:
            files = named_files(system, "systems")
            rows = prefilled_links.from_lines(files, found.test_set.segments.count())
        try:
            added = import_prefilled_links(found, rows)
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        self.stdout.write(
            f"Campaign {found.pk}: {added.links:,} proposed link(s) in {added.outputs:,} "
            "translation(s)."
        )
