"""All metric scores of a published release, in the layout of mt-metrics-eval."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction

from judgments.files.lines import name_of
from judgments.models import TestSet
from judgments.web.extension_points import registered
from metrics.formats.score_files import stem_of

from . import ImportedScores, Importer, Instructions


def import_release_scores(test_set: TestSet, files: Sequence[Any]) -> ImportedScores:
    """Store what the files `metric-scores/LP/NAME-REF.{sys,domain,doc,seg}.score` of a release say,
    or nothing at all; afterwards a worker tests the systems' differences and prepares the figures
    of the year (`after_metric_import` of the apps), once the transaction ends.

    `files`: paths, open binary files with `name`, or files of a release.
    Higher is better for all metrics: mt-metrics-eval compares all with people's scores as they are,
    and turns none. Systems that the release has no outputs of are left out, and named. One metric
    after the other is in memory. Raise ImportProblem with the file and
    row of the first thing that is wrong.
    """
    by_metric: dict[str, list[Any]] = {}
    for file in files:
        by_metric.setdefault(stem_of(name_of(file)) or name_of(file), []).append(file)
    with transaction.atomic():
        test_set = TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
        importer = Importer(test_set, Instructions(higher_is_better=True, skip_unknown=True))
        for name in sorted(by_metric):
            importer.bring(getattr(file, "place", file) for file in by_metric[name])
        for follow_up in registered("after_metric_import"):
            transaction.on_commit(partial(follow_up, test_set.pk))
    return importer.imported


def write_scores(test_set: TestSet, files: Sequence[Any]) -> list[str]:
    """Return what the import of a release calls (`release_scores` of the app): sentences on what
    came in.

    Raises ImportProblem.
    """
    imported = import_release_scores(test_set, files)
    n = len(imported.labels)
    k = imported.n_scores
    scores = f"{k:,} score{'s' * (k != 1)} of systems"
    said = [f"{n:,} metric{'s' * (n != 1)} with {scores}."]
    if imported.skipped:
        said.append(f"Metric scores of {', '.join(imported.skipped)} were left out: no outputs.")
    return said
