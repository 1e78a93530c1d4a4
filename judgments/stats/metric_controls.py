"""What trained metrics say of every segment of a pool, as controls of what people say of some."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def controls_of_metrics(metrics: ArrayLike, lengths: ArrayLike | None = None) -> np.ndarray:
    """Return controls (S, N, q) of several metrics (J, S, N), or one (S, N): their mean,
    standardized.

    Each metric is standardized over all scores of the pool. With ``lengths`` (N,), mean words of a
    segment's outputs, q = 2: the second is the first times length, over the mean length, as errors
    that are counted grow with the text. NaN where a metric has no score; a metric that does not
    vary counts for nothing.
    """
    scores = np.asarray(metrics, np.float64)
    scores = scores[None] if scores.ndim == 2 else scores
    if scores.ndim != 3:
        raise ValueError(f"metrics have the shape (J, S, N), not {scores.shape}")
    known = ~np.isnan(scores)
    count = np.maximum(known.sum(axis=(1, 2), keepdims=True), 1)
    centered = scores - np.where(known, scores, 0).sum(axis=(1, 2), keepdims=True) / count
    squares = np.where(known, centered, 0) ** 2
    sd = np.sqrt(squares.sum(axis=(1, 2), keepdims=True) / count)
    mean = (centered / np.where(sd > 0, sd, 1)).mean(axis=0)
    if lengths is None:
        return mean[:, :, None]
    words = np.asarray(lengths, np.float64)
    if words.shape != mean.shape[1:]:
        raise ValueError("there is one length for each segment")
    return np.stack([mean, mean * words / words.mean()], axis=-1)
