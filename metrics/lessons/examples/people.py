"""People: kappa from shares and from counts, and how far a metric agrees with people."""

import numpy as np

from judgments.stats.coefficients import chance_corrected
from judgments.stats.correlation import kendall, pearson, spearman
from judgments.stats.pairwise import kappa_from_counts

from .base import (
    KOEHN,
    ExampleCase,
    ExampleField,
    ExampleResult,
    Printed,
    ResultRow,
    Values,
    WorkedExample,
    shown,
)

TOPIC = "Agreement"
WMT16 = "Agreement of WMT16 (Bojar et al. 2016)"


def compute_kappa(values: Values) -> ExampleResult:
    observed, expected = values["observed"], values["expected"]
    if expected >= 1:
        raise ValueError("With a chance agreement of 1 there is nothing left to agree on.")
    kappa = float(chance_corrected(np.float64(observed), np.float64(expected)))
    return ExampleResult(
        [
            ResultRow(
                "kappa",
                "Kappa",
                kappa,
                f"({observed:g} − {expected:g})/(1 − {expected:g})",
            )
        ]
    )


def compute_counts(values: Values) -> ExampleResult:
    agreeing, comparable = values["agreeing"], values["comparable"]
    ties, labels = values["ties"], values["labels"]
    if agreeing > comparable or ties > labels:
        raise ValueError("A part cannot be larger than the whole: look at both pairs of counts.")
    found = kappa_from_counts(agreeing, comparable, ties, labels)
    share = ties / labels if labels else 0.0
    return ExampleResult(
        [
            ResultRow("observed", "P(A)", found.p_observed, f"{agreeing}/{comparable}"),
            ResultRow(
                "expected",
                "P(E)",
                found.p_expected,
                f"t² + 2((1 − t)/2)², with the share of ties t = {shown(share, 3)}",
            ),
            ResultRow("kappa", "Kappa", found.estimate),
        ],
        notes=[found.reason] if found.reason else [],
    )


def compute_correlation(values: Values) -> ExampleResult:
    x, y = np.array(values["metric"]), np.array(values["people"])
    if len(x) != len(y):
        raise ValueError(
            f"Scores of the metric and of people differ in number, {len(x)} and {len(y)}: each "
            "system needs one of both."
        )
    r = pearson(x, y)
    rows = [
        ResultRow("n", "Systems", str(r.n)),
        ResultRow("mean-x", "Mean of the metric", float(x.mean())),
        ResultRow("mean-y", "Mean of people", float(y.mean())),
        ResultRow("r", "Pearson’s r", r.estimate),
        ResultRow("p", "p of no correlation", r.p_value, "two-sided"),
        ResultRow("rho", "Spearman’s ρ", spearman(x, y).estimate),
        ResultRow("tau", "Kendall’s τ-b", kendall(x, y).estimate),
    ]
    return ExampleResult(rows, notes=[r.reason] if r.reason else [])


def _kappa(slug: str, title: str, observed: str, expected: str, printed: str | Printed):
    return ExampleCase(
        slug=slug,
        title=title,
        source=KOEHN,
        values={"observed": observed, "expected": expected},
        printed={"kappa": printed},
    )


def _counts(slug: str, title: str, counts: str, printed: tuple[str, str, str]):
    names = ("agreeing", "comparable", "ties", "labels")
    return ExampleCase(
        slug=slug,
        title=title,
        source=WMT16,
        values=dict(zip(names, counts.split(), strict=True)),
        printed=dict(zip(("observed", "expected", "kappa"), printed, strict=True)),
    )


KAPPA = WorkedExample(
    slug="kappa",
    title="Kappa from two shares",
    topic=TOPIC,
    about="How often people agree, less how often chance alone would make them agree.",
    fields=(
        ExampleField(name="observed", label="P(A), observed", kind="number", high=1),
        ExampleField(
            name="expected",
            label="P(E), by chance",
            kind="number",
            hint="1 divided by the number of answers.",
            high=1,
        ),
    ),
    compute=compute_kappa,
    guides=("agreement",),
    cases=(
        _kappa("fluency", "Fluency, WMT 2007", ".400", ".2", ".250"),
        _kappa(
            "adequacy",
            "Adequacy, WMT 2007",
            ".380",
            ".2",
            Printed(".226", erratum="The kappa of adequacy in WMT 2007"),
        ),
        _kappa("ranking", "Sentence ranking, WMT 2007", ".582", ".333", ".373"),
    ),
)

COUNTS = WorkedExample(
    slug="kappa-of-rankings",
    title="Kappa of rankings, from four counts",
    topic=TOPIC,
    about="Chance agreement as WMT takes it from the share of ties that people gave.",
    fields=(
        ExampleField(name="agreeing", label="Agreeing pairs of answers", kind="whole", high=10**9),
        ExampleField(name="comparable", label="Pairs of answers", kind="whole", low=1, high=10**9),
        ExampleField(name="ties", label="Answers that are ties", kind="whole", high=10**9),
        ExampleField(name="labels", label="Answers", kind="whole", low=1, high=10**9),
    ),
    compute=compute_counts,
    guides=("relative-ranking", "agreement"),
    cases=(
        _counts(
            "czech",
            "Czech–English, between annotators",
            "9370 18389 9836 43991",
            ("0.510", "0.351", "0.244"),
        ),
        _counts(
            "finnish",
            "English–Finnish, of annotators with themselves",
            "432 547 256 4802",
            ("0.790", "0.451", "0.617"),
        ),
    ),
)

CORRELATION = WorkedExample(
    slug="correlation",
    title="Correlation of a metric with people",
    topic=TOPIC,
    about="Whether a metric orders systems as people do.",
    fields=(
        ExampleField(
            name="metric",
            label="Scores of the metric",
            kind="numbers",
            hint="Separated by spaces, one a system.",
            most_lines=60,
            low=-1e6,
            high=1e6,
        ),
        ExampleField(
            name="people",
            label="Scores of people",
            kind="numbers",
            hint="In the order of the systems above.",
            most_lines=60,
            low=-1e6,
            high=1e6,
        ),
    ),
    compute=compute_correlation,
    guides=("meta-evaluation",),
    cases=(
        ExampleCase(
            slug="english-japanese",
            title="English–Japanese, WMT 2024",
            source=KOEHN,
            values={
                "metric": "1.7 1.4 1.9 1.5 1.9 1.0 1.7 1.9 2.3 2.3 2.6 3.9",
                "people": "91.0 90.9 90.4 90.1 89.9 89.7 89.4 89.3 89.2 88.6 85.7 81.3",
            },
            remark="AutoRank and human score of the 12 systems that have both on the slide, which "
            "prints the formula and no coefficient. The lower AutoRank is, the better.",
        ),
    ),
)

EXAMPLES = (KAPPA, COUNTS, CORRELATION)
