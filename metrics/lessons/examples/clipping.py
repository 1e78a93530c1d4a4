"""Clipped n-gram precision."""

from collections import Counter

from metrics.scorers.diagnostic import Diagnosis, diagnose

from .base import (
    ExampleResult,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    cells,
    fraction,
)
from .ngrams import (
    ORDERS,
    counted,
    pooled_runs,
    precision_rows,
)


def clipping_table(found: Diagnosis, order: int) -> ResultTable:
    """Return every run of the output: how often it has it, how often each reference, what
    counts."""
    ours: Counter = Counter()
    theirs: list[Counter] = []
    for ngrams in found.ngrams:
        if ngrams.order == order:
            shared = {each.words: each.count for each in ngrams.found}
            ours = Counter(shared)
            ours.update({each.words: each.count for each in ngrams.not_found})
            theirs.append(Counter(shared))
            theirs[-1].update({each.words: each.count for each in ngrams.missing})
    rows = []
    for words, count in ours.items():
        most = max(reference[words] for reference in theirs)
        clipped = min(count, most)
        rows.append(
            (
                " ".join(words),
                cells(
                    count,
                    *(reference[words] for reference in theirs),
                    most,
                    ResultCell(str(clipped), "clipped" if most and clipped < count else ""),
                ),
            )
        )
    return ResultTable(
        "What is counted",
        [
            "Run of words",
            "Output",
            *(f"Reference {n}" for n in range(1, len(theirs) + 1)),
            "Most in one",
            "Counts",
        ],
        rows,
        "Marked: the output has it more often than any one reference, and is clipped.",
    )


def compute_clipped(values: Values) -> ExampleResult:
    _, stats = counted(values)
    found = diagnose(
        values["output"],
        values["references"],
        tokenize=values["tokenize"],
        lowercase=values["capitals"] != "count",
    )
    known = {word for words in found.references for word in words or ()}
    plain = sum(word in known for word in found.output)
    pooled = pooled_runs(found.references, 1)
    recalled = (pooled_runs([found.output], 1) & pooled).total()
    rows = [
        ResultRow("length", "Words of the output", str(int(stats[0])), "c₁ in the lecture"),
        ResultRow(
            "plain",
            "Precision of words without clipping",
            fraction(plain, stats[0]),
            "words of the output that any reference has",
        ),
        *precision_rows(stats),
        ResultRow(
            "recall",
            "Recall of words, all references pooled",
            fraction(recalled, pooled.total()),
            "each word as often as the one reference that has it most",
        ),
        *(
            ResultRow(f"matches{n}", f"Matches of {n}-grams", str(int(stats[1 + n])), extra=True)
            for n in range(1, ORDERS + 1)
        ),
    ]
    return ExampleResult(rows, [clipping_table(found, int(values["order"]))])


def compute_lists(values: Values) -> ExampleResult:
    found = diagnose(
        "",
        values["references"],
        tokenize=values["tokenize"],
        lowercase=values["capitals"] != "count",
    )
    references = [words or () for words in found.references]
    order = int(values["order"])
    each = [pooled_runs([words], order) for words in references]
    pooled = pooled_runs(references, order)
    rows = [
        ResultRow(
            f"listed{n}",
            f"{n}-grams of all references",
            str(pooled_runs(references, n).total()),
            "each as often as the one reference that has it most",
        )
        for n in range(1, ORDERS + 1)
    ]
    table = ResultTable(
        "What an output can match",
        ["Run of words", *(f"Reference {n}" for n, _ in enumerate(each, start=1)), "Most in one"],
        [
            (" ".join(words), cells(*(runs[words] for runs in each), pooled[words]))
            for words in sorted(pooled)
        ],
    )
    return ExampleResult(rows, [table])
