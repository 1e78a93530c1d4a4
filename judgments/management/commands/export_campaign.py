"""manage.py export_campaign: a campaign as a file."""

from django.core.management.base import BaseCommand, CommandError

from judgments.exchange.campaign_files.loader import as_json, as_yaml
from judgments.exchange.campaign_files.section import NotInAFile
from judgments.management.lookup import numbered
from judgments.models import Campaign
from judgments.models.moments import read_moment


class Command(BaseCommand):
    help = "Write a campaign as the file that makes it again, without its judgments, to the output."

    def add_arguments(self, parser):
        parser.add_argument("number", type=int, help="of the campaign, as in its address")
        parser.add_argument("--json", action="store_true", help="JSON instead of YAML")

    def handle(self, *args, **options):
        campaign = numbered(Campaign, options["number"])
        try:
            with read_moment():
                text = as_json(campaign) if options["json"] else as_yaml(campaign)
        except NotInAFile as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(text, ending="")
