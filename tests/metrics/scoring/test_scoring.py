"""Scoring jobs, by the real worker, against sacreBLEU."""

import threading
import time
from collections import Counter

import numpy as np
import pytest
import sacrebleu
from django.db import connections

from judgments.models import JobStatus, Output, Reference, Segment, TargetedReference
from metrics.models import (
    MetricScore,
    PartStatus,
    ScoringJob,
    from_bytes,
    to_bytes,
)
from metrics.scoring import jobs
from metrics.scoring import parts as scoring
from metrics.scoring import tasks as scoring_tasks
from metrics.scoring.choices import MetricChoice, parse_metric
from tests import factory

ALL = [MetricChoice(slug) for slug in ("bleu", "chrf", "chrfpp", "ter")]


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner"), n_segments=6)


def score(test_set, metrics=ALL, references=("ref",)):
    """Return a job after processing it here."""
    job = jobs.create_job(test_set, metrics, references)
    jobs.work_on(job.pk)
    job.refresh_from_db()
    return job


def texts(system, name="ref"):
    outputs = [o.text for o in Output.objects.filter(system=system).order_by("segment__position")]
    rows = Reference.objects.filter(segment__test_set=system.test_set, name=name)
    return outputs, [row.text for row in rows.order_by("segment__position")]


ORACLES = {
    "bleu": sacrebleu.BLEU,
    "chrf": sacrebleu.CHRF,
    "chrfpp": lambda: sacrebleu.CHRF(word_order=2),
    "ter": sacrebleu.TER,
}


@pytest.mark.parametrize("slug", ORACLES)
def test_the_worker_stores_the_scores_of_sacrebleu(test_set, run_tasks, slug):
    job = jobs.create_job(test_set, [MetricChoice(slug)], ["ref"])
    scoring_tasks.enqueue(job)
    run_tasks()
    job.refresh_from_db()
    assert (job.status, job.done, job.total) == (JobStatus.DONE, 3, 3)
    for system in test_set.systems.all():
        stored = MetricScore.objects.get(system=system)
        outputs, references = texts(system)
        oracle = ORACLES[slug]()
        assert stored.score == pytest.approx(
            oracle.corpus_score(outputs, [references]).score, abs=1e-9
        )
        if slug == "bleu":
            oracle = sacrebleu.BLEU(effective_order=True)
        sentence = [
            oracle.sentence_score(*pair).score
            for pair in zip(outputs, [[text] for text in references], strict=True)
        ]
        np.testing.assert_allclose(stored.segment_scores, sentence, atol=1e-9)
        summed = MetricChoice(slug).scorer().score(stored.statistics.sum(axis=0))
        assert summed == stored.score


def test_signatures_name_the_metric_and_its_options(test_set):
    score(test_set, [parse_metric("bleu:tokenize=intl"), parse_metric("chrf:beta=3")])
    signatures = set(MetricScore.objects.values_list("signature", flat=True))
    version = sacrebleu.__version__
    assert f"BLEU|nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:{version}|impl:mteval" in (
        signatures
    )
    assert any(text.startswith("chrF3|nrefs:1|") for text in signatures)
    row = MetricScore.objects.filter(metric="bleu").first()
    assert "eff:no" in row.signature and "eff:yes" in row.segment_signature
    assert row.options["tokenize"] == "intl"


def test_several_references_of_which_some_are_missing(test_set):
    first = test_set.segments.first()
    Reference.objects.create(segment=first, name="other", text="Source text number 1 here")
    score(test_set, [MetricChoice("bleu")], ["other", "ref"])
    system = test_set.systems.get(name="System-A")
    outputs, references = texts(system)
    others = ["Source text number 1 here"] + [None] * 5
    expected = sacrebleu.BLEU().corpus_score(outputs, [others, references]).score
    stored = MetricScore.objects.get(system=system)
    assert stored.score == pytest.approx(expected, abs=1e-9)
    assert stored.references == ["other", "ref"]
    assert "nrefs:var" in stored.signature


