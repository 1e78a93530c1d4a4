"""Scores that a kit computed elsewhere: are they of the texts that are here now?"""

from collections.abc import Iterator

from judgments.files import ImportProblem
from judgments.files.lines import Source, name_of
from judgments.files.problem import shortened
from judgments.models import TestSet
from metrics.formats import Entry, kit_files
from metrics.formats.kit_files import KitHead
from metrics.formats.marked_errors import ErrorOfMetric
from metrics.neural.row_hash import row_hash
from metrics.scores.importing.marks import Marked, check_place
from metrics.scores.importing.reading import Instructions, Places
from metrics.scoring.texts import load_outputs, load_sources

AGAIN = "Download the texts again, and score them."


def instructions_of(source: Source, asked: Instructions) -> tuple[KitHead, Instructions]:
    """Return what the first line of a file says, and the instructions that follow from it."""
    head = kit_files.read_head(source)
    told = Instructions(
        higher_is_better=head.higher_is_better,
        name=head.metric,
        references=head.references,
        skip_unknown=asked.skip_unknown,
        replace=asked.replace,
        made_by=head.signature,
    )
    return head, told


class KitChecker:
    """Passes the scores of one file on, each checked against the texts as they are now."""

    def __init__(self, test_set: TestSet, places: Places, source: Source, head: KitHead) -> None:
        self.places, self.source, self.head = places, source, head
        self.file = name_of(source)
        if unknown := sorted(set(head.references) - set(places.references)):
            reason = f"there is no reference {shortened(unknown[0])} now. {AGAIN}"
            raise ImportProblem(self.file, 1, "references", reason)
        self.sources = load_sources(test_set, head.references)
        self.marked: dict[str, Marked] = {}
        self._lengths: dict[str, list[int]] = {}
        self._hashes: dict[str, list[str | None]] = {}
        self._missing: dict[str, set[int]] = {}

    def entries(self) -> Iterator[Entry]:
        """Raise ImportProblem for a score of texts that have changed, and where one is missing."""
        for entry, texts, errors in kit_files.read_rows(self.source, self.head):
            if entry.system not in self.head.systems:
                reason = "the first line does not name this system."
                raise ImportProblem(self.file, entry.row, "system", reason)
            if entry.system in self.places.systems:
                self._check(entry, texts)
                self._mark(entry, errors)
            yield entry
        for system in self.head.systems:
            if system in self.places.systems:
                self._check_whole(system)

    def _mark(self, entry: Entry, errors: list[ErrorOfMetric] | None) -> None:
        """Keep the errors of an output. Raise ImportProblem for one that goes beyond it."""
        place = self.places.segments.get(entry.key)
        if errors is None or place is None:
            return
        for error in errors:
            check_place(self.file, entry.row, error, self._lengths[entry.system][place])
        nothing: Marked = [None] * len(self.places.segments)
        self.marked.setdefault(entry.system, nothing)[place] = errors

    def _check(self, entry: Entry, texts: str) -> None:
        place = self.places.segments.get(entry.key)
        if place is None:
            return  # whoever looks for its place says so
        if self._hashes_of(entry.system)[place] != texts:
            reason = (
                f"the source, the output or a reference of segment {shortened(entry.key)} of "
                f"{shortened(entry.system)} is not the one that was scored. {AGAIN}"
            )
            raise ImportProblem(self.file, entry.row, "texts", reason)
        self._missing[entry.system].discard(place)

    def _check_whole(self, system: str) -> None:
        self._hashes_of(system)
        if missing := self._missing[system]:
            keys = list(self.places.segments)
            reason = (
                f"{shortened(system)} has no score of segment {shortened(keys[min(missing)])}: "
                "the file is incomplete, or the text is new."
            )
            raise ImportProblem(self.file, None, "", reason)

    def _hashes_of(self, system: str) -> list[str | None]:
        """Return the digest of what a metric reads of each segment; None where there is nothing."""
        if system not in self._hashes:
            pk = self.places.systems[system]
            texts = load_outputs(self.sources, [pk])[pk]
            found = [self._hash(i, text) for i, text in enumerate(texts)]
            self._hashes[system] = found
            self._lengths[system] = [len(text or "") for text in texts]
            self._missing[system] = {i for i, each in enumerate(found) if each is not None}
        return self._hashes[system]

    def _hash(self, place: int, output: str | None) -> str | None:
        read = [each[place] for each in self.sources.references]
        there = [text for text in read if text is not None]
        if output is None or (read and not there):
            return None
        return row_hash(self.sources.sources[place], output, there)
