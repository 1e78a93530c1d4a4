"""Two campaigns that judged the same systems: agreement of their rankings and decisions, and their
costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from judgments.stats.correlation import (
    Correlation,
    PairwiseAccuracy,
    kendall,
    pairwise_accuracy,
    pearson,
    spearman,
)

from ..observations.observations import dimensions_of
from ..observations.tables import places
from ..observations.times import times_of
from ..scores.figures import SegmentScores, segment_scores, system_scores
from ..scores.pair_test import ALPHA
from ..selection.selection import Selection


def coefficients(x: np.ndarray, y: np.ndarray) -> dict[str, Correlation]:
    """Return Pearson's, Spearman's and Kendall's coefficients of two arrays, by name."""
    return {"pearson": pearson(x, y), "spearman": spearman(x, y), "kendall": kendall(x, y)}


@dataclass(frozen=True)
class RankedSystems:
    """Systems (S,) of one campaign, best first, with ``scores``, their intervals, and ``adjusted``
    (S, S): p that two systems differ, for all pairs."""

    dimension: str
    names: tuple[str, ...]
    scores: np.ndarray
    low: np.ndarray
    high: np.ndarray
    adjusted: np.ndarray

    def of(self, names: list[str]) -> RankedSystems:
        """Return only these systems, in this order."""
        at = [self.names.index(name) for name in names]
        return RankedSystems(
            dimension=self.dimension,
            names=tuple(names),
            scores=self.scores[at],
            low=self.low[at],
            high=self.high[at],
            adjusted=self.adjusted[np.ix_(at, at)],
        )

    @property
    def ranks(self) -> np.ndarray:
        """Ranks (S,) among these systems, 1 for the best; equal scores share the better one."""
        return 1 + (self.scores[None, :] > self.scores[:, None]).sum(axis=1)

    @property
    def decided(self) -> np.ndarray:
        """Which systems are better than which, (S, S)."""
        with np.errstate(invalid="ignore"):
            return (self.adjusted < ALPHA) & (self.scores[:, None] > self.scores[None, :])


def ranked_systems(selection: Selection, dimension: str | None = None) -> RankedSystems:
    """Return all systems with a score, as on the page Scores."""
    scores = system_scores(selection, dimension)
    order = scores.order[~np.isnan(scores.mean[scores.order])]
    names = [str(scores.names[i]) for i in order]
    none = np.full((len(scores.names),) * 2, np.nan)
    adjusted = none if scores.adjusted is None else scores.adjusted
    return RankedSystems(
        dimension=scores.dimension,
        names=tuple(names),
        scores=scores.mean[order],
        low=scores.low[order],
        high=scores.high[order],
        adjusted=adjusted[np.ix_(order, order)],
    )


@dataclass(frozen=True)
class DifferentDecision:
    """Two systems of which one campaign finds the first better, and the other does not.

    ``decisions``: for either campaign 1 (the first is better), -1 (the second is), 0 (not
    separated), with ``p_values`` adjusted for all its pairs.
    """

    first: str
    second: str
    decisions: tuple[int, int]
    p_values: tuple[float, float]


@dataclass(frozen=True)
class TwoRankings:
    """The systems that two campaigns have in common, in the order of the first one's scores.

    ``accuracy``: for all pairs, and ``of_decided`` only for those that the first campaign
    separates; ``coefficients`` by name, for systems and for ``outputs`` that both judged (empty if
    they have no text in common, or compare outputs). ``different`` decisions, opposite ones first,
    of ``n_pairs``.
    """

    both: tuple[RankedSystems, RankedSystems]
    coefficients: dict[str, Correlation]
    accuracy: PairwiseAccuracy
    of_decided: PairwiseAccuracy
    outputs: dict[str, Correlation]
    different: tuple[DifferentDecision, ...]
    n_pairs: int

    @property
    def names(self) -> tuple[str, ...]:
        return self.both[0].names


