"""Warnings about a “system” that is none: a whole folder was chosen, with source and reference."""

from collections.abc import Iterable, Iterator

from judgments.files.problem import shortened
from judgments.files.texts import SegmentTexts

SOURCE = None  # represents the source among the names of references


class SameTexts:
    """Yields segments unchanged, and compares their texts meanwhile.

    same: for each system, the texts that it has equaled so far: names of references or SOURCE;
    surrounding white space is ignored.
    """

    def __init__(self, segments: Iterable[SegmentTexts]) -> None:
        self.segments = segments
        self.same: dict[str, set[str | None]] = {}
        self.n_read = 0

    def __iter__(self) -> Iterator[SegmentTexts]:
        for segment in self.segments:
            self._compare(segment)
            self.n_read += 1
            yield segment

    def _compare(self, segment: SegmentTexts) -> None:
        """Compare the outputs of a segment. A missing text differs from every other, except that
        the file of a reference chosen as a system is blank in the same places."""
        texts: dict[str | None, str] = {SOURCE: segment.source} | dict(segment.references)
        if not self.n_read:
            names = {SOURCE, *segment.references}
            self.same = {system: set(names) for system in segment.outputs}
        for system, names in list(self.same.items()):
            output = segment.outputs.get(system)
            same = output is not None and {
                name for name in names if texts.get(name, "").strip() == output.strip()
            }
            if same:
                self.same[system] = same
            else:
                del self.same[system]

    def warnings(self) -> list[str]:
        """Return warnings after all segments; empty if every system has its own texts."""
        return [
            f"The system {shortened(system)} is identical to {text_name(name)} in every segment. "
            "If its file was not meant to be one of the outputs, create the test set again "
            "without it."
            for system, names in self.same.items()
            for name in sorted(names, key=lambda name: name or "")
        ]


def text_name(name: str | None) -> str:
    return "the source" if name is SOURCE else f"the reference {shortened(name)}"
