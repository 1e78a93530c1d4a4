"""Fields, sentences and counts that examples of n-grams share."""

from collections import Counter
from collections.abc import Sequence

from metrics.scorers import get_scorer

from .base import ExampleField, ResultRow, Values, fraction

TOPIC = "Runs of words"
ORDERS = 4
OUTPUT = ExampleField(name="output", label="Output")
REFERENCE = ExampleField(name="reference", label="Reference")
REFERENCES = ExampleField(
    name="references", label="References", kind="lines", hint="One on each line.", most_lines=5
)
CAPITALS = ExampleField(
    name="capitals",
    label="Capitals",
    kind="choice",
    choices=(("ignored", "are ignored"), ("count", "count")),
)
RUN = ExampleField(
    name="order",
    label="The table shows",
    kind="choice",
    choices=tuple((str(n), f"runs of {n}") if n > 1 else ("1", "words") for n in range(1, 5)),
)
TOKENIZE = ExampleField(
    name="tokenize",
    label="Words are",
    kind="choice",
    choices=(("13a", "cut as BLEU does (13a)"), ("none", "what stands between spaces")),
)
CATS = "The cat is on the mat\nThere is a cat on the mat"
A_AND_B = "Israeli officials are responsible for airport security"
SYSTEM_A = "Israeli officials responsibility of airport safety"
SYSTEM_B = "airport security Israeli officials are responsible"
OREJUELA = {
    "output": "Appeared calm when he was taken to the American plane, which will to Miami, "
    "Florida.",
    "references": "Orejuela appeared calm as he was led to the American plane which will take him "
    "to Miami, Florida.\n"
    "Orejuela appeared calm while being escorted to the plane that would take him to Miami, "
    "Florida.\n"
    "Orejuela appeared calm as he was being led to the American plane that was to carry him to "
    "Miami in Florida.\n"
    "Orejuela seemed quite calm as he was being led to the American plane that would take him to "
    "Miami in Florida.",
}


def counted(values: Values, smoothing: str = "none"):
    """BLEU with the settings of an example, and its statistics for the one output."""
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
