"""Word alignments against those that people drew: alignment error and AER."""

from metrics.scorers import get_scorer

from .base import (
    BYRNE,
    ExampleCase,
    ExampleField,
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
    fraction,
)

OCH_NEY = "The error rate of Och and Ney (2003), links made up here"


def compute_errors(values: Values) -> ExampleResult:
    base = int(values["base"])
    texts = [values["output"]], [[values["reference"]]]
    error = get_scorer("alignment_error", output_base=base, reference_base=base)
    ours, theirs, shared = stats = error.statistics(*texts)[0]
    rate = get_scorer("aer", output_base=base, reference_base=base)
    counts = rate.statistics(*texts)[0]
    details = dict(rate.details(counts))
    only = ours + theirs - 2 * shared
    return ExampleResult(
        [
            ResultRow("ours", "|B|, automatic links", f"{ours:g}"),
            ResultRow("theirs", "|B′|, links of the reference", f"{theirs:g}"),
            ResultRow("shared", "|B ∩ B′|", f"{shared:g}"),
            ResultRow(
                "fraction",
                "Links that only one of them has",
                fraction(only, ours + theirs),
                f"({ours:g} + {theirs:g} − 2 · {shared:g})/({ours:g} + {theirs:g})",
            ),
            ResultRow("error", "Alignment error", float(error.score(stats)) / 100),
            ResultRow("precision", "Precision", details["Precision (%)"] / 100),
            ResultRow("recall", "Recall of sure links", details["Recall of sure links (%)"] / 100),
            ResultRow(
                "aer", "AER", float(rate.score(counts)) / 100, "1 − (|A∩S| + |A∩P|)/(|A| + |S|)"
            ),
        ],
        [link_table(values["output"], values["reference"])],
    )


def link_table(output: str, reference: str) -> ResultTable:
    """Each link once: who has it."""
    ours = output.split()
    theirs = {link.replace("p", "-").replace("?", "-"): link for link in reference.split()}
    rows = []
    for link in dict.fromkeys([*theirs, *ours]):
        said = theirs.get(link)
        kind = "–" if said is None else "sure" if said == link else "possible"
        rows.append((link, cells("yes" if link in ours else "–", kind)))
    return ResultTable("Links", ["Link", "Automatic", "Reference"], rows)


ERRORS = WorkedExample(
    slug="alignment-error",
    title="Alignment error and AER",
    topic="Word alignment",
    about="How far the word links of an aligner are from those that people drew.",
    fields=(
        ExampleField(
            name="output",
            label="Automatic links",
            hint="Such as 1-1 2-3: the word of the source, then that of the translation.",
        ),
        ExampleField(
            name="reference",
            label="Links of the reference",
            hint="1-1 is sure, 1p1 only possible.",
        ),
        ExampleField(
            name="base",
            label="The first word is",
            kind="choice",
            choices=(("1", "1; 0 is no word (NULL)"), ("0", "0; −1 is no word (NULL)")),
        ),
    ),
    compute=compute_errors,
    guides=("word-alignment",),
    metrics=("alignment_error", "aer"),
    cases=(
        ExampleCase(
            slug="ten-links",
            title="Ten links, nine of them shared",
            source=BYRNE,
            values={
                "output": "1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 9-9 10-6",
                "reference": "1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 9-9 10-10",
                "base": "1",
            },
            printed={
                "ours": "10",
                "theirs": "10",
                "shared": "9",
                "fraction": "2/20",
                "error": "10%",
            },
            remark="The links of the figure are not in the text of the lecture; these have the "
            "same counts.",
        ),
        ExampleCase(
            slug="sure-and-possible",
            title="Sure and possible links",
            source=OCH_NEY,
            values={"output": "1-1 2-2 3-4 4-4", "reference": "1-1 2-2 3-3 3p4", "base": "1"},
        ),
    ),
)

EXAMPLES = (ERRORS,)
