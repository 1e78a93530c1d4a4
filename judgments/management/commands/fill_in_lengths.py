"""manage.py fill_in_lengths: durations of sound and videos imported before these were read."""

from django.core.management.base import BaseCommand

from judgments.test_sets.media.lengths import fill_in

EACH = 100  # files between two lines of output


class Command(BaseCommand):
    help = (
        "Read the missing lengths of sound and videos, so that plans, prices and the time left "
        "include them. It can be run at any time, also repeatedly."
    )

    def handle(self, *args, **options):
        def tell(n_read: int, n_files: int) -> None:
            if n_read % EACH == 0 or n_read == n_files:
                self.stdout.write(f"{n_read:,} of {n_files:,} files read.")

        n, n_known = fill_in(tell)
        if not n:
            self.stdout.write("Every sound and video has its length.")
            return
        left = n - n_known
        self.stdout.write(f"{n_known:,} of {n:,} have their length now.")
        if left:
            self.stdout.write(f"{left:,} do not state it; a table can, in its column media_end.")
