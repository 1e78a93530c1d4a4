"""What a ranking says of its control systems."""

from types import SimpleNamespace

import numpy as np
import pytest

from judgments.results.scores.control_systems import control_words


def ranking(means, cluster):
    """Systems a, b, c … with ids 1, 2, 3 …, higher means first."""
    order = sorted(range(len(means)), key=lambda i: -means[i])
    return SimpleNamespace(
        system_ids=np.arange(len(means)) + 1,
        names=np.array([*"abcdef"[: len(means)]], object),
        mean=np.array(means, float),
        order=np.array(order),
        cluster=np.array(cluster),
    )


@pytest.mark.parametrize(
    ("means", "cluster", "controls", "words"),
    [
        ([3, 2, 1], [1, 2, 3], {}, ""),
        ([3, 2, 1], [1, 2, 3], {9: "x"}, ""),
        ([3, 2, 1], [1, 2, 3], {1: "a", 2: "b", 3: "c"}, ""),
        ([3, 2, 1], [1, 2, 3], {3: "c"}, "c, a control system of known weakness, is last and in a"),
        ([3, 2, 1], [1, 2, 2], {3: "c"}, "as it should be, but cannot be distinguished from"),
        ([3, 2, 1], [1, 2, 3], {2: "b"}, "weakness, is NOT last: it has place 2 of 3"),
        ([3, 2, 1], [1, 2, 3], {2: "b", 3: "c"}, "c, control systems of known weakness, are last"),
        ([3, 2, 1], [1, 1, 2], {2: "b", 3: "c"}, "as they should be, but cannot be distinguished"),
        ([3, 2, 1], [1, 2, 3], {1: "a", 3: "c"}, "are NOT last: they have places 1 and 3 of 3"),
        ([3, np.nan, 1], [1, 0, 2], {2: "b"}, ""),
        ([3, 2, np.nan], [1, 2, 0], {2: "b"}, "b, a control system of known weakness, is last"),
    ],
)  # fmt: skip
def test_what_is_said(means, cluster, controls, words):
    said = control_words(ranking(means, cluster), controls)
    assert words in said
    assert bool(said) == bool(words)
