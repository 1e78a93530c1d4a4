"""Orders of an output's words with equal BLEU (Callison-Burch, Osborne and Koehn 2006)."""

from collections.abc import Sequence
from itertools import pairwise
from math import factorial

import numpy as np

from metrics.scorers.diagnostic import diagnose

from .base import (
    ExampleResult,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    fraction,
    shown,
)
from .ngrams import (
    ORDERS,
    counted,
    pooled_runs,
)


def pieces_of(output: Sequence[str], references: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the output cut wherever two of its words are not a bigram match, so that each piece is
    a run of matches: K words with b matches give K − b pieces."""
    left = pooled_runs(references, 2)
    pieces = [[output[0]]] if output else []
    for before, word in pairwise(output):
        if left[before, word] > 0:
            left[before, word] -= 1
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return pieces


def compute_orders(values: Values) -> ExampleResult:
    found = diagnose(
        values["output"],
        values["references"],
        tokenize=values["tokenize"],
        lowercase=values["capitals"] != "count",
    )
    pieces = pieces_of(found.output, [words or () for words in found.references])
    order = np.random.default_rng(values["seed"]).permutation(len(pieces))
    drawn = [pieces[place] for place in order]
    scorer, as_given = counted(values)
    _, as_drawn = counted({**values, "output": " ".join(" ".join(piece) for piece in drawn)})
    scores = [float(scorer.score(stats)) / 100 for stats in (as_given, as_drawn)]
    words, matches = len(found.output), len(found.output) - len(pieces)
    rows = [
        ResultRow("words", "Words of the output, K", str(words)),
        ResultRow("matches", "Bigram matches, b", str(matches)),
        ResultRow(
            "orders",
            "Orders of the pieces, (K − b)!",
            f"{factorial(len(pieces)):,}",
            f"{len(pieces)}!",
        ),
        ResultRow("given", "BLEU of the output", scores[0]),
        ResultRow("drawn", "BLEU of the order drawn", scores[1]),
    ]
    matched = zip(as_given[2 : 2 + ORDERS], as_drawn[2 : 2 + ORDERS], strict=True)
    totals = as_given[2 + ORDERS :]
    heads = ["Order", *(f"{n}-grams" for n in range(1, ORDERS + 1)), "BLEU", "Words"]
    pairs = list(matched)
    table = ResultTable(
        "The output in its pieces, and in one of the other orders",
        heads,
        [
            (
                name,
                [
                    *(ResultCell(fraction(p[at], t)) for p, t in zip(pairs, totals, strict=True)),
                    ResultCell(shown(scores[at], 4)),
                    ResultCell(" | ".join(" ".join(piece) for piece in each)),
                ],
            )
            for at, (name, each) in enumerate((("as given", pieces), ("drawn", drawn)))
        ],
        "No counted match of two words crosses a cut, so that these stay, and longer ones too, "
        "unless the output has a pair of words more often than the references; now and then a new "
        "match arises where two pieces meet.",
    )
    return ExampleResult(rows, [table])
