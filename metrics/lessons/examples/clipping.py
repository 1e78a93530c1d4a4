"""Clipped n-gram precision."""

from collections import Counter

from metrics.scorers.diagnostic import Diagnosis, diagnose

from .base import (
    ARTICLE,
    BYRNE,
    HEIDELBERG,
    ExampleCase,
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
from .ngrams import (
    CAPITALS,
    CATS,
    ORDERS,
    OREJUELA,
    OUTPUT,
    REFERENCES,
    RUN,
    TOKENIZE,
    TOPIC,
    counted,
    pooled_runs,
    precision_rows,
)

GUIDE_TO_ACTION = (
    "It is a guide to action that ensures that the military will forever heed Party commands.\n"
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party.\n"
    "It is the practical guide for the army always to heed the directions of the Party."
)
IRAN = (
    "Iran had already announced Kharrazi would boycott the conference after Jordans King Abdullah "
    "II accused Iran of meddling in Iraqs affairs."
)
IRAN_ERRATUM = "The two translations about Iran"


def clipping_table(found: Diagnosis, order: int) -> ResultTable:
    """Every run of the output: how often it has it, how often each reference, what counts."""
    ours: Counter = Counter()
    theirs: list[Counter] = []
    for ngrams in found.ngrams:
        if ngrams.order == order:
            shared = {each.words: each.count for each in ngrams.found}
            ours = Counter(shared)
            ours.update({each.words: each.count for each in ngrams.not_found})
            theirs.append(Counter(shared))
            theirs[-1].update({each.words: each.count for each in ngrams.missing})
    rows = []
    for words, count in ours.items():
        most = max(reference[words] for reference in theirs)
        clipped = min(count, most)
        rows.append(
            (
                " ".join(words),
                cells(
                    count,
                    *(reference[words] for reference in theirs),
                    most,
                    ResultCell(str(clipped), "clipped" if most and clipped < count else ""),
                ),
            )
        )
    return ResultTable(
        "What is counted",
        [
            "Run of words",
            "Output",
            *(f"Reference {n}" for n in range(1, len(theirs) + 1)),
            "Most in one",
            "Counts",
        ],
        rows,
        "Marked: the output has it more often than any one reference, and is clipped.",
    )


def compute_clipped(values: Values) -> ExampleResult:
    _, stats = counted(values)
    found = diagnose(
        values["output"],
        values["references"],
        tokenize=values["tokenize"],
        lowercase=values["capitals"] != "count",
    )
    known = {word for words in found.references for word in words or ()}
    plain = sum(word in known for word in found.output)
    pooled = pooled_runs(found.references, 1)
    recalled = (pooled_runs([found.output], 1) & pooled).total()
    rows = [
        ResultRow("length", "Words of the output", str(int(stats[0])), "c₁ in the lecture"),
        ResultRow(
            "plain",
            "Precision of words without clipping",
            fraction(plain, stats[0]),
            "words of the output that any reference has",
        ),
        *precision_rows(stats),
        ResultRow(
            "recall",
            "Recall of words, all references pooled",
            fraction(recalled, pooled.total()),
            "each word as often as the one reference that has it most",
        ),
        *(
            ResultRow(f"matches{n}", f"Matches of {n}-grams", str(int(stats[1 + n])), extra=True)
            for n in range(1, ORDERS + 1)
        ),
    ]
    return ExampleResult(rows, [clipping_table(found, int(values["order"]))])


def _clipped(slug: str, title: str, source: str, output: str, references: str, **more):
    values = {"order": "1", "capitals": "ignored", "tokenize": "13a"} | more.pop("values", {})
    values |= {"output": output, "references": references}
    return ExampleCase(slug=slug, title=title, source=source, values=values, **more)


CLIPPED = WorkedExample(
    slug="clipped-precision",
    title="Clipped n-gram precision",
    topic=TOPIC,
    about="How many runs of words of an output does a reference have, when none may count more "
    "often than the one reference that has it most?",
    fields=(OUTPUT, REFERENCES, CAPITALS, TOKENIZE, RUN),
    compute=compute_clipped,
    guides=("metrics",),
    metrics=("bleu",),
    cases=(
        _clipped(
            "seven-times-the",
            "Seven times “the”",
            HEIDELBERG,
            "the the the the the the the",
            CATS,
            printed={"plain": "7/7", "p1": "2/7"},
        ),
        _clipped(
            "six-times-the",
            "Six times “the”",
            BYRNE,
            "the the the the the the",
            "the cat is on the mat\nthere is a cat on the mat",
            printed={
                "length": Printed("7", erratum="The hypothesis of repeated *the*"),
                "matches1": "2",
            },
        ),
        _clipped(
            "of-the",
            "A short output, “of the”",
            HEIDELBERG,
            "of the",
            GUIDE_TO_ACTION,
            printed={"p1": "2/2", "p2": "1/1"},
        ),
        _clipped(
            "a-cat-sat",
            "A cat sat on the mat",
            ARTICLE,
            "A cat sat on the mat",
            CATS,
            printed={"p1": "5/6"},
        ),
        _clipped(
            "the-cat-the-cat",
            "The cat the cat …",
            ARTICLE,
            "The cat the cat the cat the the cat cat",
            CATS,
            printed={"p1": "3/10"},
        ),
        _clipped(
            "the-cat", "The cat", ARTICLE, "The cat", CATS, printed={"p1": "2/2", "p2": "1/1"}
        ),
        _clipped(
            "i-always-do",
            "I always invariably perpetually do",
            HEIDELBERG,
            "I always invariably perpetually do.",
            "I always do.\nI invariably do.\nI perpetually do.",
            values={"order": "2"},
            remark="The notes print no digits: whoever collects the words of all references has "
            "the highest recall. All single words are right, and the runs are not.",
        ),
        _clipped(
            "i-do",
            "I always do",
            HEIDELBERG,
            "I always do.",
            "I always do.\nI invariably do.\nI perpetually do.",
            values={"order": "2"},
            remark="Candidate 2 of the notes, one of the references word for word: its recall is "
            "4/6 where candidate 1, which nobody would say, has 6/6.",
        ),
        _clipped(
            "iran-low",
            "Iran, the translation that people rate low",
            HEIDELBERG,
            "Iran has already stated that Kharazis statements to the conference because of the "
            "Jordanian King Abdullah II in which he stood accused Iran of interfering in Iraqi "
            "affairs.",
            IRAN,
            values={"capitals": "count"},
            printed={
                f"matches{n}": Printed(text, erratum=IRAN_ERRATUM)
                for n, text in enumerate(("27", "20", "15", "10"), start=1)
            },
            remark="Two people gave it 3 and 2 for adequacy, and 3 and 2 for fluency; the other "
            "translation, which the notes print fewer matches for, got 5 and 4 for both.",
        ),
        _clipped(
            "iran-high",
            "Iran, the translation that people rate high",
            HEIDELBERG,
            "Iran already announced that Kharrazi will not attend the conference because of the "
            "statements made by the Jordanian Monarch Abdullah II who has accused Iran of "
            "interfering in Iraqi affairs.",
            IRAN,
            values={"capitals": "count"},
            printed={
                f"matches{n}": Printed(text, erratum=IRAN_ERRATUM)
                for n, text in enumerate(("24", "19", "15", "12"), start=1)
            },
            remark="Two people gave it 5 and 4 for adequacy, and 5 and 4 for fluency; the other "
            "translation, which the notes print more matches for, got 3 and 2 for both.",
        ),
    ),
)


def compute_lists(values: Values) -> ExampleResult:
    found = diagnose(
        "",
        values["references"],
        tokenize=values["tokenize"],
        lowercase=values["capitals"] != "count",
    )
    references = [words or () for words in found.references]
    order = int(values["order"])
    each = [pooled_runs([words], order) for words in references]
    pooled = pooled_runs(references, order)
    rows = [
        ResultRow(
            f"listed{n}",
            f"{n}-grams of all references",
            str(pooled_runs(references, n).total()),
            "each as often as the one reference that has it most",
        )
        for n in range(1, ORDERS + 1)
    ]
    table = ResultTable(
        "What an output can match",
        ["Run of words", *(f"Reference {n}" for n, _ in enumerate(each, start=1)), "Most in one"],
        [
            (" ".join(words), cells(*(runs[words] for runs in each), pooled[words]))
            for words in sorted(pooled)
        ],
    )
    return ExampleResult(rows, [table])


LISTS = WorkedExample(
    slug="reference-n-grams",
    title="The n-grams that references offer",
    topic=TOPIC,
    about="All runs of words that an output can match: those of every reference, each as often as "
    "the one reference that has it most.",
    fields=(REFERENCES, CAPITALS, TOKENIZE, RUN),
    compute=compute_lists,
    guides=("metrics",),
    metrics=("bleu",),
    cases=(
        ExampleCase(
            slug="orejuela",
            title="Orejuela",
            source=HEIDELBERG,
            values={
                "references": OREJUELA["references"],
                "capitals": "count",
                "tokenize": "13a",
                "order": "2",
            },
            errata=("The lists of the references' n-grams",),
            remark="The notes print these lists, 31 words, 38 pairs and 43 runs of three, without "
            "their number. They are as long here, and differ in one pair and one run of three.",
        ),
    ),
)

EXAMPLES = (CLIPPED, LISTS)
