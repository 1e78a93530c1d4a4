"""Metrics of other packages: entry points of the group ``mteval.metrics``.

An entry point's name is the metric's slug, and its object a subclass of ``Scorer``. A plug-in that
cannot be used is left out with a reason; it never keeps the others from working.
"""

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .base import FAMILIES, Scorer

logger = logging.getLogger(__name__)

GROUP = "mteval.metrics"
SLUG = re.compile(r"[a-z][a-z0-9_]{0,39}")
OPTION_TYPES = ("bool", "int", "float", "str")
# Attributes that a subclass has to set, with their types.
NEEDED: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "family": str,
    "description": str,
    "higher_is_better": bool,
    "score_range": tuple,
}


@dataclass(frozen=True)
class PluginProblem:
    """A plug-in that was left out, and why."""

    slug: str
    package: str
    reason: str

    def __str__(self) -> str:
        return f"The metric {self.slug!r} of the package {self.package} is left out: {self.reason}"


def find_plugins(
    known: Mapping[str, type[Scorer]], points: Iterable[EntryPoint] | None = None
) -> tuple[dict[str, type[Scorer]], list[PluginProblem]]:
    """Return the usable metrics of installed packages by slug, and those that were left out.

    ``known``: the metrics of the house, whose slugs nobody else may take.
    """
    found: dict[str, type[Scorer]] = {}
    problems = []
    for point in entry_points(group=GROUP) if points is None else points:
        try:
            found[point.name] = checked(point.name, load(point), {**known, **found})
        except ValueError as error:
            package = point.dist.name if point.dist else "unknown"
            problems.append(PluginProblem(point.name, package, str(error)))
            logger.warning("%s", problems[-1])
    return found, problems


def load(point: EntryPoint) -> Any:
    """Return the object of an entry point; Raise ValueError when its module fails, however it
    fails."""
    try:
        return point.load()
    except (Exception, SystemExit) as error:  # it is somebody else's program
        raise ValueError(f"{point.value} failed with {describe(error)}") from error


def describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def checked(slug: str, scorer: Any, known: Mapping[str, type[Scorer]]) -> type[Scorer]:
    """Return the class, if it keeps the contract as far as that can be seen without texts.

    Raises ValueError that says what is missing.
    """
    if not isinstance(scorer, type) or not issubclass(scorer, Scorer):
        raise ValueError(f"{scorer!r} is not a subclass of metrics.scorers.Scorer.")
    if not SLUG.fullmatch(slug):
        raise ValueError(
            "a slug has small letters, digits and _, begins with a letter, and has 40 at most."
        )
    if slug in known:
        raise ValueError(f"{known[slug].__module__} has a metric of this name already.")
    if getattr(scorer, "slug", None) != slug:
        own = getattr(scorer, "slug", None)
        raise ValueError(f"its class has the slug {own!r}; it should be that of the entry point.")
    check_attributes(scorer)
    check_options(scorer)
    return scorer


def check_attributes(scorer: type[Scorer]) -> None:
    """Raise ValueError for an attribute of the class that is missing or of a wrong kind."""
    for name, kind in NEEDED.items():
        if not isinstance(getattr(scorer, name, None), kind):
            raise ValueError(f"its class attribute {name} is missing or has a wrong type.")
    if scorer.family not in FAMILIES:
        raise ValueError(f"its family {scorer.family!r} is none of: {', '.join(FAMILIES)}.")
    if len(scorer.score_range) != 2 or not scorer.score_range[0] < scorer.score_range[1]:
        raise ValueError("its score_range is not (lowest, highest).")


def check_options(scorer: type[Scorer]) -> None:
    """Raise ValueError unless every option has a default and a type that forms can ask for."""
    if not is_dataclass(scorer) or "__dataclass_params__" not in vars(scorer):
        raise ValueError("its class needs the decorator @dataclass(kw_only=True).")
    for field in fields(scorer):
        words = str(getattr(field.type, "__name__", field.type)).replace(" ", "")
        if words.removesuffix("|None") not in OPTION_TYPES:
            raise ValueError(
                f"its option {field.name} has the type {field.type}; possible are bool, int, "
                "float and str, each also with | None."
            )
    try:
        scorer().signature(1)
    except Exception as error:  # it is somebody else's program
        reason = f"it cannot be made with its defaults and sign: {describe(error)}"
        raise ValueError(reason) from error
