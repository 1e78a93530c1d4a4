"""How the systems of a block are drawn, how likely two of them meet, and what few of them cost.

What is found of systems that were drawn is in `judgments.stats.chosen_systems`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

DECIDED_CHANCE = 0.1
"""Of a system about which the race has nothing open: every pair can still meet."""


@dataclass(frozen=True, eq=False)
class SystemChoice:
    """How the systems of a block are drawn: each with its ``chances`` (S,) and by itself; or, with
    a ``size``, so many of all, every set of them with the same probability."""

    chances: np.ndarray
    size: int | None = None

    @functools.cached_property
    def meeting(self) -> np.ndarray:
        """(S, S): the probability that two systems are drawn together; on the diagonal its own."""
        n = len(self.chances)
        if self.size is None:
            found = np.outer(self.chances, self.chances)
        else:
            found = np.full((n, n), self.size * (self.size - 1) / max(1, n * (n - 1)))
        np.fill_diagonal(found, self.chances)
        return found

    @functools.cached_property
    def ways(self) -> np.ndarray:
        """(S, S, S): how much of what is known of a and b comes by way of c, 1/(1/π_ac + 1/π_bc);
        where c is a or b, nothing."""
        inverse = 1 / np.where(self.meeting > 0, self.meeting, np.nan)
        found = np.nan_to_num(1 / (inverse[:, None, :] + inverse[None, :, :]))
        each = np.arange(len(self.chances))
        found[each, :, each] = found[:, each, each] = 0.0
        return found

    @functools.cached_property
    def weight(self) -> np.ndarray:
        """(S, S): what a segment of this wave counts beside those of others, known before it is
        judged: by the most likely way in which the two are compared."""
        found = np.maximum(self.meeting, self.ways.max(axis=2, initial=0.0))
        np.fill_diagonal(found, 1.0)
        return found

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Return (S,): which systems a block shows."""
        n = len(self.chances)
        if self.size is None:
            return rng.random(n) < self.chances
        drawn = np.zeros(n, bool)
        drawn[rng.permutation(n)[: self.size]] = True
        return drawn


def all_systems(n_systems: int) -> SystemChoice:
    """Return the choice that shows every system."""
    return SystemChoice(np.ones(n_systems))


def random_systems(n_systems: int, size: int) -> SystemChoice:
    """So many of all, at random. Raise ValueError for fewer than two, which are never compared."""
    if not 2 <= size <= n_systems:
        raise ValueError(f"2 to {n_systems} systems are shown, not {size}")
    return SystemChoice(np.full(n_systems, size / n_systems), size)


def racing_systems(contenders: ArrayLike) -> SystemChoice:
    """Return contenders (S,) always, the others with probability .1 each."""
    return SystemChoice(np.where(np.asarray(contenders, bool), 1.0, DECIDED_CHANCE))


def price_of_random(n_systems: int, size: int, *, gaps: float = 0.0) -> float:
    """Return outputs that ``size`` of ``n_systems`` at random take to compare all pairs as
    precisely as blocks with all systems, which take 1.

    By the variance of ψ, averaged over pairs, where outputs vary about their systems' means with
    variance 1 and those means about each other with variance ``gaps``, both of a block of segments.
    """
    choice = random_systems(n_systems, size)
    meeting = float(choice.meeting[0, 1])
    way = float(choice.ways[0, 1, 2]) if n_systems > 2 else 0.0
    total = meeting + (n_systems - 2) * way
    direct, indirect = meeting / total, way / total
    # Both shown: a's own output counts directly and by each third one; c's cancel.
    both = meeting * 2 * ((direct + (size - 2) * indirect) / meeting) ** 2
    # One of the two: its output by each of the others shown, and each of theirs once.
    one = size * (n_systems - size) / (n_systems * (n_systems - 1))
    alone = 2 * one * (indirect / meeting) ** 2 * size * (size - 1)
    ratio = (both + alone) / 2
    return size / n_systems * (ratio * (1 + gaps) - gaps)
