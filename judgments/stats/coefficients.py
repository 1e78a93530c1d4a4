"""What agreement coefficients share: the result, the long form of ratings, chance correction."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.resampling import Interval, bootstrap_sums_interval

T = TypeVar("T")

NO_RATINGS = "there are no ratings"
NO_PAIRS = "no item was rated by two annotators"
NO_REPEATS = "no annotator rated an item twice"
TOO_MANY_VALUES = "there are more than 2,000 different values"
ONE_VALUE = "every rating has the same value, so agreement by chance is complete"


@dataclass(frozen=True)
class Agreement:
    """An agreement coefficient and what it was computed from.

    ``estimate`` is NaN where undefined, and ``reason`` then says why. ``p_observed`` and
    ``p_expected`` are shares of agreeing pairs, of weighted kappas with credit for those that are
    close; ``d_observed`` and ``d_expected`` are mean disagreements (estimate = 1 -
    d_observed/d_expected; alpha's are in squared units of the scale). The n's count
    what entered: items with at least one pair, their annotators, and pairs of ratings. ``low`` and
    ``high`` are NaN unless a generator was passed; ``n_units`` items or clusters were resampled.
    """

    coefficient: str
    estimate: float
    p_observed: float = math.nan
    p_expected: float = math.nan
    d_observed: float = math.nan
    d_expected: float = math.nan
    n_items: int = 0
    n_annotators: int = 0
    n_pairs: int = 0
    n_agreeing: int = 0
    n_ties: int = 0
    n_labels: int = 0
    low: float = math.nan
    high: float = math.nan
    level: float = math.nan
    resamples: int = 0
    n_units: int = 0
    n_undefined: int = 0
    reason: str = ""
    interval_reason: str = ""

    @property
    def gloss(self) -> str:
        """The words of Landis and Koch for the estimate."""
        return landis_koch(self.estimate)


@dataclass(frozen=True)
class Ratings:
    """Ratings in long form, without the missing ones: codes and what they stand for.

    ``item``, ``annotator`` and ``value`` (n,) index ``items``, ``annotators`` and ``values``
    (distinct, sorted), in integers of any width. ``cluster`` (n_items,) is the cluster of each
    item, or None. What several coefficients count is counted once and kept here.
    """

    item: np.ndarray
    annotator: np.ndarray
    value: np.ndarray
    items: np.ndarray
    annotators: np.ndarray
    values: np.ndarray
    cluster: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.item)

    @functools.cached_property
    def sizes(self) -> np.ndarray:
        """How many ratings each item has, (n_items,)."""
        return np.bincount(self.item, minlength=len(self.items))

    @functools.cached_property
    def counts(self) -> sparse.csr_array:
        """How often each item got each value, (n_items, n_values)."""
        shape = (len(self.items), len(self.values))
        keys = key_of(self.item, shape[1], self.value)
        if shape[0] * shape[1] <= 4 * len(keys) + 1000:
            every = np.bincount(keys, minlength=shape[0] * shape[1])
            cells = np.flatnonzero(every)
            counts = every[cells]
        else:
            cells, counts = runs(np.sort(keys))
        row, column = np.divmod(cells, max(shape[1], 1))
        indptr = np.searchsorted(row, np.arange(shape[0] + 1))
        return sparse.csr_array((counts.astype(np.float64), column, indptr), shape)

    @functools.cached_property
    def order(self) -> np.ndarray | None:
        """The rows by item and annotator; None if they are in this order as they are."""
        keys = key_of(self.item, len(self.annotators), self.annotator)
        return None if (keys[1:] >= keys[:-1]).all() else order_of(keys)

    def remember(self, name: str, compute: Callable[[], T]) -> T:
        """Return what ``compute`` found the first time it was asked for by this name."""
        if name not in self._found:
            self._found[name] = compute()
        return self._found[name]

    @functools.cached_property
    def _found(self) -> dict[str, Any]:
        return {}

    def annotators_of(self, items: np.ndarray) -> np.ndarray:
        """Return codes of the annotators who rated one of the items in a mask (n_items,)."""
        some = self.annotator if items.all() else self.annotator[items[self.item]]
        return np.flatnonzero(np.bincount(some))

    def counts_on(self, codes: np.ndarray, k: int) -> np.ndarray:
        """`counts` with ``codes`` (n_values,) of k categories for the values, dense."""
        named = np.zeros((len(codes), k))
        named[np.arange(len(codes)), codes] = 1
        return np.asarray(self.counts @ named)


def landis_koch(kappa: float) -> str:
    """Return Landis and Koch (1977): a gloss of kappa, never a pass mark; empty for NaN."""
    if math.isnan(kappa):
        return ""
    if kappa < 0:
        return "poor"
    bounds = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
    return next((word for bound, word in bounds if kappa <= bound), "almost perfect")


def chance_corrected(observed: ArrayLike, expected: ArrayLike) -> np.ndarray:
    """Return (p_o - p_e) / (1 - p_e), elementwise; NaN where p_e is 1 or undefined."""
    p_observed, p_expected = np.asarray(observed, np.float64), np.asarray(expected, np.float64)
    room = 1 - p_expected
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(room > 1e-12, (p_observed - p_expected) / room, np.nan)


def clean_ratings(
    item: ArrayLike,
    annotator: ArrayLike,
    value: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    unique: bool = False,
) -> Ratings:
    """Validate ratings in long form: three 1-D arrays of one length, one row per rating.

    Rows whose value is NaN are missing and left out. ``clusters``, a row's document, must be one
    per item. Raise ValueError for unequal lengths, an item in two clusters and, with ``unique``,
    for an annotator who rated an item twice.
    """
    item, annotator, value = np.asarray(item), np.asarray(annotator), np.asarray(value)
    if item.ndim != 1 or item.shape != annotator.shape or item.shape != value.shape:
        raise ValueError(
            "item, annotator and value must be one-dimensional and equally long, not "
            f"{item.shape}, {annotator.shape} and {value.shape}"
        )
    present = ~np.isnan(value) if value.dtype.kind == "f" else np.ones(len(value), bool)
    if not present.all():
        item, annotator, value = item[present], annotator[present], value[present]
    items, item = codes_of(item)
    annotators, annotator = codes_of(annotator)
    values, value = codes_of(value)
    if unique and has_repeats(key_of(item, len(annotators), annotator)):
        raise ValueError("an annotator rated an item twice: collapse the repeats first")
    cluster = None
    if clusters is not None:
        cluster = _cluster_of_items(item, len(items), np.asarray(clusters), present)
    return Ratings(item, annotator, value, items, annotators, values, cluster)


def codes_of(names: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct ``names``, sorted, and the place of each row's name among them, (n,).

    What `numpy.unique` gives, but without sorting where the names are whole numbers close together,
    as ids and points on a scale are: about five times faster.
    """
    names = np.asarray(names)
    whole = names
    if names.dtype.kind == "f" and len(names) and np.abs(names).max() < 2**31:
        whole = names.astype(np.int32)
        if not np.array_equal(whole, names):
            whole = names
    if len(names) and whole.dtype.kind in "iu":
        low = int(whole.min())
        span = int(whole.max()) - low + 1
        if span <= 4 * len(names) + 1000:
            at = whole.astype(np.intp) - low
            found = np.bincount(at, minlength=span) > 0
            distinct = np.flatnonzero(found) + low
            codes = at if found.all() else (np.cumsum(found) - 1)[at]
            return distinct.astype(names.dtype), codes
    distinct, codes = np.unique(names, return_inverse=True)
    return distinct, codes


def key_of(first: np.ndarray, n: int, second: np.ndarray) -> np.ndarray:
    """Return code pairs encoded as `first * n + second` (n_rows,), the second below n, in 64 bits
    however narrow the codes are."""
    key = first.astype(np.int64)
    key *= max(n, 1)
    key += second
    return key


def narrow(codes: np.ndarray, n: int) -> np.ndarray:
    """Return codes below n in the fewest bits, with a sign, so that differences stay what they
    are."""
    return codes.astype(np.min_scalar_type(-1 - n), copy=False)


def order_of(keys: np.ndarray) -> np.ndarray:
    """Return the stable order of whole numbers (n,)."""
    bits = len(keys).bit_length()
    if len(keys) and keys.min() >= 0 and int(keys.max()) >> (62 - bits) == 0:
        # Numbers that end in their own places: sorted faster than by argsort, and stable.
        return np.sort((keys << bits) | np.arange(len(keys))) & ((1 << bits) - 1)
    return np.argsort(keys, kind="stable")


def has_repeats(keys: np.ndarray) -> bool:
    """Return whether one of ``keys`` occurs twice. Sorted: numpy.unique would make a slow hash
    table."""
    if (keys[1:] > keys[:-1]).all():
        return False
    ordered = np.sort(keys)
    return bool((ordered[1:] == ordered[:-1]).any())


def runs(ordered: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct values of a sorted array, and how often each occurs."""
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def matrix_to_long(ratings: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (n_annotators, n_items) with NaN for missing → item, annotator, value in long form."""
    ratings = np.asarray(ratings, np.float64)
    if ratings.ndim != 2:
        raise ValueError(f"ratings must be (n_annotators, n_items), not {ratings.shape}")
    annotator, item = np.nonzero(~np.isnan(ratings))
    return item, annotator, ratings[annotator, item]


def with_interval(
    result: Agreement,
    statistic: Callable[[np.ndarray], np.ndarray],
    unit_stats: np.ndarray,
    *,
    rng: np.random.Generator | None,
    resamples: int,
    level: float,
    clusters: ArrayLike | None,
    width: int = 1,
) -> Agreement:
    """``result`` with the bootstrap interval of ``statistic``; unchanged without ``rng``."""
    if rng is None or math.isnan(result.estimate):
        return result
    interval = bootstrap_sums_interval(
        statistic,
        unit_stats,
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=clusters,
        width=width,
    )
    return add_interval(result, interval)


def add_interval(result: Agreement, interval: Interval) -> Agreement:
    """``result`` with the fields of ``interval`` filled in."""
    return dataclasses.replace(
        result,
        low=float(interval.low),
        high=float(interval.high),
        level=interval.level,
        resamples=interval.resamples,
        n_units=interval.n_units,
        n_undefined=interval.n_undefined,
        interval_reason=interval.reason,
    )


def _cluster_of_items(
    item: np.ndarray, n_items: int, clusters: np.ndarray, present: np.ndarray
) -> np.ndarray:
    if clusters.shape != present.shape:
        raise ValueError(f"clusters has shape {clusters.shape}, not {present.shape}")
    _, cluster = codes_of(clusters[present])
    of_item = np.zeros(n_items, np.intp)
    of_item[item] = cluster
    if not np.array_equal(of_item[item], cluster):
        raise ValueError("an item belongs to two clusters")
    return of_item
