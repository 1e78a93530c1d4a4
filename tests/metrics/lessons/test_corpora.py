"""Texts for language models: read, found, and used by a scoring job."""

import gzip
from hashlib import sha256

import pytest
from django.core.management import CommandError, call_command

from judgments.files import ImportProblem
from judgments.models import JobStatus, Output
from metrics.models import MetricScore, MonolingualCorpus
from metrics.scorers import get_scorer
from metrics.scoring import corpora, jobs
from metrics.scoring.choices import MetricChoice, parse_metric
from tests import factory

LINES = ["Source text number 1 stands here .", "", "It is late here .", "Zurück, e\u0301 我们 \r x"]


@pytest.fixture
def owner(db):
    return factory.make_user("owner", is_staff=True)


def written(tmp_path, lines, name="news.txt"):
    path = tmp_path / name
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def make(owner, path, name="News"):
    corpus = MonolingualCorpus(owner=owner, name=name, language="en")
    corpora.read_corpus(corpus, path)
    corpus.save()
    return MonolingualCorpus.objects.get(pk=corpus.pk)


@pytest.mark.parametrize("name", ["news.txt", "news.txt.gz"])
def test_a_corpus_comes_back_line_by_line(owner, tmp_path, name):
    corpus = make(owner, written(tmp_path, LINES, name))
    assert list(corpora.lines_of(corpus)) == LINES
    assert corpus.n_lines == 3
    text = "".join(f"{line}\n" for line in LINES)
    assert corpus.digest == sha256(text.encode()).hexdigest()
    scorer = get_scorer("ngram_lm")
    scorer.train(corpora.lines_of(corpus))
    assert f"corpus:{corpus.digest[:16]}|" in scorer.signature(0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"good\nbad \xff\n", "news.txt, row 2: byte 5 of the line"),
        (b"\n  \n", "news.txt: the file contains no text"),
        (b"", "news.txt: the file contains no text"),
        (b"a\0b\n", "row 1: the line contains a NUL"),
    ],
)
def test_what_is_no_text_is_refused(owner, tmp_path, data, message):
    path = tmp_path / "news.txt"
    path.write_bytes(data)
    with pytest.raises(ImportProblem, match=message):
        make(owner, path)
    assert not MonolingualCorpus.objects.exists()


def test_a_corpus_too_large_to_train_on_is_refused(owner, tmp_path, monkeypatch):
    monkeypatch.setattr(corpora, "MAX_CORPUS_BYTES", 1024**2)
    path = written(tmp_path, ["x" * 1023] * 1025, "large.txt.gz")
    with pytest.raises(ImportProblem, match=r"row 1,025: a corpus may have 1 MB \(unpacked\)"):
        make(owner, path)


def test_the_first_owner_who_has_the_name_counts(owner, tmp_path):
    other = factory.make_user("other")
    theirs = make(other, written(tmp_path, ["theirs"]))
    assert corpora.find_corpus("News", [owner, other]) == theirs
    ours = make(owner, written(tmp_path, ["ours"]))
    assert corpora.find_corpus("News", [owner, other]) == ours
    assert corpora.find_corpus("News", [None]) is None
    assert list(corpora.corpora_for(other)) == [theirs]


def score(test_set, user=None, choice="ngram_lm:corpus=News,order=2"):
    job = jobs.create_job(test_set, [parse_metric(choice)], [], user)
    jobs.work_on(job.pk)
    job.refresh_from_db()
    return job


def test_a_job_trains_on_the_corpus_and_stores_the_scores(owner, tmp_path):
    test_set = factory.make_test_set(owner)
    make(owner, written(tmp_path, LINES))
    assert score(test_set).status == JobStatus.DONE  # nobody requested it: the owner's corpus
    scorer = get_scorer("ngram_lm", order=2)
    scorer.train(LINES)
    for stored in MetricScore.objects.filter(test_set=test_set):
        outputs = Output.objects.filter(system=stored.system).order_by("segment__position")
        stats = scorer.statistics([output.text for output in outputs])
        assert stored.score == scorer.score(stats.sum(axis=0))
        assert stored.references == []
    assert MetricScore.objects.count() == 3


def test_a_job_trains_once(owner, tmp_path, monkeypatch):
    test_set = factory.make_test_set(owner)
    make(owner, written(tmp_path, LINES))
    log, read = tmp_path / "log", corpora.unpacked

    def noted(data):  # in the computing process
        with log.open("a") as file:
            file.write("read\n")
        return read(data)

    monkeypatch.setattr(corpora, "unpacked", noted)
    score(test_set)
    assert log.read_text() == "read\n"


def test_a_corpus_that_changed_gives_new_scores(owner, tmp_path):
    test_set = factory.make_test_set(owner)
    corpus = make(owner, written(tmp_path, LINES))
    score(test_set)
    before = set(MetricScore.objects.values_list("signature", flat=True))
    corpus.delete()
    make(owner, written(tmp_path, LINES[:1]))
    score(test_set)
    after = set(MetricScore.objects.values_list("signature", flat=True))
    assert len(before) == len(after) == 1 and before != after
    assert MetricScore.objects.count() == 3


def test_somebody_elses_corpus_is_not_used(owner, tmp_path):
    test_set = factory.make_test_set(owner)
    make(factory.make_user("other"), written(tmp_path, LINES))
    job = score(test_set)
    assert job.status == JobStatus.FAILED
    assert "There is no corpus named “News”; upload it, or choose another." in job.message
    job = score(test_set, choice="ngram_lm")
    assert "learns from a text: choose a corpus" in job.message
    assert MetricChoice("ngram_lm").label == "N-gram language model"


def test_the_command(owner, tmp_path, capsys):
    path = written(tmp_path, LINES, "news.txt.gz")
    call_command("import_corpus", path, "News", "en", owner="owner")
    assert "Corpus “News”: 3 lines of text." in capsys.readouterr().out
    assert MonolingualCorpus.objects.get().owner == owner
    for arguments, message in [
        ((path, "News", "en"), "Nothing was imported. .*already exists"),
        ((path, "A, b", "en"), "cannot contain a comma"),
        ((path, "Other", "english language"), "language: Use a language tag"),
        ((tmp_path / "none.txt", "Other", "en"), "none.txt: cannot be opened"),
    ]:
        with pytest.raises(CommandError, match=message):
            call_command("import_corpus", *arguments, owner="owner")
    with pytest.raises(CommandError, match="no account “nobody”"):
        call_command("import_corpus", path, "Other", "en", owner="nobody")
    assert MonolingualCorpus.objects.count() == 1
