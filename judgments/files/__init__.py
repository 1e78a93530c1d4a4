"""File formats, one module each. `lines` reads plain text, `csv_files` and `jsonl` read tables,
`table` chooses between those two by a file's name; `texts` and `observations` interpret the
columns.

Every reader streams, and raises `ImportProblem` at the first error.
"""

from .problem import ImportProblem

__all__ = ["ImportProblem"]
