"""Texts at the edges, for every metric: nothing, one word, many scripts, marks, a very long line.

Scores of ordinary texts are tested elsewhere; here a metric must return a score at all, without a
warning, and the same whatever the other segments are.
"""

import time
import unicodedata
import warnings

import numpy as np
import pytest

from metrics.scorers import SCORERS

from .examples import ready_scorer

# Output, reference. The words do not matter; two texts of a pair share some words.
TEXTS = {
    "empty output": ("", "the cat sat"),
    "empty reference": ("the cat sat", ""),
    "both empty": ("", ""),
    "white space alone": (" \t\u3000", "the cat sat"),
    "one word": ("cat", "cat"),
    "one other word": ("cat", "dog"),
    "one letter": ("a", "a"),
    "punctuation alone": ("...", "?!"),
    "emoji": ("a 😀 👩‍👩‍👧 day", "a 👩‍👩‍👧 😀 day 🏳️‍🌈"),
    "combining marks": ("n\u0303andu\u0301 café", "ñandú cafe\u0301"),
    "marks without a letter": ("\u0301 \u0301\u0302", "\u0301"),
    "Chinese": ("猫坐在垫子上。", "那只猫坐在垫子上。"),
    "Japanese": ("猫がマットに座った。", "猫はマットの上に座った。"),
    "Korean": ("고양이가 매트에 앉았다.", "고양이는 매트 위에 앉았다."),
    "Thai": ("แมวนั่งบนเสื่อ", "แมวนั่งอยู่บนเสื่อ"),
    "Arabic": ("جلست القطة على الحصيرة", "القطة جلست على السجادة."),
    "Hebrew with marks of direction": ("\u202bהחתול ישב\u202c", "החתול ישב על \u200fהמחצלת"),
    "Devanagari": ("बिल्ली चटाई पर बैठी", "बिल्ली चटाई पर बैठ गई।"),
    "mathematical letters": ("𝒜 ⊂ 𝔹", "𝒜 ⊆ 𝔹"),
    "half a pair of surrogates' neighbors": ("\ud7ff\ue000", "\ue000"),
}
METRICS = [
    slug
    for slug, scorer in SCORERS.items()
    if scorer.family not in ("Neural", "Word alignment", "From elsewhere")
]
# Undefined, as stated on their pages: a ratio to a length of 0, and the share or the likelihood of
# words without any.
MAY_BE_UNDEFINED = {"precision", "recall", "f_measure", "length_ratio", "ngram_lm"}


# These look for the words of the reference in the output.
COMPARING = [
    slug
    for slug in METRICS
    if SCORERS[slug].needs_references and SCORERS[slug].family != "Sentinels"
]
WITH_REFERENCE = [name for name, (_, reference) in TEXTS.items() if reference.strip()]


@pytest.fixture(scope="module")
def made():
    """Scorers with caches of processed texts, like a worker's."""
    scorers: dict = {}

    def make(slug):
        if reason := SCORERS[slug].unavailable():
            pytest.skip(reason)
        if slug not in scorers:
            scorers[slug] = ready_scorer(slug)
        return scorers[slug]

    return make


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def scores_of(scorer, pairs):
    outputs, references = [list(texts) for texts in zip(*pairs, strict=True)]
    stats = scorer.statistics(outputs, [references], ["eine Quelle"] * len(outputs))
    assert np.isfinite(stats).all()
    return stats, scorer.segment_scores(stats)


@pytest.mark.parametrize("slug", METRICS)
def test_every_text_has_a_score_in_range_alone_and_among_others(made, slug):
    scorer = made(slug)
    together, scores = scores_of(scorer, TEXTS.values())
    low, high = scorer.score_range
    for (name, pair), row, score in zip(TEXTS.items(), together, scores, strict=True):
        if np.isnan(score):
            assert scorer.slug in MAY_BE_UNDEFINED, name
            assert not pair[0].strip() or not pair[1].strip(), name
        else:
            assert low - 1e-9 <= score <= high + 1e-9, name
        if scorer.slug != "nist":  # whose information counts all references of the test set
            np.testing.assert_array_equal(scores_of(scorer, [pair])[0][0], row, err_msg=name)
    assert np.isfinite(scorer.score(together.sum(axis=0)))


@pytest.mark.parametrize("name", WITH_REFERENCE)
@pytest.mark.parametrize("slug", COMPARING)
def test_a_text_is_as_good_as_itself_and_no_other_is_better(made, slug, name):
    scorer = made(slug)
    output, reference = TEXTS[name]
    _, (own, other) = scores_of(scorer, [(reference, reference), (output, reference)])
    sign = 1 if scorer.higher_is_better else -1
    if not np.isnan(other):
        assert sign * other <= sign * own + 1e-9
    best = scorer.score_range[1 if scorer.higher_is_better else 0]
    if np.isfinite(best) and scorer.slug != "meteor":  # whose penalty for one chunk remains
        assert own == pytest.approx(best)


@pytest.mark.parametrize("slug", COMPARING)
def test_a_mark_joined_to_its_letter_is_another_character_as_sacrebleu_has_it(made, slug):
    """No metric normalizes Unicode: outputs and references must agree in it."""
    scorer = made(slug)
    composed = "né élevé"
    _, (alike, apart) = scores_of(
        scorer, [(composed, composed), (unicodedata.normalize("NFD", composed), composed)]
    )
    assert alike != apart


@pytest.mark.parametrize("slug", METRICS)
def test_ten_thousand_words_take_seconds(made, slug):
    scorer = made(slug)
    reference = [f"w{n}" for n in range(10_000)]
    output = ["x" if n % 1000 == 7 else word for n, word in enumerate(reference)]
    begun = time.process_time()
    stats, scores = scores_of(scorer, [(" ".join(output), " ".join(reference)), ("a", "a")])
    assert np.isfinite(scores).all() and np.isfinite(stats).all()
    assert time.process_time() - begun < 20
