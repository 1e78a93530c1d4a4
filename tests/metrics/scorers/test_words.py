"""Common properties of the metrics that compare words."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import get_scorer

from .texts import corpora

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "metrics"
ONE_REFERENCE = ["wer", "per", "wa", "waft", "precision", "recall", "f_measure"]
SLUGS = [*ONE_REFERENCE, "neva", "hter"]

# By hand. Output, reference, and scores in the order of SLUGS; nan where undefined.
NAN = np.nan
EDGES = {
    "empty output": ("", "a b", [100, 100, 0, 0, NAN, 0, 0, 0, 100]),
    "empty reference": ("a b", "", [100, 100, 0, 0, 0, NAN, 0, 0, 100]),
    "both empty": ("", "", [0, 0, 100, 100, NAN, NAN, NAN, 0, 0]),
    "one right word": ("a", "a", [0, 0, 100, 100, 100, 100, 100, 100, 0]),
    "one wrong word": ("a", "b", [100, 100, 0, 0, 0, 0, 0, 0, 100]),
    "one word too many": ("a b", "a", [100, 100, 0, 50, 50, 100, 200 / 3, 25, 100]),
    "emoji": ("👩‍👩‍👧 🙂", "👩‍👩‍👧 🙁", [50, 50, 50, 50, 50, 50, 50, 25, 50]),
    "combining marks": ("cafe\u0301 x", "café x", [50, 50, 50, 50, 50, 50, 50, 25, 50]),
    "right to left": ("שלום עולם", "עולם שלום", [100, 0, 0, 0, 100, 100, 100, 50, 50]),
}


@pytest.mark.parametrize("case", EDGES)
def test_texts_that_are_short_or_strange(case):
    output, reference, expected = EDGES[case]
    for slug, score in zip(SLUGS, expected, strict=True):
        scorer = get_scorer(slug)
        stats = scorer.statistics([output], [[reference]])
        assert np.isfinite(stats).all()
        np.testing.assert_allclose(scorer.segment_scores(stats), [score], err_msg=slug)


@pytest.mark.parametrize("slug", ONE_REFERENCE)
def test_chinese_needs_a_tokenizer(slug):
    # One character of six differs; split at white space, the texts are two different words.
    texts = ["我们住在北京"], [["我们住在南京"]]
    same = 100 if get_scorer(slug).higher_is_better else 0
    for tokenize, right in (("zh", 5 / 6), ("char", 5 / 6), ("13a", 0)):
        scorer = get_scorer(slug, tokenize=tokenize)
        expected = 100 * right if same else 100 - 100 * right
        assert scorer.score(scorer.statistics(*texts)[0]) == pytest.approx(expected)


@pytest.mark.parametrize("slug", ONE_REFERENCE)
def test_a_line_of_ten_thousand_words(slug):
    # Words that occur once, ten of them replaced by words that occur nowhere.
    reference = [f"w{n}" for n in range(10_000)]
    output = ["x" if n % 1000 == 7 else word for n, word in enumerate(reference)]
    scorer = get_scorer(slug)
    stats = scorer.statistics([" ".join(output)], [[" ".join(reference)]])
    expected = 99.9 if scorer.higher_is_better else 0.1
    assert scorer.score(stats[0]) == pytest.approx(expected)


def test_neva_of_a_line_of_ten_thousand_words():
    # An n-gram is lost at each of the n positions of each of the ten wrong words.
    reference = [f"w{n}" for n in range(10_000)]
    output = ["x" if n % 1000 == 7 else word for n, word in enumerate(reference)]
    scorer = get_scorer("neva")
    stats = scorer.statistics([" ".join(output)], [[" ".join(reference)]])
    expected = np.mean([1 - 10 * n / (10_001 - n) for n in range(1, 5)])
    assert scorer.score(stats[0]) == pytest.approx(100 * expected)


@settings(max_examples=100, deadline=None)
@given(texts=corpora(), slug=st.sampled_from([*ONE_REFERENCE, "hter"]))
def test_a_segment_takes_the_reference_that_is_best_for_it(texts, slug):
    hypotheses, references = texts
    scorer = get_scorer(slug)
    scores = scorer.segment_scores(scorer.statistics(hypotheses, references))
    for segment, hypothesis in enumerate(hypotheses):
        alone = [
            scorer.segment_scores(scorer.statistics([hypothesis], [[stream[segment]]]))[0]
            for stream in references
            if stream[segment] is not None
        ]
        defined = [score for score in alone if not np.isnan(score)] or [np.nan]
        best = max(defined) if scorer.higher_is_better else min(defined)
        np.testing.assert_equal(scores[segment], best)


@settings(max_examples=100, deadline=None)
@given(texts=corpora(), slug=st.sampled_from(SLUGS))
def test_the_order_of_the_references_does_not_matter(texts, slug):
    hypotheses, references = texts
    scorer = get_scorer(slug)
    stats = scorer.statistics(hypotheses, references)
    np.testing.assert_array_equal(stats, scorer.statistics(hypotheses, references[::-1]))


@pytest.mark.parametrize("slug", [*ONE_REFERENCE, "neva"])
def test_capitals_matter_unless_disregarded(slug):
    texts = ["The Cat"], [["the cat"]]
    scorer, lowercase = get_scorer(slug), get_scorer(slug, lowercase=True)
    assert lowercase.score(lowercase.statistics(*texts)[0]) == (
        100 if scorer.higher_is_better else 0
    )
    assert scorer.score(scorer.statistics(*texts)[0]) == (0 if scorer.higher_is_better else 100)
    assert "case:mixed" in scorer.signature(1) and "case:lc" in lowercase.signature(1)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_example_of_the_guide(slug):
    text = " ".join((GUIDE / f"{slug}.md").read_text(encoding="utf-8").split())
    _, _, example = text.partition("## Example")
    output, reference = re.findall(r"(?:Output|reference|post-edit): \*([^*]+)\*", example)
    scorer = get_scorer(slug)
    score = scorer.score(scorer.statistics([output], [[reference]])[0])
    assert re.findall(r"\*\*([\d.]+)\*\*", example) == [f"{score:.2f}"]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_figures_behind_a_score(slug):
    scorer = get_scorer(slug)
    stats = scorer.statistics(["on the mat the cat sat"], [["the cat sat on the mat today"]])
    details = scorer.details(stats[0])
    assert [value for _, value in details][: stats.shape[1]][:2] == stats[0, :2].tolist()
    assert all(label and isinstance(value, float) for label, value in details)
