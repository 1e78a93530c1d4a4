"""The metrics in a campaign's bundle: scores with their statistics, errors marked by metrics, and
the metrics under which systems were compared. Comparisons are recomputed."""

from __future__ import annotations

from judgments.models import Campaign, TestSet
from judgments.publishing.bundles.rows import BundledRows
from metrics.models import Comparison, MetricScore, MetricSpans
from metrics.scores.comparisons import compute_comparisons

SET = {"test_set": "test-sets"}


def scores_of(campaign: Campaign):
    return MetricScore.objects.filter(test_set=campaign.test_set_id)


def spans_of(campaign: Campaign):
    return MetricSpans.objects.filter(score__test_set=campaign.test_set_id)


def comparisons_of(campaign: Campaign):
    return Comparison.objects.filter(test_set=campaign.test_set_id)


SCORES = BundledRows("metric-scores", MetricScore, scores_of, {**SET, "system": "systems"})
SPANS = BundledRows("metric-spans", MetricSpans, spans_of, {"score": "metric-scores"})
COMPARED = BundledRows(
    "metric-comparisons",
    Comparison,
    comparisons_of,
    SET,
    only=("test_set", "references", "signature", "unit"),
)


def compare_again(test_set: TestSet) -> None:
    """Recompute comparisons: their rows arrive without results, which match no scores."""
    for unit in test_set.comparisons.order_by("unit").values_list("unit", flat=True).distinct():
        compute_comparisons(test_set, unit)
