"""Words in any order: precision, recall and PER; METEOR's links and chunks."""

from metrics.scorers import get_scorer

from .base import (
    ExampleResult,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    cells,
    fraction,
)


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
    """Return each word of the output with the one it is linked with; a new chunk is marked."""
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
