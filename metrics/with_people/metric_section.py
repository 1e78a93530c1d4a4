"""A section of metrics against people: one finding, one chart, one table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judgments.web.charts import Chart
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Table


@dataclass(frozen=True)
class MetricSection(Section):
    """At most one chart and one table. ``aside``: the table is closed, with the notes. ``brief``:
    it takes no more than half a screen. ``warnings`` are always seen. ``is_long``: whether the
    table is for files only. ``missing``: why there is nothing to show, or an empty string."""

    warnings: Callable[[], Sequence[str]] = list
    aside: bool = False
    brief: bool = False
    is_long: Callable[[], bool] = lambda: False
    missing: Callable[[], str] = str

    def chart(self) -> Chart | None:
        return self.charts[0].make() if self.charts else None

    def table(self) -> Table | None:
        return self.tables[0].make() if self.tables else None


def section(
    slug: str,
    title: str,
    sentence: Callable[[], str],
    *,
    chart: Callable[[], Chart | None] | None = None,
    table: Callable[[], Table | None] | None = None,
    notes: Callable[[], list[str]] = list,
    warnings: Callable[[], list[str]] = list,
    remark: Callable[[], str] = str,
    folded: bool = False,
    aside: bool = False,
    brief: bool = False,
    is_long: Callable[[], bool] = lambda: False,
    missing: Callable[[], str] = str,
) -> MetricSection:
    """Return chart and table go by the name of the section."""
    return MetricSection(
        slug,
        title,
        sentence,
        notes,
        charts=[Lazy(slug, title, chart)] if chart else (),
        tables=[Lazy(slug, title, table)] if table else (),  # type: ignore[arg-type]
        warnings=warnings,
        remark=remark,
        folded=folded,
        aside=aside,
        brief=brief,
        is_long=is_long,
        missing=missing,
    )
