"""Whether a judge may stand for a person: the alternative annotator test.

Calderon, Reichart and Dror (ACL 2025, "The alternative annotator test for LLM-as-a-judge: How to
statistically justify replacing human annotators with LLMs"). Each person in turn is left out, and
the judge and that person are compared by how close they are to all others.
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
"""What a judge's price is worth, by whom it would stand for; chosen before the data are seen."""
# Equal but for what is lost in sums.
TIE = 1e-12


@dataclass(frozen=True)
class AlternativeAnnotator:
    """Of each of the P people with enough instances: ``people`` (P,), their places; ``n`` instances
    with the judge and others; ``advantages``, the share in which the judge is as close to the
    others or closer; ``p_values``; ``beaten``: the judge's is better by more than -``epsilon``.

    ``winning_rate`` (ω): the share of people beaten; ``advantage`` (ρ): the mean of ``advantages``,
    with ``low`` and ``high`` by bootstrap over documents, of which there are ``n_documents``. NaN
    without people, or with one document.
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


def closer_numbers(people: ArrayLike, judge: ArrayLike) -> np.ndarray:
    """Return how much closer to the others each of the ``people`` (P, N) is than the ``judge``
    (N,), as (P, N): above 0 the person, below 0 the judge, 0 as close, by the root of the mean
    squared distance; NaN where a person or the judge said nothing, or nobody else did."""
    y, x = np.asarray(people, np.float64), np.asarray(judge, np.float64)
    there = ~np.isnan(y)
    others = there.sum(axis=0) - there
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (np.where(there, y, 0.0).sum(axis=0) - np.where(there, y, 0.0)) / others
        # Σ(x - o)² - Σ(y - o)² over the others o, divided by how many they are.
        found = (x - y) * (x + y - 2 * mean)
        scale = x**2 + y**2 + mean**2
    found[np.abs(found) <= TIE * scale] = 0.0
    found[~there | (others < 1)] = np.nan
    return found


def closer_categories(people: ArrayLike, judge: ArrayLike) -> np.ndarray:
    """Return the same of categories, coded as numbers: by how many of the others said the same."""
    y, x = np.asarray(people, np.float64), np.asarray(judge, np.float64)
    there = ~np.isnan(y)
    others = there.sum(axis=0) - there
    alike = np.zeros_like(y)
    for i in range(len(y)):
        rest = np.delete(y, i, axis=0)
        alike[i] = (rest == y[i]).sum(axis=0) - (rest == x).sum(axis=0)
    alike[~there | np.isnan(x) | (others < 1)] = np.nan
    return alike


def alternative_annotator(
    closer: ArrayLike,
    *,
    epsilon: float,
    documents: ArrayLike | None = None,
    fewest: int = FEWEST,
    rng: np.random.Generator | None = None,
    replications: int = 1000,
) -> AlternativeAnnotator:
    """Test a judge against people from ``closer`` (P, N), as `closer_numbers` returns it.

    One-sided t test of each person that the judge is worse by ``epsilon`` or more, over their
    instances; Benjamini and Yekutieli (2001) over people at .05. ``documents`` (N,) and ``rng``:
    for the interval of ρ, which is our addition, as instances of a text are not independent.
    ValueError for arrays that do not fit each other.
    """
    from scipy.stats import ttest_1samp  # a page without a judge needs none of it

    table = np.asarray(closer, np.float64)
    if table.ndim != 2:
        raise ValueError("closer has a row for each person and a column for each instance")
    places = np.flatnonzero((~np.isnan(table)).sum(axis=1) >= fewest)
    table = table[places]
    there = ~np.isnan(table)
    wins, losses = there & (table <= 0), there & (table >= 0)
    n = there.sum(axis=1)
    p_values = np.full(len(places), np.nan)
    for i in range(len(places)):
        d = losses[i, there[i]].astype(float) - wins[i, there[i]]
        if np.ptp(d) > 0:
            p_values[i] = ttest_1samp(d, epsilon, alternative="less").pvalue
        else:  # always the same, which no t test knows what to do with
            p_values[i] = float(d[0] >= epsilon)
    adjusted = benjamini_yekutieli(p_values)
    advantages = wins.sum(axis=1) / np.maximum(n, 1)
    low, high, n_documents = _ends(wins, there, documents, rng, replications)
    return AlternativeAnnotator(
        people=places,
        n=n,
        advantages=advantages,
        p_values=p_values,
        beaten=adjusted <= LEVEL,
        winning_rate=float(np.mean(adjusted <= LEVEL)) if len(places) else math.nan,
        advantage=float(np.mean(advantages)) if len(places) else math.nan,
        low=low,
        high=high,
        n_documents=n_documents,
        epsilon=epsilon,
    )


def _ends(
    wins: np.ndarray,
    there: np.ndarray,
    documents: ArrayLike | None,
    rng: np.random.Generator | None,
    replications: int,
) -> tuple[float, float, int]:
    """Percentiles of the mean over people, and how many documents have an instance."""
    if documents is None or not len(wins):
        return math.nan, math.nan, 0
    kept = there.any(axis=0)
    _, code = np.unique(np.asarray(documents)[kept], return_inverse=True)
    n_documents = int(code.max(initial=-1)) + 1
    if rng is None or n_documents < 2:
        return math.nan, math.nan, n_documents
    of_document = np.zeros((len(code), n_documents))
    of_document[np.arange(len(code)), code] = 1
    drawn = rng.multinomial(n_documents, np.full(n_documents, 1 / n_documents), replications)
    won, of = (each[:, kept] @ of_document @ drawn.T for each in (wins, there))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.nanmean(won / of, axis=0)
    low, high = np.nanquantile(means, (0.025, 0.975)).tolist()
    return low, high, n_documents
