"""Scores of a test set as mt-metrics-eval keeps them, which `metrics.formats` reads back.

That tool compares all scores with people's as they are, higher being better. So a metric for which
lower is better, such as TER, leaves with its sign turned.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterator

import numpy as np

from judgments.files.formulas import tsv_line
from judgments.models import System, TestSet
from metrics.formats import score_files
from metrics.formats.entries import parse_references
from metrics.formats.spellings import MISSING, SHORTEST, spelled, turned
from metrics.models import MetricScore, MetricSpans
from metrics.scorers.uploads import Uploaded

from .levels import Groups, document_scores_of, domain_scores_of, groups_of
from .tables import MetricColumn, score_table

UNFIT_FOR_METRICS = re.compile(r"[^\w.+-]+")
# What the names of an upload's files begin with goes out as it came, unless it is no file's name.
FIT_FOR_FILES = re.compile(r"[\w(\[][\w.+()\[\]@=,~-]*")
# mt-metrics-eval separates the names of references by dots, and from the metric's by a dash.
UNFIT_FOR_REFERENCES = re.compile(r"[^\w+]+")
INDEX_COLUMNS = ("file", "metric", "references", "direction", "turned", "out_of_date", "signature")
ERROR_COLUMNS = (
    "metric",
    "references",
    "system",
    "segment",
    "start",
    "end",
    "severity",
    "category",
    "confidence",
)
# Every file of an archive has the same age, so that the same scores make the same archive.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def archive(test_set: TestSet) -> bytes:
    """Return all scores of a test set as a zip: `metric-scores/SRC-TGT/METRIC-REF.LEVEL.score`,
    `signatures.tsv`, which says what each file holds, and `marked-errors.tsv` where metrics mark
    errors. Names of systems stand in score files as they are, whatever they begin with:
    mt-metrics-eval looks them up, and no spreadsheet opens them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:

        def write(name: str, text: str) -> None:
            packed.writestr(zipfile.ZipInfo(name, LONG_AGO), text, zipfile.ZIP_DEFLATED)

        index = write_metric_scores(test_set, write)
        write("signatures.tsv", "".join(map(tsv_line, (INDEX_COLUMNS, *index))))
        if errors := list(error_lines(test_set)):
            write("marked-errors.tsv", "".join(map(tsv_line, (ERROR_COLUMNS, *errors))))
    return out.getvalue()


def error_lines(test_set: TestSet) -> Iterator[tuple[str, ...]]:
    """Yield the errors that uploaded metrics mark, as `metrics.formats.marked_errors` reads them;
    of an output on which a metric marked nothing a row without a place."""
    keys = list(test_set.segments.order_by("position").values_list("key", flat=True))
    kept = MetricSpans.objects.filter(score__test_set=test_set).select_related("score__system")
    for row in kept.defer("score__segment_data", "score__statistics_data", "score__levels"):
        score = row.score
        metric = score.options.get("name", score.metric), "+".join(score.references) or "src"
        for key, errors in zip(keys, row.data, strict=False):
            if errors is None:
                continue
            for start, end, severity, category, confidence in errors or [("", "", "", "", None)]:
                place = (str(start), str(end), severity, category)
                told = "" if confidence is None else str(confidence)
                yield (*metric, score.system.name, key, *place, told)


def write_metric_scores(
    test_set: TestSet, write: Callable[[str, str], object], pair: str = ""
) -> list[tuple[str, ...]]:
    """Write all scores of a test set as `metric-scores/PAIR/NAME-REF.LEVEL.score`, each by
    `write(path, text)`; a row for each metric under INDEX_COLUMNS. `pair`: SRC-TGT, unless it is
    called otherwise.

    What files gave goes out as it came, but for the order of lines, and for its sign where lower is
    better; a metric of our own has the levels at which it has scores.
    """
    table = score_table(test_set, statistics=True)
    folder = f"metric-scores/{pair or f'{test_set.source_language}-{test_set.target_language}'}"
    groups = groups_of(test_set)
    index: list[tuple[str, ...]] = []
    taken = set[str]()
    for column in table.columns:
        scored = [system for system in table.systems if system.pk in column.scores]
        stem = free_stem(column, taken)
        sign = as_it_is if column.higher_is_better else turned
        for level, lines in levels(column, scored, groups, sign):
            write(f"{folder}/{stem}.{level}{score_files.SUFFIX}", "".join(lines))
        index.append(
            (
                stem,
                column.label,
                "+".join(column.references),
                column.direction,
                "no" if column.higher_is_better else "yes",
                "yes" if column.stale else "no",
                column.signature,
            )
        )
    return index


