"""The real loading and scoring code, over tiny models with random weights.

Expected values come from the libraries of the metrics' authors, used as documented.
"""

import os
import shutil
import signal

import numpy as np
import pytest

from metrics.neural.process import NeuralError, watched
from metrics.scorers.neural import BLEURT, COMET, BERTScore, CometKiwi, MetricX, MetricXQE

from .conftest import TEXTS, run

pytestmark = [
    pytest.mark.neural,
    pytest.mark.proof,
    pytest.mark.usefixtures("program", "in_models"),
]

SCORERS = {
    "comet": lambda **options: COMET(model="comet", **options),
    "cometkiwi": lambda **options: CometKiwi(model="kiwi", **options),
    "bertscore": lambda **options: BERTScore(model="bertscore", layer=2, **options),
    "bleurt": lambda **options: BLEURT(model="bleurt", **options),
    "metricx": lambda **options: MetricX(model="metricx", **options),
    "metricx_qe": lambda **options: MetricXQE(model="metricx", **options),
}


def values(scorer, *references: str, **texts) -> np.ndarray:
    texts = {**TEXTS, **texts}
    streams = [texts[name] for name in references or ("first", "second")]
    stats = scorer.statistics(texts["hypotheses"], streams, texts["sources"])
    return scorer.segment_scores(stats)


def close_to(expected) -> object:
    return pytest.approx(np.array(expected), rel=1e-5, abs=1e-5)


class TestAgainstTheLibraries:
    def test_comet_with_one_reference(self, from_libraries):
        first, second = from_libraries["comet"]
        assert values(SCORERS["comet"](), "first") == close_to(first)
        assert values(SCORERS["comet"](batch_size=2), "second") == close_to(second)
        assert np.ptp(first) > 0.1  # the tiny model distinguishes texts

    def test_comet_with_two_references_is_the_mean(self, from_libraries):
        expected = np.mean(from_libraries["comet"], axis=0)
        assert values(SCORERS["comet"]()) == close_to(expected)

    def test_cometkiwi(self, from_libraries):
        expected = from_libraries["cometkiwi"]
        assert values(SCORERS["cometkiwi"]()) == close_to(expected)
        assert np.ptp(expected) > 0.1

    @pytest.mark.parametrize(("place", "value"), [(0, "precision"), (1, "recall"), (2, "f1")])
    def test_bertscore(self, from_libraries, place, value):
        one, both = from_libraries["bertscore"], from_libraries["bertscore of both"]
        scorer = SCORERS["bertscore"](value=value)
        assert values(scorer, "first") == close_to(one[place])
        assert values(scorer) == close_to(both[place])
        idf = SCORERS["bertscore"](value=value, idf=True)
        assert values(idf) == close_to(from_libraries["bertscore idf"][place])
        assert one[place] != both[place] != from_libraries["bertscore idf"][place]

    def test_bleurt(self, from_libraries):
        first, second = from_libraries["bleurt"]
        assert values(SCORERS["bleurt"](batch_size=2), "first") == close_to(first)
        assert values(SCORERS["bleurt"]()) == close_to(np.mean([first, second], axis=0))
        assert np.ptp(first) > 0.1

    def test_metricx(self, from_libraries, models):
        assert values(SCORERS["metricx"](batch_size=2), "first") == close_to(
            from_libraries["metricx"]
        )
        assert values(SCORERS["metricx_qe"]()) == close_to(from_libraries["metricx qe"])
        assert np.ptp(from_libraries["metricx"]) > 0.1
        shutil.copytree(models / "metricx", models / "metricx-23-own", dirs_exist_ok=True)
        of_23 = MetricX(model="metricx-23-own")
        assert values(of_23, "first") == close_to(from_libraries["metricx 23"])


@pytest.fixture(params=SCORERS)
def scorer(request):
    return SCORERS[request.param]


