"""Draws: the bootstrap interval of a score, and approximate randomization of two systems."""

import numpy as np

from metrics.scorers import get_scorer
from metrics.stats.draws import bootstrap_weights
from metrics.stats.significance import (
    approximate_randomization,
    bootstrap_interval,
    dropped_at_an_end,
)

from .base import (
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    cells,
    shown,
)
from .corpora import same_number

SHOWN_DRAWS = 8


def compute_bootstrap(values: Values) -> ExampleResult:
    outputs, references = same_number(values)
    scorer = get_scorer(values["metric"])
    stats = scorer.statistics(outputs, [references])
    level, resamples = float(values["level"]), values["resamples"]
    found = bootstrap_interval(
        scorer, stats, rng=np.random.default_rng(values["seed"]), resamples=resamples, level=level
    )
    return ExampleResult(
        [
            ResultRow("score", f"{scorer.label} of the test set", found.estimate),
            ResultRow(
                "dropped",
                "Draws left out at either end",
                str(dropped_at_an_end(resamples, level)),
                f"{(1 - level) / 2:.1%} of {resamples}",
            ),
            ResultRow("low", "Low end", found.low),
            ResultRow("high", "High end", found.high),
        ],
        [draw_table(scorer, stats, values["seed"], resamples)],
        notes=[found.reason] if found.reason else [],
    )


def draw_table(scorer, stats, seed: int, resamples: int) -> ResultTable:
    """Return the first draws of the same random numbers: how often each segment was drawn."""
    weights = next(bootstrap_weights(np.random.default_rng(seed), len(stats), resamples))
    rows = []
    for n, draw in enumerate(weights[:SHOWN_DRAWS].astype(np.float64), start=1):
        times = " ".join(f"{count:g}" for count in draw)
        rows.append((str(n), cells(times, shown(float(scorer.score(draw @ stats)), 2))))
    return ResultTable(
        "The first draws",
        ["Draw", "How often each segment is drawn", scorer.label],
        rows,
        "Each draw has as many segments as the test set; some come twice, others not at all.",
    )


def compute_randomization(values: Values) -> ExampleResult:
    first, references = same_number({"outputs": values["first"], **pick(values)})
    second, _ = same_number({"outputs": values["second"], **pick(values)})
    scorer = get_scorer(values["metric"])
    ours, theirs = (scorer.statistics(texts, [references]) for texts in (first, second))
    trials = values["trials"]
    found = approximate_randomization(
        scorer, ours, theirs, rng=np.random.default_rng(values["seed"]), resamples=trials
    )
    rows = [
        ResultRow("first", f"{scorer.label} of system A", float(scorer.score(ours.sum(axis=0)))),
        ResultRow("second", f"{scorer.label} of system B", float(scorer.score(theirs.sum(axis=0)))),
        ResultRow("difference", "Difference", found.difference),
    ]
    if not found.reason:
        count = round(found.p_value * (trials + 1)) - 1
        rows += [
            ResultRow("count", "c, trials with a difference as large", str(count)),
            ResultRow("p", "p", found.p_value, f"({count} + 1)/({trials} + 1)"),
        ]
    return ExampleResult(rows, notes=[found.reason] if found.reason else [])


def pick(values: Values) -> dict:
    return {"references": values["references"]}
