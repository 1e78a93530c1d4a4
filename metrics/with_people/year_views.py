"""The table of the year that a test set was released in, on the page of its metrics."""

from typing import Any

from judgments.models import Campaign
from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from metrics.scores.tables import ScoreTable

from . import tasks as with_people_tasks


def year_context(user, table: ScoreTable) -> dict[str, Any] | None:
    """Return what the fragment of the year shows: its table if that is computed, or whether it is
    coming. None without a year, or without a campaign of it whose results the user may read."""
    test_set = table.test_set
    if not agreement.year_of(test_set):
        return None
    campaigns = (
        Campaign.objects.visible_to(user).of_people().filter(test_set=test_set).order_by("pk")
    )
    campaign = next((each for each in campaigns if agreement.is_gold(each)), None)
    if campaign is None:
        return None
    campaign.test_set = test_set
    context = {"campaign": campaign, "title": agreement.year_title(test_set)}
    selection, board = Selection.of(campaign), agreement.board_of(test_set, table=table)
    if not agreement.has_year(selection, board):
        return context | {"is_coming": with_people_tasks.is_year_coming(campaign.pk)}
    found = agreement.year_averages(selection, board)
    return context | {
        "sentence": agreement.year_lead(found, test_set, board),
        "table": agreement.year_table(found, test_set, board),
    }
