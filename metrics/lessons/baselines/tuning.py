"""Weights of features tuned for BLEU by a line search on its statistics (Och 2003, "Minimum error
rate training in statistical machine translation").

Each segment has a list of translations, each with features (costs) and the sufficient statistics
of a metric. Along a line of weights, w + γd, the cost of a translation is a line in γ, and the best
translation of a segment changes only where lines of its lower envelope meet. Between all these
places the corpus score is constant; so the best γ is found exactly, by adding up statistics from
place to place.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Summed statistics (..., k) → scores (...), the higher the better.
Score = Callable[[Floats], Floats]
LEAST_GAIN = 1e-9
LEAST_WIDTH = 1e-9


class NBestList(NamedTuple):
    """The translations of one segment: features (n, f) and statistics (n, k)."""

    features: Floats
    statistics: Floats


class LineOptimum(NamedTuple):
    """The best step along a line, and the score there."""

    step: float
    score: float


class Tuned(NamedTuple):
    """Weights whose absolute values sum to 1, and the score of the translations that they choose
    from the lists."""

    weights: Floats
    score: float


def lower_envelope(intercepts: Floats, slopes: Floats) -> tuple[list[float], list[int]]:
    """Return which of the lines a + bγ is lowest where, from γ = −∞ on: the places where that
    changes, and one line more than places."""
    # At −∞ the steepest line is lowest; of lines that are alike the lowest, then the first.
    order = np.lexsort((np.arange(len(slopes)), intercepts, -slopes))
    a, b = intercepts.tolist(), slopes.tolist()
    lines: list[int] = []
    places: list[float] = []
    for line in order.tolist():
        if lines and b[line] == b[lines[-1]]:
            continue
        while lines:
            top = lines[-1]
            place = (a[line] - a[top]) / (b[top] - b[line])
            if places and place <= places[-1]:
                lines.pop()
                places.pop()
            else:
                places.append(place)
                break
        lines.append(line)
    return places, lines


def line_search(
    candidates: Sequence[NBestList], weights: Floats, direction: Floats, score: Score
) -> LineOptimum:
    """Return the best γ for weights + γ · direction. Of equally good stretches the one that 0 is
    in, or else the widest; its middle is taken, away from both ends."""
    places: list[float] = []
    changes: list[Floats] = []
    total = np.zeros(candidates[0].statistics.shape[1])
    for each in candidates:
        found, lines = lower_envelope(each.features @ weights, each.features @ direction)
        total += each.statistics[lines[0]]
        if found:
            places += found
            changes.append(np.diff(each.statistics[lines], axis=0))
    if not places:
        return LineOptimum(0.0, float(score(total)))
    at = np.array(places)
    order = np.argsort(at, kind="stable")
    at = at[order]
    sums = np.vstack([total, total + np.cumsum(np.concatenate(changes)[order], axis=0)])
    return _best_stretch(at, np.asarray(score(sums), dtype=np.float64))


def _best_stretch(at: Floats, scores: Floats) -> LineOptimum:
    """``scores[i]`` holds between ``at[i - 1]`` and ``at[i]``."""
    low = np.concatenate([[-np.inf], at])
    high = np.concatenate([at, [np.inf]])
    # Where several segments change at once, what is between is nowhere but for rounding.
    wide = ~(high - low <= LEAST_WIDTH)
    best = scores[wide].max()
    among = np.flatnonzero(wide & (scores >= best - LEAST_GAIN))
    here = [i for i in among.tolist() if low[i] < 0 < high[i]]
    if here:
        return LineOptimum(0.0, float(scores[here[0]]))
    i = int(among[np.argmax((high - low)[among])])
    if np.isinf(low[i]):
        step = high[i] - 1
    elif np.isinf(high[i]):
        step = low[i] + 1
    else:
        step = (low[i] + high[i]) / 2
    return LineOptimum(float(step), float(scores[i]))


def tune(
    candidates: Sequence[NBestList],
    start: Sequence[float] | Floats,
    score: Score,
    *,
    rng: np.random.Generator,
    restarts: int = 3,
    random_directions: int = 4,
    rounds: int = 10,
) -> Tuned:
    """Return the best weights found from ``start`` and from ``restarts`` random points near it,
    along every feature and along random directions, until a round gains nothing.

    Raises ValueError where there is nothing to choose from.
    """
    if not candidates or not all(len(each.features) for each in candidates):
        raise ValueError("Tuning needs translations of every segment.")
    first = np.asarray(start, dtype=np.float64)
    starts = [first, *(first * rng.uniform(0.3, 3.0, len(first)) for _ in range(restarts))]
    found = [_climb(candidates, each, score, rng, random_directions, rounds) for each in starts]
    best = max(found, key=lambda each: each.score)  # of equals the first: that of ``start``
    return Tuned(best.weights / np.abs(best.weights).sum(), best.score)


def _climb(
    candidates: Sequence[NBestList],
    weights: Floats,
    score: Score,
    rng: np.random.Generator,
    random_directions: int,
    rounds: int,
) -> Tuned:
    best = chosen_score(candidates, weights, score)
    for _ in range(rounds):
        before = best
        for direction in _directions(len(weights), random_directions, rng):
            found = line_search(candidates, weights, direction, score)
            if found.score > best + LEAST_GAIN:
                weights, best = weights + found.step * direction, found.score
        if best <= before + LEAST_GAIN:
            break
    return Tuned(weights, best)


def _directions(n: int, n_random: int, rng: np.random.Generator) -> Iterator[Floats]:
    yield from np.eye(n)
    yield from rng.normal(size=(n_random, n))


def chosen_score(candidates: Sequence[NBestList], weights: Floats, score: Score) -> float:
    """Return the score of the cheapest translation of each segment, the first of equals."""
    chosen = [each.statistics[int(np.argmin(each.features @ weights))] for each in candidates]
    return float(score(np.sum(chosen, axis=0)))
