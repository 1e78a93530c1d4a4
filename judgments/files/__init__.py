"""File formats: one module each. `lines` is plain text, `tsv` and `jsonl` are tables, `table`
chooses between those two by a file's name; `texts` and `observations` say what the columns mean.

Every reader streams, and raises `ImportProblem` at the first thing that is wrong.
"""

from .problem import ImportProblem

__all__ = ["ImportProblem"]
