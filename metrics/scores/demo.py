"""Metric scores of the demo."""

from judgments.models import Judge, TestSet
from metrics.scores import comparisons, model_judges
from metrics.scoring import choices, jobs


def score_demo(test_set: TestSet) -> None:
    """Score the demo's test set by the metrics of the form, and by the judge's judgments."""
    metrics = [choices.parse_metric(text) for text in choices.DEFAULTS]
    job = jobs.create_job(test_set, metrics, test_set.reference_names, test_set.owner)
    jobs.work_on(job.pk)
    for judge in Judge.objects.filter(campaign__test_set=test_set):
        model_judges.store(judge)
    comparisons.compute_comparisons(test_set)
