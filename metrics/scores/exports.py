"""Scores of a test set as mt-metrics-eval keeps them, which `metrics.formats` reads back."""

import io
import re
import zipfile
from collections.abc import Iterator

import numpy as np

from judgments.formats.formulas import tsv_line
from judgments.models import TestSet
from metrics.formats import score_files
from metrics.models import MetricScore
from metrics.scorers.uploads import Uploaded
from metrics.scores.tables import MetricColumn, score_table, scores_of_groups

UNFIT_FOR_METRICS = re.compile(r"[^\w.+-]+")
# mt-metrics-eval separates the names of references by dots, and from the metric's by a dash.
UNFIT_FOR_REFERENCES = re.compile(r"[^\w+]+")
INDEX_COLUMNS = ("file", "metric", "references", "direction", "out_of_date", "signature")
# Every file of an archive has the same age, so that the same scores make the same archive.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def archive(test_set: TestSet) -> bytes:
    """All scores of a test set as a zip: `metric-scores/SRC-TGT/METRIC-REF.LEVEL.score`, and
    `signatures.tsv`, which says what each file holds. Names of systems stand in score files as they
    are, whatever they begin with: mt-metrics-eval looks them up, and no spreadsheet opens them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files(test_set):
            packed.writestr(zipfile.ZipInfo(name, LONG_AGO), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def files(test_set: TestSet) -> Iterator[tuple[str, str]]:
    """(name, content) of every file."""
    table = score_table(test_set, statistics=True)
    folder = f"metric-scores/{test_set.source_language}-{test_set.target_language}"
    documents = documents_of(test_set)
    index, taken = [], set[str]()
    for column in table.columns:
        references = [UNFIT_FOR_REFERENCES.sub("_", name) for name in column.references]
        scored = [system for system in table.systems if system.pk in column.scores]
        metric = free_name(column, references, taken)
        for level, lines in levels(column, scored, documents):
            yield f"{folder}/{score_files.file_name(metric, references, level)}", "".join(lines)
        index.append(
            (
                f"{metric}-{'.'.join(references) or score_files.WITHOUT_REFERENCE}",
                column.label,
                "+".join(column.references),
                column.direction,
                "yes" if column.stale else "no",
                column.signature,
            )
        )
    yield "signatures.tsv", "".join(map(tsv_line, (INDEX_COLUMNS, *index)))


def documents_of(test_set: TestSet) -> np.ndarray:
    """The place of the document of every segment, (n_segments,)."""
    places = {pk: i for i, pk in enumerate(test_set.documents.values_list("pk", flat=True))}
    found = test_set.segments.values_list("document_id", flat=True)
    return np.array([places[pk] for pk in found], dtype=np.intp)


def free_name(column: MetricColumn, references: list[str], taken: set[str]) -> str:
    """A name for the metric's files that no other of the archive has.

    An uploaded metric has the name it came with, so that its files come out as they went in.
    """
    score = next(iter(column.scores.values()))
    wanted = score.options["name"] if column.metric == Uploaded.slug else column.label
    stem = name = UNFIT_FOR_METRICS.sub("_", wanted).strip("_.") or column.metric
    number = 1
    while (file := score_files.file_name(name, references, "")) in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(file)
    return name


def levels(
    column: MetricColumn, systems: list, documents: np.ndarray
) -> Iterator[tuple[str, list[str]]]:
    """(level, lines) for every level at which the column has scores."""
    line = score_files.write_line
    scorer, n = column.scorer(), int(documents.max()) + 1
    yield "sys", [line(system.name, column.scores[system.pk].score) for system in systems]
    found = {
        "seg": {s.name: segments_of(column.scores[s.pk], len(documents)) for s in systems},
        "doc": {
            s.name: scores_of_groups(column.scores[s.pk], scorer, documents, n) for s in systems
        },
    }
    for level, by_system in found.items():
        if any(not np.isnan(values).all() for values in by_system.values()):
            lines = [line(n, value) for n, values in by_system.items() for value in values.tolist()]
            yield level, lines


def segments_of(score: MetricScore, n_segments: int) -> np.ndarray:
    """Scores of the segments; none where the test set has grown since they were computed."""
    values = score.segment_scores
    return values if len(values) == n_segments else np.full(n_segments, np.nan)