def two_rankings(
    selections: tuple[Selection, Selection], dimensions: tuple[str | None, str | None]
) -> TwoRankings:
    """Return the rankings of two campaigns, each by a separate dimension (None: its first, or
    comparisons)."""
    own, theirs = (ranked_systems(*each) for each in zip(selections, dimensions, strict=True))
    common = [name for name in own.names if name in theirs.names]
    own, theirs = own.of(common), theirs.of(common)
    n = len(common)
    return TwoRankings(
        both=(own, theirs),
        coefficients=coefficients(own.scores, theirs.scores),
        accuracy=pairwise_accuracy(own.scores, theirs.scores),
        of_decided=pairwise_accuracy(own.scores, theirs.scores, p_values=own.adjusted, alpha=ALPHA),
        outputs=_of_outputs(selections, dimensions),
        different=tuple(_different(own, theirs)),
        n_pairs=n * (n - 1) // 2,
    )


def _different(own: RankedSystems, theirs: RankedSystems) -> list[DifferentDecision]:
    found, n = [], len(own.names)
    for i in range(n):
        for j in range(i + 1, n):
            seen = [
                (int(each.decided[i, j]) - int(each.decided[j, i]), float(each.adjusted[i, j]))
                for each in (own, theirs)
            ]
            if seen[0][0] != seen[1][0]:
                p_values = tuple(p for _, p in seen)
                decisions = tuple(decision for decision, _ in seen)
                found.append(
                    DifferentDecision(own.names[i], own.names[j], decisions, p_values)  # type: ignore[arg-type]
                )
    return sorted(found, key=lambda each: each.decisions[0] * each.decisions[1])


def _of_outputs(
    selections: tuple[Selection, Selection], dimensions: tuple[str | None, str | None]
) -> dict[str, Correlation]:
    """Return coefficients over the outputs of one test set that both campaigns rated."""
    campaigns = [selection.campaign for selection in selections]
    if campaigns[0].test_set_id != campaigns[1].test_set_id or not all(
        dimensions_of(campaign) for campaign in campaigns
    ):
        return {}
    own, theirs = (segment_scores(*each) for each in zip(selections, dimensions, strict=True))
    return coefficients(own.values.ravel(), _aligned(theirs, own).ravel())


def _aligned(scores: SegmentScores, like: SegmentScores) -> np.ndarray:
    """Return the scores in the rows and columns of others, NaN if they have none."""
    row = places(like.system_ids, scores.system_ids)
    column = places(like.segment_ids, scores.segment_ids)
    # The last row and column, to which -1 points, represent missing ones.
    wide = np.pad(scores.values, ((0, 1), (0, 1)), constant_values=math.nan)
    return wide[np.ix_(row, column)]


@dataclass(frozen=True)
class CostOfDecisions:
    """The cost of a campaign: ``judgments``, ``hours`` of active time (NaN: unknown) over
    ``n_timed`` of them, and the ``decided`` of all ``pairs`` of its systems."""

    judgments: int
    n_timed: int
    hours: float
    decided: int
    pairs: int

    @classmethod
    def of(cls, seconds: np.ndarray, decided: int, n_systems: int) -> CostOfDecisions:
        """Return the cost. seconds: active time of each judgment, including controls; NaN if
        unknown."""
        known = seconds[~np.isnan(seconds)]
        hours = float(known.sum()) / 3600 if len(known) else math.nan
        pairs = n_systems * (n_systems - 1) // 2
        return cls(len(seconds), len(known), hours, decided, pairs)

    @property
    def judgments_per_decision(self) -> float:
        return self.judgments / self.decided if self.decided else math.nan

    @property
    def minutes_per_decision(self) -> float:
        """Active minutes per decision; NaN if the time of some judgments is unknown: a part of it
        would be too low."""
        complete = self.n_timed == self.judgments
        return 60 * self.hours / self.decided if self.decided and complete else math.nan


def cost_of(selection: Selection, dimension: str | None = None) -> CostOfDecisions:
    """Return time and judgments, including controls, and how many pairs they decided."""
    ranked = ranked_systems(selection, dimension)
    seconds = times_of(selection)["seconds"]
    return CostOfDecisions.of(seconds, int(ranked.decided.sum()), len(ranked.names))
