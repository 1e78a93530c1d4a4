"""Edits: the matrix of edit distances with its path, TER with its shifts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.scorers import get_scorer
from metrics.scorers.word_edits import SHIFT, align_shifted

from .base import (
    ExampleResult,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    cells,
    fraction,
)

Place = tuple[int, int]


def distances(output: Sequence[str], reference: Sequence[str]) -> NDArray[np.int64]:
    """Return the edit distances between all beginnings of two texts, (reference + 1, output +
    1)."""
    beginnings = [
        (" ".join(output[:column]), " ".join(reference[:row]))
        for row in range(len(reference) + 1)
        for column in range(len(output) + 1)
    ]
    ours, theirs = zip(*beginnings, strict=True)
    edits = get_scorer("wer", tokenize="none").statistics(ours, [theirs])[:, 0]
    return edits.astype(int).reshape(len(reference) + 1, len(output) + 1)


def cheapest_path(
    matrix: NDArray[np.int64], output: Sequence[str], reference: Sequence[str]
) -> dict[Place, str]:
    """Return the cells of one cheapest path with the step that leads to each. Where there are
    several it keeps or replaces a word if it can, else drops one, else adds one, from the end
    on."""
    row, column = len(reference), len(output)
    path: dict[Place, str] = {}
    while row or column:
        here = matrix[row, column]
        same = bool(row and column) and output[column - 1] == reference[row - 1]
        if row and column and here == matrix[row - 1, column - 1] + (not same):
            path[row, column] = "match" if same else "substitution"
            row, column = row - 1, column - 1
        elif column and here == matrix[row, column - 1] + 1:
            path[row, column] = "deletion"
            column -= 1
        else:
            path[row, column] = "insertion"
            row -= 1
    path[0, 0] = "start"
    return path


def compute_matrix(values: Values) -> ExampleResult:
    output, reference = values["output"].split(), values["reference"].split()
    matrix = distances(output, reference)
    path = cheapest_path(matrix, output, reference)
    steps = list(path.values())
    rows = [
        (
            word,
            [
                ResultCell(str(value), f"on the path: {path[row, column]}")
                if (row, column) in path
                else ResultCell(str(value))
                for column, value in enumerate(line)
            ],
        )
        for row, (word, line) in enumerate(zip(["–", *reference], matrix.tolist(), strict=True))
    ]
    texts = [values["output"]], [[values["reference"]]]
    scores = {}
    for slug in ("wer", "wa", "waft"):
        scorer = get_scorer(slug, tokenize="none")
        scores[slug] = float(scorer.score(scorer.statistics(*texts)[0])) / 100
    edits, r = int(matrix[-1, -1]), len(reference)
    table = ResultTable(
        "Edit distances",
        ["Reference \\ Output", "–", *output],
        rows,
        "Each cell is the distance between the beginnings of the two texts. Marked: one cheapest "
        "path from the corner to the last cell.",
    )
    return ExampleResult(
        [
            ResultRow(
                "matrix", "Cells of the matrix", flat(matrix), "below", short=f"{matrix.size} cells"
            ),
            ResultRow("edits", "Edits", str(edits), made_of(steps)),
            ResultRow("wer", "Word error rate", scores["wer"], f"{edits}/{r}"),
            ResultRow("wa", "Word accuracy, 1 − WER", scores["wa"]),
            ResultRow(
                "waft", "WAFT", scores["waft"], f"1 − {edits}/{max(r, len(output))}" if r else ""
            ),
        ],
        [table],
    )


def flat(matrix: NDArray[np.int64]) -> str:
    return " / ".join(" ".join(map(str, line)) for line in matrix.tolist())


def made_of(steps: Sequence[str]) -> str:
    kinds = ("substitution", "insertion", "deletion")
    return ", ".join(f"{kind}s: {steps.count(kind)}" for kind in kinds if kind in steps)


def compute_ter(values: Values) -> ExampleResult:
    lower = values["capitals"] != "count"
    texts = [values["output"]], [[text] for text in values["references"]]
    ter = get_scorer("ter", case_sensitive=not lower)
    stats = ter.statistics(*texts)[0]
    bleu = get_scorer("bleu", tokenize="none", lowercase=lower, smoothing="none")
    bleu_score = float(bleu.score(bleu.statistics(*texts)[0])) / 100
    wer = get_scorer("wer", tokenize="none", lowercase=lower)
    wer_score = float(wer.score(wer.statistics(*texts)[0])) / 100
    rate = float(ter.score(stats)) / 100
    tables = []
    for n, text in enumerate(values["references"], start=1):
        words = [each.lower() if lower else each for each in (values["output"], text)]
        tables.append(shift_table(n, *(each.split() for each in words)))
    return ExampleResult(
        [
            ResultRow("edits", "Edits, shifts included", f"{stats[0]:g}", "of the best reference"),
            ResultRow(
                "length", "Words of the references", f"{stats[1]:g}", "their average, if several"
            ),
            ResultRow("fraction", "TER as a fraction", fraction(stats[0], stats[1])),
            ResultRow("ter", "TER", rate),
            ResultRow("wer", "WER, without shifts", wer_score),
            ResultRow("bleu", "BLEU", bleu_score),
            ResultRow("error", "1 − BLEU", 1 - bleu_score),
        ],
        tables,
    )


def shift_table(number: int, output: Sequence[str], reference: Sequence[str]) -> ResultTable:
    """Return the edits that are left, and the words that were shifted in their new place."""
    found = align_shifted(output, reference)
    rows = [
        (
            "shift (already moved)" if each.kind == SHIFT else each.kind,
            cells(" ".join(each.output) or "–", " ".join(each.reference) or "–", each.edits),
        )
        for each in found.operations
    ]
    return ResultTable(
        f"The edits to reference {number}",
        ["Kind", "Output", "Reference", "Edits"],
        rows,
        f"Shifts: {found.n_shifts}. Edits in all: {found.edits}.",
    )
