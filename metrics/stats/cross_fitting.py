"""Ridge regression of people's scores on metrics' scores, each document predicted by a model fitted
without it.

Hoerl and Kennard (1970), "Ridge regression: biased estimation for nonorthogonal problems",
Technometrics 12(1); Stone (1974), "Cross-validatory choice and assessment of statistical
predictions", Journal of the Royal Statistical Society B 36(2); Albrecht and Hwa (2007), "Regression
for sentence-level MT evaluation with pseudo references", ACL.
"""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

MOST_FOLDS = 10
# For n outputs, the penalty is n times one of these; features have variance 1.
PENALTIES = np.logspace(-4, 2, 13)
# A standard deviation below this times the mean is rounding.
CONSTANT = 1e-12
# The same of a standard deviation from sums of squares, of features with variance 1 over all rows:
# what folds leave of them is rounding of the whole.
CONSTANT_PART = 1e-6


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """Predictions of n outputs with p features in K folds.

    ``predicted`` (n,); ``folds`` (n,): the fold with which an output was left out; ``means`` (n,):
    the mean score of the other folds; ``weights`` (K, p): score per standard deviation of a
    feature; ``penalties`` (K,), as shares of the number of outputs.
    """

    predicted: Floats
    folds: Ints
    means: Floats
    weights: Floats
    penalties: Floats


@dataclass(frozen=True)
class ExplainedShare:
    """R² of predictions on left-out data, with a 95 % interval; NaN if undefined."""

    estimate: float = nan
    low: float = nan
    high: float = nan


def folds_of(documents: NDArray, rng: np.random.Generator, most: int = MOST_FOLDS) -> Ints:
    """Return the fold (n,) of each output: whole documents, shuffled, as evenly as possible in
    ``most`` folds, or one fold per document if there are fewer."""
    names, places = np.unique(documents, return_inverse=True)
    folds = np.empty(len(names), np.intp)
    folds[rng.permutation(len(names))] = np.arange(len(names)) % min(most, len(names))
    return folds[places]


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over rows of features and score together, (p + 1) each; they add up over folds."""

    n: int
    sums: Floats
    products: Floats

    @classmethod
    def of(cls, rows: Floats) -> "Moments":
        return cls(len(rows), rows.sum(axis=0), rows.T @ rows)

    def without(self, *others: "Moments") -> "Moments":
        return Moments(
            self.n - sum(each.n for each in others),
            self.sums - sum(each.sums for each in others),
            self.products - sum(each.products for each in others),
        )

    def solve(self, penalties: Floats) -> tuple[Floats, Floats, Floats]:
        """Return weights per standard deviation (L, p), weights per unit (L, p) and intercepts (L,)
        of ridge regression with each penalty (L,); a feature that is constant has weight 0."""
        mean = self.sums / self.n
        covariance = self.products / self.n - np.outer(mean, mean)
        spread = np.sqrt(np.maximum(np.diag(covariance)[:-1], 0))
        flat = spread <= CONSTANT_PART
        scale = np.where(flat, 0, 1 / np.where(flat, 1, spread))
        correlations = covariance[:-1, :-1] * np.outer(scale, scale)
        values, vectors = np.linalg.eigh(correlations)
        along = vectors.T @ (covariance[:-1, -1] * scale)
        shrunk = along / (np.maximum(values, 0) + penalties[:, None])
        standard = shrunk @ vectors.T
        weights = standard * scale
        return standard, weights, mean[-1] - weights @ mean[:-1]


def cross_fitted(
    features: Floats, scores: Floats, folds: Ints, penalties: Floats = PENALTIES
) -> CrossFitted:
    """Return the predictions of scores (n,) from features (n, p), each fold (n,) from the others.

    The penalty of a fold is the one of ``penalties`` whose predictions have the least squared error
    when each of the other folds is left out in turn; features are standardized on the data that a
    model is fitted on. Minimizes the mean of squared errors + penalty · the sum of squared weights
    of standardized features. At least three folds, each with outputs.
    """
    n_folds = int(folds.max()) + 1
    # Squares of numbers around 0 keep their digits; this changes no prediction.
    center, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread <= CONSTANT * np.abs(center), np.inf, spread)
    rows = np.column_stack([(features - center) / spread, scores - scores.mean()])
    parts = [rows[folds == k] for k in range(n_folds)]
    moments = [Moments.of(part) for part in parts]
    whole = Moments.of(rows)
    errors = np.zeros((n_folds, len(penalties)))
    for j in range(n_folds):
        for k in range(j):
            _, weights, intercepts = whole.without(moments[j], moments[k]).solve(penalties)
            for out, tested in ((j, k), (k, j)):
                part = parts[tested]
                missed = part[:, -1:] - part[:, :-1] @ weights.T - intercepts
                errors[out] += np.sum(missed**2, axis=0)
    predicted, means = np.empty(len(rows)), np.empty(len(rows))
    kept, used = [], penalties[errors.argmin(axis=1)]
    for k in range(n_folds):
        rest = whole.without(moments[k])
        standard, weights, intercepts = rest.solve(used[[k]])
        there = folds == k
        predicted[there] = parts[k][:, :-1] @ weights[0] + intercepts[0]
        means[there] = rest.sums[-1] / rest.n
        kept.append(standard[0])
    predicted, means = predicted + scores.mean(), means + scores.mean()
    return CrossFitted(predicted, folds, means, np.array(kept), used)


def alone(features: Floats, scores: Floats, folds: Ints) -> Floats:
    """Return the predictions (n, p) by a line through each single feature, fitted as above without
    the fold of an output and without a penalty."""
    predicted = np.empty_like(features)
    for k in range(int(folds.max()) + 1):
        out = folds == k
        x, y = features[~out], scores[~out]
        center = x.mean(axis=0)
        spread = np.sum((x - center) ** 2, axis=0)
        flat = spread <= CONSTANT**2 * np.sum(x**2, axis=0)
        slope = np.where(flat, 0, (x - center).T @ (y - y.mean()) / np.where(flat, 1, spread))
        predicted[out] = y.mean() + (features[out] - center) * slope
    return predicted


def explained(
    scores: Floats,
    means: Floats,
    documents: NDArray,
    predicted: Floats,
    against: Floats | None = None,
    level: float = 0.95,
) -> ExplainedShare:
    """Return R² = 1 − Σ(y − ŷ)² / Σ(y − ȳ)², ȳ the mean of the data that the model was fitted on
    (``means``, (n,)), or the R² of ``predicted`` minus that of ``against``. The interval: Student's
    t with the jackknife's error over documents (Efron and Stein 1981), with the folds fixed."""
    _, places = np.unique(documents, return_inverse=True)
    other = (scores - means) ** 2 if against is None else (scores - against) ** 2
    gained = np.bincount(places, other - (scores - predicted) ** 2)
    spread = np.bincount(places, (scores - means) ** 2)
    n = len(gained)
    if not spread.sum():
        return ExplainedShare()
    estimate = float(gained.sum() / spread.sum())
    left = spread.sum() - spread
    if n < 2 or not left.all():
        return ExplainedShare(estimate)
    each = (gained.sum() - gained) / left
    error = sqrt((n - 1) / n * float(np.sum((each - each.mean()) ** 2)))
    half = float(stdtrit(n - 1, (1 + level) / 2)) * error
    return ExplainedShare(estimate, estimate - half, estimate + half)
