"""Errors that metrics mark, from files to the scores that they belong to."""

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from judgments.files import ImportProblem
from judgments.files.lines import Source
from judgments.files.problem import shortened
from judgments.models import TestSet
from metrics.formats import marked_errors
from metrics.formats.marked_errors import MOST_ERRORS, ErrorOfMetric, ErrorRow
from metrics.models import MetricScore, MetricSpans
from metrics.scorers.uploads import Uploaded
from metrics.scoring.texts import load_outputs, load_sources

from .reading import MOST_METRICS, MOST_NUMBERS, Instructions, Name, Places

# Of one system: a list for each segment, None where nobody looked.
Marked = list[list[ErrorOfMetric] | None]
# Of one metric; published schemes have three or four.
MOST_SEVERITIES = 20
SYSTEMS_AT_ONCE = 20


def scores_of(test_set: TestSet, name: Name) -> dict[str, MetricScore]:
    """Return the uploaded scores of a metric, by system."""
    metric, references = name
    found = MetricScore.objects.light().filter(
        test_set=test_set,
        metric=Uploaded.slug,
        references=list(references),
        options__name=metric,
    )
    return {score.system.name: score for score in found.select_related("system")}


def keep_marks(
    test_set: TestSet, name: Name, marked: dict[str, Marked], file: str, *, replace: bool
) -> int:
    """Store the errors of a metric with its scores; how many they are.

    A system without a score has no place for them. Raise ImportProblem where there are errors
    already, and for more severities than any scheme has.
    """
    check_severities(name, marked, file)
    scores = scores_of(test_set, name)
    marked = {system: found for system, found in marked.items() if system in scores}
    old = MetricSpans.objects.filter(score__in=[scores[system] for system in marked])
    if not replace and old.exists():
        reason = (
            f"there are already errors of {shortened(name[0])}. You can choose to replace them."
        )
        raise ImportProblem(file, None, "", reason)
    old.delete()
    rows = [
        MetricSpans(score=scores[system], data=found, n_errors=sum(map(len, filter(None, found))))
        for system, found in marked.items()
    ]
    MetricSpans.objects.bulk_create(rows, batch_size=SYSTEMS_AT_ONCE)
    return sum(row.n_errors for row in rows)


def check_severities(name: Name, marked: dict[str, Marked], file: str) -> None:
    """Raise ImportProblem for a metric whose severities are too many to be severities."""
    lists = (errors for found in marked.values() for errors in found if errors)
    if len({error.severity for errors in lists for error in errors}) > MOST_SEVERITIES:
        reason = f"the errors of {shortened(name[0])} have more than {MOST_SEVERITIES} severities."
        raise ImportProblem(file, None, "severity", reason)


