"""manage.py create_project_from_file: a project with its campaigns."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Sum

from judgments.exchange.campaign_files.nodes import LARGEST, BadCampaignFile
from judgments.exchange.project_files.loader import create_project
from judgments.management.lookup import account
from judgments.models import Task
from judgments.web import plurals as counted


class Command(BaseCommand):
    help = (
        "Make the project that a file describes, in YAML or JSON, with a campaign for each "
        "language pair, protocol and round. docs/guide/projects.md says what may stand there."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="user name of the account that owns it")

    def handle(self, *args, **options):
        path, owner = options["file"], account(options["owner"])
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise CommandError(f"{path} cannot be opened: {error.strerror}.") from None
        try:
            project = create_project(
                content, owner, name=path.name, folder=path.parent, is_trusted=True
            )
        except BadCampaignFile as bad:
            for fault in bad.faults:
                self.stderr.write(str(fault))
            raise CommandError("Nothing was created.", returncode=1) from None
        work = Task.objects.filter(campaign__projects=project).aggregate(n=Sum("n_items"))
        n = counted.campaigns(project.joined.count())
        links = f", {project.links.count():,} links" if project.links.exists() else ""
        self.stdout.write(f"{project.name}: {n}, {work['n'] or 0:,} items{links}.")
        self.stdout.write(f"See {project.get_absolute_url()}watch/")
