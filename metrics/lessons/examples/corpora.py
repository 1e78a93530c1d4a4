"""BLEU of characters, with smoothing and of a test set; NIST."""

from metrics.scorers import get_scorer
from metrics.scorers.bleu import SMOOTHING
from metrics.scorers.nist import BETA

from .base import (
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    cells,
    shown,
)


def same_number(values: Values) -> tuple[list[str], list[str]]:
    """Return outputs and references. Raise ValueError where they are not equally many."""
    outputs, references = values["outputs"], values["references"]
    if len(outputs) != len(references):
        raise ValueError(
            f"Lines of outputs and of references differ in number, {len(outputs)} and "
            f"{len(references)}: each output needs its reference."
        )
    return outputs, references


def bleu_of_characters(output: str, references: list[str]) -> float:
    """Return what NLTK gives for texts in the place of lists of words: spaces are characters,
    too."""
    scorer = get_scorer("bleu", tokenize="char", smoothing="none")
    visible = [text.replace(" ", "␣") for text in (output, *references)]
    return float(scorer.score(scorer.statistics(visible[:1], [[text] for text in visible[1:]])[0]))


def compute_characters(values: Values) -> ExampleResult:
    words = get_scorer("bleu", tokenize="13a", lowercase=True, smoothing="none")
    rows = []
    for n, output in enumerate(values["outputs"], start=1):
        stats = words.statistics([output], [[text] for text in values["references"]])
        rows += [
            ResultRow(
                f"words{n}",
                f"Output {n}, BLEU of words",
                float(words.score(stats[0])) / 100,
                output,
            ),
            ResultRow(
                f"characters{n}",
                f"Output {n}, BLEU of characters",
                bleu_of_characters(output, values["references"]) / 100,
                "as the code of the article computes it",
            ),
        ]
    return ExampleResult(rows)


def compute_smoothing(values: Values) -> ExampleResult:
    rows = []
    for name in SMOOTHING:
        scorer = get_scorer("bleu", tokenize="none", smoothing=name)
        stats = scorer.statistics([values["output"]], [[values["reference"]]])[0]
        details = dict(scorer.details(stats))
        shares = [details[f"Precision of {n}-grams (%)"] / 100 for n in range(1, 5)]
        rows.append(
            ResultRow(
                name,
                f"BLEU, smoothing {name}",
                float(scorer.score(stats)) / 100,
                "precisions " + ", ".join(shown(share, 3) for share in shares),
            )
        )
    return ExampleResult(rows)


def compute_corpus(values: Values) -> ExampleResult:
    outputs, references = same_number(values)
    scorer = get_scorer("bleu", tokenize="none", lowercase=True, smoothing="none")
    stats = scorer.statistics(outputs, [references])
    alone = scorer.segment_scores(stats) / 100
    together = dict(scorer.details(stats.sum(axis=0)))
    table = [
        (
            str(n),
            cells(
                int(row[0]),
                int(row[1]),
                *(f"{row[1 + k]:g}/{row[5 + k]:g}" for k in range(1, 5)),
                shown(dict(scorer.details(row))["Brevity penalty"], 3),
                shown(score, 4),
            ),
        )
        for n, (row, score) in enumerate(zip(stats, alone, strict=True), start=1)
    ]
    sums = stats.sum(axis=0)
    return ExampleResult(
        [
            ResultRow(
                "corpus",
                "BLEU of the test set",
                float(scorer.score(sums)) / 100,
                "matches and lengths are summed first",
            ),
            ResultRow("mean", "Mean of the segments' BLEU", float(alone.mean())),
            ResultRow(
                "penalty",
                "Brevity penalty of the test set",
                together["Brevity penalty"],
                f"{sums[0]:g} words for {sums[1]:g}",
            ),
        ],
        [
            ResultTable(
                "Segment by segment",
                ["Segment", "c", "r", *(f"{n}-grams" for n in range(1, 5)), "Penalty", "BLEU"],
                table,
                "The BLEU of a segment leaves out the orders it is too short for.",
            )
        ],
    )


def compute_nist(values: Values) -> ExampleResult:
    outputs, references = same_number(values)
    scorer = get_scorer("nist", tokenize="none")
    stats = scorer.statistics(outputs, [references])
    rows = [
        ResultRow(f"segment{n}", f"NIST of segment {n}", float(score), output)
        for n, (score, output) in enumerate(
            zip(scorer.segment_scores(stats), outputs, strict=True), start=1
        )
    ]
    sums = stats.sum(axis=0)
    rows += [
        ResultRow("corpus", "NIST of all segments", float(scorer.score(sums))),
        ResultRow(
            "penalty",
            "Length penalty of all segments",
            dict(scorer.details(sums))["Length penalty"],
            f"exp(β ln² min(c/r, 1)), β = {BETA:.4f}",
        ),
    ]
    return ExampleResult(rows)
