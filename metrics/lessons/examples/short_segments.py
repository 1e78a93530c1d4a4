"""Word accuracy, WAFT and NEVA of one short segment."""

from math import nan

from metrics.scorers import get_scorer
from metrics.scorers.diagnostic import diagnose

from .base import (
    ExampleResult,
    ResultRow,
    Values,
    shown,
)

# Figures printed on the slides for each.


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
