"""BLEU of characters, with smoothing and of a test set; NIST."""

from metrics.scorers import get_scorer
from metrics.scorers.bleu import SMOOTHING
from metrics.scorers.nist import BETA

from .base import (
    ARTICLE,
    FORSBOM,
    KOEHN,
    OURS,
    ExampleCase,
    ExampleField,
    ExampleResult,
    Printed,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
    shown,
)
from .ngrams import A_AND_B, OUTPUT, REFERENCE, SYSTEM_A, TOPIC
from .short_segments import FORSBOMS

OUTPUTS = ExampleField(
    name="outputs", label="Outputs", kind="lines", hint="One segment on each line.", most_lines=12
)
LINES = ExampleField(
    name="references",
    label="References",
    kind="lines",
    hint="One on each line, in the order of the outputs.",
    most_lines=12,
)


def same_number(values: Values) -> tuple[list[str], list[str]]:
    """Outputs and references. Raises ValueError where they are not equally many."""
    outputs, references = values["outputs"], values["references"]
    if len(outputs) != len(references):
        raise ValueError(
            f"Lines of outputs and of references differ in number, {len(outputs)} and "
            f"{len(references)}: each output needs its reference."
        )
    return outputs, references


def bleu_of_characters(output: str, references: list[str]) -> float:
    """What NLTK gives for texts in the place of lists of words: spaces are characters, too."""
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


CHARACTERS = WorkedExample(
    slug="bleu-of-characters",
    title="BLEU of characters by mistake",
    topic=TOPIC,
    about="Whoever passes texts where lists of words are expected gets the n-grams of characters.",
    fields=(
        OUTPUTS,
        ExampleField(name="references", label="References of every output", kind="lines"),
    ),
    compute=compute_characters,
    guides=("metrics",),
    metrics=("bleu",),
    cases=(
        ExampleCase(
            slug="cats",
            title="Four outputs about cats",
            source=ARTICLE,
            values={
                "outputs": "A cat sat on the mat.\nCats stay in the living room.\n"
                "The cat the cat the cat the the cat cat.\nThe cat",
                "references": "The cat is on the mat.\nThere is a cat on the mat.",
            },
            printed={
                key: value
                for n, text in enumerate(("0.7391", "0.2378", "0.3018", "0.1173"), start=1)
                for key, value in (
                    (f"words{n}", Printed(text, erratum="Four outputs score 0.7391")),
                    (f"characters{n}", text),
                )
            },
        ),
    ),
)

SMOOTHED = WorkedExample(
    slug="smoothing",
    title="Smoothing",
    topic=TOPIC,
    about="One order without a match makes BLEU 0. Four ways out, of which three give a figure.",
    fields=(OUTPUT, REFERENCE),
    compute=compute_smoothing,
    guides=("metrics",),
    metrics=("bleu",),
    cases=(
        ExampleCase(
            slug="airport-a",
            title="Airport security, system A",
            source=KOEHN,
            values={"output": SYSTEM_A, "reference": A_AND_B},
            printed={"none": "0%"},
        ),
    ),
)

CORPUS = WorkedExample(
    slug="bleu-of-a-test-set",
    title="BLEU of a test set",
    topic=TOPIC,
    about="Counts and lengths are summed over all segments before anything is divided, so a long "
    "output makes up for a short one.",
    fields=(OUTPUTS, LINES),
    compute=compute_corpus,
    guides=("metrics",),
    metrics=("bleu",),
    cases=(
        ExampleCase(
            slug="long-and-short",
            title="One too short, one too long",
            source=OURS,
            values={"outputs": "a b c d\ne f g h x", "references": "a b c d y\ne f g h"},
            errata=(
                "The brevity penalty is defined by the length of one output",
                "The geometric mean is computed from the sum",
                "The first line of the logarithm",
            ),
        ),
        ExampleCase(
            slug="short-segments",
            title="Four short segments",
            source=FORSBOM,
            values={
                "outputs": "\n".join(output for *_, output, _ in FORSBOMS),
                "references": "\n".join(reference for *_, reference in FORSBOMS),
            },
            remark="The slides print no digits for the four together, of which none has a run of "
            "three words in common with its reference.",
        ),
    ),
)

NIST = WorkedExample(
    slug="nist",
    title="NIST: words by their information",
    topic=TOPIC,
    about="A match counts as many bits as the word is rare in the references, so the same perfect "
    "output can score differently.",
    fields=(OUTPUTS, LINES),
    compute=compute_nist,
    guides=("metrics",),
    metrics=("nist",),
    cases=(
        ExampleCase(
            slug="number-and-designation",
            title="Number and Designation",
            source=FORSBOM,
            values={
                "outputs": "Number\nDesignation\nNumber\nNumber",
                "references": "Number\nDesignation\nNumber\nNumber",
            },
            printed={
                "segment1": Printed("4.6267", erratum="NIST of two single words"),
                "segment2": Printed("8.0311", erratum="NIST of two single words"),
            },
            remark="Here the four lines are the whole corpus: of four words three are Number and "
            "one is Designation, log₂(4/3) and log₂ 4 bits.",
        ),
    ),
)

EXAMPLES = (CHARACTERS, SMOOTHED, CORPUS, NIST)
