"""Many metrics on several language pairs, with clusters, as in the findings of WMT."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Campaign
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table

from .averages import PRESETS
from .board import Board
from .differences import COMPARED, Differences, differences
from .ranking import ranking_table, system_ranking
from .study import Metric, metric_of

# Statistics available for clusters: tests of the others take too long for many campaigns.
BY = ("system-pearson", "item-acc_eq", "segment-pearson")
TITLE = gettext_lazy("Metrics by campaign, with clusters")


@dataclass(frozen=True)
class CampaignMetrics:
    """The metrics of one campaign under the choices of a preset."""

    selection: Selection
    found: Differences

    @property
    def campaign(self) -> Campaign:
        return self.selection.campaign

    def by_name(self) -> dict[str, tuple[Metric, float, int]]:
        """Return estimate and cluster by the metric's name in all campaigns: its label, unless two
        share that."""
        labels = Counter(metric.label for metric in self.found.metrics)
        return {
            (metric.label if labels[metric.label] == 1 else metric.title): (metric, value, rank)
            for metric, value, rank in zip(
                self.found.metrics,
                self.found.estimates.tolist(),
                self.found.ranks.tolist(),
                strict=True,
            )
        }


def campaign_metrics(selection: Selection, preset: str, board: Board, by: str) -> CampaignMetrics:
    """Return every metric's agreement by a statistic of BY, and its cluster; cached."""
    chosen = PRESETS[preset]
    found = differences(
        selection, chosen.choice(selection.campaign), chosen.board(board), by if by in BY else BY[0]
    )
    return CampaignMetrics(selection, found)


def many_lead(campaigns: Sequence[CampaignMetrics]) -> str:
    """Return which metrics are in the best cluster in all campaigns."""
    best = [
        {name for name, (_metric, _value, rank) in each.by_name().items() if rank == 1}
        for each in campaigns
    ]
    everywhere = sorted(set.intersection(*best)) if best else []
    if not everywhere:
        return _("No metric is in the first cluster of every campaign.")
    if len(everywhere) > 4:
        return _("%(metrics)s are in the first cluster of every campaign.") % {
            "metrics": counted.metrics(len(everywhere))
        }
    return _("In the first cluster of every campaign: %(metrics)s.") % {
        "metrics": counted.names(everywhere)
    }


def many_table(campaigns: Sequence[CampaignMetrics], by: str) -> Table:
    """Return a row for each metric of any campaign, the best mean first; for each campaign the
    estimate, which links to the metric on the campaign's page, and the cluster."""
    every = [each.by_name() for each in campaigns]
    names = sorted({name for found in every for name in found}, key=lambda name: order(name, every))
    columns: list[Column] = [Column("metric"), Column("mean", _("Mean"), "number")]
    for each in campaigns:
        pk = each.campaign.pk
        columns.append(Column(f"estimate_{pk}", each.campaign.name, "number", pair_of(each)))
        columns.append(Column(f"cluster_{pk}", _("Cluster"), "count", each.campaign.name))
    rows = []
    links = {}
    for row, name in enumerate(names):
        cells: list[object] = [name, mean_of(name, every)]
        for each, found in zip(campaigns, every, strict=True):
            metric, value, rank = found.get(name, (None, nan, 0))
            cells += [value, rank or None]
            if metric is not None:
                query = urlencode({"metric": metric.slug, "compared": by})
                address = reverse("correlation", args=[each.campaign.pk])
                links[row, f"estimate_{each.campaign.pk}"] = f"{address}?{query}"
        rows.append(cells)
    return Table("metric-many", str(TITLE), tuple(columns), rows, many_note(by), links)


def many_note(by: str) -> str:
    return _(
        "%(statistic)s of each metric with people, and its cluster: a new one begins where a "
        "metric is beaten by one of the cluster before (permutation test, one-sided, .05). The "
        "mean is over the campaigns that have the metric; one that is missing somewhere comes last."
    ) % {"statistic": _(COMPARED[by].name)}


def mean_of(name: str, every: Sequence[dict[str, tuple[Metric, float, int]]]) -> float:
    values = [found[name][1] for found in every if name in found]
    return float(np.mean(values)) if values else nan


def order(name: str, every: Sequence[dict]) -> tuple[bool, bool, float, str]:
    mean = mean_of(name, every)
    is_everywhere = all(name in found for found in every)
    return not is_everywhere, isnan(mean), 0.0 if isnan(mean) else -mean, name


def pair_of(each: CampaignMetrics) -> str:
    test_set = each.campaign.test_set
    return f"{test_set.source_language}–{test_set.target_language}"


def systems_by_metrics(selection: Selection, preset: str, board: Board) -> Table:
    """Return systems × all metrics of one campaign, with people's clusters and AutoRank of the
    usual metrics."""
    chosen = PRESETS[preset]
    own = chosen.board(board)
    metrics = [metric_of(column) for column in own.table.columns]
    real = [metric.slug for metric in metrics if not metric.is_sentinel]
    found = system_ranking(selection, chosen.choice(selection.campaign), own, shown=real)
    campaign = selection.campaign
    title = _("Systems and metrics: %(campaign)s") % {"campaign": campaign.name}
    return ranking_table(found, selection, f"systems-by-metrics-{campaign.pk}", title)
