"""What direct contrast is worth: how much the difference between two systems varies where few
outputs are seen together, and where all are, on the same texts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class ContrastWorth:
    """Variances of the difference of two systems on a segment, pooled over pairs: ``few`` and
    ``complete``; ``shared``: their covariance, which is of the texts. ``ratio``: few/complete, with
    its interval ``low`` to ``high``. NaN where nothing can be said."""

    few: float
    complete: float
    shared: float
    ratio: float
    low: float
    high: float
    n_segments: int
    n_documents: int


def contrast_worth(
    few: ArrayLike,
    complete: ArrayLike,
    documents: ArrayLike,
    *,
    rng: np.random.Generator,
    replications: int = 1000,
    level: float = 0.95,
) -> ContrastWorth:
    """Compare scores (S, N) of outputs that were seen beside few others with those of the same
    outputs seen beside all, NaN where one was not shown; ``documents`` (N,).

    The mixed model D = Δ + u + e of the difference of a pair of systems on a segment, with u of the
    text in both ways and e of each way, by its moments (Henderson 1953, method 1), over the
    differences that both ways have. Interval: percentiles of the bootstrap over documents.
    Raise ValueError for arrays that do not fit each other.
    """
    x, y = np.asarray(few, np.float64), np.asarray(complete, np.float64)
    group = np.asarray(documents)
    if x.ndim != 2 or x.shape != y.shape or group.shape != x.shape[1:]:
        raise ValueError("scores have a row for each system and a column for each segment")
    sums, n_segments = _sums(x, y, group)
    n_documents = sums.shape[2]
    of_few, of_complete, shared = _variances(sums.sum(axis=2, keepdims=True))[:, 0].tolist()
    low = high = math.nan
    if n_documents > 1:
        drawn = rng.multinomial(n_documents, np.full(n_documents, 1 / n_documents), replications)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = np.divide(*_variances(sums @ drawn.T.astype(np.float64))[:2])
        ends = (1 - level) / 2, (1 + level) / 2
        if not np.isnan(ratios).all():
            low, high = np.nanquantile(ratios, ends).tolist()
    ratio = of_few / of_complete if of_complete > 0 else math.nan
    return ContrastWorth(of_few, of_complete, shared, ratio, low, high, n_segments, n_documents)


def _sums(x: np.ndarray, y: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, int]:
    """Return sums (6, P, G) by pair of systems and document: how many differences both ways have,
    of these, of their squares and of their products; and on how many segments they are."""
    a, b = np.triu_indices(len(x), 1)
    few, complete = x[a] - x[b], y[a] - y[b]
    both = ~np.isnan(few) & ~np.isnan(complete)
    kept = both.any(axis=0)
    n, few, complete = (np.where(both, each, 0.0)[:, kept] for each in (1.0, few, complete))
    if not kept.any():
        return np.zeros((6, len(a), 0)), 0
    order = np.argsort(group[kept], kind="stable")
    _, first = np.unique(group[kept][order], return_index=True)
    n, few, complete = (each[:, order] for each in (n, few, complete))
    moments = (n, few, complete, few**2, complete**2, few * complete)
    return np.stack([np.add.reduceat(m, first, axis=1) for m in moments]), int(kept.sum())


def _variances(sums: np.ndarray) -> np.ndarray:
    """Return (3, R) of few, of complete and between them, from sums (6, P, R), of pairs that have
    two differences or more."""
    n, few, complete, few2, complete2, product = np.where(sums[:1] > 1, sums, 0.0)
    freedom = np.maximum(n - 1, 0.0).sum(axis=0)
    size = np.maximum(n, 1.0)
    left = np.stack(
        [few2 - few**2 / size, complete2 - complete**2 / size, product - few * complete / size]
    )
    total = left.sum(axis=1)
    return np.where(freedom > 0, total / np.where(freedom > 0, freedom, 1.0), np.nan)
