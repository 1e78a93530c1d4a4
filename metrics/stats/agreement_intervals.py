"""The 95 % intervals of metrics' agreement with people, and their p-values: one rule for each kind
of figure, so that p < .05 exactly where the 95 % interval leaves 0 out.

Systems are the sample: another test of the same metric would meet other systems. Few of them leave
percentiles of a bootstrap too narrow, so none is drawn. How often each rule holds the true value
was measured (``benchmarks/correlation_coverage.py``, docs/decisions/0016).
"""

from dataclasses import dataclass
from math import atanh, isnan, nan, sqrt, tanh

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

Floats = NDArray[np.float64]

LEVEL = 0.95
FEWEST_SYSTEMS = 4
TOO_FEW = "too few systems for an interval"
NAMES = {
    "pearson": "Pearson over systems: Fisher's z with Student's t (n − 2 degrees of freedom)",
    "share": "accuracies and rank correlations over systems: Wilson's interval of a share of "
    "pairs, n − 1 of which count as independent (n − 3 for Spearman's ρ)",
    "jackknife": "over segments: Student's t with the jackknife's error over systems and segments",
}


@dataclass(frozen=True)
class Ends:
    """The ends of an interval; NaN with a reason where there is none. ``p_value``: two-sided, of no
    correlation by the rule of the interval."""

    low: float = nan
    high: float = nan
    reason: str = ""
    p_value: float = nan


def pearson_interval(r: float, n: int, level: float = LEVEL) -> Ends:
    """Return for Pearson's r of n systems: tanh(atanh(r) ± t(n - 2)/√(n - 3)), Fisher's z with
    Student's t in the place of the normal."""
    if isnan(r):
        return Ends()
    if n < FEWEST_SYSTEMS:
        return Ends(reason=TOO_FEW)
    if abs(r) >= 1:
        return Ends(r, r, p_value=0.0)
    half = float(stdtrit(n - 2, (1 + level) / 2)) / sqrt(n - 3)
    p_value = 2 * float(stdtr(n - 2, -abs(atanh(r)) * sqrt(n - 3)))
    return Ends(tanh(atanh(r) - half), tanh(atanh(r) + half), p_value=p_value)


def share_interval(share: float, n: int, counted: float = 1.0, level: float = LEVEL) -> Ends:
    """Return for a share of the pairs of n systems: Wilson's (1927) interval, as if n - 1 pairs
    were independent, or as many of them as there are of all pairs if only the part ``counted``
    is."""
    return _wilson(share, n, (n - 1) * counted, level)


def rank_interval(coefficient: float, n: int, name: str = "kendall", level: float = LEVEL) -> Ends:
    """Return for "kendall" or "spearman" of n systems: that of the share (1 + τ)/2, on the scale of
    τ; Spearman's rho, which is farther from the truth, counts n - 3 pairs. The p-value is that of
    the score test, which Wilson's interval inverts."""
    pairs = n - 3 if name == "spearman" else n - 1
    found = _wilson((1 + coefficient) / 2, n, pairs, level)
    p_value = nan if isnan(found.low) else 2 * float(ndtr(-abs(coefficient) * sqrt(pairs)))
    return Ends(2 * found.low - 1, 2 * found.high - 1, found.reason, p_value)


def _wilson(share: float, n: int, pairs: float, level: float) -> Ends:
    if isnan(share):
        return Ends()
    if n < FEWEST_SYSTEMS:
        return Ends(reason=TOO_FEW)
    z2 = float(ndtri((1 + level) / 2)) ** 2 / pairs
    middle = (share + z2 / 2) / (1 + z2)
    half = sqrt(z2 * share * (1 - share) + z2**2 / 4) / (1 + z2)
    return Ends(max(0.0, middle - half), min(1.0, middle + half))


def jackknife_interval(
    estimate: float, systems: Floats, blocks: Floats, *, is_correlation: bool, level: float = LEVEL
) -> Ends:
    """Return for a figure over segments: estimate ± t(S - 1) · √(variance over systems + over
    segments), each the jackknife's (Efron and Stein 1981); on Fisher's z for a correlation.

    ``systems`` (S,): the figure without one system each; ``blocks`` (G,): without one of G blocks
    of segments. A figure without a value says that there is none.
    """
    if isnan(estimate):
        return Ends()
    if len(systems) < FEWEST_SYSTEMS:
        return Ends(reason=TOO_FEW)
    both = [np.asarray(each, np.float64) for each in (systems, blocks)]
    center = estimate
    if is_correlation:
        most = 1 - 1e-12
        center = atanh(min(max(estimate, -most), most))
        both = [np.arctanh(each.clip(-most, most)) for each in both]
    variance = sum(
        (len(each) - 1) / len(each) * float(np.sum((each - each.mean()) ** 2)) for each in both
    )
    if isnan(variance):
        return Ends(reason="no value without one of the systems or segments")
    half = float(stdtrit(len(systems) - 1, (1 + level) / 2)) * sqrt(variance)
    if is_correlation:
        return Ends(tanh(center - half), tanh(center + half))
    return Ends(max(0.0, center - half), min(1.0, center + half))


def leave_out(n: int, n_blocks: int) -> Floats:
    """Return weights (G, n) of n units without one of G ≤ ``n_blocks`` blocks each, of
    neighbors."""
    blocks = np.array_split(np.arange(n), max(1, min(n, n_blocks)))
    weights = np.ones((len(blocks), n))
    for row, block in zip(weights, blocks, strict=True):
        row[block] = 0
    return weights
