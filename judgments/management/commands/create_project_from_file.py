"""manage.py create_project_from_file: a project with its campaigns."""

from django.db.models import Sum

from judgments.exchange.project_files.loader import create_project
from judgments.management.from_file import FromFileCommand
from judgments.models import Task
from judgments.web import plurals as counted


class Command(FromFileCommand):
    help = (
        "Create the project that a file describes, in YAML or JSON, with a campaign for each "
        "language pair, protocol and round. docs/guide/projects.md describes the file."
    )

    def handle(self, *args, file, owner, **options):
        project = self.made_of(create_project, file, owner)
        work = Task.objects.filter(campaign__projects=project).aggregate(n=Sum("n_items"))
        n = counted.campaigns(project.joined.count())
        links = f", {project.links.count():,} links" if project.links.exists() else ""
        self.stdout.write(f"{project.name}: {n}, {work['n'] or 0:,} items{links}.")
        self.stdout.write(f"See {project.get_absolute_url()}watch/")
