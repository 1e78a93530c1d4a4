"""Word alignments compared with those drawn by people: alignment error and AER."""

from metrics.scorers import get_scorer
from metrics.scorers.alignment import read_links, read_output

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
        [link_table(values["output"], values["reference"], base)],
    )


def link_table(output: str, reference: str, base: int) -> ResultTable:
    """Return each link once, with the sides that have it. base: number of a line's first word."""
    ours = read_output(output, base)
    sure, theirs = read_links(reference, base)
    rows = []
    for link in sorted(ours | theirs):
        kind = "sure" if link in sure else "possible" if link in theirs else "–"
        name = "-".join(str(end + base) for end in link)
        rows.append((name, cells("yes" if link in ours else "–", kind)))
    return ResultTable("Links", ["Link", "Automatic", "Reference"], rows)
