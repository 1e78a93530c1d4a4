"""The paired tests of sacreBLEU 2.6 (``--paired-bs``, ``--paired-ar``), draw for draw.

For figures that were published with sacreBLEU: with its seed (12345 by default) the p-values are
equal to its own. For new work use ``metrics.stats.pairs``, because sacreBLEU

- counts only differences strictly greater than the one observed (``strict``), so that two identical
  systems get the smallest possible p-value instead of 1;
- tests in its bootstrap whether the size of the difference, minus its mean, exceeds the difference
  observed (Moses' ``bootstrap-hypothesis-difference-significance.pl``), and not, as Koehn (2004)
  does, how often one system beats the other;
- scores its bootstrap draws in single precision, so that means and intervals agree to about six
  digits.
"""

from copy import deepcopy
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from metrics.scorers.base import Scorer
from metrics.stats.draws import Floats, Sums
from metrics.stats.resamples import bootstrap_scores, swapped_differences

TESTS = ("bs", "ar")


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """sacreBLEU's results for one system: ``p_value`` against the first system, NaN for that one;
    ``mean`` of the bootstrapped scores and half the width of their interval, NaN without any."""

    score: float
    p_value: float = nan
    mean: float = nan
    half_width: float = nan


def replay_sacrebleu(
    scorer: Scorer,
    stats: ArrayLike,
    *,
    rng: np.random.Generator,
    test: str,
    samples: int,
    resamples: int = 0,
    strict: bool = True,
) -> list[Replayed]:
    """Return each system's test against the first, as in sacreBLEU's ``PairedTest``.

    ``stats``: (k, n_segments, s), the baseline first. ``rng``: a generator with sacreBLEU's seed,
    which is copied for every system, since sacreBLEU restarts for each. ``test``: "bs" or "ar" with
    ``samples`` draws or trials; for "ar", ``resamples`` more draws for mean and interval (0: none).
    ``strict``: count with > like sacreBLEU, or else with ≥.

    Raise ValueError for an unknown test or statistics of another shape.
    """
    stats = np.asarray(stats, dtype=np.float64)
    if test not in TESTS:
        raise ValueError(f"test must be one of {', '.join(TESTS)}, not {test!r}.")
    if stats.ndim != 3 or not stats.size:
        raise ValueError(f"Statistics must have the shape (k, n_segments, s), not {stats.shape}.")
    scores = np.atleast_1d(scorer.score(stats.sum(axis=1)))
    n_draws = samples if test == "bs" else resamples
    drawn = _drawn(scorer, Sums(stats[:1]), deepcopy(rng), n_draws)
    found = [_replayed(scores[0], nan, drawn)]
    for system in range(1, len(stats)):
        own = deepcopy(rng)
        sums = Sums(stats[[0, system]])
        observed = abs(scores[0] - scores[system])
        if test == "bs":
            drawn = _drawn(scorer, sums, own, samples)
            sizes = np.abs(drawn[1] - drawn[0])
            sizes -= sizes.mean()
        else:
            blocks = swapped_differences(scorer, sums, np.array([[0, 1]]), rng=own, trials=samples)
            sizes = np.abs(np.concatenate([block[0] for _, block in blocks]))
            # Mean and interval are drawn from the stream's position after the trials.
            drawn = _drawn(scorer, sums, own, n_draws)
        p_value = _p_value(sizes, observed, strict)
        found.append(_replayed(scores[system], p_value, drawn))
    return found


def _drawn(scorer: Scorer, sums: Sums, rng: np.random.Generator, n_draws: int) -> Floats:
    """Return bootstrapped scores of some systems, (k, n_draws)."""
    if not n_draws:
        return np.empty((len(sums.totals), 0))
    return bootstrap_scores(scorer, sums, rng=rng, resamples=n_draws)


def _p_value(sizes: Floats, observed: float, strict: bool) -> float:
    is_counted = sizes > observed if strict else sizes >= observed
    return float((is_counted.sum() + 1) / (len(sizes) + 1))


def _replayed(score: float, p_value: float, drawn: Floats) -> Replayed:
    """Return the result from ``drawn``: bootstrapped scores, those of the system itself last."""
    if not drawn.size:
        return Replayed(score=float(score), p_value=p_value)
    ordered = np.sort(drawn[-1])
    dropped = len(ordered) // 40
    half_width = (ordered[len(ordered) - dropped - 1] - ordered[dropped]) / 2
    return Replayed(
        score=float(score),
        p_value=p_value,
        mean=float(ordered.mean()),
        half_width=float(half_width),
    )
