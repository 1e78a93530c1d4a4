"""manage.py backup: write everything needed to restore a site to one file."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from mteval_site import environment
from mteval_site.backup import BackupProblem, server, writing
from mteval_site.shared_files import StoreAway


class Command(BaseCommand):
    help = (
        "Write a snapshot of the database, the media and the site's secret to a file, while "
        "annotators work. Keep it where only operators can read it. `restore` restores it."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)

    def handle(self, *args, file, **options):
        secret = settings.VAR_DIR / "secret_key"
        has_secret = secret.exists() and not environment.text("SECRET_KEY")
        try:
            with server.running():
                manifest = writing.write(
                    file,
                    connection.settings_dict,
                    secret=secret if has_secret else None,
                    media=settings.MEDIA_ROOT,
                    version=settings.VERSION,
                )
            writing.note(settings.VAR_DIR, file, manifest)
        except BackupProblem as problem:
            raise CommandError(str(problem)) from None
        except StoreAway as problem:
            raise CommandError(f"The object store, which has the media: {problem}") from None
        except OSError as problem:
            raise CommandError(f"{file} cannot be written: {problem.strerror}.") from None
        self.stdout.write(
            f"{file}: {sum(manifest['judgments'].values())} judgments of "
            f"{len(manifest['judgments'])} campaigns, {manifest['bytes'] / 1e6:.1f} MB.\n"
            f"SHA-256 {manifest['sha256']}"
        )
        if missing := manifest["missing_media"]:
            self.stderr.write(
                f"{len(missing)} files of sound, pictures or videos are not on this computer, "
                f"and so not in the backup; the first is {missing[0]}."
            )
        if not has_secret:
            self.stdout.write(
                "SECRET_KEY is not in the backup, because the environment sets it; keep it as well."
            )
