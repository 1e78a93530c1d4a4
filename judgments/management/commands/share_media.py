"""manage.py share_media: put the media of this machine into the object store."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judgments.test_sets.media.store import share_all
from mteval_site.shared_files import StoreAway


class Command(BaseCommand):
    help = (
        "Put sound, pictures and videos that are only on this machine into the object store "
        "(MTEVAL_OBJECT_STORE). It can be run at any time, also repeatedly."
    )

    def handle(self, *args, **options):
        if not settings.OBJECT_STORE:
            raise CommandError("This site has no object store: MTEVAL_OBJECT_STORE is not set.")
        try:
            n, missing = share_all()
        except StoreAway as error:
            raise CommandError(f"The object store cannot be reached: {error}") from None
        self.stdout.write(f"{n:,} files were added to the object store.")
        if missing:
            self.stderr.write(
                f"{len(missing):,} files are neither there nor on this machine; the first is "
                f"{missing[0]}."
            )
