"""Scores normalized per annotator, and averages of systems.

z-scores as in WMT direct assessment (Graham et al. 2013): per annotator, the mean and the sample
standard deviation (n - 1) of all scores, or of those that ``mask`` selects, because degraded copies
and references shift both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from judgments.stats.coefficients import codes_of
from judgments.stats.resampling import sum_by

METHODS = ("z", "raw", "center")


@dataclass(frozen=True)
class Standardized:
    """Scores ``values`` (n,) after normalization, and each annotator's figures (A,).

    ``n`` counts the scores that ``mean`` and ``sd`` were computed from. ``reasons`` (A,) says why
    an annotator's scores could not be normalized (all NaN in ``values``); empty where they were.
    """

    method: str
    values: np.ndarray
    annotators: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    n: np.ndarray
    reasons: tuple[str, ...]

    @property
    def excluded(self) -> dict:
        """Annotators without normalized scores, with the reason."""
        return {a: r for a, r in zip(self.annotators.tolist(), self.reasons, strict=True) if r}


@dataclass(frozen=True)
class SystemMeans:
    """Averages of segments and of systems.

    Per system (S,): ``mean`` over its segments, each with equal weight, its t interval ``low`` and
    ``high``, ``sd`` over segments, ``n_segments``, ``n_ratings``; ``reasons`` says what is NaN.
    Per (system, segment) that was rated (m,): indices ``system_of`` and ``segment_of`` into
    ``systems`` and ``segments``, ``segment_mean``, ``segment_n``.
    """

    systems: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    sd: np.ndarray
    n_segments: np.ndarray
    n_ratings: np.ndarray
    level: float
    segments: np.ndarray
    system_of: np.ndarray
    segment_of: np.ndarray
    segment_mean: np.ndarray
    segment_n: np.ndarray
    reasons: tuple[str, ...]

    def table(self) -> np.ndarray:
        """Return segment means as (n_systems, n_segments), NaN where a segment was not rated."""
        table = np.full((len(self.systems), len(self.segments)), np.nan)
        table[self.system_of, self.segment_of] = self.segment_mean
        return table


def standardize(
    values: ArrayLike,
    annotators: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    method: str = "z",
) -> Standardized:
    """Normalize ``values`` (n,) per annotator; NaN is missing and stays NaN.

    ``method``: "z" = (x - m)/s, "center" = x - m, "raw" = x. ``mask`` (n,) selects the rows that m
    and s are computed from; all rows are normalized. Without two selected scores, or with s = 0,
    an annotator has no z.
    """
    if method not in METHODS:
        raise ValueError(f"method is one of {', '.join(METHODS)}, not {method!r}")
    values, annotators = np.asarray(values, np.float64), np.asarray(annotators)
    if values.ndim != 1 or values.shape != annotators.shape:
        raise ValueError(
            f"values and annotators must be equally long, not {values.shape} {annotators.shape}"
        )
    used = ~np.isnan(values)
    if mask is not None:
        mask = np.asarray(mask, bool)
        if mask.shape != values.shape:
            raise ValueError(f"mask has shape {mask.shape}, not {values.shape}")
        used &= mask
    names, code = codes_of(annotators)
    n, mean, sd = group_moments(values[used], code[used], len(names))
    reasons = tuple(_reason(method, int(count), float(s)) for count, s in zip(n, sd, strict=True))
    scaled = values.copy()
    if method != "raw":
        scaled = values - mean[code]
    if method == "z":
        scaled = scaled / np.where(sd > 0, sd, np.nan)[code]
    return Standardized(method, scaled, names, mean, sd, n, reasons)


def group_moments(
    values: np.ndarray, group: np.ndarray, n_groups: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return n, mean and sample sd of ``values`` (n,) by ``group`` code, (n_groups,) each.

    The mean is NaN without, the sd with fewer than two values; equal values have an sd of exactly
    0, whatever rounding does to their mean.
    """
    n = np.bincount(group, minlength=n_groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(group, weights=values, minlength=n_groups) / n
        squares = np.bincount(group, weights=(values - mean[group]) ** 2, minlength=n_groups)
        sd = np.sqrt(squares / np.where(n > 1, n - 1, np.nan))
    one = np.full(n_groups, np.nan)
    one[group] = values
    differs = np.bincount(group[values != one[group]], minlength=n_groups) > 0
    return n, mean, np.where((n > 1) & ~differs, 0.0, sd)


def clustered_half_widths(
    values: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> np.ndarray:
    """Return half the width (m,) of the t interval of the mean of each row of ``values`` (m, n),
    NaN missing, with errors that go together within ``clusters`` (n,); None: within nothing.

    Variance G/(G - 1) · Σ_g(Σ e)²/n² and G - 1 degrees of freedom, G the clusters of a row (Liang
    and Zeger 1986), which without clusters is s²/n; NaN with fewer than two.
    """
    values = np.asarray(values, np.float64)
    present = ~np.isnan(values)
    n = present.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.nan_to_num(values - (np.nansum(values, axis=1) / n)[:, None])
    if clusters is None:
        n_clusters = n
    else:
        _, code = np.unique(np.asarray(clusters), return_inverse=True)
        n_groups = int(code.max(initial=-1)) + 1
        errors = np.asarray(sum_by(code, n_groups, errors.T)).T
        counts = np.asarray(sum_by(code, n_groups, present.T.astype(np.float64))).T
        n_clusters = (counts > 0).sum(axis=1)
    freedom = np.where(n_clusters > 1, n_clusters - 1, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = n_clusters / freedom * (errors**2).sum(axis=1) / n**2
        return stdtrit(freedom, (1 + level) / 2) * np.sqrt(variance)


def aggregate(
    system: ArrayLike, segment: ArrayLike, values: ArrayLike, *, level: float = 0.95
) -> SystemMeans:
    """Return average ratings (n,) per (system, segment) first, then the segments per system.

    NaN values are left out; a system whose values are all NaN stays, with a NaN mean. The interval
    is mean ± t(n - 1) · s/√n over segments.
    """
    system, segment = np.asarray(system), np.asarray(segment)
    rated = np.asarray(values, np.float64)
    if not system.shape == segment.shape == rated.shape or rated.ndim != 1:
        raise ValueError(
            "system, segment and values must be one-dimensional and equally long, not "
            f"{system.shape}, {segment.shape} and {rated.shape}"
        )
    systems, system_code = codes_of(system)
    segments, segment_code = codes_of(segment)
    present = ~np.isnan(rated)
    if not present.all():
        system_code, segment_code = system_code[present], segment_code[present]
        rated = rated[present]
    cells, cell = codes_of(system_code.astype(np.int64) * len(segments) + segment_code)
    segment_n, segment_mean, _ = group_moments(rated, cell, len(cells))
    of_cells = np.divmod(cells, max(len(segments), 1))
    return aggregate_cells(systems, segments, *of_cells, segment_mean, segment_n, level=level)


def aggregate_cells(
    systems: np.ndarray,
    segments: np.ndarray,
    system_of: np.ndarray,
    segment_of: np.ndarray,
    segment_mean: np.ndarray,
    segment_n: np.ndarray,
    *,
    level: float = 0.95,
) -> SystemMeans:
    """`aggregate` of means of segments (m,) that are known already; see `SystemMeans`."""
    n, mean, sd = group_moments(segment_mean, system_of, len(systems))
    with np.errstate(invalid="ignore", divide="ignore"):
        half = stdtrit(np.where(n > 1, n - 1, np.nan), (1 + level) / 2) * sd / np.sqrt(n)
    n_ratings = np.bincount(system_of, weights=segment_n, minlength=len(systems))
    return SystemMeans(
        systems=systems,
        mean=mean,
        low=mean - half,
        high=mean + half,
        sd=sd,
        n_segments=n,
        n_ratings=n_ratings.astype(np.int64),
        level=level,
        segments=segments,
        system_of=system_of,
        segment_of=segment_of,
        segment_mean=segment_mean,
        segment_n=segment_n,
        reasons=tuple(_interval_reason(int(count)) for count in n),
    )


def _reason(method: str, n: int, sd: float) -> str:
    if method == "raw":
        return ""
    if n == 0:
        return "no scores to normalize by"
    if method == "center":
        return ""
    if n < 2:
        return "only one score: no standard deviation"
    return "all scores are the same: no standard deviation" if sd == 0 else ""


def _interval_reason(n: int) -> str:
    return ("there are no scores", "an interval needs at least two segments", "")[min(n, 2)]
