"""GLEU against NLTK's, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu

from metrics.scorers import get_scorer

from .test_nist import tokens_of
from .test_real_texts import texts_of
from .texts import corpora


def gleu(hypotheses, references, **options) -> float:
    scorer = get_scorer("gleu", **options)
    return float(scorer.score(scorer.statistics(hypotheses, references).sum(axis=0)))


def test_the_example_of_nltk():
    # Docstring of nltk.translate.gleu_score.sentence_gleu, from Papineni et al. 2002.
    reference = (
        "It is a guide to action that ensures that the military will forever heed Party commands"
    )
    first = "It is a guide to action which ensures that the military always obeys the commands of"
    second = "It is to insure the troops forever hearing the activity guidebook that party direct"
    for output in (first, second):
        expected = sentence_gleu([reference.split()], output.split())
        assert gleu([output], [[reference]]) == pytest.approx(100 * expected)
    # By hand: of the 16 + 15 + 14 + 13 runs of either, 12 + 8 + 5 + 4 are shared.
    assert gleu([first], [[reference]]) == pytest.approx(100 * 29 / 58)


@settings(max_examples=150, deadline=None)
@given(texts=corpora(max_references=1))
def test_one_reference_as_nltk_has_it(texts):
    hypotheses, references = texts
    lists = [[text.split()] for text in references[0]]
    expected = corpus_gleu(lists, [text.split() for text in hypotheses])
    found = gleu(hypotheses, references, tokenize="none")
    assert found == pytest.approx(100 * expected, abs=1e-9)
    turned = gleu(references[0], [hypotheses], tokenize="none")
    assert turned == pytest.approx(found)  # precision and recall are exchanged


def test_a_segment_takes_its_best_reference():
    scorer = get_scorer("gleu", max_order=1)
    stats = scorer.statistics(["a b c", "a"], [["a x y", "a"], ["a b", None]])
    np.testing.assert_array_equal(stats, [[2, 3], [1, 1]])
    assert "order:1" in scorer.signature(2)


def test_texts_without_words_score_0():
    assert gleu([""], [[""]]) == gleu([""], [["a"]]) == gleu(["a"], [[""]]) == 0


def test_outputs_of_real_systems_are_scored_as_nltk_does():
    reference, outputs = texts_of("06_ranking_wmt13_fr-en", "")
    lists = [[words] for words in tokens_of(reference)]
    for number, stream in enumerate(outputs.values()):
        part = slice(number, None, 13)
        expected = corpus_gleu(lists[part], tokens_of(stream[part]))
        assert gleu(stream[part], [reference[part]]) == pytest.approx(100 * expected)
