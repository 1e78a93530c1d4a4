"""From files to rows: whole test sets and whole sets of judgments, each in one transaction."""

from .corpus import import_test_set
from .judgments import import_judgments

__all__ = ["import_judgments", "import_test_set"]
