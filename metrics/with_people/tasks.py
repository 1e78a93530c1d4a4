"""What pages show of metrics against people, computed in the background."""

from django_tasks import task

from judgments.models import Campaign
from metrics.scores.tasks import enqueue_comparisons
from metrics.scoring.task_state import is_queued


@task()
def run_agreement(campaign_id: int, preset: str) -> bool:
    """Compute what a campaign brings to averages of metrics; False if it is gone."""
    # Slow to import, and nothing else of this module needs them.
    from judgments.results.selection.selection import Selection
    from metrics import with_people as agreement

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is None:
        return False
    selection, board = Selection.of(campaign), agreement.board_of(campaign.test_set)
    agreement.preset_tasks(selection, preset, board)
    for by in agreement.BY:
        agreement.campaign_metrics(selection, preset, board, by)
    return True


@task()
def run_year(campaign_id: int) -> bool:
    """Compute what the page of metrics against people opens with, as far as the release of the test
    set calls for it; False if there is nothing to compute."""
    from judgments.results.selection.selection import Selection
    from metrics import with_people as agreement

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is None:
        return False
    selection, board = Selection.of(campaign), agreement.board_of(campaign.test_set)
    if not board.table.columns or not agreement.is_judged(selection):
        return False
    agreement.prepare(selection, board)
    return True


def enqueue_figures(test_set_id: int) -> None:
    """Have everything computed that pages show of a release which has just come in: metrics against
    the people of each campaign, then the differences between systems by each metric."""
    campaigns = Campaign.objects.of_people().filter(test_set=test_set_id).order_by("pk")
    for pk in campaigns.values_list("pk", flat=True):
        if not is_queued(run_year, pk):
            run_year.enqueue(pk)
    enqueue_comparisons(test_set_id)


def is_year_coming(campaign_id: int) -> bool:
    """Return whether a worker is computing it, or will."""
    return is_queued(run_year, campaign_id, or_running=True)


def is_agreement_coming(campaign_id: int, preset: str) -> bool:
    """Return whether a worker is computing it, or will."""
    return is_queued(run_agreement, campaign_id, preset, or_running=True)
