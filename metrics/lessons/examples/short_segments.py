"""Word accuracy, WAFT and NEVA of one short segment."""

from math import nan

from metrics.scorers import get_scorer
from metrics.scorers.diagnostic import diagnose

from .base import (
    FORSBOM,
    OURS,
    ExampleCase,
    ExampleResult,
    Printed,
    ResultRow,
    Values,
    WorkedExample,
    shown,
)
from .ngrams import OUTPUT, REFERENCE, TOPIC

FORSBOMS = (
    ("sealing-ring", "Sealing ring", "Sealing ring", "Seal"),
    ("bottom-cylinder", "Bottom cylinder", "Bottom cylinder", "Cylinder bottom"),
    (
        "cable-harness",
        "Cable harness",
        "Cable harness for fuel pump",
        "Fuel pump cable harness",
    ),
    ("check-valve", "Check valve", "Check the check valve.", "Check the non-return valve."),
)
UNDEFINED = Printed("undefined/0", "0")
# What the slides print of each.
PRINTED: tuple[dict[str, str | Printed], ...] = (
    {"candidate": "2", "reference": "1", "wa": "−1"},
    {"bleu": UNDEFINED},
    {"bleu": UNDEFINED, "draft": UNDEFINED},
    {},
)


def compute_segment(values: Values) -> ExampleResult:
    output, reference = values["output"], values["reference"]

    def score(slug: str, **options) -> float:
        scorer = get_scorer(slug, tokenize="13a", lowercase=True, **options)
        return float(scorer.score(scorer.statistics([output], [[reference]])[0])) / 100

    found = diagnose(output, [reference])
    neva = get_scorer("neva", lowercase=True)
    details = dict(neva.details(neva.statistics([output], [[reference]])[0]))
    shares = [details[f"Precision of {n}-grams (%)"] / 100 for n in range(1, 5)]
    listed = ", ".join(shown(share, 3) for share in shares if share == share)
    edits, r, c = found.edits, len(found.references[0] or ()), len(found.output)
    longer = max(r, c)
    return ExampleResult(
        [
            ResultRow("candidate", "Words of the candidate", str(c)),
            ResultRow("reference", "Words of the reference", str(r)),
            ResultRow("wa", "WA, word accuracy", score("wa"), f"1 − {edits}/{r}" if r else ""),
            ResultRow("waft", "WAFT", score("waft"), f"1 − {edits}/{longer}" if longer else ""),
            ResultRow("bleu", "BLEU, N = 4", score("bleu", smoothing="none")),
            ResultRow(
                "draft",
                "BLEU, N = min(4, c)",
                score("bleu", smoothing="none", effective_order=True),
                "the first draft",
            ),
            ResultRow("neva", "NEVA", found.neva / 100, f"penalty · mean of {listed}"),
            ResultRow(
                "difference",
                "NEVA − WAFT",
                found.difference / 100 if found.output else nan,
                f"diagnosis: {found.label}",
            ),
        ],
        notes=[found.explanation],
    )


SHORT = WorkedExample(
    slug="waft-and-neva",
    title="WA, WAFT and NEVA of a segment",
    topic=TOPIC,
    about="Word accuracy can fall below 0 and BLEU is not defined for short segments; WAFT and "
    "NEVA are, and their difference hints at the kind of error.",
    fields=(OUTPUT, REFERENCE),
    compute=compute_segment,
    guides=("metrics",),
    metrics=("waft", "neva", "wa"),
    cases=(
        *(
            ExampleCase(
                slug=slug,
                title=title,
                source=FORSBOM,
                values={"output": output, "reference": reference},
                printed=printed,
            )
            for (slug, title, output, reference), printed in zip(FORSBOMS, PRINTED, strict=True)
        ),
        ExampleCase(
            slug="no-mere-reordering",
            title="NEVA above WAFT without mere reordering",
            source=OURS,
            values={"output": "z w a b", "reference": "a b x y"},
            errata=(
                "All segments with NEVA above WAFT",
                "WAFT is higher than NEVA except",
            ),
        ),
    ),
)

EXAMPLES = (SHORT,)
