"""How long an item takes: a + b·W seconds for an output, W words of source and output.

Measured in the ESA study of WMT23 (Kocmi et al. 2024, "Error span annotation"): the fixed part is
worth 70 to 240 words, so that time depends more on items than on words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

PRIOR_ITEMS = 200
"""Weight of the prior knowledge in items."""
USUAL_WORDS, SD_OF_WORDS = 128.0, 134.0
"""Mean and standard deviation of W in that study, over which its a and b were fitted."""
SD_OF_ANNOTATORS = 0.39
"""Standard deviation of the logarithm of annotators' times, before data exist: within campaigns, of
62 people in the five of that study (.23 to .48) and in MQM with three raters (.53).
"""
PRIOR_ANNOTATORS = 10


@dataclass(frozen=True)
class ItemTime:
    """``per_output`` (a, seconds) and ``per_word`` (b)."""

    per_output: float
    per_word: float

    def seconds(self, outputs: float, words: float) -> float:
        """Return the seconds that the outputs take; words of a source that they share count
        once."""
        return self.per_output * outputs + self.per_word * words

    def hours(self, outputs: float, words: float) -> float:
        return self.seconds(outputs, words) / 3600


ESA_STUDY = ItemTime(31.6, 0.16)
"""For errors marked in that study: ESA 31.7 + .160 W, mean of its two campaigns; MQM 31.5 +
.162."""


def refit(
    before: ItemTime,
    outputs: ArrayLike,
    words: ArrayLike,
    seconds: ArrayLike,
    *,
    weight: float = PRIOR_ITEMS,
) -> ItemTime:
    """Return a and b by least squares from batches (n,) with their ``outputs``, ``words`` and
    ``seconds``, shrunk to ``before`` as if by ``weight`` more outputs that had taken exactly that
    time.

    The variance of a batch's time is proportional to its outputs. If a part would be negative, both
    of ``before`` are scaled instead.
    """
    x = np.stack([np.asarray(outputs, float), np.asarray(words, float)], axis=1)
    y = np.asarray(seconds, float)
    if not len(y):
        return before
    known = np.array([before.per_output, before.per_word])
    moments = np.array(
        [[1, USUAL_WORDS], [USUAL_WORDS, USUAL_WORDS**2 + SD_OF_WORDS**2]], dtype=float
    )
    scaled = (x / x[:, :1]).T
    a, b = np.linalg.solve(
        weight * moments + scaled @ x, weight * moments @ known + scaled @ y
    ).tolist()
    if a >= 0 and b >= 0:
        return ItemTime(a, b)
    usual = weight * float(moments[0] @ known)
    ratio = (usual + y.sum()) / (usual + float((x @ known).sum()))
    return ItemTime(*(known * ratio).tolist())


def log_ratio(time: ItemTime, outputs: float, words: float, seconds: float) -> float:
    """Return the logarithm of the time taken over the expected time."""
    return math.log(seconds / time.seconds(outputs, words))


@dataclass(frozen=True)
class AnnotatorSpread:
    """``sd`` of the logarithm of annotators' times, as precise as if from ``n`` annotators."""

    sd: float = SD_OF_ANNOTATORS
    n: int = PRIOR_ANNOTATORS

    def interval(self, middle: float, n_annotators: float) -> tuple[float, float]:
        """Return the ends of the interval that contains nine of ten times of work that takes
        ``middle`` and is shared by ``n_annotators``.

        ``middle`` is a mean, and the times of people are log-normal about it: the sum of several is
        close to log-normal too, with the same mean and variance (Fenton 1960, "The sum of
        log-normal probability distributions in scatter transmission systems"). Student's t, because
        both the spread and the level are estimated.
        """
        from scipy.special import stdtrit  # not needed on judging pages

        variance = math.log1p(math.expm1(self.sd**2) / max(1.0, n_annotators))
        error = math.sqrt(variance + self.sd**2 / self.n)
        reach = math.exp(float(stdtrit(self.n, 0.95)) * error)
        median = middle * math.exp(-variance / 2)
        return median / reach, median * reach


def spread_of_annotators(log_ratios: ArrayLike) -> AnnotatorSpread:
    """Return the spread from the logarithms (n,) of time taken over expected time, shrunk to
    `SD_OF_ANNOTATORS` as if by ten more annotators."""
    r = np.asarray(log_ratios, float)
    if len(r) < 2:
        return AnnotatorSpread()
    n = PRIOR_ANNOTATORS + len(r) - 1
    squares = PRIOR_ANNOTATORS * SD_OF_ANNOTATORS**2 + float(((r - r.mean()) ** 2).sum())
    return AnnotatorSpread(math.sqrt(squares / n), n)
