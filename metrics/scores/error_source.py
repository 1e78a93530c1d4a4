"""Errors that metrics mark, for campaigns that suggest them to annotators."""

from collections.abc import Iterator

from judgments.models import System, TestSet
from judgments.test_sets.error_sources import ErrorSource, ProgramError, ProgramMarks
from metrics.models import MetricSpans
from metrics.scores.controls import signature_of
from metrics.scores.tables import MetricColumn, score_table

SYSTEMS_AT_ONCE = 10  # whose errors are read at once


def known(test_set: TestSet) -> list[ProgramMarks]:
    """Return metrics with errors of a system whose texts have not changed since."""
    found = []
    for column, counts in _columns(test_set):
        fresh = {pk: n for pk, n in counts.items() if column.scores[pk].pk not in column.stale}
        if any(fresh.values()):
            found.append(
                ProgramMarks(
                    column.slug,
                    column.title,
                    signature_of(column),
                    sum(fresh.values()),
                    _names(fresh),
                    _names(counts.keys() - fresh),
                    column.computed_at,
                )
            )
    return found


def errors(test_set: TestSet, key: str) -> Iterator[ProgramError]:
    keys = list(test_set.segments.order_by("position").values_list("key", flat=True))
    for column, _counts in _columns(test_set):
        if column.slug == key:
            scores = [each.pk for each in column.scores.values() if each.pk not in column.stale]
            kept = MetricSpans.objects.filter(score__in=scores).order_by("score_id")
            rows = kept.values_list("score__system__name", "data")
            for system, data in rows.iterator(SYSTEMS_AT_ONCE):
                for segment, marked in zip(keys, data, strict=False):
                    for start, end, severity, category, _confidence in marked or ():
                        yield ProgramError(segment, system, start, end, severity, category)


def _columns(test_set: TestSet) -> list[tuple[MetricColumn, dict[int, int]]]:
    """Return the metrics that mark errors, each with the number of them by system."""
    kept = MetricSpans.objects.filter(score__test_set=test_set)
    n_errors = dict(kept.values_list("score_id", "n_errors"))
    if not n_errors:
        return []
    found = []
    for column in score_table(test_set).columns:
        counts = {
            system: n_errors[score.pk]
            for system, score in column.scores.items()
            if score.pk in n_errors
        }
        if counts:
            found.append((column, counts))
    return found


def _names(systems) -> tuple[str, ...]:
    found = System.objects.filter(pk__in=systems).order_by("name")
    return tuple(found.values_list("name", flat=True))


SOURCE = ErrorSource(known, errors)
