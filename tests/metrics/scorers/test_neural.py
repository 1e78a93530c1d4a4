"""Requests of the neural metrics, and the use of the answers, which come from a fake here. Real
models are in tests/metrics/neural."""

import numpy as np
import pytest

from metrics.neural import process
from metrics.scorers.neural import BLEURT, COMET, BERTScore, CometKiwi, MetricX, MetricXQE

HYPOTHESES = ["one", "two", "three"]
REFERENCES = [["1", None, "333"], ["1111", "22", None]]
SOURCES = ["eins", "zwei", "drei"]
METRICS = [COMET, CometKiwi, BERTScore, BLEURT, MetricX, MetricXQE]


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """The requests; each text pair scores the length of its reference, or else of its output."""
    requests = []

    def scores(request):
        requests.append(request)
        found = [float(len(t)) for t in request["references"] or request["hypotheses"]]
        return process.NeuralAnswer(found)

    monkeypatch.setattr(process, "shared_answer", scores)
    monkeypatch.setattr("metrics.neural.environment.unavailable", lambda: "")
    monkeypatch.setenv("MTEVAL_MODELS", str(tmp_path))
    monkeypatch.delenv("MTEVAL_MODEL_DOWNLOADS", raising=False)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    return requests


def values(scorer):
    return scorer.segment_scores(scorer.statistics(HYPOTHESES, REFERENCES, SOURCES)).tolist()


def test_every_reference_that_is_there_is_asked_for(asked):
    values(COMET(batch_size=3))
    (request,) = asked
    assert request["hypotheses"] == ["one", "three", "one", "two"]
    assert request["sources"] == ["eins", "drei", "eins", "zwei"]
    assert request["references"] == ["1", "333", "1111", "22"]
    assert request["model"] == "Unbabel/wmt22-comet-da" and request["download"]
    assert request["batch_size"] == 3


def test_comet_and_bleurt_take_the_mean_and_bertscore_the_best(asked):
    assert values(COMET()) == [2.5, 2.0, 3.0]
    assert values(BLEURT()) == [2.5, 2.0, 3.0]
    assert values(BERTScore()) == [4.0, 2.0, 3.0]


def test_only_what_a_metric_reads_is_sent(asked):
    assert values(CometKiwi()) == [3.0, 3.0, 5.0]
    assert asked[-1]["references"] == [] and asked[-1]["sources"] == SOURCES
    values(BERTScore())
    assert asked[-1]["sources"] == [] and len(asked[-1]["references"]) == 4


def test_the_score_of_a_system_is_the_mean_of_its_segments(asked):
    scorer = COMET()
    stats = scorer.statistics(HYPOTHESES, REFERENCES, SOURCES)
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(2.5)


def test_an_undefined_score_stays_undefined(asked, monkeypatch):
    undefined = process.NeuralAnswer([np.nan, 1.0, 1.0, 1.0])
    monkeypatch.setattr(process, "shared_answer", lambda request: undefined)
    assert values(COMET()) == pytest.approx([np.nan, 1.0, 1.0], nan_ok=True)
    assert values(BERTScore()) == pytest.approx([np.nan, 1.0, 1.0], nan_ok=True)


def test_bertscore_chooses_its_model_by_language(asked):
    assert BERTScore().model_name == "roberta-large"
    assert BERTScore(language="zh-Hant").model_name == "bert-base-chinese"
    assert BERTScore(language="cs").model_name == "bert-base-multilingual-cased"
    assert BERTScore(language="en", model="mine/x").label == "BERTScore (x)"
    values(BERTScore(language="EN-gb", rescale=True, layer=4, idf=True, value="recall"))
    assert asked[-1]["options"] == {
        "language": "en", "rescale": True, "layer": 4, "idf": True, "value": "recall"
    }  # fmt: skip


def test_a_folder_is_named_in_the_signature_with_its_digest(asked, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "weights").write_bytes(b"1")
    scorer = COMET(model="mine")
    first = scorer.signature(1)
    assert "|model:mine@" in first and str(tmp_path) not in first
    assert COMET(model=str(tmp_path / "mine")).signature(1) == first
    values(scorer)
    assert asked[-1]["model"] == str(tmp_path / "mine") and not asked[-1]["download"]
    (tmp_path / "mine" / "weights").write_bytes(b"22")
    assert scorer.signature(1) != first


def test_signature_says_what_changes_the_figures():
    assert COMET(batch_size=2).signature(2) == COMET(batch_size=9).signature(2)
    assert COMET().signature(2).startswith("nrefs:2|refs:mean|model:Unbabel/wmt22-comet-da|lib:un")
    options = [{}, {"idf": True}, {"layer": 3}, {"rescale": True}, {"value": "recall"}]
    options += [{"rescale": True, "language": "de"}, {"model": "x"}]
    assert len({BERTScore(**each).signature(1) for each in options}) == len(options)


@pytest.mark.parametrize("metric", METRICS)
def test_hostile_models_are_refused(metric, asked):
    for model in ("a|b", "x" * 301):
        with pytest.raises(ValueError, match="model must be"):
            metric(model=model)
    for model in ("../secret", "/etc", "a/b/c", "-x", "a b", "name;rm -rf", "a\nb", "owner/.."):
        with pytest.raises(ValueError, match="is not a model"):
            values(metric(model=model))
    assert not asked


@pytest.mark.parametrize("metric", METRICS)
def test_options_are_checked(metric):
    for size in (0, -1, 2000, True, "8"):
        with pytest.raises(ValueError, match="batch_size must be"):
            metric(batch_size=size)
    with pytest.raises(ValueError, match="value must be"):
        BERTScore(value="f2")
    with pytest.raises(ValueError, match="layer must be"):
        BERTScore(layer=-1)
    with pytest.raises(ValueError, match="language must be"):
        BERTScore(language="../../etc")


def test_sources_are_needed_where_the_model_reads_them(asked):
    for metric in (COMET, CometKiwi):
        with pytest.raises(ValueError, match="needs the source texts"):
            metric().statistics(HYPOTHESES, REFERENCES)
