"""Whether two plain text files hold the same text."""

from itertools import zip_longest

from .lines import Source, read_lines
from .problem import ImportProblem


def reads_as(file: Source, other: Source) -> bool:
    """Return the same text on every line, white space around it aside; not where one cannot be
    read, which is said when it is imported."""
    try:
        pairs = zip_longest(read_lines(file), read_lines(other))
        return all(a and b and a[1].strip() == b[1].strip() for a, b in pairs)
    except ImportProblem:
        return False
