"""The page of metrics as it opens, as sections that files, archives and the API read too."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.selection.selection import Selection
from judgments.web.charts import Chart
from judgments.web.sections import ASIDE, FILE, OPEN, Lazy, Section
from judgments.web.tables import Table

from .exports import TABLES, choices, judged_board
from .metric_section import MetricSection
from .page import MetricsPage, Settings

# What its charts are called where no section stands around them.
CHARTS = {
    "metric-overview": gettext_lazy("Pearson r of each metric with people"),
    "metric-systems": gettext_lazy("The best metric against people, over systems"),
    "metric-segments": gettext_lazy("The best metric against people, over segments"),
    "metric-differences": gettext_lazy("Differences between metrics"),
    "metric-kinds": gettext_lazy("Metrics and people without a kind of systems"),
}
# Tables that have not the name of their section.
NAMES = {"metric-differences": "metric-clusters"}


def sections(selection: Selection) -> list[Section]:
    """Return those of the page, then a section of files: tables with every statistic, and the
    scatter plots of every metric. Under other settings the page gives its files itself."""
    files = {slug: Lazy(slug, str(title), partial(make, selection)) for slug, title, make in TABLES}
    title = _("Metrics and people, every figure")
    board = judged_board(selection)
    if board is None:
        tables = [replace(each, place=FILE) for each in files.values()]
        return [Section("metric-files", title, tables=tables)]
    choice = choices(selection)[0]
    page = MetricsPage(selection, board, Settings(choice.dimension, choice.method))
    found = [_section(each, page, files) for each in page.sections()]
    shown = {table.slug for section in found for table in section.tables}
    rest = [replace(each, place=FILE) for each in files.values() if each.slug not in shown]
    return [*found, Section("metric-files", title, charts=[*_scatters(page)], tables=rest)]


def _section(
    section: MetricSection, page: MetricsPage, files: Mapping[str, Lazy[Table]]
) -> Section:
    """As a page of results has it; a table that goes out with more in it stands as that file."""
    slug = NAMES.get(section.slug, section.slug)
    place = FILE if slug == "metric-pairs" else ASIDE if section.folded or section.aside else OPEN
    own = Lazy(slug, section.title, partial(_table, section, slug))
    title = str(CHARTS.get(section.slug, section.title))
    return Section(
        section.slug,
        section.title,
        section.sentence,
        lambda: [*section.warnings(), *section.notes()],
        charts=[replace(chart, title=title) for chart in section.charts],
        tables=[replace(files.get(slug, own), place=place)],
        remark=section.remark,
        exists=_has_outliers(page) if section.slug == "metric-outliers" else lambda: True,
    )


def _has_outliers(page: MetricsPage) -> Callable[[], bool]:
    return lambda: bool(page.systems.outliers)


def _table(section: MetricSection, slug: str) -> Table:
    return section.table() or Table(slug, section.title, ("metric",), [])


def _scatters(page: MetricsPage) -> Iterator[Lazy[Chart | None]]:
    """Yield the plots of every metric that has scores to draw."""
    for column in page.board.table.columns:
        chosen = replace(page.chosen, metric=column.slug)
        own = MetricsPage(page.selection, page.board, chosen)
        label = column.label
        name = f"scatter-systems-{column.slug}"
        title = _("%(label)s against people, over systems") % {"label": label}
        yield Lazy(name, title, partial(own.system_scatter, name), FILE)
        if any(not np.isnan(score.segment_scores).all() for score in column.scores.values()):
            name = f"scatter-segments-{column.slug}"
            title = _("%(label)s against people, over segments") % {"label": label}
            yield Lazy(name, title, partial(own.output_scatter, name), FILE)
