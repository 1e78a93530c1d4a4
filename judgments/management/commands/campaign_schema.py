"""manage.py campaign_schema: the JSON Schema of a campaign's file."""

import json

from django.core.management.base import BaseCommand

from judgments.exchange.campaign_files.schema import schema


class Command(BaseCommand):
    help = "Write the JSON Schema of campaigns' files to the output, for an editor."

    def handle(self, *args, **options):
        self.stdout.write(json.dumps(schema(), ensure_ascii=False, indent=2))
