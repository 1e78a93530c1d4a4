"""manage.py create_project: campaigns that belong together."""

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from judgments.management.lookup import account, numbered
from judgments.models import Campaign, Project
from judgments.people.projects.sharing import share
from judgments.results.observations.observations import dimensions_of
from judgments.web import plurals as counted


class Command(BaseCommand):
    help = "Create a project of campaigns, or add campaigns to an existing one."

    def add_arguments(self, parser):
        parser.add_argument("address", help="a short word, such as wmt23")
        parser.add_argument("campaign", type=int, nargs="*", metavar="CAMPAIGN", help="numbers")
        parser.add_argument("--owner", required=True, help="user name of the account that owns it")
        parser.add_argument("--name", default="", help="if missing, the address")
        parser.add_argument("--description", default="")
        parser.add_argument(
            "--by",
            action="append",
            default=[],
            metavar="CAMPAIGN=DIMENSION",
            help=(
                "what ranks the systems of a campaign that asks several things; if missing, the "
                "first"
            ),
        )

    def handle(self, *args, address, campaign, owner, name, description, by, **options):
        user = account(owner)
        campaigns = [numbered(Campaign, number) for number in campaign]
        if models := [each for each in campaigns if each.by_model]:
            raise CommandError(f"Campaign {models[0].pk} contains the answers of a language model.")
        with transaction.atomic():
            project = Project.objects.filter(slug=address).first()
            if project is None:
                project = Project(slug=address, name=name or address, description=description)
                project.owner = user
                try:
                    project.full_clean()
                except ValidationError as problem:
                    raise CommandError(" ".join(problem.messages)) from None
                project.save()
            project.campaigns.add(*campaigns)
            share(project, user)
            for said in by:
                choose(project, said)
        n = counted.campaigns(project.campaigns.count())
        self.stdout.write(f"{project.name}: {n}. See {project.get_absolute_url()}")


def choose(project, said):
    """Raise CommandError for a campaign that is not in the project, or does not ask that."""
    number, _, dimension = said.partition("=")
    joined = project.joined.select_related("campaign__test_set")
    found = joined.filter(campaign=number).first() if number.isdecimal() else None
    if found is None:
        raise CommandError(f"No campaign {number} is in {project.name}.")
    known = [each.slug for each in dimensions_of(found.campaign)]
    if dimension not in known:
        raise CommandError(f"Campaign {number} asks {', '.join(known) or 'for comparisons'}.")
    found.dimension = dimension
    found.save(update_fields=["dimension"])
