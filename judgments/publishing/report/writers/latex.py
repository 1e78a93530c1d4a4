"""A report as LaTeX: prose, and tables with booktabs that can be copied into a paper.

It is compiled by LuaLaTeX or XeLaTeX, which know Unicode, and by pdfLaTeX, where codes stand for
the characters that it lacks. Charts are left out. No text of the database is read as a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judgments.publishing.report.blocks import (
    Block,
    CampaignReport,
    Grid,
    Heading,
    Picture,
    Prose,
    Statement,
    Terms,
    Verbatim,
    texts_of,
)
from judgments.web.tables import Column

from .cut import in_parts, shortened

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar\allowbreak{}",  # signatures of metrics have no spaces
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # Not a hyphen, and not the start of a ligature.
    "-": "-{}",
    # At the begin of a cell or after a row's end it would begin an option.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
}
# What pdfLaTeX has letters for, with T1 and textcomp.
LAST_LATIN = 0xFF
KNOWN_SIGNS = "–—‘’“”…•€"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+")
HASH = re.compile(r"[0-9a-f]{16}(?=[0-9a-f]{16})")  # may end a line after this
LONG = 40  # rows of a table that stand on one page
LONG_TEXT = 60  # characters of a cell that stand in one line
HEAD = r"""% Compile with LuaLaTeX or XeLaTeX; with pdfLaTeX codes stand for letters beyond Latin.
% To copy a table into a paper, take these packages with it:
% \usepackage{booktabs,adjustbox,textcomp,float}
\documentclass[11pt,a4paper]{article}
\usepackage[margin=25mm]{geometry}
\usepackage{iftex}
\ifPDFTeX
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}
\else
\usepackage{fontspec}
\fi
\usepackage{textcomp}
\usepackage{booktabs}
\usepackage{adjustbox}
\usepackage{float}
\usepackage[hidelinks]{hyperref}
\newcommand{\toadd}[1]{\textbf{#1}}
\setlength{\parskip}{.5em}
\setlength{\belowcaptionskip}{.5em}
\sloppy
"""


def write(report: CampaignReport) -> bytes:
    lines = [rf"\title{{{escaped(report.title)}}}", r"\date{}", r"\maketitle"]
    lines += [escaped(report.subtitle), "", escaped(report.sentence), ""]
    for part in report.parts:
        lines.append(rf"\section{{{escaped(part.title)}}}")
        for block in part.blocks:
            lines += [*block_lines(block), ""]
    lines.append(r"\end{document}")
    text = "\n".join(lines) + "\n"
    head = [HEAD, r"\ifPDFTeX", *declared(text), r"\fi", r"\begin{document}", ""]
    return ("\n".join(head) + text).encode()


def declared(text: str) -> Iterator[str]:
    """Yield for pdfLaTeX what stands for each character of a text that it may lack: its code."""
    for char in sorted({each for each in text if ord(each) > LAST_LATIN} - set(KNOWN_SIGNS)):
        code = f"{ord(char):04X}"
        yield rf"\DeclareUnicodeCharacter{{{code}}}{{{{[}}U+{code}{{]}}}}"


def escaped(text: object) -> str:
    """Return one line of text without a command in it."""
    return "".join(SPECIAL.get(char, char) for char in CONTROL.sub(" ", str(text)))


def worded(words: Statement) -> str:
    text = HASH.sub(lambda found: rf"{found[0]}\allowbreak{{}}", escaped(words))
    return rf"\toadd{{{text}}}" if words.is_open else text


def block_lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield rf"\subsection{{{escaped(block.text)}}}"
    elif isinstance(block, Prose):
        yield " ".join(map(worded, block.words))
    elif isinstance(block, Terms):
        yield r"\begin{description}"
        for name, words in block.rows:
            yield rf"\item[] \textbf{{{escaped(name)}}}\quad {worded(words)}"
        yield r"\end{description}"
    elif isinstance(block, Verbatim):
        yield r"\begin{quote}"
        yield "\n".join(escaped(line) or "" for line in block.text.splitlines())
        yield r"\end{quote}"
    elif isinstance(block, Picture):
        yield rf"\emph{{{escaped(block.title)}: see the PDF, or Exports for a vector file.}}"
        yield from address_lines(block.address)
    elif isinstance(block, Grid):
        for part in in_parts(shortened(block)):
            yield from table_lines(part)


def table_lines(grid: Grid) -> Iterator[str]:
    """Yield a table where it is named, scaled down where it is too wide; a long one in several
    parts."""
    table = grid.table
    texts = texts_of(table)
    cells = list(zip(*texts, strict=True)) or [()] * len(table.heads)
    form = "".join(map(column_form, table.heads, cells))
    head = " & ".join(heading(column) for column in table.heads) + r" \\"
    rows = [" & ".join(map(escaped, row)) + r" \\" for row in texts]
    name = re.sub("[^a-z0-9-]", "-", table.slug.lower())
    for start in range(0, len(rows), LONG) or [0]:
        # Where it is: a report has more tables than LaTeX lets float.
        yield r"\begin{table}[H]"
        yield r"\centering"
        if start:
            yield rf"\addtocounter{{table}}{{-1}}\caption[]{{{escaped(table.title)}, continued}}"
        else:
            below = rf"\caption{{{escaped(table.title)}. {escaped(grid.below)}}}".replace(
                ". }", ".}"
            )
            yield rf"{below}\label{{tab:{name}}}"
        yield r"\begin{adjustbox}{max width=\textwidth,max totalheight=.8\textheight}"
        yield rf"\begin{{tabular}}{{{form}}}"
        yield rf"\toprule {head} \midrule"
        yield "\n".join(rows[start : start + LONG])
        yield r"\bottomrule"
        yield r"\end{tabular}\end{adjustbox}"
        if start + LONG >= len(rows):
            yield from address_lines(grid.address)
        yield r"\end{table}"


def column_form(column: Column, cells: Sequence[str]) -> str:
    """Return numbers to the right; texts to the left, in lines where they are long."""
    if column.kind != "text":
        return "r"
    return "p{22em}" if max(map(len, cells), default=0) > LONG_TEXT else "l"


def address_lines(address: str) -> Iterator[str]:
    """Yield the short link under a figure, as a note."""
    if address:
        yield rf"\par{{\footnotesize Address: \texttt{{{escaped(address)}}}}}"


def heading(column: Column) -> str:
    return escaped(column.heading)