def free_stem(column: MetricColumn, taken: set[str]) -> str:
    """Return what the names of a metric's files begin with, unlike any other of the archive.

    An uploaded metric has the name it came with, so that its files come out as they went in.
    """
    score = next(iter(column.scores.values()))
    given = score.levels.get("file", "")
    if given not in taken and is_its_name(given, column, score):
        taken.add(given)
        return given
    references = [UNFIT_FOR_REFERENCES.sub("_", name) for name in column.references]
    after = f"-{'.'.join(references) or score_files.WITHOUT_REFERENCE}"
    wanted = score.options["name"] if column.metric == Uploaded.slug else column.label
    stem = name = UNFIT_FOR_METRICS.sub("_", wanted).strip("_.") or column.metric
    number = 1
    while name + after in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(name + after)
    return name + after


def is_its_name(stem: str, column: MetricColumn, score: MetricScore) -> bool:
    """Return whether this names the metric and its references, and can name a file."""
    name, _, last = stem.rpartition("-")
    is_fit = FIT_FOR_FILES.fullmatch(stem) is not None and name == score.options["name"]
    names = tuple(column.references)
    return is_fit and (last == score_files.ALL_REFERENCES or parse_references(last, ".") == names)


def as_it_is(score: str) -> str:
    return score


def levels(
    column: MetricColumn, systems: list[System], groups: Groups, sign: Callable[[str], str]
) -> Iterator[tuple[str, list[str]]]:
    """Yield (level, lines) for every level at which the column has scores; of an uploaded metric
    those that were given, and systems. `sign`: a score as it is written → as it leaves."""
    scores = {system.name: column.scores[system.pk] for system in systems}
    yield "sys", [score_files.write_line(name, sign(system_text(s))) for name, s in scores.items()]
    documents, document_of, domains, domain_of = groups
    scorer, n_documents = column.scorer(), len(documents)
    by_domain = {
        name: domain_scores_of(score, scorer, domain_of, domains)
        for name, score in scores.items()
        if is_there("domain", score)
    }
    if has_any(by_domain):
        yield "domain", domain_lines(domains, by_domain, scores, sign)
    by_document = {
        name: document_scores_of(score, scorer, document_of, n_documents)
        for name, score in scores.items()
        if is_there("document", score)
    }
    if has_any(by_document):
        yield "doc", list(lines_of(by_document, scores, "document", sign))
    by_segment = {name: segments_of(score, len(document_of)) for name, score in scores.items()}
    if has_any(by_segment):
        yield "seg", list(lines_of(by_segment, scores, "segment", sign))


def is_there(level: str, score: MetricScore) -> bool:
    """Return whether documents or domains have scores of their own; a file says so."""
    return score.metric != Uploaded.slug or level in score.levels


def has_any(by_system: dict[str, np.ndarray]) -> bool:
    return any(not np.isnan(values).all() for values in by_system.values())


def system_text(score: MetricScore) -> str:
    return score.levels.get("system") or spelled(score.score)


def lines_of(
    by_system: dict[str, np.ndarray],
    scores: dict[str, MetricScore],
    level: str,
    sign: Callable[[str], str],
) -> Iterator[str]:
    """Yield a line for each segment or document of each system."""
    for name, values in by_system.items():
        given = scores[name].levels.get(level)
        if isinstance(given, list) and len(given) == len(values):
            texts = [text or MISSING for text in given]
        else:
            texts = [spelled(value, given or SHORTEST) for value in values.tolist()]
        for text in texts:
            yield score_files.write_line(name, sign(text))


def domain_lines(
    domains: list[str],
    by_system: dict[str, np.ndarray],
    scores: dict[str, MetricScore],
    sign: Callable[[str], str],
) -> list[str]:
    """Return a line for each domain and system; of uploaded scores for the domains that files
    named."""
    lines = []
    for i, domain in enumerate(domains):
        for name, values in by_system.items():
            given = scores[name].levels.get("domain")
            if given is not None and domain not in given:
                continue
            text = spelled(float(values[i])) if given is None else given[domain] or MISSING
            lines.append(score_files.write_line(name, sign(text), domain))
    return lines


def segments_of(score: MetricScore, n_segments: int) -> np.ndarray:
    """Return scores of the segments; none where the test set has grown since they were computed."""
    values = score.segment_scores
    return values if len(values) == n_segments else np.full(n_segments, np.nan)
