"""manage.py erase_annotator: a person's data, at the request of law or courtesy."""

import getpass

from django.core.management.base import BaseCommand, CommandError

from judgments.management.lookup import account, numbered
from judgments.models import Campaign
from judgments.people.members.members import erase_person
from judgments.people.my_data.erasure import NotAnAnnotator


class Command(BaseCommand):
    help = (
        "Erase the name, account, personal links and remarks of an annotator, and with "
        "--judgments everything that they judged. A log records when, by whom, why and how much."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "name", help="user name of the account; with --campaign the alias there"
        )
        parser.add_argument("--campaign", type=int, metavar="ID")
        parser.add_argument("--judgments", action="store_true", help="also erase what they judged")
        parser.add_argument("--reason", required=True, help="kept in the log; without their name")
        parser.add_argument("--by", help="who erases; default: the name of your account here")
        parser.add_argument("--yes", action="store_true", help="do it; this cannot be undone")

    def handle(self, *args, name, campaign, judgments, reason, by, yes, **options):
        user = account(name) if campaign is None else self.member(campaign, name)
        n = user.judgments.count()
        kept = "are erased" if judgments else "stay, without the name"
        if not yes:
            self.stdout.write(
                f"This erases account {user.pk} ({user.get_username()}) in "
                f"{user.memberships.count()} campaigns; {n} judgments {kept}. Nothing was done: "
                "add --yes to do it. Only a backup can restore it."
            )
            return
        try:
            by = by or getpass.getuser()
            done = erase_person(user, by=by, reason=reason, judgments=judgments)
        except NotAnAnnotator as problem:
            raise CommandError(f"{problem} Only annotators can be erased.") from None
        user.refresh_from_db()
        self.stdout.write(
            f"Erasure {done.pk}: account {user.pk} is now {user.get_username()}; {n} "
            f"judgments {kept}. Backups still contain what was erased."
        )

    def member(self, campaign, alias):
        found = numbered(Campaign, campaign).memberships.filter(alias=alias).first()
        if found is None:
            raise CommandError(f"Nobody in campaign {campaign} is called “{alias}”.")
        return found.user
