"""How many judgments separate two systems, and how small a difference those at hand can show.

By formula, from a standard deviation or a rate of wins; `judgments.stats.resampled_power` asks the
same of a campaign's own data and its own test. An item is a segment that both systems have a
judgment of, so that n items are 2n ratings, or n comparisons.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtri

NO_EFFECT = "no number of judgments separates systems that do not differ"
NO_SPREAD = "the differences do not vary"


@dataclass(frozen=True)
class SampleSize:
    """``n`` items (whole, as a float; NaN where undefined) for ``effect`` at ``power``.

    ``effect`` is on the scale of the judgments, or a rate of wins for the sign test.
    """

    n: float
    effect: float
    alpha: float
    power: float
    test: str
    reason: str = ""


@dataclass(frozen=True)
class DetectableEffect:
    """The smallest ``effect`` that ``n`` items separate with ``power``; NaN where undefined."""

    effect: float
    n: int
    alpha: float
    power: float
    test: str
    reason: str = ""


def required_judgments(
    effect: float, sd: float, *, alpha: float = 0.05, power: float = 0.8
) -> SampleSize:
    """Return items n = ((z_{1-α/2} + z_{power}) · sd / effect)², rounded up, of a paired
    comparison.

    ``sd`` is the standard deviation of the differences between two systems on one item; where items
    come in documents, pass se · √n of `paired_difference`, which holds what the documents do.
    Normal approximation, two-sided (Cohen 1988). Raise ValueError for a share outside 0 to 1 or a
    negative sd.
    """
    _check(alpha, power)
    if sd < 0:
        raise ValueError(f"a standard deviation is not negative: {sd}")
    reason = _why_not(effect, sd)
    if reason or effect == 0:
        n, reason = math.nan, reason or NO_EFFECT
    else:
        n = _up(((ndtri(1 - alpha / 2) + ndtri(power)) * sd / effect) ** 2)
    return SampleSize(n, effect, alpha, power, "paired", reason)


def minimum_detectable_effect(
    sd: float, n: int, *, alpha: float = 0.05, power: float = 0.8
) -> DetectableEffect:
    """Return effect (z_{1-α/2} + z_{power}) · sd / √n: that of `required_judgments`, turned
    round."""
    _check(alpha, power)
    if sd < 0 or n < 0:
        raise ValueError(f"neither sd nor n is negative: {sd}, {n}")
    reason = _why_not(sd) or ("" if n else "there are no pairs") or ("" if sd else NO_SPREAD)
    effect = math.nan
    if not reason:
        effect = float(ndtri(1 - alpha / 2) + ndtri(power)) * sd / math.sqrt(n)
    return DetectableEffect(effect, n, alpha, power, "paired", reason)


def required_comparisons(win_rate: float, *, alpha: float = 0.05, power: float = 0.8) -> SampleSize:
    """Return comparisons without a tie that the two-sided sign test needs for a true ``win_rate``.

    n = ((z_{1-α/2}/2 + z_{power}·√(w(1 - w))) / (w - ½))², rounded up (Noether 1987). ValueError
    for a rate outside 0 to 1.
    """
    _check(alpha, power)
    if not (math.isnan(win_rate) or 0 <= win_rate <= 1):
        raise ValueError(f"a rate of wins is between 0 and 1, not {win_rate}")
    reason = _why_not(win_rate)
    if reason or win_rate == 0.5:
        return SampleSize(math.nan, win_rate, alpha, power, "sign", reason or NO_EFFECT)
    spread = math.sqrt(win_rate * (1 - win_rate))
    n = _up(((ndtri(1 - alpha / 2) / 2 + ndtri(power) * spread) / (win_rate - 0.5)) ** 2)
    return SampleSize(max(n, _fewest_signs(alpha)), win_rate, alpha, power, "sign")


def _fewest_signs(alpha: float) -> float:
    """Return fewer signs are not significant even if all are the same: 2 · ½ⁿ ≤ alpha."""
    return float(math.ceil(1 - math.log2(alpha)))


def _up(n: float) -> float:
    """Return rounded up, but for floating-point dust; at least one."""
    return float(max(1, math.ceil(round(float(n), 9))))


def _why_not(*values: float) -> str:
    return "" if all(map(math.isfinite, values)) else "there are too few judgments"


def _check(alpha: float, power: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is a share between 0 and 1, not {alpha}")
    if not alpha < power < 1:
        raise ValueError(f"power is a share between alpha and 1, not {power}")
