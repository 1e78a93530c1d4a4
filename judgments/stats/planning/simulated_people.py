"""Simulated annotators: how good texts are, and what careful and careless people answer.

Figures are in points of the scale. Careless people: one answers at random, a lazy one always gives
the middle, a fast one reads every other screen and answers the rest at random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .price import OTHER_RATERS, SHARED_BY_RATERS

CAREFUL, RANDOM, LAZY, FAST = KINDS = ("careful", "random", "lazy", "fast")
UNREAD = 0.5
"""Share of the screens that a fast person does not read."""
FAST_PACE = 0.1
"""A fast person's time, of what is usual."""


@dataclass(frozen=True)
class AnswerScale:
    """Of ``low`` to ``high``, in steps of ``step``; None: any number."""

    low: float
    high: float
    step: float | None = 1.0

    @property
    def width(self) -> float:
        return self.high - self.low

    def nearest(self, values: np.ndarray) -> np.ndarray:
        """Return the places on the scale that lie nearest to values (n,)."""
        if self.step is not None:
            values = self.low + self.step * np.rint((values - self.low) / self.step)
        return np.clip(values, self.low, self.high)

    def anywhere(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Return n places, each as likely as any other."""
        if self.step is None:
            return rng.uniform(self.low, self.high, n)
        n_values = round(self.width / self.step) + 1
        return self.low + self.step * rng.integers(0, n_values, n)


def answers(
    kind: str,
    quality: np.ndarray,
    scale: AnswerScale,
    rng: np.random.Generator,
    *,
    noise: float,
    screen: np.ndarray | None = None,
) -> np.ndarray:
    """Return what somebody of a kind answers to texts (n,) of a quality.

    ``noise``: standard deviation of a careful answer around what it should be. ``screen``: codes
    (n,) from 0 of the screens that the texts are on; without them each has its own.
    """
    n = len(quality)
    if kind == LAZY:
        return scale.nearest(np.full(n, (scale.low + scale.high) / 2))
    if kind == RANDOM:
        return scale.anywhere(n, rng)
    found = scale.nearest(quality + rng.normal(0, noise, n))
    if kind == FAST:
        on = np.arange(n) if screen is None else screen
        unread = (rng.random(int(on.max(initial=-1)) + 1) < UNREAD)[on]
        found[unread] = scale.anywhere(int(unread.sum()), rng)
    return found


@dataclass(frozen=True)
class SpreadOfAnswers:
    """Standard deviations of what makes one answer: the system in a ``document`` and on a
    ``segment``; what one person thinks of these, ``own_document`` and ``own_segment``, every time
    they are asked; how ``severe`` people are; and the ``noise`` of the moment."""

    document: float
    segment: float
    own_document: float
    own_segment: float
    severe: float
    noise: float

    @classmethod
    def of(cls, sd: float, rho: float, noise: float) -> SpreadOfAnswers:
        """From the standard deviation of the difference of two systems on a segment that one person
        judges and its correlation ``rho`` within documents, as plans are reckoned with. More noise
        than that leaves room for is kept as it is."""
        one = sd**2 / 2
        document = min(rho, SHARED_BY_RATERS)
        own_document = rho - document
        own_segment = (1 - SHARED_BY_RATERS - own_document) * one - noise**2
        return cls(
            document=math.sqrt(document * one),
            segment=math.sqrt((SHARED_BY_RATERS - document) * one),
            own_document=math.sqrt(own_document * one),
            own_segment=math.sqrt(max(0.0, own_segment)),
            severe=math.sqrt((OTHER_RATERS - 1) * one),
            noise=noise,
        )


@dataclass(frozen=True)
class Qualities:
    """``truth``: (S, N) of S systems on N segments. `seen_by` adds what one person makes of it."""

    truth: np.ndarray
    document: np.ndarray
    spread: SpreadOfAnswers

    @classmethod
    def draw(
        cls,
        means: np.ndarray,
        document: np.ndarray,
        spread: SpreadOfAnswers,
        rng: np.random.Generator,
    ) -> Qualities:
        """``means`` (S,) of the systems; ``document``: codes (N,) from 0."""
        found = _effects(len(means), document, spread.document, spread.segment, rng)
        return cls(means[:, None] + found, document, spread)

    def seen_by(self, rng: np.random.Generator) -> np.ndarray:
        """Return (S, N) as a person sees it who reads: the same whenever they are asked."""
        spread, n = self.spread, len(self.truth)
        own = _effects(n, self.document, spread.own_document, spread.own_segment, rng)
        return self.truth + own - rng.normal(0, spread.severe)


def _effects(
    n_systems: int,
    document: np.ndarray,
    of_document: float,
    of_segment: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return (S, N): what each system has of a document and of a segment."""
    n_documents = int(document.max(initial=-1)) + 1
    shared = rng.normal(0, of_document, (n_systems, n_documents))[:, document]
    return shared + rng.normal(0, of_segment, (n_systems, len(document)))
