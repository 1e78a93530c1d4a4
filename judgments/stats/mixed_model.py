"""Systems compared by a linear mixed model with crossed random effects.

    rating = system + annotator + item + error

with a fixed effect of each system (and, where judgments come in waves, of each wave but the first),
and normal random effects of annotators (severe or lenient) and of items (segments, easy or hard),
fitted by restricted maximum likelihood (Patterson and Thompson 1971). The profiled criterion is
that of Bates et al. (2015), "Fitting linear mixed-effects models using lme4", equations 34 to 42.
It needs the ratings only through counts and sums per annotator,
item and system, so that an evaluation costs the same for a thousand ratings as for a million.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import ndtr, ndtri

from judgments.stats.coefficients import codes_of
from judgments.stats.newton import newton

SMALLEST_START = 0.1
STEP = 1e-4
"""Of the central differences: the criterion of a million ratings has only nine digits to spare."""
MOSTLY_EMPTY = 0.2
SCALES_KEPT = 3


@dataclass(frozen=True)
class MixedModel:
    """Fixed effects of systems (S,) with their covariance (S, S).

    ``mean``: what an average annotator would give a system on an average item; Wald interval
    ``low`` and ``high``. ``annotator_sd``, ``item_sd``, ``residual_sd``: standard deviations of the
    random effects and of the error, in points of the scale; NaN where an effect could not be told
    from others, and ``notes`` say why. Of several waves ``mean`` is that of the first, and
    ``wave_effects`` (W,) say how far ratings of the same are above it in each of ``waves``.
    ``annotator_effects`` (A,) are the predictions for ``annotators``. All NaN with a ``reason``
    where nothing could be fitted.
    """

    systems: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    covariance: np.ndarray
    annotator_sd: float
    item_sd: float
    residual_sd: float
    annotators: np.ndarray
    annotator_effects: np.ndarray
    criterion: float
    n_ratings: np.ndarray
    n_annotators: int
    n_items: int
    level: float
    waves: np.ndarray = field(default_factory=lambda: np.ones(1))
    wave_effects: np.ndarray = field(default_factory=lambda: np.zeros(1))
    notes: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Contrasts:
    """Row minus column, (S, S) each, NaN on the diagonal: ``difference`` with its Wald interval and
    its standard error, and one-sided ``p_values`` that the row is better."""

    difference: np.ndarray
    low: np.ndarray
    high: np.ndarray
    standard_error: np.ndarray
    p_values: np.ndarray


def mixed_model(
    system: ArrayLike,
    annotator: ArrayLike,
    item: ArrayLike,
    values: ArrayLike,
    wave: ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> MixedModel:
    """Fit ratings in long form, (n,) each; NaN values are left out.

    wave: where judgments came in waves, by people who may be stricter in one than in another. Where
    no chain of systems that were judged in two waves links them all, waves cannot be told from
    systems, and there is no effect of them, with a note.

    A random effect of which there is one level only (one annotator), or as many as ratings (each
    item rated once), cannot be told from the mean or the error and is left out, with a note.
    """
    columns = [np.asarray(column) for column in (system, annotator, item)]
    given = np.asarray(values, np.float64)
    if given.ndim != 1 or any(column.shape != given.shape for column in columns):
        raise ValueError("system, annotator, item and values must be equally long")
    present = ~np.isnan(given)
    kept = given[present]
    coded = [codes_of(column[present]) for column in columns]
    (systems, s), (annotators, a), (items, i) = coded
    known = {
        "systems": systems,
        "annotators": annotators,
        "n_ratings": np.bincount(s, minlength=len(systems)),
        "n_annotators": len(annotators),
        "n_items": len(items),
        "level": level,
    }
    reason = _why_not(kept, len(systems))
    if reason:
        return _nothing(known, reason)
    notes, used = _identified(len(kept), len(annotators), len(items))
    waves, w = codes_of(np.ones(len(kept)) if wave is None else np.asarray(wave)[present])
    sums = _Sums(kept, s, a, i, w, (len(systems), len(annotators), len(items)))
    if np.linalg.matrix_rank(sums.gram[:-1, :-1]) < sums.p:
        notes.append("no systems link the waves, so that an effect of waves is part of systems")
        sums = _Sums(kept, s, a, i, 0 * w, (len(systems), len(annotators), len(items)))
    if sums.n <= sums.p:
        return _nothing(known, "there are too few ratings for so many systems and waves")
    known["waves"] = waves[: sums.p - len(systems) + 1]
    theta, criterion = _minimize(sums, used)
    if math.isnan(criterion):
        return _nothing(known, "the model could not be fitted")
    return _result(sums, theta, criterion, used, notes, known)


def contrasts(model: MixedModel) -> Contrasts:
    """Return every two systems: difference of fixed effects, with Wald's test."""
    difference = model.mean[:, None] - model.mean[None, :]
    own = np.diag(model.covariance)
    variance = own[:, None] + own[None, :] - 2 * model.covariance
    same = np.eye(len(own), dtype=bool)
    error = np.where(same | ~(variance > 0), np.nan, np.sqrt(np.maximum(variance, 0)))
    difference = np.where(same, np.nan, difference)
    half = float(ndtri((1 + model.level) / 2)) * error
    p_values = ndtr(-difference / error)
    return Contrasts(difference, difference - half, difference + half, error, p_values)


