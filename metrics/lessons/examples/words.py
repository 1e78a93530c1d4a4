"""Words in any order: precision, recall and PER; METEOR's links and chunks."""

from metrics.scorers import get_scorer

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
    fraction,
)
from .ngrams import A_AND_B, OUTPUT, REFERENCE, SYSTEM_A, SYSTEM_B

TOPIC = "Words"


def compute_overlap(values: Values) -> ExampleResult:
    texts = [values["output"]], [[values["reference"]]]
    scores = {}
    for slug in ("precision", "recall", "f_measure", "per"):
        scorer = get_scorer(slug, tokenize="none")
        stats = scorer.statistics(*texts)[0]
        scores[slug] = float(scorer.score(stats)) / 100
        if slug == "precision":
            shared, ours, theirs = stats
    longer = max(ours, theirs)
    return ExampleResult(
        [
            ResultRow("shared", "Shared words", f"{shared:g}"),
            ResultRow("precision-of", "Correct of the output", fraction(shared, ours)),
            ResultRow("recall-of", "Correct of the reference", fraction(shared, theirs)),
            ResultRow("precision", "Precision", scores["precision"]),
            ResultRow("recall", "Recall", scores["recall"]),
            ResultRow("f", "F-measure", scores["f_measure"], "2PR/(P + R)"),
            ResultRow(
                "per",
                "PER, position-independent error rate",
                scores["per"],
                f"({longer:g} − {shared:g})/{theirs:g}",
            ),
        ]
    )


def compute_meteor(values: Values) -> ExampleResult:
    scorer = get_scorer(
        "meteor",
        tokenize="none",
        parameters=values["parameters"],
        language="en" if values["stems"] == "yes" else "",
        synonyms="shared" if values["stems"] == "yes" else "none",
    )
    stats = scorer.statistics([values["output"]], [[values["reference"]]])[0]
    details = dict(scorer.details(stats))
    links = stats[2:5].sum()
    wordnet = "wordnet:" in scorer.signature(1)
    return ExampleResult(
        [
            ResultRow("exact", "Words linked exactly", f"{stats[2]:g}"),
            ResultRow("stem", "Words linked by their stem", f"{stats[3]:g}"),
            ResultRow("synonym", "Words linked as synonyms", f"{stats[4]:g}"),
            ResultRow("chunks", "Chunks", f"{stats[5]:g}", "runs that stand together in both"),
            ResultRow(
                "precision", "Precision", details["Precision (weighted)"], f"of {stats[0]:g} words"
            ),
            ResultRow("recall", "Recall", details["Recall (weighted)"], f"of {stats[1]:g} words"),
            ResultRow(
                "penalty",
                "Fragmentation penalty",
                details["Fragmentation penalty"],
                f"γ · ({stats[5]:g}/{links:g})^β, chunks per link" if links else "no link",
            ),
            ResultRow("meteor", "METEOR", float(scorer.score(stats))),
        ],
        [link_table(scorer, values["output"], values["reference"])],
        notes=[f"Signature: {scorer.signature(1, level='segment')}"]
        + ([] if wordnet or values["stems"] == "no" else ["WordNet is not on this machine."]),
    )


def link_table(scorer, output: str, reference: str) -> ResultTable:
    """Each word of the output with the one it is linked with; a new chunk is marked."""
    ours, theirs = output.split(), reference.split()
    of_word = {place: (other, stage) for place, other, stage in scorer.links(output, reference)}
    rows, chunk = [], 0
    for place, word in enumerate(ours):
        if place not in of_word:
            rows.append((word, cells("–", "–", "–")))
            continue
        other, stage = of_word[place]
        begins = of_word.get(place - 1, (None,))[0] != other - 1
        chunk += begins
        number = ResultCell(str(chunk), "a new chunk" if begins else "")
        rows.append((word, cells(theirs[other], stage, number)))
    return ResultTable(
        "Links",
        ["Word of the output", "Word of the reference", "Link", "Chunk"],
        rows,
        "Marked: a chunk begins, for the words before are not linked side by side in both texts.",
    )


OVERLAP = WorkedExample(
    slug="precision-and-recall",
    title="Precision, recall and PER of words",
    topic=TOPIC,
    about="Which words two texts share, whatever their order: reordering costs nothing.",
    fields=(OUTPUT, REFERENCE),
    compute=compute_overlap,
    guides=("metrics",),
    metrics=("precision", "recall", "f_measure", "per"),
    cases=(
        ExampleCase(
            slug="airport-a",
            title="Airport security, system A",
            source=KOEHN,
            values={"output": SYSTEM_A, "reference": A_AND_B},
            printed={
                "precision-of": "3/6",
                "recall-of": "3/7",
                "precision": "50%",
                "recall": "43%",
                "f": "46%",
            },
        ),
        ExampleCase(
            slug="airport-b",
            title="Airport security, system B",
            source=KOEHN,
            values={"output": SYSTEM_B, "reference": A_AND_B},
            printed={
                "precision": "100%",
                "recall": Printed("100%", erratum="System B has a recall of 100 %"),
                "f": Printed("100%", erratum="System B has a recall of 100 %"),
            },
        ),
    ),
)

METEOR = WorkedExample(
    slug="meteor",
    title="METEOR: links and chunks",
    topic=TOPIC,
    about="Words may be linked by their stem or as synonyms; the fewer breaks in the order of the "
    "links, the smaller the penalty.",
    fields=(
        OUTPUT,
        REFERENCE,
        ExampleField(
            name="stems",
            label="Stems and synonyms",
            kind="choice",
            choices=(("yes", "count"), ("no", "do not count")),
        ),
        ExampleField(
            name="parameters",
            label="Parameters",
            kind="choice",
            choices=(("1.5", "METEOR 1.5"), ("2005", "of 2005")),
        ),
    ),
    compute=compute_meteor,
    guides=("metrics",),
    metrics=("meteor",),
    cases=(
        ExampleCase(
            slug="went-and-goes",
            title="went and goes",
            source=KOEHN,
            values={
                "output": "Jim went home",
                "reference": "Joe goes home",
                "stems": "yes",
                "parameters": "1.5",
            },
            errata=("*went* and *goes* match",),
        ),
        ExampleCase(
            slug="walks-and-goes",
            title="walks and goes",
            source=KOEHN,
            values={
                "output": "Jim walks home",
                "reference": "Joe goes home",
                "stems": "yes",
                "parameters": "1.5",
            },
            errata=("*walks* and *goes* match",),
        ),
        ExampleCase(
            slug="two-chunks",
            title="All words, in two chunks",
            source=KOEHN,
            values={
                "output": SYSTEM_B,
                "reference": A_AND_B,
                "stems": "no",
                "parameters": "2005",
            },
            remark="The sentences are those of the slides, which print no METEOR for them.",
        ),
    ),
)

EXAMPLES = (OVERLAP, METEOR)
