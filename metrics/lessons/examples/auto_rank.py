"""AutoRank: one rank per system from several metrics."""

import numpy as np

from metrics.stats.auto_rank import autorank_wmt24, autorank_wmt25

from .base import (
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    cells,
    shown,
)

# System, MetricX, CometKiwi, AutoRank as printed on the slide. Systems whose printed rank does not
# follow from the rounded scores.


def compute_auto_rank(values: Values) -> ExampleResult:
    names, errors, scores = values["systems"], values["errors"], values["scores"]
    if not len(names) == len(errors) == len(scores):
        raise ValueError("Give as many systems as scores of each metric.")
    table = np.array([[-value for value in errors], scores])
    n = values["n"] or len(names)
    found = autorank_wmt24(table, n=n)
    wmt25 = autorank_wmt25(table)
    return ExampleResult(
        [
            ResultRow(str(number), name, float(rank))
            for number, (name, rank) in enumerate(zip(names, found, strict=True), start=1)
        ],
        [
            ResultTable(
                "As WMT24 and as WMT25 put the metrics together",
                ["System", "Errors", "Scores", "WMT24", "WMT25"],
                [
                    (name, cells(f"{a:g}", f"{b:g}", shown(float(c), 2), shown(float(d), 2)))
                    for name, a, b, c, d in zip(names, errors, scores, found, wmt25, strict=True)
                ],
                "WMT24: from 1 to N in each metric, then the mean. WMT25: median and spread of the "
                "better systems first, so that one very bad system does not press all others "
                "together; its N is the number of systems here.",
            )
        ],
    )
