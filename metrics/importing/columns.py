"""What files say about a metric → columns of scores that belong together."""

from dataclasses import dataclass

import numpy as np

from judgments.formats import ImportProblem
from judgments.formats.problem import shortened

from .reading import Floats, FoundScores, Places

# Files that keep six digits are off by less than this part of the scores' mean size.
TOLERANCE = 1e-5


@dataclass(frozen=True)
class FileColumn:
    """Scores of one metric at one level, by system.

    `scores`: of the systems; `are_means`: whether they are the means of `values`, which has the
    scores of segments or documents in the order of the test set.
    """

    level: str
    scores: dict[str, float]
    are_means: bool
    values: dict[str, Floats]


def columns_of(metric: str, found: FoundScores, places: Places) -> list[FileColumn]:
    """A column of segments, one of documents where these say more, or else one of systems.

    Scores of systems belong to the segments or, without any, to the documents. Systems without a
    score have no place in a column. Raises ImportProblem where systems of one file lack in another.
    """
    given = {
        system: float(numbers.values[0])
        for system, numbers in found.levels.get("system", {}).items()
        if not np.isnan(numbers.values[0])
    }
    segments, documents = values_of(found, "segment"), values_of(found, "document")
    if not segments and not documents:
        return [FileColumn("system", given, False, {})] if given else []
    columns = []
    if segments:
        columns.append(column("segment", segments, given, metric, found))
    if documents and not are_means_of_segments(documents, segments, places):
        columns += document_columns(documents, {} if segments else given, metric, found)
    return columns


def document_columns(
    documents: dict[str, Floats], given: dict[str, float], metric: str, found: FoundScores
) -> list[FileColumn]:
    """A column of documents, and one of systems where their scores are others than the means."""
    both = column("document", documents, given, metric, found)
    if both.are_means:
        return [both]
    return [
        column("document", documents, {}, metric, found),
        FileColumn("system", given, False, {}),
    ]


def values_of(found: FoundScores, level: str) -> dict[str, Floats]:
    """Scores of a level by system, of the systems that have one at all."""
    numbers = found.levels.get(level, {})
    return {s: n.values for s, n in numbers.items() if not np.isnan(n.values).all()}


def column(
    level: str, values: dict[str, Floats], given: dict[str, float], metric: str, found: FoundScores
) -> FileColumn:
    means = {system: float(np.nanmean(numbers)) for system, numbers in values.items()}
    if not given:
        return FileColumn(level, means, True, values)
    if odd := sorted(set(given) ^ set(values)):
        lacks = level if odd[0] in given else "system"
        reason = f"{shortened(metric)} has no score of {shortened(odd[0])} for {lacks}s"
        raise ImportProblem(found.first_file, None, "", f"{reason}, though another file has one.")
    are_means = all(is_close(given[s], means[s], values[s]) for s in values)
    return FileColumn(level, given, are_means, values)


def is_close(given: float, mean: float, values: Floats) -> bool:
    """Whether a score that was given is a mean, but for the digits that files leave out."""
    return abs(given - mean) <= TOLERANCE * float(np.nanmean(np.abs(values)))


def are_means_of_segments(
    documents: dict[str, Floats], segments: dict[str, Floats], places: Places
) -> bool:
    """Whether the scores of documents say nothing that those of segments do not say."""
    if not set(documents) <= set(segments):
        return False
    n = len(places.documents)
    for system, values in documents.items():
        known = ~np.isnan(segments[system])
        where = places.document_of[known]
        counts = np.bincount(where, minlength=n)
        sums = np.bincount(where, weights=segments[system][known], minlength=n)
        sizes = np.bincount(where, weights=np.abs(segments[system][known]), minlength=n)
        has_score = ~np.isnan(values)
        if (has_score != (counts > 0)).any():
            return False
        off = np.abs(values * counts - sums)[has_score]
        if (off > TOLERANCE * sizes[has_score]).any():
            return False
    return True
