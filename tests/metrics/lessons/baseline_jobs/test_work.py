"""Jobs that add a baseline system."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from judgments.models import JobStatus, NotWanted, Output, Reference, System, SystemFacts
from metrics.lessons.baseline_jobs import work
from metrics.lessons.baseline_jobs.tasks import run_baseline
from metrics.lessons.bitext_files import read_bitext
from metrics.models import BaselineJob, Bitext
from tests import factory


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


@pytest.fixture
def job(test_set):
    return work.create_job(test_set, "phrase-based", "Weak", test_set.owner)


def test_a_job_adds_a_system_with_an_output_for_every_segment(test_set, job):
    assert job.total == test_set.segments.count()
    assert run_baseline.func(job.pk)
    job.refresh_from_db()
    assert (job.status, job.done, job.message) == (JobStatus.DONE, job.total, "")
    system = System.objects.get(test_set=test_set, name="Weak")
    assert job.system == system
    texts = list(system.outputs.values_list("text", flat=True))
    assert len(texts) == job.total
    assert all(texts)
    facts = SystemFacts.objects.get(system=system)
    assert (facts.kind, facts.is_human, facts.is_control) == ("statistical", False, True)
    assert [dict(part)["pairs"] for part in job.made["parts"]] == [2, 2]
    assert not work.work_on(job.pk)  # a second time there is nothing to do


def test_the_same_test_set_gives_the_same_outputs(test_set, job):
    work.work_on(job.pk)
    again = work.create_job(test_set, "phrase-based", "Again", test_set.owner)
    work.work_on(again.pk)
    first, second = (
        list(Output.objects.filter(system__name=name).order_by("segment").values_list("text"))
        for name in ("Weak", "Again")
    )
    assert first == second


def test_one_job_at_a_time_and_a_name_once(test_set, job):
    with pytest.raises(work.BaselineRefused, match="already being made"):
        work.create_job(test_set, "phrase-based", "Other", test_set.owner)
    work.cancel(job)
    taken = test_set.systems.first().name
    with pytest.raises(work.BaselineRefused, match="with this name"):
        work.create_job(test_set, "phrase-based", taken, test_set.owner)
    test_set.segments.all().delete()
    with pytest.raises(work.BaselineRefused, match="no segments"):
        work.create_job(test_set, "phrase-based", "Other", test_set.owner)


def test_a_cancelled_job_adds_nothing(test_set, job, monkeypatch):
    before = System.objects.count()
    add_system = work.add_system

    def too_late(job, *arguments):
        work.cancel(job)
        return add_system(job, *arguments)

    monkeypatch.setattr(work, "add_system", too_late)
    assert not work.work_on(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.CANCELLED
    assert System.objects.count() == before
    assert not work.cancel(job)


def test_a_name_that_was_taken_meanwhile_fails_the_job(test_set, job):
    System.objects.create(test_set=test_set, name="Weak")
    assert not work.work_on(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    assert "with this name" in job.message
    assert not Output.objects.filter(system__name="Weak").exists()


def test_what_goes_wrong_is_said(job, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("no memory left")

    monkeypatch.setattr(work, "translated", broken)
    assert not work.work_on(job.pk)
    job.refresh_from_db()
    assert (job.status, job.message) == (JobStatus.FAILED, "no memory left")


def test_a_test_set_that_is_gone_takes_its_job_with_it(test_set, job):
    test_set.delete()
    assert not run_baseline.func(job.pk)
    assert not BaselineJob.objects.exists()


def test_progress_is_written_and_a_job_that_nobody_waits_for_is_given_up(job, monkeypatch):
    BaselineJob.objects.filter(pk=job.pk).update(status=JobStatus.RUNNING)
    monkeypatch.setattr(work, "SAID_EVERY", 0)
    progress = work.BaselineProgress(job.pk)
    progress.of(1, 2)("tuning")
    progress.translated(3)
    job.refresh_from_db()
    assert (job.step, job.done, job.percent) == ("1/2: tuning", 3, 75)
    work.cancel(job)
    with pytest.raises(NotWanted):
        progress.translated(4)


def bitext_of(test_set, lines):
    found = Bitext(name="Mine", source_language="de-AT", target_language="en", owner=test_set.owner)
    text = "".join(f"{source}\t{target}\n" for source, target in lines)
    read_bitext(found, SimpleUploadedFile("x.tsv", text.encode()), None)
    found.save()
    return found


def test_a_bitext_is_learned_from_without_what_is_translated(test_set):
    Reference.objects.all().delete()
    source = test_set.segments.first().source
    lines = [(source, "Never."), ("Quelltext steht hier .", "Text of a bitext is here .")]
    bitext = bitext_of(test_set, lines)
    job = work.create_job(test_set, "phrase-based", "Weak", test_set.owner, bitext)
    assert work.work_on(job.pk)
    job.refresh_from_db()
    [part] = map(dict, job.made["parts"])
    assert (part["pairs"], part["left out as they are translated"]) == (1, 1)
    texts = list(job.system.outputs.values_list("text", flat=True))
    assert len(texts) == test_set.segments.count()
    assert not any("Never" in text for text in texts)


def test_a_bitext_that_is_gone_is_not_replaced_by_the_documents(test_set):
    bitext = bitext_of(test_set, [("Ein Text .", "A text .")])
    job = work.create_job(test_set, "phrase-based", "Weak", test_set.owner, bitext)
    bitext.delete()
    assert not work.work_on(job.pk)
    job.refresh_from_db()
    assert (job.status, job.message) == (JobStatus.FAILED, "The bitext was deleted.")


def test_a_bitext_of_nothing_but_what_is_translated_teaches_nothing(test_set):
    bitext = bitext_of(test_set, [(test_set.segments.first().source, "Never.")])
    job = work.create_job(test_set, "hierarchical", "Weak", test_set.owner, bitext)
    assert not work.work_on(job.pk)
    job.refresh_from_db()
    assert job.message == "There is no text to learn from."
