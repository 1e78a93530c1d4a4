"""The figures of whole systems compared with those of single segments, which have their own
oracles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import get_scorer
from metrics.scorers.diagnostic import diagnose
from metrics.scorers.word_figures import word_figures

from .texts import corpora


@settings(max_examples=80, deadline=None)
@given(texts=corpora(max_segments=5), tokenize=st.sampled_from(["13a", "char"]))
def test_segments_have_the_figures_of_their_diagnosis(texts, tokenize):
    outputs, references = texts
    [found] = word_figures([outputs], references, tokenize=tokenize)
    for place, output in enumerate(outputs):
        one = diagnose(output, [stream[place] for stream in references], tokenize=tokenize)
        assert found.neva[place] == pytest.approx(one.neva)
        assert found.waft[place] == pytest.approx(one.waft)
        assert found.longer[place] == one.length_difference
        assert found.difference[place] == pytest.approx(one.difference)


def test_the_examples_of_forsbom(golden):
    """Forsbom 2003: NEVA above WAFT if words are in another place."""
    known = [each for each in golden["bleu"] if "neva" in each and "waft" in each]
    assert known
    for each in known:
        [found] = word_figures([[each["hyp"]]], [[each["ref"]]], tokenize="none", lowercase=False)
        assert found.neva[0] == pytest.approx(100 * each["neva"], abs=5e-5)
        assert found.waft[0] == pytest.approx(100 * each["waft"], abs=5e-5)


def test_what_is_missing_is_nan():
    outputs = ["a b", None, "a b", "c"]
    references = [["a b", "a", None, "c d"], [None, "a", None, "c"]]
    [found] = word_figures([outputs], references)
    np.testing.assert_array_equal(np.isnan(found.neva), [False, True, True, False])
    np.testing.assert_array_equal(np.isnan(found.longer), [False, True, True, False])
    assert found.waft[[0, 3]].tolist() == [100, 100] and found.longer[3] == 0
    # Against the first reference alone: 3 of 4 words; against the second: 1 of 1.
    assert found.closeness.tolist() == [75, 100]


def test_closeness_is_the_waft_of_the_corpus():
    outputs, reference = ["a b c", "x y"], ["a b d", "x y z w"]
    [found] = word_figures([outputs], [reference])
    waft = get_scorer("waft")
    expected = waft.score(waft.statistics(outputs, [reference]).sum(axis=0))
    assert found.closeness[0] == expected
