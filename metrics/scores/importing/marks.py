"""Errors that metrics mark, from files to the scores that they belong to."""

import numpy as np

from judgments.files import ImportProblem
from judgments.files.lines import Source
from judgments.files.problem import shortened
from judgments.models import TestSet
from metrics.formats import marked_errors
from metrics.formats.marked_errors import MOST_ERRORS, ErrorOfMetric, ErrorRow
from metrics.models import MetricScore, MetricSpans
from metrics.scorers.uploads import Uploaded
from metrics.scoring.texts import load_outputs, load_sources

from .reading import Instructions, Name, Places

# Of one system: a list for each segment, None where nobody looked.
Marked = list[list[ErrorOfMetric] | None]


def scores_of(test_set: TestSet, name: Name) -> dict[str, MetricScore]:
    """The uploaded scores of a metric, by system."""
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

    Raises ImportProblem for a system without scores, and where there are errors already.
    """
    scores = scores_of(test_set, name)
    if missing := sorted(set(marked) - set(scores)):
        reason = (
            f"{shortened(name[0])} has no scores of {shortened(missing[0])} that errors could "
            "belong to. Add its scores first, or together with the errors."
        )
        raise ImportProblem(file, None, "", reason)
    old = MetricSpans.objects.filter(score__in=[scores[system] for system in marked])
    if not replace and old.exists():
        reason = (
            f"there are errors of {shortened(name[0])} already. You can choose to replace them."
        )
        raise ImportProblem(file, None, "", reason)
    old.delete()
    rows = [
        MetricSpans(score=scores[system], data=found, n_errors=sum(map(len, filter(None, found))))
        for system, found in marked.items()
    ]
    MetricSpans.objects.bulk_create(rows)
    return sum(row.n_errors for row in rows)


class ErrorReader:
    """Reads tables of errors, which may be of several metrics, and stores them."""

    def __init__(self, test_set: TestSet, places: Places, instructions: Instructions) -> None:
        self.test_set, self.places, self.instructions = test_set, places, instructions
        self.skipped: set[str] = set()
        self._names: dict[tuple[str, tuple[str, ...] | None], Name] = {}
        self._marked: dict[Name, dict[str, Marked]] = {}
        self._files: dict[Name, str] = {}
        self._lengths: dict[str, list[int | None]] = {}

    def read(self, source: Source) -> None:
        """Raises ImportProblem for what does not belong to the test set or a text."""
        for row in marked_errors.read_table_of_errors(source):
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
            systems[row.system] = self._looked(name, row.system)
        errors = systems[row.system][place] or []
        if row.error is not None:
            check_place(row.file, row.row, row.error, self._length(row.system, place))
            errors.append(row.error)
        if len(errors) > MOST_ERRORS:
            reason = f"there are more than {MOST_ERRORS:,} errors in one output."
            raise ImportProblem(row.file, row.row, "", reason)
        systems[row.system][place] = errors

    def _name(self, row: ErrorRow) -> Name:
        """The metric that is meant: its references too, if one metric of that name has scores."""
        said = row.metric, row.references
        if said not in self._names:
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

    def _looked(self, name: Name, system: str) -> Marked:
        """Nothing marked in any segment with a score; in all, if none has one."""
        score = scores_of(self.test_set, name).get(system)
        n = len(self.places.segments)
        there = np.ones(n, bool)
        if score is not None and not np.isnan(score.segment_scores).all():
            there = ~np.isnan(score.segment_scores)
        return [[] if each else None for each in there.tolist()]

    def _length(self, system: str, place: int) -> int | None:
        """Of an output, in characters; None where the texts are not here."""
        if not self.test_set.has_texts:
            return None
        if system not in self._lengths:
            pk = self.places.systems[system]
            texts = load_outputs(load_sources(self.test_set, ()), [pk])[pk]
            self._lengths[system] = [None if text is None else len(text) for text in texts]
        return self._lengths[system][place] or 0


def check_place(file: str, row: int, error: ErrorOfMetric, length: int | None) -> None:
    """Raises ImportProblem for an error that goes beyond its output."""
    if length is not None and error.end > length:
        reason = f"an error ends at {error.end}, and the output has {length} characters."
        raise ImportProblem(file, row, "end", reason)
