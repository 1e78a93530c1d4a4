"""manage.py import_postedits: post-edits of the outputs of a test set, for HTER."""

from judgments.files.output_texts import POST_EDITS, THE_SET
from judgments.management.rows import OutputTextsCommand
from judgments.models import TestSet
from judgments.test_sets.post_edits import PostEdits


class Command(OutputTextsCommand):
    help = (
        "Add post-edits to a test set: plain text for each system (line n is the post-edit of its "
        "output for segment n, empty where there is none) or one table (.tsv, .csv or .jsonl). "
        "docs/guide/formats.md describes the files."
    )
    kind = PostEdits
    owner = TestSet
    texts = POST_EDITS
    summary = "{rows:,} post-edits of {groups:,} system(s)"

    def add_files(self, parser):
        super().add_files(parser)
        what = "of this set, such as the post-editor's; --replace concerns sets of the same name"
        parser.add_argument("--name", default=THE_SET, help=what)
