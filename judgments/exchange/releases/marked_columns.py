"""Columns of tables with a row for each marked error, under any of their names.

system doc doc_id seg_id rater source target category severity [comment]     Google's MQM
system doc docSegId globalSegId rater source target category severity metadata      Marot
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

# Names of columns, only in lower-case letters and digits.
NAMES = {
    "system": ("system", "mtsystem", "model", "systemid"),
    "document": ("doc", "document", "docname", "documentid"),
    "place": ("docid", "docsegid", "docsegmentid"),
    "segment": ("segid", "globalsegid", "segment", "segmentid"),
    "rater": ("rater", "raterid", "annotator"),
    "source": ("source", "sourcemarked", "src"),
    "target": ("target", "targetmarked", "translation", "hypothesis"),
    "category": ("category", "errorcategory", "errortype"),
    "severity": ("severity", "errorseverity"),
    "metadata": ("metadata",),
    "timestamp": ("timestampms", "timestamp"),
    "time": ("timems",),
}
KINDS = {name: kind for kind, names in NAMES.items() for name in names}
NEEDED = ("system", "source", "target", "category", "severity")
# Columns in a header that the rows may lack, those first that real files lack.
MISSING = ("segment", "rater", "place", "document", "metadata", "")
MAROT = (
    *("system", "document", "place", "segment", "rater"),
    *("source", "target", "category", "severity", "metadata"),
)
SEVERITIES = {"no-error", "hotw-test", "neutral", "trivial", "minor", "major", "critical"}
HEADER = "system\tdoc"
NOT_A_NAME = re.compile("[^a-z0-9]+")


@dataclass
class MarkedColumns:
    """kinds: of each cell of a row, "" for one that is not read. lacking: columns in the header
    that the rows do not have. left_out: names of columns that are not read."""

    kinds: tuple[str, ...]
    has_header: bool = True
    lacking: tuple[str, ...] = ()
    left_out: list[str] = field(default_factory=list)

    def cells(self, line: str) -> dict[str, str]:
        """Return {kind: cell}; missing cells are empty. Raise ValueError for cells beyond the
        columns: one of the others may be in a wrong place."""
        given = line.split("\t")
        if any(given[len(self.kinds) :]):
            raise ValueError(f"the line has {len(given)} cells for {len(self.kinds)} columns.")
        found = dict.fromkeys(NAMES, "")
        found |= dict(zip(self.kinds, given, strict=False))
        return found

    @property
    def is_marot(self) -> bool:
        return "metadata" in self.kinds or not self.has_header


def layout_of(lines: Sequence[str]) -> MarkedColumns | None:
    """Return the columns of a table from its first lines; None for other tables."""
    if not lines:
        return None
    header = lines[0].split("\t")
    kinds = tuple(KINDS.get(NOT_A_NAME.sub("", name.lower()), "") for name in header)
    named = [kind for kind in kinds if kind]
    if set(NEEDED) <= set(named) and len(named) == len(set(named)):
        left_out = [name for name, kind in zip(header, kinds, strict=True) if not kind]
        rows = [line for line in lines[1:] if line]
        for lacking in some_of(kinds):
            rest = without(kinds, lacking)
            if fits(rest, rows):
                return MarkedColumns(rest, True, lacking, left_out)
        return MarkedColumns(kinds, True, (), left_out)
    if fits(MAROT, lines) and all(line.count("\t") == len(MAROT) - 1 for line in lines):
        return MarkedColumns(MAROT, has_header=False)
    return None


def some_of(kinds: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Yield sets of columns that could be missing: none first, then more and more."""
    possible = [kind for kind in MISSING if kind in kinds]
    return chain.from_iterable(combinations(possible, n) for n in range(len(possible) + 1))


def without(kinds: Sequence[str], lacking: Sequence[str]) -> tuple[str, ...]:
    return tuple(kind for kind in kinds if kind not in lacking)


def fits(kinds: Sequence[str], rows: Sequence[str]) -> bool:
    """Return whether every row has a known severity in its column, and no more cells than there are
    columns, except for empty ones at its end. A row without a judgment has none."""
    places = [kinds.index(kind) for kind in ("rater", "category", "severity") if kind in kinds]
    for row in rows:
        cells = row.split("\t")
        said = [cells[place] if place < len(cells) else "" for place in places]
        if any(cells[len(kinds) :]):
            return False
        if word_of(said[-1]) not in SEVERITIES and (any(said) or len(said) < 3):
            return False
    return bool(rows)


def word_of(text: str) -> str:
    """Return `no-error` for `No_error`: words of annotation tools vary slightly."""
    return text.strip().lower().replace(" ", "-").replace("_", "-")
