import numpy as np
import pytest
from hypothesis import given, settings
from nltk.metrics.distance import edit_distance

from metrics.scorers import get_scorer
from metrics.scorers.encoding import Encoded
from metrics.scorers.wer import edit_distances

from .texts import corpora


@settings(max_examples=150, deadline=None)
@given(texts=corpora(max_references=1))
def test_edits_are_those_of_nltk(texts):
    hypotheses, references = texts
    pairs = [(h.split(), r.split()) for h, r in zip(hypotheses, references[0], strict=True)]
    edits = [edit_distance(output, reference) for output, reference in pairs]
    stats = get_scorer("wer", tokenize="none").statistics(hypotheses, references)
    lengths = [len(reference) for _, reference in pairs]
    assert stats.tolist() == [[e, n] for e, n in zip(edits, lengths, strict=True)]
    stats = get_scorer("waft", tokenize="none").statistics(hypotheses, references)
    longer = [max(len(output), len(reference)) for output, reference in pairs]
    assert stats.tolist() == [[e, n] for e, n in zip(edits, longer, strict=True)]


def test_a_corpus_pools_edits_and_words():
    # 1 edit for 1 word and 1 edit for 9 words: 2 of 10, and not the mean of 100 and 11.
    hypotheses, references = ["x", "a b c d e f g h y"], [["a", "a b c d e f g h i"]]
    for slug, expected in (("wer", 20), ("wa", 80), ("waft", 80)):
        scorer = get_scorer(slug)
        stats = scorer.statistics(hypotheses, references)
        assert scorer.score(stats.sum(axis=0)) == pytest.approx(expected)


def test_of_equally_near_references_the_shorter_counts():
    for references in ([["a b c d"], ["a y"]], [["a y"], ["a b c d"]]):
        assert get_scorer("wer").statistics(["a b"], references).tolist() == [[1, 2]]


def test_more_words_than_there_are_characters():
    # Words beyond the last Unicode character are compared as numbers; surrogates do no harm.
    for base in (0xD7FE, 0x10FFFE):
        ours = Encoded(np.array([base, base + 1, base + 2, 0, 7, 0]), np.array([3, 1]))
        theirs = Encoded(np.array([base, base + 2, 0, 0]), np.array([2, 0]))
        assert edit_distances(ours, theirs).tolist() == [1, 1]


def test_the_examples_with_known_rates(golden):
    # Koehn 2024 (A and B), the lecture on the Saudi example, Byrne 2014: tokenized already.
    for example in golden["bleu"]:
        for slug in ("wer", "waft"):
            if slug in example:
                scorer = get_scorer(slug, tokenize="none")
                score = scorer.score(scorer.statistics([example["hyp"]], [[example["ref"]]])[0])
                assert score == pytest.approx(100 * example[slug], abs=5e-5)


@pytest.mark.parametrize("tokenize", ["13a", "none"])
def test_forsboms_segments(golden, tokenize):
    for output, reference, *expected in golden["forsbom"]:
        for slug, value in zip(("waft", "wa"), expected, strict=False):
            scorer = get_scorer(slug, tokenize=tokenize)
            score = scorer.score(scorer.statistics([output], [[reference]])[0])
            assert score == pytest.approx(100 * value, abs=1e-9)
