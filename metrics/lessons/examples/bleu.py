"""The brevity penalty, and BLEU of one output."""

from math import exp, prod

from metrics.scorers import get_scorer

from .base import (
    ExampleResult,
    ResultRow,
    Values,
    fraction,
)
from .ngrams import (
    ORDERS,
    counted,
    precision_rows,
)


def penalties(output: float, reference: float) -> tuple[float, str]:
    """Return the brevity penalty for these lengths, and its computation."""
    scorer = get_scorer("bleu")
    penalty = dict(scorer.details([output, reference, *[0] * 2 * ORDERS]))["Brevity penalty"]
    how = f"exp(1 − {reference:g}/{output:g})" if output < reference else "long enough"
    return penalty, how


def compute_penalty(values: Values) -> ExampleResult:
    c, r = values["output_length"], values["reference_length"]
    penalty, how = penalties(c, r)
    return ExampleResult(
        [
            ResultRow("penalty", "Brevity penalty (Papineni et al. 2002)", penalty, how),
            ResultRow("ratio", "min(1, c/r), as the slides print it", fraction(min(c, r), r)),
            ResultRow(
                "reward",
                "exp(1 − c/r), as the lecture prints it",
                exp(1 - c / r) if c <= r else 1.0,
                "above 1 for every output that is too short: a reward",
            ),
        ]
    )


def compute_bleu(values: Values) -> ExampleResult:
    scorer, stats = counted(values, values["smoothing"])
    score = float(scorer.score(stats)) / 100
    details = dict(scorer.details(stats))
    matched, total = stats[2 : 2 + ORDERS], stats[2 + ORDERS :]
    shares = [m / t if t else 0.0 for m, t in zip(matched, total, strict=True)]
    penalty, how = penalties(stats[0], stats[1])
    ratio = min(1.0, stats[0] / stats[1])
    rows = [
        *precision_rows(stats),
        *(
            ResultRow(f"share{n}", f"Precision of {n}-grams", share, extra=True)
            for n, share in enumerate(shares, start=1)
        ),
        ResultRow("penalty", "Brevity penalty", penalty, how),
        ResultRow(
            "ratio", "c/r, at most 1", fraction(min(stats[0], stats[1]), stats[1]), extra=True
        ),
        ResultRow("bleu", "BLEU", score, "penalty · geometric mean of the four precisions"),
        ResultRow("error", "1 − BLEU", 1 - score, extra=True),
        ResultRow(
            "with-ratio",
            "BLEU with min(1, c/r) as penalty",
            score / penalty * ratio if penalty else 0.0,
            "as the slides print it",
            extra=True,
        ),
        ResultRow(
            "log-n",
            "BP · exp Σ log(pₙ/N)",
            penalty * prod(share / ORDERS for share in shares),
            "as the lecture prints it",
        ),
        ResultRow(
            "log",
            "log BLEU",
            details["Log of BLEU / 100"],
            "log BP + the mean of log pₙ",
        ),
    ]
    return ExampleResult(rows)
