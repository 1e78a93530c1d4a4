"""Scores that other programs computed: from files into a test set, all of them or none."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

from judgments.formats import ImportProblem
from judgments.formats.lines import Source, name_of
from judgments.formats.problem import shortened
from judgments.models import TestSet
from metrics.importing.storage import Keeper

from .columns import columns_of
from .reading import Instructions, ScoreReader, places_of

__all__ = ["ImportedScores", "Instructions", "import_scores"]

MOST_FILES = 400


@dataclass
class ImportedScores:
    """What came in: labels of metrics, how many scores of systems; systems that were left out."""

    labels: list[str] = field(default_factory=list)
    n_scores: int = 0
    skipped: list[str] = field(default_factory=list)


@transaction.atomic
def import_scores(
    test_set: TestSet, sources: Sequence[Source], instructions: Instructions
) -> ImportedScores:
    """Store all scores of some files, or nothing at all.

    Raises ImportProblem with the file and row of the first thing that is wrong.
    """
    # One import at a time: two of the same metric would each find that it is new.
    test_set = TestSet.objects.select_for_update(of=["self"]).get(pk=test_set.pk)
    if len(sources) > MOST_FILES:
        reason = f"there are more than {MOST_FILES} files; add them in several steps."
        raise ImportProblem(name_of(sources[MOST_FILES]), None, "", reason)
    places = places_of(test_set)
    reader = ScoreReader(places, test_set.reference_names, instructions)
    for source in sources:
        reader.read(source)
    imported = ImportedScores(skipped=sorted(reader.skipped))
    keeper = Keeper(test_set, places, instructions)
    for (metric, references), found in reader.metrics.items():
        columns = columns_of(metric, found, places)
        if not columns:
            reason = f"there is no score of {shortened(metric)}; all are missing."
            raise ImportProblem(found.first_file, None, "", reason)
        for column in columns:
            imported.labels.append(keeper.keep(metric, references, found, column))
            imported.n_scores += len(column.scores)
    if not imported.n_scores:
        where = name_of(sources[0]) if sources else "no file"
        raise ImportProblem(where, None, "", "there is no score of a system of this test set.")
    return imported
