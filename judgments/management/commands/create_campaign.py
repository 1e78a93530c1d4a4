"""manage.py create_campaign: a campaign from a file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, Sum
from django.urls import reverse

from judgments.exchange.campaign_files.loader import create_campaign
from judgments.exchange.campaign_files.nodes import LARGEST, BadCampaignFile
from judgments.management.lookup import account
from judgments.web.audit.commands import concerning


class Command(BaseCommand):
    help = (
        "Make the campaign that a file describes, in YAML or JSON, with the texts that it names. "
        "docs/guide/campaign-files.md says what may stand there; all of it is made, or nothing."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="user name of the account that owns it")

    def handle(self, *args, **options):
        path, owner = options["file"], account(options["owner"])
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise CommandError(f"{path} cannot be opened: {error.strerror}.") from None
        try:
            campaign = create_campaign(
                content, owner, name=path.name, folder=path.parent, is_trusted=True
            )
        except BadCampaignFile as bad:
            for fault in bad.faults:
                self.stderr.write(str(fault))
            raise CommandError("Nothing was created.", returncode=1) from None
        concerning(campaign)
        self.stdout.write(f"Campaign {campaign.pk}, {campaign.name}: {campaign.status}.")
        self.stdout.write(f"See {reverse('campaign', args=[campaign.pk])}")
        work = campaign.tasks.aggregate(batches=Count("pk"), items=Sum("n_items"))
        if work["batches"]:
            words = "1 batch" if work["batches"] == 1 else f"{work['batches']:,} batches"
            self.stdout.write(f"Planned: {words} with {work['items']:,} items in all.")
        if campaign.invitations.exists():
            address = reverse("campaign-people", args=[campaign.pk])
            self.stdout.write(f"The invitation links are at {address}")
