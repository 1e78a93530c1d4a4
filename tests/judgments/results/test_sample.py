"""Comparisons from both sides, coded from one side, are what coding them anew gives."""

import dataclasses

import numpy as np
import pytest

from judgments.results.agreement import coefficients
from judgments.results.observations.sample import Sample
from judgments.stats.coefficients import clean_ratings


@pytest.mark.parametrize("labels", [[-1, 0, 1], [0, 1], [1]])
@pytest.mark.parametrize("most", [40_000, 10])  # with an interval, and of sums
def test_both_sides(labels, most, monkeypatch):
    monkeypatch.setattr(coefficients, "MAX_RESAMPLED_CELLS", most)
    rng = np.random.default_rng(7)
    item, annotator = np.divmod(rng.permutation(130 * 40)[:1500], 40)
    value = rng.choice(labels, len(item)).astype(np.int8)
    both = Sample(3 * item, annotator, value, item // 10).from_both_sides()
    anew = Sample(*both.columns, both.cluster)
    assert (sorted(both.value), len(both.item)) == (sorted([*value, *-value]), 3000)
    anew.__dict__["ratings"] = clean_ratings(*anew.columns, anew.cluster)  # codes of 64 bits
    found, expected = (
        coefficients.categories(
            sample, np.array([-1.0, 0, 1]), "nominal", {"rng": np.random.default_rng(1)}
        )
        for sample in (both, anew)
    )
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_equal(dataclasses.asdict(one), dataclasses.asdict(other))