class ErrorReader:
    """Reads tables of errors, which may be of several metrics, and stores them."""

    def __init__(self, test_set: TestSet, places: Places, instructions: Instructions) -> None:
        self.test_set, self.places, self.instructions = test_set, places, instructions
        self.skipped: set[str] = set()
        self._names: dict[tuple[str, tuple[str, ...] | None], Name] = {}
        self._marked: dict[Name, dict[str, Marked]] = {}
        self._files: dict[Name, str] = {}
        # Which segments have a score, by system.
        self._scored: dict[Name, dict[str, NDArray[np.bool_]]] = {}
        self._n_rows = self._n_places = 0
        self._lengths: dict[str, list[int | None]] = {}

    def read(self, source: Source) -> None:
        """Raise ImportProblem for what does not belong to the test set or a text."""
        limit = settings.MAX_IMPORT_ROWS
        for row in marked_errors.read_table_of_errors(source):
            self._n_rows += 1
            if self._n_rows > limit:
                reason = f"there are more than {limit:,} rows of errors; add them in several steps."
                raise ImportProblem(row.file, row.row, "", reason)
            if row.system not in self.places.systems:
                if not self.instructions.skip_unknown:
                    reason = f"the test set has no system {shortened(row.system)}."
                    raise ImportProblem(row.file, row.row, "system", reason)
                self.skipped.add(row.system)
                continue
            self._put(row)

    def keep(self) -> int:
        """Store what was read; how many errors."""
        replace = self.instructions.replace
        return sum(
            keep_marks(self.test_set, name, marked, self._files[name], replace=replace)
            for name, marked in self._marked.items()
        )

    def _put(self, row: ErrorRow) -> None:
        place = self.places.segments.get(row.segment)
        if place is None:
            reason = f"the test set has no segment {shortened(row.segment)}."
            raise ImportProblem(row.file, row.row, "segment", reason)
        name = self._name(row)
        systems = self._marked.setdefault(name, {})
        self._files.setdefault(name, row.file)
        if row.system not in systems:
            systems[row.system] = self._looked(name, row)
        # Never the list that the places without errors share.
        errors = systems[row.system][place] or []
        if row.error is not None:
            check_place(row.file, row.row, row.error, self._length(row.system, place))
            errors.append(row.error)
        if len(errors) > MOST_ERRORS:
            reason = f"there are more than {MOST_ERRORS:,} errors in one output."
            raise ImportProblem(row.file, row.row, "", reason)
        systems[row.system][place] = errors

    def _name(self, row: ErrorRow) -> Name:
        """Return the metric that is meant: its references too, if one metric of that name has
        scores."""
        said = row.metric, row.references
        if said not in self._names:
            if len(self._names) == MOST_METRICS:
                reason = f"there are more than {MOST_METRICS} metrics at once."
                raise ImportProblem(row.file, row.row, "metric", reason)
            asked = self.instructions
            metric = asked.name or row.metric
            if not metric:
                reason = "the file does not name the metric; give its name."
                raise ImportProblem(row.file, row.row, "metric", reason)
            references = row.references if asked.references is None else asked.references
            self._names[said] = metric, self._references(row, metric, references)
        return self._names[said]

    def _references(
        self, row: ErrorRow, metric: str, said: tuple[str, ...] | None
    ) -> tuple[str, ...]:
        if said is not None:
            return tuple(sorted(said))
        rows = MetricScore.objects.filter(
            test_set=self.test_set, metric=Uploaded.slug, options__name=metric
        )
        known = {tuple(each) for each in rows.values_list("references", flat=True)}
        if len(known) > 1:
            reason = "the file does not say which reference the metric read; there are several."
            raise ImportProblem(row.file, row.row, "references", reason)
        return known.pop() if known else ()

    def _looked(self, name: Name, row: ErrorRow) -> Marked:
        """Nothing marked in any segment with a score; in all, if none has one.

        Raises ImportProblem for a system without scores, and where all are more than fit.
        """
        scored = self._scored_of(name)
        if row.system not in scored:
            reason = (
                f"{shortened(name[0])} has no scores of {shortened(row.system)} that errors could "
                "belong to. Add its scores first, or together with the errors."
            )
            raise ImportProblem(row.file, row.row, "system", reason)
        self._n_places += len(self.places.segments)
        if self._n_places > MOST_NUMBERS:
            reason = f"there are errors in more than {MOST_NUMBERS:,} outputs at once."
            raise ImportProblem(row.file, row.row, "", reason)
        nothing: list[ErrorOfMetric] = []
        return [nothing if each else None for each in scored[row.system].tolist()]

    def _scored_of(self, name: Name) -> dict[str, NDArray[np.bool_]]:
        if name not in self._scored:
            found = {}
            for system, score in scores_of(self.test_set, name).items():
                there = ~np.isnan(score.segment_scores)
                found[system] = there if there.any() else ~there
            self._scored[name] = found
        return self._scored[name]

    def _length(self, system: str, place: int) -> int | None:
        """Return for an output, in characters; None where the texts are not here."""
        if not self.test_set.has_texts:
            return None
        if system not in self._lengths:
            pk = self.places.systems[system]
            texts = load_outputs(load_sources(self.test_set, ()), [pk])[pk]
            self._lengths[system] = [None if text is None else len(text) for text in texts]
        return self._lengths[system][place] or 0


def check_place(file: str, row: int, error: ErrorOfMetric, length: int | None) -> None:
    """Raise ImportProblem for an error that goes beyond its output."""
    if length is not None and error.end > length:
        reason = f"an error ends at {error.end}, and the output has {length} characters."
        raise ImportProblem(file, row, "end", reason)
