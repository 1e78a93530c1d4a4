"""All pairs of systems adjusted together: what the largest Z of many would be by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

FLIPS = 10_000
BLOCK_CELLS = 2_000_000
# Sums of the same numbers in another order differ by rounding; they count as equal.
ROUNDING = 1e-9


def step_down_max_z(
    z_values: ArrayLike,
    sums: ArrayLike,
    *,
    rng: np.random.Generator | None = None,
    flips: int = FLIPS,
) -> np.ndarray:
    """Adjusted p (P,) of all pairs, from ``z_values`` (P,) and ``sums`` (P, G) of documents.

    The signs of documents are flipped: Z*_p = Σξ_gS_gp/√ΣS_gp². |Z| is compared with the largest
    |Z*| of the pairs not yet rejected, p = (1 + #{largest ≥ |Z|})/(B + 1), and made monotone
    (Romano and Wolf 2005). All 2^G flips where they are at most ``flips``, else so many drawn ones,
    which need ``rng``. NaN stays NaN. Only for signed ranks: with t it fails on few documents.
    """
    z, s = np.abs(np.asarray(z_values, np.float64)), np.asarray(sums, np.float64)
    s = s[:, (s != 0).any(axis=0)]
    spread = np.sqrt((s**2).sum(axis=1))
    tested = np.flatnonzero(~np.isnan(z))
    order = tested[np.argsort(-z[tested], kind="stable")]
    unit = np.divide(s, spread[:, None], out=np.zeros_like(s), where=spread[:, None] > 0)[order]
    groups = s.shape[1]
    whole = groups < 60 and 2**groups <= flips
    n = 2**groups if whole else flips
    if not whole and rng is None:
        raise ValueError("drawn flips need a random generator")
    above = np.zeros(len(order))
    block = max(1, BLOCK_CELLS // max(groups, len(order), 1))
    for start in range(0, n, block):
        rows = np.arange(start, min(n, start + block))
        if whole:
            plus = rows[:, None] >> np.arange(groups) & 1
        else:
            assert rng is not None
            plus = rng.integers(0, 2, (len(rows), groups), np.int8)
        flipped = np.abs((2.0 * plus - 1) @ unit.T)
        largest = np.maximum.accumulate(flipped[:, ::-1], axis=1)[:, ::-1]
        above += (largest >= z[order] - ROUNDING).sum(axis=0)
    adjusted = np.full(z.shape, np.nan)
    adjusted[order] = np.maximum.accumulate((1 + above) / (n + 1))
    return adjusted
