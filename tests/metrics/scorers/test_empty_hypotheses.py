"""An empty output is scored as the reference implementations score it: sacreBLEU's own classes are
asked here, the figures of the others are their sources' own for a hypothesis without words."""

import numpy as np
import pytest
import sacrebleu
from nltk.translate.meteor_score import meteor_score
from nltk.translate.nist_score import corpus_nist

from metrics.neural import process
from metrics.scorers import get_scorer
from metrics.scorers.tokenizers import TOKENIZERS, unusable

from .oracle import agree, segments_agree

# The second, the fourth and the last output are empty, one of them against an empty reference.
HYPOTHESES = ["The cat sat on the mat .", "", "那只猫坐在垫子上。", "", "猫がマットに座った。", ""]
REFERENCES = [
    [
        "The cat is on the mat .",
        "A dog ran .",
        "猫坐在垫子上。",
        "x",
        "猫はマットの上に座った。",
        "",
    ],
    ["A cat sat there .", "The dog", "猫在垫子上。", "고양이가 앉았다.", "猫が座った。", "y z"],
]
USABLE = [name for name in TOKENIZERS if not unusable(name)]
ALL_EMPTY = [""] * len(HYPOTHESES)


def texts(n_references, hypotheses=HYPOTHESES):
    return hypotheses, REFERENCES[:n_references]


@pytest.mark.parametrize("hypotheses", [HYPOTHESES, ALL_EMPTY], ids=["some", "all"])
@pytest.mark.parametrize("n_references", [1, 2])
@pytest.mark.parametrize("tokenize", USABLE)
def test_bleu_is_sacrebleus(tokenize, n_references, hypotheses):
    given = texts(n_references, hypotheses)
    agree(get_scorer("bleu", tokenize=tokenize), sacrebleu.BLEU(tokenize=tokenize), *given)
    metric = sacrebleu.BLEU(tokenize=tokenize, effective_order=True)
    segments_agree(get_scorer("bleu", tokenize=tokenize), metric, *given)


@pytest.mark.parametrize("hypotheses", [HYPOTHESES, ALL_EMPTY], ids=["some", "all"])
@pytest.mark.parametrize("n_references", [1, 2])
@pytest.mark.parametrize(
    "options", [{}, {"word_order": 2}, {"eps_smoothing": True}, {"lowercase": True}]
)
def test_chrf_is_sacrebleus(options, n_references, hypotheses):
    metric, scorer = sacrebleu.CHRF(**options), get_scorer("chrf", **options)
    agree(scorer, metric, *texts(n_references, hypotheses))
    segments_agree(scorer, metric, *texts(n_references, hypotheses))


@pytest.mark.parametrize("hypotheses", [HYPOTHESES, ALL_EMPTY], ids=["some", "all"])
@pytest.mark.parametrize("n_references", [1, 2])
@pytest.mark.parametrize(
    "options", [{}, {"normalized": True, "asian_support": True}, {"case_sensitive": True}]
)
def test_ter_is_sacrebleus(options, n_references, hypotheses):
    metric, scorer = sacrebleu.TER(**options), get_scorer("ter", **options)
    agree(scorer, metric, *texts(n_references, hypotheses))
    segments_agree(scorer, metric, *texts(n_references, hypotheses))


def test_hter_of_nothing_is_ter_against_the_post_edit():
    """Every word of the post-edit has to be inserted: sacreBLEU's TER against it alone."""
    scorer, metric = get_scorer("hter"), sacrebleu.TER()
    for reference in ("A dog ran .", "x"):
        (score,) = scorer.segment_scores(scorer.statistics([""], [[reference]]))
        assert score == metric.sentence_score("", [reference]).score == 100


def test_nist_of_a_corpus_with_nothing_in_it_is_nltks():
    hypotheses, references = ["the cat", ""], ["the cat sat", "a dog ran"]
    scorer = get_scorer("nist", max_order=2)
    stats = scorer.statistics(hypotheses, [references])
    words = [[reference.split()] for reference in references]
    expected = corpus_nist(words, [hypothesis.split() for hypothesis in hypotheses], n=2)
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(expected, rel=1e-12)
    assert scorer.segment_scores(stats)[1] == 0


def test_meteor_of_nothing_is_nltks():
    scorer = get_scorer("meteor", language="")
    stats = scorer.statistics([""], [["A dog ran ."]])
    assert scorer.segment_scores(stats)[0] == meteor_score([["A", "dog", "ran", "."]], []) == 0


def test_word_error_rates_of_nothing():
    """All words are deletions: 1 − 0 / n and n / n (McCowan et al. 2004; Vidal 1997)."""
    for slug in ("wer", "per"):
        scorer = get_scorer(slug)
        assert scorer.segment_scores(scorer.statistics([""], [["a dog ran"]])).tolist() == [100]


def test_a_neural_metric_is_asked_about_the_empty_text(monkeypatch):
    asked = []

    def scores(request):
        asked.append(request)
        return process.NeuralAnswer([float(len(text)) for text in request["hypotheses"]])

    monkeypatch.setattr("metrics.neural.environment.unavailable", lambda: "")
    monkeypatch.setattr("metrics.neural.folders.local_model", lambda name: None)
    monkeypatch.setattr("metrics.neural.folders.may_download", lambda *args: True)
    monkeypatch.setattr(process, "shared_answer", scores)
    for slug in ("comet", "cometkiwi", "bertscore", "bleurt"):
        scorer = get_scorer(slug)
        stats = scorer.statistics(["ab", ""], [["one", "two"]], ["eins", "zwei"])
        np.testing.assert_array_equal(scorer.segment_scores(stats), [2, 0])
    assert [request["hypotheses"] for request in asked] == [["ab", ""]] * 4
