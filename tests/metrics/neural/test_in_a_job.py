"""Neural metrics in a scoring job of the site."""

import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from django.db import connection

from judgments.models import JobStatus
from metrics.models import MetricScore, MetricSpans, PartStatus, ScoringJob
from metrics.neural import environment, process
from metrics.neural.process import NeuralProcess
from metrics.scorers import get_scorer
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory

FAKE = Path(__file__).with_name("fake_program.py")

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


@pytest.mark.proof
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


@pytest.mark.proof
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


@pytest.fixture
def fake(monkeypatch):
    made = NeuralProcess([sys.executable, str(FAKE)], silence=60)
    monkeypatch.setattr(environment, "unavailable", lambda: "")
    monkeypatch.setattr(process, "_shared", made)
    monkeypatch.setattr(process, "_owner", os.getpid())
    yield made
    made.stop()


def in_a_worker(job):
    """Return a thread that works on a job, with a separate connection, like a worker."""

    def work():
        try:
            jobs.work_on(job.pk)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def wait_for(job, condition):
    end = time.monotonic() + 30
    while not condition(found := ScoringJob.objects.get(pk=job.pk)):
        assert time.monotonic() < end, (found.status, found.message)
        time.sleep(0.02)


@pytest.mark.django_db(transaction=True)
def test_a_part_says_how_far_it_is_and_is_given_up_when_the_job_is_cancelled(fake):
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=1)
    job = jobs.create_job(test_set, [MetricChoice("comet", {"model": "stuck"})], ["ref"])
    begun = ScoringJob.objects.get(pk=job.pk).moved_at
    worker = in_a_worker(job)
    wait_for(job, lambda job: job.message == "COMET (stuck) of System-A: 0 %")
    wait_for(job, lambda job: job.moved_at is not None and job.moved_at != begun)
    jobs.cancel(job.pk)
    worker.join(20)
    assert not worker.is_alive()
    assert fake.pid is None  # it computes on for nobody
    job.refresh_from_db()
    assert (job.status, job.message, job.done) == (JobStatus.CANCELLED, "", 0)
    assert job.parts.get().status == PartStatus.WAITING
    assert not MetricScore.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_a_part_said_of_itself_goes_with_it(fake):
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=2)
    job = jobs.create_job(test_set, [MetricChoice("comet", {"model": "good"})], ["ref"])
    in_a_worker(job).join(30)
    job.refresh_from_db()
    assert (job.status, job.message) == (JobStatus.DONE, "")
    jobs.work_on(job.pk)  # a worker that comes too late
    job.refresh_from_db()
    assert (job.status, job.message) == (JobStatus.DONE, "")


def test_errors_that_a_model_marks_are_kept_with_its_scores(test_set, fake):
    system = test_set.systems.first()
    test_set.segments.get(position=1).outputs.filter(system=system).delete()
    choices = [
        MetricChoice("comet", {"model": "marking"}),
        MetricChoice("comet", {"model": "good"}),
    ]
    assert work_on(test_set, choices).status == JobStatus.DONE
    assert MetricSpans.objects.count() == test_set.systems.count()  # of the one that marks
    kept = MetricSpans.objects.get(score__system=system)
    error = [0, 1, "minor", "", 0.5]
    assert kept.data == [[error], None, [error], [error]] and kept.n_errors == 3
    # If texts have changed since, both are recomputed.
    test_set.segments.get(position=0).outputs.filter(system=system).delete()
    work_on(test_set, choices)
    assert MetricSpans.objects.get(score__system=system).data == [None, None, [error], [error]]


def test_errors_that_a_model_marks_fit_their_output(test_set, fake):
    job = work_on(test_set, [MetricChoice("comet", {"model": "marking-badly"})])
    assert (job.status, job.message) == (JobStatus.DONE, "")
    system = test_set.systems.first()
    texts = [output.text for output in system.outputs.order_by("segment__position")]
    # No confidence where it was NaN, a huge number and a word.
    none = [0, 1, "minor", "", None]
    assert MetricSpans.objects.get(score__system=system).data == [
        [[0, len(text), "minor", "", None], none, none, [0, 1, "minor", "", 0.5]] for text in texts
    ]


def test_who_comes_too_late_keeps_the_reason_of_a_failure(test_set, fake):
    job = work_on(test_set, [MetricChoice("comet", {"model": "error"})])
    assert "There is no such model." in job.message
    jobs.work_on(job.pk)
    job.refresh_from_db()
    assert "There is no such model." in job.message
