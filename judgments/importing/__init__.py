"""From files to rows: whole test sets, judgments and post-edits, each in one transaction."""

from .corpus import import_test_set
from .judgments import import_judgments
from .post_edits import import_post_edits

__all__ = ["import_judgments", "import_post_edits", "import_test_set"]
