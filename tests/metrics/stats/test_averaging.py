import math

import numpy as np
import pytest

from metrics.stats.averaging import wmt23_average, wmt24_average


def test_wmt23_by_hand():
    # Three language pairs and two metrics. Of the first: 3 · .9 + (.9 + 1 + .8 as (r + 1)/2 of
    # .8, 1, .6) + (.7 + .75 + .8 of .4, .5, .6) + (.5 + .6 + .55), over 12.
    found = wmt23_average(
        [0.9, 0.5],
        [[0.8, 0.0], [1.0, 0.0], [0.6, 0.0]],
        [[0.4, 0.0], [0.5, 0.0], [0.6, 0.0]],
        [[0.5, 0.5], [0.6, 0.5], [0.55, 0.5]],
    )
    assert found == pytest.approx([(2.7 + 2.7 + 2.25 + 1.65) / 12, 0.5])


def test_one_language_pair_need_not_be_nested():
    assert wmt23_average([1.0], [1.0], [1.0], [1.0]) == pytest.approx([1])
    assert wmt24_average([0.8, math.nan], [0.6, 1]) == pytest.approx([0.7, math.nan], nan_ok=True)


def test_wmt24_by_hand():
    assert wmt24_average([[0.8], [0.9]], [[0.5], [0.6]]) == pytest.approx([(0.8 + 0.9 + 1.1) / 4])


def test_tasks_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="one shape"):
        wmt23_average([0.9, 0.5], [0.8], [0.4], [0.5])
    with pytest.raises(ValueError, match="one shape"):
        wmt23_average([0.9], [[0.8], [0.7]], [[0.4]], [[0.5]])
    with pytest.raises(ValueError, match="one shape"):
        wmt24_average(np.zeros((2, 3)), np.zeros((1, 3)))
