from django.core.management.base import BaseCommand

from judgments.models import Attempts


class Command(BaseCommand):
    help = (
        "Forgets all wrong passwords and other attempts that count towards a limit, so that nobody "
        "has to wait any longer."
    )

    def handle(self, *args, **options):
        n, _ = Attempts.objects.all().delete()
        self.stdout.write(f"Forgot {n} counter{'' if n == 1 else 's'}.")
