"""Where control items go between the regular ones."""

import numpy as np
import pytest

from judgments.assignment.controls import Run, Stretch, spread
from judgments.assignment.layout import PlannedScreen


def run_of(document: int, key: int) -> Run:
    return (PlannedScreen(key, ((key, 1),), document=document),)


def nearest_clear(regular, gap_of, document: int, place: int) -> int:
    """By the words of `spread`: of all gaps that are free and not next to the document, the
    nearest; the given one where there is none."""
    clear = [
        gap
        for gap in range(len(regular) + 1)
        if gap not in gap_of
        and not any(run[0].document == document for run in regular[max(0, gap - 1) : gap + 1])
    ]
    return min(clear, key=lambda gap: (abs(gap - place), gap), default=place)


@pytest.mark.parametrize("n_documents", [1, 2, 5, 30])
@pytest.mark.parametrize("seed", range(5))
def test_spread_takes_the_nearest_clear_gap(n_documents, seed):
    drawn = np.random.default_rng([seed, n_documents])
    regular = [run_of(int(d), k) for k, d in enumerate(drawn.integers(n_documents, size=30))]
    fixed = [
        Stretch(run_of(int(d), 100 + k), "control")
        for k, d in enumerate(drawn.integers(n_documents + 1, size=7))
    ]
    rng = np.random.default_rng(seed)
    at: dict[int, list[Stretch]] = {}
    for j, i in enumerate(rng.permutation(len(fixed))):
        place = int((j + rng.random()) / len(fixed) * (len(regular) + 1))
        document = fixed[i].run[0].document
        at.setdefault(nearest_clear(regular, at, document, place), []).append(fixed[i])
    expected = []
    for gap in range(len(regular) + 1):
        expected += at.get(gap, []) + [Stretch(run) for run in regular[gap : gap + 1]]
    assert spread(regular, fixed, np.random.default_rng(seed)) == expected
