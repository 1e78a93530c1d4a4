"""manage.py create_campaign: a campaign from a file."""

from django.db.models import Count, Sum
from django.urls import reverse

from judgments.exchange.campaign_files.loader import create_campaign
from judgments.management.from_file import FromFileCommand
from judgments.web.audit.commands import concerning


class Command(FromFileCommand):
    help = (
        "Create the campaign that a file describes, in YAML or JSON, with the texts that it "
        "names. docs/guide/campaign-files.md describes the file. Either everything is created, "
        "or nothing."
    )

    def handle(self, *args, file, owner, **options):
        campaign = self.made_of(create_campaign, file, owner)
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
