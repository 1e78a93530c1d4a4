"""Columns of uploaded scores → stored scores."""

import numpy as np
from django.utils import timezone

from judgments.files import ImportProblem
from judgments.files.problem import shortened
from judgments.models import TestSet
from metrics.models import MetricScore, to_bytes
from metrics.scorers import count_references
from metrics.scorers.uploads import Uploaded
from metrics.scores.importing.columns import FileColumn
from metrics.scores.importing.reading import Floats, FoundScores, Instructions, Name, Places
from metrics.scoring.parts import LONGEST_SIGNATURE, Bench, inputs_of


class Keeper:
    """Writes the scores of one import."""

    def __init__(self, test_set: TestSet, places: Places, instructions: Instructions) -> None:
        self.test_set = test_set
        self.places = places
        self.instructions = instructions
        self.bench = Bench()
        self.now = timezone.now()
        self._has_room: set[Name] = set()
        # By references and system: a text is read and digested once for all metrics.
        self._hashes: dict[tuple[tuple[str, ...], int], str] = {}

    def keep(
        self, metric: str, references: tuple[str, ...], found: FoundScores, column: FileColumn
    ) -> str:
        """Store a column; its label."""
        self._make_room(metric, references, found.first_file)
        scorer = self._scorer(metric, found, column)
        names = list(references)
        streams = self.bench.sources_of(self.test_set, names).references
        n_references = count_references(streams) if streams else 0
        ids = {system: self.places.systems[system] for system in column.scores}
        hashes = self._hashes_of(references, list(ids.values()))
        signatures = {
            field: f"{scorer.label}|{scorer.signature(n_references, level=level)}"
            for field, level in (("signature", "corpus"), ("segment_signature", "segment"))
        }
        if (length := max(map(len, signatures.values()))) > LONGEST_SIGNATURE:
            reason = (
                f"the signature has {length} characters; at most {LONGEST_SIGNATURE} are possible."
            )
            raise ImportProblem(found.first_file, None, "", reason)
        common = {
            "test_set": self.test_set,
            "references": names,
            "metric": scorer.slug,
            "options": scorer.options(),
            "created_at": self.now,
            **signatures,
        }
        MetricScore.objects.bulk_create(
            MetricScore(
                system_id=pk,
                # Scores that were there before the texts are not out of date when these come in.
                texts_hash=hashes[pk] if self.test_set.has_texts else "",
                score=column.scores[system],
                levels=column.given[system],
                **arrays_of(column, system, self.places),
                **common,
            )
            for system, pk in ids.items()
        )
        return scorer.label

    def _hashes_of(self, references: tuple[str, ...], system_ids: list[int]) -> dict[int, str]:
        """Return the hash of all that a metric with these references read of each system."""
        new = [pk for pk in system_ids if (references, pk) not in self._hashes]
        if new:
            inputs = inputs_of(self.bench, self.test_set, new, list(references), False)
            self._hashes |= {(references, pk): inputs[pk].texts_hash for pk in new}
        return {pk: self._hashes[references, pk] for pk in system_ids}

    def _scorer(self, metric: str, found: FoundScores, column: FileColumn) -> Uploaded:
        is_exception = metric in self.instructions.exceptions
        return Uploaded(
            name=metric,
            higher_is_better=self.instructions.higher_is_better != is_exception,
            level=column.level,
            system_scores="mean" if column.are_means else "given",
            digest=found.digest,
            made_by=self.instructions.made_by,
        )

    def _make_room(self, metric: str, references: tuple[str, ...], file: str) -> None:
        """Take the scores of an earlier import away, if that was asked for, or else refuse."""
        if (metric, references) in self._has_room:
            return
        old = MetricScore.objects.filter(
            test_set=self.test_set,
            metric=Uploaded.slug,
            references=list(references),
            options__name=metric,
        )
        if not self.instructions.replace and old.exists():
            reason = (
                f"there are already scores of {shortened(metric)}. You can choose to replace them."
            )
            raise ImportProblem(file, None, "", reason)
        old.delete()
        self._has_room.add((metric, references))


def arrays_of(column: FileColumn, system: str, places: Places) -> dict:
    """Return the fields of a MetricScore that hold one number or row a segment."""
    n = len(places.segments)
    scores: Floats = np.full(n, np.nan)
    stats: Floats = np.full((n, 2), np.nan)
    n_segments = n
    if column.level == "segment":
        scores = column.values[system]
        is_there = ~np.isnan(scores)
        stats[is_there] = np.stack([scores[is_there], np.ones(is_there.sum())], axis=1)
        n_segments = int(is_there.sum())
    elif column.level == "document":
        stats = document_rows(column.values[system], places.document_of)
        n_segments = int((~np.isnan(stats[:, 0])).sum())
    width = 2 if column.are_means else 0
    return {
        "n_segments": n_segments,
        "segment_data": to_bytes(scores),
        "statistics_data": to_bytes(stats) if width else b"",
        "statistics_width": width,
    }


def document_rows(values: Floats, document_of: np.ndarray) -> Floats:
    """Return (score, 1) for the first segment of every document, (0, 0) for its others,
    (n_segments, 2); NaN where a document has no score."""
    rows = np.zeros((len(document_of), 2))
    documents, first = np.unique(document_of, return_index=True)
    rows[first] = np.stack([values[documents], np.ones(len(documents))], axis=1)
    rows[np.isnan(values[document_of])] = np.nan
    return rows
