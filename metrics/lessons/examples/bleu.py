"""The brevity penalty, and BLEU of one output."""

from math import exp, prod

from metrics.scorers import get_scorer

from .base import (
    ARTICLE,
    BYRNE,
    HEIDELBERG,
    KOEHN,
    ExampleCase,
    ExampleField,
    ExampleResult,
    Printed,
    ResultRow,
    Values,
    WorkedExample,
    fraction,
)
from .ngrams import (
    A_AND_B,
    CAPITALS,
    ORDERS,
    OREJUELA,
    OUTPUT,
    REFERENCES,
    SYSTEM_A,
    SYSTEM_B,
    TOKENIZE,
    TOPIC,
    counted,
    precision_rows,
)

SMOOTHING = ExampleField(
    name="smoothing",
    label="An order without a match",
    kind="choice",
    choices=(
        ("none", "makes BLEU 0 (no smoothing)"),
        ("exp", "counts ½, then ¼ … (exp, sacreBLEU's)"),
        ("floor", "counts 0.1 (floor)"),
        ("add-k", "all orders from 2 on get 1 more (add-k)"),
    ),
)


def penalties(output: float, reference: float) -> tuple[float, str]:
    """The brevity penalty of these lengths, and how it comes about."""
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
            score / penalty * ratio,
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


def _bleu(slug: str, title: str, source: str, output: str, references: str, **more):
    values = {"tokenize": "none", "capitals": "count", "smoothing": "none"}
    values |= more.pop("values", {}) | {"output": output, "references": references}
    return ExampleCase(slug=slug, title=title, source=source, values=values, **more)


PENALTY = WorkedExample(
    slug="brevity-penalty",
    title="The brevity penalty, three ways",
    topic=TOPIC,
    about="What is left of BLEU when the output has c words and the reference r: the formula that "
    "was published, and two that are printed in its place.",
    fields=(
        ExampleField(
            name="output_length", label="Words of the output, c", kind="whole", low=1, high=100_000
        ),
        ExampleField(
            name="reference_length",
            label="Words of the reference, r",
            kind="whole",
            low=1,
            high=100_000,
        ),
    ),
    compute=compute_penalty,
    guides=("metrics",),
    metrics=("bleu",),
    cases=(
        ExampleCase(
            slug="airport",
            title="Six words for seven",
            source=KOEHN,
            values={"output_length": "6", "reference_length": "7"},
            printed={"ratio": "6/7"},
            errata=("The brevity penalty is min(1, c/r)",),
        ),
        ExampleCase(
            slug="saudi",
            title="Twelve words for thirteen",
            source=HEIDELBERG,
            values={"output_length": "12", "reference_length": "13"},
            printed={"penalty": "0.920"},
        ),
        ExampleCase(
            slug="reward",
            title="A penalty that rewards",
            source=BYRNE,
            values={"output_length": "4", "reference_length": "5"},
            errata=("The brevity penalty is exp(1 − c/r)", "The reference length is the shortest"),
            remark="The lecture prints a formula and no digits; the lengths are made up here.",
        ),
        ExampleCase(
            slug="the-cat",
            title="Two words for six",
            source=ARTICLE,
            values={"output_length": "2", "reference_length": "6"},
            errata=("The brevity penalty is defined by the length of one output",),
        ),
    ),
)

BLEU = WorkedExample(
    slug="bleu",
    title="BLEU of one output",
    topic=TOPIC,
    about="Four precisions, their geometric mean, and the brevity penalty; beside it what the "
    "formulas as printed would give.",
    fields=(OUTPUT, REFERENCES, CAPITALS, TOKENIZE, SMOOTHING),
    compute=compute_bleu,
    guides=("metrics",),
    metrics=("bleu",),
    cases=(
        _bleu(
            "chairman",
            "Mr. chairman",
            BYRNE,
            "in absolutely no way , mr. chairman .",
            "mr. speaker , in absolutely no way .",
            printed={"p1": "7/8", "p2": "3/7", "p3": "2/6", "p4": "1/5", "bleu": "0.3976"},
            errata=("BLEU is BP · exp Σ log(pₙ/N)",),
        ),
        _bleu(
            "saudi",
            "Saudi Arabia",
            HEIDELBERG,
            "THIS WEEK THE SAUDIS denied information published in the new york times",
            "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times",
            values={"capitals": "ignored"},
            printed={
                "share1": "0.833",
                "share2": "0.545",
                "share3": "0.300",
                "share4": "0.111",
                "penalty": "0.920",
                "bleu": Printed("0.32%", erratum='The BLEU of the same example is "0.32%"'),
                "error": "0.68",
            },
        ),
        _bleu(
            "airport-a",
            "Airport security, system A",
            KOEHN,
            SYSTEM_A,
            A_AND_B,
            printed={
                "p1": "3/6",
                "p2": "1/5",
                "p3": "0/4",
                "p4": "0/3",
                "ratio": "6/7",
                "bleu": "0%",
            },
        ),
        _bleu(
            "airport-b",
            "Airport security, system B",
            KOEHN,
            SYSTEM_B,
            A_AND_B,
            printed={
                "p1": "6/6",
                "p2": "4/5",
                "p3": "2/4",
                "p4": "1/3",
                "ratio": "6/7",
                "with-ratio": "52%",
                "bleu": Printed("52%", erratum="The brevity penalty is min(1, c/r)"),
            },
        ),
        _bleu(
            "airport-four-references",
            "System A against four references",
            KOEHN,
            SYSTEM_A,
            A_AND_B + "\nIsrael is in charge of the security at this airport\n"
            "The security work for this airport is the responsibility of the Israel government\n"
            "Israeli side was in charge of the security of this airport",
            remark="The slide prints no digits; it underlines five words that one of the "
            "references has, in runs of two, two and one.",
        ),
        _bleu(
            "orejuela",
            "Orejuela",
            HEIDELBERG,
            OREJUELA["output"],
            OREJUELA["references"],
            values={"capitals": "ignored", "tokenize": "13a"},
            printed={"p1": "15/18", "p2": "10/17", "p3": "5/16"},
            errata=("The n-grams of the candidate about Orejuela",),
            remark="Let capitals count, and the matches are 14, 9 and 5.",
        ),
    ),
)

EXAMPLES = (PENALTY, BLEU)
