"""The report of a project: its own pages, then the tables of each campaign."""

from __future__ import annotations

from collections.abc import Iterator

from judgments.results.projects.figures import ProjectResults
from judgments.results.projects.pages import asked_of, project_pages
from judgments.web.sections import FILE, OPEN, Section

from .blocks import Block, CampaignReport, Grid, Heading, Picture, ReportPart, said
from .findings import report_of_several
from .source import in_english


@in_english
def report_of_project(results: ProjectResults) -> CampaignReport:
    """Raise ValueError where the reader may see none of its campaigns."""
    findings = report_of_several(results.selections)
    own = []
    for page in project_pages():
        if page.is_reported and results.columns:
            _, _, sections = asked_of(page, results, {})
            blocks = tuple(block for section in sections for block in blocks_of(section, results))
            own.append(ReportPart(f"project-{page.slug}", str(page.name), blocks))
    hidden = results.n_hidden
    unseen = f" {hidden} of its campaigns could not be read and are left out." if hidden else ""
    return CampaignReport(
        title=results.project.name,
        subtitle=results.project.description or findings.subtitle,
        sentence=findings.sentence + unseen,
        parts=(*(part for part in own if part.blocks), *findings.parts),
    )


def blocks_of(section: Section, results: ProjectResults) -> Iterator[Block]:
    """Yield what the web page shows of a section."""
    if section.is_file_only or not section.exists():
        return
    yield Heading(str(section.title))
    if sentence := section.sentence():
        yield said(sentence, "lead")
    yield from (said(note, "quiet") for note in section.notes() if note)
    for lazy in section.charts:
        chart = lazy.make() if lazy.place == OPEN else None
        if chart:
            yield Picture(chart, str(lazy.title), results)
    for each in section.tables:
        table = each.make() if each.place != FILE else None
        if table is not None and table.rows:
            yield Grid(table, " ".join(filter(None, [table.note, f"{results.sentence}."])))
    if remark := section.remark():
        yield said(remark, "quiet")
