"""Word alignments against those that people drew: alignment error and AER."""

from metrics.scorers import get_scorer

from .base import (
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    cells,
    fraction,
)


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
    """Return each link once: who has it."""
    ours = output.split()
    theirs = {link.replace("p", "-").replace("?", "-"): link for link in reference.split()}
    rows = []
    for link in dict.fromkeys([*theirs, *ours]):
        said = theirs.get(link)
        kind = "–" if said is None else "sure" if said == link else "possible"
        rows.append((link, cells("yes" if link in ours else "–", kind)))
    return ResultTable("Links", ["Link", "Automatic", "Reference"], rows)
