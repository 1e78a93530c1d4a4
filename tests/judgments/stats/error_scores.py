"""Scores of published error marks, with the weights of their publishers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.mqm import GOOGLE, Scheme
from judgments.stats.mqm import SCHEMES as PUBLISHED

# Under separate names: the product's, which readers choose, and the weights of the preset `mqm`.
SCHEMES = {
    "google": Scheme("google", "MQM, weights of Freitag et al. (2021)", GOOGLE),
    "google-wmt23": PUBLISHED["google"],
    "mqm-core": PUBLISHED["appraise"],
    "esa": PUBLISHED["esa"],
}


@dataclass(frozen=True)
class ErrorScores:
    """Scores (m,) of the judgments named in ``judgments`` (m,), and their numbers of errors."""

    scheme: str
    judgments: np.ndarray
    scores: np.ndarray
    n_errors: np.ndarray


def penalties(
    severity: Sequence[str], category: Sequence[str], scheme: Scheme | str = "google"
) -> np.ndarray:
    """Return the penalty (n,) of each error (n,). An empty severity means no error: NaN.

    Raise ValueError for an unknown scheme or severity.
    """
    if isinstance(scheme, str):
        if scheme not in SCHEMES:
            raise ValueError(f"scheme is one of {', '.join(SCHEMES)}, not {scheme!r}")
        scheme = SCHEMES[scheme]
    if len(severity) != len(category):
        raise ValueError(f"{len(severity)} severities but {len(category)} categories")
    known: dict[tuple[str, str], float] = {}
    found = np.full(len(severity), np.nan)
    for i, kind in enumerate(zip(severity, category, strict=True)):
        if kind[0]:
            if kind not in known:
                known[kind] = scheme.penalty(*kind)
            found[i] = known[kind]
    return found


def error_scores(
    judgment: ArrayLike,
    severity: Sequence[str],
    category: Sequence[str],
    *,
    scheme: Scheme | str = "google",
    cap: float | None = None,
    words: ArrayLike | None = None,
) -> ErrorScores:
    """Return the score of each judgment: the negated sum of the penalties of its errors.

    One error per row (n,); a judgment without errors has a row with an empty severity and gets 0.
    ``cap``: the largest penalty of a judgment. ``words`` (n,): the length of the text judged, the
    same in all rows of a judgment; scores are then per 100 words, NaN for a text without words.
    Averages over raters and segments are `judgments.stats.normalization.aggregate`.
    """
    names, code = np.unique(np.asarray(judgment), return_inverse=True)
    weights = penalties(severity, category, scheme)
    if len(weights) != len(code):
        raise ValueError(f"{len(code)} judgments but {len(weights)} severities")
    is_error = ~np.isnan(weights)
    total = np.bincount(code, weights=np.where(is_error, weights, 0), minlength=len(names))
    if cap is not None:
        total = np.minimum(total, cap)
    if words is not None:
        length = np.zeros(len(names))
        length[code] = np.asarray(words, np.float64)
        total = np.where(length > 0, 100 * total / np.where(length > 0, length, 1), np.nan)
    slug = scheme if isinstance(scheme, str) else scheme.slug
    n_errors = np.bincount(code, weights=is_error, minlength=len(names)).astype(np.int64)
    return ErrorScores(slug, names, 0.0 - total, n_errors)
