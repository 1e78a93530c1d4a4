"""The archive: what is over goes out of the lists and is only read, until it is restored."""

from django.db import transaction
from django.utils import timezone

from judgments.models import Campaign, Project, Status
from judgments.models.locks import lock_campaign, lock_campaigns, lock_project
from judgments.people.projects.sharing import run_by

MAY_REST = (Status.DRAFT, Status.CLOSED)
NAMED = 5


class ArchiveRefused(ValueError):
    """Something cannot be archived now, and why, in words."""


@transaction.atomic
def archive_campaign(campaign: Campaign) -> None:
    """Raise ArchiveRefused for one in which people may still judge."""
    locked = lock_campaign(campaign.pk)
    if locked.status not in MAY_REST:
        raise ArchiveRefused("Close the campaign first; people may still judge in it.")
    if locked.archived_at is None:
        locked.archived_at = timezone.now()
        locked.save(update_fields=["archived_at"])


@transaction.atomic
def restore_campaign(campaign: Campaign) -> None:
    locked = lock_campaign(campaign.pk)
    locked.archived_at = None
    locked.save(update_fields=["archived_at"])


@transaction.atomic
def archive_project(project: Project, by) -> int:
    """Archive a project with those of its campaigns that `by` runs, whose number is returned.
    Raises ArchiveRefused while people may judge in one of them."""
    project = lock_project(project.pk)
    campaigns = lock_campaigns(run_by(by, project).values_list("pk", flat=True))
    busy = [each.name for each in campaigns if each.status not in MAY_REST]
    if busy:
        more = f" and {len(busy) - NAMED} more" if len(busy) > NAMED else ""
        raise ArchiveRefused(
            "Close these campaigns first; people may still judge in them: "
            f"{', '.join(busy[:NAMED])}{more}."
        )
    project.archived_at = timezone.now()
    project.save(update_fields=["archived_at"])
    pks = [each.pk for each in campaigns]
    return Campaign.objects.filter(pk__in=pks).update(archived_at=project.archived_at)


@transaction.atomic
def restore_project(project: Project) -> int:
    """Restore a project with the campaigns that were archived with it, whose number is returned."""
    project = lock_project(project.pk)
    if project.archived_at is None:
        return 0
    together = project.campaigns.filter(archived_at=project.archived_at)
    pks = [each.pk for each in lock_campaigns(together.values_list("pk", flat=True))]
    project.archived_at = None
    project.save(update_fields=["archived_at"])
    return Campaign.objects.filter(pk__in=pks).update(archived_at=None)
