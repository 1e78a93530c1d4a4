"""Scores of marked errors: MQM and the span score of ESA.

Weights are data: a scheme maps patterns ``severity/category/subcategory`` to penalties. Sources:
Freitag et al. (2021), "Experts, errors, and context"; the WMT23 metrics shared task; the MQM
interface of Appraise; Kocmi et al. (2024), "Error span annotation". A score is a negated penalty,
so that higher is better and a text without errors has 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

ANY = "*"


@dataclass(frozen=True)
class Scheme:
    """``weights``: pattern → penalty. A pattern is a severity, or a severity (or ``*``, any), a
    category and, if wanted, a subcategory: ``minor``, ``*/source issue``,
    ``minor/fluency/punctuation``. The one that names most levels of the category wins, and of two
    such the one that names the severity. Letter case, spaces around and a final "!" do not matter.
    """

    slug: str
    name: str
    weights: Mapping[str, float] = field(hash=False)

    def __post_init__(self) -> None:
        clean = {"/".join(_levels(pattern)): float(w) for pattern, w in self.weights.items()}
        object.__setattr__(self, "weights", MappingProxyType(clean))

    @property
    def severities(self) -> tuple[str, ...]:
        """The severities that have a penalty whatever the category."""
        return tuple(pattern for pattern in self.weights if "/" not in pattern and pattern != ANY)

    def penalty(self, severity: str, category: str = "") -> float:
        """The penalty of one error. ValueError for a severity that no pattern covers."""
        [severity], levels = _levels(severity) or [""], _levels(category)
        for depth in range(len(levels), -1, -1):
            for first in (severity, ANY):
                found = self.weights.get("/".join([first, *levels[:depth]]))
                if found is not None:
                    return found
        known = ", ".join(self.severities)
        raise ValueError(f"{self.name} has no weight for {severity!r}; it has {known}")


def _levels(text: str) -> list[str]:
    levels = [level.strip().rstrip("!").strip().lower() for level in text.split("/")]
    return levels if levels != [""] else []


GOOGLE = {
    "neutral": 0,
    "minor": 1,
    "major": 5,
    "minor/fluency/punctuation": 0.1,
    "*/non-translation": 25,
}
ZERO_WEIGHTS = {"*/source issue": 0, "*/accuracy/creative reinterpretation": 0}
SCHEMES = {
    scheme.slug: scheme
    for scheme in (
        Scheme("google", "MQM, weights of Freitag et al. (2021)", GOOGLE),
        Scheme(
            "google-wmt23",
            "MQM, weights of WMT23: source issues and creative reinterpretations count 0",
            GOOGLE | ZERO_WEIGHTS,
        ),
        Scheme(
            "mqm-core",
            "MQM core, weights of Appraise",
            {
                "undecided": 0,
                "minor": 1,
                "major": 5,
                "critical": 25,
                "*/linguistic conventions/punctuation": 0.1,
            },
        ),
        Scheme("esa", "ESA spans", {"undecided": 0, "minor": 1, "major": 5}),
    )
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
    """The penalty (n,) of each error (n,). An empty severity is no error: NaN.

    ValueError for an unknown scheme or severity.
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
    """Score of each judgment: the negated sum of the penalties of its errors.

    One error a row (n,); a judgment without errors has a row with an empty severity and gets 0.
    ``cap``: the largest penalty of a judgment. ``words`` (n,): the length of the text judged, the
    same in all rows of a judgment; scores are then per 100 words, NaN for a text of none.
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
