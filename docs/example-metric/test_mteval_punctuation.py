"""Expected values are counted by hand. mteval comes first: it then finds the metric by itself."""

import numpy as np

from metrics.scorers import SCORERS, get_scorer


def test_mteval_has_found_it():
    assert SCORERS["punctuation"].__module__ == "mteval_punctuation"
    assert get_scorer("punctuation").signature(1) == "nrefs:1|alike:yes|version:1|impl:mteval"


def test_counts():
    scorer = get_scorer("punctuation")
    stats = scorer.statistics(["„Ja“, sagt er!", "Nein", ""], [['"Ja," sagt er.', "Nein.", ""]])
    # Shared: two quotation marks and the comma.
    np.testing.assert_array_equal(stats, [[3, 4, 4], [0, 0, 1], [0, 0, 0]])
    np.testing.assert_allclose(scorer.segment_scores(stats), [75, 0, 100])
    np.testing.assert_allclose(scorer.score(stats.sum(axis=0)), 100 * 6 / 9)


def test_as_written():
    scorer = get_scorer("punctuation", alike=False)
    assert scorer.score(scorer.statistics(["„Ja“"], [['"Ja"']])[0]) == 0


def test_the_best_of_several_references():
    scorer = get_scorer("punctuation")
    stats = scorer.statistics(["a, b.", "a"], [["a b.", None], ["a, b!", "a"]])
    np.testing.assert_array_equal(stats, [[1, 2, 1], [0, 0, 0]])
