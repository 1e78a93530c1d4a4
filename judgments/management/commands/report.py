"""manage.py report: campaigns as reports, for people to read and papers to take tables from."""

import shutil
import tempfile
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from judgments.management.lookup import numbered
from judgments.models import Campaign
from judgments.models.moments import read_moment
from judgments.publishing.report.blocks import addressed
from judgments.publishing.report.contents import report_of
from judgments.publishing.report.findings import report_of_several
from judgments.publishing.report.writers import FORMATS, pdf
from judgments.results.selection.selection import Selection


class Command(BaseCommand):
    help = (
        "Write the report of a campaign: methods, counts, exclusions, agreement, scores, tests. "
        "Of several campaigns there are the tables of a findings paper besides."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, nargs="+", metavar="CAMPAIGN", help="numbers")
        parser.add_argument("--to", required=True, type=Path, metavar="FOLDER", help="a new folder")
        parser.add_argument(
            "--formats",
            default=",".join(FORMATS),
            metavar="NAMES",
            help=f"some of {','.join(FORMATS)}; all without any",
        )

    def handle(self, *args, campaign, to, formats, **options):
        kinds = list(dict.fromkeys(kind.strip() for kind in formats.split(",") if kind.strip()))
        unknown = [kind for kind in kinds if kind not in FORMATS]
        if unknown or not kinds:
            raise CommandError(
                f"There is no format “{', '.join(unknown)}”. Formats: {', '.join(FORMATS)}."
            )
        if to.exists() and (not to.is_dir() or any(to.iterdir())):
            raise CommandError(f"{to} is there already, and not empty.")
        numbers = dict.fromkeys(campaign)
        with read_moment():
            chosen = [Selection.of(numbered(Campaign, number)) for number in numbers]
            names = self.write(chosen, kinds, to)
        self.stdout.write(f"{', '.join(names)}: in {to}.")

    def write(self, chosen: list[Selection], kinds: list[str], to: Path) -> list[str]:
        """All files or none: they are put into the folder when the last one is made."""
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=to.parent, prefix=".report-") as made:
                for name, report in reports(chosen):
                    given = addressed(report)
                    for kind in kinds:
                        content = FORMATS[kind].write(given)
                        (Path(made) / f"{name}.{kind}").write_bytes(content)
                names = sorted(path.name for path in Path(made).iterdir())
                to.mkdir(exist_ok=True)
                for name in names:
                    shutil.move(str(Path(made) / name), to / name)
                return names
        except OSError as problem:
            raise CommandError(f"Nothing was written to {to}: {problem}") from None
        except pdf.CannotSet as problem:
            raise CommandError(f"Nothing was written, no PDF can be made: {problem}") from None


def reports(chosen: list[Selection]):
    """(name of the file, report): of each campaign, and of several the findings."""
    if len(chosen) > 1:
        yield "findings", report_of_several(chosen)
    for selection in chosen:
        campaign = selection.campaign
        yield f"{campaign.pk}-{slugify(campaign.name) or 'campaign'}", report_of(selection)
