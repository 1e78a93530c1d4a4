"""Scores of systems in many resamples of the segments, for the intervals over systems.

A metric with sufficient statistics is scored anew from their sums, as a corpus score has to be; one
without keeps its scores, and so do people's expected wins: there only systems are drawn.
"""

from collections.abc import Sequence

import numpy as np

from judgments.stats.resampling import resample_weights
from metrics import choices
from metrics.models import MetricScore
from metrics.tables import Column

from .study import Study


def weights_of(rng: np.random.Generator, n_segments: int, resamples: int) -> np.ndarray:
    """How often each segment is drawn, (resamples, n_segments)."""
    if not n_segments:
        return np.zeros((resamples, 0))
    return np.concatenate(list(resample_weights(rng, n_segments, resamples)))


def human_resampled(study: Study, weights: np.ndarray) -> np.ndarray:
    """Means of people's scores, (B, S), weights (B, N) over the judged segments; (S,) of expected
    wins, which are no means over segments."""
    if not study.is_rated:
        return study.human_systems
    there = ~np.isnan(study.human)
    return mean_of(weights @ np.nan_to_num(study.human).T, weights @ there.T.astype(float))


def mean_of(total: np.ndarray, n: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(n > 0, total / n, np.nan)


def metric_resampled(
    column: Column, system_ids: Sequence[int], weights: np.ndarray, places: np.ndarray | None
) -> np.ndarray | None:
    """A metric's scores of the systems, (B, S), higher is better; None if it can only be taken as
    it is. `places`: the segments that the weights belong to; None is the whole test set."""
    stored = {pk: column.scores[pk] for pk in system_ids if pk in column.scores}
    found = np.full((len(weights), len(system_ids)), np.nan)
    if not stored or not all(is_resampled(score) for score in stored.values()):
        return None
    first = next(iter(stored.values()))
    try:
        scorer = choices.choose(first.metric, first.options).scorer()
    except ValueError:  # an option that this version does not know
        return None
    for i, pk in enumerate(system_ids):
        stats = stored[pk].statistics if pk in stored else None
        if stats is None:
            continue
        stats = stats if places is None else stats[places]
        if len(stats) != weights.shape[1]:
            return None
        # A segment without a score has no part in the sum.
        found[:, i] = scorer.score(weights @ np.nan_to_num(stats))
    return found if column.higher_is_better else -found


def is_resampled(score: MetricScore) -> bool:
    """Whether sums of statistics give the score of a system."""
    given = score.options.get("system_scores") == "given"
    return bool(score.statistics_width) and not given
