"""manage.py release: a campaign or a project as one signed file that others can verify."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from judgments.management.lookup import numbered, project_at
from judgments.models import Campaign
from judgments.publishing.bundles import signing
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.project import release_project
from judgments.publishing.bundles.release import release
from judgments.test_sets.media.in_releases import ReleasedSize


class Command(BaseCommand):
    help = (
        "Write a signed zip file with the judgments (without names), texts, settings and figures "
        "of a campaign or a project, from which `verify_release` recomputes every figure. "
        "docs/guide/publication.md"
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, nargs="?", metavar="CAMPAIGN", help="its number")
        parser.add_argument("--project", metavar="ADDRESS", help="all campaigns of a project")
        parser.add_argument("--to", required=True, type=Path, metavar="FILE.zip")
        parser.add_argument(
            "--hashes-only", action="store_true", help="hashes of the texts instead of the texts"
        )
        parser.add_argument(
            "--aliases",
            action="store_true",
            help="annotators under their names in the campaign, which may be people's own",
        )
        parser.add_argument(
            "--notes", action="store_true", help="with the remarks that annotators wrote"
        )

        parser.add_argument(
            "--media",
            action="store_true",
            help="with sound, pictures and videos, if license and people in them allow it",
        )

    def handle(self, *args, campaign, project, to, **options):
        if (campaign is None) == (project is None):
            raise CommandError("Name a campaign by its number, or a project: --project wmt23.")
        if to.exists():
            raise CommandError(f"{to} already exists.")
        if not to.parent.is_dir():
            raise CommandError(f"There is no folder {to.parent}.")
        chosen = {name: options[name] for name in ("hashes_only", "aliases", "notes", "media")}
        try:
            if project is None:
                found = numbered(Campaign, campaign)
                self.say_media([found], taken=options["media"])
                manifest = release(found, to, **chosen)
            else:
                of = project_at(project)
                joined = Campaign.objects.filter(joined__project=of).order_by("pk")
                campaigns = list(joined.select_related("test_set"))
                self.say_media(campaigns, taken=options["media"])
                manifest = release_project(of, campaigns, [], 0, to, **chosen)
        except BundleProblem as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(
            f"{to}: {manifest['judgments']:,} judgments, {len(manifest['files']):,} files, signed "
            f"with the key {signing.fingerprint(manifest['key'])}."
        )

    def say_media(self, campaigns: list[Campaign], *, taken: bool) -> None:
        """Print, before anything is created, the size of sound, pictures and videos, and whether
        they are included."""
        sizes = [ReleasedSize.of(each.test_set) for each in campaigns]
        n = sum(size.n_files for size in sizes)
        if not n:
            return
        size = filesizeformat(sum(size.n_bytes for size in sizes))
        what = f"Sound, pictures and videos: {n:,} file{'s'[: n != 1]}, {size}"
        if taken:
            self.stdout.write(f"{what}, which go into the release.")
        else:
            self.stdout.write(f"{what}, which are not included; --media includes them.")
