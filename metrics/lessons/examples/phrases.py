"""Word alignment by a model, and phrase pairs and tables that come out of links."""

from collections.abc import Collection, Sequence

from metrics.lessons.baselines.aligner import align
from metrics.lessons.baselines.phrase_pairs import extract
from metrics.lessons.baselines.phrases import phrase_table
from metrics.scorers.alignment import read_links

from .base import (
    ExampleResult,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    cells,
    shown,
)

Links = Sequence[tuple[int, int]]


def links_of(line: str, source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """Return links such as 1-1 2-3, words counted from 1. Raise ValueError for one to no word."""
    links = sorted(read_links(line, 1)[1])
    for i, j in links:
        if i >= len(source) or j >= len(target):
            raise ValueError(f"The link {i + 1}-{j + 1} leads to no word.")
    return links


def link_matrix(
    title: str, source: Sequence[str], target: Sequence[str], links: Collection[tuple[int, int]]
) -> ResultTable:
    linked = set(links)
    rows = [
        (
            word,
            [
                ResultCell("●", "linked") if (i, j) in linked else ResultCell("·")
                for j in range(len(target))
            ],
        )
        for i, word in enumerate(source)
    ]
    return ResultTable(title, ["Source \\ Target", *target], rows)


def compute_pairs(values: Values) -> ExampleResult:
    source, target = values["source"].split(), values["target"].split()
    links = links_of(values["links"], source, target)
    found = extract(source, target, links, values["longest"])
    rows = [
        (
            " ".join(source[pair.source_start : pair.source_end]),
            cells(" ".join(target[pair.target_start : pair.target_end])),
        )
        for pair in found
    ]
    return ExampleResult(
        [
            ResultRow("links", "Links", str(len(links))),
            ResultRow("pairs", "Phrase pairs", str(len(found)), "no link leaves either phrase"),
        ],
        [
            link_matrix("Links", source, target, links),
            ResultTable("Phrase pairs", ["Source", "Target"], rows),
        ],
    )


def compute_table(values: Values) -> ExampleResult:
    sources, targets, links = [], [], []
    for number, line in enumerate(values["bitext"], start=1):
        parts = [part.split() for part in line.split("|")]
        if len(parts) != 3:
            raise ValueError(
                f"Line {number} has {len(parts)} parts; it needs three, separated by |: source, "
                "translation and links."
            )
        try:
            links.append(links_of(" ".join(parts[2]), parts[0], parts[1]))
        except ValueError as error:
            raise ValueError(f"Line {number}: {error}") from None
        sources.append(parts[0])
        targets.append(parts[1])
    table = phrase_table(sources, targets, links, values["longest"])
    rows = [
        (
            " ".join(entry.source),
            cells(
                " ".join(entry.target),
                entry.joint_count,
                *(
                    shown(share, 3)
                    for share in (
                        entry.direct,
                        entry.inverse,
                        entry.direct_lexical,
                        entry.inverse_lexical,
                    )
                ),
            ),
        )
        for entry in table
    ]
    heads = ["f", "e", "Count", "φ(e|f)", "φ(f|e)", "lex(e|f)", "lex(f|e)"]
    return ExampleResult(
        [ResultRow("rows", "Rows of the phrase table", str(len(table)))],
        [ResultTable("Phrase table", heads, rows, "f is the source, e the target.")],
    )


def compute_alignment(values: Values) -> ExampleResult:
    sources = [line.split() for line in values["sources"]]
    targets = [line.split() for line in values["targets"]]
    if len(sources) != len(targets):
        raise ValueError(
            f"Lines of sources and of translations differ in number, {len(sources)} and "
            f"{len(targets)}: each source needs its translation."
        )
    found = align(
        sources,
        targets,
        method=values["method"],
        model=values["model"],
        iterations=values["iterations"],
        prefix=0,
    )
    return ExampleResult(
        [ResultRow("links", "Links", str(sum(map(len, found.links))))],
        [
            link_matrix(f"Pair {number}", *pair)
            for number, pair in enumerate(zip(sources, targets, found.links, strict=True), start=1)
        ],
    )
