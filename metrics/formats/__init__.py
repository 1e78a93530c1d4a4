"""Files of scores: one module a format. `score_files` is the layout of mt-metrics-eval, read and
written; `score_tables` are TSV and JSON lines; `entries` says what both give.

Every reader streams, and raises `judgments.files.ImportProblem` at the first thing that is wrong.
"""

from collections.abc import Collection, Iterator

from judgments.files.lines import Source, name_of

from . import score_files, score_tables
from .entries import Entry

__all__ = ["Entry", "read"]


def read(source: Source, known_references: Collection[str]) -> Iterator[Entry]:
    """Return the scores of a file of either format, told apart by its name."""
    is_score_file = name_of(source).removesuffix(".gz").endswith(score_files.SUFFIX)
    return (score_files if is_score_file else score_tables).read(source, known_references)
