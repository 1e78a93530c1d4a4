"""The columns of tables with a row for each marked error, whatever their names.

system doc doc_id seg_id rater source target category severity [comment]     Google's MQM
system doc docSegId globalSegId rater source target category severity metadata      Marot
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

# What columns are called, in small letters and digits alone.
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
# Columns that a header may name though no row has them, those first that real files lack.
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
    """kinds: of each cell of a row, "" for one that is not read. lacking: what the header names
    and the rows do not have. left_out: columns that are not read, by their names."""

    kinds: tuple[str, ...]
    has_header: bool = True
    lacking: tuple[str, ...] = ()
    left_out: list[str] = field(default_factory=list)

    def cells(self, line: str) -> dict[str, str]:
        """Return {kind: cell}; cells that are not there are empty."""
        found = dict.fromkeys(NAMES, "")
        found |= dict(zip(self.kinds, line.split("\t"), strict=False))
        return found

    @property
    def is_marot(self) -> bool:
        return "metadata" in self.kinds or not self.has_header


def layout_of(lines: Sequence[str]) -> MarkedColumns | None:
    """Return the columns of a table by its first lines; None where it is no such table."""
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
    """Return which columns could be lacking: none first, then ever more of them."""
    possible = [kind for kind in MISSING if kind in kinds]
    return chain.from_iterable(combinations(possible, n) for n in range(len(possible) + 1))


def without(kinds: Sequence[str], lacking: Sequence[str]) -> tuple[str, ...]:
    return tuple(kind for kind in kinds if kind not in lacking)


def fits(kinds: Sequence[str], rows: Sequence[str]) -> bool:
    """Return whether every row has a known severity where the severity should be, and not more
    cells than there are columns, but for empty ones at its end. A row of nobody has none."""
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
    """`No_error` → `no-error`: words of annotation tools have subtle variations."""
    return text.strip().lower().replace(" ", "-").replace("_", "-")
