"""manage.py report: campaigns as reports, for people to read and papers to take tables from."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from judgments.management.lookup import numbered, project_at
from judgments.models import Campaign
from judgments.models.moments import read_moment
from judgments.publishing.report.blocks import CampaignReport, addressed
from judgments.publishing.report.contents import report_of
from judgments.publishing.report.project import report_of_project
from judgments.publishing.report.writers import FORMATS, pdf
from judgments.results.projects.figures import ProjectResults
from judgments.results.selection.selection import Selection

NamedReport = tuple[str, CampaignReport]


class Command(BaseCommand):
    help = (
        "Write the report of a campaign: methods, counts, exclusions, agreement, scores, tests. "
        "A project also has its own tables and those of a findings paper."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, nargs="?", metavar="CAMPAIGN", help="its number")
        parser.add_argument("--project", metavar="ADDRESS", help="all campaigns of a project")
        parser.add_argument("--to", required=True, type=Path, metavar="FOLDER", help="a new folder")
        parser.add_argument(
            "--formats",
            default=",".join(FORMATS),
            metavar="NAMES",
            help=f"some of {','.join(FORMATS)}; if missing, all",
        )

    def handle(self, *args, campaign, project, to, formats, **options):
        kinds = list(dict.fromkeys(kind.strip() for kind in formats.split(",") if kind.strip()))
        unknown = [kind for kind in kinds if kind not in FORMATS]
        if unknown or not kinds:
            raise CommandError(
                f"There is no format “{', '.join(unknown)}”. Formats: {', '.join(FORMATS)}."
            )
        if to.exists() and (not to.is_dir() or any(to.iterdir())):
            raise CommandError(f"{to} already exists and is not empty.")
        if (campaign is None) == (project is None):
            raise CommandError("Name a campaign by its number, or a project: --project wmt23.")
        with read_moment():
            names = self.write(reports(campaign, project), kinds, to)
        self.stdout.write(f"{', '.join(names)}: in {to}.")

    def write(self, made_of: Iterable[NamedReport], kinds: list[str], to: Path) -> list[str]:
        """Return all files or none: they are put into the folder when the last one is made."""
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=to.parent, prefix=".report-") as made:
                for name, report in made_of:
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
            raise CommandError(
                f"Nothing was written because no PDF can be made: {problem}"
            ) from None


def reports(campaign: int | None, project: str | None) -> Iterator[NamedReport]:
    """Yield (name of the file, report): of the campaign, or of the project and each of its
    campaigns."""
    if campaign is not None:
        selections: tuple[Selection, ...] = (Selection.of(numbered(Campaign, campaign)),)
    else:
        found = project_at(project or "")
        joined = Campaign.objects.filter(joined__project=found).order_by("pk")
        results = ProjectResults.of_campaigns(found, joined.select_related("test_set"))
        selections = results.selections
        if not selections:
            raise CommandError(f"The project {found.name} has no campaigns.")
        yield found.slug, report_of_project(results)
    for selection in selections:
        own = selection.campaign
        yield f"{own.pk}-{slugify(own.name) or 'campaign'}", report_of(selection)