class _Sums:
    """Cross-products of indicators and values; annotators and items are scaled by theta later.

    Values are centered: their sum of squares would otherwise lose digits to their mean.
    """

    def __init__(
        self,
        values: np.ndarray,
        s: np.ndarray,
        a: np.ndarray,
        i: np.ndarray,
        w: np.ndarray,
        sizes: tuple[int, int, int],
    ) -> None:
        """sizes: how many systems, annotators and items there are."""
        n_systems, n_annotators, n_items = sizes
        self.center = float(values.mean())
        y = values - self.center
        n_waves = int(w.max()) + 1
        self.n_systems = n_systems
        self.n, self.p = len(y), n_systems + n_waves - 1
        self.annotator_n = np.bincount(a, minlength=n_annotators).astype(np.float64)
        self.item_n = np.bincount(i, minlength=n_items).astype(np.float64)
        crossed = _table(a, i, n_annotators, n_items)
        few = np.count_nonzero(crossed) < MOSTLY_EMPTY * crossed.size
        self.crossed = sparse.csr_array(crossed) if few else crossed

        def by(codes: np.ndarray, n: int) -> np.ndarray:
            """Return a column for each system, for each wave but the first, and for the values."""
            of_waves = _table(codes, w, n, n_waves)[:, 1:]
            of_values = np.bincount(codes, weights=y, minlength=n)
            return np.column_stack([_table(codes, s, n, n_systems), of_waves, of_values])

        self.annotator_sums = by(a, n_annotators)
        self.item_sums = by(i, n_items)
        columns = np.vstack([by(s, n_systems), by(w, n_waves)[1:]])
        self.gram = np.vstack([columns, [*columns[:, -1], y @ y]])
        self.known: dict[float, tuple[np.ndarray, np.ndarray]] = {}
        if n_items < n_annotators:
            self.flip()

    flipped = False

    def flip(self) -> None:
        """Let annotators and items change places: the longer side is the one eliminated first."""
        self.flipped = True
        self.annotator_n, self.item_n = self.item_n, self.annotator_n
        self.annotator_sums, self.item_sums = self.item_sums, self.annotator_sums
        self.crossed = self.crossed.T.copy()

    def through_items(self, other: float) -> tuple[np.ndarray, np.ndarray]:
        """Return what two annotators, and an annotator and a system, have in common by the items,
        at a scale of these. Of the last three scales it is kept: most searches change one at a
        time."""
        if other not in self.known:
            root = np.sqrt(other**2 / (other**2 * self.item_n + 1))
            scaled = self.crossed * root
            product = scaled @ scaled.T  # NumPy computes half of such a product, which is symmetric
            product = product.toarray() if sparse.issparse(product) else product
            if len(self.known) == SCALES_KEPT:
                del self.known[next(iter(self.known))]
            self.known[other] = product, scaled @ (root[:, None] * self.item_sums)
        return self.known[other]


