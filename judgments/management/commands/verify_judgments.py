"""manage.py verify_judgments: whether judgments were altered, removed or put in."""

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.chain import checking, publication
from judgments.management.lookup import numbered
from judgments.models import Campaign, DeletedCampaign
from judgments.moments import read_moment


class Command(BaseCommand):
    help = (
        "Recompute the chains of a campaign's judgments, or of all campaigns', and name what was "
        "altered, removed or put in. Ends with 1 if anything was."
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
            raise CommandError("Say which campaign the file is of.")
        gone = DeletedCampaign.objects.order_by("campaign")
        if campaign is not None:
            gone = gone.filter(pk=campaign)
        wrong = sum(self.tell_deleted(each, against) for each in gone)
        with read_moment():  # while annotators go on
            for each in self.chosen(campaign, is_gone=gone.exists()):
                wrong += self.verify(each, against)
        if wrong:
            raise CommandError(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong.")

    def chosen(self, campaign: int | None, *, is_gone: bool) -> Iterable[Campaign]:
        if campaign is None:
            return Campaign.objects.order_by("pk")
        return [] if is_gone else [numbered(Campaign, campaign)]

    def tell_deleted(self, gone: DeletedCampaign, against: Path | None) -> int:
        """How a campaign ended that was deleted; how much of a file differs from that."""
        found = []
        if against:
            found = list(publication.differences_from_ends(gone.chains, self.published(against)))
        for sentence in found:
            self.stdout.write(f"Campaign {gone.campaign}: {sentence}")
        self.stdout.write(
            f"Campaign {gone.campaign}, {gone.name}: {gone.judgments} judgments, head "
            f"{gone.head}: deleted {gone.deleted_at:%Y-%m-%d} by {gone.deleted_by}."
        )
        return len(found)

    def published(self, path: Path) -> list[tuple[int, int, str]]:
        try:
            with open(path, encoding="utf-8") as file:
                return publication.read_file(file)
        except (OSError, UnicodeDecodeError, publication.NotPublished) as error:
            raise CommandError(f"{path}: {error}") from None

    def verify(self, campaign: Campaign, against: Path | None) -> int:
        report = checking.check(campaign)
        found = report.found
        if against:
            found += publication.differences(campaign, self.published(against))
        for sentence in found:
            self.stdout.write(f"Campaign {campaign.pk}: {sentence}")
        erased = f", {report.erased} erased" if report.erased else ""
        self.stdout.write(
            f"Campaign {campaign.pk}, {campaign.name}: {report.judgments} judgments{erased}, "
            f"head {publication.heads(campaign)['head']}: "
            f"{'as they were stored' if not found else f'{len(found)} wrong'}."
        )
        return len(found)
