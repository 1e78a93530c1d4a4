"""What a campaign costs in segments, and what its question and its promise cost.

By formula, before there are data; with a pilot, `judgments.stats.resampled_power` is better: for
rank tests the formula is only near. A segment is judged for all systems by one annotator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from judgments.stats.elimination import pairs_to_share
from judgments.stats.power import NO_EFFECT, minimum_detectable_effect

QUESTIONS = ("all", "one-against-others", "one-pair")
PROMISES = ("holm", "bh")
SEPARATED = 0.7
"""Share of pairs expected to be separated, for Benjamini–Hochberg: .63 to .72 were, in replays of
three language pairs of WMT23's expert MQM at 90 % of the decisions of the whole."""
BH_MEASURED = (0.46, 0.57)
"""Range of the judgments that Benjamini–Hochberg needed in those replays, Holm = 1."""
SHARED_BY_RATERS = 0.385
"""Share of the variance of a paired difference that is of the segment, and stays however many rate
it: in MQM with three raters (WMT23 English–German) three left .59 of one rater's. The rest is of
annotator and occasion."""
OTHER_RATERS = 0.70 / 0.42
"""Variance of a paired difference when two people judge the two outputs, in units of that when one
does: .70 against .42 of the unpaired, in three-rater MQM of WMT23."""
FEW_DOCUMENTS = "too few documents"
SMALL_POOL = "not even if the whole pool is judged: add documents, or accept a larger difference"


@dataclass(frozen=True)
class Design:
    """What is judged of what: the variance of a mean difference depends on it.

    ``pool`` N: segments that metrics score, judged or not (infinite: as many as one likes).
    ``judged_per_document`` h and ``pooled_per_document`` H: Σm²/Σm of the m segments of each
    document that are judged, or pooled. ``rho``: intra-document correlation. ``r_squared``: share
    of the variance that the controls explain, about .20 of signed ranks with four trained metrics,
    .14 with one, 0 with BLEU and chrF (measured on one language pair).
    """

    pool: float = math.inf
    judged_per_document: float = 1.0
    pooled_per_document: float = 1.0
    rho: float = 0.13
    r_squared: float = 0.0

    def __post_init__(self) -> None:
        if not (0 <= self.rho < 1 and 0 <= self.r_squared < 1 and self.pool >= 1):
            raise ValueError("rho and r_squared are shares below 1, a pool has segments")
        if min(self.judged_per_document, self.pooled_per_document) < 1:
            raise ValueError("a document has at least one segment")

    @property
    def judged_part(self) -> float:
        """(1 - R²)(1 + (h - 1)ρ): what only judging more segments makes smaller."""
        return (1 - self.r_squared) * (1 + (self.judged_per_document - 1) * self.rho)

    @property
    def pool_part(self) -> float:
        """R²(1 + (H - 1)ρ), which n/N is multiplied with: smaller in a larger pool."""
        return self.r_squared * (1 + (self.pooled_per_document - 1) * self.rho)

    def variance_factor(self, n: float) -> float:
        """Return variance of the mean of n judged segments, in units of that of independent
        ones."""
        return self.judged_part + self.pool_part * n / self.pool


@dataclass(frozen=True)
class SegmentsNeeded:
    """``n`` judged segments (whole, as a float; NaN where undefined, and ``reason`` says why) that
    separate two systems that differ by ``difference``, with the chance ``power``."""

    n: float
    difference: float
    pair_alpha: float
    power: float
    reason: str = ""


@dataclass(frozen=True)
class SmallestDifference:
    """The smallest ``difference`` that ``n`` judged segments show with the chance ``power``."""

    difference: float
    n: int
    pair_alpha: float
    power: float
    reason: str = ""


def variance_of_raters(n: float) -> float:
    """Return the variance of the mean of ``n`` raters' differences on a segment, of one rater's."""
    return SHARED_BY_RATERS + (1 - SHARED_BY_RATERS) / n


def segments_per_document(sizes: ArrayLike) -> float:
    """Return Σm²/Σm of documents with ``sizes`` (G,) segments: how many a segment finds in its
    document, itself included. NaN without segments."""
    m = np.asarray(sizes, np.float64)
    return float((m**2).sum() / m.sum()) if m.sum() > 0 else math.nan


def number_of_pairs(n_systems: int, question: str = "all") -> int:
    """Return pairs m that share alpha: S(S - 1)/2, S - 1 against one system, or 1 named before."""
    if question not in QUESTIONS:
        raise ValueError(f"a question is one of {', '.join(QUESTIONS)}, not {question!r}")
    pairs = int(pairs_to_share(n_systems))
    return {"all": pairs, "one-against-others": n_systems - 1, "one-pair": 1}[question]


