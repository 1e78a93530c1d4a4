"""Averages over tasks as pages show them: a sentence, a chart, a table."""

from math import isnan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.web import plurals as counted
from judgments.web.charts import Chart, intervals
from judgments.web.tables import Column, Table, figure

from . import words
from .averages import TASKS, AverageRow, Averages
from .tables import CLOSE, MANY_ROWS

NOTE = gettext_lazy(
    "Higher is better everywhere. With several campaigns, accuracy pools their pairs, and the "
    "other tasks are means over campaigns with equal weight. Sentinels know nothing about "
    "translation."
)
COLUMNS = (
    Column("metric"),
    Column("kind"),
    Column("wmt24", "WMT24", "number"),
    Column("wmt23", "WMT23", "number"),
    *(Column(task, gettext_lazy(name), "number") for task, name in TASKS.items()),
)


def average_lead(found: Averages) -> str:
    """Return the best by each scheme."""
    said = []
    for scheme, name in (("wmt24", "WMT24"), ("wmt23", "WMT23")):
        best = best_by(found, scheme)
        if best is not None:
            known = {"metric": best.name, "scheme": name, "value": figure(getattr(best, scheme))}
            said.append(_("%(metric)s by the scheme of %(scheme)s (%(value)s)") % known)
    if not said:
        return _("No average: it needs a value for every task, and some have none.")
    return _("Highest on average: %(metrics)s.") % {"metrics": counted.names(said)}


def best_by(found: Averages, scheme: str) -> AverageRow | None:
    """Return the metric, no sentinel, with the highest average; None without any."""
    real = [row for row in found.rows if not row.is_sentinel and not isnan(getattr(row, scheme))]
    return max(real, key=lambda row: getattr(row, scheme), default=None)


def average_table(found: Averages) -> Table:
    rows = [
        (
            row.name,
            _("sentinel") if row.is_sentinel else _("metric"),
            row.wmt24,
            row.wmt23,
            *(row.tasks[task] for task in TASKS),
        )
        for row in found.rows
    ]
    note = str(NOTE)
    if found.only_some:
        note += " " + _("Left out because not every campaign has them: %(names)s.") % {
            "names": counted.names(list(found.only_some))
        }
    return Table("metric-averages", _("Averages over tasks"), COLUMNS, rows, note)


def average_chart(found: Averages, name: str = "metric-averages") -> Chart | None:
    """Return every metric's average by the scheme of WMT24; None without any."""
    rows = [row for row in found.rows if not isnan(row.wmt24)]
    if not rows:
        return None
    names = [words.sentinel(row.name) if row.is_sentinel else row.name for row in rows]
    values = np.array([row.wmt24 for row in rows])
    return Chart(
        name=name,
        title=_("Averages by the scheme of WMT24"),
        caption=_(
            "Mean of soft pairwise accuracy and by-item accuracy with calibrated ties, "
            "over %(campaigns)s. It has no interval."
        )
        % {"campaigns": counted.campaigns(found.n_campaigns)},
        spec=intervals(
            names,
            values,
            values,
            values,
            axis=_("WMT24 average"),
            places=3,
            step=CLOSE if len(rows) > MANY_ROWS else None,
            description=_("Averages of %(metrics)s") % {"metrics": counted.metrics(len(rows))},
        ),
        columns=("metric", Column("wmt24", "WMT24", "number")),
        rows=[[row_name, float(value)] for row_name, value in zip(names, values, strict=True)],
    )
