"""Texts that a spreadsheet would take for formulas, in the tables that the site writes.

A name such as `=HYPERLINK(…)` would be run when the file is opened. It gets an apostrophe in front,
which spreadsheets take for "this is text"; a text that already begins so gets one more, so that
taking one away always gives the text as it was. What is a number, and no text, stays as it is.
"""

import re
from collections.abc import Iterable

# What OWASP lists (CSV Injection), the full-width forms of some spreadsheets included.
STARTS = "=+\\-@\t\r\n＝＋－＠"
FORMULA = re.compile(f"'*[{STARTS}]")
# Somewhere in a line of TSV; finds numbers, too.
IN_LINE = re.compile(f"(?:^|\t)'*[{STARTS}]")
BLANKS = str.maketrans("\t\n\r", "   ")


def guarded(text: str) -> str:
    """Return the text as a cell that no spreadsheet runs."""
    return f"'{text}" if FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """Return the text of which `guarded` made the cell."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def tsv_line(row: Iterable[object]) -> str:
    """Return a line of TSV, with its end. Texts are guarded; a tab or a break in one is a space."""
    cells = list(row)
    line = "\t".join([value if isinstance(value, str) else repr(value) for value in cells])
    # Most lines need nothing more, and there may be a million of them.
    if line.count("\t") >= len(cells) or "\n" in line or "\r" in line or IN_LINE.search(line):
        line = "\t".join(
            guarded(value.translate(BLANKS)) if isinstance(value, str) else repr(value)
            for value in cells
        )
    return line + "\n"
