"""manage.py verify_judgments: whether judgments, or what they are of, were altered, removed or put
in."""

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.management.lookup import numbered
from judgments.models import Campaign, DeletedCampaign
from judgments.models.chains import checking, publication
from judgments.models.chains.publication import PublishedFile
from judgments.models.chains.record_checking import check_record
from judgments.models.moments import read_moment
from judgments.test_sets.deletion.rows import left_of


class Command(BaseCommand):
    help = (
        "Recompute the chains of a campaign's judgments and the record of what they are about "
        "(systems, outputs, texts, items, decisions), or those of all campaigns, and list what "
        "was altered, removed or inserted. The exit status is 1 if anything was."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, nargs="?", metavar="CAMPAIGN", help="its number")
        parser.add_argument(
            "--against",
            type=Path,
            metavar="FILE",
            help="a campaign.json or judgments.jsonl that was downloaded before: what it says must "
            "still hold",
        )

    def handle(self, *args, campaign, against, **options):
        if against and campaign is None:
            raise CommandError("Say which campaign the file belongs to.")
        published = self.published(against) if against else None
        with read_moment():  # while annotators go on
            gone = DeletedCampaign.objects.order_by("campaign")
            if campaign is not None:
                gone = gone.filter(pk=campaign)
            wrong = sum(self.tell_deleted(each, published) for each in gone)
            for each in self.chosen(campaign, is_gone=gone.exists()):
                wrong += self.verify(each, published)
        if wrong:
            raise CommandError(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong.")

    def chosen(self, campaign: int | None, *, is_gone: bool) -> Iterable[Campaign]:
        if campaign is None:
            return Campaign.objects.order_by("pk")
        if is_gone:  # and should not be there
            return Campaign.objects.filter(pk=campaign)
        return [numbered(Campaign, campaign)]

    def tell_deleted(self, gone: DeletedCampaign, published: PublishedFile | None) -> int:
        """Return how a campaign ended that was deleted; how much of a file differs from that, or is
        there of it still."""
        found = [
            f"Listed as deleted, but {n:,} of its {what} are there."
            for what, n in left_of(gone.campaign).items()
            if n
        ]
        if published:
            found += publication.differences_from_ends(gone, published)
        for sentence in found:
            self.stdout.write(f"Campaign {gone.campaign}: {sentence}")
        self.stdout.write(
            f"Campaign {gone.campaign}, {gone.name}: {gone.judgments} judgments, head "
            f"{gone.head}: deleted {gone.deleted_at:%Y-%m-%d} by {gone.deleted_by}."
        )
        return len(found)

    def published(self, path: Path) -> PublishedFile:
        try:
            with open(path, encoding="utf-8") as file:
                return publication.read_file(file)
        except (OSError, UnicodeDecodeError, publication.NotPublished) as error:
            raise CommandError(f"{path}: {error}") from None

    def verify(self, campaign: Campaign, published: PublishedFile | None) -> int:
        found = list(publication.differences(campaign, published)) if published else []
        report, record = checking.check(campaign), check_record(campaign)
        found += record.found + report.found
        for sentence in found:
            self.stdout.write(f"Campaign {campaign.pk}: {sentence}")
        erased = f", {report.erased} erased" if report.erased else ""
        self.stdout.write(
            f"Campaign {campaign.pk}, {campaign.name}: {report.judgments} judgments{erased}, "
            f"head {publication.heads(campaign)['head']}; {record.parts:,} rows in "
            f"{record.records:,} records, head {publication.record_heads(campaign)['head']}: "
            f"{'as they were stored' if not found else f'{len(found)} wrong'}."
        )
        return len(found)
