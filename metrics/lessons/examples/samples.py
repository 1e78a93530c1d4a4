"""Samples: confidence intervals, the table of t, the sign test."""

from math import inf, sqrt

from judgments.stats.significance import mean_interval, sign_test, t_quantile, wilson_interval

from .base import (
    KOEHN,
    ExampleCase,
    ExampleField,
    ExampleResult,
    Printed,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
    shown,
)

TOPIC = "Significance"
MOST_SENTENCES = 5_000
LEVELS = (("0.9", "90%"), ("0.95", "95%"), ("0.99", "99%"))
LEVEL = ExampleField(name="level", label="Level", kind="choice", choices=LEVELS)
OTHER_CELLS = "Other cells of the table of t"


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
    """The smallest k of n that a two-sided sign test at this level takes for a difference."""
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


def _wins_printed() -> dict[str, Printed]:
    """The slide's table: k for each n and level; it prints “k = n” where all have to be won."""
    table = {
        5: (None, None, 5),
        10: (10, 9, 9),
        20: (17, 15, 15),
        50: (35, 33, 32),
        100: (64, 61, 59),
    }
    printed = {}
    for n, row in table.items():
        for level, k in zip(("0.01", "0.05", "0.10"), row, strict=True):
            sign = "=" if k == n else "≥"
            printed[f"{n}-{level}"] = (
                Printed(f"k {sign} {k}, k/n {sign} {k / n:.2f}", f"{k} of {n} ({k / n:.2f})")
                if k
                else Printed("–")
            )
    return printed


INTERVAL = WorkedExample(
    slug="confidence-interval",
    title="The interval of a share",
    topic=TOPIC,
    about="Some of the sentences were found to be right. Where does the share of all sentences of "
    "this kind lie?",
    fields=(
        ExampleField(name="right", label="Right", kind="whole", high=MOST_SENTENCES),
        ExampleField(name="n", label="Sentences", kind="whole", low=1, high=MOST_SENTENCES),
        LEVEL,
    ),
    compute=compute_interval,
    guides=("significance",),
    cases=(
        ExampleCase(
            slug="30-of-100",
            title="30 of 100",
            source=KOEHN,
            values={"right": "30", "n": "100", "level": "0.95"},
            printed={
                "mean": "0.3",
                "variance": "0.2121",
                "t": Printed("1.9849", erratum="For n = 100 the t of 95 %"),
                "d": Printed("0.042", erratum="The interval of 30 right among 100"),
                "low": Printed("0.258", erratum="The interval of 30 right among 100"),
                "high": Printed("0.342", erratum="The interval of 30 right among 100"),
                "slip": "0.042",
                "slip-low": "0.258",
                "slip-high": "0.342",
            },
            errata=("p < 0.01 means a chance",),
        ),
    ),
)

T_TABLE = WorkedExample(
    slug="table-of-t",
    title="The table of t",
    topic=TOPIC,
    about="How many standard errors an interval reaches to either side, by its level and the size "
    "of the sample.",
    fields=(
        ExampleField(
            name="sizes",
            label="Sizes of the sample",
            kind="wholes",
            hint="From 2, separated by spaces.",
            most_lines=8,
            low=2,
            high=10**9,
        ),
    ),
    compute=compute_t_table,
    guides=("significance",),
    cases=(
        ExampleCase(
            slug="four-sizes",
            title="100, 300, 600 and infinitely many",
            source=KOEHN,
            values={"sizes": "100 300 600"},
            printed={
                "99%-100": Printed("2.6259", erratum=OTHER_CELLS),
                "99%-300": Printed("2.5923", erratum=OTHER_CELLS),
                "99%-600": "2.5841",
                "99%-∞": Printed("2.5759", erratum="For n = ∞ the t of 99 %"),
                "95%-100": Printed("1.9849", erratum="For n = 100 the t of 95 %"),
                "95%-300": "1.9679",
                "95%-600": "1.9639",
                "95%-∞": "1.9600",
                "90%-100": Printed("1.6602", erratum=OTHER_CELLS),
                "90%-300": Printed("1.6499", erratum=OTHER_CELLS),
                "90%-600": "1.6474",
                "90%-∞": "1.6449",
            },
        ),
    ),
)

SIGN = WorkedExample(
    slug="sign-test",
    title="The sign test",
    topic=TOPIC,
    about="One system is better on some sentences, the other on others. Could a coin do that?",
    fields=(
        ExampleField(name="wins", label="A is better on", kind="whole", high=100_000),
        ExampleField(name="losses", label="B is better on", kind="whole", high=100_000),
        ExampleField(name="ties", label="Ties", kind="whole", high=100_000),
    ),
    compute=compute_sign,
    guides=("significance",),
    cases=(
        ExampleCase(
            slug="60-to-40",
            title="60 to 40",
            source=KOEHN,
            values={"wins": "60", "losses": "40", "ties": "0"},
            errata=("The binomial probability of k wins",),
            remark="The slide asks whether A is really better, and prints the binomial formula.",
        ),
    ),
)

SIGN_TABLE = WorkedExample(
    slug="wins-needed",
    title="Wins needed for significance",
    topic=TOPIC,
    about="On how many sentences one system must be better, by a two-sided sign test.",
    fields=(
        ExampleField(
            name="sizes",
            label="Numbers of sentences",
            kind="wholes",
            hint="Separated by spaces.",
            most_lines=8,
            low=1,
            high=100_000,
        ),
    ),
    compute=compute_sign_table,
    guides=("significance",),
    cases=(
        ExampleCase(
            slug="five-sizes",
            title="5, 10, 20, 50 and 100 sentences",
            source=KOEHN,
            values={"sizes": "5 10 20 50 100"},
            printed=_wins_printed(),
        ),
    ),
)

EXAMPLES = (INTERVAL, T_TABLE, SIGN, SIGN_TABLE)
