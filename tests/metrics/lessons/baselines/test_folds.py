"""Folds of whole documents."""

import pytest

from metrics.lessons.baselines.folds import folds_of


@pytest.mark.parametrize(
    ("sizes", "folds"),
    [
        ([15, 15], [[0], [1]]),
        ([9], [[0]]),
        ([], []),
        ([5, 4, 3, 2, 1, 1, 8], [[6], [0], [1], [2, 5], [3, 4]]),
    ],
)
def test_folds_are_about_equally_large(sizes, folds):
    assert folds_of(sizes) == folds


def test_every_document_is_in_one_fold():
    folds = folds_of(list(range(1, 40)))
    assert sorted(place for fold in folds for place in fold) == list(range(39))
    sums = [sum(place + 1 for place in fold) for fold in folds]
    assert max(sums) - min(sums) < 10
