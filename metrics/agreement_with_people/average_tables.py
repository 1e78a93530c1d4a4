"""Averages over tasks as pages show them: a sentence, a chart, a table."""

from math import isnan

import numpy as np

from judgments.charts import Chart, intervals
from judgments.tables import Column, Table

from . import words
from .averages import TASKS, AverageRow, Averages
from .tables import CLOSE, MANY_ROWS

NOTE = (
    "Higher is better everywhere. With several campaigns, accuracy pools their pairs, and the "
    "other tasks are means over campaigns with equal weight. Sentinels know nothing of translation."
)
COLUMNS = (
    Column("metric"),
    Column("kind"),
    Column("wmt24", "WMT24", "number"),
    Column("wmt23", "WMT23", "number"),
    *(Column(task, name, "number") for task, name in TASKS.items()),
)


def average_lead(found: Averages) -> str:
    """The best by each scheme."""
    said = []
    for scheme, name in (("wmt24", "WMT24"), ("wmt23", "WMT23")):
        best = best_by(found, scheme)
        if best is not None:
            said.append(f"{best.name} by the scheme of {name} ({getattr(best, scheme):.3f})")
    if not said:
        return "No average: it needs a value for every task, and some have none."
    return f"Highest on average: {words.listed(said)}.".replace("(0.", "(.")


def best_by(found: Averages, scheme: str) -> AverageRow | None:
    """The metric, no sentinel, with the highest average; None without any."""
    real = [row for row in found.rows if not row.is_sentinel and not isnan(getattr(row, scheme))]
    return max(real, key=lambda row: getattr(row, scheme), default=None)


def average_table(found: Averages) -> Table:
    rows = [
        (
            row.name,
            "sentinel" if row.is_sentinel else "metric",
            row.wmt24,
            row.wmt23,
            *(row.tasks[task] for task in TASKS),
        )
        for row in found.rows
    ]
    note = NOTE
    if found.only_some:
        note += f" Left out because not every campaign has them: {words.listed(found.only_some)}."
    return Table("metric-averages", "Averages over tasks", COLUMNS, rows, note)


def average_chart(found: Averages, name: str = "metric-averages") -> Chart | None:
    """Every metric's average by the scheme of WMT24; None without any."""
    rows = [row for row in found.rows if not isnan(row.wmt24)]
    if not rows:
        return None
    names = [f"{row.name} (sentinel)" if row.is_sentinel else row.name for row in rows]
    values = np.array([row.wmt24 for row in rows])
    return Chart(
        name=name,
        title="Averages by the scheme of WMT24",
        caption="Mean of soft pairwise accuracy and by-item accuracy with calibrated ties, over "
        f"{words.counted(found.n_campaigns, 'campaign')}. It has no interval.",
        spec=intervals(
            names,
            values,
            values,
            values,
            axis="WMT24 average",
            places=3,
            step=CLOSE if len(rows) > MANY_ROWS else None,
            description=f"Averages of {len(rows)} metrics",
        ),
        columns=("metric", Column("wmt24", "WMT24", "number")),
        rows=[[row_name, float(value)] for row_name, value in zip(names, values, strict=True)],
    )
