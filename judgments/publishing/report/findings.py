"""Several campaigns side by side: the tables of a paper that presents the findings of a year.

One table of systems for each language pair, one of agreement and one of counts; every figure is
taken from the tables of the campaigns' own pages.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from judgments.files.languages import language_name
from judgments.results.selection.selection import Selection, sentence_of
from judgments.web.tables import Column, Table

from .blocks import Block, CampaignReport, Grid, ReportPart, said
from .contents import is_score
from .source import Source, in_english

MOST_NAMED = 4  # campaigns in the subtitle
SCORED = ("scores-", "answers-accuracy", "edits-systems")
RANKED = ("system", "score", "low", "high", "ranks", "cluster", "n_segments")
AGREED = ("coefficient", "estimate", "low", "high", "p_observed", "p_expected", "n_items")


@in_english
def report_of_several(selections: Sequence[Selection]) -> CampaignReport:
    """Raise ValueError without a selection."""
    if not selections:
        raise ValueError("a report is of one campaign at least")
    sources = [Source(selection) for selection in selections]
    parts = [
        ReportPart(f"pair-{n}", title(source.selection), tuple(system_blocks(source)))
        for n, source in enumerate(sources, 1)
    ]
    parts += [
        ReportPart("agreement", "Agreement", (agreement_grid(sources),)),
        ReportPart("counts", "Counts", (count_grid(sources),)),
    ]
    names = ", ".join(selection.campaign.name for selection in selections[:MOST_NAMED])
    if len(selections) > MOST_NAMED:
        names += f" and {len(selections) - MOST_NAMED} more"
    return CampaignReport(
        title="Findings",
        subtitle=f"Human evaluation of machine translation: {names}",
        sentence=f"{sentence_of(selections)}.",
        parts=tuple(part for part in parts if part.blocks),
    )


def title(selection: Selection) -> str:
    test_set = selection.campaign.test_set
    pair = f"{language_name(test_set.source_language)}–{language_name(test_set.target_language)}"
    return f"{pair}: {selection.campaign.name}"


def system_blocks(source: Source) -> Iterator[Block]:
    """Yield the ranking of each dimension: raw scores or expected wins, with ranks and clusters."""
    found = [
        grid
        for grid in _grids(source, "scores", lambda section: is_score(section))
        if not grid.table.slug.endswith("-z")
    ]
    for grid in found:
        yield dataclasses.replace(grid, table=kept(grid.table, RANKED))
    if not found:
        yield said("This campaign has no scores of systems yet, or none that are ranked.", "quiet")


def _grids(source: Source, page: str, wanted) -> list[Grid]:
    return [block for block in source.page(page, wanted) if isinstance(block, Grid)]


def kept(table: Table, keys: Sequence[str]) -> Table:
    """Only these columns, as far as there are any."""
    at = [table.keys.index(key) for key in keys if key in table.keys]
    rows = [tuple(row[i] for i in at) for row in table.rows]
    return Table(table.slug, table.title, tuple(table.heads[i] for i in at), rows)


def agreement_grid(sources: Sequence[Source]) -> Grid:
    """Return all coefficients between annotators that the pages show in the open."""
    rows = []
    heads: tuple[Column, ...] = ()
    for source in sources:
        for grid in _grids(source, "agreement", lambda section: True):
            if not set(AGREED) <= set(grid.table.keys) or "further" in grid.table.slug:
                continue
            small = kept(grid.table, AGREED)
            heads = tuple(small.heads)
            dimension = grid.table.slug.removeprefix("agreement-")
            rows += [(source.selection.campaign.name, dimension, *row) for row in small.rows]
    columns = (Column("campaign", "Campaign", "text"), Column("dimension", "Of", "text"), *heads)
    return Grid(Table("agreement", "Agreement", columns, rows), _of_all(sources))


def count_grid(sources: Sequence[Source]) -> Grid:
    rows = []
    for source in sources:
        facts, campaign = source.facts, source.selection.campaign
        n = facts.coverage.n_outputs
        twice = facts.coverage.n_twice / n if n else None
        rows.append(
            (
                campaign.name,
                "–".join((campaign.test_set.source_language, campaign.test_set.target_language)),
                len(facts.systems),
                facts.coverage.n_segments,
                facts.n_annotators,
                facts.n_judgments,
                twice,
                facts.hours or None,
            )
        )
    columns = (
        Column("campaign", "Campaign", "text"),
        Column("languages", "Languages", "text"),
        Column("systems", "Systems", "count"),
        Column("segments", "Segments judged", "count"),
        Column("annotators", "Annotators", "count"),
        Column("judgments", "Judgments", "count"),
        Column("shared", "Judged twice or more", "number", "Share of outputs"),
        Column("hours", "Active hours", "number"),
    )
    return Grid(Table("counts", "Counts", columns, rows), _of_all(sources))


def _of_all(sources: Sequence[Source]) -> str:
    return f"{sentence_of([source.selection for source in sources])}."
