"""How much differences between two systems vary from segment to segment, before data exist.

Measured on WMT23 English–German, where the variance of MQM's differences grows with the length of
the source and that of scores from 0 to 100 does not. `benchmarks/promised_power.py` replays the
promises made with these figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class DifferenceSpread:
    """The variance of the difference of two systems on one segment, as a share of the scale,
    squared: ``fixed``² + ``per_word``·W + ``per_square``·W², W words of the source, and at least
    ``least``². ``rho``: intra-document correlation of signed ranks. ``scale``: how wide it is, in
    points; None: as wide as that of the campaign's first question. ``of_sd``: the effective
    standard deviation for signed ranks, relative to that of differences. ``times``: the factor
    learned from judgments."""

    fixed: float = 0.20
    per_word: float = 0.0
    per_square: float = 0.0
    least: float = 0.0
    rho: float = 0.13
    scale: float | None = None
    of_sd: float = 1.1
    times: float = 1.0

    def share(self, words: float, squares: float) -> float:
        """Return the standard deviation as a share of the scale, for segments whose sources have
        ``words`` on average, with ``squares`` the mean of their squares."""
        variance = self.fixed**2 + self.per_word * words + self.per_square * squares
        return self.times * math.sqrt(max(variance, self.least**2))


# The effective value for signed ranks: the largest differences affect them less than the mean, so
# that these are a little below the standard deviations of the data.
MQM = DifferenceSpread(fixed=0.0, per_word=0.0013, per_square=0.0000063, scale=25.0, of_sd=0.87)
"""Of five major errors: .35 on paragraphs of 59 words (.42 in the data), .14 on segments of 14
words (.17 on another pair of languages), .16 of 18 (.21 on a third)."""
ESA = DifferenceSpread(fixed=0.322, per_word=-0.00045, least=0.2, rho=0.3)
""".30 on segments of 34 words, .20 of 138; .22 and .28 in the data of two campaigns on the same
outputs, and a little less on long texts."""
DA_SQM = DifferenceSpread(fixed=0.205, rho=0.55)
""".18 to .19 in the data, with a correlation of .54 that is partly due to raters, who each had
whole documents."""
