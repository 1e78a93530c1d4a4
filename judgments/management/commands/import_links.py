"""manage.py import_links: word links as a starting point for annotators of a campaign."""

from judgments.files.output_texts import WORD_LINKS
from judgments.management.rows import OutputTextsCommand
from judgments.test_sets.word_links.prefilled_links import ProposedLinks


class Command(OutputTextsCommand):
    help = (
        "Replace the links that a campaign starts from with those of an automatic aligner. Plain "
        "text in Pharaoh's format, one file for each system, or one table (.tsv, .csv or "
        ".jsonl); .gz too. docs/guide/formats.md describes both."
    )
    kind = ProposedLinks
    texts = WORD_LINKS
    page = "proposed-links"
    lacking = "is not about word alignment"
    summary = "{rows:,} proposed link(s) in {groups:,} translation(s)"
