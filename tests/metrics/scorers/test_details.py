"""The figures behind a score, compared with sacreBLEU's."""

import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import get_scorer

from .texts import corpora


@settings(max_examples=100, deadline=None)
@given(
    texts=corpora(max_segments=3),
    smoothing=st.sampled_from(["none", "floor", "add-k", "exp"]),
    effective=st.booleans(),
)
def test_lengths_penalty_and_precisions_of_bleu_are_sacrebleus(texts, smoothing, effective):
    scorer = get_scorer("bleu", smoothing=smoothing, effective_order=effective)
    expected = sacrebleu.BLEU(smooth_method=smoothing, effective_order=effective).corpus_score(
        *texts
    )
    sums = scorer.statistics(*texts).sum(axis=0)
    ours, theirs, *precisions, penalty, log_penalty, log_precision, log_bleu = [
        value for _, value in scorer.details(sums)
    ]
    assert (ours, theirs) == (expected.sys_len, expected.ref_len)
    assert penalty == pytest.approx(expected.bp, rel=1e-12)
    # If an output is too short for an order, sacreBLEU's 0 is our nan.
    np.testing.assert_allclose(np.nan_to_num(precisions), expected.precisions, rtol=1e-12)
    assert math.exp(log_penalty) == pytest.approx(expected.bp, rel=1e-12)
    assert log_bleu == log_penalty + log_precision
    assert 100 * math.exp(log_bleu) == pytest.approx(expected.score, rel=1e-9, abs=1e-9)


def test_precisions_of_orders_that_nobody_could_match_are_undefined():
    details = dict(get_scorer("bleu").details(np.zeros(10)))
    assert all(math.isnan(details[f"Precision of {n}-grams (%)"]) for n in (1, 2, 3, 4))
    assert details["Log of BLEU / 100"] == -math.inf


def test_labels_of_bleu_name_every_order():
    details = get_scorer("bleu", max_order=2, tokenize="none").details([3, 4, 2, 1, 3, 2])
    # exp(1 - 4/3) = 0.71653, and log(2/3 · 1/2) / 2 = -0.54931.
    assert dict(details) == pytest.approx(
        {
            "Output length in tokens": 3,
            "Reference length in tokens": 4,
            "Precision of 1-grams (%)": 200 / 3,
            "Precision of 2-grams (%)": 50,
            "Brevity penalty": 0.716531,
            "Log of the brevity penalty": -1 / 3,
            "Mean log of the precisions": -0.549306,
            "Log of BLEU / 100": -0.882640,
        },
        abs=1e-6,
    )


def test_precision_and_recall_of_chrf():
    scorer = get_scorer("chrf", char_order=2)
    stats = scorer.statistics(["abcd"], [["abxyz"]])[0]
    # 2 of 4 and of 5 characters, 1 of 3 and of 4 pairs.
    assert dict(scorer.details(stats)) == pytest.approx(
        {
            "Mean precision (%)": 100 * (2 / 4 + 1 / 3) / 2,
            "Mean recall (%)": 100 * (2 / 5 + 1 / 4) / 2,
        }
    )
    assert all(math.isnan(value) for _, value in scorer.details(np.zeros(6)))


def test_edits_and_length_of_ter():
    scorer = get_scorer("ter")
    stats = scorer.statistics(["b c a", "x"], [["a b c", "x y"]]).sum(axis=0)
    assert scorer.details(stats) == [("Edits", 2), ("Reference length in words", 5)]
