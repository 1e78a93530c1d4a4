"""AutoRank: one rank of a system from several metrics."""

import numpy as np

from metrics.stats.auto_rank import autorank_wmt24, autorank_wmt25

from .base import (
    KOEHN,
    ExampleCase,
    ExampleField,
    ExampleResult,
    Printed,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
    shown,
)

ERRATUM = "The AutoRank of systems follows"
# System, MetricX, CometKiwi, AutoRank as the slide prints them.
TABLE = (
    ("Unbabel-Tower70B", "2.0", "0.762", "1.0"),
    ("ONLINE-B", "2.4", "0.750", "1.4"),
    ("Claude-3.5", "2.3", "0.744", "1.5"),
    ("Gemini-1.5-Pro", "2.5", "0.734", "1.7"),
    ("GPT-4", "2.7", "0.740", "1.7"),
    ("Team-J", "2.9", "0.740", "1.9"),
    ("NTTSU", "2.6", "0.731", "1.9"),
    ("CommandR-plus", "2.7", "0.730", "1.9"),
    ("IOL-Research", "3.1", "0.724", "2.3"),
    ("Aya23", "3.1", "0.719", "2.3"),
    ("Llama3-70B", "3.5", "0.714", "2.6"),
    ("DLUT-GTCOM", "3.0", "0.697", "2.6"),
    ("Phi-3-Medium", "3.6", "0.709", "2.8"),
    ("ONLINE-W", "3.6", "0.700", "2.9"),
    ("Mistral-Large", "3.8", "0.707", "2.9"),
    ("ONLINE-A", "3.6", "0.699", "3.0"),
    ("IKUN", "3.7", "0.696", "3.1"),
    ("IKUN-C", "4.3", "0.669", "3.9"),
    ("ONLINE-G", "6.6", "0.599", "6.4"),
    ("AIST-AIRC", "6.5", "0.583", "6.6"),
    ("UvA-MT", "6.7", "0.589", "6.7"),
    ("NVIDIA-NeMo", "6.9", "0.582", "6.9"),
    ("CycleL", "22.4", "0.101", "24.0"),
)
# Whose rank cannot be had to the digit from the rounded scores.
ROUNDED = {
    *("Gemini-1.5-Pro", "GPT-4", "CommandR-plus", "Aya23", "Llama3-70B", "DLUT-GTCOM"),
    *("ONLINE-W", "Mistral-Large", "AIST-AIRC"),
}


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


def _numbers(name: str, label: str, hint: str) -> ExampleField:
    return ExampleField(
        name=name, label=label, kind="numbers", hint=hint, most_lines=60, low=-1e6, high=1e6
    )


AUTO_RANK = WorkedExample(
    slug="auto-rank",
    title="AutoRank of two metrics",
    topic="Ranking of systems",
    about="One rank of each system before people have judged: every metric is scaled such that the "
    "best of N systems has 1 and the worst N, and the metrics are averaged.",
    fields=(
        ExampleField(
            name="systems", label="Systems", kind="lines", hint="One on each line.", most_lines=60
        ),
        _numbers("errors", "Metric of which less is better", "Separated by spaces, one a system."),
        _numbers("scores", "Metric of which more is better", "In the order of the systems."),
        ExampleField(
            name="n",
            label="Number of systems, N",
            kind="whole",
            hint="0 for those above. A table may leave out systems that took part.",
            high=1000,
        ),
    ),
    compute=compute_auto_rank,
    guides=("meta-evaluation",),
    cases=(
        ExampleCase(
            slug="english-japanese",
            title="English–Japanese, WMT 2024",
            source=KOEHN,
            values={
                "systems": "\n".join(row[0] for row in TABLE),
                "errors": " ".join(row[1] for row in TABLE),
                "scores": " ".join(row[2] for row in TABLE),
                "n": "24",
            },
            printed={
                str(number): Printed(rank, erratum=ERRATUM if name in ROUNDED else "")
                for number, (name, _, _, rank) in enumerate(TABLE, start=1)
            },
            remark="MetricX counts errors, CometKiwi is higher for better systems. 24 systems took "
            "part; the table of the slide has 23.",
        ),
    ),
)

EXAMPLES = (AUTO_RANK,)
