"""manage.py restore: restore a backup into an empty database."""

from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from mteval_site import environment
from mteval_site.backup import BackupProblem, reading, server
from mteval_site.checks import too_old
from mteval_site.shared_files import StoreAway


class Command(BaseCommand):
    help = (
        "Check a file that `backup` wrote, and restore it into an empty database. Stop the site "
        "first, or start it on a new database; restore changes nothing else."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)

    def handle(self, *args, file, **options):
        try:
            manifest = reading.checked(file)
            there = MigrationLoader(None).disk_migrations
            replaced = {key for migration in there.values() for key in migration.replaces}
            known = {f"{app}.{name}" for app, name in there.keys() | replaced}
            reading.require_known(manifest, known)
            applied = {tuple(name.split(".", 1)) for name in manifest["migrations"]}
            if error := too_old(applied):
                raise BackupProblem(f"{error.msg} {error.hint} Restore the backup there.")
            secret = reading.secret_of(file, manifest)
            with server.running():
                connection.close()
                tables = set(connection.introspection.django_table_names()) | {"django_migrations"}
                reading.require_empty(manifest, connection.settings_dict, tables)
                # Before the rows, which have to be the last step that can fail.
                media = reading.restore_media(file, manifest, settings.MEDIA_ROOT)
                try:
                    reading.restore(file, manifest, connection.settings_dict, tables)
                except BaseException:
                    reading.remove(media)
                    raise
                call_command("migrate", interactive=False, verbosity=0)
                if settings.WEB_DATABASE is not None and (
                    settings.WEB_DATABASE["USER"] != settings.DATABASE_OWNER
                ):
                    call_command("grant_web_role", stdout=StringIO())
            new_secret = not environment.text("SECRET_KEY") and reading.restore_secret(
                secret, settings.VAR_DIR / "secret_key"
            )
        except BackupProblem as problem:
            raise CommandError(str(problem)) from None
        self.tell(manifest, new_secret)
        try:
            reading.share_media(manifest, settings.MEDIA_ROOT)
        except StoreAway as problem:
            self.stderr.write(
                f"Media are on this machine only, because the object store is away: {problem}. Run "
                "`manage.py share_media` later."
            )

    def tell(self, manifest, new_secret):
        self.stdout.write(
            f"Restored: {sum(manifest['judgments'].values())} judgments of "
            f"{len(manifest['judgments'])} campaigns, as they were at {manifest['created']}."
        )
        if new_secret:
            self.stdout.write("The site's secret was restored, too: restart the site if it runs.")
        elif "secret_key" not in manifest["files"]:
            self.stdout.write("The backup has no secret: set SECRET_KEY to what it was.")
        self.stdout.write("Check the judgments with `manage.py verify_judgments`.")
