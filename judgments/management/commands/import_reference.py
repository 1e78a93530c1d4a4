"""manage.py import_reference: another reference set for an existing test set."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.files import ImportProblem
from judgments.files.reference_texts import read_reference
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_REFERENCE_NAME
from judgments.management.lookup import numbered
from judgments.models import CloningStep, TestSet
from judgments.test_sets.reference_sets.importing import Correction, add_reference


class Command(BaseCommand):
    help = (
        "Add a reference to a test set: plain text (line n translates segment n, and is empty "
        "where there is no such reference) or a table (.tsv, .csv or .jsonl) with the columns "
        "segment and text. docs/guide/formats.md describes the files."
    )

    def add_arguments(self, parser):
        parser.add_argument("number", type=int, help="of the test set, as in its address")
        parser.add_argument("file", type=Path)
        parser.add_argument("--name", required=True, help="of the reference, such as refB")
        what = "the reference of which it is a corrected copy"
        parser.add_argument("--original", default="", metavar="NAME", help=what)
        what = "what the copy corrects"
        parser.add_argument("--step", default="", choices=CloningStep.values, help=what)
        what = "replace a reference of the same name"
        parser.add_argument("--replace", action="store_true", help=what)

    def handle(self, *args, number, file, name, original, step, replace, **options):
        test_set = numbered(TestSet, number)
        if problem := problem_with_name(name, LONGEST_REFERENCE_NAME):
            raise CommandError(f"--name: {problem}")
        if original and original not in test_set.reference_names:
            known = ", ".join(test_set.reference_names)
            raise CommandError(f"There is no reference {original}. The references are: {known}.")
        if step and not original:
            raise CommandError("--step says what a copy corrects; give --original, too.")
        rows = read_reference(file, name, test_set.segments.count())
        correction = Correction(original, step) if original else None
        try:
            added = add_reference(
                test_set, name, rows, file=file.name, correction=correction, replace=replace
            )
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        summary = f"Test set {number}: {added.n_segments:,} texts of {name}."
        self.stdout.write(" ".join([summary, *added.lost()]))
