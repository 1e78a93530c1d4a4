"""Whether metrics rank controls last."""

import pytest

from judgments.models import System, SystemFacts
from metrics.models import MetricScore
from metrics.scores.control_words import control_words
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory


@pytest.fixture
def test_set(db):
    found = factory.make_test_set(factory.make_user("owner", is_staff=True))
    chosen = [MetricChoice("bleu"), MetricChoice("ter")]
    jobs.work_on(jobs.create_job(found, chosen, ["ref"]).pk)
    return found


def scored(test_set, name, **values):
    system = System.objects.get(test_set=test_set, name=name)
    for metric, value in values.items():
        MetricScore.objects.filter(system=system, metric=metric).update(score=value)


def make_control(test_set, name):
    SystemFacts.objects.create(
        system=System.objects.get(test_set=test_set, name=name), is_control=True
    )


def test_each_metric_is_asked_by_its_own_direction(test_set):
    assert control_words(score_table(test_set)) == ""
    make_control(test_set, "System-B")
    scored(test_set, "System-B", bleu=1, ter=200)
    assert control_words(score_table(test_set)) == (
        "System-B, a control system of known weakness, is last by all 2 metrics."
    )
    scored(test_set, "System-B", ter=1)
    assert control_words(score_table(test_set)) == (
        "System-B, a control system of known weakness, is last by 1 of 2 metrics; NOT by TER."
    )


def test_controls_are_not_compared_with_each_other(test_set):
    for name in ("System-A", "System-B"):
        make_control(test_set, name)
        scored(test_set, name, bleu=1, ter=200)
    assert control_words(score_table(test_set)).count("is last by all 2 metrics") == 2
    make_control(test_set, "System-C")
    assert control_words(score_table(test_set)) == ""


def test_one_metric(test_set):
    MetricScore.objects.filter(metric="ter").delete()
    make_control(test_set, "System-A")
    scored(test_set, "System-A", bleu=0)
    assert "last by the only metric" in control_words(score_table(test_set))
