"""manage.py export_judgments: campaigns as files in one of the field's formats."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from judgments.exchange.releases import out
from judgments.files.uploads import Folder
from judgments.management.lookup import numbered
from judgments.models import Campaign, TestSet


class Command(BaseCommand):
    help = (
        "Write the judgments of campaigns, with their texts, in a format of the field. "
        "docs/guide/releases.md describes the formats."
    )

    def add_arguments(self, parser):
        formats = ", ".join(each.slug for each in out.written_formats())
        parser.add_argument(
            "campaign", type=int, nargs="*", metavar="CAMPAIGN", help="numbers; if missing, all"
        )
        parser.add_argument("--format", required=True, metavar="NAME", help=f"one of {formats}")
        parser.add_argument(
            "--test-set", type=int, metavar="ID", help="only this test set, without judgments"
        )
        parser.add_argument("--to", required=True, type=Path, metavar="FOLDER", help="a new folder")

    def handle(self, *args, campaign, to, **options):
        if to.exists() and (not to.is_dir() or any(to.iterdir())):
            raise CommandError(f"{to} already exists and is not empty.")
        if options["test_set"]:
            self.write_texts(numbered(TestSet, options["test_set"]), options["format"], to)
            return
        chosen = [numbered(Campaign, number) for number in campaign]
        people = Campaign.objects.of_people().select_related("test_set")
        chosen = chosen or list(people.order_by("pk"))
        left_out = 0
        for each in chosen:
            folder = to / f"{each.pk}-{slugify(each.name) or 'campaign'}" if len(chosen) > 1 else to
            try:
                out.write([each], options["format"], Folder(folder))
            except out.CannotWrite as problem:
                if len(chosen) == 1:
                    raise CommandError(str(problem)) from None
                left_out += 1
                self.stderr.write(f"Campaign {each.pk}, {each.name}, was left out: {problem}")
                continue
            n = sum(path.is_file() for path in folder.rglob("*"))
            files = "1 file" if n == 1 else f"{n} files"
            self.stdout.write(f"Campaign {each.pk}, {each.name}: {files} in {folder}.")
        if left_out == len(chosen):
            raise CommandError("Nothing was written.")

    def write_texts(self, test_set: TestSet, slug: str, to: Path) -> None:
        try:
            out.write(test_set, slug, Folder(to))
        except out.CannotWrite as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(f"Test set {test_set.pk}, {test_set.name}: in {to}.")
