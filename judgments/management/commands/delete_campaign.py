"""manage.py delete_campaign: a campaign with all of its judgments."""

from django.core.management.base import BaseCommand, CommandError

from judgments.management.lookup import numbered
from judgments.models import Campaign
from judgments.test_sets.deletion.rows import NotDeleted, contents, delete_campaign


class Command(BaseCommand):
    help = (
        "Delete a campaign with everything that was judged in it. A log records when, by whom, "
        "why and how much, and how the chains of its judgments ended."
    )

    def add_arguments(self, parser):
        parser.add_argument("campaign", type=int, metavar="ID", help="its number")
        parser.add_argument("--by", required=True, metavar="NAME", help="who deletes it")
        parser.add_argument("--reason", required=True, help="kept in the log")
        parser.add_argument("--yes", action="store_true", help="do it; this cannot be undone")

    def handle(self, *args, campaign, by, reason, yes, **options):
        found = numbered(Campaign, campaign)
        n = contents(found)
        what = (
            f"campaign {found.pk}, {found.name}: {n.judgments:,} judgments by {n.annotators:,} "
            f"annotators in {n.tasks:,} tasks"
        )
        if not yes:
            self.stdout.write(
                f"This deletes {what}. Nothing was done: add --yes to do it. Only a backup can "
                "restore it."
            )
            return
        try:
            done = delete_campaign(found, by=by[:150], reason=reason)
        except NotDeleted as problem:
            named = "".join(f" Campaign {c.pk}, {c.name}." for c in problem.campaigns)
            raise CommandError(f"{problem}{named}") from None
        self.stdout.write(f"Deleted {what}. The head of its chains was {done.head}.")