def test_order_and_batch_do_not_matter(scorer):
    there = values(scorer(batch_size=1))
    turned = {name: texts[::-1] for name, texts in TEXTS.items()}
    assert values(scorer(batch_size=4), **turned)[::-1] == close_to(there)


def test_a_missing_reference_is_left_out(scorer):
    one = values(scorer(), "first")
    none = [None] * len(TEXTS["first"])
    assert values(scorer(), second=none) == close_to(one)


def test_long_texts_are_cut_and_empty_ones_scored(scorer):
    long = "the quick fox " * 3400
    texts = {"hypotheses": [long, "", long], "sources": [long, "", "x"], "first": ["b", "", long]}
    assert np.isfinite(values(scorer(), "first", **texts)).all()


def test_progress_is_told_and_reaches_the_end(scorer):
    heard = []
    many = {name: texts * 5 for name, texts in TEXTS.items()}
    with watched(lambda done, total: heard.append((done, total))):
        values(scorer(batch_size=2), "first", **many)
    done = [done for done, total in heard if total == 35]
    assert done == sorted(done) and done[-1] == 35 and len(done) >= 5


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (COMET(model="kiwi"), "kiwi reads no references; use it with the metric CometKiwi"),
        (CometKiwi(model="comet"), "comet needs references; use it with the metric COMET"),
        (COMET(model="bleurt"), "bleurt is not a model of COMET: it has no checkpoints/model.ckpt"),
        (BLEURT(model="bertscore"), "bertscore is not a model of BLEURT"),
        (BLEURT(model="comet"), "comet is not a model of BLEURT"),
        (BERTScore(model="bertscore"), "no best layer of bertscore; choose one with the option"),
        (BERTScore(model="bertscore", layer=9), "refuses this choice: Invalid num_layers"),
        (BERTScore(model="bertscore", layer=2, rescale=True), "publishes no baseline of bertscore"),
        (COMET(model="Nobody/has-it"), "is not on this machine; fetch it with: ./run neural down"),
        (BERTScore(model="broken", layer=1), "The model could not be used"),
    ],
)
def test_models_that_do_not_fit_are_refused_in_words(wrong, words, models, program):
    (models / "broken").mkdir(exist_ok=True)
    values(SCORERS["bleurt"]())
    pid = program.pid
    with pytest.raises(NeuralError) as error:
        values(wrong)
    assert words in str(error.value)
    assert str(models) not in str(error.value)
    assert program.pid == pid  # and it lives on


def test_rescaling_uses_the_published_baseline(models, neural_python):
    """A folder with the name of a published model; at layer 2 its English baseline is read."""
    if not (models / "roberta-large").exists():
        shutil.copytree(models / "bertscore", models / "roberta-large")
    raw, rescaled = (
        values(BERTScore(model="roberta-large", layer=2, rescale=rescale), "first")
        for rescale in (False, True)
    )
    file = next(neural_python.parents[1].glob("lib/*/site-packages/bert_score/rescale_baseline"))
    row = (file / "en" / "roberta-large.tsv").read_text().splitlines()[1 + 2].split(",")
    baseline = float(row[3])
    assert int(row[0]) == 2
    assert rescaled == close_to((raw - baseline) / (1 - baseline))


def test_a_checkpoint_with_code_in_it_is_not_run(models, neural_python, tmp_path):
    """A pickle could do anything; only weights are read."""
    shutil.copytree(models / "comet", models / "evil")
    marker = tmp_path / "was-run"
    run(neural_python, "make_evil.py", models / "evil" / "checkpoints" / "model.ckpt", marker)
    with pytest.raises(NeuralError, match=r"could not be used: UnpicklingError"):
        values(COMET(model="evil"))
    assert not marker.exists()


def test_a_killed_program_is_started_again(program):
    before = values(SCORERS["bleurt"]())
    pid = program.pid
    os.kill(pid, signal.SIGKILL)
    program._process.wait()
    assert values(SCORERS["bleurt"]()) == close_to(before)
    assert program.pid != pid
