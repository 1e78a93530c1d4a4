"""Comparison of two plain text files."""

from itertools import zip_longest

from .lines import Source, read_lines
from .problem import ImportProblem


def reads_as(file: Source, other: Source) -> bool:
    """Return whether both files have the same text on every line, apart from surrounding white
    space. False if one cannot be read; its import reports that."""
    try:
        pairs = zip_longest(read_lines(file), read_lines(other))
        return all(a and b and a[1].strip() == b[1].strip() for a, b in pairs)
    except ImportProblem:
        return False
