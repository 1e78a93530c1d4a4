"""Texts that a spreadsheet would take for formulas, in tables that the site writes.

A name such as `=HYPERLINK(…)` would be run when the file is opened. It is prefixed with an
apostrophe, which marks text in spreadsheets; a text that already begins with one gets another, so
that removing one always restores the text. Numbers, which are no texts, are unchanged.
"""

import re
from collections.abc import Iterable

# From OWASP's list (CSV Injection), including the full-width forms that some spreadsheets accept.
STARTS = "=+\\-@\t\r\n＝＋－＠"
FORMULA = re.compile(f"'*[{STARTS}]")
# Anywhere in a line of TSV; matches numbers, too.
IN_LINE = re.compile(f"(?:^|\t)'*[{STARTS}]")
BLANKS = str.maketrans("\t\n\r", "   ")


def guarded(text: str) -> str:
    """Return the text as a cell that no spreadsheet runs."""
    return f"'{text}" if FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """Return the text from which `guarded` made the cell."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def tsv_line(row: Iterable[object]) -> str:
    """Return a line of TSV with its line end. Texts are guarded; tabs and line breaks become
    spaces."""
    cells = list(row)
    line = "\t".join([value if isinstance(value, str) else repr(value) for value in cells])
    # Most lines need nothing more, and there may be a million of them.
    if line.count("\t") >= len(cells) or "\n" in line or "\r" in line or IN_LINE.search(line):
        line = "\t".join(
            guarded(value.translate(BLANKS)) if isinstance(value, str) else repr(value)
            for value in cells
        )
    return line + "\n"
