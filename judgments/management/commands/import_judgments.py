"""manage.py import_judgments: judgments from a file into an existing or a new campaign."""

from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from judgments.exchange.judgments.campaigns import new_campaign, parse_dimension
from judgments.exchange.judgments.importer import import_judgments
from judgments.files import ImportProblem
from judgments.management.commands.import_release import add_leave_out
from judgments.management.lookup import account, numbered
from judgments.models import Campaign, TestSet
from judgments.protocols import PRESETS
from judgments.web.audit.commands import concerning


class Command(BaseCommand):
    help = (
        "Import ratings, errors, rankings or preferences (.tsv, .csv or .jsonl, .gz too), "
        "whichever the campaign collects. docs/guide/formats.md describes the files."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--campaign", type=int, metavar="ID", help="add to this campaign")
        where.add_argument("--create", metavar="NAME", help="create a campaign with this name")
        add_leave_out(parser)
        new = parser.add_argument_group("with --create")
        new.add_argument("--test-set", type=int, metavar="ID")
        new.add_argument("--owner", help="user name of the account that owns the campaign")
        new.add_argument("--preset", choices=list(PRESETS))
        new.add_argument(
            "--dimension",
            action="append",
            default=[],
            metavar="SLUG:LOW:HIGH[:STEP]",
            help="for a preset that leaves them open, once for each dimension; an empty part "
            "between colons means no end, or no steps: mqm::0:",
        )
        new.add_argument("--outputs-per-item", type=int, metavar="N")

    def handle(self, *args, **options):
        try:
            with transaction.atomic():
                number = options["campaign"]
                campaign = self.new(options) if options["create"] else numbered(Campaign, number)
                concerning(campaign)
                added = import_judgments(campaign, options["file"], options["leave_out"])
        except (ImportProblem, ValueError) as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        except ValidationError as error:
            raise CommandError(f"Nothing was imported. {' '.join(error.messages)}") from None
        self.stdout.write(
            f"Campaign {campaign.pk}: {added.judgments:,} judgments ({added.observations:,} "
            f"observations) by {added.annotators:,} annotators."
        )
        if added.left_out:
            self.stdout.write(
                f"{added.left_out:,} rows were left out; the campaign's page lists them."
            )

    def new(self, options):
        for name in ("test_set", "owner", "preset"):
            if not options[name]:
                raise CommandError(f"--create needs --{name.replace('_', '-')}.")
        test_set = numbered(TestSet, options["test_set"])
        owner = account(options["owner"])
        return new_campaign(
            test_set,
            owner,
            options["create"],
            options["preset"],
            dimensions=tuple(parse_dimension(text) for text in options["dimension"]),
            outputs_per_item=options["outputs_per_item"],
        )
