"""Counts that examples of n-grams share."""

from collections import Counter
from collections.abc import Sequence

from metrics.scorers import get_scorer

from .base import ResultRow, Values, fraction

ORDERS = 4


def counted(values: Values, smoothing: str = "none"):
    """Return BLEU with the settings of an example, and its statistics for the one output."""
    scorer = get_scorer(
        "bleu",
        tokenize=values.get("tokenize", "13a"),
        lowercase=values.get("capitals") != "count",
        smoothing=smoothing,
    )
    references = [[text] for text in values["references"]]
    return scorer, scorer.statistics([values["output"]], references)[0]


def precision_rows(stats) -> list[ResultRow]:
    matched, total = stats[2 : 2 + ORDERS], stats[2 + ORDERS :]
    return [
        ResultRow(
            f"p{n}",
            f"{n}-grams matched",
            fraction(matched[n - 1], total[n - 1]),
            f"{matched[n - 1] / total[n - 1]:.3f}" if total[n - 1] else "no such run",
        )
        for n in range(1, ORDERS + 1)
    ]


def pooled_runs(references: Sequence[Sequence[str] | None], order: int) -> Counter[tuple[str, ...]]:
    """Return the runs of ``order`` words of all references, each as often as the one reference that
    has it most, the most that an output can match."""
    pooled: Counter[tuple[str, ...]] = Counter()
    for words in references:
        runs = zip(*((words or ())[start:] for start in range(order)), strict=False)
        pooled |= Counter(runs)
    return pooled
