"""The line search against a fine grid, and tuning on BLEU's own statistics."""

from itertools import combinations

import numpy as np
import pytest

from metrics.lessons.baselines.tuning import (
    NBestList,
    chosen_score,
    line_search,
    lower_envelope,
    tune,
)
from metrics.scorers import get_scorer

BLEU = get_scorer("bleu", tokenize="none")


def random_candidates(rng, n_segments=6, n=8, n_features=3):
    """Return translations with integer features, so that lines are sometimes parallel or equal, and
    with the statistics of random sentences."""
    words = np.array(["the", "ferry", "crosses", "a", "lake", "at", "night", "again"])
    found = []
    for _ in range(n_segments):
        texts = [" ".join(rng.choice(words, rng.integers(4, 9))) for _ in range(n)]
        reference = [" ".join(rng.choice(words, 7))] * n
        features = rng.integers(-3, 4, (n, n_features)).astype(float)
        found.append(NBestList(features, BLEU.statistics(texts, [reference])))
    return found


@pytest.mark.parametrize("seed", range(30))
def test_the_envelope_is_the_lowest_line_everywhere(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-4, 5, (2, 9)).astype(float)
    places, lines = lower_envelope(a, b)
    assert len(lines) == len(places) + 1
    assert places == sorted(places)
    edges = [-np.inf, *places, np.inf]
    for at in np.linspace(-20, 20, 1601) + 0.00123:
        line = lines[np.searchsorted(edges, at) - 1]
        assert a[line] + b[line] * at == pytest.approx((a + b * at).min())


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(30))
def test_no_place_of_a_fine_grid_is_better_than_the_line_search(seed):
    rng = np.random.default_rng(seed)
    candidates = random_candidates(rng)
    weights, direction = rng.normal(size=3), rng.normal(size=3)
    found = line_search(candidates, weights, direction, BLEU.score)
    at = chosen_score(candidates, weights + found.step * direction, BLEU.score)
    assert at == pytest.approx(found.score)
    grid = [
        chosen_score(candidates, weights + step * direction, BLEU.score)
        for step in np.linspace(-30, 30, 600) + 0.000317
    ]
    assert found.score >= max(grid) - 1e-9
    between = [
        chosen_score(candidates, weights + step * direction, BLEU.score)
        for step in between_all_crossings(candidates, weights, direction)
    ]
    assert found.score == pytest.approx(max(between))


def between_all_crossings(candidates, weights, direction):
    """Return a step between all adjacent crossings of any two lines of any segment, so that every
    interval with a constant choice has one."""
    crossings = []
    for each in candidates:
        a, b = each.features @ weights, each.features @ direction
        for i, j in combinations(range(len(a)), 2):
            if abs(b[i] - b[j]) > 1e-9:
                crossings.append((a[j] - a[i]) / (b[i] - b[j]))
    at = np.unique(crossings)
    middles = (at[1:] + at[:-1])[np.diff(at) > 1e-7] / 2  # others are one point except for rounding
    return [at[0] - 1, *middles, at[-1] + 1]


def test_a_line_on_which_nothing_changes_stays_where_it_is():
    rng = np.random.default_rng(1)
    candidates = [
        NBestList(np.ones((3, 2)), each.statistics[:3]) for each in random_candidates(rng)
    ]
    found = line_search(candidates, np.array([1.0, 1.0]), np.array([1.0, 0.0]), BLEU.score)
    assert found.step == 0


def test_tuning_finds_the_feature_that_tells_good_translations():
    rng = np.random.default_rng(5)
    candidates = []
    for each in random_candidates(rng, n_segments=40, n=10, n_features=4):
        features = rng.normal(size=each.features.shape)
        features[:, 2] = -BLEU.segment_scores(each.statistics) / 10 + rng.normal(0, 0.1, 10)
        candidates.append(NBestList(features, each.statistics))
    start = np.array([1.0, 1.0, 0.1, 1.0])
    before = chosen_score(candidates, start, BLEU.score)
    found = tune(candidates, start, BLEU.score, rng=np.random.default_rng(2))
    assert found.score > before + 3
    assert np.abs(found.weights).sum() == pytest.approx(1)
    assert int(np.argmax(found.weights)) == 2
    assert chosen_score(candidates, found.weights, BLEU.score) == pytest.approx(found.score)
    again = tune(candidates, start, BLEU.score, rng=np.random.default_rng(2))
    assert again.weights.tolist() == found.weights.tolist()


def test_segments_without_translations_cannot_be_tuned():
    with pytest.raises(ValueError, match="every segment"):
        tune([], [1.0], BLEU.score, rng=np.random.default_rng(1))
