"""Scores of marked errors: MQM and the span score of ESA.

Weights are data: a scheme maps patterns ``severity/category/subcategory`` to penalties. Sources:
Freitag et al. (2021), "Experts, errors, and context"; the WMT23 metrics shared task; the MQM
interface of Appraise; Kocmi et al. (2024), "Error span annotation". A score is a negated penalty,
so that higher is better and a text without errors has 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

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
        """Return the penalty of one error. Raise ValueError for a severity that no pattern
        covers."""
        severity, levels = severity_name(severity), _levels(category)
        for depth in range(len(levels), -1, -1):
            for first in (severity, ANY):
                found = self.weights.get("/".join([first, *levels[:depth]]))
                if found is not None:
                    return found
        known = ", ".join(self.severities)
        raise ValueError(f"{self.name} has no weight for {severity!r}; it has {known}")

    def covers(self, severities: Iterable[str]) -> bool:
        """Return whether each of the severities has a penalty whatever the category."""
        return ANY in self.weights or {normalized(name) for name in severities} <= {
            *self.severities
        }


def severity_name(text: str) -> str:
    """Return a severity as patterns name it. It has no levels, so a slash in it is a space."""
    return " ".join(_levels(text)).strip()


def normalized(text: str) -> str:
    """Return a severity or a category such as ``Accuracy / Omission`` as it is compared with
    others."""
    return "/".join(_levels(text))


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
NO_ERRORS = {"neutral": 0, "undecided": 0}

# Published weights, by the slugs of addresses.
SCHEMES = {
    scheme.slug: scheme
    for scheme in (
        # Both are named differently in the releases: source errors of WMT20, and severities of
        # errors that are categories in other years.
        Scheme(
            "google",
            "Google's MQM at WMT20–23",
            NO_ERRORS
            | GOOGLE
            | {
                "non-translation": 25,
                "*/source issue": 0,
                "*/source error": 0,
                "*/creative reinterpretation": 0,
                "*/accuracy/creative reinterpretation": 0,
            },
        ),
        Scheme(
            "freitag",
            "Freitag et al. (2021)",
            NO_ERRORS | GOOGLE | {"non-translation": 25},
        ),
        Scheme(
            "appraise",
            "MQM in Appraise, WMT23's ESA study",
            NO_ERRORS
            | {
                "minor": 1,
                "major": 5,
                "critical": 25,
                "*/punctuation": 0.1,
                "*/fluency/punctuation": 0.1,
                "*/linguistic conventions/punctuation": 0.1,
            },
        ),
        Scheme("esa", "spans of ESA", NO_ERRORS | {"minor": 1, "major": 5}),
    )
}
