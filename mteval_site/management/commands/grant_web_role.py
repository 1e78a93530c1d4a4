"""manage.py grant_web_role: set the rights of the role of DATABASE_WEB_URL, after each
migration."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from mteval_site import grants
from mteval_site.version import COMMAND


class Command(BaseCommand):
    help = (
        "Give the role that web server and workers connect as (DATABASE_WEB_URL) its rights to the "
        f"tables. Run it as their owner, after each migration; {COMMAND} does so itself."
    )

    def handle(self, *args, **options):
        if settings.WEB_DATABASE is None:
            raise CommandError("There is no second role: set DATABASE_WEB_URL.")
        role = settings.WEB_DATABASE["USER"]
        if role == settings.DATABASE_OWNER:
            raise CommandError(
                f"{role} owns the tables; DATABASE_WEB_URL should name another role."
            )
        with transaction.atomic(), connection.cursor() as cursor:
            may_analyze = grants.grant(cursor, role)
        if not may_analyze:
            self.stderr.write(
                "This PostgreSQL lets only the owner look at tables that have grown (ANALYZE). "
                "Use version 17 or newer, or pages are slow for a few minutes after an import."
            )
        self.stdout.write(f"{role} may read and add rows, and change what may be changed.")
