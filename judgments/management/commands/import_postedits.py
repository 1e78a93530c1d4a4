"""manage.py import_postedits: post-edits of the outputs of a test set, which HTER reads."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.formats import ImportProblem, post_edits
from judgments.importing import import_post_edits
from judgments.models import TestSet

from .import_testset import named_files


class Command(BaseCommand):
    help = (
        "Add post-edits to a test set: plain text for each system (line n is the post-edit of its "
        "output for segment n, empty where there is none) or one table (.tsv or .jsonl). "
        "docs/guide/formats.md describes the files."
    )

    def add_arguments(self, parser):
        parser.add_argument("test_set", type=int, help="number of the test set, as in its address")
        parser.add_argument("--system", action="append", default=[], metavar="[NAME=]FILE")
        parser.add_argument("--table", type=Path, help="one .tsv or .jsonl instead")
        parser.add_argument(
            "--name",
            default=post_edits.THE_NAME,
            help="of this set of post-edits, such as the post-editor's",
        )
        parser.add_argument(
            "--replace", action="store_true", help="replace post-edits of the same name"
        )

    def handle(self, *args, test_set, system, table, name, replace, **options):
        found = TestSet.objects.filter(pk=test_set).first()
        if found is None:
            raise CommandError(f"There is no test set {test_set}.")
        if bool(table) == bool(system):
            raise CommandError("Give either --table or --system, once for each file.")
        if table:
            edits = post_edits.from_table(table, name)
        else:
            files = named_files(system, "systems")
            edits = post_edits.from_lines(files, found.segments.count(), name)
        try:
            added = import_post_edits(found, edits, replace=replace)
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        self.stdout.write(
            f"Test set {found.pk}: {added.post_edits:,} post-edits of {added.systems:,} system(s)."
        )