def alpha_of_pair(
    n_pairs: int, *, promise: str = "holm", alpha: float = 0.05, separated: float = SEPARATED
) -> float:
    """Return the p at which a pair counts as separated.

    "holm": α/m, no wrong separation in 1 - α of such tables (the first step of Holm 1979). "bh": α
    times the share ``separated`` of the pairs, but at least α/m: of the separations at most α are
    expected to be false (Benjamini and Hochberg 1995). A weaker promise, not a saving.
    """
    if promise not in PROMISES or n_pairs < 1 or not 0 < separated <= 1:
        raise ValueError(f"pairs, a share separated, and a promise of {', '.join(PROMISES)}")
    return alpha * max(1 / n_pairs, separated if promise == "bh" else 0.0)


def segments_needed(
    difference: float, sd: float, design: Design, *, pair_alpha: float = 0.05, power: float = 0.8
) -> SegmentsNeeded:
    """Return n = ((z_{1-α/2} + z_{power})·σ/δ)² · [(1 - R²)(1 + (h - 1)ρ) + R²·n/N·(1 + (H - 1)ρ)].

    Solved for n and rounded up. ``sd``: σ of the difference of two systems on one segment;
    ``pair_alpha`` from `alpha_of_pair`. Cochran 1977, ch. 7 and 9. Raise ValueError for a negative
    sd.
    """
    reach = _reach(sd, pair_alpha, power)
    if difference == 0 or math.isnan(reach):
        reason = NO_EFFECT if difference == 0 else "the differences do not vary"
        return SegmentsNeeded(math.nan, difference, pair_alpha, power, reason)
    independent = (reach / difference) ** 2
    share = 1 - independent * design.pool_part / design.pool
    n = independent * design.judged_part / share if share > 0 else math.inf
    if not n <= design.pool:
        return SegmentsNeeded(math.nan, difference, pair_alpha, power, SMALL_POOL)
    whole = float(max(1, math.ceil(round(n, 9))))
    return SegmentsNeeded(whole, difference, pair_alpha, power)


def smallest_difference(
    n: int,
    sd: float,
    design: Design,
    *,
    clusters: float = math.inf,
    pair_alpha: float = 0.05,
    power: float = 0.8,
) -> SmallestDifference:
    """`segments_needed` turned round: δ = (z_{1-α/2}·√(G/(G - z²)) + z_{power})·σ·√([…]/n).

    ``clusters``: G documents that the test sums over. Its Z = Σ S_g/√(Σ S_g²) = t·√(G/(G - 1 + t²))
    cannot be larger than √G: with few documents a small p needs a larger t than z. Raise ValueError
    for a negative sd, or n outside 1 to the pool.
    """
    if not 1 <= n <= design.pool:
        raise ValueError(f"1 to {design.pool:g} segments of the pool can be judged, not {n}")
    spread = sd * math.sqrt(design.variance_factor(n))
    found = minimum_detectable_effect(spread, n, alpha=pair_alpha, power=power)
    z = float(ndtri(1 - pair_alpha / 2))
    if clusters <= z**2:
        return SmallestDifference(math.nan, n, pair_alpha, power, FEW_DOCUMENTS)
    if math.isinf(clusters):
        few = 1.0
    else:
        few = (z * math.sqrt(clusters / (clusters - z**2)) + ndtri(power)) / (z + ndtri(power))
    return SmallestDifference(found.effect * float(few), n, pair_alpha, power, found.reason)


def price_of_question(
    n_systems: int, question: str, *, alpha: float = 0.05, power: float = 0.9
) -> float:
    """Return segments in units of what comparing all pairs takes, all else equal, Holm.

    ((z_{1-α/2m} + z_{power})/(z_{1-α/2M} + z_{power}))², M all pairs. With 12 systems .785 for one
    against the others, .49 for one pair.
    """
    asked = alpha_of_pair(number_of_pairs(n_systems, question), alpha=alpha)
    every = alpha_of_pair(number_of_pairs(n_systems), alpha=alpha)
    return (_reach(1, asked, power) / _reach(1, every, power)) ** 2


def _reach(sd: float, pair_alpha: float, power: float) -> float:
    """Return (z_{1-α/2} + z_{power})·σ."""
    return minimum_detectable_effect(sd, 1, alpha=pair_alpha, power=power).effect