def test_segments_without_an_output_are_left_out(test_set):
    system = test_set.systems.get(name="System-B")
    outputs, references = texts(system)
    system.outputs.get(segment=Segment.objects.get(test_set=test_set, key="2")).delete()
    score(test_set)
    stored = MetricScore.objects.get(system=system, metric="bleu")
    assert stored.n_segments == 5
    np.testing.assert_array_equal(np.isnan(stored.segment_scores), [0, 1, 0, 0, 0, 0])
    expected = sacrebleu.BLEU().corpus_score(
        outputs[:1] + outputs[2:], [references[:1] + references[2:]]
    )
    assert stored.score == pytest.approx(expected.score, abs=1e-9)


def test_a_failed_part_says_why_and_the_others_are_stored(test_set):
    system = test_set.systems.get(name="System-B")
    system.outputs.all().delete()
    job = score(test_set, [MetricChoice("bleu"), MetricChoice("ter")])
    assert job.status == JobStatus.FAILED
    assert job.message == (
        "2 of 6 parts failed. BLEU of System-B: "
        "System-B has no segment with an output and a reference."
    )
    assert MetricScore.objects.count() == 4
    assert job.finished_at is not None


def test_a_defect_of_a_metric_is_a_failure_with_its_error(test_set, monkeypatch):
    def broken(*args):
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(scoring, "score_texts", broken)
    job = score(test_set, [MetricChoice("bleu")])
    assert job.status == JobStatus.FAILED
    assert job.message.endswith("ZeroDivisionError: a defect")


def test_a_retry_computes_only_what_is_missing(test_set, monkeypatch):
    system = test_set.systems.get(name="System-B")
    kept = list(system.outputs.all())
    system.outputs.all().delete()
    job = score(test_set, [MetricChoice("bleu")])
    Output.objects.bulk_create(kept)
    assert jobs.reopen(job.pk)
    assert jobs.work_on(job.pk) == 1
    job.refresh_from_db()
    assert (job.status, job.message, job.done) == (JobStatus.DONE, "", 3)
    assert not jobs.reopen(job.pk)


def test_cancel_stops_after_the_part_at_hand(test_set, monkeypatch):
    computed = []

    def compute(part, bench):
        computed.append(part.pk)
        if len(computed) == 2:
            assert jobs.cancel(part.job_id)

    monkeypatch.setattr(jobs, "compute", compute)
    job = score(test_set)
    assert (job.status, job.done, len(computed)) == (JobStatus.CANCELLED, 2, 2)
    assert job.parts.filter(status=PartStatus.WAITING).count() == 10
    assert not jobs.cancel(job.pk)
    assert jobs.work_on(job.pk) == 0


def test_a_job_cancelled_in_the_queue_never_starts(test_set, run_tasks):
    job = jobs.create_job(test_set, ALL, ["ref"])
    scoring_tasks.enqueue(job)
    jobs.cancel(job.pk)
    run_tasks()
    job.refresh_from_db()
    assert (job.status, job.done, job.started_at) == (JobStatus.CANCELLED, 0, None)
    assert not MetricScore.objects.exists()


def test_a_part_whose_worker_dies_is_free_again(test_set, monkeypatch):
    compute = jobs.compute

    def killed(part, bench):
        compute(part, bench)
        raise SystemExit

    job = jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"])
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(jobs, "compute", killed)
        jobs.work_on(job.pk)
    assert not MetricScore.objects.exists()
    assert jobs.work_on(job.pk) == 3
    job.refresh_from_db()
    assert job.status == JobStatus.DONE


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_compute_the_same_part(monkeypatch):
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=5)
    computed = []
    compute = jobs.compute

    def slowly(part, bench):
        computed.append((threading.get_ident(), part.pk))
        time.sleep(0.01)
        return compute(part, bench)

    monkeypatch.setattr(jobs, "compute", slowly)
    job = jobs.create_job(test_set, ALL, ["ref"])

    def work():
        jobs.work_on(job.pk)
        connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    job.refresh_from_db()
    assert (job.status, job.done, job.total) == (JobStatus.DONE, 20, 20)
    assert sorted(part for _, part in computed) == sorted(job.parts.values_list("pk", flat=True))
    assert len(Counter(worker for worker, _ in computed)) == 3


