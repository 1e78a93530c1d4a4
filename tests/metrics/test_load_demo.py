"""`./run` has content on every page: the demo's metrics are computed by the worker."""

import pytest
from django.core.management import call_command

from judgments.models import TestSet
from metrics.models import MetricScore, ScoringJob
from metrics.scores.control_words import control_words
from metrics.scores.tables import score_table


@pytest.mark.proof
@pytest.mark.slow
@pytest.mark.django_db
def test_the_worker_scores_the_demo_once(run_tasks):
    call_command("load_demo", verbosity=0)
    run_tasks()
    assert MetricScore.objects.count() == 25  # four metrics and a judge, five systems
    bleu = {
        score.system.name: score.score
        for score in MetricScore.objects.filter(metric="bleu").select_related("system")
    }
    assert bleu["Harbor"] > bleu["Lantern"] > bleu["Meadow"] > bleu["Pebble"] > bleu["Baseline"]
    for metric in {score.metric for score in MetricScore.objects.all()}:
        scores = {s.system.name: s.score for s in MetricScore.objects.filter(metric=metric)}
        worst = max if metric == "ter" else min
        assert worst(scores, key=scores.get) == "Baseline", metric
    said = "Baseline, a control system of known weakness, is last by all 5 metrics."
    assert control_words(score_table(TestSet.objects.get())) == said
    call_command("load_demo", verbosity=0)
    assert ScoringJob.objects.count() == 1
