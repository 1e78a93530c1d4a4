"""System, document and segment level of stored scores: sacreBLEU's figures at each."""

import numpy as np
import pytest
import sacrebleu

from judgments.models import Output, Reference
from metrics.scores import exports
from metrics.scores.overview import document_scores
from metrics.scores.tables import score_table, segment_matrix
from metrics.scoring import jobs
from metrics.scoring.choices import choose
from tests import factory

# Options of the site, and sacreBLEU's names for them; several options at once.
METRICS = [
    (choose("bleu", {}), sacrebleu.BLEU()),
    (
        choose("bleu", {"tokenize": "intl", "lowercase": True, "smoothing": "floor"}),
        sacrebleu.BLEU(tokenize="intl", lowercase=True, smooth_method="floor"),
    ),
    (choose("chrf", {}), sacrebleu.CHRF()),
    (choose("chrfpp", {"lowercase": True}), sacrebleu.CHRF(word_order=2, lowercase=True)),
    (choose("ter", {}), sacrebleu.TER()),
    (
        choose("ter", {"normalized": True, "no_punct": True}),
        sacrebleu.TER(normalized=True, no_punct=True),
    ),
]


@pytest.fixture
def test_set(db):
    """Three systems, three documents; the second reference is missing for some segments, and so are
    outputs of the last system."""
    made = factory.make_test_set(
        factory.make_user("owner"), n_segments=12, n_systems=3, n_documents=3
    )
    for segment in made.segments.all():
        if segment.position % 3:
            text = f"The source, number {segment.position + 1}, stands here !"
            Reference.objects.create(segment=segment, name="second", text=text)
    Output.objects.filter(system__name="System-C", segment__position__in=[0, 5]).delete()
    return made


def texts_of(test_set, system):
    """Return [(document, output, references)] of everything that can be scored, read from the
    database again."""
    return [
        (
            output.segment.document.name,
            output.text,
            list(output.segment.references.order_by("name").values_list("text", flat=True)),
        )
        for output in system.outputs.select_related("segment__document").order_by(
            "segment__position"
        )
    ]


def corpus_score(metric, rows):
    outputs = [output for _, output, _ in rows]
    most = max(len(texts) for _, _, texts in rows)
    streams = [[(*texts, *[None] * most)[i] for _, _, texts in rows] for i in range(most)]
    return metric.corpus_score(outputs, streams).score


@pytest.mark.parametrize(("choice", "metric"), METRICS, ids=[c.label for c, _ in METRICS])
def test_every_level_is_sacrebleus(test_set, choice, metric):
    jobs.work_on(jobs.create_job(test_set, [choice], ["ref", "second"]).pk)
    (column,) = score_table(test_set, statistics=True).columns
    systems = list(test_set.systems.all())
    documents = document_scores(column, systems, test_set)
    segments = segment_matrix(column, [system.pk for system in systems], 12)
    exact = {"rel": 1e-9, "abs": 1e-9}
    for place, system in enumerate(systems):
        rows = texts_of(test_set, system)
        assert column.scores[system.pk].score == pytest.approx(corpus_score(metric, rows), **exact)
        for name, _, scores in documents:
            own = [row for row in rows if row[0] == name]
            assert scores[place] == pytest.approx(corpus_score(metric, own), **exact)
        found = segments[place][~np.isnan(segments[place])]
        if choice.slug == "bleu":
            metric.effective_order = True  # as required by sacreBLEU for sentences
        wanted = [metric.sentence_score(output, texts).score for _, output, texts in rows]
        if choice.slug == "bleu":
            metric.effective_order = False
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def test_the_files_of_documents_have_the_same_scores(test_set):
    jobs.work_on(jobs.create_job(test_set, [choose("bleu", {})], ["ref"]).pk)
    files: dict[str, str] = {}
    exports.write_metric_scores(test_set, files.__setitem__)
    (lines,) = [text for name, text in files.items() if name.endswith(".doc.score")]
    written = [float(line.split("\t")[1]) for line in lines.splitlines()]
    (column,) = score_table(test_set, statistics=True).columns
    shown = document_scores(column, list(test_set.systems.all()), test_set)
    assert written == [scores[place] for place in range(3) for _, _, scores in shown]


def test_error_rates_leave_with_their_sign_turned(test_set):
    """mt-metrics-eval takes higher as better at every level; sacreBLEU's TER, subtracted from 0."""
    jobs.work_on(jobs.create_job(test_set, [choose("ter", {})], ["ref", "second"]).pk)
    files: dict[str, str] = {}
    exports.write_metric_scores(test_set, files.__setitem__)
    written = {name.split(".")[-2]: text.splitlines() for name, text in files.items()}
    assert written.keys() == {"sys", "doc", "seg"}
    for place, system in enumerate(test_set.systems.all()):
        rows = texts_of(test_set, system)
        exact = {"rel": 1e-9, "abs": 1e-9}
        name, score = written["sys"][place].split("\t")
        assert name == system.name
        assert float(score) == pytest.approx(-corpus_score(sacrebleu.TER(), rows), **exact)
        lines = [line.split("\t") for line in written["seg"]]
        found = [-float(score) for of, score in lines if of == name and score != "None"]
        wanted = [sacrebleu.TER().sentence_score(output, texts).score for _, output, texts in rows]
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    assert all(float(line.split("\t")[1]) <= 0 for line in written["doc"] if "None" not in line)
