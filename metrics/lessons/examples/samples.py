"""Samples: confidence intervals, the table of t, the sign test."""

from math import inf, sqrt

from judgments.stats.significance import mean_interval, sign_test, t_quantile, wilson_interval

from .base import (
    ExampleResult,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    cells,
    shown,
)

LEVELS = (("0.9", "90%"), ("0.95", "95%"), ("0.99", "99%"))


def compute_interval(values: Values) -> ExampleResult:
    right, n, level = values["right"], values["n"], float(values["level"])
    if right > n:
        raise ValueError(f"{right} of {n} sentences cannot be right.")
    found = mean_interval([1] * right + [0] * (n - right), level=level)
    wilson = wilson_interval(right, n, level=level)
    half = found.high - found.estimate
    t = t_quantile(n - 1, level) if n > 1 else float("nan")
    variance = found.sd**2
    slip = t * variance / sqrt(n)
    return ExampleResult(
        [
            ResultRow("mean", "Mean", found.estimate, f"{right}/{n}"),
            ResultRow("variance", "Variance s²", variance),
            ResultRow("sd", "Standard deviation s", found.sd),
            ResultRow("t", "t", t, f"{n - 1} degrees of freedom"),
            ResultRow("d", "d", half, "t · s/√n"),
            ResultRow("low", "Low end", found.low),
            ResultRow("high", "High end", found.high),
            ResultRow("slip", "d with s² in the place of s", slip, "as the slide computes it"),
            ResultRow("slip-low", "Low end with s²", found.estimate - slip),
            ResultRow("slip-high", "High end with s²", found.estimate + slip),
            ResultRow("wilson-low", "Wilson’s interval, low end", wilson.low),
            ResultRow("wilson-high", "Wilson’s interval, high end", wilson.high),
        ],
        notes=[found.reason] if found.reason else [],
    )


def compute_t_table(values: Values) -> ExampleResult:
    sizes = [*values["sizes"], inf]
    rows, lines = [], []
    for level, name in reversed(LEVELS):
        row = []
        for size in sizes:
            t = t_quantile(size - 1, float(level))
            key = f"{name}-{size_words(size)}"
            rows.append(ResultRow(key, f"t of {key.replace('-', ', n = ')}", t, of_freedom(size)))
            row.append(shown(t, 4))
        lines.append((name, cells(*row)))
    heads = ["Level", *(f"n = {size_words(size)}" for size in sizes)]
    return ExampleResult(rows, [ResultTable("The table of t", heads, lines)])


def size_words(size: float) -> str:
    return "∞" if size == inf else str(int(size))


def of_freedom(size: float) -> str:
    return "normal distribution" if size == inf else f"{int(size) - 1} degrees of freedom"


def compute_sign(values: Values) -> ExampleResult:
    wins, losses, ties = values["wins"], values["losses"], values["ties"]
    two = sign_test(wins, losses, ties=ties)
    one = sign_test(wins, losses, ties=ties, alternative="greater")
    exactly = one.p_value
    if losses:
        exactly -= sign_test(wins + 1, losses - 1, alternative="greater").p_value
    return ExampleResult(
        [
            ResultRow("n", "Sentences that count", str(two.n), "ties are left out"),
            ResultRow("share", "Share of wins", two.estimate),
            ResultRow(
                "exactly",
                f"Probability of exactly {wins} wins",
                exactly,
                "the binomial formula of the slide",
            ),
            ResultRow("one", "p, one-sided", one.p_value, f"{wins} or more wins"),
            ResultRow("two", "p, two-sided", two.p_value, "twice the smaller side, 1 at most"),
        ],
        notes=[two.reason] if two.reason else [],
    )


def fewest_wins(n: int, level: float) -> int | None:
    """Return the smallest k of n that a two-sided sign test at this level takes for a
    difference."""
    low, high = (n + 1) // 2, n + 1
    while low < high:
        middle = (low + high) // 2
        if sign_test(middle, n - middle).p_value <= level:
            high = middle
        else:
            low = middle + 1
    return low if low <= n else None


def compute_sign_table(values: Values) -> ExampleResult:
    rows, lines = [], []
    for size in values["sizes"]:
        row = []
        for level in (0.01, 0.05, 0.1):
            k = fewest_wins(size, level)
            text = f"{k} of {size} ({k / size:.2f})" if k else "–"
            key = f"{size}-{level:.2f}"
            rows.append(ResultRow(key, f"n = {size}, p ≤ {level:.2f}: wins needed", text))
            row.append(ResultCell(text))
        lines.append((str(size), row))
    heads = ["n", "p ≤ 0.01", "p ≤ 0.05", "p ≤ 0.10"]
    return ExampleResult(rows, [ResultTable("Wins needed", heads, lines)])
