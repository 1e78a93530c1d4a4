"""Scores computed by other programs: imported from files into a test set, all or none."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from judgments.files import ImportProblem
from judgments.files.lines import Source, name_of
from judgments.files.problem import shortened
from judgments.models import TestSet
from metrics.formats import kit_files, marked_errors
from metrics.scores.importing.storage import Keeper
from metrics.scores.tasks import enqueue_comparisons

from .columns import column_of
from .kit_scores import KitChecker, instructions_of
from .marks import ErrorReader, keep_marks
from .reading import Instructions, Name, Places, ScoreReader, places_of, some

__all__ = ["ImportedScores", "Importer", "Instructions", "import_scores"]

MOST_FILES = 400


@dataclass
class ImportedScores:
    """The result of an import: labels of metrics, number of systems' scores; systems that were left
    out. `n_spans`: number of errors marked by metrics."""

    labels: list[str] = field(default_factory=list)
    n_scores: int = 0
    skipped: list[str] = field(default_factory=list)
    n_spans: int = 0


class Importer:
    """Imports files of scores into a test set, which the caller has locked."""

    def __init__(self, test_set: TestSet, instructions: Instructions) -> None:
        self.test_set = test_set
        self.places: Places = places_of(test_set)
        self.instructions = instructions
        self.keeper = Keeper(test_set, self.places, instructions)
        self.imported = ImportedScores()
        self.metrics: set[Name] = set()  # those of all files so far

    def import_scores_of(self, sources: Iterable[Source]) -> None:
        """Store all scores of some files; files of one metric must be imported together.

        Raise ImportProblem with the file and row of the first error.
        """
        reader = ScoreReader(self.places, self.instructions)
        for source in sources:
            reader.read(source)
        self._keep(reader, self.keeper)

    def import_from_kit(self, source: Source) -> None:
        """Store the scores of a file written by a kit, which describes them itself.

        Raise ImportProblem as `import_scores_of` does, if the texts are not those that were scored,
        and if another file has scores of the same metric: those would be replaced.
        """
        head, stated = instructions_of(source, self.instructions)
        name = head.metric, tuple(sorted(head.references))
        if name in self.metrics:
            reason = (
                f"another file has scores of {shortened(head.metric)}, too; score all systems into "
                "one file, or give the metric of each file its own --name."
            )
            raise ImportProblem(name_of(source), 1, "metric", reason)
        checker = KitChecker(self.test_set, self.places, source, head)
        reader = ScoreReader(self.places, stated)
        reader.read(source, checker.entries())
        self._keep(reader, Keeper(self.test_set, self.places, stated))
        if checker.marked:
            self.imported.n_spans += keep_marks(
                self.test_set, name, checker.marked, checker.file, replace=stated.replace
            )

    def import_errors(self, sources: Sequence[Source]) -> None:
        """Store the errors of some tables with the existing scores.

        Raise ImportProblem with the file and row of the first error.
        """
        reader = ErrorReader(self.test_set, self.places, self.instructions)
        for source in sources:
            reader.read(source)
        self.imported.n_spans += reader.keep()
        self.imported.skipped = sorted({*self.imported.skipped, *reader.skipped})

    def _keep(self, reader: ScoreReader, keeper: Keeper) -> None:
        imported = self.imported
        imported.skipped = sorted({*imported.skipped, *reader.skipped})
        for (metric, references), found in reader.metrics.items():
            column = column_of(metric, found, self.places)
            if column is None:
                reason = f"there is no score of {shortened(metric)}; all are missing."
                raise ImportProblem(found.first_file, None, "", reason)
            self.metrics.add((metric, references))
            imported.labels.append(keeper.keep(metric, references, found, column))
            imported.n_scores += len(column.scores)


@transaction.atomic
def import_scores(
    test_set: TestSet, sources: Sequence[Source], instructions: Instructions
) -> ImportedScores:
    """Store all scores of some files, or none; afterwards a worker tests the systems' differences.

    Raise ImportProblem with the file and row of the first error, and for an exception that is none
    of the metrics: it would get the wrong direction.
    """
    # One import at a time: two of the same metric would each consider it new.
    test_set = TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    if len(sources) > MOST_FILES:
        reason = f"there are more than {MOST_FILES} files; add them in several steps."
        raise ImportProblem(name_of(sources[MOST_FILES]), None, "", reason)
    importer = Importer(test_set, instructions)
    kinds = [kind_of(source) for source in sources]
    of_kind = {
        kind: [s for s, each in zip(sources, kinds, strict=True) if each == kind]
        for kind in ("scores", "kit", "errors")
    }
    importer.import_scores_of(of_kind["scores"])
    for source in of_kind["kit"]:
        importer.import_from_kit(source)
    importer.import_errors(of_kind["errors"])
    if not importer.imported.n_scores and not of_kind["errors"]:
        where = name_of(sources[0]) if sources else "no file"
        raise ImportProblem(where, None, "", "there is no score of a system of this test set.")
    known = {metric for metric, _ in importer.metrics}
    if known and (unknown := sorted(instructions.exceptions - known)):
        reason = (
            f"{shortened(unknown[0])}, an exception, is no metric here; there is {some(known)}."
        )
        raise ImportProblem(name_of(sources[0]), None, "", reason)
    enqueue_comparisons(test_set.pk)
    return importer.imported


def kind_of(source: Source) -> str:
    """Return `kit` for a file written by a kit, `errors` for a table of marked errors, else
    `scores`."""
    if kit_files.is_kit_file(source):
        return "kit"
    return "errors" if marked_errors.is_error_table(source) else "scores"
