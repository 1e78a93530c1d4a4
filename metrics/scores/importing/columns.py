"""Entries of files for a metric → the column of its scores at all levels."""

from dataclasses import dataclass

import numpy as np

from judgments.files import ImportProblem
from judgments.files.problem import shortened

from .reading import Floats, FoundScores, Numbers, Places

# Files with six digits deviate by less than this part of the scores' mean size.
TOLERANCE = 1e-5


@dataclass(frozen=True)
class FileColumn:
    """Scores of one metric, by system.

    `level`: the finest with scores, "segment", "document" or "system". `scores`: of the systems;
    `are_means`: whether they are the means of `values`, the scores of segments or documents in the
    order of the test set. `given`: content of MetricScore.levels.
    """

    level: str
    scores: dict[str, float]
    are_means: bool
    values: dict[str, Floats]
    given: dict[str, dict]


def column_of(metric: str, found: FoundScores, places: Places) -> FileColumn | None:
    """Return the column of a metric; None without a score of any system.

    Systems without a score are not in the column. Raise ImportProblem if systems of one file are
    missing in another, and for scores of domains without any others.
    """
    levels = {level: with_scores(found, level) for level in found.levels}
    level = next((each for each in ("segment", "document") if levels.get(each)), "system")
    values = {s: numbers.values for s, numbers in levels.get(level, {}).items()}
    if not values:
        if levels.get("domain"):
            reason = f"{shortened(metric)} has scores of domains, but none of systems."
            raise ImportProblem(found.first_file, None, "", reason)
        return None
    check_systems(metric, found, levels, level)
    scores = {system: float(np.nanmean(numbers)) for system, numbers in values.items()}
    are_means = level != "system"
    if are_means and levels.get("system"):  # some score, not only missing ones
        stated = {s: float(numbers.values[0]) for s, numbers in levels["system"].items()}
        are_means = all(is_close(stated[s], scores[s], values[s]) for s in scores)
        scores = stated
    given = {system: given_of(system, found, levels, places) for system in scores}
    return FileColumn(level, scores, are_means, {} if level == "system" else values, given)


def with_scores(found: FoundScores, level: str) -> dict[str, Numbers]:
    """Return the numbers of a level by system, for the systems that have one."""
    numbers = found.levels.get(level, {})
    return {s: n for s, n in numbers.items() if not np.isnan(n.values).all()}


def check_systems(
    metric: str, found: FoundScores, levels: dict[str, dict[str, Numbers]], finest: str
) -> None:
    """Raise ImportProblem for a system missing in the file of a level."""
    known = set(levels[finest])
    for level, numbers in levels.items():
        if not numbers:
            continue
        if odd := sorted(set(numbers) ^ known):
            lacks = finest if odd[0] in numbers else level
            reason = f"{shortened(metric)} has no score of {shortened(odd[0])} for {lacks}s"
            raise ImportProblem(
                found.first_file, None, "", f"{reason}, though another file has one."
            )


def given_of(
    system: str, found: FoundScores, levels: dict[str, dict[str, Numbers]], places: Places
) -> dict:
    """Return the scores of a system as written in the files, for MetricScore.levels."""
    given: dict = {"file": found.stem} if found.stem else {}
    if "system" in levels and system in levels["system"]:
        given["system"] = levels["system"][system].texts[0]
    if "domain" in levels and system in levels["domain"]:
        numbers = levels["domain"][system]
        given["domain"] = {
            name: numbers.texts[i] for name, i in places.domains.items() if numbers.given[i]
        }
    if "document" in levels and system in levels["document"]:
        given["document"] = levels["document"][system].texts
    if "segment" in levels and system in levels["segment"]:
        given["segment"] = found.spelling.name
    return given


def is_close(given: float, mean: float, values: Floats) -> bool:
    """Return whether a given score equals a mean, up to the digits that files leave out."""
    return abs(given - mean) <= TOLERANCE * float(np.nanmean(np.abs(values)))
