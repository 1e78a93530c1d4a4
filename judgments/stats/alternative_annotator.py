"""Whether a judge may stand for a person: the alternative annotator test.

Calderon, Reichart and Dror (ACL 2025, "The alternative annotator test for LLM-as-a-judge: How to
statistically justify replacing human annotators with LLMs"). Each person in turn is left out, and
the judge and that person are compared by how close they are to all others.

R annotations of people are given in long form: ``people``, ``instances`` and ``values`` (R,), at
most one of a person and an instance; the ``judge`` by instance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.significance import benjamini_yekutieli

FEWEST = 30
"""Instances that a person needs for the test."""
LEVEL = 0.05
EPSILONS = {"experts": 0.2, "trained": 0.15, "crowd": 0.1}
"""What a judge's lower price is worth, by whom it would stand for; set before the data."""
# Equal but for what is lost in sums.
TIE = 1e-12


@dataclass(frozen=True)
class AlternativeAnnotator:
    """Of each of the P people with enough instances: ``people`` (P,), as given; ``n`` instances
    with the judge and others; ``advantages``: the share in which the judge is as close to the
    others or closer; ``p_values``; ``beaten``: whom the judge is not worse than by ``epsilon``.

    ``winning_rate`` (ω): the share of people beaten; ``advantage`` (ρ): the mean of ``advantages``,
    with ``low`` and ``high`` by bootstrap over documents, of which there are ``n_documents``. NaN
    without people; the interval also with one document.
    """

    people: np.ndarray
    n: np.ndarray
    advantages: np.ndarray
    p_values: np.ndarray
    beaten: np.ndarray
    winning_rate: float
    advantage: float
    low: float
    high: float
    n_documents: int
    epsilon: float

    @property
    def may_stand(self) -> bool:
        """Whether the judge may stand for a person at this ``epsilon``."""
        return self.winning_rate >= 0.5


def closer_numbers(instances: ArrayLike, values: ArrayLike, judge: ArrayLike) -> np.ndarray:
    """Return (R,) how much closer to the others each annotation is than the judge's of its
    instance: above 0 the person's, below 0 the judge's, 0 as close. By the root of the mean squared
    distance. ``instances`` count from 0; NaN where the judge (I,) or all others said nothing."""
    at, y = np.asarray(instances), np.asarray(values, np.float64)
    x = np.asarray(judge, np.float64)[at]
    n, total = np.bincount(at), np.bincount(at, y)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (total[at] - y) / (n[at] - 1)
        # Σ(x - o)² - Σ(y - o)² over the others o, divided by how many they are.
        found = (x - y) * (x + y - 2 * mean)
    found[np.abs(found) <= TIE * (x**2 + y**2 + mean**2)] = 0.0
    found[n[at] < 2] = np.nan
    return found


def closer_categories(instances: ArrayLike, values: ArrayLike, judge: ArrayLike) -> np.ndarray:
    """Return the same of categories, coded as numbers: by how many of the others said the same."""
    at, y = np.asarray(instances), np.asarray(values, np.float64)
    x = np.asarray(judge, np.float64)[at]
    cells, place, n = np.unique(np.stack([at, y]), axis=1, return_inverse=True, return_counts=True)
    counts = dict(zip(map(tuple, cells.T.tolist()), n.tolist(), strict=True))
    others = n[place.ravel()] - 1
    judges = [counts.get(key, 0) for key in zip(at.tolist(), x.tolist(), strict=True)]
    found = others - (np.array(judges, np.float64) - (x == y))
    found[np.isnan(x) | (np.bincount(at)[at] < 2)] = np.nan
    return found


def alternative_annotator(
    closer: ArrayLike,
    people: ArrayLike,
    documents: ArrayLike | None = None,
    *,
    epsilon: float,
    fewest: int = FEWEST,
    draws: np.ndarray | None = None,
) -> AlternativeAnnotator:
    """Test a judge against ``people`` (R,) from ``closer`` (R,), as `closer_numbers` returns it.

    One-sided t test of each person, over their instances, that the judge is worse by ``epsilon`` or
    more; Benjamini and Yekutieli (2001) over people at .05. With ``documents`` (R,),
    from 0, and `document_draws` of them, ρ has an interval. It is our addition, as instances of one
    text are not independent.
    """
    there = ~np.isnan(np.asarray(closer, np.float64))
    c = np.asarray(closer, np.float64)[there]
    names, code, n = np.unique(np.asarray(people)[there], return_inverse=True, return_counts=True)
    kept = n >= fewest
    wins, losses = np.bincount(code, c <= 0, len(n))[kept], np.bincount(code, c >= 0, len(n))[kept]
    names, n = names[kept], n[kept]
    p_values = _p_values(wins, losses, n, epsilon)
    beaten = benjamini_yekutieli(p_values) <= LEVEL
    low, high, n_documents = math.nan, math.nan, 0
    if documents is not None and draws is not None and len(n):
        place = np.where(kept, np.cumsum(kept) - 1, -1)[code]
        own = place >= 0
        of_document = np.asarray(documents)[there][own]
        low, high, n_documents = _interval(place[own], c[own] <= 0, of_document, draws)
    return AlternativeAnnotator(
        people=names,
        n=n,
        advantages=wins / n,
        p_values=p_values,
        beaten=beaten,
        winning_rate=float(beaten.mean()) if len(n) else math.nan,
        advantage=float((wins / n).mean()) if len(n) else math.nan,
        low=low,
        high=high,
        n_documents=n_documents,
        epsilon=epsilon,
    )


def _p_values(wins: np.ndarray, losses: np.ndarray, n: np.ndarray, epsilon: float) -> np.ndarray:
    """Return for the one-sample t test of d = losses - wins of each instance, ties being both,
    against a mean of ``epsilon`` or more."""
    from scipy.special import stdtr  # a page without a judge needs none of it

    mean = (losses - wins) / n
    squares = (n - wins) + (n - losses)  # every instance that is no tie
    spread = np.sqrt(np.maximum(squares / n - mean**2, 0) * n / np.maximum(n - 1, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (mean - epsilon) / np.where(spread > 0, spread / np.sqrt(n), 0.0)
    return stdtr(n - 1, t)


def document_draws(n: int, rng: np.random.Generator, replications: int = 1000) -> np.ndarray:
    """Return how often each of ``n`` documents is drawn, (n, replications), for all judges of the
    same texts; of float, as products of whole numbers take many times as long."""
    return rng.multinomial(n, np.full(n, 1 / n), replications).T.astype(np.float64)


def _interval(
    people: np.ndarray, won: np.ndarray, documents: np.ndarray, draws: np.ndarray
) -> tuple[float, float, int]:
    """Return percentiles of the mean over people of what they won, and how many documents there
    are."""
    n_documents = len(np.unique(documents))
    if n_documents < 2:
        return math.nan, math.nan, n_documents
    shape = int(people.max()) + 1, len(draws)
    cells = people * shape[1] + documents
    wins, of = (
        np.bincount(cells, weights, math.prod(shape)).reshape(shape) for weights in (won, None)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.nanmean((wins @ draws) / (of @ draws), axis=0)
    low, high = np.nanquantile(means, (0.025, 0.975)).tolist()
    return low, high, n_documents
