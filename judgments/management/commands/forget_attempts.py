from django.core.management.base import BaseCommand

from judgments.models import Attempts


class Command(BaseCommand):
    help = (
        "Resets the counters of wrong passwords and other attempts that count towards a limit, "
        "so that nobody has to wait any longer."
    )

    def handle(self, *args, **options):
        n, _ = Attempts.objects.all().delete()
        self.stdout.write(f"Reset {n} counter{('' if n == 1 else 's')}.")
