"""Verdicts of a project's campaigns, computed in the background for its watchers."""

from django_tasks import task

from judgments.models import Campaign
from judgments.web import cache

ASKED_SECONDS = 120


def ask_for_verdicts(project_id: int) -> None:
    """Ask a worker at intervals, however many people watch and campaigns there are."""
    if cache.may_ask(f"asked-verdicts-{project_id}", ASKED_SECONDS):
        compute_verdicts.enqueue(project_id)


@task(queue_name="slow")
def compute_verdicts(project_id: int) -> None:
    """Compute the verdicts in each campaign that has a rule and new judgments."""
    from judgments.quality.watch import figures as latest

    campaigns = Campaign.objects.filter(projects=project_id).exclude(quality_rules=None)
    for campaign in campaigns.select_related("test_set").distinct().order_by("pk"):
        found = latest.last(campaign, "annotators")
        if found is None or found.mark != latest.mark_of(campaign):
            latest.compute(campaign, "annotators")
