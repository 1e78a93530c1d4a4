from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import get_scorer

from .texts import corpora


def value(slug: str, hypothesis: str, reference: str, **options) -> float:
    scorer = get_scorer(slug, tokenize="none", **options)
    return float(scorer.score(scorer.statistics([hypothesis], [[reference]])[0]))


@settings(max_examples=150, deadline=None)
@given(texts=corpora(max_references=1, max_segments=1), beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_shares_of_words_counted_one_by_one(texts, beta):
    [hypothesis], [[reference]] = texts
    ours, theirs = hypothesis.split(), reference.split()
    shared = sum((Counter(ours) & Counter(theirs)).values())
    precision = shared / len(ours) if ours else np.nan
    recall = shared / len(theirs) if theirs else np.nan
    np.testing.assert_allclose(value("precision", hypothesis, reference), 100 * precision)
    np.testing.assert_allclose(value("recall", hypothesis, reference), 100 * recall)
    if shared:  # van Rijsbergen's formula
        f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        assert value("f_measure", hypothesis, reference, beta=beta) == pytest.approx(100 * f)
    if theirs:  # the formula of PER with the surplus words
        error = 1 - (shared - max(0, len(ours) - len(theirs))) / len(theirs)
        assert value("per", hypothesis, reference) == pytest.approx(100 * error)


def test_the_examples_with_known_shares(golden):
    # Koehn 2024, systems A and B.
    keys = {"precision": "precision", "recall": "recall", "f_measure": "f", "per": "per"}
    known = [example for example in golden["bleu"] if "per" in example]
    assert len(known) == 2
    for example in known:
        for slug, key in keys.items():
            score = value(slug, example["hyp"], example["ref"])
            assert score == pytest.approx(100 * example[key], abs=5e-5)


def test_a_corpus_pools_its_words():
    texts = ["a b", "x y z"], [["a c", "x q q q q"]]
    for slug, expected in (("precision", 2 / 5), ("recall", 2 / 7), ("f_measure", 4 / 12)):
        scorer = get_scorer(slug)
        stats = scorer.statistics(*texts)
        assert scorer.score(stats.sum(axis=0)) == pytest.approx(100 * expected)


def test_beta_stands_in_name_and_signature():
    scorer = get_scorer("f_measure", beta=0.5)
    assert scorer.label == "F0.5"
    assert scorer.signature(1) == "nrefs:1|case:mixed|tok:13a|beta:0.5|version:1|impl:mteval"
    with pytest.raises(ValueError, match="beta must be a number of at least 0, not -1"):
        get_scorer("f_measure", beta=-1)