@dataclass(frozen=True)
class _Solution:
    """At one theta: log-determinant of the random part, Schur complement (p + 1, p + 1) of fixed
    effects and values, and what is needed to go back to the random effects."""

    log_determinant: float
    schur: np.ndarray
    dense: tuple
    dense_side: np.ndarray
    item_weights: np.ndarray


def _solve(sums: _Sums, theta: np.ndarray) -> _Solution:
    """Eliminate items (a diagonal), then annotators (dense), from lme4's penalized equations."""
    own, other = (theta[1], theta[0]) if sums.flipped else (theta[0], theta[1])
    item_diagonal = other**2 * sums.item_n + 1
    item_side = other * sums.item_sums
    product, side = sums.through_items(other)
    dense = -(own**2) * product
    dense[np.diag_indices_from(dense)] += own**2 * sums.annotator_n + 1
    factor = cho_factor(dense, lower=True)
    dense_side = own * (sums.annotator_sums - side)
    schur = sums.gram - (item_side / item_diagonal[:, None]).T @ item_side
    schur -= dense_side.T @ cho_solve(factor, dense_side)
    log_determinant = float(np.log(item_diagonal).sum())
    log_determinant += 2 * float(np.log(np.diag(factor[0])).sum())
    return _Solution(log_determinant, schur, factor, dense_side, item_diagonal)


def _criterion(sums: _Sums, theta: np.ndarray) -> float:
    """Return -2 log restricted likelihood, profiled: Bates et al., equation 41."""
    if not np.isfinite(theta).all():
        return math.inf
    try:
        solution = _solve(sums, theta)
        fixed = cho_factor(solution.schur[:-1, :-1], lower=True)
    except LinAlgError:
        return math.inf
    side = solution.schur[:-1, -1]
    rest = float(solution.schur[-1, -1] - side @ cho_solve(fixed, side))
    free = sums.n - sums.p
    if rest <= 0:
        return math.inf
    log_fixed = 2 * float(np.log(np.diag(fixed[0])).sum())
    return solution.log_determinant + log_fixed + free * (1 + math.log(2 * math.pi * rest / free))


def _minimize(sums: _Sums, used: np.ndarray) -> tuple[np.ndarray, float]:
    """Return relative standard deviations (2,) of annotators and items at the smallest
    criterion."""
    theta = np.zeros(2)

    def loss(free: np.ndarray) -> float:
        theta[used] = free
        return _criterion(sums, theta)

    def slope(free: np.ndarray) -> np.ndarray:
        steps = STEP * np.eye(len(free))
        return np.array([(loss(free + d) - loss(np.abs(free - d))) / (2 * STEP) for d in steps])

    if not used.any():
        return theta, loss(np.zeros(0))
    start = _start(sums)[used]
    best = newton(loss, start)
    if best is None:
        from scipy.optimize import minimize  # seldom needed, and slow to import

        options = {"bounds": [(0, None)] * len(start), "options": {"ftol": 1e-10}}
        best = minimize(loss, start, jac=slope, method="L-BFGS-B", **options).x
    for k in range(len(best)):
        without = np.where(np.arange(len(best)) == k, 0, best)
        if loss(without) <= loss(best) + 1e-8:
            best = without
    criterion = loss(best)
    return theta, criterion if math.isfinite(criterion) else math.nan


def _start(sums: _Sums) -> np.ndarray:
    """Return a guess by the method of moments: how far means of annotators, and of items,
    differ."""
    size = np.diag(sums.gram)[:-1]
    weights = np.append(-sums.gram[:-1, -1] / size, 1)  # values minus means of systems
    weights[sums.n_systems : -1] = 0
    total = float(weights @ sums.gram @ weights) / (sums.n - sums.p)
    sides = [(sums.annotator_n, sums.annotator_sums), (sums.item_n, sums.item_sums)]
    if sums.flipped:
        sides.reverse()
    found = [float(((side @ weights) ** 2 / n).sum() / n.sum()) for n, side in sides]
    found = [max(v - total * len(n) / n.sum(), 0) for v, (n, _) in zip(found, sides, strict=True)]
    rest = max(total - sum(found), 0.1 * total, 1e-300)
    return np.maximum(np.sqrt(np.array(found) / rest), SMALLEST_START)


