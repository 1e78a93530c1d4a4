"""Word alignment by a model, and phrase pairs and tables that come out of links."""

from collections.abc import Collection, Sequence

from metrics.lessons.baselines.aligner import align
from metrics.lessons.baselines.phrase_pairs import extract
from metrics.lessons.baselines.phrases import phrase_table
from metrics.scorers.alignment import read_links

from .base import (
    BYRNE,
    OURS,
    ExampleCase,
    ExampleField,
    ExampleResult,
    ResultCell,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
    shown,
)

TOPIC = "Statistical translation"
MOST_WORDS = 15
LONGEST = ExampleField(
    name="longest", label="Words of a phrase, at most", kind="whole", low=1, high=7
)
Links = Sequence[tuple[int, int]]


def links_of(line: str, source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """Links such as 1-1 2-3, words counted from 1. Raises ValueError for one to no word."""
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


PAIRS = WorkedExample(
    slug="phrase-pairs",
    title="Phrase pairs consistent with links",
    topic=TOPIC,
    about="Which runs of words are translations of each other, when no link may leave them?",
    fields=(
        ExampleField(name="source", label="Source", most_words=MOST_WORDS),
        ExampleField(name="target", label="Translation", most_words=MOST_WORDS),
        ExampleField(
            name="links", label="Links", hint="Such as 1-1 2-3; words are counted from 1."
        ),
        LONGEST,
    ),
    compute=compute_pairs,
    guides=("phrase-tables",),
    cases=(
        ExampleCase(
            slug="fundamental-problem",
            title="That is the fundamental problem",
            source=BYRNE,
            values={
                "source": "that is the fundamental problem",
                "target": "voila le probleme fondamental",
                "links": "1-1 2-1 3-2 4-4 5-3",
                "longest": "7",
            },
            remark="The words are those of the lecture’s phrase table; the links of its figure are "
            "not in the text, these are made up.",
        ),
    ),
)

TABLE = WorkedExample(
    slug="phrase-table",
    title="A phrase table",
    topic=TOPIC,
    about="Counting phrase pairs in aligned texts gives the translations of a phrase, with their "
    "relative frequencies.",
    fields=(
        ExampleField(
            name="bitext",
            label="Aligned texts",
            kind="lines",
            hint="On each line source | translation | links.",
            most_lines=12,
        ),
        LONGEST,
    ),
    compute=compute_table,
    guides=("phrase-tables",),
    cases=(
        ExampleCase(
            slug="fundamental-problem",
            title="The table of the lecture",
            source=BYRNE,
            values={
                "bitext": "that is the | voila | 1-1 2-1 3-1\n"
                "these are the | voila | 1-1 2-1\n"
                "those are | voila | 1-1 2-1\n"
                "that is the | qui est le | 1-1 1-2 2-1 2-2 3-1 3-2\n"
                "the fundamental problem | le probleme fondamental | 2-2 2-3 3-2 3-3\n"
                "fundamental problem | la difficulte fondamental | 1-1 1-2 1-3 2-1 2-2 2-3\n"
                "who is | qui est | 1-1 1-2 2-1 2-2\n"
                "it is the | qui est le | 1-1 1-2 1-3 2-1 2-2 2-3",
                "longest": "7",
            },
            remark="The lecture prints these 14 rows, without probabilities. Its bitext is not "
            "given; this one is made up, so that they come out of it.",
        ),
    ),
)

MODEL = WorkedExample(
    slug="word-aligner",
    title="Which word answers to which: IBM models",
    topic=TOPIC,
    about="A few pairs of sentences are enough to see how often words occur together, and to link "
    "them.",
    fields=(
        ExampleField(
            name="sources",
            label="Sources",
            kind="lines",
            hint="One on each line.",
            most_words=MOST_WORDS,
        ),
        ExampleField(
            name="targets",
            label="Translations",
            kind="lines",
            hint="In the order of the sources.",
            most_words=MOST_WORDS,
        ),
        ExampleField(
            name="model",
            label="Model",
            kind="choice",
            choices=(("ibm1", "IBM 1"), ("diagonal", "IBM 2 with a diagonal prior")),
        ),
        ExampleField(
            name="method",
            label="Both directions are",
            kind="choice",
            choices=(
                ("intersection", "intersected"),
                ("union", "united"),
                ("grow-diag-final-and", "grown (grow-diag-final-and)"),
            ),
        ),
        ExampleField(name="iterations", label="Iterations", kind="whole", low=1, high=20),
    ),
    compute=compute_alignment,
    guides=("aligner",),
    cases=(
        ExampleCase(
            slug="houses",
            title="Houses",
            source=OURS,
            values={
                "sources": "la casa\nla casa verde\nuna casa\nuna mesa verde",
                "targets": "the house\nthe green house\na house\na green table",
                "model": "ibm1",
                "method": "intersection",
                "iterations": "5",
            },
        ),
    ),
)

EXAMPLES = (MODEL, PAIRS, TABLE)
