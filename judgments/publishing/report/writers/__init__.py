"""Reports as files: a writer for each kind, all from the same blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from judgments.publishing.report.blocks import CampaignReport

from . import latex, markdown, page, pdf, workbook


@dataclass(frozen=True)
class ReportFormat:
    """``write`` returns the whole file."""

    name: str
    content_type: str
    write: Callable[[CampaignReport], bytes]


FORMATS = {
    "html": ReportFormat("HTML, one file with its charts", "text/html; charset=utf-8", page.write),
    "pdf": ReportFormat("PDF", "application/pdf", pdf.write),
    "tex": ReportFormat("LaTeX", "application/x-tex; charset=utf-8", latex.write),
    "md": ReportFormat("Markdown", "text/markdown; charset=utf-8", markdown.write),
    "xlsx": ReportFormat(
        "workbook, one sheet a table",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        workbook.write,
    ),
}