def _result(
    sums: _Sums,
    theta: np.ndarray,
    criterion: float,
    used: np.ndarray,
    notes: list[str],
    known: dict,
) -> MixedModel:
    solution = _solve(sums, theta)
    fixed = cho_factor(solution.schur[:-1, :-1], lower=True)
    side = solution.schur[:-1, -1]
    effects = cho_solve(fixed, side)
    variance = float(solution.schur[-1, -1] - side @ effects) / (sums.n - sums.p)
    n = sums.n_systems
    covariance = (variance * cho_solve(fixed, np.eye(sums.p)))[:n, :n]
    half = float(ndtri((1 + known["level"]) / 2)) * np.sqrt(np.diag(covariance))
    mean = sums.center + effects[:n]
    sd = math.sqrt(variance)
    random = np.where(used, theta * sd, np.nan)
    return MixedModel(
        mean=mean,
        low=mean - half,
        high=mean + half,
        covariance=covariance,
        annotator_sd=float(random[0]),
        item_sd=float(random[1]),
        residual_sd=sd,
        annotator_effects=_annotator_effects(sums, solution, theta, effects),
        wave_effects=np.append(0.0, effects[n:]),
        criterion=criterion,
        notes=tuple(notes),
        **known,
    )


def _annotator_effects(
    sums: _Sums, solution: _Solution, theta: np.ndarray, effects: np.ndarray
) -> np.ndarray:
    """Return best linear predictions of the annotators' effects, back from the eliminated
    equations."""
    own, other = (theta[1], theta[0]) if sums.flipped else (theta[0], theta[1])
    weights = np.append(-effects, 1)  # values minus fixed effects
    dense = cho_solve(solution.dense, solution.dense_side @ weights)
    if not sums.flipped:
        return own * dense
    side = other * (sums.item_sums @ weights) - own * other * sums.crossed.T @ dense
    return other * side / solution.item_weights


def _identified(n: int, n_annotators: int, n_items: int) -> tuple[list[str], np.ndarray]:
    """Return notes, and which of the two random effects (annotators, items) the data can show."""
    notes, used = [], np.ones(2, bool)
    for place, (name, levels) in enumerate((("annotator", n_annotators), ("item", n_items))):
        if levels == 1:
            notes.append(f"there is one {name} only, so there is no effect of {name}s")
        elif levels == n:
            notes.append(f"each {name} has one rating only, so that their effect is part of error")
        used[place] = 1 < levels < n
    return notes, used


def _why_not(values: np.ndarray, n_systems: int) -> str:
    if not len(values):
        return "there are no ratings"
    if len(values) <= n_systems:
        return "there are no more ratings than systems"
    return "all ratings are the same" if values.min() == values.max() else ""


def _nothing(known: dict, reason: str) -> MixedModel:
    nan = np.full(len(known["systems"]), np.nan)
    return MixedModel(
        mean=nan,
        low=nan,
        high=nan,
        covariance=np.full((len(nan), len(nan)), np.nan),
        annotator_sd=math.nan,
        item_sd=math.nan,
        residual_sd=math.nan,
        annotator_effects=np.full(len(known["annotators"]), np.nan),
        criterion=math.nan,
        reason=reason,
        **known,
    )


def _table(rows: np.ndarray, columns: np.ndarray, n_rows: int, n_columns: int) -> np.ndarray:
    """Return counts (n_rows, n_columns) of pairs of codes."""
    cell = rows.astype(np.int64) * n_columns + columns
    return np.bincount(cell, minlength=n_rows * n_columns).reshape(n_rows, n_columns).astype(float)
