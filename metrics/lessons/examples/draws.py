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
    HEIDELBERG,
    KOEHN,
    OURS,
    ExampleCase,
    ExampleField,
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
    shown,
)
from .corpora import LINES, OUTPUTS, same_number
from .samples import LEVEL, TOPIC

SHOWN_DRAWS = 8
METRIC = ExampleField(
    name="metric",
    label="Metric",
    kind="choice",
    choices=(("wer", "WER"), ("bleu", "BLEU"), ("ter", "TER"), ("chrf", "chrF")),
)
SEED = ExampleField(
    name="seed",
    label="Seed of the random numbers",
    kind="whole",
    hint="The same seed gives the same draws.",
    high=2**31 - 1,
)
REFERENCES = "\n".join(
    [
        "the cat is on the mat",
        "a dog sleeps in the sun",
        "two birds sing",
        "the rain has stopped",
        "we walk home",
        "the door is open",
        "nobody is here",
        "the train leaves at nine",
    ]
)
FIRST = "\n".join(
    [
        "the cat sat on the mat",
        "a dog sleeps in the sun",
        "two bird sing",
        "the rain stopped",
        "we go home",
        "the door is open",
        "nobody here",
        "the train leaves at nine",
    ]
)
SECOND = "\n".join(
    [
        "cat on mat",
        "a dog sleeps in sun",
        "two birds sing",
        "rain has stopped",
        "we walk to home",
        "door is opened",
        "here is nobody",
        "the train goes at nine",
    ]
)


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
    """The first draws of the same random numbers: how often each segment was drawn."""
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


BOOTSTRAP = WorkedExample(
    slug="bootstrap",
    title="The bootstrap interval",
    topic=TOPIC,
    about="Draw test sets from the one there is, with replacement, and see how the score varies.",
    fields=(
        OUTPUTS,
        LINES,
        METRIC,
        ExampleField(name="resamples", label="Draws", kind="whole", low=10, high=2_000),
        LEVEL,
        SEED,
    ),
    compute=compute_bootstrap,
    guides=("significance",),
    cases=(
        ExampleCase(
            slug="1000-draws",
            title="1000 draws",
            source=KOEHN,
            values={
                "outputs": FIRST,
                "references": REFERENCES,
                "metric": "wer",
                "resamples": "1000",
                "level": "0.95",
                "seed": "1",
            },
            printed={"dropped": "25"},
            errata=("A bootstrap draws test sets",),
            remark="The slide speaks of 2000 sentences, which are not given; these are made up.",
        ),
    ),
)

RANDOMIZATION = WorkedExample(
    slug="approximate-randomization",
    title="Approximate randomization",
    topic=TOPIC,
    about="Swap the outputs of two systems at random: how often is the difference as large as the "
    "one that was seen?",
    fields=(
        ExampleField(
            name="first",
            label="Outputs of system A",
            kind="lines",
            hint="One segment on each line.",
            most_lines=12,
        ),
        ExampleField(
            name="second",
            label="Outputs of system B",
            kind="lines",
            hint="In the same order.",
            most_lines=12,
        ),
        LINES,
        METRIC,
        ExampleField(name="trials", label="Trials, R", kind="whole", low=1, high=10_000),
        SEED,
    ),
    compute=compute_randomization,
    guides=("significance",),
    cases=(
        ExampleCase(
            slug="two-systems",
            title="Two systems",
            source=HEIDELBERG,
            values={
                "first": FIRST,
                "second": SECOND,
                "references": REFERENCES,
                "metric": "wer",
                "trials": "999",
                "seed": "1",
            },
            errata=(
                "Approximate randomization runs",
                "The text counts trials",
                "The p-value is the probability",
            ),
            remark="The notes print the algorithm and no digits; the sentences are made up.",
        ),
        ExampleCase(
            slug="identical-systems",
            title="Two identical systems: p = 1",
            source=OURS,
            values={
                "first": FIRST,
                "second": FIRST,
                "references": REFERENCES,
                "metric": "wer",
                "trials": "999",
                "seed": "1",
            },
        ),
    ),
)

EXAMPLES = (BOOTSTRAP, RANDOMIZATION)
