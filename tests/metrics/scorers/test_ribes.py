"""RIBES against NLTK's, against its definition, and by hand.

NLTK tries the run that begins with a word before the one that ends with it; the authors' program,
like ours, in the opposite order. Reversing both texts exchanges the two and keeps all pairs.
"""

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.ribes_score import corpus_ribes, sentence_ribes, word_rank_alignment

from metrics.scorers import get_scorer
from metrics.scorers.ribes import places_in

from .test_nist import tokens_of
from .test_real_texts import texts_of

# The example of Isozaki et al. 2010, section 2, and two more outputs for its reference.
REFERENCE = "he was caught in the rain because he is a genius"


def ribes(output: str, *references: str | None, **options) -> float:
    scorer = get_scorer("ribes", tokenize="none", **options)
    return float(scorer.score(scorer.statistics([output], [[text] for text in references])[0]))


def sought(ours: list[str], theirs: list[str]) -> list[int]:
    """Return `places_in`, run after run, as in the program's documentation."""

    def starts(run: list[str], text: list[str]) -> list[int]:
        return [i for i in range(len(text)) if text[i : i + len(run)] == run]

    found = []
    for at, word in enumerate(ours):
        runs = [(at, at + 1)]
        for window in range(1, len(ours)):
            runs += [(at - window, at + 1), (at, at + window + 1)]
        for start, stop in runs:
            if start < 0 or stop > len(ours) or word not in theirs:
                continue
            run = ours[start:stop]
            if len(starts(run, theirs)) == len(starts(run, ours)) == 1:
                found.append(starts(run, theirs)[0] + at - start)
                break
    return found


few_words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12)


@settings(max_examples=300, deadline=None)
@given(output=few_words, reference=few_words)
def test_places_are_those_of_the_definition(output, reference):
    assert places_in(output, reference) == sought(output, reference)


@settings(max_examples=200, deadline=None)
@given(
    output=st.lists(st.integers(0, 30).map(str), min_size=1, max_size=20, unique=True),
    reference=st.lists(st.integers(0, 30).map(str), min_size=2, max_size=20, unique=True),
)
def test_words_that_occur_once_are_scored_as_nltk_does(output, reference):
    expected = 100 * sentence_ribes([reference], output)
    assert ribes(" ".join(output), " ".join(reference)) == pytest.approx(expected)


def test_exchanged_clauses_as_in_the_paper_and_as_in_the_program():
    """Isozaki et al. 2010 exchange "A because B" for "B because A", and print these positions for
    it. The authors' program 1.03 checks the previous word first, which is "because" now, so that it
    gives the second "he" the position of the first one: 7 twice. (Seen by running its loop.)"""
    output = "he is a genius because he was caught in the rain"
    printed = [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]
    by_program = [7, 8, 9, 10, 6, 7, 1, 2, 3, 4, 5]
    texts = output.split(), REFERENCE.split()
    assert places_in(*texts, "paper") == printed
    assert places_in(*texts, "program") == places_in(*texts) == by_program
    assert sorted(word_rank_alignment(texts[1], texts[0])) == sorted(printed)
    n_in_order = 6 + 1 + 10  # in "he is a genius", "because he", "was caught in the rain"
    assert ribes(output, REFERENCE) == pytest.approx(100 * n_in_order / 55)
    n_in_order = 6 + 0 + 15  # "because" is 6, after which "he was caught in the rain" begins with 0
    assert ribes(output, REFERENCE, context="paper") == pytest.approx(100 * n_in_order / 55)


@settings(max_examples=300, deadline=None)
@given(output=few_words, reference=few_words)
def test_places_of_the_paper_are_those_of_its_figure_2(output, reference):
    def starts(run: list[str], text: list[str]) -> list[int]:
        return [i for i in range(len(text)) if text[i : i + len(run)] == run]

    expected = []
    for at in range(len(output)):
        for start, stop in ((at, at + 1), (at, at + 2), (at - 1, at + 1)):
            run = output[start:stop] if start >= 0 and stop <= len(output) else []
            if run and len(starts(run, output)) == len(starts(run, reference)) == 1:
                expected.append(starts(run, reference)[0] + at - start)
                break
    assert places_in(output, reference, "paper") == expected


def test_precision_and_brevity_by_hand():
    # All 4 words in order, one of 5 unknown, 5 words against 11.
    output = "he was caught in it"
    assert ribes(output, REFERENCE) == pytest.approx(100 * 0.8**0.25 * exp(1 - 11 / 5) ** 0.1)
    assert ribes(output, REFERENCE, alpha=1.0, beta=0.0) == pytest.approx(80)


def test_one_word_and_none():
    assert ribes("yes", "yes") == 100 and ribes("yes it", "yes") == pytest.approx(100 * 0.5**0.25)
    assert ribes("yes", "yes it is") == 0  # one position has no order
    assert ribes("", "a b") == ribes("a b", "") == ribes("", "") == 0


def test_the_best_reference_counts_and_the_corpus_is_a_mean():
    scorer = get_scorer("ribes")
    stats = scorer.statistics(["a b c", "c b a"], [["c b a", "a b c"], ["a b c", None]])
    np.testing.assert_allclose(scorer.segment_scores(stats), [100, 0])
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(50)


def test_options_are_checked_and_signed():
    assert "alpha:0.5|beta:0.1" in get_scorer("ribes", alpha=0.5).signature(1)
    assert get_scorer("ribes", context="paper").signature(1) != get_scorer("ribes").signature(1)
    with pytest.raises(ValueError, match="program or paper"):
        get_scorer("ribes", context="nltk")
    with pytest.raises(ValueError, match="beta must be a number of at least 0, not -1"):
        get_scorer("ribes", beta=-1)


@pytest.mark.proof
def test_outputs_of_real_systems_are_scored_as_nltk_does():
    reference, outputs = texts_of("06_ranking_wmt13_fr-en", "")
    scorer = get_scorer("ribes")
    for number, stream in enumerate(outputs.values()):
        texts = zip(reference[number::13], stream[number::13], strict=True)
        # NLTK's score of which is 0.
        pairs = [(text, output) for text, output in texts if len(tokens_of([text])[0]) > 1]
        theirs, ours = zip(*pairs, strict=True)
        expected = corpus_ribes(
            [[words[::-1]] for words in tokens_of(theirs)],
            [words[::-1] for words in tokens_of(ours)],
        )
        found = scorer.score(scorer.statistics(ours, [theirs]).sum(axis=0))
        assert found == pytest.approx(100 * expected, rel=1e-9)
