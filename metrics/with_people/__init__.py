"""Metrics against people: how well they agree, which agrees better, and what that is worth.

Stored scores + people's scores → arrays (`study`) → metrics.stats → named results, each cached
until a judgment, a score or a text changes → the sections of the page (`page`), which the web page,
files and the API read. Higher is better everywhere; docs/decisions/0016 defines the intervals.
"""

from .averages import PRESETS, Tasks, averages_of, campaign_tasks, is_ready, preset_tasks
from .board import board_of
from .differences import COMPARED
from .many_metrics import (
    BY,
    CampaignMetrics,
    campaign_metrics,
    many_lead,
    many_table,
    systems_by_metrics,
)
from .page import MetricsPage, Settings, prepare
from .segments import GROUPINGS, segment_agreement
from .study import (
    CONTROLS,
    DONORS,
    FEWEST,
    HUMANS,
    OVER,
    StudyChoice,
    has_donors,
    human_choices,
    is_judged,
    study_of,
)
from .systems import system_agreement
from .year import has_year, is_gold, year_averages, year_lead, year_of, year_table, year_title

__all__ = [
    "BY",
    "COMPARED",
    "CONTROLS",
    "DONORS",
    "FEWEST",
    "GROUPINGS",
    "HUMANS",
    "OVER",
    "PRESETS",
    "CampaignMetrics",
    "MetricsPage",
    "Settings",
    "StudyChoice",
    "Tasks",
    "averages_of",
    "board_of",
    "campaign_metrics",
    "campaign_tasks",
    "has_donors",
    "has_year",
    "human_choices",
    "is_gold",
    "is_judged",
    "is_ready",
    "many_lead",
    "many_table",
    "prepare",
    "preset_tasks",
    "segment_agreement",
    "study_of",
    "system_agreement",
    "systems_by_metrics",
    "year_averages",
    "year_lead",
    "year_of",
    "year_table",
    "year_title",
]