def test_the_same_texts_are_not_scored_again(test_set, monkeypatch):
    score(test_set)
    before = set(MetricScore.objects.values_list("pk", "created_at"))
    monkeypatch.setattr(scoring, "score_texts", None)
    assert score(test_set).status == JobStatus.DONE
    assert set(MetricScore.objects.values_list("pk", "created_at")) == before


@pytest.mark.parametrize("what", ["source", "reference", "output"])
def test_a_score_is_stale_once_a_text_changed(test_set, what):
    score(test_set, [MetricChoice("bleu"), MetricChoice("ter")])
    assert not scoring.stale_scores(list(MetricScore.objects.all()))
    segment = test_set.segments.first()
    system = test_set.systems.get(name="System-A")
    if what == "source":
        Segment.objects.filter(pk=segment.pk).update(source="Anders .")
    elif what == "reference":
        Reference.objects.filter(segment=segment).update(text="Different .")
    else:
        Output.objects.filter(segment=segment, system=system).update(text="Different .")
    stale = scoring.stale_scores(list(MetricScore.objects.select_related("test_set")))
    assert len(stale) == (2 if what == "output" else 6)
    score(test_set, [MetricChoice("bleu"), MetricChoice("ter")])
    assert not scoring.stale_scores(list(MetricScore.objects.all()))
    assert MetricScore.objects.count() == 6


def test_a_new_version_of_a_metric_replaces_the_old_score(test_set, monkeypatch):
    score(test_set, [MetricChoice("bleu"), parse_metric("bleu:lowercase=yes")])
    MetricScore.objects.filter(options__lowercase=False).update(signature="BLEU|version:1.0")
    score(test_set, [MetricChoice("bleu")])
    assert MetricScore.objects.count() == 6
    assert not MetricScore.objects.filter(signature="BLEU|version:1.0").exists()


@pytest.mark.parametrize(
    ("metrics", "references", "message"),
    [
        ([], ["ref"], "Choose at least one metric."),
        (ALL, [], "Choose at least one reference set."),
        (ALL, ["nobody"], "No reference set 'nobody'; there is: ref."),
    ],
)
def test_a_job_without_sense_is_refused(test_set, metrics, references, message):
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        jobs.create_job(test_set, metrics, references)
    assert not ScoringJob.objects.exists()


def test_a_test_set_without_systems_is_refused(test_set):
    test_set.systems.all().delete()
    with pytest.raises(ValueError, match="no systems"):
        jobs.create_job(test_set, ALL, ["ref"])


def test_numbers_survive_storage_bit_for_bit():
    values = np.array([0.1, np.nan, -0.0, 1e308, 100.0])
    assert from_bytes(to_bytes(values)).tobytes() == values.tobytes()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("bleu", "BLEU"),
        ("bleu:tokenize=13a,lowercase=no", "BLEU"),
        ("bleu:tokenize=intl,lowercase=yes", "BLEU (lowercase, tokenize intl)"),
        ("chrf:word_order=2", "chrF2++"),
        ("chrfpp", "chrF++"),
        ("chrfpp:word_order=1", "chrF2+"),
        ("ter:case_sensitive=true", "TER (case sensitive)"),
        ("meteor:language=", "METEOR (no language)"),
        ("comet:model=lab/one", "COMET (one)"),
        ("bleu:smoothing=floor,smoothing_value=0.5", "BLEU (smoothing floor, smoothing value 0.5)"),
    ],
)
def test_labels(text, label):
    assert parse_metric(text).label == label


def test_an_output_without_its_post_edit_leaves_hter_one_metric(test_set):
    outputs = Output.objects.filter(system__test_set=test_set)
    TargetedReference.objects.bulk_create(
        TargetedReference(output=output, name="Mia", text=f"{output.text} edited")
        for output in outputs
    )
    second = test_set.systems.all()[1]
    second.outputs.first().targeted_references.all().delete()
    score(test_set, [MetricChoice("hter")], ())
    scores = MetricScore.objects.filter(test_set=test_set)
    assert sorted(scores.values_list("n_segments", flat=True)) == [5, 6, 6]
    (signature,) = set(scores.values_list("signature", flat=True))
    assert "nrefs:1" in signature
