"""Neural metrics in a scoring job of the site."""

import numpy as np
import pytest

from metrics import jobs
from metrics.choices import MetricChoice
from metrics.models import JobStatus, MetricScore
from metrics.scorers import get_scorer
from tests import factory

ALL = [
    MetricChoice("comet", {"model": "comet"}),
    MetricChoice("cometkiwi", {"model": "kiwi"}),
    MetricChoice("bertscore", {"model": "bertscore", "layer": 2}),
    MetricChoice("bleurt", {"model": "bleurt"}),
]


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner"), n_segments=4)


def work_on(test_set, metrics):
    job = jobs.create_job(test_set, metrics, ["ref"])
    jobs.work_on(job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.neural
@pytest.mark.usefixtures("program", "in_models")
def test_scores_of_all_systems_are_stored_with_their_segments(test_set):
    job = work_on(test_set, ALL)
    assert (job.status, job.message) == (JobStatus.DONE, "")
    for choice in ALL:
        for system in test_set.systems.all():
            score = MetricScore.objects.get(system=system, metric=choice.slug)
            assert score.n_segments == 4
            assert score.score == pytest.approx(np.mean(score.segment_scores))
            assert f"model:{choice.options['model']}@" in score.signature
            texts = [o.text for o in system.outputs.order_by("segment__position")]
            segments = test_set.segments.order_by("position")
            references = [s.references.get(name="ref").text for s in segments]
            scorer = get_scorer(choice.slug, **choice.options)
            stats = scorer.statistics(texts, [references], [s.source for s in segments])
            np.testing.assert_allclose(scorer.segment_scores(stats), score.segment_scores, 1e-5)


@pytest.mark.neural
@pytest.mark.usefixtures("program", "in_models")
def test_a_model_that_is_not_there_fails_its_part_with_the_reason(test_set):
    job = work_on(test_set, [MetricChoice("comet", {"model": "owner/none"}), ALL[3]])
    assert job.status == JobStatus.FAILED
    assert "The model owner/none is not on this machine" in job.message
    assert MetricScore.objects.filter(metric="bleurt").count() == test_set.systems.count()


def test_without_the_environment_the_reason_says_how_to_add_it(test_set, monkeypatch, tmp_path):
    monkeypatch.setenv("MTEVAL_NEURAL", str(tmp_path / "none"))
    with pytest.raises(ValueError, match=r"COMET cannot be computed here.*\./run neural"):
        work_on(test_set, [MetricChoice("comet")])
