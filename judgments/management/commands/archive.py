"""manage.py archive: a campaign as a folder of pages, or as a zip of them."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.http import QueryDict

from judgments.files.uploads import Folder
from judgments.management.lookup import numbered
from judgments.models import Campaign, Status
from judgments.models.moments import read_moment
from judgments.publishing.archive.names import FileNames
from judgments.publishing.archive.pages import write
from judgments.publishing.archive.stores import FolderStore, ZipStore
from judgments.results.selection.selection import Selection


class Command(BaseCommand):
    help = (
        "Write the results of a campaign as a folder of pages that any web server can host: every "
        "page with its charts and tables, and every judged segment."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, metavar="CAMPAIGN", help="its number")
        parser.add_argument(
            "--to", required=True, type=Path, metavar="PATH", help="a new folder, or a new FILE.zip"
        )
        parser.add_argument(
            "--query",
            default="",
            metavar="QUERY",
            help="which judgments, written as in addresses of pages: domain=news&without=alias",
        )

    def handle(self, *args, campaign, to, query, **options):
        found = numbered(Campaign, campaign)
        if to.exists() and (not to.is_dir() or any(to.iterdir())):
            raise CommandError(f"{to} already exists and is not empty.")
        with read_moment():
            try:
                selection = Selection.asked(found, QueryDict(query.lstrip("?")))
            except ValueError as problem:
                raise CommandError(str(problem)) from None
            n = self.write(selection, to)
        self.stdout.write(f"Campaign {found.pk}, {found.name}: {n} files in {to}.")
        if found.status != Status.CLOSED:
            self.stdout.write("It is not closed, so judgments that come in later are missing.")

    def write(self, selection: Selection, to: Path) -> int:
        if to.suffix != ".zip":
            return write(selection, FolderStore(Folder(to)))
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("wb") as stream:
            store = ZipStore(stream, FileNames().of(selection.campaign.name))
            n = write(selection, store)
            store.close()
        return n
