"""Whether one metric follows people better than another: permutation tests of all pairs at once.

PERM-BOTH (Deutsch, Dror and Roth 2021): the scores of both metrics are standardized, each output's
scores swap places with chance ½, and p is the share of resamples whose difference of statistics is
at least the one observed. Resamples come in couples, every draw with its opposite, which swaps what
the draw left and whose difference is the same with the other sign: half of the work, and p-values
that vary less than those of independent draws.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from metrics.stats.columns import FEWEST, Floats
from metrics.stats.draws import swap_masks
from metrics.stats.groups import VALUES
from metrics.stats.ties import pairs_of

Bools = NDArray[np.bool_]

# Differences of statistics this close are equal, but for rounding.
SLACK = 1e-10
# So many numbers of one kind are worked on at a time: they stay in the processor's cache.
_CELLS = 1 << 17


class Tally:
    """Counts, for pairs of M metrics, resamples whose difference is at least the one observed."""

    def __init__(self, n_metrics: int) -> None:
        self.counts = np.zeros((n_metrics, n_metrics))
        self.resamples = np.zeros((n_metrics, n_metrics))

    def add(self, first: int, second: int, observed: float, drawn: Floats) -> None:
        """``drawn``: differences of the statistics, first minus second, of draws without their
        opposites. A draw without a statistic counts, which can only make p larger."""
        for i, j, least in ((first, second, observed), (second, first, -observed)):
            self.counts[i, j] += np.sum(~(drawn < least - SLACK))
            self.counts[i, j] += np.sum(~(-drawn < least - SLACK))
            self.resamples[i, j] += 2 * len(drawn)

    def p_values(self) -> Floats:
        """Return one-sided p-values (M, M), that metric i is not better than j; NaN without a
        test."""
        with np.errstate(invalid="ignore"):
            return self.counts / self.resamples


def swap_scores(
    human: Floats,
    metrics: Floats,
    coefficient: str,
    tally: Tally,
    *,
    rng: np.random.Generator,
    resamples: int,
) -> None:
    """PERM-BOTH for a coefficient of ``grouped.VALUES``: all pairs of metrics into ``tally``.

    ``human``: (n, G), ``metrics``: (M, n, G), a group in each column; the statistic is the mean
    over groups. A pair of metrics is compared on the outputs that both scored.
    """
    draw = _moment_differences if coefficient == "pearson" else _any_differences
    for members, kept, pairs in alike(human, metrics):
        ours = standardized(np.where(kept, metrics[members], np.nan))
        values = VALUES[coefficient](human, ours)
        observed = mean_of_groups(values)
        sound = [pair for pair in pairs if np.isfinite(observed[list(pair)]).all()]
        if not sound:
            continue
        for a, b, drawn in draw(human, ours, coefficient, sound, rng, (resamples + 1) // 2):
            tally.add(members[a], members[b], observed[a] - observed[b], drawn)


def swap_outcomes(
    human: Floats,
    metrics: Floats,
    epsilons: Floats,
    tally: Tally,
    *,
    rng: np.random.Generator,
    resamples: int,
) -> None:
    """The test of pairwise accuracy with ties (Deutsch, Foster and Freitag 2023): not scores are
    swapped but whether a pair of outputs was ordered rightly, so that each metric keeps its own
    ``epsilons`` (M,). Arrays as in ``swap_scores``.

    Only pairs that one of two metrics gets right alone change the difference, each by its weight up
    or down. So the sum over k such pairs of one weight is 2·B - k, B binomial with chance ½, and is
    drawn as that.
    """
    for members, kept, pairs in alike(human, metrics):
        found = [pairs_of(human, np.where(kept, metrics[m], np.nan)) for m in members]
        weight = found[0].weight
        if not len(weight):
            continue
        right = np.stack([one.correct(epsilons[m]) for one, m in zip(found, members, strict=True)])
        observed = right @ weight
        weights, which = np.unique(weight, return_inverse=True)
        # How many pairs of each weight one metric gets right and the other does not: (M, M, w).
        differing = np.stack([_n_differing(right[:, which == w]) for w in range(len(weights))], -1)
        draws = (resamples + 1) // 2
        for a, b in pairs:
            n = differing[a, b]
            drawn = (2 * rng.binomial(n, 0.5, size=(draws, len(n))) - n) @ weights
            tally.add(members[a], members[b], observed[a] - observed[b], drawn)


def _n_differing(right: Bools) -> NDArray[np.int64]:
    """In how many columns two rows differ, (M, M), of (M, pairs)."""
    total = right.sum(axis=1)
    both = np.zeros((len(right), len(right)), dtype=np.int64)
    for start in range(0, right.shape[1], 1 << 20):  # single precision holds counts up to 2²⁴
        part = right[:, start : start + (1 << 20)].astype(np.float32)
        both += (part @ part.T).astype(np.int64)
    return total[:, None] + total[None] - 2 * both


def alike(
    human: Floats, metrics: Floats
) -> Iterator[tuple[list[int], Bools, list[tuple[int, int]]]]:
    """Yield which pairs of metrics can be compared together: those that have the same outputs in
    common.

    Yields numbers of metrics, the outputs (n, G), and pairs of places among these metrics. It is
    one set if every metric scored all that people judged.
    """
    there = ~np.isnan(metrics) & ~np.isnan(human)
    sets: dict[bytes, list[tuple[int, int]]] = {}
    for a in range(len(metrics)):
        for b in range(a + 1, len(metrics)):
            sets.setdefault((there[a] & there[b]).tobytes(), []).append((a, b))
    for key, pairs in sets.items():
        kept = np.frombuffer(key, dtype=np.bool_).reshape(human.shape)
        members = sorted({m for pair in pairs for m in pair})
        place = {m: i for i, m in enumerate(members)}
        yield members, kept, [(place[a], place[b]) for a, b in pairs]


def standardized(metrics: Floats) -> Floats:
    """Return each metric (M, n, G) with mean 0 and standard deviation 1 over all its outputs."""
    there = ~np.isnan(metrics)
    n = np.maximum(there.sum(axis=(1, 2)), 1)[:, None, None]
    filled = np.where(there, metrics, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        centered = np.where(there, filled - filled.sum(axis=(1, 2), keepdims=True) / n, 0.0)
        deviation = np.sqrt(np.sum(centered**2, axis=(1, 2), keepdims=True) / n)
        return np.where(there, centered / deviation, np.nan)


def mean_of_groups(values: Floats) -> Floats:
    """Return means over the last axis, NaN left out; NaN where all are."""
    there = ~np.isnan(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(there, values, 0.0).sum(axis=-1) / there.sum(axis=-1)


def _any_differences(
    human: Floats,
    metrics: Floats,
    coefficient: str,
    pairs: list[tuple[int, int]],
    rng: np.random.Generator,
    draws: int,
) -> Iterator[tuple[int, int, Floats]]:
    """Yield differences of any coefficient under swaps, one pair of metrics after the other."""
    masks = np.concatenate(list(swap_masks(rng, human.size, draws))).astype(np.bool_)
    masks = masks.reshape(draws, *human.shape)
    step = max(1, 8 * _CELLS // human.size)
    for a, b in pairs:
        drawn = []
        for start in range(0, draws, step):
            swapped = masks[start : start + step]
            first = np.where(swapped, metrics[a], metrics[b])
            second = np.where(swapped, metrics[b], metrics[a])
            drawn.append(
                mean_of_groups(VALUES[coefficient](human, first))
                - mean_of_groups(VALUES[coefficient](human, second))
            )
        yield a, b, np.concatenate(drawn)


def _moment_differences(
    human: Floats,
    metrics: Floats,
    coefficient: str,
    pairs: list[tuple[int, int]],
    rng: np.random.Generator,
    draws: int,
) -> Iterator[tuple[int, int, Floats]]:
    """Yield differences of mean Pearson correlations under swaps, of all pairs from one product.

    A correlation needs the sums of x, x² and xy over a group. With W those over the outputs that a
    mask picks, metric a's outputs there and b's elsewhere have the sums total_b + W_a - W_b.
    """
    groups, columns, y_squares, n = _moments(human, metrics)
    totals = columns.sum(axis=-1)[..., None]
    found = []
    for masks in swap_masks(rng, human.size, draws):
        picked = masks.reshape(-1, *human.shape).transpose(2, 1, 0)[groups]
        means = _Means(len(metrics), len(masks))
        step = max(1, _CELLS // (len(metrics) * len(masks)))
        for start in range(0, len(groups), step):
            chunk = slice(start, start + step)
            # (g, 3M, n) @ (g, n, draws), for each chosen group g.
            sums = columns[chunk].reshape(-1, 3 * len(metrics), human.shape[0]) @ picked[chunk]
            sums = sums.reshape(-1, 3, len(metrics), len(masks))
            means.add(sums, totals[chunk], y_squares[chunk], n[chunk])
        found.append(means.differences())
    for a, b in pairs:
        yield a, b, np.concatenate([block[a, b] for block in found])


def _moments(human: Floats, metrics: Floats) -> tuple[NDArray[np.intp], Floats, Floats, Floats]:
    """Return the groups that have a correlation, (g,); x, x² and xy of each metric, 0 where
    missing, with y the centered human scores (g, 3, M, n); the sums of y² and of outputs, each (g,
    1, 1)."""
    there = ~np.isnan(metrics[0]) & ~np.isnan(human)
    n = there.sum(axis=0)
    filled = np.where(there, human, 0.0)
    y = np.where(there, human - filled.sum(axis=0) / np.maximum(n, 1), 0.0)
    varies = np.abs(y).max(axis=0) > 1e-13 * np.abs(filled).max(axis=0)
    groups = np.flatnonzero((n >= FEWEST) & varies)
    y = y / np.where(varies, np.abs(y).max(axis=0), 1.0)
    x = np.where(there, metrics, 0.0)[..., groups]
    columns = np.stack([x, x**2, x * y[:, groups]])
    return (
        groups,
        np.ascontiguousarray(columns.transpose(3, 0, 1, 2)),
        np.sum(y[:, groups] ** 2, axis=0)[:, None, None],
        n[groups].astype(np.float64)[:, None, None],
    )


class _Means:
    """Mean correlations of every pair of metrics under swaps, added up over groups."""

    def __init__(self, n_metrics: int, draws: int) -> None:
        # Of the metric that takes the outputs picked, and of the other one.
        self.sums = np.zeros((2, n_metrics, n_metrics, draws))
        self.counts = np.zeros((2, n_metrics, n_metrics, draws))

    def add(self, picked: Floats, totals: Floats, y_squares: Floats, n: Floats) -> None:
        """``picked`` (g, 3, M, draws), ``totals`` (g, 3, M, 1): sums over the outputs of g groups
        that a mask picks, and over all of them."""
        for a in range(picked.shape[2] - 1):
            later = slice(a + 1, None)
            gain = picked[:, :, a : a + 1] - picked[:, :, later]
            for side, hybrid in enumerate(
                (totals[:, :, later] + gain, totals[:, :, a : a + 1] - gain)
            ):
                x, squares, products = hybrid[:, 0], hybrid[:, 1], hybrid[:, 2]
                spread = squares - x**2 / n
                varies = spread > 1e-13 * squares
                with np.errstate(divide="ignore", invalid="ignore"):
                    r = products / np.sqrt(spread * y_squares)
                self.sums[side, a, later] += np.where(varies, r, 0.0).sum(axis=0)
                self.counts[side, a, later] += varies.sum(axis=0)

    def differences(self) -> Floats:
        """Return first minus second, (M, M, draws)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = self.sums / self.counts
        return first - second
